//! A tree of turned boxes around parts of a surface, whatever is at its ends.
//!
//! It branches as a tree of straight boxes does ([`Tree`]), which is built first and not kept.

use super::far_query::BEYOND;
use super::obb_lanes::{Obb, ObbLanes};
use crate::tree::{Branch, Tree};
use rayon::prelude::*;
use std::ops::Range;

/// A child that is a packet, one of the ends of the tree, not a node.
pub(super) const PACKET: u32 = 1 << 31;

/// Boxes that one thread fits in a row.
pub(super) const FITTED: usize = 64;

/// The nodes of a tree.
#[derive(Clone, Debug)]
pub(super) struct ObbTree {
    /// Every node before those below it.
    pub nodes: Vec<ObbLanes>,
    /// The root, or the only packet; none if there is nothing.
    pub root: Option<u32>,
    /// Where most items are: the origin in f32.
    pub origin: [f64; 3],
    /// The unit in f32 is the inverse of this power of two.
    pub scale: f64,
}

/// How items are dealt to packets and nodes.
#[derive(Default)]
pub(super) struct TreeLayout {
    /// Items in the order of the tree.
    pub order: Vec<u32>,
    /// The part of the order in each packet, up to eight items.
    pub packets: Vec<Range<usize>>,
    /// Node by node its children, each with its part of the order.
    nodes: Vec<Vec<(u32, Range<usize>)>>,
    root: Option<u32>,
}

impl TreeLayout {
    pub fn new(tree: &Tree<3>) -> Self {
        let mut deal = Self::default();
        deal.root = (!tree.is_empty()).then(|| deal.below(tree, 0));
        deal
    }

    /// Appends what is below a node of the tree; its number here.
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
    /// Those around parts of the order of a deal, in the unit of the tree that was dealt.
    pub fn new(
        deal: &TreeLayout,
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
        let nodes = deal.nodes.par_iter().with_min_len(FITTED).map(node);
        ObbTree {
            nodes: nodes.collect(),
            root: deal.root,
            origin,
            scale,
        }
    }

    /// A point in the units of f32; none if it is far away.
    #[inline(always)]
    pub fn packed(&self, point: [f64; 3]) -> Option<[f32; 3]> {
        let scaled: [f64; 3] = std::array::from_fn(|k| (point[k] - self.origin[k]) * self.scale);
        let near = scaled.iter().all(|x| x.abs() <= BEYOND);
        near.then(|| scaled.map(|x| x as f32))
    }
}
