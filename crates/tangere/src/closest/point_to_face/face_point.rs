//! What is told of the nearest point of a face.

use super::polynomial_lanes::{self, Block, ROW};
use super::{flat_triangle, solve_lanes};
use crate::error::{Argument, Result};
use crate::geometry::check_points;
use crate::shape::{Face, FaceKind};
use crate::simd::LANES;

/// How well the nearest point is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FaceStatus {
    /// No point of the face is nearer: proven.
    Proven,
    /// The search ended before its bounds met; `lower` holds all the same.
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

/// The point of a face nearest to a given one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacePoint {
    /// Where it is in the reference domain.
    pub xi: [f64; 2],
    /// Where it is.
    pub point: [f64; 3],
    /// How far it is.
    pub distance: f64,
    /// No point of the face is nearer than this.
    pub lower: f64,
    /// The multiplier of each side of the reference domain in the order of
    /// [`FaceKind::constraints`](crate::shape::FaceKind::constraints): positive where the side
    /// keeps the point from coming nearer, 0 where it is not active.
    pub multipliers: [f64; 4],
    /// The sides on which the point lies, a bit for each.
    pub active: u8,
    /// What is left of the gradient `J^T (x - y) - sum multipliers c`, divided by the length of the
    /// tangents: how far `y` is from being straight above the point, as a length.
    pub residual: f64,
    /// How well it is known.
    pub status: FaceStatus,
    /// Quadratic problems that were solved.
    pub iterations: u32,
}

/// A face that is asked many times.
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

/// The numbers that questions about a face need.
pub(super) fn row(face: &Face) -> [Block; ROW / LANES] {
    match face.kind() {
        FaceKind::Tri3 => flat_triangle::row(face),
        _ => polynomial_lanes::row(face),
    }
}

impl PreparedFace {
    /// Computes what does not depend on the point.
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

    /// The numbers that questions about it need.
    pub(super) fn row(&self) -> &[Block] {
        &self.row
    }

    /// The same of a point that is known to be valid.
    pub(in crate::closest) fn nearest_to_valid(&self, y: [f64; 3]) -> FacePoint {
        solve_lanes::solve_one(self.face.kind(), &self.row, y)
    }
}
