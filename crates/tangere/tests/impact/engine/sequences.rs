//! Random sequences of kicks (changes of motion), queries and ignored pairs: between kicks no
//! contact is missed, late or invented.

use super::bodies::{Spatial, Thing, scene};
use super::oracle::{distance, first_common};
use nalgebra::{UnitQuaternion, Vector3};
use tangere::impact::{Certificate, EngineSettings, ImpactEngine};
use test_support::Random;

/// A body with its motion a time later.
fn later(thing: &Thing, time: f64) -> Thing {
    let turn = UnitQuaternion::from_scaled_axis(thing.spin * time) * thing.rotation;
    let center = thing.rotation * thing.center + thing.place;
    let center = center + thing.velocity * time + thing.acceleration * (0.5 * time * time);
    Thing {
        rotation: turn,
        place: center - turn * thing.center,
        velocity: thing.velocity + thing.acceleration * time,
        ..thing.clone()
    }
}

/// Three to six bodies get random kicks, also when they have just touched.
pub fn check_sequence(seed: u64) -> usize {
    let n = &mut Random::new(seed);
    let count = 2 + n.below(4);
    let mut things = scene(n, count);
    let bodies = things.iter().map(Thing::body).collect();
    let mut engine = ImpactEngine::with_bodies(bodies, &EngineSettings::default()).expect("sound");
    let mut ignored = vec![vec![false; count]; count];
    let mut contacts = 0;
    for _ in 0..12 {
        let now = engine.time();
        let window = n.between(0.02, 0.5);
        // An earlier query does not change the result.
        for _ in 0..n.below(3) {
            engine
                .next_contact(now + n.between(0.0, window))
                .expect("sound");
        }
        let found = engine.next_contact(now + window).expect("sound");
        let size = things.iter().map(|t| t.place.amax() + t.extent().1);
        let tiny = 1e-9 * size.fold(0.0, f64::max);
        let until = found
            .as_ref()
            .map_or(window, |f| (f.early - now) * (1.0 - 1e-12));
        for b in 0..count {
            for a in 0..b {
                // A pair that touches now may separate, which stepping does not detect.
                if ignored[a][b] || distance(&things[a], &things[b], 0.0) <= tiny {
                    continue;
                }
                let first = first_common(&things[a], &things[b], 0.0, [0.0, until], 1e-6 * window);
                assert_eq!(first, None, "{a} {b} late: {found:?} from {now}");
            }
        }
        if let Some(impact) = &found {
            contacts += 1;
            let before = ignored.clone();
            for c in &impact.contacts {
                let [a, b] = [c.a as usize, c.b as usize];
                assert!(!before[a][b]);
                let apart = distance(&things[a], &things[b], c.early - now);
                assert!(apart <= tiny, "invented: {apart} {c:?}");
                if c.certificate == Certificate::Overlap {
                    assert_eq!(c.early, now);
                    engine.ignore(b, a).expect("sound");
                    ignored[a][b] = true;
                }
            }
        }
        // Advance to the contact, to the end, or between.
        let to = match (&found, n.below(4)) {
            (Some(impact), 0..3) => impact.early,
            (Some(impact), _) => now + (impact.early - now) * n.between(0.0, 1.0),
            (None, _) => now + window * n.between(0.0, 1.0),
        };
        engine.advance(to).expect("sound");
        things = things.iter().map(|t| later(t, to - now)).collect();
        let at_contact = found.filter(|f| f.early == to);
        for body in 0..count {
            let hits = |c: &&tangere::impact::ImpactContact| [c.a, c.b].contains(&(body as u32));
            let hit = at_contact.iter().flat_map(|f| &f.contacts).find(hits);
            if let Some(c) = hit {
                // It bounces off the contact.
                let normal = Vector3::from(c.normal);
                let away = if c.a as usize == body {
                    -normal
                } else {
                    normal
                };
                let speed = things[body].velocity.norm() + tiny;
                things[body].velocity = away * speed + n.offset(0.2 * speed);
                things[body].spin *= 0.1;
            } else if !n.chance(1, 4) {
                continue;
            } else {
                let speed = things[body].velocity.norm();
                things[body].velocity += n.offset(speed);
                things[body].spin += n.offset(1.0);
            }
            engine
                .set_motion(body, things[body].motion())
                .expect("sound");
        }
    }
    contacts.min(5)
}

#[test]
fn bodies_that_are_kicked() {
    for seed in 0..20 {
        check_sequence(seed);
    }
}
