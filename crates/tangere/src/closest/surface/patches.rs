//! A tree of patches: parts of a surface in turned boxes, up to eight triangles each at the last.
//!
//! It branches as a tree of straight boxes does ([`Tree`]), which is built first and not kept. A
//! triangle takes about 115 bytes. Regrouping packets, so that the nodes above them have
//! six children instead of four, was measured: searches visit fewer nodes and take as long.

use super::far::BEYOND;
use super::packet::Packet;
use super::turned::{Turned, TurnedBox};
use crate::shape::TriMesh;
use crate::tree::{Branch, Tree};
use rayon::prelude::*;
use std::ops::Range;

/// A child that is a packet, not a node.
pub(super) const PACKET: u32 = 1 << 31;

/// Boxes that one thread fits in a row.
const FITTED: usize = 64;

/// A surface for searches.
#[derive(Clone, Debug)]
pub(super) struct Patches {
    /// Every node before those below it.
    pub nodes: Vec<Turned>,
    pub packets: Vec<Packet>,
    /// The root, or the only packet; none if there are no triangles.
    pub root: Option<u32>,
    /// Where most triangles are: the origin in f32.
    pub origin: [f64; 3],
    /// The unit in f32 is the inverse of this power of two.
    pub scale: f64,
}

/// How triangles are dealt to packets and nodes.
#[derive(Default)]
struct Deal {
    /// Triangles in the order of the tree.
    order: Vec<u32>,
    /// The part of the order in each packet.
    packets: Vec<Range<usize>>,
    /// Node by node its children, each with its part of the order.
    nodes: Vec<Vec<(u32, Range<usize>)>>,
}

impl Deal {
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

impl Patches {
    pub fn new(mesh: &TriMesh) -> Self {
        let tree = Tree::of_mesh(mesh);
        let (origin, scale) = tree.unit();
        let mut deal = Deal::default();
        let root = (!tree.is_empty()).then(|| deal.below(&tree, 0));
        drop(tree);
        let scaled = |face: &u32| {
            let corners = mesh.triangle(*face as usize);
            corners.map(|c| std::array::from_fn(|k| (c[k] - origin[k]) * scale))
        };
        let triangles: Vec<[[f64; 3]; 3]> = deal.order.par_iter().map(scaled).collect();
        let packet =
            |part: &Range<usize>| Packet::new(&triangles[part.clone()], &deal.order[part.clone()]);
        let node = |children: &Vec<(u32, Range<usize>)>| {
            let mut node = Turned::EMPTY;
            for (lane, (child, part)) in children.iter().enumerate() {
                node.set(lane, &TurnedBox::around(&triangles[part.clone()]));
                node.children[lane] = *child;
            }
            node
        };
        Patches {
            nodes: deal
                .nodes
                .par_iter()
                .with_min_len(FITTED)
                .map(node)
                .collect(),
            packets: deal
                .packets
                .par_iter()
                .with_min_len(FITTED)
                .map(packet)
                .collect(),
            root,
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
