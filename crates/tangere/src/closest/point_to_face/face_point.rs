//! Face point: the result of a nearest-point query to one finite element face.

/// The status of the nearest point of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FaceStatus {
    /// Proven: no point of the face is nearer.
    Proven,
    /// The search ended before the lower bound met the distance found; `lower` is still a valid
    /// lower bound.
    Bracketed,
}

impl FaceStatus {
    /// The name of the status of a face point: `"proven"` or `"bracketed"`.
    pub fn name(self) -> &'static str {
        match self {
            FaceStatus::Proven => "proven",
            FaceStatus::Bracketed => "bracketed",
        }
    }
}

/// The point of a face nearest to a given point `y`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacePoint {
    /// The coordinates of the nearest point in the reference domain of the face.
    pub xi: [f64; 2],
    /// The point of the face nearest to `y`.
    pub point: [f64; 3],
    /// The distance of the nearest point from `y`.
    pub distance: f64,
    /// Lower bound of the distance from `y` to the face.
    pub lower: f64,
    /// The Lagrange multiplier of each side of the reference domain in the order of
    /// [`FaceKind::constraints`](crate::shape::FaceKind::constraints): positive where the side
    /// keeps the point from coming nearer to `y`, 0 where the side is not active.
    pub multipliers: [f64; 4],
    /// The active sides of the reference domain, on which the nearest point lies: bit `i` is set
    /// for side `i`.
    pub active: u8,
    /// Residual of the KKT conditions: the length of `J^T (x - y) - sum multipliers c`, each
    /// component divided by the length of its tangent. `x` is the nearest point, the columns of `J`
    /// are the tangents, and `c` are the gradients of the constraints. The residual is how far `y`
    /// is from being straight above `x`.
    pub residual: f64,
    /// Whether the nearest point is proven, or its distance only bracketed.
    pub status: FaceStatus,
    /// The number of iterations of SQP.
    pub iterations: u32,
}
