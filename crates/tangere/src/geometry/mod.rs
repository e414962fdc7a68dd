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
mod valid_coordinate;
pub(crate) mod vector;

pub use aabb::Aabb;
pub(crate) use ball::Units;
pub use ball::{Ball, Extremes};
pub use kdop::{Dop14, Dop18, Dop26, KDop};
pub use obb::Obb;
pub use pose::{Pose, Similarity, is_rotation_matrix};
pub(crate) use predicates::{BOUND_3D, crossing_planes, point_of_plane_on_triangle, projected};
pub use predicates::{
    IntersectionKind, SegmentFeature, SegmentSegment, SegmentTriangle, Shared, Sign,
    TriangleFeature, are_collinear, orient2d, orient3d, point_on_segment, point_on_triangle,
    segment_segment, segment_triangle, triangle_triangle,
};
pub use rotation::{ROTATION_TOLERANCE, rotation_about, rotation_from_str};
pub use valid_coordinate::{
    COORDINATE_MAX, COORDINATE_MIN, check_points, flushed, is_valid_coordinate,
};

/// A vector of nalgebra in `D` dimensions.
pub type Vector<const D: usize> = nalgebra::SVector<f64, D>;
