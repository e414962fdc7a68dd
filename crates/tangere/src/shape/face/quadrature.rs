//! Gauss quadrature over finite element faces: area and volume.
//!
//! Volumes are exact up to rounding: `x . (x_u × x_v)` is a polynomial of degree 5 at most along
//! each coordinate, which three Gauss points integrate exactly. Areas are integrals of a square
//! root, by five Gauss points along each coordinate: exact for flat faces with straight sides.

use super::{Face, FaceKind};
use crate::geometry::vector::{dot, minus};

/// The three points of Gauss quadrature on `[-1, 1]`, each with its weight: exact for polynomials
/// up to degree 5.
const THREE: [(f64, f64); 3] = [
    (-0.774_596_669_241_483_4, 5.0 / 9.0),
    (0.0, 8.0 / 9.0),
    (0.774_596_669_241_483_4, 5.0 / 9.0),
];

/// The five points of Gauss quadrature on `[-1, 1]`, each with its weight: exact for polynomials up
/// to degree 9.
const FIVE: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.0, 128.0 / 225.0),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

/// Returns the integral of `value` over the reference domain of a kind of face, by Gauss quadrature
/// with the points and weights `rule` along each coordinate. The reference triangle is mapped from
/// the unit square: `(u, v)` to `(u, (1 - u) v)`. The Jacobian of this map, `1 - u`, raises the
/// degree of the integrand by one.
fn integral(kind: FaceKind, rule: &[(f64, f64)], value: impl Fn([f64; 2]) -> f64) -> f64 {
    let mut sum = 0.0;
    for &(x, wx) in rule {
        if kind.dimension() == 1 {
            sum += wx * value([x, 0.0]);
            continue;
        }
        for &(y, wy) in rule {
            sum += match kind.corners() {
                3 => {
                    let (u, v) = (0.5 * (1.0 + x), 0.5 * (1.0 + y));
                    0.25 * wx * wy * (1.0 - u) * value([u, (1.0 - u) * v])
                }
                _ => wx * wy * value([x, y]),
            };
        }
    }
    sum
}

impl Face {
    /// Returns the area of the face by Gauss quadrature with 25 points; for a segment, the length
    /// with 5 points.
    pub fn area(&self) -> f64 {
        integral(self.kind(), &FIVE, |xi| {
            let normal = self.area_normal(xi);
            dot(normal, normal).sqrt()
        })
    }

    /// Returns the signed volume of the cone whose apex is `origin` and whose base is the face (for
    /// a segment, the area of the triangle). It is computed by Gauss quadrature, exact up to
    /// rounding. It is positive if the normal of the face points away from `origin`.
    pub fn volume_from(&self, origin: [f64; 3]) -> f64 {
        let kind = self.kind();
        let sum = integral(kind, &THREE, |xi| {
            dot(minus(self.point(xi), origin), self.area_normal(xi))
        });
        sum / (1.0 + kind.dimension() as f64)
    }
}
