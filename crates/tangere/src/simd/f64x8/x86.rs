//! Eight lanes of f64 in AVX2 and AVX-512 registers. Only the functions of [`super`] that run
//! kernels make these types, after checking for the instructions: that makes every `unsafe` block
//! below sound.

use super::{EXPONENT, INVERSE, LANES, MAGIC, Reals};
use std::arch::x86_64::*;
use std::ops::{Add, Mul, Sub};

/// Eight lanes of f64 in two registers of AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2([__m256d; 2]);

/// Eight lanes of f64 in a register of AVX-512.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512(__m512d);

macro_rules! operator {
    ($name:ident, $method:ident, $half:ident, $whole:ident) => {
        impl $name for Avx2 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: see the module.
                unsafe { Avx2([$half(self.0[0], other.0[0]), $half(self.0[1], other.0[1])]) }
            }
        }
        impl $name for Avx512 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: see the module.
                Avx512(unsafe { $whole(self.0, other.0) })
            }
        }
    };
}
operator!(Add, add, _mm256_add_pd, _mm512_add_pd);
operator!(Sub, sub, _mm256_sub_pd, _mm512_sub_pd);
operator!(Mul, mul, _mm256_mul_pd, _mm512_mul_pd);

/// Half of a row of a matrix of eight columns.
type Half = [f64; LANES / 2];

/// The rows of a matrix as first and last halves.
#[inline(always)]
fn halves(rows: [&[f64; LANES]; LANES]) -> ([&Half; LANES], [&Half; LANES]) {
    const NONE: &Half = &[0.0; LANES / 2];
    let (mut low, mut high) = ([NONE; LANES], [NONE; LANES]);
    for j in 0..LANES {
        if let (Some(first), Some(last)) = (rows[j].first_chunk(), rows[j].last_chunk()) {
            (low[j], high[j]) = (first, last);
        }
    }
    (low, high)
}

impl Avx512 {
    /// The transpose of a matrix whose row `j` is `load(j)`.
    #[inline(always)]
    fn transposed_rows(load: impl Fn(usize) -> __m512d) -> [Self; LANES] {
        // SAFETY: see the module.
        unsafe {
            let mut pairs = [_mm512_setzero_pd(); LANES];
            for j in [0, 2, 4, 6] {
                let (a, b) = (load(j), load(j + 1));
                pairs[j] = _mm512_unpacklo_pd(a, b);
                pairs[j + 1] = _mm512_unpackhi_pd(a, b);
            }
            // Each quarter has two lanes of four rows: columns 0 and 4, then 2 and 6.
            let mut fours = [_mm512_setzero_pd(); LANES];
            for j in [0, 4] {
                for odd in [0, 1] {
                    let (a, b) = (pairs[j + odd], pairs[j + odd + 2]);
                    fours[j + odd] = _mm512_shuffle_f64x2::<0b10_00_10_00>(a, b);
                    fours[j + odd + 2] = _mm512_shuffle_f64x2::<0b11_01_11_01>(a, b);
                }
            }
            let mut out = [Self::splat(0.0); LANES];
            for odd in [0, 1] {
                for two in [0, 2] {
                    let (a, b) = (fours[odd + two], fours[4 + odd + two]);
                    out[odd + two] = Avx512(_mm512_shuffle_f64x2::<0b10_00_10_00>(a, b));
                    out[odd + two + 4] = Avx512(_mm512_shuffle_f64x2::<0b11_01_11_01>(a, b));
                }
            }
            out
        }
    }
}

impl Reals for Avx2 {
    type Mask = [__m256d; 2];
    #[inline(always)]
    fn splat(x: f64) -> Self {
        // SAFETY: see the module.
        Avx2([unsafe { _mm256_set1_pd(x) }; 2])
    }
    #[inline(always)]
    fn load(values: &[f64; LANES]) -> Self {
        // SAFETY: see the module; eight doubles are read.
        unsafe {
            let from = values.as_ptr();
            Avx2([_mm256_loadu_pd(from), _mm256_loadu_pd(from.add(4))])
        }
    }
    #[inline(always)]
    fn load_half(values: &Half) -> Self {
        // SAFETY: see the module; four doubles are read.
        unsafe { Avx2([_mm256_loadu_pd(values.as_ptr()), _mm256_setzero_pd()]) }
    }
    #[inline(always)]
    fn swapped_halves(self) -> Self {
        Avx2([self.0[1], self.0[0]])
    }
    #[inline(always)]
    fn store(self, out: &mut [f64; LANES]) {
        // SAFETY: see the module; eight doubles are written.
        unsafe {
            let to = out.as_mut_ptr();
            _mm256_storeu_pd(to, self.0[0]);
            _mm256_storeu_pd(to.add(4), self.0[1]);
        }
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: see the module.
        unsafe {
            Avx2([
                _mm256_fmadd_pd(self.0[0], factor.0[0], term.0[0]),
                _mm256_fmadd_pd(self.0[1], factor.0[1], term.0[1]),
            ])
        }
    }
    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: see the module.
        unsafe {
            Avx2([
                _mm256_fnmadd_pd(self.0[0], factor.0[0], term.0[0]),
                _mm256_fnmadd_pd(self.0[1], factor.0[1], term.0[1]),
            ])
        }
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: see the module.
        unsafe {
            Avx2([
                _mm256_div_pd(self.0[0], other.0[0]),
                _mm256_div_pd(self.0[1], other.0[1]),
            ])
        }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the module.
        unsafe { Avx2([_mm256_sqrt_pd(self.0[0]), _mm256_sqrt_pd(self.0[1])]) }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: see the module.
        unsafe {
            let sign = _mm256_set1_pd(-0.0);
            Avx2([
                _mm256_andnot_pd(sign, self.0[0]),
                _mm256_andnot_pd(sign, self.0[1]),
            ])
        }
    }
    #[inline(always)]
    fn rough_inverse_sqrt(self) -> Self {
        // SAFETY: see the module.
        unsafe {
            let magic = _mm256_set1_epi64x(MAGIC as i64);
            let low = _mm256_srli_epi64::<1>(_mm256_castpd_si256(self.0[0]));
            let high = _mm256_srli_epi64::<1>(_mm256_castpd_si256(self.0[1]));
            Avx2([
                _mm256_castsi256_pd(_mm256_sub_epi64(magic, low)),
                _mm256_castsi256_pd(_mm256_sub_epi64(magic, high)),
            ])
        }
    }
    #[inline(always)]
    fn inverse_power(self) -> Self {
        // SAFETY: see the module.
        unsafe {
            let inverse = _mm256_set1_epi64x(INVERSE as i64);
            let exponent = _mm256_set1_epi64x(EXPONENT as i64);
            let of = |x| {
                let power = _mm256_and_si256(_mm256_castpd_si256(x), exponent);
                _mm256_castsi256_pd(_mm256_sub_epi64(inverse, power))
            };
            Avx2([of(self.0[0]), of(self.0[1])])
        }
    }
    #[inline(always)]
    fn below(self, other: Self) -> Self::Mask {
        // SAFETY: see the module.
        unsafe {
            [
                _mm256_cmp_pd::<_CMP_LT_OQ>(self.0[0], other.0[0]),
                _mm256_cmp_pd::<_CMP_LT_OQ>(self.0[1], other.0[1]),
            ]
        }
    }
    #[inline(always)]
    fn only(self, mask: Self::Mask) -> Self {
        Avx2(Self::and(self.0, mask))
    }
    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        // SAFETY: see the module.
        unsafe {
            Avx2([
                _mm256_blendv_pd(no.0[0], yes.0[0], mask[0]),
                _mm256_blendv_pd(no.0[1], yes.0[1], mask[1]),
            ])
        }
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: see the module.
        unsafe {
            Avx2([
                _mm256_min_pd(self.0[0], other.0[0]),
                _mm256_min_pd(self.0[1], other.0[1]),
            ])
        }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: see the module.
        unsafe {
            Avx2([
                _mm256_max_pd(self.0[0], other.0[0]),
                _mm256_max_pd(self.0[1], other.0[1]),
            ])
        }
    }
    #[inline(always)]
    fn transposed(rows: [&[f64; LANES]; LANES]) -> [Self; LANES] {
        let (low, high) = halves(rows);
        Self::transposed_halves(low, high)
    }
    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        let mut stored = [[0.0; LANES]; LANES];
        for j in 0..LANES {
            rows[j].store(&mut stored[j]);
        }
        let [a, b, c, d, e, f, g, h] = &stored;
        Self::transposed([a, b, c, d, e, f, g, h])
    }
    #[inline(always)]
    fn transposed_halves(low: [&Half; LANES], high: [&Half; LANES]) -> [Self; LANES] {
        let mut out = [Self::splat(0.0); LANES];
        for (half, row) in [0, 4].into_iter().enumerate() {
            for (from, rows) in [(0, &low), (4, &high)] {
                // SAFETY: see the module; four doubles are read from each row.
                unsafe {
                    let load = |j: usize| _mm256_loadu_pd(rows[row + j].as_ptr());
                    let (a, b, c, d) = (load(0), load(1), load(2), load(3));
                    let (ab, ab2) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
                    let (cd, cd2) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
                    out[from].0[half] = _mm256_permute2f128_pd::<0x20>(ab, cd);
                    out[from + 1].0[half] = _mm256_permute2f128_pd::<0x20>(ab2, cd2);
                    out[from + 2].0[half] = _mm256_permute2f128_pd::<0x31>(ab, cd);
                    out[from + 3].0[half] = _mm256_permute2f128_pd::<0x31>(ab2, cd2);
                }
            }
        }
        out
    }
    #[inline(always)]
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        // SAFETY: see the module.
        unsafe { [_mm256_or_pd(a[0], b[0]), _mm256_or_pd(a[1], b[1])] }
    }
    #[inline(always)]
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        // SAFETY: see the module.
        unsafe { [_mm256_and_pd(a[0], b[0]), _mm256_and_pd(a[1], b[1])] }
    }
    #[inline(always)]
    fn and_not(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        // SAFETY: see the module.
        unsafe { [_mm256_andnot_pd(b[0], a[0]), _mm256_andnot_pd(b[1], a[1])] }
    }
    #[inline(always)]
    fn bits(mask: Self::Mask) -> u32 {
        // SAFETY: see the module.
        unsafe { (_mm256_movemask_pd(mask[0]) | _mm256_movemask_pd(mask[1]) << 4) as u32 }
    }
}

impl Reals for Avx512 {
    type Mask = __mmask8;
    #[inline(always)]
    fn splat(x: f64) -> Self {
        // SAFETY: see the module.
        Avx512(unsafe { _mm512_set1_pd(x) })
    }
    #[inline(always)]
    fn load(values: &[f64; LANES]) -> Self {
        // SAFETY: see the module; eight doubles are read.
        Avx512(unsafe { _mm512_loadu_pd(values.as_ptr()) })
    }
    #[inline(always)]
    fn load_half(values: &Half) -> Self {
        // SAFETY: see the module; four doubles are read.
        Avx512(unsafe { _mm512_zextpd256_pd512(_mm256_loadu_pd(values.as_ptr())) })
    }
    #[inline(always)]
    fn swapped_halves(self) -> Self {
        // SAFETY: see the module.
        Avx512(unsafe { _mm512_shuffle_f64x2::<0b01_00_11_10>(self.0, self.0) })
    }
    #[inline(always)]
    fn store(self, out: &mut [f64; LANES]) {
        // SAFETY: see the module; eight doubles are written.
        unsafe { _mm512_storeu_pd(out.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: see the module.
        Avx512(unsafe { _mm512_fmadd_pd(self.0, factor.0, term.0) })
    }
    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: see the module.
        Avx512(unsafe { _mm512_fnmadd_pd(self.0, factor.0, term.0) })
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: see the module.
        Avx512(unsafe { _mm512_div_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the module.
        Avx512(unsafe { _mm512_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: see the module.
        Avx512(unsafe { _mm512_abs_pd(self.0) })
    }
    #[inline(always)]
    fn rough_inverse_sqrt(self) -> Self {
        // SAFETY: see the module.
        unsafe {
            let halved = _mm512_srli_epi64::<1>(_mm512_castpd_si512(self.0));
            let magic = _mm512_set1_epi64(MAGIC as i64);
            Avx512(_mm512_castsi512_pd(_mm512_sub_epi64(magic, halved)))
        }
    }
    #[inline(always)]
    fn inverse_power(self) -> Self {
        // SAFETY: see the module.
        unsafe {
            let exponent = _mm512_set1_epi64(EXPONENT as i64);
            let power = _mm512_and_si512(_mm512_castpd_si512(self.0), exponent);
            let inverse = _mm512_set1_epi64(INVERSE as i64);
            Avx512(_mm512_castsi512_pd(_mm512_sub_epi64(inverse, power)))
        }
    }
    #[inline(always)]
    fn below(self, other: Self) -> Self::Mask {
        // SAFETY: see the module.
        unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn only(self, mask: Self::Mask) -> Self {
        // SAFETY: see the module.
        Avx512(unsafe { _mm512_maskz_mov_pd(mask, self.0) })
    }
    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        // SAFETY: see the module.
        Avx512(unsafe { _mm512_mask_blend_pd(mask, no.0, yes.0) })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: see the module.
        Avx512(unsafe { _mm512_min_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: see the module.
        Avx512(unsafe { _mm512_max_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn transposed(rows: [&[f64; LANES]; LANES]) -> [Self; LANES] {
        // SAFETY: see the module; eight doubles are read from each row.
        Self::transposed_rows(|j| unsafe { _mm512_loadu_pd(rows[j].as_ptr()) })
    }
    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        Self::transposed_rows(|j| rows[j].0)
    }
    #[inline(always)]
    fn transposed_halves(low: [&Half; LANES], high: [&Half; LANES]) -> [Self; LANES] {
        // SAFETY: see the module; four doubles are read from each half of a row.
        Self::transposed_rows(|j| unsafe {
            let lower = _mm512_castpd256_pd512(_mm256_loadu_pd(low[j].as_ptr()));
            _mm512_insertf64x4::<1>(lower, _mm256_loadu_pd(high[j].as_ptr()))
        })
    }
    #[inline(always)]
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        a | b
    }
    #[inline(always)]
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        a & b
    }
    #[inline(always)]
    fn and_not(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        a & !b
    }
    #[inline(always)]
    fn bits(mask: Self::Mask) -> u32 {
        u32::from(mask)
    }
    #[inline(always)]
    fn list_at_most(
        values: &[f32; 2 * LANES],
        limit: f32,
        first: u32,
        out: &mut [u32; 2 * LANES],
    ) -> usize {
        // SAFETY: see the module; sixteen floats are read, sixteen integers written.
        unsafe {
            let values = _mm512_loadu_ps(values.as_ptr());
            let mask = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(values, _mm512_set1_ps(limit));
            let lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            let numbers = _mm512_add_epi32(_mm512_set1_epi32(first as i32), lanes);
            let listed = _mm512_maskz_compress_epi32(mask, numbers);
            _mm512_storeu_si512(out.as_mut_ptr().cast(), listed);
            mask.count_ones() as usize
        }
    }
}
