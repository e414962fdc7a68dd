//! Prepared face: one finite element face, prepared for nearest-point queries.

use super::FacePoint;
use super::face_row::{Block, ROW, row};
use super::solve_lanes;
use crate::error::{Argument, Result};
use crate::geometry::check_points;
use crate::shape::Face;
use crate::simd::LANES;

/// A finite element face prepared for many nearest-point queries.
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

impl PreparedFace {
    /// Prepares a face: precomputes what does not depend on the query point.
    pub fn new(face: &Face) -> Self {
        Self {
            face: *face,
            row: row(face),
        }
    }

    /// The finite element face that was prepared.
    pub fn face(&self) -> &Face {
        &self.face
    }

    /// The point of the prepared face nearest to `y`.
    ///
    /// # Errors
    /// When a coordinate is not finite, too large, or too small but not 0.
    pub fn nearest(&self, y: [f64; 3]) -> Result<FacePoint> {
        check_points(Argument::Point, &[y])?;
        Ok(self.nearest_to_valid(y))
    }

    /// The face row of the prepared face: its precomputed values, in blocks of eight.
    pub(super) fn row(&self) -> &[Block] {
        &self.row
    }

    /// The point of the prepared face nearest to `y`, whose coordinates are known to be valid.
    pub(in crate::closest) fn nearest_to_valid(&self, y: [f64; 3]) -> FacePoint {
        solve_lanes::solve_one(self.face.kind(), &self.row, y)
    }
}
