//! How a tree branches, for those who bound its items in another way.

use super::Tree;

/// What a node has below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Branch {
    /// Another node, of a greater number.
    Node(usize),
    /// One item.
    Item(u32),
}

impl<const D: usize> Tree<D> {
    /// What is below a node, two at least unless the tree has but one item. The root is
    /// node 0; an empty tree has none.
    pub(crate) fn branches(&self, node: usize) -> impl Iterator<Item = Branch> {
        let node = &self.nodes[node];
        node.children[..node.lanes()].iter().map(|child| {
            if child.is_item() {
                Branch::Item(child.index())
            } else {
                Branch::Node(child.index() as usize)
            }
        })
    }

    /// Where most items are, and the power of two that takes the farthest at most 1 away
    /// from there, along each axis.
    pub(crate) fn unit(&self) -> ([f64; D], f64) {
        (self.frame.center, self.frame.scale)
    }
}
