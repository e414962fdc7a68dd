//! Vectors of the narrow phase, where rounding and underflow matter.

use crate::geometry::vector::{cross, dot, minus};

pub(super) fn length(v: [f64; 3]) -> f64 {
    let squared = dot(v, v);
    if SQUARES.contains(&squared) {
        return squared.sqrt();
    }
    let largest = v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if largest > 0.0 && largest.is_finite() {
        let [x, y, z] = v.map(|x| x / largest);
        largest * (x * x + y * y + z * z).sqrt()
    } else {
        largest
    }
}

/// Squared lengths that neither lose digits to underflow nor overflow.
const SQUARES: std::ops::Range<f64> = 1e-280..f64::INFINITY;

/// `v` normalised; zero if `v` is.
pub(super) fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = length(v);
    if length > 0.0 {
        v.map(|x| x / length)
    } else {
        [0.0; 3]
    }
}

/// The direction and the length of a vector; none if it is too short to be normalised.
#[inline]
pub(super) fn direction(v: [f64; 3]) -> Option<([f64; 3], f64)> {
    let length = dot(v, v).sqrt();
    (length > f64::MIN_POSITIVE).then(|| (v.map(|x| x / length), length))
}

/// Removes the component of a vector along an edge once more: what rounding left of it would tilt a
/// short vector.
#[inline]
pub(super) fn across(way: [f64; 3], along: [f64; 3], squared: f64) -> [f64; 3] {
    let rest = dot(way, along) / squared;
    std::array::from_fn(|k| way[k] - rest * along[k])
}

/// Twice the area of a triangle, as a vector along its normal: the cross product of its two shorter
/// edges, since the longer ones of a needle are nearly parallel.
#[inline]
pub(super) fn area(p: [f64; 3], q: [f64; 3], r: [f64; 3]) -> [f64; 3] {
    let (a, b, c) = (minus(q, p), minus(r, q), minus(p, r));
    let (aa, bb, cc) = (dot(a, a), dot(b, b), dot(c, c));
    if cc >= aa && cc >= bb {
        cross(a, b)
    } else if aa >= bb {
        cross(b, c)
    } else {
        cross(c, a)
    }
}
