//! Determinism of the impact engine: results have the same bits regardless of earlier queries, also
//! from one contact to the next.

use super::bodies::{Spatial, Thing, cube, plate, scene};
use nalgebra::Vector3;
use tangere::impact::{EngineSettings, Impact, ImpactEngine, RigidMotion};
use test_support::Random;

const HORIZON: f64 = 1.2;

pub fn engine(things: &[Thing]) -> ImpactEngine {
    let bodies = things.iter().map(Thing::body).collect();
    ImpactEngine::with_bodies(bodies, &EngineSettings::default()).expect("sound")
}

/// A ball at rest far from all others.
fn bystander() -> Thing {
    let mut far = Thing::ball(0.1);
    far.place = Vector3::new(1e7, 0.0, 0.0);
    far
}

#[test]
fn results_do_not_depend_on_earlier_queries() {
    let mut found = 0;
    for seed in 0..60 {
        let n = &mut Random::new(seed);
        let count = 2 + n.below(3);
        let mut things = scene(n, count);
        things.push(bystander());
        let expected = engine(&things).next_contact(HORIZON).unwrap();
        found += usize::from(expected.is_some());
        let until = expected.as_ref().map_or(HORIZON, |impact| impact.early);

        let mut queried = engine(&things);
        for k in 0..24 {
            let horizon = HORIZON * f64::from(k) / 24.0;
            let answer = queried.next_contact(horizon).unwrap();
            assert_eq!(
                answer,
                expected.clone().filter(|e| e.early <= horizon),
                "scene {seed}"
            );
        }
        assert_eq!(
            queried.next_contact(HORIZON).unwrap(),
            expected,
            "scene {seed}, horizons"
        );
        assert_eq!(queried.clone().next_contact(HORIZON).unwrap(), expected);
        let next = queried.next_time();
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

        let mut updated = engine(&things);
        updated.next_contact(0.4 * until).unwrap();
        for body in 0..things.len() {
            updated.set_motion(body, things[body].motion()).unwrap();
            updated.ignore(body, count).unwrap();
        }
        assert_eq!(
            updated.next_contact(HORIZON).unwrap(),
            expected,
            "scene {seed}, motions set"
        );
        for body in 0..things.len() {
            updated.watch(body, count).unwrap();
        }
        assert_eq!(
            updated.next_contact(HORIZON).unwrap(),
            expected,
            "scene {seed}, watched"
        );
    }
    assert!(found > 25);
}

/// Advancing without queries loses no contact.
#[test]
fn advancing_without_queries() {
    for seed in 100..140 {
        let things = scene(&mut Random::new(seed), 2);
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

pub fn floor() -> Thing {
    plate([6, 6], [100.0, 100.0])
}

fn bounced(engine: &mut ImpactEngine, impact: &Impact, restitution: f64) {
    engine.advance(impact.early).expect("sound");
    let now = engine.motion(0).expect("sound");
    // The floor is the second body, so the normal points down.
    let normal = Vector3::from(impact.contacts[0].normal);
    let velocity = Vector3::from(now.velocity());
    let rate = velocity.dot(&normal);
    assert!(rate > 0.0, "{impact:?}");
    let velocity = velocity - normal * ((1.0 + restitution) * rate);
    let next = RigidMotion::new(now.pose(), velocity.into(), now.spin(), now.acceleration());
    engine.set_motion(0, next.expect("sound")).expect("sound");
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

/// A cube tumbles on the floor, with impulses at the corners that touch.
#[test]
fn a_cube_tumbles_on_a_plate() {
    let n = &mut Random::new(62);
    for _ in 0..6 {
        let mut thing = cube(0.5);
        thing.place = Vector3::new(0.0, 0.0, 2.0);
        (thing.rotation, thing.spin) = (n.rotation(), n.offset(6.0));
        thing.velocity = n.offset(1.0);
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

/// Setting the current motion again gives the same contact, up to rounding.
#[test]
fn the_same_motion_set_again() {
    for seed in 500..540 {
        let things = scene(&mut Random::new(seed), 2);
        let Some(expected) = engine(&things).next_contact(HORIZON).unwrap() else {
            continue;
        };
        if expected.late == f64::INFINITY || expected.early == 0.0 {
            continue;
        }
        let mut engine = engine(&things);
        for k in 1..8 {
            engine.next_contact(HORIZON).unwrap();
            engine.advance(expected.early * f64::from(k) / 8.0).unwrap();
            for body in [k as usize % 2, 0, 1] {
                engine
                    .set_motion(body, engine.motion(body).unwrap())
                    .unwrap();
            }
        }
        let other = engine
            .next_contact(HORIZON)
            .unwrap()
            .expect("the same contact");
        let off = (other.early - expected.early).abs();
        assert!(off < 1e-11, "scene {seed}: {off} {other:?} {expected:?}");
    }
}
