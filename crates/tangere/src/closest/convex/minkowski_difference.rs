//! Minkowski difference of two convex bodies `a` and `b`: its vertices, support function and faces.
//!
//! It is the set of all `x - y` with `x` in `a` and `y` in `b`. It is convex, and it contains the
//! origin if and only if the bodies intersect. A vertex of it is given by a pair of vertices, one
//! of each body.

use super::feature_distance::along;
use super::relative_frame::RelativeFrame;
use super::voronoi_criterion::least;
use crate::contact::{Feature, FeatureKind};
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::ConvexPolyhedron;

impl RelativeFrame<'_> {
    /// The point of the Minkowski difference that belongs to a pair of vertices: the vertex
    /// `pair[0]` of `a` minus the vertex `pair[1]` of `b`.
    #[inline]
    pub fn difference(&self, pair: [u32; 2]) -> [f64; 3] {
        minus(self.vertex_a(pair[0]), self.vertex_b(pair[1]))
    }

    /// Support function of the Minkowski difference: the vertex of `a` farthest along `normal` and
    /// the vertex of `b` farthest against it, found by hill climbing from the vertices `from`.
    #[inline]
    pub fn support(&self, normal: [f64; 3], from: [u32; 2]) -> [u32; 2] {
        let back = self.turned_back(normal).map(|x| 0.0 - x);
        [self.a.climb(from[0], normal), self.b.climb(from[1], back)]
    }

    /// Where the support function of the Minkowski difference starts: vertices of both bodies from
    /// which hill climbing to the support along `normal` is short.
    pub fn starts(&self, normal: [f64; 3]) -> [u32; 2] {
        let back = self.turned_back(normal).map(|x| 0.0 - x);
        [self.a.start(normal), self.b.start(back)]
    }

    /// The separation of the bodies along `normal`, by the support function of the Minkowski
    /// difference: the distance of their support planes, negative if the bodies overlap along
    /// `normal`. Hill climbing starts from the vertices `from`.
    pub fn separation(&self, normal: [f64; 3], from: [u32; 2]) -> f64 {
        let pair = self.support(normal, from);
        0.0 - dot(normal, self.difference(pair))
    }

    /// Upper bound of the distance by which any point of the Minkowski difference has moved since
    /// an earlier query of the two bodies. The frame of that query had this `rotation` and `shift`.
    #[inline]
    pub fn motion_since(&self, rotation: &[[f64; 3]; 3], shift: [f64; 3]) -> f64 {
        let moved = minus(self.shift, shift);
        let mut turned = 0.0;
        for i in 0..3 {
            for j in 0..3 {
                let change = self.rotation[i][j] - rotation[i][j];
                turned += change * change;
            }
        }
        // The difference of two rotation matrices that differ by an angle x has spectral norm 2
        // sin(x / 2), and the sum of its squared entries is twice the square of that.
        dot(moved, moved).sqrt() + (0.5 * turned).sqrt() * self.b.radius()
    }

    /// The distance from the projection of the origin onto a face of the Minkowski difference to
    /// the nearest side of this face. Two features make the face: a face and a vertex, or two
    /// edges. The parameters of the closest points along the two edges, from 0 to 1, are `s` and
    /// `t`. For other features the distance is 0, since they make no face.
    pub fn rim(&self, [on_a, on_b]: [Feature; 2], [s, t]: [f64; 2]) -> f64 {
        use FeatureKind::{Edge, Face};
        match (on_a.kind, on_b.kind) {
            (Face, _) => face_rim(self.a, on_a.index, self.vertex_b(on_b.index)),
            (_, Face) => {
                let point = minus(self.vertex_a(on_a.index), self.shift);
                face_rim(self.b, on_b.index, self.turned_back(point))
            }
            (Edge, Edge) => {
                let u = along(self.a, on_a.index);
                let v = self.turned(along(self.b, on_b.index));
                let n = cross(u, v);
                let across = dot(n, n);
                // Along one edge, measured orthogonally to the other.
                let along_a = least(s, 1.0 - s) * (across / dot(v, v)).sqrt();
                let along_b = least(t, 1.0 - t) * (across / dot(u, u)).sqrt();
                along_a.min(along_b)
            }
            _ => 0.0,
        }
    }
}

/// Whether two features of convex bodies make a face of their Minkowski difference.
pub(super) fn is_face(features: [Feature; 2]) -> bool {
    use FeatureKind::{Edge, Face, Vertex};
    matches!(
        features.map(|f| f.kind),
        [Face, Vertex] | [Edge, Edge] | [Vertex, Face]
    )
}

/// The distance from the projection of a point onto a face `f` of a body to the nearest side of the
/// face; negative beyond a side. The point is given in the axes of the body, relative to its
/// center. If the point is a vertex of the other body, this is also the distance from the projected
/// origin to the nearest side of the face of the Minkowski difference that `f` and the vertex make.
pub(super) fn face_rim(shape: &ConvexPolyhedron, f: u32, point: [f64; 3]) -> f64 {
    let normal = shape.normal(f);
    let sides = shape.face_loop(f);
    let mut rim = f64::INFINITY;
    let mut from = shape.local(sides[sides.len() - 1].origin);
    for half_edge in sides {
        let to = shape.local(half_edge.origin);
        let along = minus(to, from);
        let inside = dot(normal, cross(along, minus(point, from)));
        rim = rim.min(inside / dot(along, along).sqrt());
        from = to;
    }
    rim
}
