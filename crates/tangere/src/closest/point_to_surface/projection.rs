//! What is told of the point of a surface of finite element faces nearest to a given one.

use super::SurfacePoint;

/// How well a projection is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ProjectionStatus {
    /// No point of the surface is nearer: proven.
    Proven,
    /// The search within a face ended before its bounds met; `lower` holds all the same.
    Bracketed,
    /// The face is folded: its Jacobian is not positive everywhere
    /// ([`Face::fold`](crate::shape::Face::fold)), so its normal may point to the wrong side.
    Folded,
}

impl ProjectionStatus {
    /// All of them, in the order of their numbers.
    pub const ALL: [ProjectionStatus; 3] = [
        ProjectionStatus::Proven,
        ProjectionStatus::Bracketed,
        ProjectionStatus::Folded,
    ];

    /// `"proven"`, `"bracketed"` or `"folded"`.
    pub fn name(self) -> &'static str {
        match self {
            ProjectionStatus::Proven => "proven",
            ProjectionStatus::Bracketed => "bracketed",
            ProjectionStatus::Folded => "folded",
        }
    }
}

/// The point of a surface of finite element faces nearest to a given one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// The face it lies on. Of several at the same distance, up to rounding, those come first
    /// within which it lies, then those with it on an edge, then those with it at a corner; of
    /// these the one with the least number.
    pub face: u32,
    /// Where it is in the reference domain of the face.
    pub xi: [f64; 2],
    /// Where it is.
    pub point: [f64; 3],
    /// How far it is.
    pub distance: f64,
    /// No point of the surface is nearer than this.
    pub lower: f64,
    /// The distance, negative where the point lies behind the normal, not a number where there is
    /// no normal. Signs are those of the side on which a point is where the surface is closed.
    pub gap: f64,
    /// The unit normal: that of the face within it, on edges and at corners the direction of the
    /// sum of all normals there, weighted by angles; zero where the surface has none.
    pub normal: [f64; 3],
    /// The multiplier of each side of the reference domain, as in
    /// [`FacePoint`](super::super::FacePoint).
    pub multipliers: [f64; 4],
    /// The sides on which the point lies, a bit for each.
    pub active: u8,
    /// How far the given point is from being straight above, as a length.
    pub residual: f64,
    /// How well it is known.
    pub status: ProjectionStatus,
    /// Quadratic problems that were solved on this face.
    pub iterations: u32,
}

impl Projection {
    /// The part that surfaces of triangles have as well. The gap is that of a closed surface, else
    /// not a number.
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
