//! OBB lanes: a node of an OBB tree, with eight oriented bounding boxes in lanes.
//!
//! A part of a smooth surface has a thin OBB. So if a point is far from the surface compared to the
//! size of the boxes, few boxes are as near to the point as the surface is.

use super::TINY;
use super::obb::Obb;
use super::placed_obb::PlacedObb;
use crate::simd::{Lanes, Vector};
use crate::tree::STACK;

/// The stack of a tree search: the boxes that remain to be visited. An entry is a key, which is
/// less for nearer boxes, and the index of a node, or of a packet (a leaf). Searches reuse the
/// stack one after the other.
pub(in crate::closest) type Stack = [(f32, u32); STACK];

/// An empty stack of a tree search.
pub(in crate::closest) const NOTHING: Stack = [(0.0, 0); STACK];

/// A query point in all eight lanes of a node of OBBs.
#[inline(always)]
pub(in crate::closest) fn splat<V: Vector>(p: [f32; 3]) -> [V; 3] {
    [V::splat(p[0]), V::splat(p[1]), V::splat(p[2])]
}

/// A node of an OBB tree: the OBBs of up to eight children, in lanes.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(in crate::closest) struct ObbLanes {
    axes: [[[f32; 8]; 3]; 3],
    middle: [[f32; 8]; 3],
    half: [[f32; 8]; 3],
    /// The child in each lane: the index of a node, or of a packet (a leaf) with the flag
    /// [`PACKET`](super::tree::PACKET). In a leaf it is the index of an item in tree order.
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
    /// large by no more than [`MARGIN`](super::MARGIN)` |p|`.
    #[inline(always)]
    pub fn squares<V: Vector>(&self, p: [V; 3]) -> V {
        let mut sum = V::splat(0.0);
        for k in 0..3 {
            let (_, beyond) = self.along(k, p);
            sum = beyond.mul_add(beyond, sum);
        }
        sum
    }

    /// For each of the OBBs in lanes, the offset of a point `p` from the center of the box along
    /// axis `k`, and the distance of `p` from the box along this axis, 0 if `p` is between its
    /// sides.
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

    /// Pushes the children of the OBBs in the lanes of the mask `hits` to the stack. `keys` has a
    /// key for each lane, less for nearer boxes. The child with the least key is pushed last, so
    /// that it is popped next.
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

    /// The mask of the lanes that have a box.
    #[inline(always)]
    pub fn used(&self) -> u32 {
        (0..8).fold(0, |used, lane| {
            used | u32::from(self.children[lane] != u32::MAX) << lane
        })
    }

    /// The OBB of one lane.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> Obb {
        Obb {
            axes: std::array::from_fn(|k| std::array::from_fn(|j| self.axes[k][j][lane])),
            middle: std::array::from_fn(|k| self.middle[k][lane]),
            half: std::array::from_fn(|k| self.half[k][lane]),
        }
    }

    /// The longest half extent of the OBB of one lane.
    #[inline(always)]
    pub fn size(&self, lane: usize) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|k| self.half[k][lane]);
        x.max(y).max(z)
    }

    /// Lower bounds of the squared distances between another OBB and the eight OBBs in lanes; lanes
    /// without a box are infinite in the first.
    ///
    /// With `a_k` the axes and `h_k` the half extents of a box in a lane, `b_j` and `e_j` those of
    /// the other box, and `d` the vector between their centers, the three bounds are
    /// - in the axes of the lane: the root of the sum of squares of the gaps
    ///   `|d.a_k| - h_k - sum_j e_j |a_k.b_j|`, where these are positive,
    /// - in the axes of the other box: the same with the roles exchanged,
    /// - along the line of centers: `|d| - (sum_k h_k |d.a_k| + sum_j e_j |d.b_j|) / |d|`.
    #[inline(always)]
    pub fn squares_apart<V: Vector>(&self, other: &PlacedObb) -> [V; 3] {
        let zero = V::splat(0.0);
        let center = splat::<V>(other.center);
        let mut in_lane = zero;
        let (mut along_other, mut extent_other) = ([zero; 3], [zero; 3]);
        let (mut square, mut reach) = (zero, zero);
        for k in 0..3 {
            let axis = [0, 1, 2].map(|i| V::load(&self.axes[k][i]));
            let half = V::load(&self.half[k]);
            let last = axis[2].mul(center[2]).sub(V::load(&self.middle[k]));
            let away = axis[0].mul_add(center[0], axis[1].mul_add(center[1], last));
            let mut extent = half;
            for j in 0..3 {
                let b = splat::<V>(other.axes[j]);
                let lean = axis[0].mul_add(b[0], axis[1].mul_add(b[1], axis[2].mul(b[2])));
                extent = lean.abs().mul_add(V::splat(other.half[j]), extent);
                extent_other[j] = lean.abs().mul_add(half, extent_other[j]);
                along_other[j] = lean.mul_add(away, along_other[j]);
            }
            let gap = away.abs().sub(extent).max(zero);
            in_lane = gap.mul_add(gap, in_lane);
            square = away.mul_add(away, square);
            reach = away.abs().mul_add(half, reach);
        }
        let mut in_other = zero;
        for j in 0..3 {
            let half = V::splat(other.half[j]);
            let away = along_other[j].abs();
            let gap = away.sub(extent_other[j]).sub(half).max(zero);
            in_other = gap.mul_add(gap, in_other);
            reach = away.mul_add(half, reach);
        }
        let gap = square.sub(reach).max(zero);
        let centers = gap.mul(gap).div(square.max(V::splat(TINY * TINY)));
        [in_lane, in_other, centers]
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
    use super::super::{FarObbs, MARGIN, ObbPlacement, ObbTree, TreeLayout};
    use super::*;
    use crate::closest::triangle_distance;
    use crate::generate;
    use crate::geometry::Pose;
    use crate::geometry::triangle::closest_on_triangle;
    use crate::geometry::vector::{dot, minus};
    use crate::simd::{Kernel, Portable, run_widest};
    use crate::tree::Tree;

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

    struct Apart<'a>(&'a ObbLanes, &'a PlacedObb);

    impl Kernel for Apart<'_> {
        type Output = [[f32; 8]; 3];
        fn run<V: Vector>(self) -> [[f32; 8]; 3] {
            let mut out = [[0.0; 8]; 3];
            let bounds = self.0.squares_apart::<V>(self.1);
            for (bound, out) in bounds.into_iter().zip(&mut out) {
                bound.store(out);
            }
            out
        }
    }

    /// No two parts of a knot and its moved copy are nearer than any bound of their boxes, and the
    /// best of the bounds is close.
    #[test]
    fn no_parts_are_nearer_than_their_boxes() {
        let mesh = generate::knot(600).unwrap();
        let tree = Tree::of_mesh(&mesh);
        let (origin, scale) = tree.unit();
        let all: Vec<[[f64; 3]; 3]> = (0..mesh.faces().len())
            .map(|f| {
                mesh.triangle(f)
                    .map(|c| minus(c, origin).map(|x| x * scale))
            })
            .collect();
        let obbs = ObbTree::new(&TreeLayout::new(&tree), (origin, scale), |part| {
            Obb::of_triangles(&all[part])
        });
        let pose: Pose = "3,1,-2,0.5,0.5,-0.5,0.5".parse().unwrap();
        let [to_first, to_second] = ObbPlacement::both(&obbs, &obbs, &pose);
        let far = FarObbs::new(&obbs, &obbs, &pose);
        assert!(far.is_none());
        let away: Pose = "3e5,1,-2,0.5,0.5,-0.5,0.5".parse().unwrap();
        let far = FarObbs::new(&obbs, &obbs, &away).unwrap();
        let (mut close, mut count) = (0, 0);
        for (i, a) in all.chunks(4).step_by(3).enumerate() {
            for b in all.chunks(4).skip(i % 5).step_by(17) {
                let (of_a, of_b) = (Obb::of_triangles(a), Obb::of_triangles(b));
                let space = |part: &[[[f64; 3]; 3]]| -> Vec<[[f64; 3]; 3]> {
                    let back = |c: [f64; 3]| std::array::from_fn(|k| c[k] / scale + origin[k]);
                    part.iter().map(|t| t.map(back)).collect()
                };
                let nearest = |pose: &Pose| {
                    let mut least = f64::INFINITY;
                    for t in space(a) {
                        for u in space(b) {
                            let u = u.map(|c| pose.apply(c));
                            least = least.min(triangle_distance(t, u).distance);
                        }
                    }
                    least
                };
                let exact = nearest(&pose) * scale;
                let mut node = ObbLanes::EMPTY;
                node.set(i % 8, &of_a);
                node.children[i % 8] = 0;
                let mut opposite = ObbLanes::EMPTY;
                opposite.set(3, &of_b);
                opposite.children[3] = 0;
                let placed_b = to_first.place(&of_b).unwrap();
                let placed_a = to_second.place(&of_a).unwrap();
                for (bounds, lane) in [
                    (run_widest(Apart(&node, &placed_b)), i % 8),
                    (Apart(&node, &placed_b).run::<Portable>(), i % 8),
                    (run_widest(Apart(&opposite, &placed_a)), 3),
                ] {
                    let roots = bounds.map(|bound| f64::from(bound[lane]).sqrt());
                    assert!(roots.iter().all(|&root| root <= exact), "{roots:?} {exact}");
                    let best = roots.into_iter().fold(0.0, f64::max);
                    (close, count) = (close + usize::from(best > 0.8 * exact), count + 1);
                    assert_eq!(bounds[0][(lane + 1) % 8], f32::INFINITY);
                }
                let reach = far.reach(nearest(&away).powi(2));
                assert!(far.keys(&node, &of_b, false)[i % 8] <= reach);
                assert!(far.keys(&opposite, &of_a, true)[3] <= reach);
                assert!(far.keys(&opposite, &of_a, true)[3] > reach - 0.25);
            }
        }
        assert!(close * 2 > count, "{close} of {count}");
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
