//! Bounding volumes (AABB, OBB, k-DOP, bounding sphere), triangles, poses and exact predicates.
//!
//! Points in the public interface are plain arrays `[f64; D]`; algebra inside uses nalgebra. A
//! bounding volume contains all points that it bounds: it is rounded outward.

mod aabb;
mod ball;
mod kdop;
pub(crate) mod morton;
mod obb;
mod pose;
mod predicates;
mod rotation;
pub mod triangle;
pub(crate) mod vector;

pub use aabb::Aabb;
pub(crate) use ball::Units;
pub use ball::{Ball, Extremes};
pub use kdop::{Dop14, Dop18, Dop26, KDop};
pub use obb::Obb;
pub use pose::{Pose, Similarity};
pub(crate) use predicates::{BOUND_3D, crossing_planes, point_of_plane_on_triangle};
pub use predicates::{
    IntersectionKind, SegmentFeature, SegmentSegment, SegmentTriangle, Shared, Sign,
    TriangleFeature, are_collinear, orient2d, orient3d, point_on_segment, point_on_triangle,
    segment_segment, segment_triangle, triangle_triangle,
};
pub use rotation::{ROTATION_TOLERANCE, rotation_about, rotation_from_str};

use crate::error::{Argument, Error, Result};

/// A nalgebra vector in `D` dimensions.
pub type Vector<const D: usize> = nalgebra::SVector<f64, D>;

/// The largest magnitude a coordinate may have, 2^200 (about 1.6e60).
///
/// Squared areas have degree 4, so nothing this library computes from such
/// coordinates overflows (4 * 200 < 1023).
pub const COORDINATE_MAX: f64 = f64::from_bits((1023 + 200) << 52);

/// The smallest magnitude of a coordinate other than 0, 2^-300 (about 4.9e-91).
///
/// `orient3d` is exact while the last bit of a product of three coordinates
/// can be represented: 3 * (-300 - 52) = -1056 is above the -1074 of the
/// smallest subnormal number.
pub const COORDINATE_MIN: f64 = f64::from_bits((1023 - 300) << 52);

/// Returns whether every predicate is exact on this coordinate.
#[inline]
pub fn is_valid_coordinate(x: f64) -> bool {
    let magnitude = x.abs();
    // A NaN compares false and is rejected.
    magnitude <= COORDINATE_MAX && (magnitude >= COORDINATE_MIN || magnitude == 0.0)
}

/// Returns the point with every coordinate of magnitude below [`COORDINATE_MIN`] set to 0;
/// cancellation may cause such coordinates.
#[inline]
pub fn flushed<const D: usize>(p: [f64; D]) -> [f64; D] {
    p.map(|x| if x.abs() < COORDINATE_MIN { 0.0 } else { x })
}

/// Rejects points with a coordinate on which predicates are not exact; the error names the first
/// such point.
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
