//! Tree layout: which triangles or finite element faces belong to each node and each packet of an
//! OBB tree.
//!
//! Items are triangles or finite element faces. A packet is a leaf of up to eight items. Tree order
//! is the order of items in which those of every node and packet follow each other.

use super::tree::PACKET;
use crate::tree::{Branch, Tree};
use std::ops::Range;

/// The layout of an OBB tree: which items, triangles or finite element faces, are in each packet
/// (leaf) and in each node.
#[derive(Default)]
pub(in crate::closest) struct TreeLayout {
    /// All items in tree order, by their indices in the mesh.
    pub order: Vec<u32>,
    /// For each packet, a leaf of up to eight items, the range of its items in `order`.
    pub packets: Vec<Range<usize>>,
    /// The children of each node. A child is the index of a node, or of a packet with the flag
    /// [`PACKET`], and the range of the items of the child in `order`.
    pub nodes: Vec<Vec<(u32, Range<usize>)>>,
    /// The root of the tree: the index of a node, or of the only packet (leaf) with the flag
    /// [`PACKET`]. `None` if there are no items.
    pub root: Option<u32>,
}

impl TreeLayout {
    /// The layout of an OBB tree with the same nodes as a given tree of AABBs.
    pub fn new(tree: &Tree<3>) -> Self {
        let mut layout = Self::default();
        layout.root = (!tree.is_empty()).then(|| layout.below(tree, 0));
        layout
    }

    /// Appends a node of the tree of AABBs and its descendants to the layout; returns its index. A
    /// node that has only items becomes a packet, and the index has the flag [`PACKET`].
    fn below(&mut self, tree: &Tree<3>, node: usize) -> u32 {
        let is_item = |branch: Branch| matches!(branch, Branch::Item(_));
        if tree.branches(node).all(is_item) {
            return self.packet(tree.branches(node));
        }
        let number = self.nodes.len();
        self.nodes.push(Vec::new());
        let mut children = Vec::with_capacity(8);
        for branch in tree.branches(node) {
            let start = self.order.len();
            let child = match branch {
                Branch::Node(below) => self.below(tree, below),
                Branch::Item(_) => self.packet(std::iter::once(branch)),
            };
            children.push((child, start..self.order.len()));
        }
        self.nodes[number] = children;
        number as u32
    }

    /// Appends a packet to the layout, with those of the `branches` that are items; returns its
    /// index with the flag [`PACKET`].
    fn packet(&mut self, branches: impl Iterator<Item = Branch>) -> u32 {
        let start = self.order.len();
        for branch in branches {
            if let Branch::Item(item) = branch {
                self.order.push(item);
            }
        }
        self.packets.push(start..self.order.len());
        PACKET | (self.packets.len() - 1) as u32
    }
}
