//! The nearest point of a face, and a face prepared for queries.

use super::polynomial_lanes::{self, Block, ROW};
use super::{flat_triangle, solve_lanes};
use crate::error::{Argument, Result};
use crate::geometry::check_points;
use crate::shape::{Face, FaceKind};
use crate::simd::LANES;

/// The status of a nearest point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FaceStatus {
    /// Proven: no point of the face is nearer.
    Proven,
    /// The search ended before its bounds met; `lower` is still a valid bound.
    Bracketed,
}

impl FaceStatus {
    /// `"proven"` or `"bracketed"`.
    pub fn name(self) -> &'static str {
        match self {
            FaceStatus::Proven => "proven",
            FaceStatus::Bracketed => "bracketed",
        }
    }
}

/// The nearest point of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacePoint {
    /// Its coordinates in the reference domain.
    pub xi: [f64; 2],
    /// The nearest point.
    pub point: [f64; 3],
    /// Its distance from the given point.
    pub distance: f64,
    /// Lower bound of the distance to the face.
    pub lower: f64,
    /// The Lagrange multiplier of each side of the reference domain in the order of
    /// [`FaceKind::constraints`](crate::shape::FaceKind::constraints): positive where the side
    /// keeps the point from coming nearer, 0 where it is not active.
    pub multipliers: [f64; 4],
    /// The active sides, on which the point lies, a bit for each.
    pub active: u8,
    /// Residual of the KKT conditions: `J^T (x - y) - sum multipliers c`, divided by the length of
    /// the tangents. As a length, how far `y` is from being straight above the point.
    pub residual: f64,
    /// Proven or bracketed.
    pub status: FaceStatus,
    /// Iterations of SQP.
    pub iterations: u32,
}

/// A face prepared for many queries.
///
/// ```
/// use tangere::closest::PreparedFace;
/// use tangere::shape::{Face, FaceKind};
///
/// let nodes = [[-1., -1., 0.], [1., -1., 0.], [1., 1., 0.], [-1., 1., 0.]];
/// let face = PreparedFace::new(&Face::new(FaceKind::Quad4, &nodes)?);
/// let nearest = face.nearest([3.0, 0.5, 1.0])?;
/// assert_eq!((nearest.xi, nearest.point), ([1.0, 0.5], [1.0, 0.5, 0.0]));
/// assert_eq!(nearest.active, 0b0010);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PreparedFace {
    face: Face,
    row: [Block; ROW / LANES],
}

/// The row of a face: the precomputed numbers that queries need.
pub(super) fn row(face: &Face) -> [Block; ROW / LANES] {
    match face.kind() {
        FaceKind::Tri3 => flat_triangle::row(face),
        _ => polynomial_lanes::row(face),
    }
}

impl PreparedFace {
    /// Precomputes what does not depend on the query point.
    pub fn new(face: &Face) -> Self {
        Self {
            face: *face,
            row: row(face),
        }
    }

    /// The face.
    pub fn face(&self) -> &Face {
        &self.face
    }

    /// The nearest point.
    ///
    /// # Errors
    /// When a coordinate is not finite or too large.
    pub fn nearest(&self, y: [f64; 3]) -> Result<FacePoint> {
        check_points(Argument::Point, &[y])?;
        Ok(self.nearest_to_valid(y))
    }

    /// Its row of precomputed numbers.
    pub(super) fn row(&self) -> &[Block] {
        &self.row
    }

    /// The same for a point that is known to be valid.
    pub(in crate::closest) fn nearest_to_valid(&self, y: [f64; 3]) -> FacePoint {
        solve_lanes::solve_one(self.face.kind(), &self.row, y)
    }
}
