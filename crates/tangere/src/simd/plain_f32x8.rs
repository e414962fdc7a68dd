//! Eight lanes of f32 as plain arrays, and masks of lanes.
//!
//! The loops are plain Rust that the compiler turns into vector instructions: four lanes wide on
//! every x86-64, eight where [`widest`](super::widest()) finds AVX2. All operations are exact
//! (comparisons, minima) or rounded lane by lane, so the width never changes a result.

/// Eight lanes of f32 as a plain array.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct F32x8(pub(crate) [f32; 8]);

/// A mask of eight plain f32 lanes: all 32 bits of a lane are set, or none.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct Mask([u32; 8]);

impl F32x8 {
    /// Returns eight plain f32 lanes with the same value.
    pub(crate) const fn splat(x: f32) -> Self {
        F32x8([x; 8])
    }

    /// Returns `f(self, other)` in each of the eight plain f32 lanes.
    #[inline(always)]
    pub(crate) fn map2(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut out = [0.0; 8];
        for i in 0..8 {
            out[i] = f(self.0[i], other.0[i]);
        }
        F32x8(out)
    }

    /// Returns the lesser of each two plain f32 lanes; `other` where either is NaN.
    #[inline(always)]
    pub(crate) fn min(self, other: Self) -> Self {
        self.map2(other, |a, b| if a < b { a } else { b })
    }

    /// Returns the greater of each two plain f32 lanes; `other` where either is NaN.
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        self.map2(other, |a, b| if a > b { a } else { b })
    }

    /// Returns the mask of the plain f32 lanes where `self <= other`.
    #[inline(always)]
    pub(crate) fn at_most(self, other: Self) -> Mask {
        let mut out = [0; 8];
        for i in 0..8 {
            out[i] = if self.0[i] <= other.0[i] { u32::MAX } else { 0 };
        }
        Mask(out)
    }

    /// Returns the mask of the plain f32 lanes where `self >= other`.
    #[inline(always)]
    pub(crate) fn at_least(self, other: Self) -> Mask {
        other.at_most(self)
    }

    /// Returns the least of the eight plain f32 lanes.
    #[inline(always)]
    pub(crate) fn least(self) -> f32 {
        self.0
            .into_iter()
            .fold(f32::INFINITY, |a, b| if a < b { a } else { b })
    }

    /// Returns the greatest of the eight plain f32 lanes.
    #[inline(always)]
    pub(crate) fn greatest(self) -> f32 {
        self.0
            .into_iter()
            .fold(f32::NEG_INFINITY, |a, b| if a > b { a } else { b })
    }
}

impl std::ops::Add for F32x8 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.map2(other, |a, b| a + b)
    }
}

impl std::ops::Sub for F32x8 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.map2(other, |a, b| a - b)
    }
}

impl std::ops::Mul for F32x8 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.map2(other, |a, b| a * b)
    }
}

impl Mask {
    pub(crate) const ALL: Self = Mask([u32::MAX; 8]);

    /// Returns the mask of the plain f32 lanes that are set in both masks.
    #[inline(always)]
    pub(crate) fn and(self, other: Self) -> Self {
        let mut out = [0; 8];
        for i in 0..8 {
            out[i] = self.0[i] & other.0[i];
        }
        Mask(out)
    }

    /// Returns one bit for each of the eight plain f32 lanes of the mask.
    #[inline(always)]
    pub(crate) fn bits(self) -> u32 {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{__m128, _mm_movemask_ps};
            let [low, high]: [__m128; 2] = bytemuck::cast(self.0);
            // SAFETY: SSE is part of every x86-64.
            unsafe { (_mm_movemask_ps(low) | _mm_movemask_ps(high) << 4) as u32 }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            (0..8).fold(0, |bits, i| bits | (self.0[i] & 1) << i)
        }
    }

    /// Iterates over the indices of the plain f32 lanes that the mask sets, in ascending order.
    #[inline(always)]
    pub(crate) fn lanes(self) -> Lanes {
        Lanes(self.bits())
    }
}

/// Iterates over the indices of the set bits of a mask of plain f32 lanes.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(pub(crate) u32);

impl Iterator for Lanes {
    type Item = usize;
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let lane = self.0.trailing_zeros() as usize;
        if self.0 == 0 {
            return None;
        }
        self.0 &= self.0 - 1;
        Some(lane)
    }
}
