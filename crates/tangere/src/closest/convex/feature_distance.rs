//! Feature distance: closest points, normal and gap of two features (vertices, edges or faces) of
//! convex bodies, in world coordinates.
//!
//! Once the closest features are known, however they were found, their distance is computed here,
//! by one formula for each pair of kinds (vertex, edge, face). The formulas start with one corner
//! of each feature and the vector from one corner to the other.

use super::posed::Posed;
use super::vectors::across;
use crate::contact::{Feature, FeatureKind};
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::ConvexPolyhedron;

/// The sine of the angle of two edges below which they count as parallel, so that they have no
/// feature distance.
const PARALLEL: f64 = 1.0 / (1u64 << 18) as f64;

/// The sine of the angle of two edges below which the rounding error of their cross product is
/// corrected.
const NARROW: f64 = 1.0 / (1u64 << 9) as f64;

/// The closest points, the normal and the gap of two features, one of each body, in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeatureDistance {
    pub point_a: [f64; 3],
    pub point_b: [f64; 3],
    /// The unit normal of the two features from `a` to `b`, in the world.
    pub normal: [f64; 3],
    /// The gap of the two features: the distance of their closest points along the normal, negative
    /// in penetration.
    pub gap: f64,
}

impl FeatureDistance {
    /// This feature distance with the normal reversed and the sign of the gap changed.
    #[inline]
    pub fn flipped(self) -> Self {
        Self {
            normal: self.normal.map(|x| 0.0 - x),
            gap: 0.0 - self.gap,
            ..self
        }
    }
}

/// One corner of each of two features, in the world. The feature distance is computed from them.
#[derive(Clone, Copy)]
pub(super) struct Corners {
    a: [f64; 3],
    b: [f64; 3],
    /// The vector in the world from the corner of the feature of `a` to that of the feature of `b`.
    pub way: [f64; 3],
    /// The scale to which rounding errors are relative: the radii of both bodies plus the distance
    /// of their centers ([`Posed::scale_with`]).
    pub scale: f64,
}

impl Corners {
    /// Vertex `i` of `a` and vertex `j` of `b` in the world, from which a feature distance is
    /// computed.
    #[inline]
    pub fn new(a: &Posed, b: &Posed, [i, j]: [u32; 2]) -> Self {
        let (center_a, center_b) = (a.turned_center(), b.turned_center());
        let between = a.way_to(b, center_a, center_b);
        let (p, q) = (
            a.pose.rotate(a.shape.local(i)),
            b.pose.rotate(b.shape.local(j)),
        );
        let (ta, tb) = (a.pose.translation(), b.pose.translation());
        Self {
            a: std::array::from_fn(|k| ta[k] + (center_a[k] + p[k])),
            b: std::array::from_fn(|k| tb[k] + (center_b[k] + q[k])),
            way: std::array::from_fn(|k| between[k] + (q[k] - p[k])),
            scale: a.scale_with(b, between),
        }
    }

    /// The feature distance of a vertex and a vertex, the two corners themselves.
    #[inline]
    pub fn vertices(&self) -> FeatureDistance {
        let (normal, gap) = unit(self.way);
        FeatureDistance {
            point_a: self.a,
            point_b: self.b,
            normal,
            gap,
        }
    }

    /// The feature distance `answer` with `normal` in place of its own normal, for closest points
    /// that coincide. The gap is then measured along `normal`, which must be orthogonal to the
    /// features that are edges.
    #[inline]
    pub fn with_normal(&self, answer: FeatureDistance, normal: [f64; 3]) -> FeatureDistance {
        FeatureDistance {
            normal,
            gap: dot(normal, self.way),
            ..answer
        }
    }

    /// The feature distance of an edge of `a` and a vertex of `b`, and the parameter of the closest
    /// point along the line of the edge: 0 at its start, 1 at its end. `u` is the vector along the
    /// edge, and `squared` its squared length.
    #[inline]
    pub fn edge_vertex(&self, u: [f64; 3], squared: f64) -> (FeatureDistance, f64) {
        let s = dot(self.way, u) / squared;
        let (normal, gap) = unit(across(plus(self.way, -s, u), u, squared));
        let answer = FeatureDistance {
            point_a: plus(self.a, s, u),
            point_b: self.b,
            normal,
            gap,
        };
        (answer, s)
    }

    /// The feature distance of a vertex of `a` and an edge of `b`, and the parameter of the closest
    /// point along the line of the edge: 0 at its start, 1 at its end. `v` is the vector along the
    /// edge, and `squared` its squared length.
    #[inline]
    pub fn vertex_edge(&self, v: [f64; 3], squared: f64) -> (FeatureDistance, f64) {
        let t = 0.0 - dot(self.way, v) / squared;
        let (normal, gap) = unit(across(plus(self.way, t, v), v, squared));
        let answer = FeatureDistance {
            point_a: self.a,
            point_b: plus(self.b, t, v),
            normal,
            gap,
        };
        (answer, t)
    }

    /// The feature distance of a face of `a` and a vertex of `b`. `normal` is the outward normal of
    /// the face.
    #[inline]
    pub fn face_vertex(&self, normal: [f64; 3]) -> FeatureDistance {
        let gap = dot(normal, self.way);
        FeatureDistance {
            point_a: plus(self.b, -gap, normal),
            point_b: self.b,
            normal,
            gap,
        }
    }

    /// The feature distance of a vertex of `a` and a face of `b`, whose outward normal is opposite
    /// to `normal`.
    #[inline]
    pub fn vertex_face(&self, normal: [f64; 3]) -> FeatureDistance {
        let gap = dot(normal, self.way);
        FeatureDistance {
            point_a: self.a,
            point_b: plus(self.a, gap, normal),
            normal,
            gap,
        }
    }

    /// The feature distance of an edge of `a` and an edge of `b`, and the parameters of the closest
    /// points along them; `None` if the edges are parallel. `u` and `v` are the vectors along the
    /// edges, `uu` and `vv` their squared lengths. The normal is along the cross product `u x v`.
    ///
    /// Let `p` and `q` be the starts of the edges, and let `n = u x v`. Then the two lines `p + s
    /// u` and `q + t v` are nearest where `s = ((q - p) x v) . n / n . n` and `t = ((q - p) x u) .
    /// n / n . n`.
    #[inline]
    pub fn edges(
        &self,
        u: [f64; 3],
        v: [f64; 3],
        uu: f64,
        vv: f64,
    ) -> Option<(FeatureDistance, [f64; 2])> {
        let mut n = cross(u, v);
        let mut squared = dot(n, n);
        let is_narrow = squared < NARROW * NARROW * uu * vv;
        if is_narrow {
            if squared < PARALLEL * PARALLEL * uu * vv {
                return None;
            }
            // A normal made orthogonal to one edge is orthogonal to both, since the edges are
            // nearly parallel.
            n = across(n, u, uu);
            squared = dot(n, n);
        }
        let s = dot(cross(self.way, v), n) / squared;
        let t = if is_narrow {
            // Both parameters are inaccurate, but the projection of one point onto the other edge
            // is as good as any.
            (s * dot(u, v) - dot(self.way, v)) / vv
        } else {
            dot(cross(self.way, u), n) / squared
        };
        let length = squared.sqrt();
        let normal = n.map(|x| x / length);
        let answer = FeatureDistance {
            point_a: plus(self.a, s, u),
            point_b: plus(self.b, t, v),
            normal,
            gap: dot(normal, self.way),
        };
        Some((answer, [s, t]))
    }
}

/// The corner of a feature from which feature distances are computed: the vertex itself, the start
/// of the edge, or the first corner of the face.
#[inline(always)]
pub(super) fn corner(shape: &ConvexPolyhedron, feature: Feature) -> u32 {
    match feature.kind {
        FeatureKind::Vertex => feature.index,
        FeatureKind::Edge => shape.edge_links(feature.index)[0],
        FeatureKind::Face => shape.face_loop(feature.index)[0].origin,
    }
}

/// The point `p + s u`, in the formulas of feature distances.
#[inline]
fn plus(p: [f64; 3], s: f64, u: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| p[k] + s * u[k])
}

/// The normal and the gap of a feature distance: direction and length of the vector between the
/// closest points. The direction is NaN if the length is 0.
#[inline]
fn unit(way: [f64; 3]) -> ([f64; 3], f64) {
    let length = dot(way, way).sqrt();
    (way.map(|x| x / length), length)
}

/// The vector from the start to the end of edge `e`, in the axes of the body, for feature
/// distances.
#[inline]
pub(super) fn along(shape: &ConvexPolyhedron, e: u32) -> [f64; 3] {
    let [p, q, ..] = shape.edge_links(e);
    minus(shape.local(q), shape.local(p))
}
