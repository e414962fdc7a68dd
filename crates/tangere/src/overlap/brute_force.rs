//! Brute force: tests every sphere of packing `a` against every sphere of packing `b`, `O(n m)` for
//! `n` and `m` spheres. Tests compare the other methods with this one.

use super::pair_sums::{Adder, Placed, Sums};
use super::relative_pose::RelativePose;
use crate::shape::Packing;
use crate::stop::Current;
use rayon::prelude::*;

/// The number of spheres of packing `a` in a chunk of parallel work.
const CHUNK: usize = 64;

/// Returns sphere `i` of `a` for the brute force test, moved into the frame of `b`, with its centre
/// relative to the middle of the box of `b`.
pub(super) fn placed_a(a: &Packing, relative_pose: &RelativePose, i: usize) -> Placed {
    Placed {
        center: relative_pose.of_a(a.centers()[i]),
        radius: a.radii()[i],
        weight: a.weight(i),
    }
}

/// Returns sphere `j` of `b` for the brute force test, with its centre relative to the middle of
/// the box of `b`.
pub(super) fn placed_b(b: &Packing, relative_pose: &RelativePose, j: usize) -> Placed {
    Placed {
        center: relative_pose.of_b(b.centers()[j]),
        radius: b.radii()[j],
        weight: b.weight(j),
    }
}

/// Returns the sums (volume, moment, force and torque) over all overlapping pairs of spheres by
/// brute force, or over some of them if the query is stopped.
pub(super) fn sums(a: &Packing, b: &Packing, relative_pose: &RelativePose, stop: &Current) -> Sums {
    let chunks: Vec<Sums> = (0..a.len().div_ceil(CHUNK))
        .into_par_iter()
        .map(|c| {
            let mut adder = Adder::new();
            for i in c * CHUNK..((c + 1) * CHUNK).min(a.len()) {
                if stop.is_requested() {
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

/// Appends all overlapping pairs of spheres, found by brute force, to `found`, in ascending order;
/// only some of them if the query is stopped.
pub(super) fn pairs(
    a: &Packing,
    b: &Packing,
    relative_pose: &RelativePose,
    stop: &Current,
    found: &mut Vec<[u32; 2]>,
) {
    for i in 0..a.len() {
        if stop.is_requested() {
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
