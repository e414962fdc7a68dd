//! Two-tree traversal: pairs of items of two trees whose boxes overlap, one tree under a pose.

use super::Tree;
use super::node::Node;
use super::normal_slabs::{Slab, Slabs};
use super::self_pairs::PAIR_STACK;
use crate::geometry::Pose;
use crate::simd::{Kernel, Lanes, Vector, prefetch, run_widest};
use std::ops::ControlFlow;

/// Bound on the relative error of a box moved in f32: centre and half lengths, three products
/// and sums for each, the offset.
const SLACK: f64 = 1.0 / (1 << 20) as f64;

/// Numbers below this cannot overflow when boxes are moved.
const HUGE: f32 = 1e37;

/// The map from the packed coordinates of one tree to those of another: boxes become the
/// bounding boxes of the moved boxes.
pub(super) struct Motion {
    matrix: [[f32; 3]; 3],
    offset: [f32; 3],
    /// Bound on rounding, here and in moving the items themselves.
    margin: [f32; 3],
    /// The same along any direction, for the coordinates of a slab as well.
    margin_along: f32,
}

impl Motion {
    /// From the coordinates of `from`, moved by `pose`, to those of `to`.
    pub(super) fn new(from: &Tree<3>, pose: &Pose, to: &Tree<3>) -> Self {
        let rotation = pose.rotation_matrix();
        let center = pose.apply(from.frame.center);
        // In space: three products, three sums and the offset, relative to the largest of the
        // numbers.
        let space = std::array::from_fn(|k| {
            let size: f64 = (0..3)
                .map(|j| {
                    rotation[k][j].abs() * (from.frame.center[j].abs() + 1.0 / from.frame.scale)
                })
                .sum();
            (size + pose.translation()[k].abs() + to.frame.center[k].abs()) * (8.0 * f64::EPSILON)
        });
        Self::between(from, rotation, center, space, to)
    }

    /// From the coordinates of `to` back to those of `from`, which `pose` moves.
    fn back(from: &Tree<3>, pose: &Pose, to: &Tree<3>) -> Self {
        let m = pose.rotation_matrix();
        let rotation: [[f64; 3]; 3] = std::array::from_fn(|k| [m[0][k], m[1][k], m[2][k]]);
        let t = pose.translation();
        let center = pose.rotate_back(std::array::from_fn(|k| to.frame.center[k] - t[k]));
        // The items were moved with rounding, and the matrix is orthogonal up to rounding: each
        // a few units of the largest numbers, in any direction.
        let length = |v: [f64; 3]| v[0].abs() + v[1].abs() + v[2].abs();
        let size = length(from.frame.center)
            + length(to.frame.center)
            + length(t)
            + 3.0 / from.frame.scale
            + 3.0 / to.frame.scale;
        let space = [size * (64.0 * f64::EPSILON); 3];
        Self::between(to, rotation, center, space, from)
    }

    /// Rotated, with the centre of `from` at `center` in space; `space` bounds the rounding
    /// there.
    fn between(
        from: &Tree<3>,
        rotation: [[f64; 3]; 3],
        center: [f64; 3],
        space: [f64; 3],
        to: &Tree<3>,
    ) -> Self {
        let ratio = to.frame.scale / from.frame.scale;
        let offset: [f64; 3] =
            std::array::from_fn(|k| (center[k] - to.frame.center[k]) * to.frame.scale);
        let margin = std::array::from_fn(|k| {
            // Packed coordinates are at most 1.
            let reach: f64 = rotation[k].iter().map(|r| r.abs() * ratio).sum();
            let packed = (reach + offset[k].abs()) * SLACK + space[k] * to.frame.scale;
            super::packed_frame::up(packed as f32)
        });
        let motion = Motion {
            matrix: rotation.map(|row| row.map(|r| (r * ratio) as f32)),
            offset: offset.map(|x| x as f32),
            margin,
            margin_along: 2.0 * (margin[0] + margin[1] + margin[2]),
        };
        let numbers = motion.matrix.as_flattened().iter();
        if numbers
            .chain(&motion.offset)
            .chain(&motion.margin)
            .all(|x| x.abs() < HUGE)
        {
            motion
        } else {
            Motion::UNBOUNDED
        }
    }

    /// For sizes or distances beyond the range of f32: every box becomes unbounded.
    const UNBOUNDED: Self = Motion {
        matrix: [[0.0; 3]; 3],
        offset: [0.0; 3],
        margin: [f32::MAX; 3],
        margin_along: f32::INFINITY,
    };

    /// The bounding boxes of the moved boxes of a node.
    #[inline(always)]
    pub(super) fn moved<V: Vector>(&self, node: &Node<3>) -> Node<3> {
        let [low, high] = self.moved_boxes::<V>(node);
        let mut moved = Node {
            lo: node.lo,
            hi: node.hi,
            children: node.children,
        };
        for k in 0..3 {
            low[k].store(&mut moved.lo[k].0);
            high[k].store(&mut moved.hi[k].0);
        }
        moved
    }

    /// The mask of the boxes of a node that, moved, overlap a slab.
    ///
    /// With `m = M^T n` the moved centre `M c + t` is at `m . c + n . t`, and the box reaches
    /// `|m| . e` from there. Each has an error below 16 units of the numbers that enter, for
    /// which the margin allows twice.
    #[inline(always)]
    fn meeting_slab<V: Vector>(&self, node: &Node<3>, slab: &Slab) -> u8 {
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

    #[inline(always)]
    fn moved_boxes<V: Vector>(&self, node: &Node<3>) -> Boxes<V> {
        // Halved before adding: sums of the largest numbers would overflow.
        let half = V::splat(0.5);
        let (mut middle, mut extent) = ([half; 3], [half; 3]);
        for k in 0..3 {
            let (low, high) = (
                V::load(&node.lo[k].0).mul(half),
                V::load(&node.hi[k].0).mul(half),
            );
            middle[k] = low.add(high);
            extent[k] = high.sub(low);
        }
        let mut boxes = [[half; 3]; 2];
        for k in 0..3 {
            let mut center = V::splat(self.offset[k]);
            let mut radius = V::splat(self.margin[k]);
            for j in 0..3 {
                center = center.add(middle[j].mul(V::splat(self.matrix[k][j])));
                radius = radius.add(extent[j].mul(V::splat(self.matrix[k][j].abs())));
            }
            boxes[0][k] = center.sub(radius);
            boxes[1][k] = center.add(radius);
        }
        boxes
    }
}

/// A mask of the lanes of a node.
type Bits = u32;

/// Nodes of both trees still to be compared, and which of their lanes: all, or those of items
/// that descend the other tree together.
#[derive(Clone, Copy)]
struct Waiting {
    a: u32,
    b: u32,
    lanes_a: u8,
    lanes_b: u8,
}

/// The stack of the traversal. A step descends one node of a pair or both, and leaves at most 64
/// pairs behind: of `p` nodes and `8 - p` items against `q` nodes and `8 - q` items `p q + p +
/// q` at most, the latter two only where there are items.
const TWO_TREE_STACK: usize = 2 * PAIR_STACK;

impl Tree<3> {
    /// Calls `visit(item of self, item of other)` with every pair of items whose boxes overlap
    /// when `pose` moves those of `other`, and with some that do not, the more the pose rotates;
    /// each pair once, in a fixed order.
    #[inline]
    pub fn overlapping_pairs(&self, other: &Tree<3>, pose: &Pose, mut visit: impl FnMut(u32, u32)) {
        let _ = self.overlapping_pairs_with(other, pose, None, |a, b| {
            visit(a, b);
            ControlFlow::Continue(())
        });
    }

    /// The same with fewer false positives: boxes are tested as rotated by the pose, and pairs
    /// are dropped when one item lies on one side of a slab around the other. Ends when `visit`
    /// breaks.
    #[inline]
    pub(crate) fn overlapping_pairs_turned(
        &self,
        slabs: &Slabs,
        (other, slabs_other): (&Tree<3>, &Slabs),
        pose: &Pose,
        visit: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // A pose that maps axes onto axes keeps boxes axis-aligned.
        let is_turned = !pose
            .rotation_matrix()
            .as_flattened()
            .iter()
            .all(|x| [0.0, 1.0].contains(&x.abs()));
        let back = ReverseTest {
            motion: Motion::back(other, pose, self),
            is_turned,
            slabs: [&slabs.0, &slabs_other.0],
        };
        self.overlapping_pairs_with(other, pose, Some(back), visit)
    }

    #[inline(always)]
    fn overlapping_pairs_with(
        &self,
        other: &Tree<3>,
        pose: &Pose,
        back: Option<ReverseTest<'_>>,
        visit: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.is_empty() || other.is_empty() {
            return ControlFlow::Continue(());
        }
        run_widest(TwoTreePairs {
            a: &self.nodes,
            b: &other.nodes,
            motion: Motion::new(other, pose, self),
            back,
            visit,
        })
    }
}

/// The traversal of two nonempty trees.
struct TwoTreePairs<'t, F> {
    a: &'t [Node<3>],
    b: &'t [Node<3>],
    motion: Motion,
    back: Option<ReverseTest<'t>>,
    visit: F,
}

/// Further rejection tests.
struct ReverseTest<'t> {
    motion: Motion,
    /// Rotated boxes are replaced by their bounding boxes, so a pair that is apart in one frame
    /// may seem to overlap in the other.
    is_turned: bool,
    /// The slabs of the nodes of both trees.
    slabs: [&'t [Slab]; 2],
}

impl<F: FnMut(u32, u32) -> ControlFlow<()>> Kernel for TwoTreePairs<'_, F> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<V: Vector>(mut self) -> ControlFlow<()> {
        let all = Waiting {
            a: 0,
            b: 0,
            lanes_a: !0,
            lanes_b: !0,
        };
        let mut stack = [all; TWO_TREE_STACK];
        let mut top = 1;
        let mut moved = self.motion.moved::<V>(&self.b[0]);
        let mut moved_from = 0;
        while top > 0 {
            top -= 1;
            let Waiting {
                a,
                b,
                lanes_a,
                lanes_b,
            } = stack[top];
            let (node_a, node_b) = (&self.a[a as usize], &self.b[b as usize]);
            let mut hits = among(lanes_a, lanes_b);
            if let Some(ReverseTest { motion, slabs, .. }) = &self.back {
                let of_a = motion.meeting_slab::<V>(node_a, &slabs[1][b as usize]);
                let of_b = self.motion.meeting_slab::<V>(node_b, &slabs[0][a as usize]);
                hits = among(lanes_a & of_a, lanes_b & of_b);
                if hits == 0 {
                    continue;
                }
            }
            if moved_from != b {
                moved = self.motion.moved::<V>(node_b);
                moved_from = b;
            }
            hits &= all_hits(&load::<V>(node_a), &moved);
            if let Some(ReverseTest {
                motion,
                is_turned: true,
                ..
            }) = &self.back
                && hits != 0
            {
                hits &= all_hits(&motion.moved_boxes::<V>(node_a), node_b);
            }
            let numbers = (node_a.numbers(), node_b.numbers());
            let (items_a, items_b) = (V::signs(&numbers.0) as u8, V::signs(&numbers.1) as u8);
            // Usually a node has only items, or none.
            if items_a & items_b == !0 {
                for (i, j) in Pairs(hits) {
                    (self.visit)(node_a.children[i].index(), node_b.children[j].index())?;
                }
                continue;
            }
            for (i, j) in Pairs(hits & among(items_a, items_b)) {
                (self.visit)(node_a.children[i].index(), node_b.children[j].index())?;
            }
            for j in Lanes(Bits::from(!items_b)) {
                let lanes_a = (hits >> (8 * j)) as u8 & items_a;
                if lanes_a != 0 {
                    let b = node_b.children[j].index();
                    prefetch(self.b, b as usize);
                    stack[top] = Waiting {
                        a,
                        b,
                        lanes_a,
                        lanes_b: !0,
                    };
                    top += 1;
                }
            }
            for (i, j) in Pairs(hits & among(!items_a, !items_b)) {
                let (a, b) = (node_a.children[i].index(), node_b.children[j].index());
                prefetch(self.a, a as usize);
                prefetch(self.b, b as usize);
                stack[top] = Waiting { a, b, ..all };
                top += 1;
            }
            let mixed = hits & among(!items_a, items_b);
            if mixed != 0 {
                for i in Lanes(Bits::from(!items_a)) {
                    let lanes_b = (0..8).fold(0, |bits, j| bits | (mixed >> (8 * j + i) & 1) << j);
                    if lanes_b != 0 {
                        let a = node_a.children[i].index();
                        prefetch(self.a, a as usize);
                        stack[top] = Waiting {
                            a,
                            b,
                            lanes_a: !0,
                            lanes_b: lanes_b as u8,
                        };
                        top += 1;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// A mask of pairs of lanes, eight bits for each lane of `b`.
pub(crate) type Hits = u64;

/// The mask of all pairs of `lanes_a` and `lanes_b`.
#[inline(always)]
pub(crate) fn among(lanes_a: u8, lanes_b: u8) -> Hits {
    // Bit j of `lanes_b` goes to byte j: the product puts a copy into each byte, of which one
    // bit is kept; adding 0x7f carries it to the top of the byte.
    const ONES: u64 = 0x0101_0101_0101_0101;
    let spread = (u64::from(lanes_b) * ONES) & 0x8040_2010_0804_0201;
    let tops = (((spread & !(ONES << 7)) + ONES * 0x7f) | spread) & (ONES << 7);
    (tops >> 7) * u64::from(lanes_a)
}

/// Iterates over pairs of lanes, those of the first lane of `b` first.
pub(crate) struct Pairs(pub(crate) Hits);

impl Iterator for Pairs {
    type Item = (usize, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, usize)> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some((bit & 7, bit >> 3))
    }
}

/// The pairs of lanes of `a` and `b` whose boxes overlap.
///
/// All are compared, needed or not: a mispredicted branch costs more than a comparison.
#[inline(always)]
fn all_hits<V: Vector>(a: &Boxes<V>, b: &Node<3>) -> Hits {
    let mut hits = 0;
    for j in 0..8 {
        hits |= Hits::from(meeting(a, b, j)) << (8 * j);
    }
    hits
}

/// The corners of eight boxes, lower ones first.
type Boxes<V> = [[V; 3]; 2];

#[inline(always)]
fn load<V: Vector>(node: &Node<3>) -> Boxes<V> {
    let mut boxes = [[V::splat(0.0); 3]; 2];
    for k in 0..3 {
        boxes[0][k] = V::load(&node.lo[k].0);
        boxes[1][k] = V::load(&node.hi[k].0);
    }
    boxes
}

/// The mask of boxes that overlap the one in lane `j` of a node. The sign of a difference is
/// exact however it is rounded; lanes without a child, which are infinite or NaN, overlap
/// nothing.
#[inline(always)]
fn meeting<V: Vector>([low, high]: &Boxes<V>, node: &Node<3>, j: usize) -> Bits {
    let mut gap = low[0].sub(V::splat(node.hi[0].0[j]));
    gap = gap.max(V::splat(node.lo[0].0[j]).sub(high[0]));
    for k in 1..3 {
        gap = gap.max(low[k].sub(V::splat(node.hi[k].0[j])));
        gap = gap.max(V::splat(node.lo[k].0[j]).sub(high[k]));
    }
    gap.at_most(V::splat(0.0))
}
