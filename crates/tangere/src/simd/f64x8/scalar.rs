//! Scalar f64 with the operations of [`Reals`]: kernels for eight lanes also run on single values,
//! with the same bits.

use super::{EXPONENT, INVERSE, LANES, MAGIC, RealKernel, Reals};
use std::ops::{Add, Mul, Sub};

/// One scalar with the operations of [`Reals`]. It is loaded from the first of eight lanes in
/// memory and stored there; the other seven lanes are ignored.
#[derive(Clone, Copy, Debug)]
pub struct One(pub f64);

/// Runs a kernel of eight f64 lanes on one scalar, with fused multiply-add where this machine has
/// it.
#[inline(always)]
pub(crate) fn run_one<K: RealKernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx,fma")]
        fn with_fma<K: RealKernel>(kernel: K) -> K::Output {
            kernel.run::<One>()
        }
        use std::arch::is_x86_feature_detected as has;
        if has!("avx") && has!("fma") {
            // SAFETY: the line above found the instructions that `with_fma` needs.
            return unsafe { with_fma(kernel) };
        }
    }
    kernel.run::<One>()
}

impl Add for One {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        One(self.0 + other.0)
    }
}

impl Sub for One {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        One(self.0 - other.0)
    }
}

impl Mul for One {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        One(self.0 * other.0)
    }
}

impl Reals for One {
    type Mask = bool;
    #[inline(always)]
    fn splat(x: f64) -> Self {
        One(x)
    }
    #[inline(always)]
    fn load(values: &[f64; LANES]) -> Self {
        One(values[0])
    }
    #[inline(always)]
    fn load_half(values: &[f64; LANES / 2]) -> Self {
        One(values[0])
    }
    #[inline(always)]
    fn swapped_halves(self) -> Self {
        self
    }
    #[inline(always)]
    fn store(self, out: &mut [f64; LANES]) {
        out[0] = self.0;
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        One(self.0.mul_add(factor.0, term.0))
    }
    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        One((-self.0).mul_add(factor.0, term.0))
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        One(self.0 / other.0)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        One(self.0.sqrt())
    }
    #[inline(always)]
    fn abs(self) -> Self {
        One(self.0.abs())
    }
    #[inline(always)]
    fn rough_inverse_sqrt(self) -> Self {
        One(f64::from_bits(MAGIC.wrapping_sub(self.0.to_bits() >> 1)))
    }
    #[inline(always)]
    fn inverse_power(self) -> Self {
        One(f64::from_bits(
            INVERSE.wrapping_sub(self.0.to_bits() & EXPONENT),
        ))
    }
    #[inline(always)]
    fn below(self, other: Self) -> bool {
        self.0 < other.0
    }
    #[inline(always)]
    fn only(self, mask: bool) -> Self {
        One(if mask { self.0 } else { 0.0 })
    }
    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self.0 < other.0 { self } else { other }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self.0 > other.0 { self } else { other }
    }
    #[inline(always)]
    fn transposed(rows: [&[f64; LANES]; LANES]) -> [Self; LANES] {
        std::array::from_fn(|i| One(rows[0][i]))
    }
    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        let mut out = [One(0.0); LANES];
        // Of every lane only the first is there.
        out[0] = rows[0];
        out
    }
    #[inline(always)]
    fn transposed_halves(
        low: [&[f64; LANES / 2]; LANES],
        high: [&[f64; LANES / 2]; LANES],
    ) -> [Self; LANES] {
        const HALF: usize = LANES / 2;
        std::array::from_fn(|i| match i < HALF {
            true => One(low[0][i]),
            false => One(high[0][i - HALF]),
        })
    }
    #[inline(always)]
    fn and(a: bool, b: bool) -> bool {
        a & b
    }
    #[inline(always)]
    fn or(a: bool, b: bool) -> bool {
        a | b
    }
    #[inline(always)]
    fn and_not(a: bool, b: bool) -> bool {
        a & !b
    }
    #[inline(always)]
    fn bits(mask: bool) -> u32 {
        u32::from(mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kernel of a test: applies a mixture of the operations of [`Reals`] to three rows of numbers.
    struct Mixed([[f64; LANES]; 3]);

    impl RealKernel for Mixed {
        type Output = f64;

        #[inline(always)]
        fn run<V: Reals>(self) -> f64 {
            let [a, b, c] = super::super::load_all::<V, 3>(&self.0);
            let less = a.below(b);
            let greater = V::and_not(V::or(less, c.below(a)), less);
            let mixed = V::select(less, a.mul_add(b, c), a.neg_mul_add(b, c))
                + a.min(b).div(c.abs().sqrt())
                + b.max(c).only(greater)
                + c.abs().inverse_sqrt() * c.inverse_power();
            let mut out = [0.0; LANES];
            mixed.store(&mut out);
            out[0]
        }
    }

    #[test]
    fn one_lane_has_the_bits_of_eight() {
        let numbers = [1.0, -0.3, 7e10, -1e-5, 3.0, 0.1];
        for a in numbers {
            for b in numbers {
                for c in numbers {
                    let lanes = [[a; LANES], [b; LANES], [c; LANES]];
                    let eight = super::super::run_reals(Mixed(lanes));
                    let one = run_one(Mixed(lanes));
                    assert_eq!(one.to_bits(), eight.to_bits(), "{a} {b} {c}");
                }
            }
        }
    }
}
