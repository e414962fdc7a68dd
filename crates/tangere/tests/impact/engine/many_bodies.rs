//! Tests of the broad phase: the first contact of many bodies is the earliest of all pairs, for any
//! windows of time.

use super::bodies::{Spatial, Thing, cube};
use nalgebra::Vector3;
use tangere::generate;
use tangere::impact::hierarchy::HierarchySettings;
use tangere::impact::trajectory::{MovingBall, first_meeting};
use tangere::impact::{Body, BodyShape, Certificate, EngineSettings, Impact, ImpactEngine};
use test_support::Random;

/// Many bodies of the same shape.
fn bodies(things: &[Thing]) -> Vec<Body> {
    let hull = things.iter().find(|t| t.radius == 0.0);
    let hull = hull.map(|t| t.shape(&HierarchySettings::default()));
    let shape = |t: &Thing| match t.radius > 0.0 {
        true => BodyShape::ball(t.radius).expect("sound"),
        false => hull.clone().expect("sound"),
    };
    things
        .iter()
        .map(|t| Body::new(shape(t), t.motion()))
        .collect()
}

fn engine(things: &[Thing]) -> ImpactEngine {
    ImpactEngine::with_bodies(bodies(things), &EngineSettings::default()).expect("sound")
}

/// Bodies in the cells of a lattice, so that they do not overlap.
fn spread(
    n: &mut Random,
    count: usize,
    cell: f64,
    shape: impl Fn(&mut Random) -> Thing,
) -> Vec<Thing> {
    let side = (count as f64).cbrt().ceil() as usize;
    (0..count)
        .map(|i| {
            let mut thing = shape(n);
            let place = [i % side, i / side % side, i / side / side];
            thing.place = Vector3::from(place.map(|k| cell * k as f64)) + n.offset(0.1 * cell);
            thing.velocity = n.offset(1.0);
            thing
        })
        .collect()
}

/// Bounds of the least time of impact over all pairs of balls.
fn first_of_balls(things: &[Thing]) -> [f64; 2] {
    let ball = |t: &Thing| {
        let (p, v, a) = (t.place.into(), t.velocity.into(), t.acceleration.into());
        MovingBall::new(p, v, a, t.radius).expect("sound")
    };
    let balls: Vec<MovingBall> = things.iter().map(ball).collect();
    let mut first = [f64::INFINITY; 2];
    for (i, a) in balls.iter().enumerate() {
        for b in &balls[..i] {
            let found = first_meeting(b, a);
            first = [first[0].min(found.early), first[1].min(found.late)];
        }
    }
    first
}

fn check_balls(things: &[Thing], horizon: f64) -> Option<Impact> {
    let mut engine = engine(things);
    let found = engine.next_contact(horizon).expect("sound");
    let [early, late] = first_of_balls(things);
    match &found {
        None => assert!(late > horizon || late == f64::INFINITY, "missed: {early}"),
        Some(impact) => {
            assert_eq!(impact.certificate, Certificate::Exact);
            let tiny = 1e-15 * late;
            assert!(
                impact.early <= late && early <= impact.late + tiny,
                "{impact:?} {early} {late}"
            );
            assert!(impact.late - impact.early <= 1e-12 * late);
        }
    }
    found
}

#[test]
fn balls_in_a_box() {
    let n = &mut Random::new(41);
    for (count, cell) in [(33, 1.0), (100, 3.0), (400, 1.0), (1000, 8.0), (3000, 2.0)] {
        let mut things = spread(n, count, cell, |n| Thing::ball(n.between(0.05, 0.35)));
        assert!(check_balls(&things, 1e3).is_some());
        // Under gravity, and some that fall faster.
        for thing in &mut things {
            thing.acceleration = Vector3::new(0.0, 0.0, -9.81);
            if n.chance(1, 20) {
                thing.acceleration *= 1.5;
            }
        }
        assert!(check_balls(&things, 1e3).is_some());
    }
}

/// From one contact to the next no contact is lost when windows of time end or motions change.
#[test]
fn balls_that_bounce() {
    let n = &mut Random::new(42);
    let mut things = spread(n, 200, 1.0, |n| Thing::ball(n.between(0.1, 0.3)));
    let mut engine = engine(&things);
    let mut now = 0.0;
    for _ in 0..60 {
        let Some(impact) = engine.next_contact(50.0).unwrap() else {
            break;
        };
        let [early, late] = first_of_balls(&things);
        assert!(
            (impact.early - now - early).abs() <= 1e-9,
            "{impact:?} {early} {late}"
        );
        engine.advance(impact.early).unwrap();
        let elapsed = impact.early - now;
        now = impact.early;
        for contact in &impact.contacts {
            // Equal masses exchange their normal velocities.
            let [a, b] = [contact.a as usize, contact.b as usize];
            let normal = Vector3::from(contact.normal);
            let rate = normal.dot(&(things[b].velocity - things[a].velocity));
            assert!(rate < 0.0, "{contact:?}");
            things[a].velocity += normal * rate;
            things[b].velocity -= normal * rate;
            for i in [a, b] {
                let current = engine.motion(i).unwrap();
                let velocity = things[i].velocity.into();
                let motion =
                    tangere::impact::RigidMotion::new(current.pose(), velocity, [0.0; 3], [0.0; 3]);
                engine.set_motion(i, motion.unwrap()).unwrap();
            }
        }
        let involved: Vec<u32> = impact.contacts.iter().flat_map(|c| [c.a, c.b]).collect();
        for (i, thing) in things.iter_mut().enumerate() {
            if !involved.contains(&(i as u32)) {
                thing.place += thing.velocity * elapsed;
            } else {
                thing.place = Vector3::from(engine.motion(i).unwrap().pose().translation());
            }
        }
        // A pair that has just touched separates; the oracle skips it until then.
        for contact in &impact.contacts {
            let [a, b] = [contact.a as usize, contact.b as usize];
            let away = things[b].place - things[a].place;
            let touching = things[a].radius + things[b].radius;
            assert!((away.norm() - touching).abs() < 1e-12);
            things[b].place = things[a].place + away.normalize() * (touching + 1e-12);
        }
    }
    assert!(now > 0.1);
}

#[test]
fn small_hulls_equal_the_least_of_all_pairs() {
    let n = &mut Random::new(43);
    for (count, cell) in [(40, 2.6), (120, 3.0)] {
        let hull = Thing::of_mesh(&generate::hull(12, 5).unwrap());
        let mut things = spread(n, count, cell, |_| hull.clone());
        for thing in &mut things {
            (thing.rotation, thing.spin) = (n.rotation(), n.offset(3.0));
        }
        let all = bodies(&things);
        let found = engine(&things)
            .next_contact(20.0)
            .unwrap()
            .expect("crowded");
        let mut first = f64::INFINITY;
        for b in 0..count {
            for a in 0..b {
                let pair = vec![all[a].clone(), all[b].clone()];
                let mut two = ImpactEngine::with_bodies(pair, &EngineSettings::default()).unwrap();
                if let Some(impact) = two.next_contact(20.0_f64.min(first)).unwrap() {
                    first = first.min(impact.early);
                }
            }
        }
        assert_eq!(found.early, first);
    }
}

#[test]
fn one_fast_body_among_many_at_rest() {
    let n = &mut Random::new(44);
    let mut things = spread(n, 1000, 2.0, |_| Thing::ball(0.3));
    things
        .iter_mut()
        .for_each(|t| t.velocity = Vector3::zeros());
    let mut shot = Thing::ball(0.01);
    shot.place = Vector3::new(-500.0, 8.1, 8.2);
    shot.velocity = Vector3::new(900.0, 0.3, 0.2);
    things.push(shot);
    for horizon in [10.0, 1e6, 1e300, f64::INFINITY] {
        assert!(check_balls(&things, horizon).is_some());
    }
    assert!(check_balls(&things, 0.1).is_none());
    // In the other direction there is nothing, ever.
    things[1000].velocity = Vector3::new(-900.0, 0.0, 0.0);
    for horizon in [10.0, 1e6, 1e300, f64::INFINITY] {
        assert!(check_balls(&things, horizon).is_none());
    }
}

#[test]
fn one_slow_body_among_many_that_fly_apart() {
    let n = &mut Random::new(45);
    let mut things = spread(n, 500, 2.0, |_| Thing::ball(0.3));
    let middle = Vector3::repeat(8.0);
    things
        .iter_mut()
        .for_each(|t| t.velocity = (t.place - middle) * 10.0);
    for (x, v) in [(-1e4, 1e-3), (-1.1e4, 2e-3)] {
        let mut slow = Thing::ball(0.5);
        (slow.place, slow.velocity) = (Vector3::new(x, 3.0, 1e5), Vector3::new(v, 0.0, 0.0));
        things.push(slow);
    }
    for horizon in [1e5, 1e9, f64::INFINITY] {
        assert_eq!(check_balls(&things, horizon).is_some(), horizon > 1e6);
    }
}

#[test]
fn bodies_at_rest() {
    let n = &mut Random::new(46);
    let mut things = spread(n, 500, 2.0, |_| Thing::ball(0.3));
    things
        .iter_mut()
        .for_each(|t| t.velocity = Vector3::zeros());
    for horizon in [0.0, 10.0, f64::INFINITY] {
        assert_eq!(engine(&things).next_contact(horizon).unwrap(), None);
    }
    // Rotating in place touches nothing either.
    things
        .iter_mut()
        .for_each(|t| t.spin = Vector3::new(1.0, 2.0, 3.0));
    assert_eq!(engine(&things).next_contact(f64::INFINITY).unwrap(), None);
}

/// Eighty balls at one point, at rest or not.
#[test]
fn crowds_that_overlap() {
    let n = &mut Random::new(47);
    for speed in [0.0, 1.0] {
        for horizon in [0.0, 1.0, 1e10, f64::INFINITY] {
            let mut things = spread(n, 80, 0.01, |_| Thing::ball(0.3));
            things.iter_mut().for_each(|t| t.velocity *= speed);
            let mut engine = engine(&things);
            let impact = engine.next_contact(horizon).unwrap().unwrap();
            assert_eq!(
                (impact.certificate, impact.early),
                (Certificate::Overlap, 0.0)
            );
            assert_eq!(impact.contacts.len(), 80 * 79 / 2);
            for b in 0..80 {
                (0..b).for_each(|a| engine.ignore(a, b).unwrap());
            }
            assert_eq!(engine.next_contact(horizon).unwrap(), None);
        }
    }
}

#[test]
fn costs_are_not_quadratic() {
    let n = &mut Random::new(48);
    for count in [500, 1000, 3000] {
        // Some free paths: balls of radius 0.1, 4 apart.
        let things = spread(n, count, 4.0, |_| Thing::ball(0.1));
        let mut engine = engine(&things);
        let impact = engine.next_contact(100.0).unwrap();
        assert!(impact.is_some());
        let counts = engine.counts();
        assert!(
            counts.trajectory <= 40 * count as u64,
            "{count}: {counts:?}"
        );
        assert!(counts.primitive <= 10 * count as u64, "{count}: {counts:?}");
    }
}

/// A query after a long advance without queries.
#[test]
fn windows_after_a_long_pause() {
    let n = &mut Random::new(49);
    let mut things = spread(n, 64, 3.0, |_| Thing::ball(0.2));
    let mut last = engine(&things);
    last.next_contact(0.001).unwrap();
    last.advance(1e6).unwrap();
    assert_eq!(last.next_contact(1.1e6).unwrap(), None);
    // Two meet late, when all others are gone.
    for (x, v) in [(-5e6, 1.0), (5e6, -1.0)] {
        let mut thing = Thing::ball(0.5);
        (thing.place, thing.velocity) = (Vector3::new(x, 1e7, 0.0), Vector3::new(v, 0.0, 0.0));
        things.push(thing);
    }
    let mut last = engine(&things);
    last.next_contact(0.001).unwrap();
    last.advance(4e6).unwrap();
    let impact = last.next_contact(6e6).unwrap().unwrap();
    assert!((impact.early - 4_999_999.5).abs() < 1e-5);
}

/// Bodies that fly, fall or rest together have no relative motion.
#[test]
fn bodies_that_move_together() {
    let n = &mut Random::new(50);
    let mut things = spread(n, 300, 1.0, |_| Thing::ball(0.3));
    for thing in &mut things {
        thing.velocity = Vector3::new(1.0, -2.0, 0.5) * 1e3;
        thing.acceleration = Vector3::new(0.0, 0.0, -9.81);
    }
    for horizon in [1.0, 1e10, f64::INFINITY] {
        let mut engine = engine(&things);
        assert_eq!(engine.next_contact(horizon).unwrap(), None);
        assert!(engine.counts().trajectory < 3000, "{:?}", engine.counts());
    }
    // One of them is slower, by little.
    things[137].velocity.x += 1e-6;
    for horizon in [1.0, 1e10, f64::INFINITY] {
        assert_eq!(check_balls(&things, horizon).is_some(), horizon > 1.0);
    }
}

/// A dispersing gas of bodies, searched for all time.
#[test]
fn bodies_that_fly_apart_for_ever() {
    let n = &mut Random::new(51);
    for gravity in [0.0, 9.81] {
        let mut things = spread(n, 100, 50.0, |_| Thing::ball(0.01));
        things.iter_mut().for_each(|t| t.acceleration.z = -gravity);
        let first = check_balls(&things, f64::INFINITY);
        assert_eq!(first, None, "at random they hardly meet");
    }
}

/// Any number of bodies at rest stays free for all time.
#[test]
fn many_bodies_at_rest_cost_nothing() {
    for count in [20, 33, 200] {
        let things: Vec<Thing> = (0..count)
            .map(|i| {
                let mut thing = cube(0.5);
                thing.place.x = 3.0 * f64::from(i);
                thing
            })
            .collect();
        let mut engine = super::invalid_input::engine(&things);
        for horizon in [0.0, 0.5, 1e9] {
            assert_eq!(engine.next_contact(horizon).unwrap(), None);
            assert_eq!(engine.next_time(), f64::INFINITY);
        }
    }
}
