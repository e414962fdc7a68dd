//! Range of coordinates: scales points of any magnitude by a power of two into the range of exact
//! predicates.
//!
//! Scaling by a power of two is exact while no number becomes subnormal, and changes no sign of a
//! predicate. So bodies far larger and far smaller than the range of [`is_valid_coordinate`] have
//! hulls too, as long as the largest and the smallest magnitude in one body are not too far apart.

use std::borrow::Cow;

use crate::error::{Argument, Error, Result, number};
use crate::geometry::is_valid_coordinate;
use crate::geometry::vector::largest;

/// The binary exponent of the largest coordinate after points are scaled into the range of exact
/// predicates. It is one less than the exponent of
/// [`COORDINATE_MAX`](crate::geometry::COORDINATE_MAX), so that no scaled coordinate exceeds that
/// limit.
const EXPONENT: i32 = 199;

/// The largest magnitude that is accepted for a coordinate of the given points, before scaling:
/// 2^1000. With larger coordinates the diameter of a body could overflow.
const LARGEST: f64 = f64::from_bits((1023 + 1000) << 52);

/// Points scaled into the coordinate range of exact predicates: the given points times
/// `2^exponent`.
#[derive(Debug)]
pub(super) struct Scaled<'a> {
    pub points: Cow<'a, [[f64; 3]]>,
    pub exponent: i32,
}

impl<'a> Scaled<'a> {
    /// Scales points into the coordinate range of exact predicates: returns the points themselves
    /// if they are in the range, otherwise the points times a power of two.
    ///
    /// # Errors
    /// When a coordinate is not finite or above 2^1000, or becomes too small for exact predicates
    /// when the largest coordinate is scaled into their range.
    pub(super) fn new(what: Argument, points: &'a [[f64; 3]]) -> Result<Self> {
        let is_valid = |p: &[f64; 3]| p.iter().all(|&x| is_valid_coordinate(x));
        if points.iter().all(is_valid) {
            return Ok(Self {
                points: Cow::Borrowed(points),
                exponent: 0,
            });
        }
        if let Some(i) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(Error::item(
                what,
                i,
                format!("{:?}", points[i]),
                "finite coordinates",
            ));
        }
        let largest = points.iter().fold(0.0, |m: f64, &p| m.max(largest(p)));
        if largest > LARGEST {
            let is_too_large = |p: &[f64; 3]| p.iter().any(|x| x.abs() > LARGEST);
            let i = points.iter().position(is_too_large).unwrap_or(0);
            return Err(Error::item(
                what,
                i,
                format!("{:?}", points[i]),
                format!("coordinates of magnitudes up to {}", number(LARGEST)),
            ));
        }
        let exponent = EXPONENT - libm::ilogb(largest);
        let scaled: Vec<[f64; 3]> = points
            .iter()
            .map(|p| p.map(|x| libm::scalbn(x, exponent)))
            .collect();
        // Coordinates that became 0 were far too small.
        let is_kept = |i: &usize| {
            let mut pairs = points[*i].iter().zip(&scaled[*i]);
            is_valid(&scaled[*i]) && pairs.all(|(&x, &y)| (x == 0.0) == (y == 0.0))
        };
        if let Some(i) = (0..points.len()).find(|i| !is_kept(i)) {
            return Err(Error::item(
                what,
                i,
                format!("{:?}", points[i]),
                format!(
                    "coordinates that are 0 or of magnitudes from {}, beside the largest of {}",
                    number(libm::scalbn(1.0, -300 - exponent)),
                    number(largest)
                ),
            ));
        }
        Ok(Self {
            points: Cow::Owned(scaled),
            exponent,
        })
    }

    /// Converts a length or coordinate of the scaled points back to the units of the given points.
    pub(super) fn given(&self, x: f64) -> f64 {
        given(x, self.exponent)
    }
}

/// Converts a length or coordinate `x` back to the units before scaling by `2^exponent`: returns
/// `x / 2^exponent`.
pub(super) fn given(x: f64, exponent: i32) -> f64 {
    if exponent == 0 {
        x
    } else {
        libm::scalbn(x, -exponent)
    }
}
