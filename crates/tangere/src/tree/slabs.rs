//! Slabs around what is below a node: how far it reaches along its mean normal.
//!
//! A part of a smooth surface is flat to second order, so that along its normal it is thin, but no
//! box along other axes is. Two parts whose boxes meet are apart more often than not, one of them on one
//! side of the other: a slab tells, for eight boxes at once.

use super::Tree;
use super::frame::{down, up};
use super::node::WIDTH;
use crate::geometry::vector::{cross, dot, minus};
use rayon::prelude::*;

/// Nodes with more triangles below them have no slab: they are not flat, and each level costs a
/// look at all triangles when slabs are made.
const FLAT: usize = 64;

/// Slabs that one thread makes in a row.
const MADE: usize = 256;

/// All points `x` in the coordinates of the tree with `low <= normal . x <= high`.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Slab {
    /// Any vector: its length is of no matter.
    pub normal: [f32; 3],
    pub low: f32,
    pub high: f32,
}

impl Slab {
    /// All of space.
    const ALL: Self = Slab {
        normal: [0.0; 3],
        low: f32::NEG_INFINITY,
        high: f32::INFINITY,
    };
}

/// A slab for each node of a tree.
#[derive(Clone, Debug)]
pub(crate) struct Slabs(pub(super) Vec<Slab>);

impl Tree<3> {
    /// The slabs of a tree over triangles, numbered in the order of its nodes.
    pub(crate) fn slabs(&self, triangles: &[[[f64; 3]; 3]]) -> Slabs {
        let ranges = self.ranges();
        let (center, scale) = self.unit();
        let slab = |&(first, last): &(u32, u32)| {
            let (first, last) = (first as usize, last as usize);
            if last - first > FLAT {
                return Slab::ALL;
            }
            let own = || {
                triangles[first..last]
                    .iter()
                    .map(|t| t.map(|c| minus(c, center).map(|x| x * scale)))
            };
            let mut sum = [0.0; 3];
            for [a, b, c] in own() {
                let n = cross(minus(b, a), minus(c, a));
                for k in 0..3 {
                    sum[k] += n[k];
                }
            }
            let length = dot(sum, sum).sqrt();
            if length < f64::MIN_POSITIVE {
                return Slab::ALL;
            }
            let normal = sum.map(|x| (x / length) as f32);
            // As it is stored, so that what it measures is what is tested.
            let axis = normal.map(f64::from);
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for corner in own().flatten() {
                let place = dot(axis, corner);
                low = low.min(place);
                high = high.max(place);
            }
            Slab {
                normal,
                low: down(low as f32),
                high: up(high as f32),
            }
        };
        Slabs(ranges.par_iter().with_min_len(MADE).map(slab).collect())
    }

    /// The items below each node, if they have the numbers from one to another; else all.
    fn ranges(&self) -> Vec<(u32, u32)> {
        // Counts, least and one above the greatest; nodes lie before those below them.
        let mut below = vec![(0u32, u32::MAX, 0u32); self.nodes.len()];
        for i in (0..self.nodes.len()).rev() {
            let node = &self.nodes[i];
            let mut all = (0, u32::MAX, 0);
            for child in &node.children[..node.lanes().min(WIDTH)] {
                let index = child.index();
                let (count, first, last) = match child.is_item() {
                    true => (1, index, index + 1),
                    false => below[index as usize],
                };
                all = (all.0 + count, all.1.min(first), all.2.max(last));
            }
            below[i] = all;
        }
        let range = |&(count, first, last): &(u32, u32, u32)| match last.saturating_sub(first) {
            all if all == count => (first, last),
            _ => (0, self.len as u32),
        };
        below.iter().map(range).collect()
    }
}
