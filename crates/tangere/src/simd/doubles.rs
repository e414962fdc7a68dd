//! Four doubles at once, as plain loops: wide where [`super::widest`] compiles
//! them so. Every operation is rounded lane by lane as a single one would be,
//! and none is fused, so sums and products have the same bits on every machine.

use std::ops::{Add, Div, Mul, Sub};

/// Four doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct F64x4(pub(crate) [f64; 4]);

/// The lanes for which something holds: all ones or all zeros each.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct Mask4([u64; 4]);

impl F64x4 {
    pub(crate) const LANES: usize = 4;

    #[inline(always)]
    pub(crate) const fn splat(x: f64) -> Self {
        F64x4([x; 4])
    }

    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let mut out = [0.0; 4];
        for i in 0..4 {
            out[i] = f(self.0[i]);
        }
        F64x4(out)
    }

    #[inline(always)]
    fn map2(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut out = [0.0; 4];
        for i in 0..4 {
            out[i] = f(self.0[i], other.0[i]);
        }
        F64x4(out)
    }

    #[inline(always)]
    pub(crate) fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> Self {
        self.map(f64::abs)
    }

    /// The magnitude of `self` with the sign of `other`.
    #[inline(always)]
    pub(crate) fn copysign(self, other: Self) -> Self {
        self.map2(other, f64::copysign)
    }

    /// The greater; `other` where either is NaN.
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        self.map2(other, |a, b| if a > b { a } else { b })
    }

    /// The lesser; `other` where either is NaN.
    #[inline(always)]
    pub(crate) fn min(self, other: Self) -> Self {
        self.map2(other, |a, b| if a < b { a } else { b })
    }

    /// Where `self > other`.
    #[inline(always)]
    pub(crate) fn above(self, other: Self) -> Mask4 {
        let mut out = [0; 4];
        for i in 0..4 {
            out[i] = if self.0[i] > other.0[i] { u64::MAX } else { 0 };
        }
        Mask4(out)
    }

    /// The sum of all lanes, in a fixed order.
    #[inline(always)]
    pub(crate) fn sum(self) -> f64 {
        (self.0[0] + self.0[2]) + (self.0[1] + self.0[3])
    }
}

impl Mask4 {
    /// `yes` where it holds, else `no`.
    #[inline(always)]
    pub(crate) fn select(self, yes: F64x4, no: F64x4) -> F64x4 {
        let mut out = [0.0; 4];
        for i in 0..4 {
            let (y, n) = (yes.0[i].to_bits(), no.0[i].to_bits());
            out[i] = f64::from_bits((y & self.0[i]) | (n & !self.0[i]));
        }
        F64x4(out)
    }

    /// Whether it holds in every lane.
    #[inline(always)]
    pub(crate) fn all(self) -> bool {
        self.0[0] & self.0[1] & self.0[2] & self.0[3] == u64::MAX
    }

    /// Whether it holds in a lane.
    #[inline(always)]
    pub(crate) fn lane(self, lane: usize) -> bool {
        self.0[lane] != 0
    }
}

impl Add for F64x4 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.map2(other, |a, b| a + b)
    }
}

impl Sub for F64x4 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.map2(other, |a, b| a - b)
    }
}

impl Mul for F64x4 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.map2(other, |a, b| a * b)
    }
}

impl Div for F64x4 {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.map2(other, |a, b| a / b)
    }
}
