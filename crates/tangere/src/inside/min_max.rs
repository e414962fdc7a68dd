//! Minimum and maximum of two floats in one instruction each, and the maximum of two error bounds.

/// The minimum of two floats, in one instruction; the second argument if either is NaN.
#[inline(always)]
pub(super) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The maximum of two floats, in one instruction; the second argument if either is NaN.
#[inline(always)]
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The maximum of two error bounds; infinite if either is NaN.
#[inline]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    match a.is_nan() || b.is_nan() {
        true => f64::INFINITY,
        false => a.max(b),
    }
}
