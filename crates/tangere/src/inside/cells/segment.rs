//! What a segment from a point to a cell's reference does to a triangle, exactly.
//!
//! The reference r is off the surface; it counts as moved by an infinitesimal
//! `(e, e^2, e^3)`, so that the segment meets no edge and ends in no plane. The
//! point p stays where it is: if it lies on the triangle, nothing else counts.
//!
//! With `A`, `B`, `C` the corners and `d` the reference relative to p, the segment's
//! line passes within the triangle if `d.(A x B)`, `d.(B x C)` and `d.(C x A)` have
//! the same sign. `A.(B x C)` tells the side of the plane on which p lies, and
//! less the three the side of r. All are polynomials of degree 3; floats decide
//! where a bound on their errors lets them.

use super::super::columns::Triangle;
use crate::geometry::{Sign, orient2d, orient3d, point_on_triangle};

/// What becomes of a segment at a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    /// By how much the winding number of the start exceeds that of the end: 1 if
    /// it goes through along the normal, -1 against it, 0 past it.
    Through(i32),
    /// It starts on the triangle.
    On,
}

/// Errors of a determinant of rounded differences, as a part of the product of the
/// largest magnitudes along the axes: six products of three factors, in which a
/// factor has one rounding, and at most five operations follow: 6 * 8 units
/// of half an epsilon, doubled for room.
const ERROR: f64 = 48.0 * f64::EPSILON;

/// What a segment does at a triangle; the reference must be off it.
#[inline(always)]
pub(super) fn passage(p: [f64; 3], reference: [f64; 3], t: &Triangle) -> Passage {
    let from = |v: [f64; 3]| [v[0] - p[0], v[1] - p[1], v[2] - p[2]];
    let [a, b, c] = t.map(from);
    let d = from(reference);
    let (ab, bc, ca) = (cross(a, b), cross(b, c), cross(c, a));
    let edges = [dot(d, ab), dot(d, bc), dot(d, ca)];
    let most = |k: usize| {
        let corners = a[k].abs().max(b[k].abs()).max(c[k].abs());
        corners.max(d[k].abs())
    };
    let error = ERROR * (most(0) * most(1) * most(2));
    let least = edges[0].min(edges[1]).min(edges[2]);
    let greatest = edges[0].max(edges[1]).max(edges[2]);
    // On the triangle all three would be 0 or of one sign.
    if least < -error && greatest > error {
        return Passage::Through(0);
    }
    let start = dot(a, bc);
    let end = start - (edges[0] + edges[1] + edges[2]);
    let end_error = 5.0 * error;
    if (start > error && end > end_error) || (start < -error && end < -end_error) {
        return Passage::Through(0);
    }
    if least > error && start > error && end < -end_error {
        return Passage::Through(1);
    }
    if greatest < -error && start < -error && end > end_error {
        return Passage::Through(-1);
    }
    passage_in_doubt(p, reference, t)
}

/// What a segment does at a triangle, by exact predicates.
#[cold]
#[inline(never)]
fn passage_in_doubt(p: [f64; 3], reference: [f64; 3], t: &Triangle) -> Passage {
    let [a, b, c] = *t;
    let start = orient3d(a, b, c, p);
    if start.is_zero() {
        // The moved reference is off the plane, so only p itself may be on the
        // triangle. Triangles without area end here, too.
        return match point_on_triangle(p, *t) {
            Some(_) => Passage::On,
            None => Passage::Through(0),
        };
    }
    let end = orient3d(a, b, c, reference);
    // A reference in the plane is off the triangle, and the segment meets the
    // plane nowhere else.
    if end.is_zero() || end == start {
        return Passage::Through(0);
    }
    let side = |u: [f64; 3], v: [f64; 3]| nudged(p, reference, u, v);
    let first = side(a, b);
    if first != side(b, c) || first != side(c, a) {
        return Passage::Through(0);
    }
    // From below the plane to above it.
    Passage::Through(if start == Sign::Negative { 1 } else { -1 })
}

/// The sign of `d.(A x B)` for the moved reference. If it is 0 for the reference
/// itself, the first component of `A x B` decides that is not 0. All are only if
/// p is on the line of the edge, hence in the plane.
fn nudged(p: [f64; 3], reference: [f64; 3], a: [f64; 3], b: [f64; 3]) -> Sign {
    // orient3d(p, a, b, r) has the sign of (r - p).((a - p) x (b - p)).
    let sign = orient3d(p, a, b, reference);
    if !sign.is_zero() {
        return sign;
    }
    let flat = |v: [f64; 3], k: usize| [v[(k + 1) % 3], v[(k + 2) % 3]];
    (0..3)
        .map(|k| orient2d(flat(p, k), flat(a, k), flat(b, k)))
        .find(|sign| !sign.is_zero())
        .unwrap_or(Sign::Zero)
}

#[inline(always)]
fn cross(u: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ]
}

#[inline(always)]
fn dot(u: [f64; 3], v: [f64; 3]) -> f64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}
