//! Distance and penetration depth of convex bodies: the tracker against the oracle, its
//! certificates, and its independence of earlier queries and of the order of the bodies.

mod certificates;
mod checks;
mod lin_walk;
mod magnitudes;
mod many_pairs;
mod motions;
mod patches;
mod regressions;
mod scenes;

use checks::{Faults, Pair};
use scenes::Placing;
use tangere::closest::Tracker;
use test_support::Random;

/// Checks all pairs of bodies with a few poses of each placing.
fn check_all(placings: &[Placing], scale: f64, at: [f64; 3], rounds: usize, seed: u64) -> Faults {
    let mut random = Random::new(seed);
    let bodies: Vec<_> = scenes::bodies()
        .into_iter()
        .map(|(name, shape)| (name, scenes::resized(&shape, scale, [0.0; 3])))
        .collect();
    let mut faults = Faults::default();
    for (name_a, a) in &bodies {
        for (name_b, b) in &bodies {
            let mut tracker = Tracker::new();
            for &placing in placings {
                for _ in 0..rounds {
                    let [pose_a, pose_b] = scenes::poses(&mut random, placing, scale, at);
                    let pair = Pair {
                        a,
                        pose_a: &pose_a,
                        b,
                        pose_b: &pose_b,
                    };
                    let fault = pair.fault(&mut tracker, true);
                    faults.add(
                        || format!("{name_a}, {name_b}, {placing:?}, {pose_a} and {pose_b}"),
                        fault,
                    );
                }
            }
        }
    }
    faults
}

#[test]
fn answers_in_any_pose() {
    check_all(
        &[Placing::Anyhow(0.3), Placing::Anyhow(1.5)],
        1.0,
        [0.0; 3],
        2,
        1,
    )
    .expect_none();
}

#[test]
fn answers_on_a_lattice() {
    check_all(&[Placing::Lattice], 1.0, [0.0; 3], 3, 2).expect_none();
}

#[test]
fn answers_near_a_lattice() {
    let little = [1e-3, 1e-6, 1e-9, 1e-12, 1e-15].map(Placing::Nearly);
    check_all(&little, 1.0, [0.0; 3], 1, 3).expect_none();
}

#[test]
fn answers_at_one_place() {
    check_all(&[Placing::Concentric], 1.0, [0.0; 3], 2, 4).expect_none();
}

#[test]
fn answers_of_tiny_bodies() {
    check_all(
        &[Placing::Anyhow(1.5), Placing::Lattice],
        1e-9,
        [0.0; 3],
        1,
        5,
    )
    .expect_none();
}

#[test]
fn answers_of_huge_bodies() {
    check_all(
        &[Placing::Anyhow(1.5), Placing::Lattice],
        1e9,
        [0.0; 3],
        1,
        6,
    )
    .expect_none();
}

#[test]
fn answers_far_away() {
    let at = [1e9, -2e9, 3e9];
    check_all(&[Placing::Anyhow(1.5), Placing::Lattice], 1.0, at, 1, 7).expect_none();
}
