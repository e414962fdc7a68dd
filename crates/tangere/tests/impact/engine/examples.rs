//! The examples of section 5 of `aragon2013`.

use super::bodies::{Spatial, Thing, plate};
use nalgebra::{UnitQuaternion, Vector3};
use tangere::contact::Feature;
use tangere::generate;
use tangere::impact::hierarchy::Volume;
use tangere::impact::primitive::{PrimitiveSettings, edge_edge, vertex_face};
use tangere::impact::{Certificate, EngineSettings, ImpactEngine};
use test_support::Random;

/// Two spheres that are thrown at each other from 1500 m (5.1).
fn thrown(level: u32, turns: [UnitQuaternion<f64>; 2]) -> [Thing; 2] {
    let mesh = generate::sphere(level).expect("sound");
    [(0.0, 50.0), (1500.0, -50.0)].map(|(x, v)| {
        let mut thing = Thing::of_mesh(&mesh);
        thing.place = Vector3::new(x, 0.0, 0.0);
        thing.velocity = Vector3::new(v, 0.0, 50.0 * 3.0_f64.sqrt());
        thing.acceleration = Vector3::new(0.0, 0.0, -9.81);
        thing.rotation = turns[usize::from(x > 0.0)];
        thing
    })
}

/// The time at which the spheres of 5.1 touch, by brute force over the vertices, edges and faces
/// near each other: the second sphere is brought to a distance of 2.5 and moved by 1.5 toward the
/// first.
fn exact_time([a, b]: &[Thing; 2]) -> f64 {
    let settings = PrimitiveSettings::default();
    let turned = |thing: &Thing, x: f64| -> Vec<[f64; 3]> {
        let place = Vector3::new(x, 0.0, 0.0);
        let of = |&p: &[f64; 3]| (thing.rotation * Vector3::from(p) + place).into();
        thing.points.iter().map(of).collect()
    };
    let (of_a, of_b) = (turned(a, 0.0), turned(b, 2.5));
    let ahead: Vec<[f64; 3]> = of_b.iter().map(|p| [p[0] - 1.5, p[1], p[2]]).collect();
    // Only caps that face each other may touch.
    let cap = |points: &[[f64; 3]], faces: &[[u32; 3]], is_in: &dyn Fn(f64) -> bool| {
        let near = |f: &&[u32; 3]| f.iter().any(|&v| is_in(points[v as usize][0]));
        faces.iter().filter(near).copied().collect::<Vec<_>>()
    };
    let is_coarse = a.faces.len() < 200;
    let faces_a = cap(&of_a, &a.faces, &|x| x > 0.6 || is_coarse);
    let faces_b = cap(&of_b, &b.faces, &|x| x < 1.9 || is_coarse);
    let mut first = f64::INFINITY;
    let mut offer = |is_face: bool, start: [[f64; 3]; 4], end: [[f64; 3]; 4]| {
        let found = match is_face {
            true => vertex_face(&start, &end, &settings),
            false => edge_edge(&start, &end, &settings),
        };
        first = first.min(found.early);
    };
    for fa in &faces_a {
        let ta = fa.map(|v| of_a[v as usize]);
        for fb in &faces_b {
            let (tb, te) = (fb.map(|v| of_b[v as usize]), fb.map(|v| ahead[v as usize]));
            let ends = |t: &[[f64; 3]; 3], k: usize| {
                let least = t.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min);
                (
                    least,
                    t.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max),
                )
            };
            let passes = |k: usize| {
                let ((a0, a1), (b0, b1)) = (ends(&ta, k), ends(&tb, k));
                a0 > b1 || b0 > a1
            };
            if passes(1) || passes(2) {
                continue;
            }
            for i in 0..3 {
                let [p, q, r] = ta;
                offer(true, [tb[i], p, q, r], [te[i], p, q, r]);
                offer(
                    true,
                    [ta[i], tb[0], tb[1], tb[2]],
                    [ta[i], te[0], te[1], te[2]],
                );
                for j in 0..3 {
                    let (ea, k) = ([ta[i], ta[(i + 1) % 3]], (j + 1) % 3);
                    offer(
                        false,
                        [ea[0], ea[1], tb[j], tb[k]],
                        [ea[0], ea[1], te[j], te[k]],
                    );
                }
            }
        }
    }
    (1500.0 - (2.5 - 1.5 * first)) / 100.0
}

fn check_thrown(things: &[Thing; 2], settings: &EngineSettings, exact: f64) {
    let bodies = things.iter().map(Thing::body).collect();
    let mut engine = ImpactEngine::with_bodies(bodies, settings).expect("sound");
    // Queried at the steps of a simulation, the engine sleeps.
    assert_eq!(engine.next_contact(0.05).expect("sound"), None);
    let (first, before) = (engine.next_time(), engine.counts());
    assert!((14.94..14.99).contains(&first), "{first}");
    assert!(before.volume + before.primitive == 0 && before.trajectory == 1);
    for step in 1..=300 {
        let time = 0.05 * f64::from(step);
        engine.advance(time - 0.05).expect("sound");
        let found = engine.next_contact(time).expect("sound");
        if time < first {
            assert_eq!(engine.counts(), before, "awake at {time}");
        }
        let Some(impact) = found else { continue };
        let off = |time: f64| ((time - exact) / exact).abs();
        assert!(off(impact.early) < 1e-12, "{} {exact}", impact.early);
        assert!(off(impact.late) < 1e-12, "{} {exact}", impact.late);
        assert!(impact.early <= exact * (1.0 + 1e-15) && exact * (1.0 - 1e-15) <= impact.late);
        assert_eq!(impact.certificate, Certificate::Bracket);
        return;
    }
    panic!("they miss each other");
}

#[test]
fn symmetric_spheres_touch_at_their_corners() {
    for level in 0..=5 {
        let things = thrown(level, [UnitQuaternion::identity(); 2]);
        if level < 3 {
            assert!((exact_time(&things) - 14.98).abs() < 1e-14);
        }
        for volume in Volume::ALL {
            let settings = EngineSettings {
                volume,
                ..EngineSettings::default()
            };
            check_thrown(&things, &settings, 14.98);
        }
    }
}

#[test]
fn turned_spheres_touch_when_their_meshes_do() {
    let n = &mut Random::new(51);
    for (level, count) in [(0, 9), (1, 6), (2, 4), (3, 3), (4, 2), (5, 1)] {
        for _ in 0..count {
            let things = thrown(level, [n.rotation(), n.rotation()]);
            let exact = exact_time(&things);
            assert!(exact > 14.98);
            check_thrown(&things, &EngineSettings::default(), exact);
        }
    }
}

/// A body of 17,956 faces at 120 km/h against a wall of 144 faces, 100 m away (5.2).
fn crash(spin: Vector3<f64>) -> [Thing; 2] {
    let mut body = Thing::of_mesh(&generate::knot(17956).expect("sound"));
    let front = body.points.iter().map(|p| p[0]).fold(0.0, f64::max);
    body.place = Vector3::new(-100.0 - front, 0.0, 0.0);
    body.velocity = Vector3::new(120.0 / 3.6, 0.0, 0.0);
    body.spin = spin;
    let mut wall = plate([12, 6], [10.0, 5.0]);
    for p in &mut wall.points {
        *p = [0.0, p[0], p[1]];
    }
    [body, wall]
}

/// The times of the steps in which the engine had work, and the time of contact.
fn stepped(things: &[Thing; 2], settings: &EngineSettings) -> (Vec<f64>, f64) {
    let bodies = things.iter().map(Thing::body).collect();
    let mut engine = ImpactEngine::with_bodies(bodies, settings).expect("sound");
    let mut awake = Vec::new();
    for step in 0..=60 {
        let time = 0.05 * f64::from(step);
        engine.advance(time).expect("sound");
        let before = engine.counts();
        let found = engine.next_contact(time + 0.05).expect("sound");
        if engine.counts() != before {
            awake.push(time);
        }
        if let Some(impact) = found {
            return (awake, impact.early);
        }
    }
    panic!("no contact");
}

#[test]
fn a_body_against_a_wall() {
    let things = crash(Vector3::zeros());
    for volume in Volume::ALL {
        let settings = EngineSettings {
            volume,
            ..EngineSettings::default()
        };
        let (awake, time) = stepped(&things, &settings);
        assert!((time - 3.0).abs() < 1e-12, "{time}");
        // The first step predicts the bodies; the paper wakes up at 2.8, 2.88, 2.9, 2.95 and 3.
        assert!(awake.len() <= 10, "{volume}: {awake:?}");
        let later = awake.iter().filter(|&&time| time > 0.0);
        assert!(
            later.clone().all(|&time| time >= 2.6),
            "{volume}: {awake:?}"
        );
        if volume == Volume::Ball {
            assert!(later.count() >= 3, "{awake:?}");
        }
    }
}

#[test]
fn a_turning_body_against_a_wall() {
    let things = crash(Vector3::new(0.3, -0.2, 1.1));
    let [(awake, time), (_, other)] = Volume::ALL.map(|volume| {
        let settings = EngineSettings {
            volume,
            ..EngineSettings::default()
        };
        stepped(&things, &settings)
    });
    assert!((time - other).abs() < 1e-12);
    assert!(awake.len() <= 12, "{awake:?}");
    // The wall is a plane: the body touches it when the first of its vertices does.
    let front = |time: f64| {
        things[0]
            .at(time)
            .iter()
            .map(|p| p.x)
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let steps = (time * 1e4) as i32;
    assert!((0..steps).all(|k| front(f64::from(k) * 1e-4) < 0.0));
    assert!(front(time).abs() < 1e-11, "{}", front(time));
    assert!(front(time + 1e-12) > 0.0);
}

#[test]
fn the_contact_names_the_vertex_that_is_in_front() {
    let [body, wall] = crash(Vector3::zeros());
    let front = (0..body.points.len() as u32)
        .max_by(|&i, &j| body.points[i as usize][0].total_cmp(&body.points[j as usize][0]));
    let mut engine =
        ImpactEngine::with_bodies(vec![body.body(), wall.body()], &EngineSettings::default())
            .unwrap();
    let impact = engine.next_contact(10.0).unwrap().unwrap();
    assert_eq!(
        impact.contacts[0].feature_a,
        Feature::vertex(front.unwrap())
    );
    let off = Vector3::from(impact.contacts[0].normal) - Vector3::x();
    assert!(off.norm() < 1e-12);
}
