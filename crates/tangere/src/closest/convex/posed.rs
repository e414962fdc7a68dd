//! Posed: a convex body with its pose.

use crate::geometry::Pose;
use crate::shape::ConvexPolyhedron;

/// A convex body with its pose.
#[derive(Clone, Copy, Debug)]
pub struct Posed<'s> {
    /// The body.
    pub shape: &'s ConvexPolyhedron,
    /// Its pose.
    pub pose: &'s Pose,
}

impl Posed<'_> {
    /// The center of the body, rotated but not translated.
    #[inline]
    pub(super) fn turned_center(&self) -> [f64; 3] {
        self.pose.rotate(self.shape.center())
    }

    /// The vector from center to center, in the world. Both centers are rotated already.
    #[inline]
    pub(super) fn way_to(&self, b: &Self, center: [f64; 3], center_b: [f64; 3]) -> [f64; 3] {
        let (ta, tb) = (self.pose.translation(), b.pose.translation());
        // Translations first: far from the origin their difference is exact.
        std::array::from_fn(|k| (tb[k] - ta[k]) + (center_b[k] - center[k]))
    }

    /// The scale that rounding is relative to: no coordinate in the frame of the first body is
    /// larger.
    #[inline]
    pub(super) fn scale_with(&self, b: &Self, between: [f64; 3]) -> f64 {
        self.shape.radius()
            + b.shape.radius()
            + (between[0].abs() + between[1].abs() + between[2].abs())
    }

    /// The world position of a point given relative to the center of the body.
    pub(super) fn world(&self, local: [f64; 3]) -> [f64; 3] {
        let center = self.shape.center();
        self.pose
            .apply(std::array::from_fn(|k| local[k] + center[k]))
    }
}

/// Whether the second body comes first: searches use one order of the bodies, and contacts are
/// mirrored.
#[inline]
pub(super) fn comes_after(a: &Posed, b: &Posed) -> bool {
    let (ta, tb) = (a.pose.translation(), b.pose.translation());
    for k in 0..3 {
        if ta[k] != tb[k] {
            return ta[k] > tb[k];
        }
    }
    let (na, nb) = (a.pose.to_numbers(), b.pose.to_numbers());
    for k in 3..7 {
        if na[k] != nb[k] {
            return na[k] > nb[k];
        }
    }
    a.shape.key() > b.shape.key()
}
