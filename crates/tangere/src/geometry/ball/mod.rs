//! Bounding spheres (discs in two dimensions).
//!
//! There are three algorithms for a bounding sphere of points, each linear in their number:
//! - [`Ball::ritter`] reads the points twice; its radius is often a tenth too large, at times a
//!   third;
//! - [`Ball::larsson`] reads the points twice, first for points that are extremal in fixed
//!   directions; its radius is rarely a hundredth too large;
//! - [`Ball::smallest`] reads the points some ten times; its radius is the smallest up to rounding.
//!
//! Each algorithm reads the points once more at the end to set the radius.
//!
//! # Containment
//! Let `u = 2^-53`, `q` the largest computed squared distance from the stored
//! centre to a point, and `s = fl(sqrt(q))`. Each difference, square and sum
//! rounds once, so for a point at the true distance `d`
//!
//! ```text
//! q >= d^2 (1 - u)^(D + 2),   s >= sqrt(q) (1 - u) >= d (1 - u)^(D/2 + 2).
//! ```
//!
//! The radius is `r = fl(s (1 + 8 u))`. Then, for every `D` below 8,
//!
//! ```text
//! r        >= d (1 + 8 u) (1 - u)^(D/2 + 3)       >= d,
//! fl(r r)  >= q (1 + 8 u)^2 (1 - u)^5             >= q.
//! ```
//!
//! By the first inequality no true distance is above the radius, and `s <= r` says the same of the
//! computed ones. By the second every point also passes [`Ball::contains_point`] and
//! [`Ball::overlaps`], which compare squares. Nothing underflows: coordinates of points and of the
//! centre are 0 or of magnitude `2^-300` at least, so differences are multiples of `2^-352` and
//! squares are normal numbers.

mod larsson;
mod ritter;
mod smallest;

pub use larsson::Extremes;
pub(crate) use smallest::Units;

use super::vector::distance_squared;
use super::{flushed, is_valid_coordinate};
use crate::error::{Argument, Error, Result};

/// The factor `1 + 8 u`, with `u = 2^-53`. A computed distance times this factor is an upper bound
/// of the true distance.
const OUTWARD: f64 = 1.0 + 4.0 * f64::EPSILON;

/// A closed ball: all points at most `radius` away from `center`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball<const D: usize> {
    /// The centre of the ball.
    pub center: [f64; D],
    /// The radius of the ball; a ball of radius 0 is a point.
    pub radius: f64,
}

/// Returns an upper bound of the true distance of two points, such as centres of balls; 0 if they
/// are equal.
#[inline]
fn distance_bound<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    distance_squared(a, b).sqrt() * OUTWARD
}

/// Returns an upper bound of the sum of a distance and the radius of a ball, both at least 0.
#[inline]
fn sum_bound(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        a + b
    } else {
        (a + b).next_up()
    }
}

impl<const D: usize> Ball<D> {
    /// Returns the ball with this centre and radius.
    ///
    /// # Errors
    /// When a coordinate or the radius is not valid ([`is_valid_coordinate`]), or the radius is
    /// negative.
    pub fn new(center: [f64; D], radius: f64) -> Result<Self> {
        if !center.iter().all(|&x| is_valid_coordinate(x)) {
            return Err(Error::argument(
                Argument::Centre,
                format!("{center:?}"),
                "finite coordinates, each 0 or of magnitude 4.9e-91 to 1.6e60",
            ));
        }
        if !(is_valid_coordinate(radius) && radius >= 0.0) {
            return Err(Error::argument(
                Argument::Radius,
                format!("{radius:?}"),
                "0 or a number from 4.9e-91 to 1.6e60",
            ));
        }
        Ok(Self { center, radius })
    }

    /// Returns a bounding sphere of the points, close to the smallest one; none without points.
    ///
    /// All functions of [`Ball`] that bound points expect valid coordinates
    /// ([`is_valid_coordinate`]). For other coordinates they do not panic: if a distance is not
    /// finite, they return a ball of infinite radius.
    pub fn of_points(points: &[[f64; D]]) -> Option<Self> {
        Self::larsson(points, Extremes::All)
    }

    /// Returns the smallest bounding sphere of points about a given centre; radius 0 without
    /// points.
    ///
    /// Coordinates of the centre of magnitude below [`COORDINATE_MIN`](super::COORDINATE_MIN)
    /// become 0.
    pub fn about(center: [f64; D], points: &[[f64; D]]) -> Self {
        let center = flushed(center);
        let mut largest = 0.0;
        let mut finite = center.iter().all(|x| x.is_finite());
        for &p in points {
            let square = distance_squared(p, center);
            finite &= square.is_finite();
            if square > largest {
                largest = square;
            }
        }
        if !finite {
            return Self {
                center: [0.0; D],
                radius: f64::INFINITY,
            };
        }
        Self::reaching(center, largest)
    }

    /// Returns the bounding sphere of points about `center`, given `square`: the largest squared
    /// distance from the centre to one of the points, as [`distance_squared`] computes it.
    #[inline]
    pub(crate) fn reaching(center: [f64; D], square: f64) -> Self {
        Self {
            center,
            radius: square.sqrt() * OUTWARD,
        }
    }

    /// Returns whether a point lies in the closed ball, by the formula of [`Ball::overlaps`] for a
    /// second ball of radius 0.
    #[inline]
    pub fn contains_point(&self, p: [f64; D]) -> bool {
        distance_squared(self.center, p) <= self.radius * self.radius
    }

    /// Returns whether two closed balls share a point, by the formula that every method of this
    /// library uses: `dx*dx + dy*dy + dz*dz <= (ri + rj)*(ri + rj)` in this order, without fused
    /// multiply-add.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        let reach = self.radius + other.radius;
        distance_squared(self.center, other.center) <= reach * reach
    }

    /// Returns a bounding sphere of two balls: the smallest one up to rounding. If one of the balls
    /// contains the other, the result is the larger one.
    pub fn union(&self, other: &Self) -> Self {
        let (large, small) = if self.radius >= other.radius {
            (self, other)
        } else {
            (other, self)
        };
        let apart = distance_bound(large.center, small.center);
        if large.radius == f64::INFINITY || sum_bound(apart, small.radius) <= large.radius {
            return *large;
        }
        // The diameter of the union runs from the far side of one ball to that of the other. With
        // radii `R` and `r'` and the distance `d` of their centres, `2 r = d + R + r'`, so its
        // centre is `r - R = (d + r' - R) / 2` away from that of the larger ball.
        let t = (0.5 * ((apart - large.radius) + small.radius) / apart).min(1.0);
        let center: [f64; D] = flushed(std::array::from_fn(|k| {
            large.center[k] + t * (small.center[k] - large.center[k])
        }));
        let reach = |ball: &Self| sum_bound(distance_bound(center, ball.center), ball.radius);
        let radius = reach(large).max(reach(small));
        if radius.is_finite() && center.iter().all(|x| x.is_finite()) {
            Self { center, radius }
        } else {
            Self {
                center: [0.0; D],
                radius: f64::INFINITY,
            }
        }
    }
}
