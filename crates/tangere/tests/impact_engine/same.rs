//! The same bits whatever was asked before; from one contact to the next; what touches, rests or overlaps at the start.

use super::bodies::{Random, Thing, cube, plate, scene};
use super::numbers::Numbers;
use nalgebra::Vector3;
use tangere::impact::{Certificate, EngineSettings, Impact, ImpactEngine, RigidMotion};

const HORIZON: f64 = 1.2;

fn engine(things: &[Thing]) -> ImpactEngine {
    let bodies = things.iter().map(Thing::body).collect();
    ImpactEngine::new(bodies, &EngineSettings::default()).unwrap()
}

/// A ball that is far from all and stays there.
fn bystander() -> Thing {
    let mut far = Thing::ball(0.1);
    far.place = Vector3::new(1e7, 0.0, 0.0);
    far
}

#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    let mut found = 0;
    for seed in 0..60 {
        let n = &mut Numbers(seed);
        let count = 2 + n.one_of(3);
        let mut things = scene(n, count);
        things.push(bystander());
        let expected = engine(&things).next_contact(HORIZON).unwrap();
        found += usize::from(expected.is_some());
        let until = expected.as_ref().map_or(HORIZON, |impact| impact.early);

        let mut asked = engine(&things);
        for k in 0..24 {
            let horizon = HORIZON * f64::from(k) / 24.0;
            let answer = asked.next_contact(horizon).unwrap();
            assert_eq!(
                answer,
                expected.clone().filter(|e| e.early <= horizon),
                "scene {seed}"
            );
        }
        assert_eq!(
            asked.next_contact(HORIZON).unwrap(),
            expected,
            "scene {seed}, horizons"
        );
        assert_eq!(asked.clone().next_contact(HORIZON).unwrap(), expected);
        let next = asked.next_time();
        assert!(next <= until || next > HORIZON);

        let mut stepped = engine(&things);
        let mut cloned = stepped.clone();
        for k in 0..20 {
            let time = 0.99 * until * f64::from(k) / 20.0;
            stepped.next_contact(time).unwrap();
            stepped.advance(time).unwrap();
            cloned = stepped.clone();
        }
        assert_eq!(
            stepped.next_contact(HORIZON).unwrap(),
            expected,
            "scene {seed}, steps"
        );
        assert_eq!(cloned.next_contact(HORIZON).unwrap(), expected);

        let mut told = engine(&things);
        told.next_contact(0.4 * until).unwrap();
        for body in 0..things.len() {
            told.set_motion(body, things[body].motion()).unwrap();
            told.ignore(body, count).unwrap();
        }
        assert_eq!(
            told.next_contact(HORIZON).unwrap(),
            expected,
            "scene {seed}, told"
        );
        for body in 0..things.len() {
            told.watch(body, count).unwrap();
        }
        assert_eq!(
            told.next_contact(HORIZON).unwrap(),
            expected,
            "scene {seed}, watched"
        );
    }
    assert!(found > 25);
}

/// Advancing past what was not asked for loses nothing.
#[test]
fn advancing_without_asking() {
    for seed in 100..140 {
        let things = scene(&mut Numbers(seed), 2);
        let Some(expected) = engine(&things).next_contact(HORIZON).unwrap() else {
            continue;
        };
        if expected.late == f64::INFINITY || expected.early == 0.0 {
            continue;
        }
        for share in [0.3, 0.9, 0.999, 0.999_999, 1.0 - 1e-12] {
            let mut engine = engine(&things);
            engine.advance(share * expected.early).unwrap();
            let other = engine
                .next_contact(HORIZON)
                .unwrap()
                .expect("the same contact");
            let tiny = 1e-14 * expected.early;
            let alike = other.early <= expected.late + tiny && expected.early <= other.late + tiny;
            assert!(alike, "scene {seed}: {other:?} {expected:?}");
        }
    }
}

fn floor() -> Thing {
    plate([6, 6], [100.0, 100.0])
}

fn bounced(engine: &mut ImpactEngine, impact: &Impact, restitution: f64) {
    engine.advance(impact.early).unwrap();
    let now = engine.motion(0).unwrap();
    // The floor is the second body, so the normal points down.
    let normal = Vector3::from(impact.contacts[0].normal);
    let velocity = Vector3::from(now.velocity());
    let rate = velocity.dot(&normal);
    assert!(rate > 0.0, "{impact:?}");
    let velocity = velocity - normal * ((1.0 + restitution) * rate);
    let next = RigidMotion::new(now.pose(), velocity.into(), now.spin(), now.acceleration());
    engine.set_motion(0, next.unwrap()).unwrap();
}

#[test]
fn a_ball_bounces_on_a_plate() {
    let mut ball = Thing::ball(0.5);
    ball.place = Vector3::new(0.3, 0.2, 3.0);
    ball.velocity = Vector3::new(0.1, -0.2, 0.0);
    ball.acceleration = Vector3::new(0.0, 0.0, -9.81);
    let mut engine = engine(&[ball, floor()]);
    let mut energy = 9.81 * 2.5;
    for bounce in 0..40 {
        let impact = engine.next_contact(1e3).unwrap().expect("it falls");
        bounced(&mut engine, &impact, 0.9);
        let now = engine.motion(0).unwrap();
        let height = now.pose().translation()[2] - 0.5;
        assert!(height.abs() < 1e-11, "{height} after {bounce}");
        energy *= 0.81;
        let speed = now.velocity()[2];
        let off = (0.5 * speed * speed + 9.81 * height) / energy - 1.0;
        assert!(off.abs() < 1e-10 / energy, "{off} after {bounce}");
    }
}

/// A cube that tumbles on the floor: impulses at the corners that touch.
#[test]
fn a_cube_tumbles_on_a_plate() {
    let n = &mut Numbers(62);
    for _ in 0..6 {
        let mut thing = cube(0.5);
        thing.place = Vector3::new(0.0, 0.0, 2.0);
        (thing.rotation, thing.spin) = (n.rotation(), n.vector(6.0));
        thing.velocity = n.vector(1.0);
        thing.acceleration = Vector3::new(0.0, 0.0, -9.81);
        // Of mass 1 and edge 1 the inertia is 1/6 about every axis.
        let energy = |m: &RigidMotion| {
            let (v, w) = (Vector3::from(m.velocity()), Vector3::from(m.spin()));
            0.5 * v.norm_squared() + w.norm_squared() / 12.0 + 9.81 * m.pose().translation()[2]
        };
        let mut engine = engine(&[thing, floor()]);
        let mut before = energy(&engine.motion(0).unwrap());
        let mut nodes = Vec::new();
        for _ in 0..60 {
            let Some(impact) = engine.next_contact(1e3).unwrap() else {
                panic!("it is gone")
            };
            let from = engine.time();
            for k in 1..=20 {
                engine
                    .advance(from + (impact.early - from) * f64::from(k) / 20.0)
                    .unwrap();
                engine.nodes(0, &mut nodes).unwrap();
                let lowest = nodes.iter().map(|p| p[2]).fold(f64::INFINITY, f64::min);
                assert!(lowest > -1e-11, "{lowest} {impact:?}");
            }
            let now = engine.motion(0).unwrap();
            let (mut v, mut w) = (Vector3::from(now.velocity()), Vector3::from(now.spin()));
            let middle = Vector3::from(now.pose().translation());
            let up = -Vector3::from(impact.contacts[0].normal);
            assert!((up - Vector3::z()).norm() < 1e-9, "{impact:?}");
            let arm = Vector3::from(impact.contacts[0].point_a) - middle;
            let rate = (v + w.cross(&arm)).dot(&up);
            assert!(rate < 1e-9, "{rate}: {impact:?}");
            let push = -1.8 * rate.min(-1e-3) / (1.0 + 6.0 * arm.cross(&up).norm_squared());
            v += up * push;
            w += arm.cross(&up) * (6.0 * push);
            let next =
                RigidMotion::new(now.pose(), v.into(), w.into(), now.acceleration()).unwrap();
            engine.set_motion(0, next).unwrap();
            let after = energy(&next);
            assert!(after <= before + 1e-2, "{before} {after}");
            before = after;
        }
    }
}

/// A cube that stands on the floor, exactly, and goes elsewhere.
fn standing(velocity: [f64; 3], acceleration: [f64; 3]) -> ImpactEngine {
    let mut thing = cube(0.5);
    thing.place = Vector3::new(0.25, 0.5, 0.5);
    thing.velocity = velocity.into();
    thing.acceleration = acceleration.into();
    engine(&[thing, floor()])
}

#[test]
fn what_touches_and_parts_does_not_count() {
    for velocity in [[0.0, 0.0, 1.0], [3.0, 1.0, 1e-3], [0.0, 0.0, 1e-4]] {
        assert_eq!(
            standing(velocity, [0.0; 3]).next_contact(50.0).unwrap(),
            None
        );
        // Thrown up, it comes back.
        let mut engine = standing(velocity, [0.0, 0.0, -1.0]);
        let impact = engine.next_contact(50.0).unwrap().unwrap();
        let back = 2.0 * velocity[2];
        // Rounding of places on so large a floor is seen as a time, the longer the slower it is.
        assert!(
            (impact.early - back).abs() <= 1e-11 / velocity[2],
            "{impact:?}"
        );
    }
    assert_eq!(
        standing([0.0; 3], [0.0, 0.0, 1.0])
            .next_contact(50.0)
            .unwrap(),
        None
    );
}

#[test]
fn what_rests_or_slides_touches_now() {
    for (velocity, acceleration) in [
        ([0.0; 3], [0.0; 3]),
        ([1.0, 0.5, 0.0], [0.0; 3]),
        ([0.0; 3], [0.0, 0.0, -9.81]),
        ([1.0, 0.0, 0.0], [0.5, 0.0, -9.81]),
    ] {
        let mut engine = standing(velocity, acceleration);
        let impact = engine.next_contact(5.0).unwrap().unwrap();
        assert_eq!(
            (impact.certificate, impact.early),
            (Certificate::Touching, 0.0),
            "{velocity:?} {acceleration:?}"
        );
        engine.advance(1.0).unwrap();
        if acceleration[2] == 0.0 {
            let impact = engine.next_contact(5.0).unwrap().unwrap();
            assert_eq!(
                (impact.certificate, impact.early),
                (Certificate::Touching, 1.0)
            );
        }
        engine.ignore(0, 1).unwrap();
        assert_eq!(engine.next_contact(5.0).unwrap(), None);
    }
}

#[test]
fn balls_that_touch() {
    let pair = |velocity: [f64; 3], acceleration: [f64; 3]| {
        let mut other = Thing::ball(1.0);
        other.place = Vector3::new(2.0, 0.0, 0.0);
        (other.velocity, other.acceleration) = (velocity.into(), acceleration.into());
        engine(&[Thing::ball(1.0), other])
            .next_contact(50.0)
            .unwrap()
    };
    assert_eq!(pair([1.0, 0.0, 0.0], [0.0; 3]), None);
    assert_eq!(pair([0.0, 1.0, 0.0], [0.0; 3]), None);
    assert_eq!(pair([0.0; 3], [1.0, 0.0, 0.0]), None);
    let back = pair([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]).unwrap();
    assert!((back.early - 2.0).abs() < 1e-12 && back.certificate == Certificate::Exact);
    for velocity in [[-1.0, 0.0, 0.0], [-1e-9, 1.0, 0.0]] {
        let now = pair(velocity, [0.0; 3]).unwrap();
        assert_eq!(now.early, 0.0);
        assert!(now.certificate != Certificate::Overlap);
    }
    assert_eq!(pair([0.0; 3], [0.0; 3]).unwrap().early, 0.0);
}

#[test]
fn overlaps_are_told_left_out_and_taken_back() {
    let mut things = vec![cube(0.5), cube(0.5), cube(0.5)];
    things[1].place = Vector3::new(0.3, 0.2, 0.1);
    things[2].place = Vector3::new(5.0, 0.1, 0.2);
    things[2].velocity = Vector3::new(-1.0, 0.0, 0.0);
    let mut engine = engine(&things);
    let overlap = engine.next_contact(10.0).unwrap().unwrap();
    assert_eq!(
        (overlap.certificate, overlap.early, overlap.late),
        (Certificate::Overlap, 0.0, 0.0)
    );
    assert!(overlap.contacts.iter().all(|c| (c.a, c.b) == (0, 1)));
    engine.ignore(1, 0).unwrap();
    let next = engine.next_contact(10.0).unwrap().unwrap();
    assert!((next.early - 3.7).abs() < 1e-12 && next.contacts.iter().all(|c| (c.a, c.b) == (1, 2)));
    engine.watch(0, 1).unwrap();
    assert_eq!(engine.next_contact(10.0).unwrap(), Some(overlap));
    // Later they still overlap, then.
    engine.advance(1.0).unwrap();
    let later = engine.next_contact(10.0).unwrap().unwrap();
    assert_eq!(
        (later.certificate, later.early),
        (Certificate::Overlap, 1.0)
    );
    // One within the other has no common points, and touches when it comes to the wall.
    let mut small = cube(0.1);
    small.velocity = Vector3::new(0.1, 0.0, 0.0);
    let mut inside = self::engine(&[cube(0.5), small]);
    let impact = inside.next_contact(10.0).unwrap().unwrap();
    assert!((impact.early - 4.0).abs() < 1e-12 && impact.certificate == Certificate::Bracket);
}
