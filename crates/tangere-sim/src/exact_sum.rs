//! Exact sums of floats: the same for any order of the terms (Kulisch's long accumulator).
//!
//! A finite float is an integer of 53 bits times a power of two from 2^-1074 on, so every sum of them is
//! an integer times 2^-1074. It is kept in limbs of 32 bits, each in an integer of 64: carries wait until
//! as many numbers were added as the upper half can take.

use serde::{Deserialize, Serialize};

/// 2^-1074 to 2^1024, and 64 bits for sums of many.
const LIMBS: usize = 68;

/// The number of terms after which carries are due.
const TERMS: u32 = 1 << 30;

/// An exact sum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExactSum {
    /// Of 32 bits each, from the lowest on; signed.
    limbs: Vec<i64>,
    terms: u32,
    /// Whether a term was not finite.
    is_broken: bool,
}

impl Default for ExactSum {
    fn default() -> Self {
        Self {
            limbs: vec![0; LIMBS],
            terms: 0,
            is_broken: false,
        }
    }
}

impl ExactSum {
    /// Adds a term.
    pub fn add(&mut self, x: f64) {
        if !x.is_finite() {
            self.is_broken = true;
            return;
        }
        let bits = x.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as usize;
        let fraction = bits & ((1 << 52) - 1);
        let integer = fraction | u64::from(exponent > 0) << 52;
        // The lowest bit of the integer stands for 2^-1074 times 2^place.
        let place = exponent.max(1) - 1;
        let wide = u128::from(integer) << (place % 32);
        let sign = if bits >> 63 == 1 { -1 } else { 1 };
        for (k, limb) in self.limbs[place / 32..][..3].iter_mut().enumerate() {
            *limb += sign * (wide >> (32 * k) & 0xffff_ffff) as i64;
        }
        self.terms += 1;
        if self.terms == TERMS {
            self.carry();
        }
    }

    /// Brings all limbs but the last into the range from 0 to 2^32 - 1.
    fn carry(&mut self) {
        self.terms = 1;
        for k in 0..LIMBS - 1 {
            let carry = self.limbs[k] >> 32;
            self.limbs[k] -= carry << 32;
            self.limbs[k + 1] += carry;
        }
    }

    /// The sum, rounded: the same whatever the order of the terms.
    pub fn value(&self) -> f64 {
        if self.is_broken {
            return f64::NAN;
        }
        let mut sum = self.clone();
        sum.carry();
        let is_negative = sum.limbs[LIMBS - 1] < 0;
        if is_negative {
            sum.limbs.iter_mut().for_each(|limb| *limb = -*limb);
            sum.carry();
        }
        let Some(top) = sum.limbs.iter().rposition(|&limb| limb != 0) else {
            return 0.0;
        };
        // Three limbs have at least 65 significant bits; those below do not change the result by more
        // than the last bit of the value, and are the same for the same sum.
        let mut value = 0.0;
        for k in (top.saturating_sub(3)..=top).rev() {
            value += scaled(sum.limbs[k] as f64, 32 * k as i32 - 1074);
        }
        if is_negative { -value } else { value }
    }
}

/// `x 2^exponent`, without overflow on the way.
fn scaled(x: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    let power = |n: i32| libm::scalbn(1.0, n);
    x * power(half) * power(exponent - half)
}

/// The exact sum of terms, rounded.
pub(crate) fn exact_sum(terms: impl IntoIterator<Item = f64>) -> f64 {
    let mut sum = ExactSum::default();
    terms.into_iter().for_each(|x| sum.add(x));
    sum.value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_do_not_depend_on_the_order() {
        let mut terms = vec![
            1e300, 1.0, -1e300, 1e-300, 5e-324, -1.0, 3.5, -2.25e-20, 1e17,
        ];
        let first = exact_sum(terms.iter().copied());
        assert_eq!(first, 1e17);
        for _ in 0..terms.len() {
            terms.rotate_left(1);
            assert_eq!(exact_sum(terms.iter().copied()).to_bits(), first.to_bits());
        }
    }

    #[test]
    fn nothing_is_lost() {
        assert_eq!(exact_sum([1e16, 1.0, -1e16]), 1.0);
        assert_eq!(exact_sum([1e308, -1e308, 5e-324]), 5e-324);
        assert_eq!(exact_sum([-0.1, -0.2]), -0.1 - 0.2);
        assert_eq!(exact_sum([]), 0.0);
        assert!(exact_sum([f64::NAN, 1.0]).is_nan());
        let many = exact_sum((0..100_000).map(|i| if i % 2 == 0 { 0.1 } else { -0.1 }));
        assert_eq!(many, 0.0);
        let tenths = exact_sum((0..1000).map(|_| 0.1));
        assert!((tenths - 100.0).abs() < 1e-13);
    }
}
