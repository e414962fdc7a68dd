//! Exact crossing test of a triangle and the segment from a point to the reference point of its
//! cell, where the winding number is known.
//!
//! The reference point `r` is off the surface. Simulation of simplicity: it is treated as moved by
//! an infinitesimal `(e, e^2, e^3)`, so that the segment meets no edge and ends in no plane. The
//! point `p` is not moved: if it lies on the triangle, that is the result.
//!
//! With `A`, `B`, `C` the corners and `d` the reference point, all relative to `p`, the line of the
//! segment passes through the triangle if `d.(A x B)`, `d.(B x C)` and `d.(C x A)` have the same
//! sign. The sign of `A.(B x C)` shows on which side of the plane `p` lies; the sign of `A.(B x C)`
//! less the sum of the three other triple products shows this for `r`. All are polynomials of
//! degree 3; floats decide where their error bounds allow.

use super::super::grid_columns::Triangle;
use crate::geometry::{Sign, orient2d, orient3d, point_of_plane_on_triangle};
use crate::simd::Doubles;

/// The result of the crossing test of a segment and a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    /// The winding number of the start less that of the end: 1 if the segment crosses the triangle
    /// along the normal, -1 against it, 0 if it misses.
    Through(i32),
    /// The segment starts on the triangle.
    On,
}

/// Bound on the rounding error of the triple products in the segment crossing test, relative to the
/// same sum of products with magnitudes in place of values. The vectors of a triple product are
/// rounded differences of points, with one rounding each, and five operations follow. That makes 8
/// roundings of half an epsilon each, doubled to be safe.
const ERROR: f64 = 8.0 * f64::EPSILON;

/// Crossing test of a triangle and the segment from `p` to `reference`. The point `reference` must
/// not lie on the triangle; `p` may.
///
/// Lanes are the edges of the triangle: each has the cross product of a corner and the next one.
#[inline(always)]
pub(super) fn passage<D: Doubles>(p: [f64; 3], reference: [f64; 3], t: &Triangle) -> Passage {
    let (x, y, z) = (
        corners::<D>(t, p, 0),
        corners::<D>(t, p, 1),
        corners::<D>(t, p, 2),
    );
    let (next_x, next_y, next_z) = (x.turned(), y.turned(), z.turned());
    let (nx, x_size) = minor(y, next_z, z, next_y);
    let (ny, y_size) = minor(z, next_x, x, next_z);
    let (nz, z_size) = minor(x, next_y, y, next_x);
    let d = [
        reference[0] - p[0],
        reference[1] - p[1],
        reference[2] - p[2],
    ];
    let (dx, dy, dz) = (D::splat(d[0]), D::splat(d[1]), D::splat(d[2]));
    let edges = dx.mul(nx).add(dy.mul(ny)).add(dz.mul(nz));
    let size = dx
        .abs()
        .mul(x_size)
        .add(dy.abs().mul(y_size))
        .add(dz.abs().mul(z_size));
    let errors = size.mul(D::splat(ERROR));
    let above = errors.below(edges) & 0b111;
    let below = edges.below(D::splat(0.0).sub(errors)) & 0b111;
    // On the triangle all three would be 0 or of one sign.
    if above != 0 && below != 0 {
        return Passage::Through(0);
    }
    // The first lane has A.(B x C).
    let volume = x
        .mul(nx.turned())
        .add(y.mul(ny.turned()))
        .add(z.mul(nz.turned()));
    let size = x
        .abs()
        .mul(x_size.turned())
        .add(y.abs().mul(y_size.turned()));
    let size = size.add(z.abs().mul(z_size.turned()));
    let [mut edge, mut edge_error, mut start, mut start_size] = [[0.0; 4]; 4];
    edges.store(&mut edge);
    errors.store(&mut edge_error);
    volume.store(&mut start);
    size.store(&mut start_size);
    let (start, error) = (start[0], ERROR * start_size[0]);
    // Products that are 0 are exact, so p is in the plane, and all edges go the same way round
    // it: the face of an axis-aligned body.
    if start_size[0] == 0.0 && (above == 0b111 || below == 0b111) {
        return Passage::On;
    }
    let end = start - (edge[0] + edge[1] + edge[2]);
    // Magnitudes are below those that the errors are relative to, so doubling covers the
    // rounding of the sum.
    let end_error = 2.0 * (error + (edge_error[0] + edge_error[1] + edge_error[2]));
    if (start > error && end > end_error) || (start < -error && end < -end_error) {
        return Passage::Through(0);
    }
    if above == 0b111 && start > error && end < -end_error {
        return Passage::Through(1);
    }
    if below == 0b111 && start < -error && end > end_error {
        return Passage::Through(-1);
    }
    exact_passage(p, reference, t)
}

/// Coordinate `k` of the corners of a triangle, relative to the start `p` of the segment that is
/// tested; one corner in each lane.
#[inline(always)]
fn corners<D: Doubles>(t: &Triangle, p: [f64; 3], k: usize) -> D {
    D::load(&[t[0][k], t[1][k], t[2][k], t[2][k]]).sub(D::splat(p[k]))
}

/// The determinant `a b - c d` of the segment crossing test, and `|a b| + |c d|`, to which its
/// error bound is proportional.
#[inline(always)]
fn minor<D: Doubles>(a: D, b: D, c: D, d: D) -> (D, D) {
    let (left, right) = (a.mul(b), c.mul(d));
    (left.sub(right), left.abs().add(right.abs()))
}

/// Crossing test of a triangle and the segment from `p` to `reference`, by exact predicates alone.
/// Called where the error bounds of floats leave the result open.
#[cold]
#[inline(never)]
fn exact_passage(p: [f64; 3], reference: [f64; 3], t: &Triangle) -> Passage {
    if t.contains(&p) {
        return Passage::On;
    }
    let [a, b, c] = *t;
    let start = orient3d(a, b, c, p);
    if start.is_zero() {
        // The moved reference is off the plane, so only p itself may be on the
        // triangle. Triangles without area end here, too.
        return match point_of_plane_on_triangle(p, *t) {
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

/// Simulation of simplicity for segment crossings: the sign of `d.(A x B)` after the reference
/// point has moved by the infinitesimal `(e, e^2, e^3)`. Here `d` is the reference point and `A`
/// and `B` are the ends of an edge, all relative to `p`. If the sign is 0 before the move, the
/// first nonzero component of `A x B` decides. All components are 0 only if `p` is on the line of
/// the edge, hence in the plane of the triangle.
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
