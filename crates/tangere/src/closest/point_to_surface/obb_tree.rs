//! OBB tree: oriented bounding boxes around parts of a surface, with any kind of leaves.
//!
//! It branches as a tree of AABBs does ([`Tree`]), which is built first and not kept.

use super::far_query::BEYOND;
use super::obb_lanes::{Obb, ObbLanes};
use crate::tree::{Branch, Tree};
use rayon::prelude::*;
use std::ops::Range;

/// Flag of a child that is a packet, a leaf of the tree, not a node.
pub(super) const PACKET: u32 = 1 << 31;

/// Boxes fitted in one task.
pub(super) const FITTED: usize = 64;

/// The nodes of a tree.
#[derive(Clone, Debug)]
pub(super) struct ObbTree {
    /// Every node before its descendants.
    pub nodes: Vec<ObbLanes>,
    /// The root, or the only packet; none if the tree is empty.
    pub root: Option<u32>,
    /// The origin of f32 coordinates, where most items are.
    pub origin: [f64; 3],
    /// The power of two by which f32 coordinates are scaled.
    pub scale: f64,
}

/// The items of each packet and node.
#[derive(Default)]
pub(super) struct TreeLayout {
    /// Items in tree order.
    pub order: Vec<u32>,
    /// The range of the order in each packet, up to eight items.
    pub packets: Vec<Range<usize>>,
    /// The children of each node, each with its range of the order.
    nodes: Vec<Vec<(u32, Range<usize>)>>,
    root: Option<u32>,
}

impl TreeLayout {
    pub fn new(tree: &Tree<3>) -> Self {
        let mut layout = Self::default();
        layout.root = (!tree.is_empty()).then(|| layout.below(tree, 0));
        layout
    }

    /// Appends a node of the tree and its descendants; returns its index.
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

impl ObbTree {
    /// Fits a box to each range of a layout, in the unit of the tree that it was made of.
    pub fn new(
        layout: &TreeLayout,
        (origin, scale): ([f64; 3], f64),
        around: impl Fn(Range<usize>) -> Obb + Sync,
    ) -> Self {
        let node = |children: &Vec<(u32, Range<usize>)>| {
            let mut node = ObbLanes::EMPTY;
            for (lane, (child, part)) in children.iter().enumerate() {
                node.set(lane, &around(part.clone()));
                node.children[lane] = *child;
            }
            node
        };
        let nodes = layout.nodes.par_iter().with_min_len(FITTED).map(node);
        ObbTree {
            nodes: nodes.collect(),
            root: layout.root,
            origin,
            scale,
        }
    }

    /// A point in f32 coordinates; none if it is far away.
    #[inline(always)]
    pub fn packed(&self, point: [f64; 3]) -> Option<[f32; 3]> {
        let scaled: [f64; 3] = std::array::from_fn(|k| (point[k] - self.origin[k]) * self.scale);
        let near = scaled.iter().all(|x| x.abs() <= BEYOND);
        near.then(|| scaled.map(|x| x as f32))
    }
}
