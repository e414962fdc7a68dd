//! Triangles of a mesh within a distance of a point.
//!
//! Distances of boxes and triangles are computed in f32. Only triangles whose distance differs from
//! the given one by less than the errors are measured in f64.

use super::far_query;
use super::mesh_obb_tree::MeshObbTree;
use crate::closest::obb_tree::PACKET;
use crate::closest::obb_tree::splat;
use crate::closest::obb_tree::{MARGIN, TINY};
use crate::geometry::triangle::closest_inlined;
use crate::simd::{Kernel, Lanes, Vector};
use crate::tree::STACK;

/// The search for the triangles within a distance of one point. It calls `report` with the index of
/// each of these triangles once, in no particular order.
pub(super) struct Within<'a, F> {
    pub tree: &'a MeshObbTree,
    /// The corners of all triangles of the mesh, in the order of their indices in the mesh.
    pub triangles: &'a [[[f64; 3]; 3]],
    pub point: [f64; 3],
    pub distance: f64,
    pub report: F,
}

impl<F: FnMut(u32)> Kernel for Within<'_, F> {
    type Output = ();

    /// Searches for all triangles within the distance of the point, by a far query if the point is
    /// far away.
    #[inline(always)]
    fn run<V: Vector>(mut self) {
        match self.tree.obbs.packed(self.point) {
            Some(packed) => self.near::<V>(packed),
            None => {
                let tree = self.tree;
                far_query::approach::<V>(&tree.obbs, self.point, self.distance, |number, _| {
                    let packet = &tree.packets[number as usize];
                    for lane in Lanes(packet.used) {
                        self.measure(packet.faces[lane]);
                    }
                });
            }
        }
    }
}

impl<F: FnMut(u32)> Within<'_, F> {
    /// The search for all triangles within the distance of a point whose distances f32 resolves;
    /// `packed` is the point in f32 coordinates.
    #[inline(always)]
    fn near<V: Vector>(&mut self, packed: [f32; 3]) {
        let Some(root) = self.tree.obbs.root else {
            return;
        };
        let p = splat::<V>(packed);
        let error = (packed[0].abs() + packed[1].abs() + packed[2].abs()) * MARGIN + TINY;
        // Rounding of the distance is one of the errors; the squared limit is clamped so that empty
        // lanes stay beyond it.
        let distance = (self.distance * self.tree.obbs.scale) as f32;
        let square = |x: f32| (x * x).min(f32::MAX);
        let reach = V::splat(square(distance + error));
        let mut stack = [0u32; STACK];
        stack[0] = root;
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let child = stack[top];
            if child & PACKET == 0 {
                let node = &self.tree.obbs.nodes[child as usize];
                for lane in Lanes(node.squares(p).at_most(reach)) {
                    stack[top] = node.children[lane];
                    top += 1;
                }
                continue;
            }
            let packet = &self.tree.packets[(child & !PACKET) as usize];
            let squares = packet.squares(p);
            let error = error + packet.margin;
            let may = squares.at_most(V::splat(square(distance + error))) & packet.used;
            let surely = match distance > error {
                true => may & squares.below(V::splat(square(distance - error))),
                false => 0,
            };
            for lane in Lanes(surely) {
                (self.report)(packet.faces[lane]);
            }
            for lane in Lanes(may & !surely) {
                self.measure(packet.faces[lane]);
            }
        }
    }

    /// Measures a triangle in f64 and reports it if it is within the distance of the point.
    #[inline(always)]
    fn measure(&mut self, face: u32) {
        let nearest = closest_inlined(self.point, self.triangles[face as usize]);
        // Compares the root, so that a face is found at exactly its reported distance.
        if nearest.distance_squared.sqrt() <= self.distance {
            (self.report)(face);
        }
    }
}
