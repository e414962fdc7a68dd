//! Deforming bodies against rotating ones: checked by fine stepping, and from one contact to the
//! next.

use super::bodies::{Spatial, shape};
use super::features::Sheet;
use super::linear_motion::{crumple, deforming};
use super::oracle::distance_of;
use nalgebra::Vector3;
use tangere::generate;
use tangere::impact::{Certificate, EngineSettings, ImpactEngine};
use test_support::Random;

#[test]
fn deforming_against_turning_bodies() {
    let n = &mut Random::new(37);
    let mut touched = [0; 2];
    for _ in 0..60 {
        let a = crumple(n, false, 6, 0.6);
        let mut b = shape(n);
        (b.rotation, b.spin) = (n.rotation(), n.offset(8.0));
        b.place = n.axis() * 3.0;
        b.velocity = n.offset(0.8) - b.place;
        b.acceleration = n.offset(1.0);
        let settings = EngineSettings {
            self_contact: false,
            ..EngineSettings::default()
        };
        let mut engine =
            ImpactEngine::with_bodies(vec![deforming(&a, 1.0), b.body()], &settings).unwrap();
        let found = engine.next_contact(1.0).unwrap();
        let apart = |time: f64| {
            let (pa, pb) = (a.at(time), b.at(time));
            distance_of([&pa, &pb], [&a.faces, &b.faces]) - b.radius
        };
        let fastest = a.starts.iter().zip(&a.ends);
        let fastest = fastest.map(|(p, q)| (Vector3::from(*q) - Vector3::from(*p)).norm());
        let speed = fastest.fold(0.0, f64::max) + b.speed(1.0);
        let until = found.as_ref().map_or(1.0, |f| f.early * (1.0 - 1e-13));
        let mut time = 0.0;
        while time < until {
            let apart = apart(time);
            assert!(apart > 0.0, "late: common points at {time}, {found:?}");
            time += (apart / speed).max(1e-6);
        }
        touched[usize::from(found.is_some())] += 1;
        if let Some(impact) = &found {
            if impact.certificate == Certificate::Overlap {
                assert!(apart(0.0) <= 0.0);
                continue;
            }
            assert_eq!(impact.certificate, Certificate::Bracket);
            assert!(apart(impact.early) < 1e-9, "{impact:?}");
            assert!(
                (-16..-4).any(|k| apart(impact.late + 10.0_f64.powi(k)) <= 0.0),
                "{impact:?}"
            );
        }
    }
    assert!(touched.iter().all(|&count| count > 5), "{touched:?}");
}

/// Nodes that reverse at their contact separate and touch again later.
#[test]
fn nodes_that_bounce() {
    let n = &mut Random::new(38);
    let mut bounced = 0;
    for _ in 0..100 {
        // They stretch as they go, which keeps them convex.
        let [a, b] = [-1.5, 1.5].map(|x| {
            let hull = generate::hull(16, n.bits()).unwrap();
            let (turn, to) = (n.rotation(), n.offset(0.3));
            let starts = (hull.vertices().iter())
                .map(|&p| (turn * Vector3::from(p) + Vector3::new(x, 0.0, 0.0)).into());
            let starts: Vec<[f64; 3]> = starts.collect();
            let stretched =
                |p: &[f64; 3]| [1.2 * (p[0] - x) + to.x, p[1] + to.y, 0.8 * p[2] + to.z];
            Sheet {
                ends: starts.iter().map(stretched).collect(),
                starts,
                faces: hull.faces().to_vec(),
            }
        });
        let settings = EngineSettings {
            self_contact: false,
            ..EngineSettings::default()
        };
        let bodies = vec![deforming(&a, 1.0), deforming(&b, 1.0)];
        let mut engine = ImpactEngine::with_bodies(bodies, &settings).unwrap();
        let Some(impact) = engine.next_contact(1.0).unwrap() else {
            continue;
        };
        bounced += 1;
        engine.advance(impact.early).unwrap();
        // Both move away from each other along the normal.
        let (mut nodes, away) = (Vec::new(), Vector3::from(impact.contacts[0].normal));
        for (body, by) in [(0, -0.3), (1, 0.3)] {
            engine.nodes(body, &mut nodes).unwrap();
            let gone: Vec<[f64; 3]> = nodes
                .iter()
                .map(|&p| (Vector3::from(p) + away * by).into())
                .collect();
            engine.set_nodes(body, &nodes, &gone, 0.5).unwrap();
        }
        let until = impact.early + 0.5;
        assert_eq!(engine.next_contact(until).unwrap(), None);
        engine.advance(until).unwrap();
        // And back.
        for (body, by) in [(0, 0.6), (1, -0.6)] {
            engine.nodes(body, &mut nodes).unwrap();
            let back: Vec<[f64; 3]> = nodes
                .iter()
                .map(|&p| (Vector3::from(p) + away * by).into())
                .collect();
            engine.set_nodes(body, &nodes, &back, 1.0).unwrap();
        }
        let again = engine.next_contact(until + 1.0).unwrap().unwrap();
        assert!((again.early - (until + 0.5)).abs() < 1e-9, "{again:?}");
    }
    assert!(bounced > 80, "{bounced}");
}
