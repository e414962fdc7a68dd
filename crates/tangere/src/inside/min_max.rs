//! Minimum and maximum of two floats in one instruction each; NaN gives the second operand.

/// The lesser of two floats, in one instruction.
#[inline(always)]
pub(super) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two floats, in one instruction.
#[inline(always)]
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
