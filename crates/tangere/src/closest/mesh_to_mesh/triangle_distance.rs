//! Triangle distance: distance and closest points of two triangles.
//!
//! Disjoint triangles are closest at a corner of one and some point of the other, or at inner
//! points of two edges. Cost: six closest points on triangles and nine pairs of edges.
//!
//! Accuracy: with `R` the largest distance of two corners, of the same or of both triangles, and
//! `eps` the unit roundoff, the distance is accurate to a small multiple of `R eps`, for nearly
//! parallel edges as well. Let `u` and `v` be the vectors along two edges and `w` the vector
//! between their starts. Then `n = u x v` is computed without cancellation, and the parameters
//! `det(w, v, n) / n.n` and `det(w, u, n) / n.n` on both lines are off by `eps / sin(angle)`. This
//! hardly changes the distance: along the lines the squared distance grows with the square of
//! `sin(angle)` only.

use crate::geometry::triangle::closest_inlined;
use crate::geometry::vector::{cross, difference_of_products, dot, largest, minus};
use crate::geometry::{flushed, triangle_triangle};
use crate::simd::widest;

use super::common_point::common_point;

/// The length below which edge vectors are scaled up for the triangle distance, since products of
/// four such lengths would underflow: 2^-150.
const SHORT: f64 = f64::from_bits((1023 - 150) << 52);

/// The factor by which short edge vectors are scaled up for the triangle distance: 2^300.
const MAGNIFIED: f64 = f64::from_bits((1023 + 300) << 52);

/// The distance and the closest points of two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleDistance {
    /// The distance of the two triangles; exactly 0 if and only if they intersect.
    pub distance: f64,
    /// The closest point of the first triangle.
    pub point_a: [f64; 3],
    /// The closest point of the second triangle; it is `point_a` if the triangles intersect.
    pub point_b: [f64; 3],
}

impl TriangleDistance {
    /// The unit vector from the closest point of the first triangle to that of the second; 0 if
    /// they coincide.
    pub(super) fn way(&self) -> [f64; 3] {
        let away = minus(self.point_b, self.point_a);
        let size = largest(away);
        if size == 0.0 {
            return [0.0; 3];
        }
        let scaled = away.map(|x| x / size);
        let length = dot(scaled, scaled).sqrt();
        scaled.map(|x| x / length)
    }
}

/// The distance and the closest points of two triangles, which may be degenerate.
///
/// ```
/// use tangere::closest::triangle_distance;
///
/// let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let above = [[1.0, 1.0, 2.0], [1.0, 1.0, 9.0], [2.0, 1.0, 9.0]];
/// let nearest = triangle_distance(flat, above);
/// assert_eq!((nearest.distance, nearest.point_a), (2.0, [1.0, 1.0, 0.0]));
/// ```
pub fn triangle_distance(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> TriangleDistance {
    if triangle_triangle(a, b).is_some() {
        let point = common_point(a, b);
        return TriangleDistance {
            distance: 0.0,
            point_a: point,
            point_b: point,
        };
    }
    distance_apart(a, b).1
}

/// The triangle distance of two disjoint triangles; the first value is the squared distance.
pub(crate) fn distance_apart(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> (f64, TriangleDistance) {
    widest(
        #[inline(always)]
        || apart_inlined(a, b),
    )
}

/// The triangle distance of two disjoint triangles as [`distance_apart`] computes it, bit for bit.
/// This copy is inlined into callers that are compiled with fused multiply-add.
#[inline(always)]
pub(super) fn apart_inlined(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> (f64, TriangleDistance) {
    let mut best = (f64::INFINITY, a[0], b[0]);
    let mut offer = |square: f64, point_a: [f64; 3], point_b: [f64; 3]| {
        if square < best.0 {
            best = (square, point_a, point_b);
        }
    };
    for p in a {
        let on_b = closest_inlined(p, b);
        offer(on_b.distance_squared, p, on_b.point);
    }
    for p in b {
        let on_a = closest_inlined(p, a);
        offer(on_a.distance_squared, on_a.point, p);
    }
    for i in 0..3 {
        for j in 0..3 {
            let (on_a, on_b) = ([a[i], a[(i + 1) % 3]], [b[j], b[(j + 1) % 3]]);
            // In a fixed order, so that exchanging a and b gives the same bits.
            if on_b < on_a {
                if let Some((square, point_b, point_a)) = within_edges(on_b, on_a) {
                    offer(square, point_a, point_b);
                }
            } else if let Some((square, point_a, point_b)) = within_edges(on_a, on_b) {
                offer(square, point_a, point_b);
            }
        }
    }
    let (square, point_a, point_b) = best;
    // Squares of the smallest numbers underflow.
    let away = minus(point_b, point_a);
    let distance = match square >= f64::MIN_POSITIVE / f64::EPSILON {
        true => square.sqrt(),
        false => {
            let scaled = away.map(|x| x * MAGNIFIED);
            dot(scaled, scaled).sqrt() / MAGNIFIED
        }
    };
    let nearest = TriangleDistance {
        distance,
        point_a,
        point_b,
    };
    (square, nearest)
}

/// The squared distance of two edges of triangles, and their closest points. `None` if a closest
/// point is an end of its edge, or the edges are parallel.
#[inline(always)]
fn within_edges(a: [[f64; 3]; 2], b: [[f64; 3]; 2]) -> Option<(f64, [f64; 3], [f64; 3])> {
    let (mut u, mut v, mut w) = (minus(a[1], a[0]), minus(b[1], b[0]), minus(b[0], a[0]));
    if largest(u).max(largest(v)) < SHORT {
        [u, v, w] = [u, v, w].map(|x| x.map(|x| x * MAGNIFIED));
    }
    let n: [f64; 3] = std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        difference_of_products(u[i], v[j], u[j], v[i])
    });
    let square = dot(n, n);
    // Dot products of a0 + s u + r n = b0 + t v with v x n and u x n give s and t.
    let s = dot(cross(w, v), n);
    let t = dot(cross(w, u), n);
    let inside = |x: f64| 0.0 < x && x < square;
    if !(inside(s) && inside(t)) {
        return None;
    }
    let (s, t) = (s / square, t / square);
    let (u, v, w) = (minus(a[1], a[0]), minus(b[1], b[0]), minus(b[0], a[0]));
    let (along_a, along_b) = (u.map(|x| s * x), v.map(|x| t * x));
    let away: [f64; 3] = std::array::from_fn(|k| (w[k] + along_b[k]) - along_a[k]);
    let point = |from: [f64; 3], along: [f64; 3]| -> [f64; 3] {
        flushed(std::array::from_fn(|k| from[k] + along[k]))
    };
    Some((dot(away, away), point(a[0], along_a), point(b[0], along_b)))
}
