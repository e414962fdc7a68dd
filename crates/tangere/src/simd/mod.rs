//! SIMD: batches of eight lanes, in f32 and f64, with masks.
//!
//! The loops of [`F32x8`] are plain Rust that the compiler turns into vector instructions: four
//! lanes wide on every x86-64, eight where [`widest`] finds AVX2. All operations are exact
//! (comparisons, minima) or rounded lane by lane, so the width never changes a result.

mod arctangent;
mod f32x8;
mod f64x8;

pub(crate) use arctangent::atan2;
#[cfg(test)]
pub(crate) use f32x8::Portable;
pub(crate) use f32x8::{Doubles, Kernel, Vector, run_widest};
#[cfg(test)]
pub(crate) use f64x8::run_each;
pub(crate) use f64x8::{
    LANES, One, RealKernel, Reals, Wide, load_all, run_one, run_reals, run_wide, scaled_all,
    splat_all,
};

/// Eight lanes of f32 as a plain array.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct F32x8(pub(crate) [f32; 8]);

/// A mask of lanes: all bits of a lane are set or none.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct Mask([u32; 8]);

impl F32x8 {
    pub(crate) const fn splat(x: f32) -> Self {
        F32x8([x; 8])
    }

    /// Returns `f(self, other)`, lane by lane.
    #[inline(always)]
    pub(crate) fn map2(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut out = [0.0; 8];
        for i in 0..8 {
            out[i] = f(self.0[i], other.0[i]);
        }
        F32x8(out)
    }

    /// Returns the lesser; `other` where `self` is NaN.
    #[inline(always)]
    pub(crate) fn min(self, other: Self) -> Self {
        self.map2(other, |a, b| if a < b { a } else { b })
    }

    /// Returns the greater; `other` where `self` is NaN.
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        self.map2(other, |a, b| if a > b { a } else { b })
    }

    /// Returns the mask of the lanes where `self <= other`.
    #[inline(always)]
    pub(crate) fn at_most(self, other: Self) -> Mask {
        let mut out = [0; 8];
        for i in 0..8 {
            out[i] = if self.0[i] <= other.0[i] { u32::MAX } else { 0 };
        }
        Mask(out)
    }

    /// Returns the mask of the lanes where `self >= other`.
    #[inline(always)]
    pub(crate) fn at_least(self, other: Self) -> Mask {
        other.at_most(self)
    }

    /// Returns the least lane.
    #[inline(always)]
    pub(crate) fn least(self) -> f32 {
        self.0
            .into_iter()
            .fold(f32::INFINITY, |a, b| if a < b { a } else { b })
    }

    /// Returns the greatest lane.
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

    #[inline(always)]
    pub(crate) fn and(self, other: Self) -> Self {
        let mut out = [0; 8];
        for i in 0..8 {
            out[i] = self.0[i] & other.0[i];
        }
        Mask(out)
    }

    /// Returns one bit for each lane.
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

    /// Iterates over the indices of the set lanes in ascending order.
    #[inline(always)]
    pub(crate) fn lanes(self) -> Lanes {
        Lanes(self.bits())
    }
}

/// Iterates over the indices of set bits.
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

/// Prefetches the first and last byte of an item that will be read soon; an index out of range does
/// nothing.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = items.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = std::ptr::from_ref(item).cast::<i8>();
        // SAFETY: a prefetch changes nothing and faults on no address; SSE is part
        // of every x86-64.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(start);
            if size_of::<T>() > 8 {
                _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(size_of::<T>() - 1));
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
}

/// Calls `work` compiled for the widest vectors that this machine has. Functions that `work` calls
/// must be inlined into it to profit.
#[inline(always)]
pub(crate) fn widest<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the line above found the instructions that `with_avx2` needs.
            return unsafe { with_avx2(work) };
        }
    }
    work()
}
