//! Renumbering of the items of the AABB tree in the order of its nodes.

use super::Tree;
use super::node::Child;

impl<const D: usize> Tree<D> {
    /// Renumbers the items of the AABB tree in the order of the nodes, so that neighbours in the
    /// tree are neighbours in memory. Returns the old index of each item.
    pub(crate) fn renumbered(&mut self) -> Vec<u32> {
        let mut old = Vec::with_capacity(self.len);
        for child in self.nodes.iter_mut().flat_map(|node| &mut node.children) {
            if child.is_item() && *child != Child::NONE {
                let number = old.len() as u32;
                old.push(child.index());
                *child = Child::item(number);
            }
        }
        old
    }
}
