//! Box query of the tree: items whose boxes overlap a box.

use super::Tree;
use super::node::Child;
use crate::geometry::Aabb;
use crate::simd::widest;

impl<const D: usize> Tree<D> {
    /// Box query: calls `visit` with every item whose box overlaps the closed box `query`, and with
    /// few false positives. Each item is visited once, in a fixed order. A NaN in the query means
    /// unbounded.
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
}
