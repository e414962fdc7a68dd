//! Simultaneous contacts: bodies on a lattice meet corner to corner, edge along edge or face on
//! face, or slide along each other. Checked against all pairs of their features in exact integers.

use super::bodies::{Thing, cube, plate};
use super::features::{Sheet, Start, first_contact, start};
use super::oracle::distance;
use nalgebra::Vector3;
use tangere::generate;
use tangere::impact::{Certificate, EngineSettings, ImpactEngine};
use test_support::Random;

const UNTIL: f64 = 8.0;

fn whole(n: &mut Random, most: usize) -> Vector3<f64> {
    Vector3::from_fn(|_, _| n.below(2 * most + 1) as f64 - most as f64)
}

fn shape(n: &mut Random) -> Thing {
    match n.below(5) {
        0 => cube(1.0),
        1 => plate([2, 2], [2.0, 2.0]),
        2 => Thing::of_mesh(&generate::sponge(n.below(2) as u32).expect("sound")),
        3 => Thing::of_mesh(&generate::sphere(0).expect("sound")).scaled(2.0),
        _ => loop {
            let points: Vec<[f64; 3]> = (0..5).map(|_| whole(n, 2).into()).collect();
            let faces = vec![[0, 1, 2], [1, 2, 3], [2, 3, 4]];
            if points.iter().any(|p| *p != points[0]) {
                return Thing::new(points, faces);
            }
        },
    }
}

fn moved(n: &mut Random) -> Thing {
    let mut thing = shape(n);
    thing.place = whole(n, 6);
    // To a point near the middle, in four units of time.
    thing.velocity = (whole(n, 1) - thing.place) * 0.25;
    thing
}

fn sheet(thing: &Thing) -> Sheet {
    let points = |time| thing.at(time).iter().map(|&p| p.into()).collect();
    Sheet {
        starts: points(0.0),
        ends: points(UNTIL),
        faces: thing.faces.clone(),
    }
}

#[test]
fn bodies_on_a_lattice() {
    let n = &mut Random::new(81);
    let mut counts = [0; 2];
    for case in 0..1000 {
        let (a, b) = (moved(n), moved(n));
        let (sheet_a, sheet_b) = (sheet(&a), sheet(&b));
        if start(&sheet_a, Some(&sheet_b)) != Start::Apart {
            continue;
        }
        let expected = first_contact(&sheet_a, Some(&sheet_b));
        let bodies = vec![a.body(), b.body()];
        let mut engine = ImpactEngine::with_bodies(bodies, &EngineSettings::default()).unwrap();
        let found = engine.next_contact(UNTIL).unwrap();
        let Some(impact) = found else {
            assert!(!expected.is_contact(), "case {case}: missed {expected:?}");
            counts[0] += 1;
            continue;
        };
        assert!(expected.is_contact(), "case {case}: invented {impact:?}");
        let [early, late] = [expected.early, expected.late].map(|share| UNTIL * share);
        assert!(
            impact.early <= late + 1e-14,
            "case {case}: late {early} {impact:?}"
        );
        assert!(
            distance(&a, &b, impact.early) < 1e-12,
            "case {case}: {impact:?}"
        );
        assert!(
            early - 1e-12 < impact.late,
            "case {case}: {early} {impact:?}"
        );
        assert!(
            impact.certificate <= Certificate::Touching,
            "case {case}: {impact:?}"
        );
        counts[1] += 1;
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// Bodies on a lattice move on parabolas: integer velocities and accelerations, so that some just
/// reach each other.
#[test]
fn bodies_that_just_come_up_to_each_other() {
    let sphere = Thing::of_mesh(&generate::sphere(1).unwrap());
    for mut shape in [Thing::ball(1.0), cube(1.0), sphere] {
        // It is highest at time 2, at 4, where its top is at 5.
        shape.velocity = Vector3::new(0.0, 0.0, 4.0);
        shape.acceleration = Vector3::new(0.0, 0.0, -2.0);
        for (above, touches) in [(0.0, Some(2.0)), (-0.25, Some(1.5)), (1e-9, None)] {
            let mut ceiling = plate([2, 2], [8.0, 7.0]);
            ceiling.place = Vector3::new(0.25, 0.5, 5.0 + above);
            let bodies = vec![shape.body(), ceiling.body()];
            let mut engine = ImpactEngine::with_bodies(bodies, &EngineSettings::default()).unwrap();
            let found = engine.next_contact(9.0).unwrap();
            let Some(time) = touches else {
                assert_eq!(found, None);
                continue;
            };
            let impact = found.unwrap();
            // Near the highest point the gap is within rounding for about its root.
            let tiny = if above == 0.0 { 1e-6 } else { 1e-12 };
            assert!((impact.early - time).abs() < tiny, "{above}: {impact:?}");
            let is_certain = impact.certificate == Certificate::Bracket;
            assert_eq!(is_certain, above < 0.0, "{impact:?}");
        }
    }
}
