//! Tests of the first meetings of balls against an exact oracle.

mod cases;
mod oracle;

use cases::{ball, case, random};
use num_bigint::Sign;
use oracle::{Oracle, whole};
use tangere::Error;
use tangere::impact::trajectory::{
    ContactStatus, Meeting, MovingBall, first_meeting, first_meeting_within, first_meetings,
    first_meetings_within, next_collision, next_collisions,
};
use test_support::Random;
use test_support::vectors::{plus, times};

#[test]
fn meetings_agree_with_the_oracle() {
    let mut n = Random::new(1);
    let mut counts = [0; 3];
    for i in 0..6000 {
        let pair = case(&mut n);
        let found = first_meeting(&pair[0], &pair[1]);
        Oracle::of(&pair[0], &pair[1]).check(found, &(i, pair));
        counts[if found == Meeting::NOW {
            2
        } else {
            found.status as usize
        }] += 1;
    }
    assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
}

/// The sign of `d·v`: whether two balls approach.
fn rate(a: &MovingBall, b: &MovingBall) -> Sign {
    let (c, v) = ((a.center(), b.center()), (a.velocity(), b.velocity()));
    let term = |k: usize| (whole(c.1[k]) - whole(c.0[k])) * (whole(v.1[k]) - whole(v.0[k]));
    (term(0) + term(1) + term(2)).sign()
}

#[test]
fn hard_spheres_collide_only_if_they_approach() {
    let mut n = Random::new(2);
    let mut touching = [0; 2];
    for i in 0..12000 {
        let [a, b] = case(&mut n);
        if a.acceleration() != b.acceleration() {
            let Err(Error::Argument { what, .. }) = next_collision(&a, &b) else {
                panic!("accelerations differ: {a:?} {b:?}");
            };
            assert_eq!(what, tangere::Argument::Acceleration);
            continue;
        }
        let found = next_collision(&a, &b).unwrap();
        let is_approaching = rate(&a, &b) == Sign::Minus;
        match is_approaching {
            true => Oracle::of(&a, &b).check(found, &(i, a, b)),
            false => assert_eq!(found, Meeting::NEVER, "{a:?} {b:?}"),
        }
        touching[usize::from(is_approaching)] += usize::from(first_meeting(&a, &b).early == 0.0);
    }
    assert!(touching.iter().all(|&count| count > 50), "{touching:?}");
}

/// Spheres of diameter 0.1 in the unit box, simulated from one collision to the next.
#[test]
fn a_gas_of_hard_spheres_keeps_its_energy_and_its_distances() {
    const RADIUS: f64 = 0.05;
    let mut n = Random::new(8);
    let mut spheres: Vec<([f64; 3], [f64; 3])> = (0..27)
        .map(|i| {
            let place = [i % 3, i / 3 % 3, i / 9].map(|k| 0.2 + 0.3 * k as f64);
            (place, n.vector(1.0))
        })
        .collect();
    let energy = |spheres: &[([f64; 3], [f64; 3])]| -> f64 {
        spheres.iter().flat_map(|s| s.1).map(|v| v * v).sum()
    };
    let before = energy(&spheres);
    let (mut collisions, mut elapsed) = (0, 0.0);
    while collisions < 500 {
        let balls: Vec<MovingBall> = spheres
            .iter()
            .map(|&(x, v)| ball(x, v, [0.0, 0.0, 0.0], RADIUS))
            .collect();
        // Walls: a sphere beyond one that moves on outward is at it now.
        let (mut first, mut what) = (f64::INFINITY, [0, 0, 0]);
        for (i, (x, v)) in spheres.iter().enumerate() {
            for k in 0..3 {
                let wall = if v[k] > 0.0 { 1.0 - RADIUS } else { RADIUS };
                let t = ((wall - x[k]) / v[k]).max(0.0);
                if t < first {
                    (first, what) = (t, [i, i, k]);
                }
            }
            for j in 0..i {
                let t = next_collision(&balls[j], &balls[i]).unwrap().early;
                if t < first {
                    (first, what) = (t, [j, i, 0]);
                }
            }
        }
        for (x, v) in &mut spheres {
            *x = plus(*x, times(*v, first));
        }
        elapsed += first;
        let [i, j, k] = what;
        if i == j {
            spheres[i].1[k] = -spheres[i].1[k];
            continue;
        }
        collisions += 1;
        let d = [0, 1, 2].map(|k| spheres[j].0[k] - spheres[i].0[k]);
        let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| a[k] * b[k]).sum::<f64>();
        let gap = dot(d, d).sqrt() / (2.0 * RADIUS) - 1.0;
        assert!(
            gap.abs() < 1e-12,
            "collision {collisions} at {elapsed}: {gap:e} of a diameter"
        );
        let v = [0, 1, 2].map(|k| spheres[j].1[k] - spheres[i].1[k]);
        let push = times(d, dot(d, v) / dot(d, d));
        spheres[i].1 = plus(spheres[i].1, push);
        spheres[j].1 = plus(spheres[j].1, times(push, -1.0));
    }
    assert!(elapsed > 1.0);
    assert!((energy(&spheres) / before - 1.0).abs() < 1e-12);
}

#[test]
fn a_horizon_ends_where_it_says() {
    let mut n = Random::new(3);
    let mut counts = [0; 2];
    for _ in 0..4000 {
        let [a, b] = case(&mut n);
        let found = first_meeting(&a, &b);
        let whole = first_meeting_within(&a, &b, f64::INFINITY).unwrap();
        assert_eq!(whole, found);
        if !found.is_contact() || found.late == f64::INFINITY {
            continue;
        }
        let oracle = Oracle::of(&a, &b);
        let middle = found.early + 0.5 * (found.late - found.early);
        for horizon in [found.early, middle, found.late, 2.0 * found.late, 0.0] {
            let within = first_meeting_within(&a, &b, horizon).unwrap();
            let has_met = oracle.sign(0.0) != Sign::Plus
                || horizon > 0.0
                    && (oracle.sign(horizon) != Sign::Plus || oracle.zeros(horizon) > 0);
            assert_eq!(within.is_contact(), has_met, "{horizon} {a:?} {b:?}");
            if has_met {
                assert_eq!(
                    (within.early, within.late),
                    (found.early, found.late.min(horizon))
                );
            } else {
                assert_eq!(within, Meeting::NEVER);
            }
            counts[usize::from(has_met)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
    let [a, b] = random(&mut n);
    for bad in [f64::NAN, -1.0, f64::NEG_INFINITY] {
        let error = first_meeting_within(&a, &b, bad).unwrap_err().to_string();
        assert!(
            error.contains("horizon") && error.contains(&bad.to_string()),
            "{error}"
        );
    }
}

#[test]
fn known_times() {
    let still = |center, radius| ball(center, [0.0; 3], [0.0; 3], radius);
    // Dropped from 5 above the point of contact at 10: one second.
    let falling = ball([0.0, 0.0, 7.0], [0.0; 3], [0.0, 0.0, -10.0], 1.0);
    let found = first_meeting(&falling, &still([0.0; 3], 1.0));
    assert!(found.early <= 1.0 && 1.0 <= found.late && found.late - found.early < 1e-14);
    // Thrown up past a ceiling of balls, and back: away first, then it meets what was behind.
    let thrown = ball([0.0, 0.0, 2.0], [0.0, 0.0, 30.0], [0.0, 0.0, -10.0], 0.5);
    let found = first_meeting(&thrown, &still([0.0; 3], 1.5));
    assert_eq!(found, Meeting::NOW);
    let found = first_meeting(&thrown, &still([0.0, 0.0, -0.25], 1.5));
    let expected = 3.0 + (9.0 + 0.05f64).sqrt();
    assert!(
        (found.early - expected).abs() < 1e-14 * expected,
        "{found:?}"
    );
    // Points meet only if they hit.
    let point = |x, v| ball([x, 0.0, 0.0], [v, 0.0, 0.0], [0.0; 3], 0.0);
    let found = first_meeting(&point(0.0, 1.0), &point(3.0, 0.0));
    assert_eq!((found.early, found.late), (3.0, 3.0));
    let aside = ball([3.0, 5e-324, 0.0], [0.0; 3], [0.0; 3], 0.0);
    assert_eq!(first_meeting(&point(0.0, 1.0), &aside), Meeting::NEVER);
    // No motion; the same motion; times beyond the range of floats.
    assert_eq!(
        first_meeting(&still([0.0; 3], 1.0), &still([3.0, 0.0, 0.0], 1.0)),
        Meeting::NEVER
    );
    assert_eq!(
        first_meeting(&point(0.0, 1.0), &point(3.0, 1.0)),
        Meeting::NEVER
    );
    let found = first_meeting(&point(-1e300, 1e-300), &point(1e300, 0.0));
    assert_eq!((found.early, found.late), (f64::MAX, f64::INFINITY));
    assert!(found.is_contact());
    let found = first_meeting(&point(-1e-300, 1e300), &point(1e-300, 0.0));
    assert_eq!((found.early, found.late), (0.0, 5e-324));
}

#[test]
fn numbers_of_all_sizes() {
    let mut n = Random::new(4);
    for i in 0..20 {
        let pair = [(); 2].map(|()| {
            let mut number = || {
                let x = n.signed() * 10f64.powf(307.0 * n.signed());
                if n.below(3) == 0 { 0.0 } else { x }
            };
            let numbers = [(); 3].map(|()| [(); 3].map(|()| number()));
            let radius = number().abs();
            ball(numbers[0], numbers[1], numbers[2], radius)
        });
        let found = first_meeting(&pair[0], &pair[1]);
        Oracle::of(&pair[0], &pair[1]).check(found, &(i, pair));
    }
}

#[test]
fn batches_are_the_same_on_any_number_of_threads() {
    let mut n = Random::new(5);
    let balls: Vec<MovingBall> = (0..3000).flat_map(|_| case(&mut n)).collect();
    let count = balls.len();
    let pairs: Vec<[u32; 2]> = (0..6000)
        .map(|i| match i < 3000 {
            true => [2 * i, 2 * i + 1],
            false => [(); 2].map(|()| n.below(count.min(200)) as u32),
        })
        .collect();
    let bits = |found: &[Meeting]| -> Vec<(u64, u64, ContactStatus)> {
        let one = |m: &Meeting| (m.early.to_bits(), m.late.to_bits(), m.status);
        found.iter().map(one).collect()
    };
    let expected: Vec<Meeting> = pairs
        .iter()
        .map(|&[a, b]| first_meeting(&balls[a as usize], &balls[b as usize]))
        .collect();
    let mut found = vec![Meeting::NOW; 7];
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let answer = || first_meetings(&balls, &pairs, &mut found);
        pool.unwrap().install(answer).unwrap();
        assert_eq!(bits(&found), bits(&expected));
    }
    first_meetings_within(&balls, &pairs, 1.0, &mut found).unwrap();
    let single = |&[a, b]: &[u32; 2]| (balls[a as usize], balls[b as usize]);
    assert!(pairs.iter().map(single).zip(&found).all(|((a, b), m)| {
        let within = first_meeting_within(&a, &b, 1.0).unwrap();
        bits(&[within]) == bits(&[*m])
    }));
    let error = first_meetings_within(&balls, &pairs, -1.0, &mut found).unwrap_err();
    assert_eq!(
        (error.to_string().as_str(), found.len()),
        ("horizon: found -1, expected a number, 0 or more", 0)
    );
    let equal: Vec<[u32; 2]> = pairs
        .iter()
        .copied()
        .filter(|pair| {
            let (a, b) = single(pair);
            a.acceleration() == b.acceleration()
        })
        .collect();
    assert!(equal.len() > 100);
    next_collisions(&balls, &equal, &mut found).unwrap();
    assert!(equal.iter().map(single).zip(&found).all(|((a, b), m)| {
        let next = next_collision(&a, &b).unwrap();
        bits(&[next]) == bits(&[*m])
    }));
    let pulled = [0.0, 1.0].map(|g| ball([g; 3], [0.0; 3], [0.0, 0.0, g], 1.0));
    let error = next_collisions(&pulled, &[[0, 0], [0, 1]], &mut found).unwrap_err();
    assert_eq!(
        error.to_string(),
        "pair 1: found accelerations [0, 0, 0] and [0, 0, 1], expected equal ones"
    );
    let error = next_collisions(&pulled, &[[0, 2]], &mut found).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("indices below the number of balls, 2")
    );
    let error = first_meetings(&balls, &[[0, 1], [2, 6000]], &mut found).unwrap_err();
    assert_eq!(
        error.to_string(),
        "pair 1: found [2, 6000], expected indices below the number of balls, 6000"
    );
    assert!(found.is_empty());
}

#[test]
fn the_order_of_balls_does_not_matter() {
    let mut n = Random::new(6);
    for _ in 0..3000 {
        let [a, b] = case(&mut n);
        let (one, other) = (first_meeting(&a, &b), first_meeting(&b, &a));
        assert_eq!(
            (one.early, one.late),
            (other.early, other.late),
            "{a:?} {b:?}"
        );
    }
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    let zero = [0.0; 3];
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let vector = [0.0, bad, 1.0];
        let results = [
            ("center", MovingBall::new(vector, zero, zero, 1.0)),
            ("velocity", MovingBall::new(zero, vector, zero, 1.0)),
            ("acceleration", MovingBall::new(zero, zero, vector, 1.0)),
            ("radius", MovingBall::new(zero, zero, zero, bad)),
        ];
        for (name, result) in results {
            let error = result.unwrap_err().to_string();
            assert!(
                error.starts_with(name) && error.contains(&bad.to_string()),
                "{error}"
            );
        }
    }
    let error = MovingBall::new(zero, zero, zero, -2.0).unwrap_err();
    let text = "radius: found -2, expected a finite number, 0 or more";
    assert_eq!(error.to_string(), text);
}

#[test]
#[ignore = "a quarter of an hour of one core in release; TANGERE_PAIRS says how many pairs"]
fn many_meetings_are_the_truth() {
    use rayon::prelude::*;
    let pairs = std::env::var("TANGERE_PAIRS").ok();
    let pairs = pairs.map_or(10_000_000, |text| text.parse().unwrap());
    (0..pairs / 1000).into_par_iter().for_each(|seed: u64| {
        let mut n = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 77);
        for i in 0..1000 {
            let pair = case(&mut n);
            let found = first_meeting(&pair[0], &pair[1]);
            Oracle::of(&pair[0], &pair[1]).check(found, &(seed, i, pair));
        }
    });
}
