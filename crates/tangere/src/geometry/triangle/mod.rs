//! Triangles in space: normal, area, signed volume, solid angle, closest point.
//!
//! Measures are floats. They start from differences of corners, so they are as accurate far from
//! the origin as near it. They avoid cancellation, so that the area of a needle is accurate to all
//! digits.
//!
//! For the closest point see [`closest_on_triangle`] and [`closest_on_segment`].

mod closest_point;

pub(crate) use closest_point::closest_inlined;
pub use closest_point::{
    ClosestOnSegment, ClosestOnTriangle, closest_on_segment, closest_on_triangle,
};

use super::vector::{accurate_cross, cross, dot, length, minus};
use super::{Aabb, are_collinear};

/// The factor 2^300 by which the edges of tiny triangles are scaled up, so that products of several
/// coordinates do not underflow.
const MAGNIFIED: f64 = f64::from_bits((1023 + 300) << 52);

/// Returns the normal `(b - a) x (c - a)` of a triangle, of length twice the area. Seen from the
/// side to which it points, the corners are counterclockwise.
///
/// It is computed as the cross product of the two shorter edges: of all pairs of edges, the product
/// of their lengths is least, and so is the rounding error.
#[inline]
pub fn normal(triangle: [[f64; 3]; 3]) -> [f64; 3] {
    let [a, b, c] = triangle;
    normal_of_edges([minus(b, a), minus(c, b), minus(a, c)])
}

/// Returns the normal of a triangle, given its three edge vectors in cyclic order.
#[inline(always)]
fn normal_of_edges(edges: [[f64; 3]; 3]) -> [f64; 3] {
    let squares = edges.map(|e| dot(e, e));
    let longest = if squares[0] >= squares[1] && squares[0] >= squares[2] {
        0
    } else if squares[1] >= squares[2] {
        1
    } else {
        2
    };
    accurate_cross(edges[(longest + 1) % 3], edges[(longest + 2) % 3])
}

/// Returns the unit normal of a triangle; none if the computed normal is zero.
#[inline]
pub fn unit_normal(triangle: [[f64; 3]; 3]) -> Option<[f64; 3]> {
    let n = normal(triangle);
    let length = length(n);
    (length > 0.0).then(|| {
        // A subnormal length has few bits; unit vectors need all.
        if length < f64::MIN_POSITIVE / f64::EPSILON {
            let scaled = n.map(|x| x * MAGNIFIED);
            let length = self::length(scaled);
            scaled.map(|x| x / length)
        } else {
            n.map(|x| x / length)
        }
    })
}

/// Returns the area of a triangle.
#[inline]
pub fn area(triangle: [[f64; 3]; 3]) -> f64 {
    0.5 * length(normal(triangle))
}

/// Returns six times the signed volume of the tetrahedron of a reference point and a triangle,
/// positive if the point is behind the triangle (the normal points away from it). The sum over a
/// closed surface whose normals point outward is six times the enclosed volume. The caller divides
/// by 6 only at the end, so that sums for integer coordinates stay exact. A reference point amid
/// the surface keeps the terms small.
#[inline]
pub fn sixfold_volume(reference: [f64; 3], triangle: [[f64; 3]; 3]) -> f64 {
    let [a, b, c] = triangle.map(|p| minus(p, reference));
    dot(a, cross(b, c))
}

/// Returns the signed solid angle of a triangle at `x`, positive if `x` is behind it (the normal
/// points away from `x`). The sum over a closed surface whose normals point outward is 4 pi if `x`
/// is inside and 0 if it is outside.
///
/// Van Oosterom and Strackee 1983: `tan(angle / 2)` is the triple product of the corners `a`, `b`,
/// `c` relative to `x`, divided by `|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|`.
#[inline]
pub fn solid_angle(x: [f64; 3], triangle: [[f64; 3]; 3]) -> f64 {
    let [a, b, c] = triangle.map(|p| minus(p, x));
    let [la, lb, lc] = [a, b, c].map(length);
    let numerator = dot(a, cross(b, c));
    let denominator = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    2.0 * numerator.atan2(denominator)
}

/// Returns whether a triangle is degenerate: it has no area, decided exactly.
#[inline]
pub fn is_degenerate(triangle: [[f64; 3]; 3]) -> bool {
    let [a, b, c] = triangle;
    are_collinear(a, b, c)
}

/// Returns the AABB of a triangle.
#[inline]
pub fn bounds(triangle: [[f64; 3]; 3]) -> Aabb<3> {
    Aabb::of_points(triangle)
}
