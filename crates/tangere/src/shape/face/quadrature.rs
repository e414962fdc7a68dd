//! Gauss quadrature over finite element faces: area and volume.
//!
//! Volumes are exact up to rounding: `x . (x_u × x_v)` is a polynomial of degree 5 at most along
//! each coordinate, which three Gauss points integrate exactly. Areas are integrals of a square
//! root, by five Gauss points along each coordinate: exact for flat faces with straight sides.

use super::{Face, FaceKind};
use crate::geometry::vector::{dot, minus};

/// Three Gauss points and weights on `[-1, 1]`: exact to degree 5.
const THREE: [(f64, f64); 3] = [
    (-0.774_596_669_241_483_4, 5.0 / 9.0),
    (0.0, 8.0 / 9.0),
    (0.774_596_669_241_483_4, 5.0 / 9.0),
];

/// Five Gauss points and weights on `[-1, 1]`: exact to degree 9.
const FIVE: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.0, 128.0 / 225.0),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

/// Returns the integral of `value` over the reference domain of a face by Gauss quadrature. For
/// triangles, the point `(u, v)` of the unit square maps to the point `(u, (1 - u) v)` of the
/// reference triangle, with the Jacobian `1 - u`, which adds one degree.
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
    /// Returns the area of a face or the length of a segment by Gauss quadrature, with 25 or 5
    /// points.
    pub fn area(&self) -> f64 {
        integral(self.kind(), &FIVE, |xi| {
            let normal = self.area_normal(xi);
            dot(normal, normal).sqrt()
        })
    }

    /// Returns the volume of the cone from `origin` to the face (for a segment, the area of the
    /// triangle) by Gauss quadrature, exact up to rounding: positive if the normal points away from
    /// the origin.
    pub fn volume_from(&self, origin: [f64; 3]) -> f64 {
        let kind = self.kind();
        let sum = integral(kind, &THREE, |xi| {
            dot(minus(self.point(xi), origin), self.area_normal(xi))
        });
        sum / (1.0 + kind.dimension() as f64)
    }
}
