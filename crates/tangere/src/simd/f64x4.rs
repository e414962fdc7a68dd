//! Four lanes of f64 in registers, for the f64 part of a [`Kernel`](super::Kernel).

/// Four lanes of f64 in the registers of some machine.
pub(crate) trait Doubles: Copy {
    /// Returns four f64 lanes with the same value.
    fn splat(x: f64) -> Self;
    fn load(values: &[f64; 4]) -> Self;
    fn store(self, out: &mut [f64; 4]);
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn abs(self) -> Self;
    /// Returns the four f64 lanes in the order 1, 2, 0, 3.
    fn turned(self) -> Self;
    /// Returns one bit for each of the four f64 lanes, set where `self < other`.
    fn below(self, other: Self) -> u32;
    /// Returns the lesser of each two of four f64 lanes; `other` where either is NaN.
    fn min(self, other: Self) -> Self;
    /// Returns the greater of each two of four f64 lanes; `other` where either is NaN.
    fn max(self, other: Self) -> Self;
    /// Returns four f64 lanes with all bits set where `low <= self <= high` or `self` is 0, else
    /// none.
    fn within(self, low: Self, high: Self) -> Self;
    /// Returns the bits of the four f64 lanes that are set in both vectors.
    fn and(self, other: Self) -> Self;
    /// Returns whether the highest bit is set in all four f64 lanes.
    fn all(self) -> bool;
}

/// Four lanes of f64 as a plain array, for any machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortableDoubles([f64; 4]);

impl PortableDoubles {
    /// Returns `f(self, other)` in each of the four f64 lanes.
    #[inline(always)]
    fn map2(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        PortableDoubles(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl Doubles for PortableDoubles {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        PortableDoubles([x; 4])
    }
    #[inline(always)]
    fn load(values: &[f64; 4]) -> Self {
        PortableDoubles(*values)
    }
    #[inline(always)]
    fn store(self, out: &mut [f64; 4]) {
        *out = self.0;
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.map2(other, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.map2(other, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.map2(other, |a, b| a * b)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        PortableDoubles(self.0.map(f64::abs))
    }
    #[inline(always)]
    fn turned(self) -> Self {
        let [a, b, c, d] = self.0;
        PortableDoubles([b, c, a, d])
    }
    #[inline(always)]
    fn below(self, other: Self) -> u32 {
        (0..4).fold(0, |bits, i| bits | u32::from(self.0[i] < other.0[i]) << i)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.map2(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.map2(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn within(self, low: Self, high: Self) -> Self {
        PortableDoubles(std::array::from_fn(|i| {
            let x = self.0[i];
            let within = (x >= low.0[i] && x <= high.0[i]) || x == 0.0;
            f64::from_bits(if within { u64::MAX } else { 0 })
        }))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.map2(other, |a, b| f64::from_bits(a.to_bits() & b.to_bits()))
    }
    #[inline(always)]
    fn all(self) -> bool {
        self.0.iter().all(|x| x.is_sign_negative())
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    use super::Doubles;
    use std::arch::x86_64::*;

    /// Four lanes of f64 in a register of AVX2. Only kernels with the eight lanes of f32 in AVX2
    /// make these, after [`run_widest`](crate::simd::run_widest) has found the instructions: that
    /// makes every `unsafe` block below sound.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Avx2Doubles(__m256d);

    impl Doubles for Avx2Doubles {
        #[inline(always)]
        fn splat(x: f64) -> Self {
            // SAFETY: see `Avx2Doubles`.
            Avx2Doubles(unsafe { _mm256_set1_pd(x) })
        }
        #[inline(always)]
        fn load(values: &[f64; 4]) -> Self {
            // SAFETY: see `Avx2Doubles`; four doubles are read.
            Avx2Doubles(unsafe { _mm256_loadu_pd(values.as_ptr()) })
        }
        #[inline(always)]
        fn store(self, out: &mut [f64; 4]) {
            // SAFETY: see `Avx2Doubles`; four doubles are written.
            unsafe { _mm256_storeu_pd(out.as_mut_ptr(), self.0) }
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: see `Avx2Doubles`.
            Avx2Doubles(unsafe { _mm256_sub_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: see `Avx2Doubles`.
            Avx2Doubles(unsafe { _mm256_add_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: see `Avx2Doubles`.
            Avx2Doubles(unsafe { _mm256_mul_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn turned(self) -> Self {
            // SAFETY: see `Avx2Doubles`.
            Avx2Doubles(unsafe { _mm256_permute4x64_pd::<0b11_00_10_01>(self.0) })
        }
        #[inline(always)]
        fn below(self, other: Self) -> u32 {
            // SAFETY: see `Avx2Doubles`.
            unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0)) as u32 }
        }
        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: see `Avx2Doubles`.
            Avx2Doubles(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: see `Avx2Doubles`.
            Avx2Doubles(unsafe { _mm256_min_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: see `Avx2Doubles`.
            Avx2Doubles(unsafe { _mm256_max_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn within(self, low: Self, high: Self) -> Self {
            // SAFETY: see `Avx2Doubles`.
            unsafe {
                let above = _mm256_cmp_pd::<_CMP_GE_OQ>(self.0, low.0);
                let below = _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, high.0);
                let zero = _mm256_cmp_pd::<_CMP_EQ_OQ>(self.0, _mm256_setzero_pd());
                Avx2Doubles(_mm256_or_pd(_mm256_and_pd(above, below), zero))
            }
        }
        #[inline(always)]
        fn and(self, other: Self) -> Self {
            // SAFETY: see `Avx2Doubles`.
            Avx2Doubles(unsafe { _mm256_and_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn all(self) -> bool {
            // SAFETY: see `Avx2Doubles`.
            unsafe { _mm256_movemask_pd(self.0) == 0b1111 }
        }
    }
}
