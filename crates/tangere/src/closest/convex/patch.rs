//! Contact patch (contact manifold) of two convex bodies.
//!
//! A contact has one point on each body. Where a face lies on a face, or an edge on a face or along
//! an edge, a stable simulation needs all corners of the contact area. They are found by projecting
//! both features along the normal and clipping one by the sides of the other
//! ([`clip`](super::clip)).
//!
//! Cost: proportional to the number of corners of the features; for two faces, to the product of
//! both numbers.

use super::clip::{Clip, View};
use super::posed::Posed;
use super::relative_frame::RelativeFrame;
use super::rescaled::Rescaled;
use crate::contact::{Contact, Feature, FeatureKind};
use crate::geometry::Pose;
use crate::geometry::vector::{dot, minus};
use crate::shape::ConvexPolyhedron;

/// The distance from the contact plane up to which the vertices of a feature belong to the contact
/// patch, relative to the sum of the radii of the bodies. In a simulation, bodies at rest on each
/// other rock by less.
const BAND: f64 = 4e-6;

/// The largest sine of the angle between the contact plane and a feature that belongs to the
/// contact patch. [`BAND`] alone would admit steep features that are smaller than the band.
const STEEP: f64 = 1e-3;

/// A corner of a contact patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchPoint {
    /// The point on `a` at this corner of the contact patch, in the world.
    pub point_a: [f64; 3],
    /// The point on `b` at this corner of the contact patch, in the world: `point_a` plus `gap`
    /// times the normal. Where the patch is the common segment of two nearly parallel edges,
    /// `point_b` is beside this point, by no more than the edges diverge.
    pub point_b: [f64; 3],
    /// The distance from `point_a` to `point_b` along the contact normal; negative in penetration.
    pub gap: f64,
    /// The feature on which `point_a` lies: a vertex of `a` over a face of `b`, the face of `a`
    /// over a vertex of `b`, or an edge of `a` that crosses an edge of `b`. It stays the same from
    /// step to step while bodies move a little.
    pub feature_a: Feature,
    /// The feature on which `point_b` lies: a vertex of `b` over a face of `a`, the face of `b`
    /// over a vertex of `a`, or an edge of `b` that crosses an edge of `a`.
    pub feature_b: Feature,
}

impl PatchPoint {
    /// This corner of a contact patch with the bodies `a` and `b` exchanged.
    pub fn mirrored(&self) -> Self {
        Self {
            point_a: self.point_b,
            point_b: self.point_a,
            gap: self.gap,
            feature_a: self.feature_b,
            feature_b: self.feature_a,
        }
    }
}

/// The contact patch of two convex bodies; its buffers are reused from update to update.
///
/// ```
/// use tangere::closest::{Patch, Tracker};
/// use tangere::geometry::Pose;
/// use tangere::shape::ConvexPolyhedron;
///
/// let cube: Vec<[f64; 3]> = (0..8).map(|i| [0, 1, 2].map(|k| f64::from(i >> k & 1))).collect();
/// let cube = ConvexPolyhedron::hull(&cube)?;
/// let (here, there) = (Pose::identity(), "0.5,0.25,1".parse()?);
/// let contact = Tracker::new().contact(&cube, &here, &cube, &there);
/// let mut patch = Patch::new();
/// patch.update(&cube, &here, &cube, &there, &contact);
/// let corners: Vec<_> = patch.points().iter().map(|p| p.point_a).collect();
/// assert_eq!(corners.len(), 4);
/// assert!(corners.contains(&[0.5, 0.25, 1.0]) && corners.contains(&[1.0, 1.0, 1.0]));
/// assert_eq!(patch.center().map(|p| p.point_b), Some([0.75, 0.625, 1.0]));
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Patch {
    points: Vec<PatchPoint>,
    center: Option<PatchPoint>,
    clip: Clip,
}

impl Patch {
    /// An empty contact patch.
    pub fn new() -> Self {
        Self::default()
    }

    /// The corners of the contact patch: those of a polygon, counterclockwise about the normal of
    /// the contact; the two ends of a segment; or the one point of the contact. Empty before the
    /// first [`update`](Self::update).
    pub fn points(&self) -> &[PatchPoint] {
        &self.points
    }

    /// The center of the contact patch: the centroid of the polygon, the middle of the segment, or
    /// the one point. Its two features, one of each body, are those whose projections along the
    /// contact normal intersect in the patch. `None` before the first [`update`](Self::update).
    pub fn center(&self) -> Option<PatchPoint> {
        self.center
    }

    /// Computes the contact patch of two bodies from their contact.
    ///
    /// The result depends on the bodies, their poses and the contact alone. If the bodies
    /// are exchanged, so are the two points of every corner, and the corners come in reverse order
    /// from the same first one, bit for bit.
    pub fn update(
        &mut self,
        a: &ConvexPolyhedron,
        pose_a: &Pose,
        b: &ConvexPolyhedron,
        pose_b: &Pose,
        contact: &Contact,
    ) {
        let [a, b] = [(a, pose_a), (b, pose_b)].map(|(shape, pose)| Posed { shape, pose });
        // One order of the bodies, whichever is given first.
        let is_mirrored = contact.normal < [0.0; 3];
        if is_mirrored {
            self.ordered(b, a, &contact.mirrored());
            for point in self.points.iter_mut().chain(&mut self.center) {
                *point = point.mirrored();
            }
            if let [_, rest @ ..] = &mut self.points[..] {
                rest.reverse();
            }
        } else {
            self.ordered(a, b, contact);
        }
    }

    /// Computes the contact patch of two bodies, which [`update`](Self::update) has put in an order
    /// that does not depend on the caller.
    fn ordered(&mut self, a: Posed, b: Posed, contact: &Contact) {
        if let Some(rescaled) = Rescaled::new(a, b) {
            if rescaled.has_speck() {
                self.only_point_of(contact);
                return;
            }
            self.ordered(rescaled.a(), rescaled.b(), &rescaled.rescaled(contact));
            for point in self.points.iter_mut().chain(&mut self.center) {
                *point = rescaled.given_corner(point);
            }
            return;
        }
        let frame = RelativeFrame::new(a, b);
        let (m, n) = (a.pose.rotation_matrix(), contact.normal);
        let normal = std::array::from_fn(|k| m[0][k] * n[0] + m[1][k] * n[1] + m[2][k] * n[2]);
        let band = BAND * (a.shape.radius() + b.shape.radius());
        let back = frame.turned_back(normal).map(|x| 0.0 - x);
        let features = [
            touching(a.shape, contact.feature_a, normal, band),
            touching(b.shape, contact.feature_b, back, band),
        ];
        let view = View::new(&frame, features, normal);
        self.clip.find(&view);
        let point = |features: [Feature; 2], at: [f64; 2]| {
            let [p, q] = [0, 1].map(|body| view.point_on(body, features[body], at));
            PatchPoint {
                point_a: a.world(p),
                point_b: b.world(q),
                gap: dot(normal, minus(frame.in_axes_of_a(q), p)) + 0.0,
                feature_a: features[0],
                feature_b: features[1],
            }
        };
        self.points.clear();
        let corners = self.clip.corners.iter();
        self.points.extend(corners.map(|c| point(c.features, c.at)));
        self.center = self.clip.center().map(|at| point(features, at));
        if self.points.is_empty() {
            self.only_point_of(contact);
        }
        // The first point must not depend on the order of the bodies.
        let name = |p: &PatchPoint| {
            let (f, g) = (p.feature_a, p.feature_b);
            [f.min(g), f.max(g)]
        };
        let first = (0..self.points.len()).min_by_key(|&k| name(&self.points[k]));
        self.points.rotate_left(first.unwrap_or(0));
    }

    /// Sets the contact patch to the one point of a contact.
    fn only_point_of(&mut self, contact: &Contact) {
        let only = PatchPoint {
            point_a: contact.point_a,
            point_b: contact.point_b,
            gap: contact.gap,
            feature_a: contact.feature_a,
            feature_b: contact.feature_b,
        };
        self.points.clear();
        self.points.push(only);
        self.center = Some(only);
    }
}

/// Writes the corners of the contact patch of two bodies to `out`, as [`Patch::update`] computes
/// them from their contact.
pub fn patch(
    a: &ConvexPolyhedron,
    pose_a: &Pose,
    b: &ConvexPolyhedron,
    pose_b: &Pose,
    contact: &Contact,
    out: &mut Vec<PatchPoint>,
) {
    let mut patch = Patch {
        points: std::mem::take(out),
        ..Patch::default()
    };
    patch.update(a, pose_a, b, pose_b, contact);
    *out = patch.points;
}

/// The feature of a body that lies on a plane with the unit normal `way`, which points away from the
/// body, in the axes of the body: the largest one that contains a given feature.
pub(crate) fn touching_feature(
    shape: &ConvexPolyhedron,
    feature: Feature,
    way: [f64; 3],
) -> Feature {
    touching(shape, feature, way, BAND * shape.radius())
}

/// The feature of a body that a contact patch lies on. This is the largest feature that contains a
/// given feature and lies within `band` of the contact plane, whose outward normal is `way`: a face
/// if there is one, otherwise an edge, otherwise the given feature itself. Of several faces or
/// edges it is the one most parallel to the plane, and of equally parallel ones the one with the
/// least index.
fn touching(shape: &ConvexPolyhedron, feature: Feature, way: [f64; 3], band: f64) -> Feature {
    let height = |v: u32| dot(way, shape.local(v));
    let (corner, edges): (u32, &[u32]) = match feature.kind {
        FeatureKind::Face => return feature,
        FeatureKind::Edge => (shape.edge_vertices(feature.index)[0], &[]),
        FeatureKind::Vertex => (feature.index, shape.outgoing(feature.index)),
    };
    let top = height(corner);
    let is_level = |v: u32| (height(v) - top).abs() <= band;
    let faces_of_edge = match feature.kind {
        FeatureKind::Edge => shape.edge_faces(feature.index),
        _ => [ConvexPolyhedron::NO_FACE; 2],
    };
    let faces = edges.iter().map(|&h| shape.half_edge(h).face);
    let mut best: Option<(f64, Feature)> = None;
    for f in faces.chain(faces_of_edge) {
        if f == ConvexPolyhedron::NO_FACE {
            continue;
        }
        let level = dot(shape.normal(f), way);
        let found = Feature::face(f);
        if level * level >= 1.0 - STEEP * STEEP
            && level > 0.0
            && shape.face_vertices(f).all(is_level)
            && best.is_none_or(|(most, g)| level > most || (level == most && found < g))
        {
            best = Some((level, found));
        }
    }
    if let Some((_, face)) = best {
        return face;
    }
    for &h in edges {
        let end = shape.target(h);
        let along = minus(shape.local(end), shape.local(corner));
        let level = 0.0 - dot(along, way).abs() / dot(along, along).sqrt();
        let found = Feature::edge(shape.half_edge(h).edge);
        if level >= -STEEP
            && is_level(end)
            && best.is_none_or(|(most, e)| level > most || (level == most && found < e))
        {
            best = Some((level, found));
        }
    }
    best.map_or(feature, |(_, edge)| edge)
}
