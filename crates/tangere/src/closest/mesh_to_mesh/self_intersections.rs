//! Self-intersections of a triangle mesh.

use super::TriangleTree;
use super::intersections::{Intersection, sort};
use crate::geometry::triangle_triangle;

impl TriangleTree {
    /// All pairs of triangles of the surface that have a common point, each once with `a < b`, in
    /// the order of `a` and then of `b`.
    ///
    /// Neighbours are excluded: triangles that share a vertex touch by construction. Weld the mesh
    /// first if it repeats vertices, or all neighbours are reported.
    pub fn self_intersections(&self, found: &mut Vec<Intersection>) {
        found.clear();
        self.tree.self_pairs(|i, j| {
            if self.are_neighbors(i, j) {
                return;
            }
            if let Some(kind) = triangle_triangle(self.triangle(i), self.triangle(j)) {
                let (i, j) = (self.face(i), self.face(j));
                found.push(Intersection {
                    a: i.min(j),
                    b: i.max(j),
                    kind,
                });
            }
        });
        sort(found);
    }

    /// Whether two triangles share a vertex.
    #[inline]
    fn are_neighbors(&self, i: u32, j: u32) -> bool {
        let [p, q, r] = self.vertices[i as usize];
        let others = self.vertices[j as usize];
        others.iter().any(|&v| v == p || v == q || v == r)
    }
}
