//! Box query: items whose boxes overlap a box.

use super::Tree;
use super::node::Child;
use crate::geometry::Aabb;
use crate::simd::widest;

impl<const D: usize> Tree<D> {
    /// Calls `visit` with every item whose box overlaps the closed box `query`, and with few
    /// false positives; each once, in a fixed order. A NaN in the query counts as unbounded.
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
