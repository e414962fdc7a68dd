//! Box query of the AABB tree: items whose boxes overlap a box.

use super::node::Child;
use super::packed_frame::PackedBox;
use super::{STACK, Tree};
use crate::geometry::Aabb;
use crate::simd::widest;

impl<const D: usize> Tree<D> {
    /// Box query of the AABB tree: calls `visit` with every item whose box overlaps the closed box
    /// `query`, and with few false positives. Each item is visited once, in a fixed order. A NaN in
    /// the query means unbounded.
    #[inline]
    pub fn overlapping(&self, query: &Aabb<D>, visit: impl FnMut(u32)) {
        widest(
            #[inline(always)]
            || {
                if !self.is_empty() {
                    self.below(Child::node(0), &self.frame.pack(query), visit);
                }
            },
        )
    }

    /// Box query of a subtree: calls `visit` with the items below the child `root` whose packed
    /// boxes overlap `query`.
    #[inline(always)]
    pub(super) fn below(&self, root: Child, query: &PackedBox<D>, mut visit: impl FnMut(u32)) {
        let mut stack = [0u32; STACK];
        stack[0] = root.index();
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let node = &self.nodes[stack[top] as usize];
            for lane in node.overlapping(query).lanes() {
                let child = node.children[lane];
                if child.is_item() {
                    visit(child.index());
                } else {
                    stack[top] = child.index();
                    top += 1;
                }
            }
        }
    }
}
