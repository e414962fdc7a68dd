//! The nearest point of a face, and a face prepared for queries.

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
