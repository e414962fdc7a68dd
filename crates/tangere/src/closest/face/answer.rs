//! What is told of the nearest point of a face.

use super::bend::Bend;
use super::global::{Nearest, nearest};
use super::polynomial::Polynomial;
use super::sqp::gradient;
use crate::error::Result;
use crate::geometry::check_points;
use crate::geometry::vector::{dot, minus};
use crate::shape::Face;

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
    origin: [f64; 3],
    polynomial: Polynomial,
    bend: Bend,
    extent: f64,
}

impl PreparedFace {
    /// Computes what does not depend on the point.
    pub fn new(face: &Face) -> Self {
        // About its own middle no digits are lost far from the origin.
        let origin = face.point(face.kind().center());
        let polynomial = Polynomial::new(face, origin);
        Self {
            face: *face,
            origin,
            bend: Bend::new(&polynomial),
            extent: polynomial.extent(),
            polynomial,
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
        check_points("point", &[y])?;
        Ok(self.nearest_to_valid(y))
    }

    pub(super) fn nearest_to_valid(&self, y: [f64; 3]) -> FacePoint {
        let about = minus(y, self.origin);
        let found = nearest(&self.polynomial, &self.bend, about, self.extent);
        self.told(&found)
    }

    fn told(&self, found: &Nearest) -> FacePoint {
        let minimum = &found.minimum;
        let xi = minimum.xi;
        let jet = self.polynomial.jet(xi);
        let mut left = gradient(&jet, minimum.way);
        let kind = self.face.kind();
        let mut multipliers = [0.0; 4];
        let mut active = 0;
        // Sides meet at corners only, where two multipliers are found from two equations.
        let sides = kind.constraints();
        let on: [bool; 4] =
            std::array::from_fn(|k| k < sides.len() && sides[k].value(xi) <= 4.0 * f64::EPSILON);
        let mut chosen = on.iter().enumerate().filter(|(_, on)| **on).map(|(k, _)| k);
        match (chosen.next(), chosen.next()) {
            (Some(k), None) => {
                let n = sides[k].normal;
                let squared = n[0] * n[0] + n[1] * n[1];
                multipliers[k] = ((left[0] * n[0] + left[1] * n[1]) / squared).max(0.0);
                active |= 1 << k;
            }
            (Some(k), Some(l)) => {
                let (n, m) = (sides[k].normal, sides[l].normal);
                let determinant = n[0] * m[1] - n[1] * m[0];
                if determinant != 0.0 {
                    multipliers[k] = ((left[0] * m[1] - left[1] * m[0]) / determinant).max(0.0);
                    multipliers[l] = ((n[0] * left[1] - n[1] * left[0]) / determinant).max(0.0);
                }
                active |= 1 << k | 1 << l;
            }
            _ => {}
        }
        for (side, multiplier) in sides.iter().zip(multipliers) {
            left[0] -= multiplier * side.normal[0];
            left[1] -= multiplier * side.normal[1];
        }
        let length = |t: [f64; 3]| dot(t, t).sqrt();
        let over = |left: f64, tangent: [f64; 3]| {
            let length = length(tangent);
            if length > 0.0 { left / length } else { 0.0 }
        };
        let residual = if kind.dimension() == 1 {
            over(left[0], jet.u).abs()
        } else {
            over(left[0], jet.u).hypot(over(left[1], jet.v))
        };
        FacePoint {
            xi,
            point: std::array::from_fn(|k| jet.x[k] + self.origin[k] + 0.0),
            distance: minimum.squared.sqrt(),
            lower: found.lower,
            multipliers,
            active,
            residual,
            status: if found.proven {
                FaceStatus::Proven
            } else {
                FaceStatus::Bracketed
            },
            iterations: minimum.steps,
        }
    }
}
