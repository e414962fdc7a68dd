//! Slabs (one-axis k-DOPs) along the mean normal of the triangles below a node.
//!
//! A part of a smooth surface is flat to second order, so it is thin along its normal, whereas an
//! axis-aligned box around it is not. Two parts of surfaces whose boxes overlap are usually apart
//! all the same. Often all boxes of one part then lie on one side of the slab of the other, which
//! is tested for eight boxes at once.

use super::Tree;
use super::motion::Motion;
use super::node::Node;
use super::packed_frame::{down, up};
use crate::geometry::vector::{cross, dot, minus};
use crate::simd::Vector;
use rayon::prelude::*;

/// Maximum number of triangles below a tree node that has a slab. Larger nodes are not flat, and
/// each level of slabs costs a pass over all triangles. With a maximum of 64, searches take 4%
/// longer.
const FLAT: usize = 512;

/// The least number of slabs that one task computes.
const MADE: usize = 256;

/// A slab: all points `x` in the packed coordinates of the tree with `low <= normal . x <= high`.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Slab {
    /// The normal of the slab, a unit vector up to rounding. The zero vector if the slab contains
    /// all points.
    pub normal: [f32; 3],
    pub low: f32,
    pub high: f32,
}

impl Slab {
    /// The slab of a tree node that excludes nothing: it contains all points.
    const ALL: Self = Slab {
        normal: [0.0; 3],
        low: f32::NEG_INFINITY,
        high: f32::INFINITY,
    };
}

/// The slabs around the triangles below each node of a tree, indexed like its nodes.
#[derive(Clone, Debug)]
pub(crate) struct Slabs(pub(super) Vec<Slab>);

impl Tree<3> {
    /// The slabs along mean normals of an AABB tree over triangles, indexed like its nodes.
    /// `triangles` are the corners of each triangle, indexed like the items of the tree.
    pub(crate) fn slabs(&self, triangles: &[[[f64; 3]; 3]]) -> Slabs {
        let (center, scale) = self.unit();
        let slab = |below: &Below| {
            let length = dot(below.normal, below.normal).sqrt();
            if below.last - below.first > FLAT || !below.is_all() || length < f64::MIN_POSITIVE {
                return Slab::ALL;
            }
            let normal = below.normal.map(|x| (x / length) as f32);
            // As stored in f32, so that the slab is measured along the direction that is tested.
            let axis = normal.map(f64::from);
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for &corner in triangles[below.first..below.last].as_flattened() {
                let place = dot(axis, minus(corner, center));
                low = low.min(place);
                high = high.max(place);
            }
            Slab {
                normal,
                low: down((low * scale) as f32),
                high: up((high * scale) as f32),
            }
        };
        let below = self.all_below(triangles, scale);
        Slabs(below.par_iter().with_min_len(MADE).map(slab).collect())
    }

    /// For each tree node, the range of the indices of the triangles below it and the sum of their
    /// normals, from which its slab follows. `triangles` are the corners of each triangle, and
    /// coordinates are multiplied by `scale`.
    fn all_below(&self, triangles: &[[[f64; 3]; 3]], scale: f64) -> Vec<Below> {
        let own = |node: &Node<3>| {
            let mut below = Below::NOTHING;
            for child in &node.children[..node.lanes()] {
                if child.is_item() {
                    let item = child.index() as usize;
                    let [a, b, c] = triangles[item];
                    // Scaled, so that products neither overflow nor vanish.
                    let [u, v] = [b, c].map(|x| minus(x, a).map(|x| x * scale));
                    below.add(&Below {
                        count: 1,
                        first: item,
                        last: item + 1,
                        normal: cross(u, v),
                    });
                }
            }
            below
        };
        let nodes = self.nodes.par_iter().with_min_len(MADE);
        let mut below: Vec<Below> = nodes.map(own).collect();
        // Nodes are stored before their descendants.
        for (i, node) in self.nodes.iter().enumerate().rev() {
            let mut all = below[i];
            for child in &node.children[..node.lanes()] {
                if !child.is_item() {
                    all.add(&below[child.index() as usize]);
                }
            }
            below[i] = all;
        }
        below
    }
}

impl Motion {
    /// The mask of the boxes of a tree node that, after the motion, overlap a slab along a mean
    /// normal.
    ///
    /// A box with centre `c` and half lengths `e` is moved by the matrix `M` and the offset `t`.
    /// With `n` the normal of the slab and `m = M^T n`, the moved centre `M c + t` is at `m . c + n
    /// . t` along `n`, and the box reaches `|m| . e` from there. The position `m . c + n . t` and
    /// the reach `|m| . e` have errors below 16 rounding units of the numbers that enter; the
    /// margin allows for twice that.
    #[inline(always)]
    pub(super) fn meeting_slab<V: Vector>(&self, node: &Node<3>, slab: &Slab) -> u8 {
        let half = V::splat(0.5);
        let (n, t) = (slab.normal, self.offset);
        let place = n[0] * t[0] + n[1] * t[1] + n[2] * t[2];
        let (mut middle, mut radius) = (V::splat(place), V::splat(self.margin_along));
        for j in 0..3 {
            let m = n[0] * self.matrix[0][j] + n[1] * self.matrix[1][j] + n[2] * self.matrix[2][j];
            let (low, high) = (
                V::load(&node.lo[j].0).mul(half),
                V::load(&node.hi[j].0).mul(half),
            );
            middle = low.add(high).mul_add(V::splat(m), middle);
            radius = high.sub(low).mul_add(V::splat(m.abs()), radius);
        }
        let below = middle.sub(radius).at_most(V::splat(slab.high));
        let above = V::splat(slab.low).at_most(middle.add(radius));
        (below & above) as u8
    }
}

/// The triangles below a tree node: their number, the range from their lowest to their highest
/// index, in which there are usually no others, and the sum of their normals.
#[derive(Clone, Copy, Debug)]
struct Below {
    count: usize,
    first: usize,
    last: usize,
    /// The sum of the normals of the triangles below the tree node, in packed units. The length of
    /// each normal is twice the area of its triangle.
    normal: [f64; 3],
}

impl Below {
    const NOTHING: Self = Below {
        count: 0,
        first: usize::MAX,
        last: 0,
        normal: [0.0; 3],
    };

    /// Adds the triangles of `other` to the triangles of a slab, with their normals.
    fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
        for k in 0..3 {
            self.normal[k] += other.normal[k];
        }
    }

    /// Returns whether the indices of the triangles of a slab are contiguous, so that the range of
    /// indices has no others.
    fn is_all(&self) -> bool {
        self.first + self.count == self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn slabs_are_thin_and_hold_what_is_below() {
        let mesh = generate::knot(3000).unwrap();
        let mut tree = Tree::of_mesh(&mesh);
        let numbers = tree.renumbered();
        let triangles: Vec<[[f64; 3]; 3]> = numbers
            .iter()
            .map(|&face| mesh.triangle(face as usize))
            .collect();
        let slabs = tree.slabs(&triangles);
        let (center, scale) = tree.unit();
        let below = tree.all_below(&triangles, scale);
        assert_eq!((below[0].first, below[0].last), (0, triangles.len()));
        let (mut thin, mut flat) = (0, 0);
        for (below, slab) in below.iter().zip(&slabs.0) {
            assert!(below.is_all());
            let axis = slab.normal.map(f64::from);
            let (low, high) = (f64::from(slab.low), f64::from(slab.high));
            let mut widest = 0.0f64;
            for corner in triangles[below.first..below.last].as_flattened() {
                let p = minus(*corner, center).map(|x| x * scale);
                assert!((low..=high).contains(&dot(axis, p)));
                let q = minus(triangles[below.first][0], *corner);
                widest = widest.max(dot(q, q).sqrt() * scale);
            }
            if high < f64::INFINITY {
                flat += 1;
                thin += usize::from(high - low < 0.3 * widest);
            }
        }
        assert!(
            flat > below.len() / 2 && thin > flat / 2,
            "{thin} of {flat}"
        );
        assert!(slabs.0[0].high == f32::INFINITY);
    }
}
