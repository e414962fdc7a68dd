//! Planes of the faces of a convex polyhedron: normals and offsets, accurate to rounding.
//!
//! The corners of a face are exactly coplanar, so any three of them give its normal. It is computed
//! without loss by cancellation: in double-double arithmetic, and exactly where that does not
//! suffice (slivers). So the error of a normal is only rounding, at most [`TILT`], however thin its
//! face is. This bounds how far vertices can stick out of the rounded plane.

use rayon::prelude::*;

use super::coordinate_range::Scaled;
use super::{HalfEdge, Plane};
use crate::geometry::vector::largest;

/// An upper bound of the error of a computed unit normal of a face plane, `8 * 2^-53`. It covers
/// the error of the cross product ([`cross`]) and the rounding of the normalisation: of the sum of
/// three squares, its square root and the quotients.
const TILT: f64 = 4.0 * f64::EPSILON;

/// A generous upper bound of the relative rounding error of a difference of two products in
/// double-double arithmetic, for the normals of face planes: relative to the larger product.
const DOUBTFUL: f64 = f64::from_bits((1023 - 100) << 52);

/// If the largest coordinate of the cross product of two edges is below this factor, 2^55, times
/// its error bound, then the normal of the face plane is computed exactly.
const TRUSTED: f64 = (1u64 << 55) as f64;

/// Returns the plane of a face of a convex polyhedron from three of the face's corners,
/// counterclockwise as seen from outside. `size` is an upper bound of the distance of two points of
/// the polyhedron. Coordinates must be in the range of exact predicates.
pub(super) fn plane([a, b, c]: [[f64; 3]; 3], size: f64) -> Plane {
    let area = cross(a, b, c);
    let largest = largest(area);
    let mut axes = (0..3).filter(|&k| area[k] != 0.0);
    if let (Some(axis), None) = (axes.next(), axes.next()) {
        // The plane is parallel to two axes, and nothing is rounded.
        let mut normal = [0.0; 3];
        normal[axis] = area[axis].signum();
        return Plane {
            normal,
            offset: normal[axis] * a[axis],
        };
    }
    // Coordinates are scaled so that squares neither overflow nor all underflow.
    let area = area.map(|x| x / largest);
    let length = (area[0] * area[0] + area[1] * area[1] + area[2] * area[2]).sqrt();
    let normal = area.map(|x| x / length);
    // For `x` in the body, with the exact normal `m`, `n . (x - a) <= |n - m| |x - a|`.
    let slack = TILT * size;
    let (high, low, error) = dot(normal, a);
    let offset = ((low + error + slack) + high).next_up();
    Plane { normal, offset }
}

/// Computes the face planes of a convex polyhedron. `exact` has its vertices scaled into the range
/// of exact predicates, and `size` is an upper bound of their distances. The planes returned are in
/// the given, unscaled coordinates.
pub(super) fn planes(
    exact: &[[f64; 3]],
    half_edges: &[HalfEdge],
    face_starts: &[u32],
    scaled: &Scaled<'_>,
    size: f64,
) -> Vec<Plane> {
    let of_face = |ends: &[u32]| {
        let corners = &half_edges[ends[0] as usize..ends[1] as usize];
        // Corners far apart determine the plane best.
        let n = corners.len();
        let far = [0, n / 3, 2 * n / 3].map(|i| exact[corners[i].origin as usize]);
        let mut plane = plane(far, size);
        if scaled.exponent != 0 {
            // Where the result is subnormal, scaling may round.
            let offset = scaled.given(plane.offset);
            let is_exact = libm::scalbn(offset, scaled.exponent) == plane.offset;
            plane.offset = if is_exact { offset } else { offset.next_up() };
        }
        plane
    };
    face_starts.par_windows(2).map(of_face).collect()
}

/// Returns the dot product of `x` and `y`, nearly exact, for the offset of a face plane. The three
/// numbers are `high`, `low` and `error`: the dot product differs from `high + low` by at most
/// `error`.
fn dot(x: [f64; 3], y: [f64; 3]) -> (f64, f64, f64) {
    let (mut high, mut low) = product(x[0], y[0]);
    let mut size = high.abs();
    for k in 1..3 {
        let (p, e) = product(x[k], y[k]);
        let (s, r) = sum(high, p);
        size += p.abs();
        (high, low) = (s, low + (e + r));
    }
    (high, low, DOUBTFUL * size)
}

/// Returns the normal `(b - a) x (c - a)` of a face plane, not normalised. The error of each
/// coordinate is at most the larger of two bounds: `2^-53` times the coordinate, and `2^-55` times
/// the largest coordinate.
pub(super) fn cross(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> [f64; 3] {
    let (u, v) = (minus_exactly(b, a), minus_exactly(c, a));
    let mut error = 0.0_f64;
    let area = std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let (p, r) = (times(u[i], v[j]), times(u[j], v[i]));
        let (high, low) = sum(p.0, -r.0);
        error = error.max(DOUBTFUL * p.0.abs().max(r.0.abs()));
        high + (low + (p.1 - r.1))
    });
    if largest(area) >= TRUSTED * error {
        return area;
    }
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        determinant([a[i], a[j]], [b[i], b[j]], [c[i], c[j]])
    })
}

/// Returns the difference `a - b` of two corners of a face as exact double-doubles, for the normal
/// of the face plane.
fn minus_exactly(a: [f64; 3], b: [f64; 3]) -> [(f64, f64); 3] {
    std::array::from_fn(|k| sum(a[k], -b[k]))
}

/// Returns the product of two double-doubles for the normal of a face plane, nearly exact.
fn times(x: (f64, f64), y: (f64, f64)) -> (f64, f64) {
    let (high, low) = product(x.0, y.0);
    (high, low + (x.0 * y.1 + x.1 * y.0))
}

/// Returns one coordinate of the normal of a face plane from exact arithmetic: the cross product
/// `(b - a) x (c - a)` of three points in two dimensions, rounded once or twice.
#[cold]
fn determinant(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    // The twelve numbers of `a x b + b x c + c x a` are added to a sum of parts that do not overlap
    // (Shewchuk 1997, Grow-Expansion).
    let (mut parts, mut count) = ([0.0; 12], 0);
    for (p, q) in [(a, b), (b, c), (c, a)] {
        for (x, y) in [(p[0], q[1]), (-p[1], q[0])] {
            let (high, low) = product(x, y);
            for term in [low, high] {
                let mut rest = term;
                for part in &mut parts[..count] {
                    (rest, *part) = sum(rest, *part);
                }
                parts[count] = rest;
                count += 1;
            }
        }
    }
    parts.iter().sum()
}

/// Returns `x + y`, rounded, and the rounding error (Knuth's two-sum), for face planes.
fn sum(x: f64, y: f64) -> (f64, f64) {
    let s = x + y;
    let of_y = s - x;
    (s, (x - (s - of_y)) + (y - of_y))
}

/// Returns `x * y`, rounded, and the rounding error, for face planes.
fn product(x: f64, y: f64) -> (f64, f64) {
    let p = x * y;
    (p, x.mul_add(y, -p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sliver_has_an_exact_normal() {
        // Three points are nearly on a line; their plane contains the direction (1, 1, 1) and tilts
        // by the last bit of one coordinate.
        let e = f64::EPSILON;
        let (a, b, c) = ([0.0; 3], [1.0; 3], [2.0 + 2.0 * e, 2.0, 2.0]);
        let n = plane([a, b, c], 4.0).normal;
        let half = 0.5_f64.sqrt();
        for (x, y) in n.iter().zip([0.0, half, -half]) {
            assert!((x - y).abs() <= e, "{n:?}");
        }
        // Coordinates that round when they are subtracted.
        let (a, b) = ([-1.0 / 3.0, 1e9 + 1.0, 0.1], [1.0 / 7.0, -1e-9, 0.7]);
        let middle = [0, 1, 2].map(|k| (a[k] + b[k]) / 2.0);
        let n = plane([a, b, middle], 2e9).normal;
        let exact = cross(a, b, middle);
        let exactly = [0, 1, 2].map(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            determinant([a[i], a[j]], [b[i], b[j]], [middle[i], middle[j]])
        });
        assert_eq!(exact, exactly);
        let length = n.iter().map(|x| x * x).sum::<f64>();
        assert!((length - 1.0).abs() < 4.0 * e);
    }
}
