//! OBB lanes: a node of an OBB tree, with eight oriented bounding boxes in lanes.
//!
//! A part of a smooth surface has a thin OBB. So if a point is far from the surface compared to the
//! size of the boxes, few boxes are as near to the point as the surface is.

use super::obb::Obb;
use crate::simd::{Lanes, Vector};
use crate::tree::STACK;

/// The stack of a tree search: the nodes and packets that remain to be visited, each after its key,
/// which is less for nearer boxes. Searches reuse it one after the other.
pub(super) type Stack = [(f32, u32); STACK];

/// An empty stack.
pub(super) const NOTHING: Stack = [(0.0, 0); STACK];

/// A query point in all eight lanes of a node of OBBs.
#[inline(always)]
pub(super) fn splat<V: Vector>(p: [f32; 3]) -> [V; 3] {
    [V::splat(p[0]), V::splat(p[1]), V::splat(p[2])]
}

/// The OBBs of up to eight children, in lanes.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct ObbLanes {
    axes: [[[f32; 8]; 3]; 3],
    middle: [[f32; 8]; 3],
    half: [[f32; 8]; 3],
    /// The child of each lane: the index of a node, or of a packet with the flag
    /// [`PACKET`](super::obb_tree::PACKET); in a leaf, the index of an item in tree order.
    pub children: [u32; 8],
}

impl ObbLanes {
    /// A node without boxes; empty lanes are infinitely far from every point.
    pub const EMPTY: Self = ObbLanes {
        axes: [[[0.0; 8]; 3]; 3],
        middle: [[0.0; 8]; 3],
        half: [[f32::NEG_INFINITY; 8]; 3],
        children: [u32::MAX; 8],
    };

    /// Sets the OBB of one lane.
    pub fn set(&mut self, lane: usize, bounds: &Obb) {
        for k in 0..3 {
            for j in 0..3 {
                self.axes[k][j][lane] = bounds.axes[k][j];
            }
            self.middle[k][lane] = bounds.middle[k];
            self.half[k][lane] = bounds.half[k];
        }
    }

    /// The squared distances from a point `p` to the eight OBBs in lanes. The distances are too
    /// large by no more than [`MARGIN`](super::triangle_packet::MARGIN)` |p|`.
    #[inline(always)]
    pub fn squares<V: Vector>(&self, p: [V; 3]) -> V {
        let mut sum = V::splat(0.0);
        for k in 0..3 {
            let (_, beyond) = self.along(k, p);
            sum = beyond.mul_add(beyond, sum);
        }
        sum
    }

    /// The offsets of a point `p` from the centers of the OBBs in lanes along axis `k`, and its
    /// distances from the boxes along this axis.
    #[inline(always)]
    fn along<V: Vector>(&self, k: usize, p: [V; 3]) -> (V, V) {
        let axis = &self.axes[k];
        let last = V::load(&axis[2]).mul(p[2]).sub(V::load(&self.middle[k]));
        let both = V::load(&axis[1]).mul_add(p[1], last);
        let away = V::load(&axis[0]).mul_add(p[0], both);
        let half = V::load(&self.half[k]);
        (away, away.abs().sub(half).max(V::splat(0.0)))
    }

    /// The lane of the OBB that is likely to contain the item nearest to a point: the one with the
    /// least sum of the squared distances from the box and from its center. Corners of boxes stick
    /// out of a surface, so the nearest box alone is a bad guess from far away.
    #[inline(always)]
    pub fn likely<V: Vector>(&self, p: [V; 3]) -> usize {
        let mut sum = V::splat(0.0);
        for k in 0..3 {
            let (away, beyond) = self.along(k, p);
            sum = away.mul_add(away, beyond.mul_add(beyond, sum));
        }
        let mut lanes = [0.0; 8];
        sum.store(&mut lanes);
        let mut least = 0;
        for lane in 1..8 {
            least = if lanes[lane] < lanes[least] {
                lane
            } else {
                least
            };
        }
        least
    }

    /// Pushes the children of the OBBs in the lanes `hits` to the stack. The keys, one for each
    /// lane, are less for nearer boxes; the child with the least key is pushed last, so that it is
    /// popped next.
    #[inline(always)]
    pub fn push<V: Vector>(&self, hits: u32, keys: V, stack: &mut Stack, top: &mut usize) {
        let mut lanes = [0.0; 8];
        keys.store(&mut lanes);
        let bottom = *top;
        for lane in Lanes(hits) {
            let entry = (lanes[lane], self.children[lane]);
            let mut at = *top;
            *top += 1;
            while at > bottom && stack[at - 1].0 < entry.0 {
                stack[at] = stack[at - 1];
                at -= 1;
            }
            stack[at] = entry;
        }
    }

    /// The support of the OBBs in lanes along a unit vector `direction`: for each box the largest
    /// `direction . x` of its points `x`, rounded up.
    ///
    /// The rounding error is less than 24 rounding units (2^-24) of the size of the contents of a
    /// box. Each half extent is too long by more than that. The absolute components of a unit
    /// vector add up to at least 1, so the support is too large by more than its rounding error.
    #[inline(always)]
    pub fn ahead<V: Vector>(&self, direction: [V; 3]) -> V {
        let mut sum = V::splat(0.0);
        for k in 0..3 {
            let axis = &self.axes[k];
            let last = V::load(&axis[2]).mul(direction[2]);
            let both = V::load(&axis[1]).mul_add(direction[1], last);
            let along = V::load(&axis[0]).mul_add(direction[0], both);
            sum = along.mul_add(V::load(&self.middle[k]), sum);
            sum = along.abs().mul_add(V::load(&self.half[k]), sum);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::triangle_packet::{MARGIN, TINY};
    use super::*;
    use crate::generate;
    use crate::geometry::triangle::closest_on_triangle;
    use crate::geometry::vector::dot;
    use crate::simd::{Kernel, Portable, run_widest};

    struct Bounds<'a>(&'a ObbLanes, [f32; 3]);

    impl Kernel for Bounds<'_> {
        type Output = [[f32; 8]; 2];
        fn run<V: Vector>(self) -> [[f32; 8]; 2] {
            let mut out = [[0.0; 8]; 2];
            self.0.squares(self.1.map(V::splat)).store(&mut out[0]);
            self.0.ahead(self.1.map(V::splat)).store(&mut out[1]);
            out
        }
    }

    #[test]
    fn nothing_is_nearer_than_its_box() {
        let mesh = generate::knot(600).unwrap();
        let size = 0.2;
        let all: Vec<[[f64; 3]; 3]> = (0..mesh.faces().len())
            .map(|f| mesh.triangle(f).map(|c| c.map(|x| size * x)))
            .collect();
        let mut close = 0;
        for (i, part) in all.chunks(5).enumerate() {
            let mut node = ObbLanes::EMPTY;
            node.set(i % 8, &Obb::of_triangles(part));
            let place = |k: usize| (((i + 1) * [7919, 104_729, 1_299_709][k]) % 1000) as f64;
            let p: [f64; 3] = std::array::from_fn(|k| place(k) / 500.0 - 1.0);
            let packed = p.map(|x| x as f32);
            let error = packed.iter().map(|x| x.abs()).sum::<f32>() * MARGIN + TINY;
            let exact = part
                .iter()
                .map(|&t| closest_on_triangle(p, t).distance_squared.sqrt())
                .fold(f64::INFINITY, f64::min);
            let ahead = part.iter().flatten().map(|&c| dot(p, c));
            let ahead = ahead.fold(f64::NEG_INFINITY, f64::max);
            for bounds in [
                run_widest(Bounds(&node, packed)),
                Bounds(&node, packed).run::<Portable>(),
            ] {
                let bound = f64::from(bounds[0][i % 8]).sqrt();
                assert!(bound <= exact + f64::from(error) / 2.0, "{i}");
                assert!(f64::from(bounds[1][i % 8]) >= ahead, "{i}");
                close += usize::from(bound > 0.95 * exact);
                assert_eq!(bounds[0][(i + 1) % 8], f32::INFINITY);
            }
        }
        assert!(close > 150, "{close}");
    }

    #[test]
    fn flat_parts_have_flat_boxes() {
        let tilted = |x: f64, y: f64| [x + y, x - y, 0.5 * x];
        let triangle = [tilted(0.0, 0.0), tilted(0.5, 0.1), tilted(0.1, 0.3)];
        let [a, b, c] = Obb::of_triangles(&[triangle]).half;
        assert!(c < 1e-5 && b < a && a < 0.5, "{a} {b} {c}");
        let point = Obb::of_triangles(&[[[0.25; 3]; 3]]);
        assert!(point.half.iter().all(|&h| h < 1e-5 && h > 0.0));
    }
}
