//! OBB tree of a triangle mesh. Its leaves, the packets, have up to eight triangles each.
//!
//! A triangle takes about 115 bytes. Regrouping packets so that the nodes above them have six
//! children instead of four was measured: searches visit fewer nodes but take as long.

use super::triangle_packet::Packet;
use crate::closest::obb_tree::Obb;
use crate::closest::obb_tree::TreeLayout;
use crate::closest::obb_tree::{FITTED, ObbTree};
use crate::shape::TriMesh;
use crate::tree::Tree;
use rayon::prelude::*;
use std::ops::Range;

/// The OBB tree of a triangle mesh.
#[derive(Clone, Debug)]
pub(super) struct MeshObbTree {
    pub obbs: ObbTree,
    pub packets: Vec<Packet>,
}

impl MeshObbTree {
    /// Builds the OBB tree of a triangle mesh.
    pub fn new(mesh: &TriMesh) -> Self {
        let tree = Tree::of_mesh(mesh);
        let (origin, scale) = tree.unit();
        let layout = TreeLayout::new(&tree);
        drop(tree);
        let scaled = |face: &u32| {
            let corners = mesh.triangle(*face as usize);
            corners.map(|c| std::array::from_fn(|k| (c[k] - origin[k]) * scale))
        };
        let triangles: Vec<[[f64; 3]; 3]> = layout.order.par_iter().map(scaled).collect();
        let packet = |part: &Range<usize>| {
            Packet::new(&triangles[part.clone()], &layout.order[part.clone()])
        };
        let packets = layout.packets.par_iter().with_min_len(FITTED).map(packet);
        MeshObbTree {
            obbs: ObbTree::new(&layout, (origin, scale), |part| {
                Obb::of_triangles(&triangles[part])
            }),
            packets: packets.collect(),
        }
    }
}
