//! Projection: the result of a nearest-point query to a surface of finite element faces.

use super::SurfacePoint;

/// The status of a projection onto a surface of finite element faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ProjectionStatus {
    /// Proven: no point of the surface is nearer.
    Proven,
    /// The search within a face ended before the lower bound met the distance found; `lower` is
    /// still a valid lower bound.
    Bracketed,
    /// The face is folded: its Jacobian is not positive everywhere
    /// ([`Face::fold`](crate::shape::Face::fold)), so its normal may point to the wrong side.
    Folded,
}

impl ProjectionStatus {
    /// All statuses of a projection, in the order of their numeric values.
    pub const ALL: [ProjectionStatus; 3] = [
        ProjectionStatus::Proven,
        ProjectionStatus::Bracketed,
        ProjectionStatus::Folded,
    ];

    /// The name of the status of a projection: `"proven"`, `"bracketed"` or `"folded"`.
    pub fn name(self) -> &'static str {
        match self {
            ProjectionStatus::Proven => "proven",
            ProjectionStatus::Bracketed => "bracketed",
            ProjectionStatus::Folded => "folded",
        }
    }
}

/// The point of a surface of finite element faces nearest to a given point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// The index of the face on which the nearest point lies. Of several faces at the same
    /// distance, up to rounding, it is the one on which the fewest sides are active: a point inside
    /// a face comes before one on an edge, and this before one at a corner. Of these it is the one
    /// with the least index.
    pub face: u32,
    /// The coordinates of the nearest point in the reference domain of the face.
    pub xi: [f64; 2],
    /// The point of the surface nearest to the given point.
    pub point: [f64; 3],
    /// The distance of the nearest point from the given point.
    pub distance: f64,
    /// Lower bound of the distance from the given point to the surface.
    pub lower: f64,
    /// The signed distance of the given point: negative if the vector to it from the nearest point
    /// has a negative component along the normal, NaN if there is no normal. It is negative inside
    /// a closed surface.
    pub gap: f64,
    /// The unit normal of the surface at the nearest point. Inside a face it is that of the face;
    /// on edges and at corners it is the angle-weighted pseudonormal of all faces there; it is 0
    /// where the surface has none.
    pub normal: [f64; 3],
    /// The Lagrange multiplier of each side of the reference domain, in the order of
    /// [`FaceKind::constraints`](crate::shape::FaceKind::constraints): positive where the side
    /// keeps the nearest point from coming nearer to the given point, 0 where the side is not
    /// active.
    pub multipliers: [f64; 4],
    /// The active sides of the reference domain, on which the nearest point lies: bit `i` is set
    /// for side `i`.
    pub active: u8,
    /// Residual of the KKT conditions, as a length: how far the given point is from being straight
    /// above the nearest point.
    pub residual: f64,
    /// Whether the nearest point is proven or its distance only bracketed, or the face is folded.
    pub status: ProjectionStatus,
    /// The number of iterations of SQP on this face.
    pub iterations: u32,
}

impl Projection {
    /// Converts the projection to a [`SurfacePoint`], the type of result that triangle meshes
    /// return too. The gap is NaN unless the surface is closed.
    pub(super) fn on_surface(&self, is_closed: bool) -> SurfacePoint {
        SurfacePoint {
            face: self.face,
            point: self.point,
            distance: self.distance,
            gap: if is_closed { self.gap } else { f64::NAN },
        }
    }
}

impl Default for Projection {
    fn default() -> Self {
        Self {
            face: 0,
            xi: [0.0; 2],
            point: [0.0; 3],
            distance: f64::INFINITY,
            lower: 0.0,
            gap: f64::NAN,
            normal: [0.0; 3],
            multipliers: [0.0; 4],
            active: 0,
            residual: f64::INFINITY,
            status: ProjectionStatus::Bracketed,
            iterations: 0,
        }
    }
}
