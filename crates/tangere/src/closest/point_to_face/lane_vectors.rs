//! Lane vectors: vectors and masks in lanes, for the solver of face points.
//!
//! No closures here: they may not be inlined, and then are not compiled for the wide registers.

use crate::simd::Reals;

/// Points or vectors in lanes, coordinate by coordinate.
pub(super) type Point<V> = [V; 3];

/// The mask of all lanes, for the solver of face points.
#[inline(always)]
pub(super) fn all<V: Reals>() -> V::Mask {
    V::splat(0.0).below(V::splat(1.0))
}

/// The mask of no lane, for the solver of face points.
#[inline(always)]
pub(super) fn none<V: Reals>() -> V::Mask {
    V::splat(1.0).below(V::splat(0.0))
}

/// Whether a mask of the solver of face points is set in all lanes.
#[inline(always)]
pub(super) fn is_all<V: Reals>(mask: V::Mask) -> bool {
    V::bits(mask) == V::bits(all::<V>())
}

/// Whether a mask of the solver of face points is set in some lane.
#[inline(always)]
pub(super) fn is_any<V: Reals>(mask: V::Mask) -> bool {
    V::bits(mask) != 0
}

/// Mask of lanes where `x <= bound`, or either is NaN, for the solver of face points.
#[inline(always)]
pub(super) fn at_most<V: Reals>(x: V, bound: V) -> V::Mask {
    V::and_not(all::<V>(), bound.below(x))
}

/// Selects reference coordinates of face points lane by lane: `yes` where the mask is set, `no` in
/// the others.
#[inline(always)]
pub(super) fn selected<V: Reals>(mask: V::Mask, yes: [V; 2], no: [V; 2]) -> [V; 2] {
    [
        V::select(mask, yes[0], no[0]),
        V::select(mask, yes[1], no[1]),
    ]
}

/// Clamps reference coordinates of face points, in lanes, to the interval from `low` to `high`.
#[inline(always)]
pub(super) fn clamped<V: Reals>(x: V, low: f64, high: f64) -> V {
    x.max(V::splat(low)).min(V::splat(high))
}

/// The dot products of vectors in lanes, with fused operations, for the solver of face points.
#[inline(always)]
pub(super) fn dot<V: Reals>(a: Point<V>, b: Point<V>) -> V {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0] * b[0]))
}

/// The vectors `a - b` in lanes, for the solver of face points.
#[inline(always)]
pub(super) fn minus<V: Reals>(a: Point<V>, b: Point<V>) -> Point<V> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The vectors `t a` in lanes, for the solver of face points.
#[inline(always)]
pub(super) fn times<V: Reals>(a: Point<V>, t: V) -> Point<V> {
    [a[0] * t, a[1] * t, a[2] * t]
}

/// The vectors `a + t b` in lanes, with fused operations, for the solver of face points.
#[inline(always)]
pub(super) fn plus<V: Reals>(a: Point<V>, t: V, b: Point<V>) -> Point<V> {
    [
        b[0].mul_add(t, a[0]),
        b[1].mul_add(t, a[1]),
        b[2].mul_add(t, a[2]),
    ]
}

/// The zero vector in all lanes, for the solver of face points.
#[inline(always)]
pub(super) fn zero<V: Reals>() -> Point<V> {
    [V::splat(0.0); 3]
}
