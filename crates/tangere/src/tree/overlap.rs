//! Items whose boxes meet a box.

use super::node::Child;
use super::simd::widest;
use super::{STACK, Tree};
use crate::geometry::Aabb;

impl<const D: usize> Tree<D> {
    /// Calls `visit` with every item whose box meets the closed box `query`,
    /// and with few that do not; each once, in a fixed order. A NaN in the
    /// query counts as unbounded.
    #[inline]
    pub fn overlapping(&self, query: &Aabb<D>, mut visit: impl FnMut(u32)) {
        widest(
            #[inline(always)]
            || {
                if self.is_empty() {
                    return;
                }
                let query = self.frame.pack(query);
                let mut stack = [0u32; STACK];
                let mut top = 1;
                while top > 0 {
                    top -= 1;
                    let node = &self.nodes[stack[top] as usize];
                    for lane in node.overlapping(&query).lanes() {
                        let child: Child = node.children[lane];
                        if child.is_item() {
                            visit(child.index());
                        } else {
                            stack[top] = child.index();
                            top += 1;
                        }
                    }
                }
            },
        )
    }
}
