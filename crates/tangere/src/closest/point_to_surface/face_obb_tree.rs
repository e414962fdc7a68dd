//! A tree of faces of any kind: boxes turned to fit their control points, and parts of the
//! surface in turned boxes.
//!
//! Boxes are in f32. What is left out is farther than what was asked for by more than all errors.

use super::face_bound::{FaceBound, centered};
use super::far_query;
use super::obb_lanes::{Obb, ObbLanes};
use super::obb_tree::{FITTED, ObbTree, PACKET, TreeLayout};
use super::triangle_packet::{MARGIN, TINY};
use crate::geometry::vector::{cross, minus};
use crate::shape::FaceMesh;
use crate::simd::{Lanes, Vector};
use crate::tree::{STACK, Tree};
use rayon::prelude::*;
use std::ops::Range;

/// Faces for searches.
#[derive(Clone, Debug)]
pub(super) struct FaceObbTree {
    boxes: ObbTree,
    /// Up to eight faces each, by their places in the order of the tree.
    leaves: Vec<ObbLanes>,
}

/// What remains to be looked at, for any number of searches, one after the other.
pub(super) type Stack = [(f32, u32); STACK];

/// A stack with nothing on it.
pub(super) const NOTHING: Stack = [(0.0, 0); STACK];

impl FaceObbTree {
    /// The tree, and the faces in its order.
    pub fn new(mesh: &FaceMesh) -> (Self, Vec<u32>) {
        let tree = Tree::new(mesh.len(), |f| FaceBound::bounds(&mesh.face(f)))
            .expect("a mesh has finite nodes and few enough faces");
        let (origin, scale) = tree.unit();
        let deal = TreeLayout::new(&tree);
        drop(tree);
        // Control points and normals in the unit of the tree, in its order.
        let mut points = Vec::new();
        let mut normals = Vec::with_capacity(mesh.len());
        let mut starts = Vec::with_capacity(mesh.len() + 1);
        starts.push(0);
        for &f in &deal.order {
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
        let leaves = deal.packets.par_iter().with_min_len(FITTED).map(leaf);
        let patches = FaceObbTree {
            leaves: leaves.collect(),
            boxes: ObbTree::new(&deal, (origin, scale), around),
        };
        (patches, deal.order)
    }

    /// The place of a face that is likely to be the nearest.
    #[inline(always)]
    pub fn likely<V: Vector>(&self, point: [f64; 3]) -> u32 {
        let (Some(mut child), Some(packed)) = (self.boxes.root, self.boxes.packed(point)) else {
            return 0;
        };
        let p = splat::<V>(packed);
        while child & PACKET == 0 {
            let node = &self.boxes.nodes[child as usize];
            child = node.children[node.likely(p)];
        }
        let leaf = &self.leaves[(child & !PACKET) as usize];
        leaf.children[leaf.likely(p)]
    }

    /// Calls `visit(place, limit)` with the place of every face that may be within `limit` of a point; `visit` may
    /// lower it. The order is fixed, for a limit that is not lowered so are the faces.
    #[inline(always)]
    pub fn approach<V: Vector>(
        &self,
        point: [f64; 3],
        limit: f64,
        stack: &mut Stack,
        mut visit: impl FnMut(u32, &mut f64),
    ) {
        let Some(root) = self.boxes.root else {
            return;
        };
        let Some(packed) = self.boxes.packed(point) else {
            return self.approach_from_afar::<V>(point, limit, &mut visit);
        };
        let p = splat::<V>(packed);
        let error = (packed[0].abs() + packed[1].abs() + packed[2].abs()) * MARGIN + TINY;
        // Rounding the limit is one of the errors; a lane without a box is beyond all numbers.
        let square = |limit: f64| {
            let far = (limit * self.boxes.scale) as f32 + error;
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
                0 => &self.boxes.nodes[child as usize],
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
            let mut lanes = [0.0; 8];
            squares.store(&mut lanes);
            // The nearest comes last, and so is next.
            let bottom = top;
            for lane in Lanes(hits) {
                let entry = (lanes[lane], node.children[lane]);
                let mut at = top;
                top += 1;
                while at > bottom && stack[at - 1].0 < entry.0 {
                    stack[at] = stack[at - 1];
                    at -= 1;
                }
                stack[at] = entry;
            }
        }
    }

    /// The same from where f32 does not tell distances apart.
    #[cold]
    #[inline(never)]
    fn approach_from_afar<V: Vector>(
        &self,
        point: [f64; 3],
        limit: f64,
        visit: &mut impl FnMut(u32, &mut f64),
    ) {
        far_query::approach::<V>(&self.boxes, point, limit, |number, limit| {
            for face in self.leaves[number as usize].children {
                if face != u32::MAX {
                    visit(face, limit);
                }
            }
        });
    }
}

#[inline(always)]
fn splat<V: Vector>(p: [f32; 3]) -> [V; 3] {
    [V::splat(p[0]), V::splat(p[1]), V::splat(p[2])]
}
