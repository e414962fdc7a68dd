//! AABB: axis-aligned bounding boxes.

use super::vector::dot;
use super::{Ball, COORDINATE_MIN, Pose, is_valid_coordinate};
use crate::error::{Argument, Error, Result};

/// An axis-aligned bounding box: all points `min <= x <= max`.
///
/// It is closed: boxes that share only a face overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<const D: usize> {
    /// The lower corner of the box: the least value of each coordinate.
    pub min: [f64; D],
    /// The upper corner of the box: the largest value of each coordinate.
    pub max: [f64; D],
}

impl<const D: usize> Aabb<D> {
    /// The empty box, which contains no point. Its [`Aabb::union`] with a box is that box.
    pub const EMPTY: Self = Self {
        min: [f64::INFINITY; D],
        max: [f64::NEG_INFINITY; D],
    };

    /// Returns the AABB with the lower corner `min` and the upper corner `max`.
    ///
    /// # Errors
    /// When a coordinate is not valid ([`is_valid_coordinate`]), or `min` is above `max` in some
    /// coordinate.
    pub fn new(min: [f64; D], max: [f64; D]) -> Result<Self> {
        let valid = |p: [f64; D]| p.iter().all(|&x| is_valid_coordinate(x));
        if !(valid(min) && valid(max)) {
            return Err(Error::argument(
                Argument::Box,
                format!("min {min:?}, max {max:?}"),
                "finite coordinates, each 0 or of magnitude 4.9e-91 to 1.6e60",
            ));
        }
        if let Some(k) = (0..D).find(|&k| min[k] > max[k]) {
            return Err(Error::argument(
                Argument::Box,
                format!("min {:?} above max {:?} in coordinate {k}", min[k], max[k]),
                "min <= max in each coordinate",
            ));
        }
        Ok(Self { min, max })
    }

    /// Returns an AABB that contains a ball, rounded outward.
    #[inline]
    pub fn of_ball(ball: &Ball<D>) -> Self {
        Self {
            min: ball.center,
            max: ball.center,
        }
        .expanded(ball.radius)
    }

    /// Returns the smallest AABB that contains the points; [`Aabb::EMPTY`] if there are none.
    pub fn of_points(points: impl IntoIterator<Item = [f64; D]>) -> Self {
        let mut bounds = Self::EMPTY;
        for p in points {
            bounds.include(p);
        }
        bounds
    }

    /// Grows the AABB to contain a point.
    #[inline]
    pub fn include(&mut self, p: [f64; D]) {
        for (k, &x) in p.iter().enumerate() {
            self.min[k] = self.min[k].min(x);
            self.max[k] = self.max[k].max(x);
        }
    }

    /// Returns the smallest AABB around two AABBs.
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        let mut bounds = *self;
        for k in 0..D {
            bounds.min[k] = bounds.min[k].min(other.min[k]);
            bounds.max[k] = bounds.max[k].max(other.max[k]);
        }
        bounds
    }

    /// Returns the intersection of two AABBs, which may be empty.
    #[inline]
    pub fn intersection(&self, other: &Self) -> Self {
        let common = Self {
            min: std::array::from_fn(|k| self.min[k].max(other.min[k])),
            max: std::array::from_fn(|k| self.max[k].min(other.max[k])),
        };
        if common.is_empty() {
            Self::EMPTY
        } else {
            common
        }
    }

    /// Returns whether the AABB is empty: it contains no point.
    #[inline]
    pub fn is_empty(&self) -> bool {
        (0..D).any(|k| self.min[k] > self.max[k])
    }

    /// Returns the AABB expanded by a margin, rounded outward: it contains all points that are at
    /// most `margin` away from this box in each coordinate. A margin of 0 or less changes nothing.
    /// A margin of NaN counts as infinite, so that no overlap is missed. An empty box stays empty.
    #[inline]
    pub fn expanded(&self, margin: f64) -> Self {
        if margin <= 0.0 || self.is_empty() {
            return *self;
        }
        let margin = if margin.is_nan() {
            f64::INFINITY
        } else {
            margin
        };
        Self {
            min: self.min.map(|x| (x - margin).next_down()),
            max: self.max.map(|x| (x + margin).next_up()),
        }
    }

    /// Returns the squared distance from the AABB to a point; 0 if the point is in the box.
    ///
    /// The squares are summed from the first coordinate to the last. Rounding is monotone, so the
    /// result never exceeds a squared distance from `p` to a point of the box that is computed in
    /// the same order.
    #[inline]
    pub fn distance_squared(&self, p: [f64; D]) -> f64 {
        let away: [f64; D] =
            std::array::from_fn(|k| (self.min[k] - p[k]).max(p[k] - self.max[k]).max(0.0));
        dot(away, away)
    }

    /// Returns whether two closed AABBs share a point.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..D).all(|k| self.min[k] <= other.max[k] && other.min[k] <= self.max[k])
    }

    /// Returns whether a point lies in the closed AABB.
    #[inline]
    pub fn contains(&self, p: [f64; D]) -> bool {
        (0..D).all(|k| self.min[k] <= p[k] && p[k] <= self.max[k])
    }

    /// Returns the middle of the AABB.
    #[inline]
    pub fn center(&self) -> [f64; D] {
        std::array::from_fn(|k| 0.5 * self.min[k] + 0.5 * self.max[k])
    }

    /// Returns the edge lengths of the AABB.
    #[inline]
    pub fn extent(&self) -> [f64; D] {
        std::array::from_fn(|k| self.max[k] - self.min[k])
    }
}

impl Aabb<3> {
    /// Returns an AABB that contains this box moved by a pose: both the exact image of each point
    /// of the box and the image that [`Pose::apply`] computes.
    ///
    /// A coordinate of the image is the sum of four terms. The terms take their extremes at
    /// corners of the box, and rounded sums in the same order are monotone, so the sums of the
    /// extremes bound the computed image. With `u` half an epsilon and `s` the sum of the
    /// magnitudes of the four terms, the exact image differs from the computed one by at most four
    /// roundings, `4 u (1 + 4 u) s`. The margin of `8 u` times the computed `s` covers this and
    /// its own rounding; `COORDINATE_MIN` covers coordinates that `apply` flushes to 0.
    pub fn transformed(&self, pose: &Pose) -> Self {
        if self.is_empty() || *pose == Pose::identity() {
            return *self;
        }
        let (matrix, translation) = (pose.rotation_matrix(), pose.translation());
        let mut bounds = Self::EMPTY;
        for i in 0..3 {
            let m = matrix[i];
            let t = translation[i];
            let ends: [[f64; 2]; 3] = std::array::from_fn(|k| {
                let (a, b) = (m[k] * self.min[k], m[k] * self.max[k]);
                [a.min(b), a.max(b)]
            });
            let sum = |e: usize| ends[0][e] + ends[1][e] + ends[2][e] + t;
            let size = |[a, b]: [f64; 2]| a.abs().max(b.abs());
            let magnitude = size(ends[0]) + size(ends[1]) + size(ends[2]) + t.abs();
            let margin = 4.0 * f64::EPSILON * magnitude + COORDINATE_MIN;
            let (low, high) = ((sum(0) - margin).next_down(), (sum(1) + margin).next_up());
            // An infinite box may sum to NaN, which becomes infinite again.
            bounds.min[i] = if low.is_nan() { f64::NEG_INFINITY } else { low };
            bounds.max[i] = if high.is_nan() { f64::INFINITY } else { high };
        }
        bounds
    }
}
