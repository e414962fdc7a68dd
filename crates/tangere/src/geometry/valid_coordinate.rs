//! Valid coordinates: the range of magnitudes in which all predicates are exact.

use crate::error::{Argument, Error, Result};

/// The largest magnitude of a valid coordinate, 2^200 (about 1.6e60).
///
/// Squared areas are of degree 4 in the coordinates; they do not overflow (4 * 200 < 1023).
pub const COORDINATE_MAX: f64 = f64::from_bits((1023 + 200) << 52);

/// The smallest magnitude of a valid coordinate other than 0, 2^-300 (about 4.9e-91).
///
/// `orient3d` is exact while the last bit of a product of three coordinates
/// can be represented: 3 * (-300 - 52) = -1056 is above the -1074 of the
/// smallest subnormal number.
pub const COORDINATE_MIN: f64 = f64::from_bits((1023 - 300) << 52);

/// Returns whether a coordinate is valid: 0, or of a magnitude from [`COORDINATE_MIN`] to
/// [`COORDINATE_MAX`]. Every predicate is exact on valid coordinates.
#[inline]
pub fn is_valid_coordinate(x: f64) -> bool {
    let magnitude = x.abs();
    // A NaN compares false and is rejected.
    magnitude <= COORDINATE_MAX && (magnitude >= COORDINATE_MIN || magnitude == 0.0)
}

/// Returns the point with its coordinates of magnitude below [`COORDINATE_MIN`] set to 0. Such
/// coordinates, which are not valid, may result from cancellation.
#[inline]
pub fn flushed<const D: usize>(p: [f64; D]) -> [f64; D] {
    p.map(|x| if x.abs() < COORDINATE_MIN { 0.0 } else { x })
}

/// Rejects points with a coordinate that is not valid. The error names the first such point; `what`
/// names the argument.
pub fn check_points<const D: usize>(what: Argument, points: &[[f64; D]]) -> Result<()> {
    match points
        .iter()
        .position(|p| !p.iter().all(|&x| is_valid_coordinate(x)))
    {
        None => Ok(()),
        Some(index) => Err(Error::item(
            what,
            index,
            format!("{:?}", points[index]),
            "finite coordinates, each 0 or of magnitude 4.9e-91 to 1.6e60",
        )),
    }
}
