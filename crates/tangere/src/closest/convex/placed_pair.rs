//! Placed pair: all vertices of two bodies in common axes, for methods that visit every vertex.
//!
//! The axes are those of the world, and the origin is the center of the first body: so no digits
//! are lost far from the origin of the world.

use super::posed::Posed;
use super::vectors::{length, unit};
use crate::contact::{Feature, FeatureKind};
use crate::geometry::Pose;
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::ConvexPolyhedron;

/// A body with the positions of all its vertices in the common axes of a pair: the axes of the
/// world, with the center of the first body of the pair as origin.
pub(super) struct PlacedBody<'s> {
    pub shape: &'s ConvexPolyhedron,
    pose: &'s Pose,
    pub vertices: Vec<[f64; 3]>,
}

/// Two bodies with all their vertices in common axes: those of the world, with the center of the
/// first body as origin.
pub(super) struct PlacedPair<'s> {
    pub a: PlacedBody<'s>,
    pub b: PlacedBody<'s>,
    /// The center of the first body of the pair, rotated by the pose of this body but not
    /// translated.
    center: [f64; 3],
    /// The sum of the radii of the two bodies. The radius of a body is the distance from its center
    /// to its farthest vertex.
    pub size: f64,
    /// The magnitude to which rounding errors of lengths are relative: `size`, plus the distance of
    /// the centers, plus the distance of each center from the origin of its own shape.
    pub reach: f64,
    /// The magnitude to which rounding errors of points in the world are relative: `reach` plus the
    /// lengths of the translations of both poses.
    pub world: f64,
}

impl<'s> PlacedPair<'s> {
    /// Places a pair of bodies in common axes: those of the world, with the center of `a` as
    /// origin.
    pub fn new(a: Posed<'s>, b: Posed<'s>) -> Self {
        let center = a.pose.rotate(a.shape.center());
        let apart = minus(b.pose.rotate(b.shape.center()), center);
        let moved = minus(b.pose.translation(), a.pose.translation());
        let between: [f64; 3] = std::array::from_fn(|k| moved[k] + apart[k]);
        let size = a.shape.radius() + b.shape.radius();
        let reach = size + length(between) + length(a.shape.center()) + length(b.shape.center());
        Self {
            a: PlacedBody::new(a, [0.0; 3]),
            b: PlacedBody::new(b, between),
            center,
            size,
            reach,
            world: reach + length(a.pose.translation()) + length(b.pose.translation()),
        }
    }

    /// The position of a point of the world in the common axes of the placed pair, whose origin is
    /// the center of the first body.
    pub fn to_common_axes(&self, p: [f64; 3]) -> [f64; 3] {
        minus(minus(p, self.a.pose.translation()), self.center)
    }

    /// The world position of a point given in the common axes of the placed pair, whose origin is
    /// the center of the first body.
    pub fn world_point(&self, p: [f64; 3]) -> [f64; 3] {
        let t = self.a.pose.translation();
        std::array::from_fn(|k| t[k] + (self.center[k] + p[k]))
    }

    /// The separation of the placed pair along `normal`: the distance of the support planes of both
    /// bodies, over all vertices. It is a lower bound of the gap.
    pub fn gap_along(&self, normal: [f64; 3]) -> f64 {
        let back = normal.map(|x| 0.0 - x);
        0.0 - (dot(normal, self.a.farthest(normal)) + dot(back, self.b.farthest(back)))
    }

    /// Support function of the Minkowski difference of a placed pair, over all vertices: the point
    /// `x - y`, with `x` in `a` and `y` in `b`, that is farthest in a direction.
    pub fn support(&self, way: [f64; 3]) -> [f64; 3] {
        minus(self.a.farthest(way), self.b.farthest(way.map(|x| 0.0 - x)))
    }
}

impl<'s> PlacedBody<'s> {
    /// Places one body of a pair in the common axes, whose origin is the center of the first body.
    /// `at` is the position of the center of this body.
    fn new(body: Posed<'s>, at: [f64; 3]) -> Self {
        let center = body.shape.center();
        let place = |&v: &[f64; 3]| {
            let turned = body.pose.rotate(minus(v, center));
            std::array::from_fn(|k| turned[k] + at[k])
        };
        Self {
            shape: body.shape,
            pose: body.pose,
            vertices: body.shape.vertices().iter().map(place).collect(),
        }
    }

    /// The position of vertex `v` of a placed body in the common axes.
    pub fn vertex(&self, v: u32) -> [f64; 3] {
        self.vertices[v as usize]
    }

    /// The ends of edge `e` of a placed body in the common axes.
    pub fn ends(&self, e: u32) -> [[f64; 3]; 2] {
        self.shape.edge_vertices(e).map(|v| self.vertex(v))
    }

    /// The outward normal of face `f` of a placed body in the common axes.
    pub fn normal(&self, f: u32) -> [f64; 3] {
        self.pose.rotate(self.shape.normal(f))
    }

    /// Support function of a placed body: its vertex farthest in a direction, over all vertices.
    pub fn farthest(&self, way: [f64; 3]) -> [f64; 3] {
        let mut best = (f64::NEG_INFINITY, self.vertices[0]);
        for &v in &self.vertices {
            let along = dot(way, v);
            if along > best.0 {
                best = (along, v);
            }
        }
        best.1
    }

    /// The sides of face `f` of a placed body: the start of each side, and the inward unit vector
    /// in the face that is orthogonal to the side.
    pub fn sides(&self, f: u32) -> impl Iterator<Item = ([f64; 3], [f64; 3])> + '_ {
        let normal = self.normal(f);
        self.shape.face(f).map(move |h| {
            let from = self.vertex(self.shape.half_edge(h).origin);
            let to = self.vertex(self.shape.target(h));
            (from, unit(cross(normal, minus(to, from))))
        })
    }

    /// The distance from a point to the nearest side of face `f` of a placed body, in the plane of
    /// the face; negative beyond a side.
    pub fn inside(&self, f: u32, point: [f64; 3]) -> f64 {
        self.sides(f)
            .map(|(from, inward)| dot(inward, minus(point, from)))
            .fold(f64::INFINITY, f64::min)
    }

    /// Whether a placed body has a feature: its index is in range.
    pub fn has(&self, feature: Feature) -> bool {
        let count = match feature.kind {
            FeatureKind::Vertex => self.shape.vertex_count(),
            FeatureKind::Edge => self.shape.edge_count(),
            FeatureKind::Face => self.shape.face_count(),
        };
        (feature.index as usize) < count
    }
}
