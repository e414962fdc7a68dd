//! Posed: a convex body with its pose.

use crate::geometry::Pose;
use crate::shape::ConvexPolyhedron;

/// A convex body with its pose.
#[derive(Clone, Copy, Debug)]
pub struct Posed<'s> {
    /// The shape of the body.
    pub shape: &'s ConvexPolyhedron,
    /// The pose of the body.
    pub pose: &'s Pose,
}

impl Posed<'_> {
    /// The center of a posed body, rotated by its pose but not translated.
    #[inline]
    pub(super) fn turned_center(&self) -> [f64; 3] {
        self.pose.rotate(self.shape.center())
    }

    /// The vector in the world from the center of this posed body to the center of `b`. `center`
    /// and `center_b` are these two centers, each rotated by the pose of its body but not
    /// translated ([`turned_center`](Self::turned_center)).
    #[inline]
    pub(super) fn way_to(&self, b: &Self, center: [f64; 3], center_b: [f64; 3]) -> [f64; 3] {
        let (ta, tb) = (self.pose.translation(), b.pose.translation());
        // Translations first: far from the origin their difference is exact.
        std::array::from_fn(|k| (tb[k] - ta[k]) + (center_b[k] - center[k]))
    }

    /// The scale to which rounding errors of two posed bodies are relative: their radii plus the
    /// sum of the absolute components of `between`, the vector between their centers. No coordinate
    /// of either body, relative to the center of this one, is larger.
    #[inline]
    pub(super) fn scale_with(&self, b: &Self, between: [f64; 3]) -> f64 {
        self.shape.radius()
            + b.shape.radius()
            + (between[0].abs() + between[1].abs() + between[2].abs())
    }

    /// The world position of a point of a posed body that is given in the axes of the body,
    /// relative to its center.
    pub(super) fn world(&self, local: [f64; 3]) -> [f64; 3] {
        let center = self.shape.center();
        self.pose
            .apply(std::array::from_fn(|k| local[k] + center[k]))
    }
}

/// Whether a search takes the posed body `b` as its first body and `a` as its second. The order
/// depends on the shapes and poses alone. If the caller gave the other order, the contact is
/// mirrored afterwards.
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
