//! Self pairs of the AABB tree: pairs of its items whose boxes overlap, by one traversal.

use super::{MAX_HEIGHT, Tree};
use crate::simd::{Lanes, widest};
use std::cell::Cell;

/// The maximum number of entries on the stack of the self pairs traversal. A step descends both
/// nodes of a pair and leaves at most 8 * 8 pairs of nodes behind on each level.
pub(super) const PAIR_STACK: usize = 64 * MAX_HEIGHT;

impl<const D: usize> Tree<D> {
    /// Self pairs: calls `visit` with every pair of different items of the AABB tree whose boxes
    /// overlap, and with few false positives. Each pair is visited once, with either item first;
    /// the order of pairs is fixed.
    #[inline]
    pub fn self_pairs(&self, visit: impl FnMut(u32, u32)) {
        self.self_pairs_while(visit, &Cell::new(true));
    }

    /// Self pairs that can be ended: calls `visit` as [`Tree::self_pairs`] does. If `visit` sets
    /// `more` to false, the traversal ends after the current pair of nodes.
    #[inline]
    pub(crate) fn self_pairs_while(&self, mut visit: impl FnMut(u32, u32), more: &Cell<bool>) {
        widest(
            #[inline(always)]
            || {
                let mut stack = [(0u32, 0u32); PAIR_STACK];
                let mut top = usize::from(!self.is_empty());
                while top > 0 && more.get() {
                    top -= 1;
                    let (a, b) = stack[top];
                    let (node_a, node_b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
                    for i in 0..node_a.lanes() {
                        let child_a = node_a.children[i];
                        let lane = node_a.lane(i);
                        let mut hits = node_b.overlapping(&lane).bits();
                        if a == b {
                            if !child_a.is_item() {
                                stack[top] = (child_a.index(), child_a.index());
                                top += 1;
                            }
                            hits &= !1 << i;
                        }
                        for j in Lanes(hits) {
                            let child_b = node_b.children[j];
                            match (child_a.is_item(), child_b.is_item()) {
                                (true, true) => visit(child_a.index(), child_b.index()),
                                (true, false) => {
                                    self.below(child_b, &lane, |item| visit(child_a.index(), item))
                                }
                                (false, true) => self.below(child_a, &node_b.lane(j), |item| {
                                    visit(item, child_b.index())
                                }),
                                (false, false) => {
                                    stack[top] = (child_a.index(), child_b.index());
                                    top += 1;
                                }
                            }
                        }
                    }
                }
            },
        )
    }
}
