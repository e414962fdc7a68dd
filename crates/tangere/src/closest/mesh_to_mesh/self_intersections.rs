//! Self-intersections: all pairs of intersecting triangles of one triangle mesh.

use super::TriangleTree;
use super::intersections::{Intersection, sort};
use crate::error::{Argument, Result};
use crate::geometry::triangle_triangle;
use crate::memory;
use std::cell::Cell;

impl TriangleTree {
    /// The self-intersections of this mesh: all pairs of its triangles that have a common point,
    /// each once with `a < b`, in the order of `a` and then of `b`. Replaces the contents of
    /// `found`.
    ///
    /// Triangles that share a vertex touch by construction and are excluded. If the mesh repeats
    /// vertices, weld it first; otherwise all neighbouring triangles are reported.
    ///
    /// # Errors
    /// When memory runs out; `found` is empty then.
    pub fn self_intersections(&self, found: &mut Vec<Intersection>) -> Result<()> {
        found.clear();
        let (mut pushed, more) = (Ok(()), Cell::new(true));
        let visit = |pair| {
            if pushed.is_ok() {
                pushed = memory::push(found, pair, Argument::Items);
                more.set(pushed.is_ok());
            }
        };
        self.visit_self_intersections(visit, &more);
        sort(found);
        pushed
    }

    /// The number of self-intersections.
    pub(crate) fn self_intersection_count(&self) -> usize {
        let mut count = 0;
        self.visit_self_intersections(|_| count += 1, &Cell::new(true));
        count
    }

    /// Calls `visit` with every self-intersection, in any order, until it sets `more` to false.
    fn visit_self_intersections(&self, mut visit: impl FnMut(Intersection), more: &Cell<bool>) {
        let test = |i, j| {
            if self.are_neighbors(i, j) {
                return;
            }
            if let Some(kind) = triangle_triangle(self.triangle(i), self.triangle(j)) {
                let (i, j) = (self.face(i), self.face(j));
                let (a, b) = (i.min(j), i.max(j));
                visit(Intersection { a, b, kind });
            }
        };
        self.tree.self_pairs_while(test, more);
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
