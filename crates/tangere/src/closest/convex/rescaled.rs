//! Rescaling: bodies of extreme size, scaled so that products of lengths neither overflow nor
//! underflow.
//!
//! Searches and proofs multiply up to six lengths, which an f64 holds for lengths from about 1e-51
//! to 1e51. The scale of two bodies is the sum of their radii plus the distance of their centers.
//! Where it is above 2^128 or below 2^-128, or a radius is above 2^60 or below 2^-60, both bodies
//! are copied and scaled by one power of two, and the contact is scaled back. Scaling by powers of
//! two does not round, so contacts are what they would be in numbers of unlimited range.
//!
//! A speck is a body that is far smaller than the rounding errors of the other body's coordinates:
//! a search uses one of its vertices, and the contact reports the vertex that is farthest along the
//! normal.
//!
//! Cost: a copy of both bodies, and no tracking from query to query.

use super::patch::PatchPoint;
use super::posed::Posed;
use crate::contact::{Contact, Feature};
use crate::geometry::Pose;
use crate::geometry::vector::{dot, minus};
use crate::shape::ConvexPolyhedron;

/// The range of the scale in which two bodies are not rescaled: 2^-128 to 2^128, about 3e-39 to
/// 3e38. The scale is the sum of their radii plus the distance of their centers.
const ORDINARY: std::ops::RangeInclusive<f64> =
    f64::from_bits((1023 - 128) << 52)..=f64::from_bits((1023 + 128) << 52);

/// A body is a speck if its radius is less than this fraction of the scale, 2^-100. The scale is
/// the sum of the radii of both bodies plus the distance of their centers. Searches replace a speck
/// by one of its vertices.
const SPECK: f64 = f64::from_bits((1023 - 100) << 52);

/// Whether two bodies need not be rescaled, since products of their lengths neither overflow nor
/// underflow. `scale` is the sum of their radii plus the distance of their centers.
#[inline]
pub(super) fn is_ordinary(a: &ConvexPolyhedron, b: &ConvexPolyhedron, scale: f64) -> bool {
    a.is_ordinary() && b.is_ordinary() && ORDINARY.contains(&scale)
}

/// Whether the closest features of two bodies can be tracked: they need no rescaling, and neither is a
/// needle.
#[inline]
pub(super) fn is_trackable(a: &ConvexPolyhedron, b: &ConvexPolyhedron, scale: f64) -> bool {
    a.is_trackable() && b.is_trackable() && ORDINARY.contains(&scale)
}

/// Two bodies rescaled by a power of two, in coordinates whose origin is at the translation of the
/// first body.
pub(super) struct Rescaled<'s> {
    given: [Posed<'s>; 2],
    shapes: [ConvexPolyhedron; 2],
    poses: [Pose; 2],
    are_specks: [bool; 2],
    exponent: i32,
    /// The sum of the absolute coordinates of the translations of both given bodies, rescaled. The
    /// rounding errors of points in the world are relative to it.
    pub world: f64,
}

impl<'s> Rescaled<'s> {
    /// Rescales two bodies; `None` if they need no rescaling, since products of their lengths
    /// neither overflow nor underflow.
    pub fn new(a: Posed<'s>, b: Posed<'s>) -> Option<Self> {
        let scale = scale(&a, &b);
        if is_ordinary(a.shape, b.shape, scale) || scale == 0.0 {
            return None;
        }
        let exponent = 0 - libm::ilogb(scale);
        let longer = |x: f64| libm::scalbn(x, exponent);
        let (ta, tb) = (a.pose.translation(), b.pose.translation());
        let is_speck = |shape: &ConvexPolyhedron| {
            let radius = shape.radius();
            radius > 0.0 && radius < SPECK * scale
        };
        Some(Self {
            given: [a, b],
            shapes: [a, b].map(|body| body.shape.times_power_of_two(exponent)),
            poses: [
                moved(a.pose, [0.0; 3])?,
                moved(b.pose, minus(tb, ta).map(longer))?,
            ],
            are_specks: [a, b].map(|body| is_speck(body.shape)),
            exponent,
            world: ta.iter().chain(&tb).map(|&x| longer(x).abs()).sum(),
        })
    }

    /// Rescales two bodies for a search; `None` if they need no rescaling, since products of their
    /// lengths neither overflow nor underflow. A body whose features are too small to be
    /// distinguished, a speck, is replaced by one of its vertices.
    pub fn for_search(a: Posed<'s>, b: Posed<'s>) -> Option<Self> {
        let mut rescaled = Self::new(a, b)?;
        for (shape, is_speck) in rescaled.shapes.iter_mut().zip(rescaled.are_specks) {
            if is_speck {
                *shape = ConvexPolyhedron::hull(&shape.vertices()[..1]).ok()?;
            }
        }
        Some(rescaled)
    }

    /// The first of the rescaled bodies.
    pub fn a(&self) -> Posed<'_> {
        self.body(0)
    }

    /// The second of the rescaled bodies.
    pub fn b(&self) -> Posed<'_> {
        self.body(1)
    }

    /// The first (0) or second (1) of the rescaled bodies.
    fn body(&self, k: usize) -> Posed<'_> {
        Posed {
            shape: &self.shapes[k],
            pose: &self.poses[k],
        }
    }

    /// Whether one of the rescaled bodies is a speck, too small for its features to be
    /// distinguished.
    pub fn has_speck(&self) -> bool {
        self.are_specks.contains(&true)
    }

    /// Converts a length of the rescaled bodies to the length of the given bodies.
    pub fn given_length(&self, x: f64) -> f64 {
        libm::scalbn(x, 0 - self.exponent)
    }

    /// Converts a point of the rescaled bodies to the point of the given bodies in the world.
    fn given_point(&self, p: [f64; 3]) -> [f64; 3] {
        let origin = self.given[0].pose.translation();
        // No negative zeros: answers are compared bit for bit.
        std::array::from_fn(|k| origin[k] + self.given_length(p[k]) + 0.0)
    }

    /// Converts a contact of the rescaled bodies to one of the given bodies.
    pub fn given(&self, contact: &Contact) -> Contact {
        let mut found = Contact {
            gap: self.given_length(contact.gap),
            lower: self.given_length(contact.lower),
            upper: self.given_length(contact.upper),
            point_a: self.given_point(contact.point_a),
            point_b: self.given_point(contact.point_b),
            ..*contact
        };
        let [a, b] = self.given;
        if self.are_specks[0] {
            found.feature_a = farthest(&a, contact.normal);
        }
        if self.are_specks[1] {
            found.feature_b = farthest(&b, contact.normal.map(|x| 0.0 - x));
        }
        found
    }

    /// Converts a corner of a contact patch of the rescaled bodies to one of the given bodies.
    pub fn given_corner(&self, corner: &PatchPoint) -> PatchPoint {
        PatchPoint {
            point_a: self.given_point(corner.point_a),
            point_b: self.given_point(corner.point_b),
            gap: self.given_length(corner.gap),
            ..*corner
        }
    }

    /// Converts a contact of the given bodies to one of the rescaled bodies.
    pub fn rescaled(&self, contact: &Contact) -> Contact {
        let longer = |x: f64| libm::scalbn(x, self.exponent);
        let origin = self.given[0].pose.translation();
        let point = |p| minus(p, origin).map(longer);
        Contact {
            gap: longer(contact.gap),
            lower: longer(contact.lower),
            upper: longer(contact.upper),
            point_a: point(contact.point_a),
            point_b: point(contact.point_b),
            ..*contact
        }
    }
}

/// The scale that decides whether two bodies are rescaled: an upper bound of the coordinates of one
/// relative to the center of the other.
fn scale(a: &Posed, b: &Posed) -> f64 {
    let centers = [a, b].map(|body| body.pose.rotate(body.shape.center()));
    let moved = minus(b.pose.translation(), a.pose.translation());
    let apart = minus(centers[1], centers[0]);
    let between: f64 = (0..3).map(|k| (moved[k] + apart[k]).abs()).sum();
    a.shape.radius() + b.shape.radius() + between
}

/// The pose of a rescaled body: that of the given body with another translation; `None` if the
/// coordinates of this translation are too large for a pose.
fn moved(pose: &Pose, translation: [f64; 3]) -> Option<Pose> {
    let mut numbers = pose.to_numbers();
    numbers[..3].copy_from_slice(&translation);
    Pose::from_numbers(&numbers).ok()
}

/// The vertex that is reported for a speck, whose features are too small to be distinguished: the
/// vertex farthest along `way`, a direction of the world. Of several it is the one with the least
/// index.
fn farthest(body: &Posed, way: [f64; 3]) -> Feature {
    let m = body.pose.rotation_matrix();
    let own = std::array::from_fn(|k| m[0][k] * way[0] + m[1][k] * way[1] + m[2][k] * way[2]);
    let mut best = (f64::NEG_INFINITY, 0);
    for v in 0..body.shape.vertex_count() as u32 {
        let along = dot(own, body.shape.local(v));
        if along > best.0 {
            best = (along, v);
        }
    }
    Feature::vertex(best.1)
}
