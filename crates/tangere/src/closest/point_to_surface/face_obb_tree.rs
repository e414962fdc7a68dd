//! OBB tree of finite element faces. Its leaves have an OBB around the control points of each face.
//!
//! Boxes are in f32. A box is skipped only if it is farther from the query point than the limit of
//! the search, by more than all rounding errors together.

use super::face_bound::{FaceBound, centered};
use super::far_query;
use crate::closest::obb_tree::Obb;
use crate::closest::obb_tree::TreeLayout;
use crate::closest::obb_tree::{FITTED, ObbTree, PACKET};
use crate::closest::obb_tree::{MARGIN, TINY};
use crate::closest::obb_tree::{ObbLanes, Stack, splat};
use crate::geometry::vector::{cross, minus};
use crate::shape::FaceMesh;
use crate::simd::{Lanes, Vector};
use crate::tree::Tree;
use rayon::prelude::*;
use std::ops::Range;

/// The OBB tree of finite element faces.
#[derive(Clone, Debug)]
pub(super) struct FaceObbTree {
    obbs: ObbTree,
    /// The leaves of the tree, with the OBBs of up to eight faces each. The children of a leaf are
    /// the faces themselves, given by their indices in tree order.
    leaves: Vec<ObbLanes>,
}

impl FaceObbTree {
    /// Builds the OBB tree of a mesh of finite element faces. Returns it, and a list of all faces
    /// in tree order, by their indices in the mesh.
    pub fn new(mesh: &FaceMesh) -> (Self, Vec<u32>) {
        let tree = Tree::new(mesh.len(), |f| FaceBound::bounds(&mesh.face(f)))
            .expect("a mesh has finite nodes and few enough faces");
        let (origin, scale) = tree.unit();
        let layout = TreeLayout::new(&tree);
        drop(tree);
        // Control points and normals in the unit and order of the tree.
        let mut points = Vec::new();
        let mut normals = Vec::with_capacity(mesh.len());
        let mut starts = Vec::with_capacity(mesh.len() + 1);
        starts.push(0);
        for &f in &layout.order {
            let (middle, face) = centered(&mesh.face(f as usize));
            let away = minus(middle, origin);
            let controls = face.control_points();
            points.extend(
                controls
                    .as_slice()
                    .iter()
                    .map(|p| -> [f64; 3] { std::array::from_fn(|k| (p[k] + away[k]) * scale) }),
            );
            starts.push(points.len());
            let [u, v] = face.tangents(face.kind().center());
            normals.push(cross(u.map(|x| x * scale), v.map(|x| x * scale)));
        }
        let around = |part: Range<usize>| {
            let mut normal = [0.0; 3];
            for n in &normals[part.clone()] {
                for k in 0..3 {
                    normal[k] += n[k];
                }
            }
            Obb::around(&points[starts[part.start]..starts[part.end]], normal)
        };
        let leaf = |part: &Range<usize>| {
            let mut leaf = ObbLanes::EMPTY;
            for (lane, i) in part.clone().enumerate() {
                leaf.set(lane, &around(i..i + 1));
                leaf.children[lane] = i as u32;
            }
            leaf
        };
        let leaves = layout.packets.par_iter().with_min_len(FITTED).map(leaf);
        let obb_tree = FaceObbTree {
            leaves: leaves.collect(),
            obbs: ObbTree::new(&layout, (origin, scale), around),
        };
        (obb_tree, layout.order)
    }

    /// The index in tree order of a finite element face that is likely to be the nearest to a
    /// point, by one descent of the OBB tree.
    #[inline(always)]
    pub fn likely<V: Vector>(&self, point: [f64; 3]) -> u32 {
        let (Some(mut child), Some(packed)) = (self.obbs.root, self.obbs.packed(point)) else {
            return 0;
        };
        let p = splat::<V>(packed);
        while child & PACKET == 0 {
            let node = &self.obbs.nodes[child as usize];
            child = node.children[node.likely(p)];
        }
        let leaf = &self.leaves[(child & !PACKET) as usize];
        leaf.children[leaf.likely(p)]
    }

    /// Searches the OBB tree of finite element faces: calls `visit(place, limit)` with the index in
    /// tree order of every face that may be within `limit` of a point. `visit` may lower the limit.
    /// The faces are visited in a fixed order; if the limit is not lowered, the set of visited
    /// faces is fixed too.
    #[inline(always)]
    pub fn approach<V: Vector>(
        &self,
        point: [f64; 3],
        limit: f64,
        stack: &mut Stack,
        mut visit: impl FnMut(u32, &mut f64),
    ) {
        let Some(root) = self.obbs.root else {
            return;
        };
        let Some(packed) = self.obbs.packed(point) else {
            return self.approach_from_afar::<V>(point, limit, &mut visit);
        };
        let p = splat::<V>(packed);
        let error = (packed[0].abs() + packed[1].abs() + packed[2].abs()) * MARGIN + TINY;
        // Rounding of the limit is one of the errors; a lane without a box is infinitely far.
        let square = |limit: f64| {
            let far = (limit * self.obbs.scale) as f32 + error;
            (far * far).min(f32::MAX)
        };
        let mut limit = limit;
        let mut reach = square(limit);
        stack[0] = (0.0, root);
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (near, child) = stack[top];
            if near > reach {
                continue;
            }
            let node = match child & PACKET {
                0 => &self.obbs.nodes[child as usize],
                _ => &self.leaves[(child & !PACKET) as usize],
            };
            let squares = node.squares(p);
            let hits = squares.at_most(V::splat(reach));
            if child & PACKET != 0 {
                for lane in Lanes(hits) {
                    visit(node.children[lane], &mut limit);
                }
                reach = square(limit);
                continue;
            }
            node.push(hits, squares, stack, &mut top);
        }
    }

    /// Searches the OBB tree of finite element faces, as [`approach`](Self::approach), for points
    /// so far away that f32 does not resolve their distances.
    #[cold]
    #[inline(never)]
    fn approach_from_afar<V: Vector>(
        &self,
        point: [f64; 3],
        limit: f64,
        visit: &mut impl FnMut(u32, &mut f64),
    ) {
        far_query::approach::<V>(&self.obbs, point, limit, |number, limit| {
            for face in self.leaves[number as usize].children {
                if face != u32::MAX {
                    visit(face, limit);
                }
            }
        });
    }
}
