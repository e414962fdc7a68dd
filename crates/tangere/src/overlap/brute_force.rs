//! Every sphere against every other: the oracle. `O(n m)`.

use super::pair_sums::{Adder, Placed, Sums};
use super::relative_pose::RelativePose;
use crate::shape::Packing;
use crate::stop::Current;
use rayon::prelude::*;

/// Spheres of a in a piece of work.
const CHUNK: usize = 64;

/// The sphere of a.
pub(super) fn placed_a(a: &Packing, relative_pose: &RelativePose, i: usize) -> Placed {
    Placed {
        center: relative_pose.of_a(a.centers()[i]),
        radius: a.radii()[i],
        weight: a.weight(i),
    }
}

/// The sphere of b.
pub(super) fn placed_b(b: &Packing, relative_pose: &RelativePose, j: usize) -> Placed {
    Placed {
        center: relative_pose.of_b(b.centers()[j]),
        radius: b.radii()[j],
        weight: b.weight(j),
    }
}

/// Sums over all pairs that overlap, or over some of them if it is asked to end.
pub(super) fn sums(a: &Packing, b: &Packing, relative_pose: &RelativePose, stop: &Current) -> Sums {
    let chunks: Vec<Sums> = (0..a.len().div_ceil(CHUNK))
        .into_par_iter()
        .map(|c| {
            let mut adder = Adder::new();
            for i in c * CHUNK..((c + 1) * CHUNK).min(a.len()) {
                if stop.is_asked() {
                    break;
                }
                let mine = placed_a(a, relative_pose, i);
                for j in 0..b.len() {
                    let other = placed_b(b, relative_pose, j);
                    if mine.overlaps(&other) {
                        adder.push(&mine, &other);
                    }
                }
            }
            adder.sums()
        })
        .collect();
    let mut all = Sums::default();
    for chunk in &chunks {
        all.add(chunk);
    }
    all
}

/// All pairs that overlap, in order, unless it is asked to end.
pub(super) fn pairs(
    a: &Packing,
    b: &Packing,
    relative_pose: &RelativePose,
    stop: &Current,
    found: &mut Vec<[u32; 2]>,
) {
    for i in 0..a.len() {
        if stop.is_asked() {
            break;
        }
        let mine = placed_a(a, relative_pose, i);
        for j in 0..b.len() {
            if mine.overlaps(&placed_b(b, relative_pose, j)) {
                found.push([i as u32, j as u32]);
            }
        }
    }
}
