//! Flat triangle: the nearest point of a finite element face of three nodes, in closed form.
//!
//! The first corner is the origin, and `e` and `f` are the edges from there to the other corners.
//! Let `m` be the component of `f` orthogonal to `e`, divided by the squared length of this
//! component. A point `p` above the triangle has the reference coordinates `v = p . m` and
//! `u = (p - v f) . e / e^2`. Since `u` is computed from the rounded `v`, an error of `v` moves the
//! point along `m` alone. Where `p` is not above the triangle, the nearest point is on a side, and
//! all three sides are tried.
//!
//! Cost: a query takes no division and no branch.

use super::face_row::{Block, ROW, Row, blocked, inverse_power};
use super::lane_vectors::{Point, clamped, dot, minus, plus, selected};
use crate::geometry::vector;
use crate::shape::Face;
use crate::simd::{LANES, Reals};

/// A flat triangle counts as without area if its height over the first edge, `e`, is at most this
/// fraction of the length of the edge `f` from the first to the third corner.
const FLAT: f64 = 1e-14;

/// The face row of a flat triangle: origin, scale, the edges `e` and `f` from the first corner, the
/// vector `m`, and the inverse squared lengths of `e`, `f` and `f - e`, 0 if the length is 0. The
/// dot product of a point with `m` is its second reference coordinate. For a triangle without area
/// `m` is NaN, so that no point is above it.
pub(super) fn row(face: &Face) -> [Block; ROW / LANES] {
    let [a, b, c] = [0, 1, 2].map(|i| face.nodes()[i]);
    let (e, f) = (vector::minus(b, a), vector::minus(c, a));
    let scale = inverse_power(vector::largest(e).max(vector::largest(f)));
    let (e, f) = (e.map(|x| x * scale), f.map(|x| x * scale));
    let g = vector::minus(f, e);
    let inverse = |d: [f64; 3]| {
        let square = vector::dot(d, d);
        if square > 0.0 { 1.0 / square } else { 0.0 }
    };
    let inverses = [e, f, g].map(inverse);
    // Twice, so that the result is orthogonal to e to the last digit.
    let across = |d: [f64; 3]| {
        let t = vector::dot(d, e) * inverses[0];
        std::array::from_fn(|k| d[k] - t * e[k])
    };
    let m = across(across(f));
    let square = vector::dot(m, m);
    let is_sound = square > FLAT * FLAT * vector::dot(f, f) && inverses[0] > 0.0;
    let factor = if is_sound { 1.0 / square } else { f64::NAN };
    let mut row = [0.0; ROW];
    row[..3].copy_from_slice(&a);
    row[3] = scale;
    row[4..7].copy_from_slice(&e);
    row[7..10].copy_from_slice(&f);
    row[10..13].copy_from_slice(&m.map(|x| x * factor));
    row[13..16].copy_from_slice(&inverses);
    blocked(&row)
}

/// The squared length of vectors in lanes, from the sides of flat triangles to points.
#[inline(always)]
fn square<V: Reals>(way: Point<V>) -> V {
    dot(way, way)
}

/// The reference coordinates of the points of flat triangles nearest to the points `p`. Each `p` is
/// in the unit of its face row and relative to the origin of the row.
#[inline(always)]
pub(super) fn nearest<V: Reals>(row: &Row<V>, p: [V; 3]) -> [V; 2] {
    let (zero, one) = (V::splat(0.0), V::splat(1.0));
    let e = [row[4], row[5], row[6]];
    let f = [row[7], row[8], row[9]];
    let m = [row[10], row[11], row[12]];
    let v = dot(p, m);
    let u = dot(plus(p, zero - v, f), e) * row[13];
    // NaN is outside.
    let inside = V::and(zero.below(u), zero.below(v));
    let inside = V::and(inside, (u + v).below(one));

    let s = clamped(dot(p, e) * row[13], 0.0, 1.0);
    let t = clamped(dot(p, f) * row[14], 0.0, 1.0);
    let r = clamped(dot(minus(p, e), minus(f, e)) * row[15], 0.0, 1.0);
    let rest = one - r;
    let (on_e, on_f) = (square(plus(p, zero - s, e)), square(plus(p, zero - t, f)));
    let on_g = square(plus(plus(p, zero - rest, e), zero - r, f));
    let take_f = on_f.below(on_e);
    let take_g = on_g.below(on_e.min(on_f));
    let side = selected(take_g, [rest, r], selected(take_f, [zero, t], [s, zero]));
    selected(inside, [u, v], side)
}
