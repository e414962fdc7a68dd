//! Validation of a convex polyhedron: exact check of links, counts, flat faces and convex edges, in
//! linear time.
//!
//! The check also accepts a surface that winds around itself several times: it can be a topological
//! sphere whose edges are all convex. The test suite excludes such surfaces by comparing every
//! vertex with every face plane.

use super::ConvexPolyhedron;
use super::coordinate_range::Scaled;
use crate::error::{Argument, Error, Result};
use crate::geometry::{Sign, are_collinear, orient3d};

impl ConvexPolyhedron {
    /// Validates the convex polyhedron: checks the links of its features and Euler's formula. It
    /// also checks, exactly, that the corners of each face lie in one plane and turn left, and that
    /// each edge is convex.
    ///
    /// # Errors
    /// When an invariant is violated: the error names the first feature that violates it. No
    /// polyhedron that this library makes does; the check is for tests.
    pub fn check(&self) -> Result<()> {
        self.check_half_edges()?;
        self.check_rows()?;
        self.check_counts()?;
        let scaled = Scaled::new(Argument::Vertex, &self.vertices)?;
        match self.dimension {
            0 | 1 => Ok(()),
            2 => self.check_flat(&scaled.points),
            _ => self.check_convex(&scaled.points),
        }
    }

    /// Validates the half-edges of the polyhedron: checks that their links to twins, next and
    /// previous half-edges, faces and edges agree.
    fn check_half_edges(&self) -> Result<()> {
        let all = &self.half_edges;
        for (h, x) in (0u32..).zip(all) {
            let at = |h: u32| all.get(h as usize).copied();
            let (Some(twin), Some(next), Some(prev)) = (at(x.twin), at(x.next), at(x.prev)) else {
                return Err(bad(Argument::HalfEdge, h, x, "links in range"));
            };
            let is_linked = twin.twin == h
                && x.twin != h
                && next.prev == h
                && prev.next == h
                && twin.edge == x.edge
                && twin.origin == next.origin
                && next.face == x.face
                && twin.origin != x.origin;
            if !is_linked {
                return Err(bad(Argument::HalfEdge, h, x, "links that agree"));
            }
            if self.edges.get(x.edge as usize) != Some(&h.min(x.twin)) {
                return Err(bad(Argument::HalfEdge, h, x, "an edge that knows it"));
            }
            if self.dimension > 1 && !self.face(x.face).contains(&h) {
                return Err(bad(Argument::HalfEdge, h, x, "a face that has it"));
            }
        }
        Ok(())
    }

    /// Validates the lists of outgoing half-edges and neighbours of each vertex of the polyhedron:
    /// checks that they agree and are in cyclic order.
    fn check_rows(&self) -> Result<()> {
        for v in 0..self.vertex_count() as u32 {
            let row = self.outgoing(v);
            for (i, &h) in row.iter().enumerate() {
                let after = row[(i + 1) % row.len()];
                let turned = self.half_edge(self.half_edge(h).prev).twin;
                let is_right = self.half_edge(h).origin == v
                    && self.neighbours(v)[i] == self.target(h)
                    && after == turned;
                if !is_right {
                    return Err(bad(Argument::Vertex, v, row, "half-edges in cyclic order"));
                }
            }
        }
        let listed = (self.outgoing.len(), self.neighbours.len());
        if listed != (self.half_edges.len(), self.half_edges.len()) {
            let found = format!("{listed:?} entries in rows");
            return Err(Error::argument(
                Argument::Polyhedron,
                found,
                "one a half-edge",
            ));
        }
        Ok(())
    }

    /// Validates the numbers of vertices, edges and faces of the polyhedron by Euler's formula.
    fn check_counts(&self) -> Result<()> {
        let counts = (self.vertex_count(), self.edge_count(), self.face_count());
        let (v, e, f) = counts;
        let holds = match self.dimension {
            0 => counts == (1, 0, 0),
            1 => counts == (2, 1, 0),
            2 => v >= 3 && e == v && f == 2,
            _ => v >= 4 && f >= 4 && v + f == e + 2,
        };
        if holds && self.half_edges.len() == 2 * e && self.sources.len() == v {
            return Ok(());
        }
        Err(Error::argument(
            Argument::Polyhedron,
            format!("{v} vertices, {e} edges and {f} faces"),
            format!("those of dimension {}", self.dimension),
        ))
    }

    /// Validates a flat polygon: checks that its corners lie in one plane and turn left. `points`
    /// has the vertices scaled into the range of exact predicates.
    fn check_flat(&self, points: &[[f64; 3]]) -> Result<()> {
        let corners: Vec<[f64; 3]> = self.face_vertices(0).map(|v| points[v as usize]).collect();
        let n = corners.len();
        // With any point above the plane, turning left is an orientation in space.
        let [a, b, c] = [0, n / 3, 2 * n / 3].map(|i| corners[i]);
        let normal = self.normal(0);
        let size = super::extent::distance(self.bounds.max, self.bounds.min);
        let size = libm::scalbn(
            size,
            Scaled::new(Argument::Vertex, &self.vertices)?.exponent,
        );
        let above = [0, 1, 2].map(|k| a[k] + size * normal[k]);
        for i in 0..n {
            let [p, q, r] = [0, 1, 2].map(|k| corners[(i + k) % n]);
            let is_right = orient3d(a, b, c, p).is_zero()
                && !are_collinear(p, q, r)
                && orient3d(p, q, r, above) == Sign::Positive;
            if !is_right {
                return Err(bad(
                    Argument::Vertex,
                    i as u32,
                    p,
                    "a convex corner in the plane",
                ));
            }
        }
        Ok(())
    }

    /// Validates convexity: checks that the corners of each face lie in one plane and turn left,
    /// and that each edge is convex. `points` has the vertices scaled into the range of exact
    /// predicates.
    fn check_convex(&self, points: &[[f64; 3]]) -> Result<()> {
        let at = |h: u32| points[self.half_edge(h).origin as usize];
        for f in 0..self.face_count() as u32 {
            let face = self.face(f);
            let n = face.end - face.start;
            let [a, b, c] = [0, n / 3, 2 * n / 3].map(|i| at(face.start + i));
            for h in face {
                let x = self.half_edge(h);
                let apex = at(self.half_edge(x.twin).prev);
                if !orient3d(a, b, c, at(h)).is_zero() {
                    return Err(bad(Argument::Face, f, at(h), "corners in one plane"));
                }
                if orient3d(a, b, c, apex) != Sign::Negative {
                    return Err(bad(Argument::Edge, x.edge, apex, "a convex edge"));
                }
                if orient3d(at(x.prev), at(h), at(x.next), apex) != Sign::Negative {
                    return Err(bad(Argument::Face, f, at(h), "corners that turn left"));
                }
            }
        }
        Ok(())
    }
}

/// Returns the error of validation for the feature of kind `what` and index `index`, which violates
/// an invariant: `found` is the invalid value, `expected` the invariant.
fn bad(what: Argument, index: u32, found: impl std::fmt::Debug, expected: &str) -> Error {
    Error::item(what, index as usize, format!("{found:?}"), expected)
}
