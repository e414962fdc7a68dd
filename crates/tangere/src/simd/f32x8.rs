//! Eight lanes of f32 for conservative filters. There is one type for each instruction set, chosen
//! when a [`Kernel`] is run.
//!
//! A product and a sum may be fused or not ([`Vector::mul_add`]), so a kernel must keep a margin
//! for rounding and leave close cases to f64.

use super::f64x4::{Doubles, PortableDoubles};

/// Eight lanes of f32 in the registers of some machine.
pub(crate) trait Vector: Copy {
    /// The type of four f64 lanes in registers of the same machine.
    type Doubles: Doubles;
    /// Returns eight f32 lanes with the same value.
    fn splat(x: f32) -> Self;
    fn load(values: &[f32; 8]) -> Self;
    fn store(self, out: &mut [f32; 8]);
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    /// Returns `self * factor + term` in each f32 lane, rounded once or twice.
    fn mul_add(self, factor: Self, term: Self) -> Self;
    /// Returns the greater of each two f32 lanes, which must not be NaN.
    fn max(self, other: Self) -> Self;
    /// Returns the lesser of each two f32 lanes; `self` where `other` is NaN.
    fn min(self, other: Self) -> Self;
    fn abs(self) -> Self;
    /// Returns, in each f32 lane, `minus` where the sign of `self` is set, else `plus`.
    fn by_sign(self, minus: Self, plus: Self) -> Self;
    /// Returns one bit for each of the eight f32 lanes, set where `self <= other`.
    fn at_most(self, other: Self) -> u32;
    /// Returns one bit for each of the eight f32 lanes, set where `self < other`.
    fn below(self, other: Self) -> u32;
    /// Returns a mask of f32 lanes: for each of eight 32-bit numbers, its highest bit.
    fn signs(values: &[u32; 8]) -> u32;
    /// Compacts eight 32-bit values by a mask of f32 lanes: the values whose bits are set go to the
    /// front of `out`, in order. The entries of `out` after them are undefined.
    fn select(bits: u32, values: &[u32; 8], out: &mut [u32; 8]);
}

/// A kernel: work that is compiled for each kind of [`Vector`]. Functions that it calls must be
/// inlined into it to profit.
pub(crate) trait Kernel {
    type Output;
    /// Runs the kernel with eight f32 lanes of the type `V`.
    fn run<V: Vector>(self) -> Self::Output;
}

/// Runs a kernel of eight f32 lanes with the widest vectors that this machine has.
#[inline(always)]
pub(crate) fn run_widest<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma,popcnt,bmi1,bmi2,lzcnt")]
        fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
            kernel.run::<avx2::Avx2>()
        }
        if avx2::is_available() {
            // SAFETY: the line above found the instructions that `with_avx2` needs.
            return unsafe { with_avx2(kernel) };
        }
    }
    kernel.run::<Portable>()
}

/// Eight lanes of f32 as a plain array, for any machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable([f32; 8]);

impl Portable {
    /// Returns `f(self, other)` in each of the eight f32 lanes.
    #[inline(always)]
    fn map2(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut out = [0.0; 8];
        for i in 0..8 {
            out[i] = f(self.0[i], other.0[i]);
        }
        Portable(out)
    }

    /// Returns one bit for each of the eight f32 lanes, set where `f(self, other)` holds.
    #[inline(always)]
    fn bits(self, other: Self, f: impl Fn(f32, f32) -> bool) -> u32 {
        (0..8).fold(0, |bits, i| bits | u32::from(f(self.0[i], other.0[i])) << i)
    }
}

impl Vector for Portable {
    type Doubles = PortableDoubles;

    #[inline(always)]
    fn splat(x: f32) -> Self {
        Portable([x; 8])
    }
    #[inline(always)]
    fn load(values: &[f32; 8]) -> Self {
        Portable(*values)
    }
    #[inline(always)]
    fn store(self, out: &mut [f32; 8]) {
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
    fn div(self, other: Self) -> Self {
        self.map2(other, |a, b| a / b)
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        self.mul(factor).add(term)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.map2(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.map2(other, |a, b| if b < a { b } else { a })
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Portable(self.0.map(f32::abs))
    }
    #[inline(always)]
    fn by_sign(self, minus: Self, plus: Self) -> Self {
        Portable(std::array::from_fn(|i| {
            if self.0[i].is_sign_negative() {
                minus.0[i]
            } else {
                plus.0[i]
            }
        }))
    }
    #[inline(always)]
    fn at_most(self, other: Self) -> u32 {
        self.bits(other, |a, b| a <= b)
    }
    #[inline(always)]
    fn below(self, other: Self) -> u32 {
        self.bits(other, |a, b| a < b)
    }
    #[inline(always)]
    fn signs(values: &[u32; 8]) -> u32 {
        (0..8).fold(0, |bits, i| bits | values[i] >> 31 << i)
    }
    #[inline(always)]
    fn select(bits: u32, values: &[u32; 8], out: &mut [u32; 8]) {
        for (front, lane) in super::Lanes(bits & 0xff).enumerate() {
            out[front] = values[lane];
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::Vector;
    use crate::simd::f64x4::avx2::Avx2Doubles;
    use std::arch::x86_64::*;

    /// Returns whether this machine has the AVX2 instructions of the eight f32 lanes [`Avx2`].
    #[inline(always)]
    pub(super) fn is_available() -> bool {
        use std::arch::is_x86_feature_detected as has;
        has!("avx2")
            && has!("fma")
            && has!("popcnt")
            && has!("bmi1")
            && has!("bmi2")
            && has!("lzcnt")
    }

    /// Eight lanes of f32 in a register of AVX2. Only [`super::run_widest`] makes these, after it
    /// has checked [`is_available`]: that makes every `unsafe` block below sound.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Avx2(__m256);

    /// For each mask of eight f32 lanes, the indices of the set lanes in ascending order.
    const ORDER: [[u8; 8]; 256] = {
        let mut order = [[0; 8]; 256];
        let mut bits = 0;
        while bits < 256 {
            let (mut lane, mut front) = (0, 0);
            while lane < 8 {
                if bits >> lane & 1 == 1 {
                    order[bits][front] = lane as u8;
                    front += 1;
                }
                lane += 1;
            }
            bits += 1;
        }
        order
    };

    impl Vector for Avx2 {
        type Doubles = Avx2Doubles;

        #[inline(always)]
        fn splat(x: f32) -> Self {
            // SAFETY: see `Avx2`.
            Avx2(unsafe { _mm256_set1_ps(x) })
        }
        #[inline(always)]
        fn load(values: &[f32; 8]) -> Self {
            // SAFETY: see `Avx2`; eight floats are read.
            Avx2(unsafe { _mm256_loadu_ps(values.as_ptr()) })
        }
        #[inline(always)]
        fn store(self, out: &mut [f32; 8]) {
            // SAFETY: see `Avx2`; eight floats are written.
            unsafe { _mm256_storeu_ps(out.as_mut_ptr(), self.0) }
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2(unsafe { _mm256_add_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2(unsafe { _mm256_sub_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2(unsafe { _mm256_mul_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn div(self, other: Self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2(unsafe { _mm256_div_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn mul_add(self, factor: Self, term: Self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2(unsafe { _mm256_fmadd_ps(self.0, factor.0, term.0) })
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2(unsafe { _mm256_max_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2(unsafe { _mm256_min_ps(other.0, self.0) })
        }
        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2(unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) })
        }
        #[inline(always)]
        fn by_sign(self, minus: Self, plus: Self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2(unsafe { _mm256_blendv_ps(plus.0, minus.0, self.0) })
        }
        #[inline(always)]
        fn at_most(self, other: Self) -> u32 {
            // SAFETY: see `Avx2`.
            unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0)) as u32 }
        }
        #[inline(always)]
        fn below(self, other: Self) -> u32 {
            // SAFETY: see `Avx2`.
            unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0)) as u32 }
        }
        #[inline(always)]
        fn signs(values: &[u32; 8]) -> u32 {
            // SAFETY: see `Avx2`; eight numbers are read.
            unsafe { _mm256_movemask_ps(_mm256_loadu_ps(values.as_ptr().cast())) as u32 }
        }
        #[inline(always)]
        fn select(bits: u32, values: &[u32; 8], out: &mut [u32; 8]) {
            let order = &ORDER[(bits & 0xff) as usize];
            // SAFETY: see `Avx2`; eight bytes and eight numbers are read, as many written.
            unsafe {
                let order = _mm256_cvtepu8_epi32(_mm_loadl_epi64(order.as_ptr().cast()));
                let values = _mm256_loadu_si256(values.as_ptr().cast());
                let front = _mm256_permutevar8x32_epi32(values, order);
                _mm256_storeu_si256(out.as_mut_ptr().cast(), front);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Check;

    impl Kernel for Check {
        type Output = ();
        fn run<V: Vector>(self) {
            let (low, high) = (V::Doubles::splat(1.0), V::Doubles::splat(2.0));
            for (x, within) in [
                (1.0, true),
                (2.0, true),
                (0.0, true),
                (0.5, false),
                (2.5, false),
                (f64::NAN, false),
                (f64::INFINITY, false),
            ] {
                let bits = V::Doubles::load(&[x, 1.5, -1.5, x]).abs().within(low, high);
                assert_eq!(bits.all(), within, "{x}");
                assert!(!bits.and(V::Doubles::splat(0.0)).all());
            }
            let mut out = [0.0; 4];
            let four = V::Doubles::load(&[1.0, -2.0, 3.0, -4.0]);
            four.min(V::Doubles::splat(0.0)).store(&mut out);
            assert_eq!(out, [0.0, -2.0, 0.0, -4.0]);
            assert_eq!(four.below(V::Doubles::splat(3.0)), 0b1011);
            four.turned().mul(four).add(four).store(&mut out);
            assert_eq!(out, [-1.0, -8.0, 6.0, 12.0]);
            four.max(V::Doubles::splat(0.0)).sub(low).store(&mut out);
            assert_eq!(out, [0.0, -1.0, 2.0, -1.0]);
            let a = [1.0, -2.0, 3.5, 0.0, f32::NAN, 7.0, -0.0, 1e30];
            let b = [1.0, 2.0, 3.0, -0.0, 1.0, 7.5, 0.0, 1e30];
            let (x, y) = (V::load(&a), V::load(&b));
            assert_eq!(x.at_most(y), 0b1110_1011);
            let mut chosen = [9.0; 8];
            x.by_sign(V::splat(-1.0), V::splat(1.0)).store(&mut chosen);
            assert_eq!(chosen[..4], [1.0, -1.0, 1.0, 1.0]);
            assert_eq!(chosen[5..], [1.0, -1.0, 1.0]);
            assert_eq!(x.below(y), 0b0010_0010);
            let sum = x.add(y).sub(y).mul(V::splat(2.0)).max(V::splat(0.0));
            assert_eq!(sum.at_most(V::splat(2.0)) & 0b1111, 0b1011);
            let fused = V::splat(2.0).mul_add(V::splat(3.0), V::splat(1.0));
            assert_eq!(fused.at_most(V::splat(7.0)), 0xff);
            assert_eq!(fused.below(V::splat(7.0)), 0);
            assert_eq!(
                V::signs(&[0, !0, 1, 1 << 31, 5, !0 >> 1, 9, !0]),
                0b1000_1010
            );
            for bits in 0..256u32 {
                let mut out = [9; 8];
                V::select(bits, &[0, 1, 2, 3, 4, 5, 6, 7], &mut out);
                let lanes: Vec<u32> = (0..8).filter(|lane| bits >> lane & 1 == 1).collect();
                assert_eq!(out[..lanes.len()], lanes[..]);
            }
        }
    }

    #[test]
    fn vectors_of_every_kind_agree() {
        Check.run::<Portable>();
        run_widest(Check);
    }
}
