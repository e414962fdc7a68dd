//! `ConvexPairs`: many pairs of convex bodies in parallel have the contacts of single trackers.

use std::sync::Arc;
use test_support::Random;

use tangere::closest::{ConvexPairs, Tracker};
use tangere::contact::Contact;
use tangere::geometry::Pose;

use super::checks::bits;
use super::scenes::{self};

/// Bodies of a few shapes in a box, with their poses.
fn crowd(count: usize) -> (ConvexPairs, Vec<Pose>) {
    let shapes: Vec<_> = scenes::bodies()
        .into_iter()
        .map(|(_, s)| Arc::new(s))
        .collect();
    let mut random = Random::new(11);
    let bodies = (0..count)
        .map(|i| shapes[i % shapes.len()].clone())
        .collect();
    let poses = (0..count)
        .map(|_| scenes::pose([0; 3].map(|_| 4.0 * random.unit()), random.direction()))
        .collect();
    (ConvexPairs::new(bodies), poses)
}

/// Moves and rotates all bodies a little.
fn moved(poses: &mut [Pose], random: &mut Random) {
    for pose in poses {
        let step = scenes::pose(
            random.direction::<3>().map(|x| 0.01 * x),
            scenes::nudge(random, 0.01),
        );
        let numbers = pose
            .compose(&scenes::pose([0.0; 3], [1.0, 0.0, 0.0, 0.0]))
            .to_numbers();
        let turned = step.compose(pose).to_numbers();
        let t = std::array::from_fn(|k| numbers[k] + step.translation()[k]);
        *pose = scenes::pose(t, [turned[3], turned[4], turned[5], turned[6]]);
    }
}

/// The pairs of a step: not sorted, and different at every step.
fn listed(count: u32, step: usize) -> Vec<[u32; 2]> {
    let mut random = Random::new(step as u64 / 3);
    let mut pairs: Vec<[u32; 2]> = (0..400)
        .map(|_| [0; 2].map(|_| random.below(count as usize) as u32))
        .filter(|[a, b]| a != b)
        .collect();
    if step % 2 == 1 {
        pairs.sort_unstable();
        pairs.truncate(300);
    }
    pairs
}

#[test]
fn a_batch_equals_single_queries_on_any_number_of_threads() {
    let runs = [1, 2, 3, 4, 8].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let (mut pairs, mut poses) = crowd(60);
            let mut random = Random::new(12);
            let (mut out, mut all) = (Vec::new(), Vec::new());
            for step in 0..8 {
                moved(&mut poses, &mut random);
                let list = listed(60, step);
                pairs.contacts(&poses, &list, &mut out).unwrap();
                assert_eq!(out.len(), list.len());
                if threads == 1 {
                    for (contact, pair) in out.iter().zip(&list) {
                        let [a, b] = pair.map(|body| body as usize);
                        let shapes = pairs.shapes();
                        let single =
                            Tracker::new().contact(&shapes[a], &poses[a], &shapes[b], &poses[b]);
                        assert_eq!(bits(contact), bits(&single), "step {step}, {pair:?}");
                    }
                }
                all.extend(out.iter().map(|c: &Contact| (bits(c), c.steps)));
            }
            assert_eq!(pairs.counts().queries, all.len() as u64);
            (all, pairs.counts())
        })
    });
    for run in &runs[1..] {
        assert!(*run == runs[0]);
    }
}

#[test]
fn pairs_keep_their_trackers_when_the_list_changes() {
    let (mut pairs, poses) = crowd(30);
    let mut out = Vec::new();
    let all: Vec<[u32; 2]> = (0..30)
        .flat_map(|a| (a + 1..30).map(move |b| [a, b]))
        .collect();
    pairs.contacts(&poses, &all, &mut out).unwrap();
    let known = out.clone();
    // The tracker of a known pair starts with the closest features; another one does so only by
    // chance.
    let fewer: Vec<[u32; 2]> = all.iter().rev().step_by(2).copied().collect();
    pairs.reset_counts();
    pairs.contacts(&poses, &fewer, &mut out).unwrap();
    for (k, contact) in out.iter().enumerate() {
        assert_eq!(bits(contact), bits(&known[all.len() - 1 - 2 * k]));
    }
    let counts = pairs.counts();
    assert_eq!(counts.queries, fewer.len() as u64);
    assert!(
        counts.steps[0] as usize > fewer.len() * 9 / 10,
        "{counts:?}"
    );
}

#[test]
fn invalid_pairs_are_reported() {
    let (mut pairs, poses) = crowd(3);
    let mut out = Vec::new();
    let mut error = |poses: &[Pose], list: &[[u32; 2]]| {
        let error = pairs
            .contacts(poses, list, &mut out)
            .unwrap_err()
            .to_string();
        assert!(out.is_empty());
        error
    };
    assert_eq!(
        error(&poses, &[[0, 1], [1, 3]]),
        "pair 1: found [1, 3], expected two different bodies, below 3"
    );
    assert_eq!(
        error(&poses, &[[2, 2]]),
        "pair 0: found [2, 2], expected two different bodies, below 3"
    );
    assert_eq!(
        error(&poses[..2], &[]),
        "poses: found 2 poses, expected one for each of the 3 bodies"
    );
    let mut out = vec![];
    pairs.contacts(&poses, &[], &mut out).unwrap();
    assert!(out.is_empty());
    ConvexPairs::default().contacts(&[], &[], &mut out).unwrap();
}
