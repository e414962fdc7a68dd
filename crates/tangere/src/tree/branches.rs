//! Branches of the AABB tree: the children of each node, for callers that put bounding volumes of
//! their own on the same nodes.

use super::Tree;

/// A branch: a child of a node of the AABB tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Branch {
    /// A node of the AABB tree, by its index, which is greater than that of its parent.
    Node(usize),
    /// An item of the AABB tree, by its index.
    Item(u32),
}

impl<const D: usize> Tree<D> {
    /// The branches (children) of a node of the AABB tree, at least two unless the tree has a
    /// single item. The root is node 0; an empty tree has no nodes.
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
}
