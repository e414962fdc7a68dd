//! OBB tree: oriented bounding boxes around parts of a surface, with any kind of leaves.
//!
//! Which parts of the surface belong to a node is taken from a tree of AABBs
//! ([`Tree`](crate::tree::Tree)), which is built first and then dropped.

use super::obb::Obb;
use super::obb_lanes::ObbLanes;
use super::tree_layout::TreeLayout;
use rayon::prelude::*;
use std::ops::Range;

/// The flag in the index of a child of a node that shows that the child is a packet, a leaf of the
/// tree, and not a node.
pub(in crate::closest) const PACKET: u32 = 1 << 31;

/// The largest absolute coordinate of a point that is not far from the contents of an OBB tree. The
/// unit is that in which the coordinates of the contents, relative to the origin of the tree, are at
/// most 1.
pub(super) const BEYOND: f64 = 1024.0;

/// The least number of nodes or leaves for which one parallel task fits the boxes.
pub(in crate::closest) const FITTED: usize = 64;

/// The nodes of an OBB tree; its leaves are stored elsewhere.
#[derive(Clone, Debug)]
pub(in crate::closest) struct ObbTree {
    /// The nodes, each before its descendants.
    pub nodes: Vec<ObbLanes>,
    /// The root of the tree: the index of a node, or of the only packet (leaf) with the flag
    /// [`PACKET`]. `None` if the tree is empty.
    pub root: Option<u32>,
    /// The origin of the f32 coordinates of the tree: a point where most items are, since f32 is
    /// the most accurate near 0.
    pub origin: [f64; 3],
    /// The power of two by which coordinates relative to `origin` are multiplied to give the f32
    /// coordinates.
    pub scale: f64,
}

impl ObbTree {
    /// Builds the OBB tree: fits an OBB to the items of each child of each node of a layout.
    /// `origin` and `scale` convert coordinates to those of the tree. `around` computes the box
    /// around a range of items in tree order.
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

    /// A point in the f32 coordinates of the OBB tree; `None` if it is so far away that f32 does
    /// not resolve its distances.
    #[inline(always)]
    pub fn packed(&self, point: [f64; 3]) -> Option<[f32; 3]> {
        let scaled: [f64; 3] = std::array::from_fn(|k| (point[k] - self.origin[k]) * self.scale);
        let near = scaled.iter().all(|x| x.abs() <= BEYOND);
        near.then(|| scaled.map(|x| x as f32))
    }
}
