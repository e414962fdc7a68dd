//! Lane vectors of the impact engine: products, lengths and unit vectors in SIMD lanes.

use super::gap_bound::U;
use crate::simd::Reals;

/// Rotates the vectors in all lanes from body to world axes: the product of a matrix, given by its
/// columns, and each vector.
#[inline(always)]
pub(super) fn turned<V: Reals>(m: &[[f64; 3]; 3], v: &[V; 3]) -> [V; 3] {
    let mut out = [V::splat(0.0); 3];
    for k in 0..3 {
        let sum = V::splat(m[1][k]).mul_add(v[1], V::splat(m[0][k]) * v[0]);
        out[k] = V::splat(m[2][k]).mul_add(v[2], sum);
    }
    out
}

/// The dot product `n.v` of a separating axis and the vectors in all lanes.
#[inline(always)]
pub(super) fn product<V: Reals>(n: &[f64; 3], v: &[V; 3]) -> V {
    let sum = V::splat(n[1]).mul_add(v[1], V::splat(n[0]) * v[0]);
    V::splat(n[2]).mul_add(v[2], sum)
}

/// The cross product `w x v` of the spin of a body and the vectors in all lanes.
#[inline(always)]
pub(super) fn across<V: Reals>(w: &[f64; 3], v: &[V; 3]) -> [V; 3] {
    let of = |i: usize, j: usize| V::splat(w[j]).neg_mul_add(v[i], V::splat(w[i]) * v[j]);
    [of(1, 2), of(2, 0), of(0, 1)]
}

/// The length `|v|` of the vectors in all lanes, rounded up for bounds of the time of impact.
#[inline(always)]
pub(super) fn length<V: Reals>(v: &[V; 3]) -> V {
    let square = v[2].mul_add(v[2], v[1].mul_add(v[1], v[0] * v[0]));
    square.sqrt() * V::splat(1.0 + 4.0 * U)
}

/// The cross product `a x b` of edges lane by lane, for separating axes.
#[inline(always)]
pub(super) fn vector_product<V: Reals>(a: &[V; 3], b: &[V; 3]) -> [V; 3] {
    let of = |i: usize, j: usize| a[j].neg_mul_add(b[i], a[i] * b[j]);
    [of(1, 2), of(2, 0), of(0, 1)]
}

/// Normalises the vectors in all lanes, for separating axes; NaN where the length is 0, or its
/// square under- or overflows.
#[inline(always)]
pub(super) fn unit<V: Reals>(v: [V; 3]) -> [V; 3] {
    let square = v[2].mul_add(v[2], v[1].mul_add(v[1], v[0] * v[0]));
    // NaN also where the square of the length under- or overflows.
    let is_sound = V::and(
        V::splat(1e-280).below(square),
        square.below(V::splat(1e280)),
    );
    let inverse = V::splat(1.0).div(square.sqrt());
    let inverse = V::select(is_sound, inverse, V::splat(f64::NAN));
    [v[0] * inverse, v[1] * inverse, v[2] * inverse]
}
