//! Voronoi region of a feature of a convex body: the points outside of the body that are closer to
//! the feature than to any other. It is bounded by planes, each of which belongs to a neighbouring
//! feature on its other side (schinner1995, "Voronoi regions"; Lin 1993).
//!
//! | feature | planes | on the other side |
//! |---|---|---|
//! | vertex | through it, orthogonal to each of its edges | the edge |
//! | edge | through its ends, orthogonal to it | the vertex |
//! | | through it, orthogonal to each of its faces | the face |
//! | face | through its sides, orthogonal to it | the edge |
//! | | its own | the inside of the body, or what lies behind it |

use super::lin_walk::PlacedBody;
use crate::contact::{Feature, FeatureKind};
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::ConvexPolyhedron;

/// A plane of the Voronoi region of a feature that a point violates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Violated {
    /// The point is on the side of this neighbouring feature.
    Towards(Feature),
    /// The point is behind the plane of the face, and beyond none of its sides.
    Behind,
}

impl PlacedBody<'_> {
    /// Calls `visit` with every plane of the Voronoi region of a feature that `point` violates by
    /// more than `tolerance`, as a length.
    pub(super) fn violated_planes(
        &self,
        feature: Feature,
        point: [f64; 3],
        tolerance: f64,
        mut visit: impl FnMut(Violated),
    ) {
        match feature.kind {
            FeatureKind::Vertex => self.beyond_vertex(feature.index, point, tolerance, &mut visit),
            FeatureKind::Edge => self.beyond_edge(feature.index, point, tolerance, &mut visit),
            FeatureKind::Face => self.beyond_face(feature.index, point, tolerance, &mut visit),
        }
    }

    fn beyond_vertex(
        &self,
        v: u32,
        point: [f64; 3],
        tolerance: f64,
        visit: &mut impl FnMut(Violated),
    ) {
        let corner = self.vertex(v);
        let way = minus(point, corner);
        let ends = self.shape.neighbours(v).iter();
        for (&end, &half_edge) in ends.zip(self.shape.outgoing(v)) {
            let along = unit(minus(self.vertex(end), corner));
            if dot(way, along) > tolerance {
                let edge = self.shape.half_edge(half_edge).edge;
                visit(Violated::Towards(Feature::edge(edge)));
            }
        }
    }

    fn beyond_edge(
        &self,
        e: u32,
        point: [f64; 3],
        tolerance: f64,
        visit: &mut impl FnMut(Violated),
    ) {
        let ends = self.shape.edge_vertices(e);
        let [from, to] = ends.map(|v| self.vertex(v));
        let along = unit(minus(to, from));
        if 0.0 - dot(minus(point, from), along) > tolerance {
            visit(Violated::Towards(Feature::vertex(ends[0])));
        }
        if dot(minus(point, to), along) > tolerance {
            visit(Violated::Towards(Feature::vertex(ends[1])));
        }
        // The left face lies to the left of the edge, the right one of its twin.
        for (face, along) in self.shape.edge_faces(e).into_iter().zip([1.0, -1.0]) {
            if face == ConvexPolyhedron::NO_FACE {
                continue;
            }
            let inward = self.inward(face, from, to).map(|x| along * x);
            if dot(minus(point, from), inward) > tolerance {
                visit(Violated::Towards(Feature::face(face)));
            }
        }
    }

    fn beyond_face(
        &self,
        f: u32,
        point: [f64; 3],
        tolerance: f64,
        visit: &mut impl FnMut(Violated),
    ) {
        let mut is_beyond = false;
        for half_edge in self.shape.face(f) {
            let from = self.vertex(self.shape.half_edge(half_edge).origin);
            let to = self.vertex(self.shape.target(half_edge));
            let inward = self.inward(f, from, to);
            if 0.0 - dot(minus(point, from), inward) > tolerance {
                is_beyond = true;
                let edge = self.shape.half_edge(half_edge).edge;
                visit(Violated::Towards(Feature::edge(edge)));
            }
        }
        // A flat polygon has no inside: a point behind one of its faces is in front of the other.
        let corner = self.vertex(self.shape.half_edge(self.shape.face(f).start).origin);
        let height = dot(self.normal(f), minus(point, corner));
        if !is_beyond && self.shape.dimension() == 3 && 0.0 - height > tolerance {
            visit(Violated::Behind);
        }
    }

    /// The unit vector in the plane of a face that points into it, orthogonal to its side from
    /// `from` to `to`.
    fn inward(&self, face: u32, from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
        unit(cross(self.normal(face), minus(to, from)))
    }
}

/// The direction of a vector; 0 if its length is 0.
fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = dot(v, v).sqrt();
    match length > 0.0 {
        true => v.map(|x| x / length),
        false => [0.0; 3],
    }
}
