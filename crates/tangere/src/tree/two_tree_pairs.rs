//! Two-tree pairs: pairs of items of two AABB trees whose boxes overlap, where a pose moves one
//! tree.

use super::Tree;
use super::lane_pairs::{Bits, Pairs, all_hits, among, load};
use super::motion::Motion;
use super::node::Node;
use super::normal_slabs::{Slab, Slabs};
use super::self_pairs::PAIR_STACK;
use crate::geometry::Pose;
use crate::simd::{Kernel, Lanes, Vector, prefetch, run_widest};
use std::ops::ControlFlow;

/// A pair of nodes, one of each tree, that the two-tree traversal has still to compare. A mask for
/// each node has the lanes to compare: all lanes, or only those of items that must be compared with
/// a deeper node of the other tree.
#[derive(Clone, Copy)]
struct Waiting {
    a: u32,
    b: u32,
    lanes_a: u8,
    lanes_b: u8,
}

/// The maximum number of entries on the stack of the two-tree traversal. A step descends one node
/// of a pair or both, and leaves at most 64 pairs of nodes behind: `p` nodes and `8 - p` items
/// against `q` nodes and `8 - q` items leave at most `p q + p + q` pairs. The terms `p` and `q`
/// arise only if the other node has items.
const TWO_TREE_STACK: usize = 2 * PAIR_STACK;

impl Tree<3> {
    /// Pairs of two AABB trees: calls `visit(item of self, item of other)` with every pair of items
    /// whose boxes overlap when `pose` moves `other`. Some pairs whose boxes do not overlap are
    /// visited as well, more of them the more the pose rotates. Each pair is visited once, in a
    /// fixed order.
    #[inline]
    pub fn overlapping_pairs(&self, other: &Tree<3>, pose: &Pose, mut visit: impl FnMut(u32, u32)) {
        let _ = self.overlapping_pairs_with(other, pose, None, |a, b| {
            visit(a, b);
            ControlFlow::Continue(())
        });
    }

    /// Pairs of two AABB trees as [`Tree::overlapping_pairs`] visits them, with fewer false
    /// positives: boxes are tested in the frames of both trees, and a pair of nodes is dropped if
    /// the boxes of one lie outside of the slab around the triangles of the other. Ends when
    /// `visit` breaks.
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

    /// Traverses two AABB trees for pairs of items whose boxes overlap, with the further rejection
    /// tests `back`, if given.
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

/// Kernel that traverses two nonempty trees for pairs of items whose boxes overlap.
struct TwoTreePairs<'t, F> {
    a: &'t [Node<3>],
    b: &'t [Node<3>],
    motion: Motion,
    back: Option<ReverseTest<'t>>,
    visit: F,
}

/// Further rejection tests of the two-tree traversal: box against box in the frame of the moved
/// tree, and box against slab in the frames of both trees.
struct ReverseTest<'t> {
    motion: Motion,
    /// Whether the pose rotates the boxes of the moved tree. A rotated box is replaced by its
    /// bounding box, so two boxes that are apart in the frame of one tree may seem to overlap in
    /// that of the other.
    is_turned: bool,
    /// The slabs of the nodes of the fixed tree, then those of the moved tree.
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
