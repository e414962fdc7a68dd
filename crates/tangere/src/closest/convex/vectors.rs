//! Vectors of the narrow phase: length, direction, orthogonal component and area, accurate in spite
//! of rounding.

use crate::geometry::vector::{self, cross, dot, minus};

/// The length of a vector in the narrow phase of convex bodies, without overflow or underflow of
/// its square.
pub(super) fn length(v: [f64; 3]) -> f64 {
    let squared = dot(v, v);
    if SQUARES.contains(&squared) {
        return squared.sqrt();
    }
    let largest = vector::largest(v);
    if largest > 0.0 && largest.is_finite() {
        let [x, y, z] = v.map(|x| x / largest);
        largest * (x * x + y * y + z * z).sqrt()
    } else {
        largest
    }
}

/// The range in which the squared length of a vector has neither overflowed nor lost digits to
/// underflow.
const SQUARES: std::ops::Range<f64> = 1e-280..f64::INFINITY;

/// The vector `v` of the narrow phase divided by its length, which neither overflows nor
/// underflows; 0 if `v` is 0.
pub(super) fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = length(v);
    if length > 0.0 {
        v.map(|x| x / length)
    } else {
        [0.0; 3]
    }
}

/// The direction and the length of a vector in the narrow phase of convex bodies; `None` if the
/// vector is too short to be normalised.
#[inline]
pub(super) fn direction(v: [f64; 3]) -> Option<([f64; 3], f64)> {
    let length = dot(v, v).sqrt();
    (length > f64::MIN_POSITIVE).then(|| (v.map(|x| x / length), length))
}

/// The component of the vector `way` orthogonal to `along`, whose squared length is `squared`, for
/// the normals of the narrow phase. If `way` is nearly parallel to `along`, rounding leaves a
/// component along it in the short result; callers then apply the function twice.
#[inline]
pub(super) fn across(way: [f64; 3], along: [f64; 3], squared: f64) -> [f64; 3] {
    let rest = dot(way, along) / squared;
    std::array::from_fn(|k| way[k] - rest * along[k])
}

/// The area vector of a triangle in the narrow phase of convex bodies: its direction is the normal
/// of the triangle, and its length twice the area. It is the cross product of the two shorter
/// edges, since the longer edges of a thin triangle are nearly parallel.
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
