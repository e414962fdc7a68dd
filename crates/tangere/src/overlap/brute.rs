//! Every sphere against every other: the oracle. `O(n m)`.

use super::moved::Motion;
use super::sum::{Adder, Placed, Sums};
use crate::shape::Packing;
use rayon::prelude::*;

/// Spheres of a in a piece of work.
const CHUNK: usize = 64;

/// The sphere of a.
pub(super) fn placed_a(a: &Packing, motion: &Motion, i: usize) -> Placed {
    Placed {
        center: motion.of_a(a.centers()[i]),
        radius: a.radii()[i],
        weight: a.weight(i),
    }
}

/// The sphere of b.
pub(super) fn placed_b(b: &Packing, motion: &Motion, j: usize) -> Placed {
    Placed {
        center: motion.of_b(b.centers()[j]),
        radius: b.radii()[j],
        weight: b.weight(j),
    }
}

/// Sums over all pairs that overlap.
pub(super) fn sums(a: &Packing, b: &Packing, motion: &Motion) -> Sums {
    let chunks: Vec<Sums> = (0..a.len().div_ceil(CHUNK))
        .into_par_iter()
        .map(|c| {
            let mut adder = Adder::new();
            for i in c * CHUNK..((c + 1) * CHUNK).min(a.len()) {
                let mine = placed_a(a, motion, i);
                for j in 0..b.len() {
                    let other = placed_b(b, motion, j);
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

/// All pairs that overlap, in order.
pub(super) fn pairs(a: &Packing, b: &Packing, motion: &Motion, found: &mut Vec<[u32; 2]>) {
    for i in 0..a.len() {
        let mine = placed_a(a, motion, i);
        for j in 0..b.len() {
            if mine.overlaps(&placed_b(b, motion, j)) {
                found.push([i as u32, j as u32]);
            }
        }
    }
}
