//! Vectors of three numbers: plain ones, and eight at a time in the lanes of [`Reals`].

use tangere::simd::Reals;

/// A vector.
pub type Vector = [f64; 3];

/// Eight vectors, one in each lane.
pub(crate) type Vectors<V> = [V; 3];

#[inline]
pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[inline]
pub(crate) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

#[inline]
pub(crate) fn times(a: Vector, s: f64) -> Vector {
    a.map(|x| s * x)
}

#[inline]
pub(crate) fn plus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| a[k] + b[k])
}

#[inline]
pub(crate) fn minus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| a[k] - b[k])
}

// The same for eight lanes. Every function is inlined into the kernel that calls it: code that is not
// is compiled without the wide registers.

#[inline(always)]
pub(crate) fn dots<V: Reals>(a: Vectors<V>, b: Vectors<V>) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(crate) fn crosses<V: Reals>(a: Vectors<V>, b: Vectors<V>) -> Vectors<V> {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[inline(always)]
pub(crate) fn scaled<V: Reals>(a: Vectors<V>, s: V) -> Vectors<V> {
    [a[0] * s, a[1] * s, a[2] * s]
}

#[inline(always)]
pub(crate) fn sums<V: Reals>(a: Vectors<V>, b: Vectors<V>) -> Vectors<V> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(crate) fn differences<V: Reals>(a: Vectors<V>, b: Vectors<V>) -> Vectors<V> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `yes` in lanes where the mask is set, else `no`.
#[inline(always)]
pub(crate) fn chosen<V: Reals>(mask: V::Mask, yes: Vectors<V>, no: Vectors<V>) -> Vectors<V> {
    [
        V::select(mask, yes[0], no[0]),
        V::select(mask, yes[1], no[1]),
        V::select(mask, yes[2], no[2]),
    ]
}

/// The number 0 in every lane.
#[inline(always)]
pub(crate) fn zero<V: Reals>() -> V {
    V::splat(0.0)
}
