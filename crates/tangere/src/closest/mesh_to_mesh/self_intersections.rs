//! Self-intersections: all pairs of intersecting triangles of one triangle mesh.

use super::TriangleTree;
use super::intersections::{Intersection, sort};
use crate::geometry::triangle_triangle;

impl TriangleTree {
    /// The self-intersections of this mesh: all pairs of its triangles that have a common point,
    /// each once with `a < b`, in the order of `a` and then of `b`. Replaces the contents of
    /// `found`.
    ///
    /// Triangles that share a vertex touch by construction and are excluded. If the mesh repeats
    /// vertices, weld it first; otherwise all neighbouring triangles are reported.
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

    /// Whether two triangles of the tree share a vertex, so that they are not reported as a
    /// self-intersection.
    #[inline]
    fn are_neighbors(&self, i: u32, j: u32) -> bool {
        let [p, q, r] = self.vertices[i as usize];
        let others = self.vertices[j as usize];
        others.iter().any(|&v| v == p || v == q || v == r)
    }
}
