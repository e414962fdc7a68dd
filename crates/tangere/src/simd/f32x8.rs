//! Eight lanes of f32 for conservative filters. There is one type for each instruction set, chosen
//! when a [`Kernel`] is run.
//!
//! A product and a sum may be fused or not ([`Vector::mul_add`]), so a kernel must keep a margin
//! for rounding and leave close cases to f64.

/// Four lanes of f64 in the registers of some machine.
pub(crate) trait Doubles: Copy {
    fn splat(x: f64) -> Self;
    fn load(values: &[f64; 4]) -> Self;
    fn store(self, out: &mut [f64; 4]);
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn abs(self) -> Self;
    /// Returns the lanes 1, 2, 0 and 3.
    fn turned(self) -> Self;
    /// Returns one bit for every lane, set where `self < other`.
    fn below(self, other: Self) -> u32;
    /// Returns the lesser; `other` where either is NaN.
    fn min(self, other: Self) -> Self;
    /// Returns the greater; `other` where either is NaN.
    fn max(self, other: Self) -> Self;
    /// Returns lanes with all bits set where `low <= self <= high` or `self` is 0, else none.
    fn within(self, low: Self, high: Self) -> Self;
    /// Returns the bits that are set in both.
    fn and(self, other: Self) -> Self;
    /// Returns whether the highest bit is set in every lane.
    fn all(self) -> bool;
}

/// Eight lanes of f32 in the registers of some machine.
pub(crate) trait Vector: Copy {
    type Doubles: Doubles;
    fn splat(x: f32) -> Self;
    fn load(values: &[f32; 8]) -> Self;
    fn store(self, out: &mut [f32; 8]);
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// Returns `self * factor + term`, rounded once or twice.
    fn mul_add(self, factor: Self, term: Self) -> Self;
    /// Returns the greater of numbers that are not NaN.
    fn max(self, other: Self) -> Self;
    /// Returns the lesser; `self` where `other` is NaN.
    fn min(self, other: Self) -> Self;
    fn abs(self) -> Self;
    /// Returns `minus` where the sign of `self` is set, else `plus`.
    fn by_sign(self, minus: Self, plus: Self) -> Self;
    /// Returns one bit for every lane, set where `self <= other`.
    fn at_most(self, other: Self) -> u32;
    /// Returns one bit for every lane, set where `self < other`.
    fn below(self, other: Self) -> u32;
    /// Returns the highest bits of eight numbers.
    fn signs(values: &[u32; 8]) -> u32;
    /// Compacts the values whose bits are set to the front of `out`, in order; the values after
    /// them are undefined.
    fn select(bits: u32, values: &[u32; 8], out: &mut [u32; 8]);
}

/// A kernel: work that is compiled for each kind of [`Vector`]. Functions that it calls must be
/// inlined into it to profit.
pub(crate) trait Kernel {
    type Output;
    fn run<V: Vector>(self) -> Self::Output;
}

/// Runs a kernel with the widest vectors that this machine has.
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

/// Eight lanes as a plain array, for any machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable([f32; 8]);

impl Portable {
    #[inline(always)]
    fn map2(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut out = [0.0; 8];
        for i in 0..8 {
            out[i] = f(self.0[i], other.0[i]);
        }
        Portable(out)
    }

    #[inline(always)]
    fn bits(self, other: Self, f: impl Fn(f32, f32) -> bool) -> u32 {
        (0..8).fold(0, |bits, i| bits | u32::from(f(self.0[i], other.0[i])) << i)
    }
}

/// Four lanes as a plain array, for any machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortableDoubles([f64; 4]);

impl PortableDoubles {
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
    use super::{Doubles, Vector};
    use std::arch::x86_64::*;

    /// Returns whether [`Avx2`] may be used on this machine.
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

    /// Eight lanes in a register of AVX2. Only [`super::run_widest`] makes these, after it has
    /// checked [`is_available`]: that makes every block below safe.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Avx2(__m256);

    /// The indices of the set lanes of every mask, in order.
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

    /// Four lanes in a register of AVX2, made as [`Avx2`] is.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Avx2Doubles(__m256d);

    impl Doubles for Avx2Doubles {
        #[inline(always)]
        fn splat(x: f64) -> Self {
            // SAFETY: see `Avx2`.
            Avx2Doubles(unsafe { _mm256_set1_pd(x) })
        }
        #[inline(always)]
        fn load(values: &[f64; 4]) -> Self {
            // SAFETY: see `Avx2`; four doubles are read.
            Avx2Doubles(unsafe { _mm256_loadu_pd(values.as_ptr()) })
        }
        #[inline(always)]
        fn store(self, out: &mut [f64; 4]) {
            // SAFETY: see `Avx2`; four doubles are written.
            unsafe { _mm256_storeu_pd(out.as_mut_ptr(), self.0) }
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2Doubles(unsafe { _mm256_sub_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2Doubles(unsafe { _mm256_add_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2Doubles(unsafe { _mm256_mul_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn turned(self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2Doubles(unsafe { _mm256_permute4x64_pd::<0b11_00_10_01>(self.0) })
        }
        #[inline(always)]
        fn below(self, other: Self) -> u32 {
            // SAFETY: see `Avx2`.
            unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0)) as u32 }
        }
        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2Doubles(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2Doubles(unsafe { _mm256_min_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2Doubles(unsafe { _mm256_max_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn within(self, low: Self, high: Self) -> Self {
            // SAFETY: see `Avx2`.
            unsafe {
                let above = _mm256_cmp_pd::<_CMP_GE_OQ>(self.0, low.0);
                let below = _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, high.0);
                let zero = _mm256_cmp_pd::<_CMP_EQ_OQ>(self.0, _mm256_setzero_pd());
                Avx2Doubles(_mm256_or_pd(_mm256_and_pd(above, below), zero))
            }
        }
        #[inline(always)]
        fn and(self, other: Self) -> Self {
            // SAFETY: see `Avx2`.
            Avx2Doubles(unsafe { _mm256_and_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn all(self) -> bool {
            // SAFETY: see `Avx2`.
            unsafe { _mm256_movemask_pd(self.0) == 0b1111 }
        }
    }

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
