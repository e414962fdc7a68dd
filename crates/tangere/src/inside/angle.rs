//! The part of all directions in which a triangle is seen from a point.

use crate::geometry::{Sign, orient3d};

/// The solid angle of a triangle about a point over 4 pi: positive if the
/// normal points away from the point, 0 if the point lies in the triangle's plane.
///
/// With `a`, `b`, `c` the corners relative to the point (van Oosterom and
/// Strackee 1983), `tan(angle / 2) = a . (b x c) / (|a||b||c| + (a . b)|c| +
/// (b . c)|a| + (c . a)|b|)`. The sign of the numerator is that of `orient3d`:
/// on the plane a triangle is seen edge-on or, from within, not at all.
pub(crate) fn solid_angle(p: [f64; 3], triangle: [[f64; 3]; 3]) -> f64 {
    let side = orient3d(triangle[0], triangle[1], triangle[2], p);
    if side.is_zero() {
        return 0.0;
    }
    // Directions of unit length: products of lengths might leave the range.
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
    let fraction = libm::atan2(numerator, denominator) * std::f64::consts::FRAC_1_PI * 0.5;
    // A point on the side of the normal sees the back of a body's surface.
    if side == Sign::Positive {
        -fraction
    } else {
        fraction
    }
}

#[inline]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::solid_angle;
    use crate::generate;

    #[test]
    fn octants() {
        let octahedron = generate::sphere(0).unwrap();
        let total = |p| -> f64 { (0..8).map(|f| solid_angle(p, octahedron.triangle(f))).sum() };
        assert!((solid_angle([0.0; 3], octahedron.triangle(0)) - 0.125).abs() < 1e-15);
        for (p, expected) in [
            ([0.1, 0.2, 0.3], 1.0),
            ([1.0, 0.2, 0.3], 0.0),
            ([0.25, 0.25, 0.5], 0.5),
            // Edges of a regular octahedron are acos(-1/3) wide, corners
            // 4 asin(1/3) of 4 pi.
            (
                [0.5, 0.5, 0.0],
                (-1.0f64 / 3.0).acos() / std::f64::consts::TAU,
            ),
            (
                [0.0, 0.0, 1.0],
                (1.0f64 / 3.0).asin() / std::f64::consts::PI,
            ),
        ] {
            assert!((total(p) - expected).abs() < 1e-15, "{p:?}: {}", total(p));
        }
    }
}
