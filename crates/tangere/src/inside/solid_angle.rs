//! Solid angle of a triangle seen from a point, as a fraction of the sphere of directions.

use crate::geometry::vector::dot;
use crate::geometry::{Sign, orient3d};

/// Bound on the rounding error of the vector (denominator, numerator) of the formula in
/// [`solid_angle`], whose terms are at most 1. In units of 2^-53, the error is 4 for each of the
/// unit vectors `a`, `b`, `c` (difference, length, quotient), up to 11 for a product of two of
/// them, 34 for the four terms of the denominator and 26 for the numerator.
const SLACK: f64 = 48.0 * (f64::EPSILON / 2.0);

/// A signed fraction of the sphere of directions (a solid angle over 4 pi), with a bound on its
/// error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Fraction {
    pub(crate) value: f64,
    pub(crate) error: f64,
}

/// The solid angle of a triangle seen from a point, over 4 pi: positive if the normal points away
/// from the point, 0 if the point lies in the triangle's plane.
///
/// With `a`, `b`, `c` the unit vectors to the corners (van Oosterom and Strackee 1983), `tan(angle
/// / 2) = a . (b x c) / (1 + a . b + b . c + c . a)`. The exact predicate `orient3d` gives the sign
/// of the numerator. It is 0 if the point lies in the plane of the triangle, which is then seen
/// edge-on or contains the point.
pub(crate) fn solid_angle(p: [f64; 3], triangle: [[f64; 3]; 3]) -> Fraction {
    let side = orient3d(triangle[0], triangle[1], triangle[2], p);
    if side.is_zero() {
        return Fraction::default();
    }
    let unit = |v: [f64; 3]| {
        let away: [f64; 3] = std::array::from_fn(|k| v[k] - p[k]);
        let length = dot(away, away).sqrt();
        away.map(|x| x / length)
    };
    let [a, b, c] = triangle.map(unit);
    let cross = [
        b[1] * c[2] - b[2] * c[1],
        b[2] * c[0] - b[0] * c[2],
        b[0] * c[1] - b[1] * c[0],
    ];
    let numerator = dot(a, cross).abs();
    let denominator = 1.0 + dot(a, b) + dot(b, c) + dot(c, a);
    let turn = 0.5 * std::f64::consts::FRAC_1_PI;
    let value = libm::atan2(numerator, denominator) * turn;
    // A vector moved by at most half of its length turns by at most pi / 3 times the fraction
    // moved.
    let moved = SLACK / libm::hypot(numerator, denominator);
    let error = match moved <= 0.5 {
        true => (std::f64::consts::FRAC_PI_3 * moved + 2.0 * f64::EPSILON) * turn,
        false => 0.5,
    };
    // Seen from the side of the normal, the solid angle is negative.
    let value = if side == Sign::Positive {
        -value
    } else {
        value
    };
    Fraction { value, error }
}

/// The winding number of a surface about a point: the sum of the solid angles of all triangles over
/// 4 pi.
pub(crate) fn total_angle(p: [f64; 3], triangles: &[[[f64; 3]; 3]]) -> Fraction {
    let mut sum = Fraction::default();
    let mut size = 0.0;
    for &triangle in triangles {
        let angle = solid_angle(p, triangle);
        sum.value += angle.value;
        sum.error += angle.error;
        size += angle.value.abs();
    }
    sum.error += size * triangles.len() as f64 * f64::EPSILON;
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn octants() {
        let octahedron = generate::sphere(0).unwrap();
        let triangles: Vec<_> = (0..8).map(|f| octahedron.triangle(f)).collect();
        assert!((solid_angle([0.0; 3], triangles[0]).value - 0.125).abs() < 1e-15);
        // Edges of a regular octahedron are acos(-1/3) wide, corners 4 asin(1/3).
        let edge = (-1.0f64 / 3.0).acos() / std::f64::consts::TAU;
        let corner = (1.0f64 / 3.0).asin() / std::f64::consts::PI;
        for (p, expected) in [
            ([0.1, 0.2, 0.3], 1.0),
            ([1.0, 0.2, 0.3], 0.0),
            ([0.25, 0.25, 0.5], 0.5),
            ([0.5, 0.5, 0.0], edge),
            ([0.0, 0.0, 1.0], corner),
            ([1e40, 1e50, 1e60], 0.0),
        ] {
            let found = total_angle(p, &triangles);
            assert!(
                (found.value - expected).abs() <= found.error,
                "{p:?}: {found:?}"
            );
            assert!(found.error < 1e-13, "{p:?}: {found:?}");
        }
        // Close to an edge rounding decides, and the bound shows it.
        let verge = [0.5 + 1e-16, 0.5, 1e-17];
        assert!(total_angle(verge, &triangles).error > 0.01);
    }
}
