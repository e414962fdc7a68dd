//! Exact integers of any length, stored on the stack while they are short.
//!
//! An [`Integer`] has a sign and a magnitude of 64-bit limbs; sums and products touch only the
//! limbs in use. There is no division, because callers need only signs. Limbs are stored in an
//! array on the stack or in a vector. The caller chooses an array that is long enough for all its
//! numbers; limbs that do not fit are dropped, which debug builds assert against. A vector is for
//! coordinates of very different sizes, which make very long integers.

use crate::geometry::Sign;
use std::cmp::Ordering;

/// Error: an exact integer has more limbs than its storage can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overlong;

/// Storage of the 64-bit limbs of an [`Integer`]: an array or a vector.
pub(super) trait Limbs: Clone + AsRef<[u64]> + AsMut<[u64]> {
    /// Storage of the integer 0, in which no limb is in use.
    const NONE: Self;
    /// The largest number of limbs that the storage can hold.
    const MOST: usize;

    /// Storage of an exact integer with `count` limbs, all 0; an array ignores `count` and always
    /// has its full length.
    fn zeros(count: usize) -> Self;
}

impl<const N: usize> Limbs for [u64; N] {
    const NONE: Self = [0; N];
    const MOST: usize = N;

    #[inline(always)]
    fn zeros(_: usize) -> Self {
        [0; N]
    }
}

impl Limbs for Vec<u64> {
    const NONE: Self = Vec::new();
    const MOST: usize = usize::MAX >> 8;

    fn zeros(count: usize) -> Self {
        vec![0; count]
    }
}

/// An exact integer: its sign, and its magnitude in 64-bit limbs.
#[derive(Clone, Debug)]
pub(super) struct Integer<L: Limbs> {
    is_negative: bool,
    /// Number of limbs of the integer in use, of which the last is not 0; the integer 0 uses none.
    len: usize,
    limbs: L,
}

impl<L: Limbs> Integer<L> {
    pub const ZERO: Self = Integer {
        is_negative: false,
        len: 0,
        limbs: L::NONE,
    };

    /// The exact integer `x * 2^shift`.
    pub fn of(x: i128, shift: u32) -> Self {
        let mut out = Self::zeros(2);
        let magnitude = x.unsigned_abs();
        out.put(0, magnitude as u64);
        out.put(1, (magnitude >> 64) as u64);
        out.is_negative = x < 0;
        out.trim(2);
        match shift {
            0 => out,
            _ => out.shifted(shift),
        }
    }

    /// The exact integer 0 with storage for `count` limbs.
    #[inline(always)]
    fn zeros(count: usize) -> Self {
        Integer {
            is_negative: false,
            len: 0,
            limbs: L::zeros(count),
        }
    }

    /// The limbs of an exact integer that are in use, the lowest first.
    #[inline(always)]
    fn limbs(&self) -> &[u64] {
        &self.limbs.as_ref()[..self.len]
    }

    /// Sets the number of limbs in use of an exact integer to `len`, then lowers it until the last
    /// limb in use is not 0.
    #[inline]
    fn trim(&mut self, len: usize) {
        let limbs = self.limbs.as_ref();
        let mut len = len.min(limbs.len());
        while len > 0 && limbs[len - 1] == 0 {
            len -= 1;
        }
        self.len = len;
        self.is_negative &= len > 0;
    }

    /// The sign of an exact integer.
    #[inline]
    pub fn sign(&self) -> Sign {
        match (self.len, self.is_negative) {
            (0, _) => Sign::Zero,
            (_, true) => Sign::Negative,
            (_, false) => Sign::Positive,
        }
    }

    /// Whether an exact integer is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.len == 0
    }

    /// The number of bits of the magnitude of an exact integer.
    pub fn bits(&self) -> u32 {
        match self.limbs() {
            [] => 0,
            [.., top] => 64 * self.len as u32 - top.leading_zeros(),
        }
    }

    /// Whether the storage can hold an exact integer that has `bits` more bits than this one.
    pub fn fits_longer_by(&self, bits: u32) -> bool {
        ((self.bits() + bits) as usize) <= L::MOST.saturating_mul(64)
    }

    /// The exact integer with the opposite sign.
    #[inline]
    pub fn negated(&self) -> Self {
        let mut out = self.clone();
        out.is_negative = !self.is_negative && self.len > 0;
        out
    }

    /// The exact integer times `2^shift`.
    pub fn shifted(&self, shift: u32) -> Self {
        if self.len == 0 || shift == 0 {
            return self.clone();
        }
        let (limbs, bits) = ((shift / 64) as usize, shift % 64);
        let top = self.len + limbs;
        let mut out = Self::zeros(top + 1);
        let mut carry = 0;
        for (i, &limb) in self.limbs().iter().enumerate() {
            out.put(i + limbs, (limb << bits) | carry);
            carry = if bits == 0 { 0 } else { limb >> (64 - bits) };
        }
        out.put(top, carry);
        out.is_negative = self.is_negative;
        out.trim(top + 1);
        out
    }

    /// Sets limb `i` of an exact integer; a limb beyond the storage is dropped.
    #[inline(always)]
    fn put(&mut self, i: usize, limb: u64) {
        match self.limbs.as_mut().get_mut(i) {
            Some(place) => *place = limb,
            None => debug_assert!(limb == 0, "a number outgrew {} limbs", L::MOST),
        }
    }

    /// Compares the magnitudes of two exact integers.
    fn magnitudes(&self, other: &Self) -> Ordering {
        let rest = || self.limbs().iter().rev().cmp(other.limbs().iter().rev());
        self.len.cmp(&other.len).then_with(rest)
    }

    /// The sum of two exact integers.
    #[inline]
    pub fn plus(&self, other: &Self) -> Self {
        self.sum(other, other.is_negative)
    }

    /// The difference of two exact integers.
    #[inline]
    pub fn minus(&self, other: &Self) -> Self {
        self.sum(other, !other.is_negative)
    }

    /// An exact integer plus the magnitude of `other` or, if `is_negative`, minus that magnitude.
    /// The sign of `other` is ignored.
    fn sum(&self, other: &Self, is_negative: bool) -> Self {
        if self.is_negative == is_negative || self.len == 0 || other.len == 0 {
            let (long, short) = match self.len >= other.len {
                true => (self.limbs(), other.limbs()),
                false => (other.limbs(), self.limbs()),
            };
            let mut out = Self::zeros(long.len() + 1);
            let mut carry = false;
            for (i, &limb) in long.iter().enumerate() {
                let other = short.get(i).copied().unwrap_or(0);
                let (sum, first) = limb.overflowing_add(other);
                let (sum, second) = sum.overflowing_add(u64::from(carry));
                out.put(i, sum);
                carry = first | second;
            }
            out.put(long.len(), u64::from(carry));
            out.is_negative = if self.len == 0 {
                is_negative
            } else {
                self.is_negative
            };
            out.trim(long.len() + 1);
            return out;
        }
        let (large, small, sign) = match self.magnitudes(other) {
            Ordering::Equal => return Self::ZERO,
            Ordering::Greater => (self.limbs(), other.limbs(), self.is_negative),
            Ordering::Less => (other.limbs(), self.limbs(), is_negative),
        };
        let mut out = Self::zeros(large.len());
        let mut borrow = false;
        for (i, &limb) in large.iter().enumerate() {
            let other = small.get(i).copied().unwrap_or(0);
            let (rest, first) = limb.overflowing_sub(other);
            let (rest, second) = rest.overflowing_sub(u64::from(borrow));
            out.put(i, rest);
            borrow = first | second;
        }
        out.is_negative = sign;
        out.trim(large.len());
        out
    }

    /// The product of two exact integers.
    pub fn times(&self, other: &Self) -> Self {
        let (a, b) = (self.limbs(), other.limbs());
        if a.is_empty() || b.is_empty() {
            return Self::ZERO;
        }
        let mut out = Self::zeros(a.len() + b.len());
        for (i, &x) in a.iter().enumerate() {
            let mut carry = 0u128;
            for (j, &y) in b.iter().enumerate() {
                let Some(place) = out.limbs.as_mut().get_mut(i + j) else {
                    break;
                };
                let sum = u128::from(x) * u128::from(y) + u128::from(*place) + carry;
                *place = sum as u64;
                carry = sum >> 64;
            }
            out.put(i + b.len(), carry as u64);
        }
        out.is_negative = self.is_negative != other.is_negative;
        out.trim(a.len() + b.len());
        out
    }

    /// The product of an exact integer and an `i64`.
    pub fn scaled(&self, factor: i64) -> Self {
        self.times(&Self::of(i128::from(factor), 0))
    }

    /// The exact integer times `2^-exponent`, as a float. Its relative error is below 2^-51, or its
    /// absolute error below 2^-900 where that is larger. The caller must choose an exponent for
    /// which the magnitude of the result is at most 1.
    pub fn to_f64(&self, exponent: u32) -> f64 {
        let mut out = 0.0;
        let from = self.len.saturating_sub(3);
        for (i, &limb) in self.limbs().iter().enumerate().skip(from) {
            let power = 64 * i as i32 - exponent as i32;
            if power > -1000 {
                out += limb as f64 * power_of_two(power);
            }
        }
        if self.is_negative { -out } else { out }
    }
}

/// The float `2^exponent`, a scale of exact integers, with the exponent clamped to the range of
/// normal floats.
pub(super) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}

/// Splits a finite float `mantissa * 2^exponent` into its mantissa, an integer that is odd or 0,
/// and its exponent.
pub(super) fn parts(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let biased = ((bits >> 52) & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) = match biased {
        0 => (fraction, -1074),
        _ => (fraction | (1 << 52), biased - 1075),
    };
    if mantissa == 0 {
        return (0, 0);
    }
    let zeros = mantissa.trailing_zeros();
    let odd = mantissa >> zeros;
    let signed = if x < 0.0 { -odd } else { odd };
    (signed, exponent + zeros as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use test_support::Random;

    type Short = [u64; 12];

    fn big<L: Limbs>(x: &Integer<L>) -> BigInt {
        let mut out = BigInt::from(0);
        for &limb in x.limbs().iter().rev() {
            out = (out << 64) + limb;
        }
        if x.is_negative { -out } else { out }
    }

    fn numbers<L: Limbs>() -> Vec<Integer<L>> {
        let mut random = Random::new(1);
        let mut next = || random.bits();
        let mut out = vec![Integer::ZERO, Integer::of(1, 0), Integer::of(-1, 0)];
        for n in 0..60 {
            let x = (i128::from(next() as i64) << (n % 64)) + i128::from(next() as i64 >> (n % 5));
            let x = if n % 7 == 0 { i128::from(n) - 21 } else { x };
            out.push(Integer::of(x, [0, 1, 63, 64, 65, 200][n as usize % 6]));
        }
        out.push(Integer::of(i128::MAX, 0));
        out.push(Integer::of(i128::MIN, 3));
        out.push(Integer::of(i128::from(u64::MAX), 64).plus(&Integer::of(i128::from(u64::MAX), 0)));
        out
    }

    #[test]
    fn sums_products_and_shifts_are_those_of_whole_numbers() {
        agree::<Short>();
        agree::<Vec<u64>>();
    }

    fn agree<L: Limbs>() {
        let numbers = numbers::<L>();
        for a in &numbers {
            assert_eq!(a.bits() as u64, big(a).bits());
            assert_eq!(big(&a.negated()), -big(a));
            assert_eq!(big(&a.scaled(-27)), big(a) * -27);
            for shift in [0, 1, 63, 64, 130] {
                assert_eq!(big(&a.shifted(shift)), big(a) << shift);
            }
            for b in &numbers {
                assert_eq!(big(&a.plus(b)), big(a) + big(b));
                assert_eq!(big(&a.minus(b)), big(a) - big(b));
                assert_eq!(big(&a.times(b)), big(a) * big(b));
                let sign = a.minus(b).sign();
                let expected = match big(a).cmp(&big(b)) {
                    Ordering::Less => Sign::Negative,
                    Ordering::Equal => Sign::Zero,
                    Ordering::Greater => Sign::Positive,
                };
                assert_eq!(sign, expected);
                assert!(!a.minus(a).is_negative);
            }
        }
    }

    #[test]
    fn conversion_to_floats_is_accurate() {
        for a in numbers::<Short>() {
            let bits = a.bits();
            let x = a.to_f64(bits);
            assert!(x.abs() <= 1.0);
            if !a.is_zero() {
                assert!(x.abs() >= 0.5);
                // Back to a whole number: the difference is at most 2^-51 of it.
                let (mantissa, exponent) = parts(x);
                let back = BigInt::from(mantissa) << 2000;
                let back = back >> (-exponent) as u32;
                let exact: BigInt = (big(&a) << 2000) >> bits;
                let error: BigInt = (back - &exact) << 51;
                assert!(error.magnitude() <= exact.magnitude());
            }
        }
    }

    #[test]
    fn mantissa_and_exponent_of_floats() {
        for x in [1.0, -3.0, 0.1, 1e300, -5e-324, f64::MIN_POSITIVE, 0.0, -0.0] {
            let (mantissa, exponent) = parts(x);
            let halves = (exponent / 2, exponent - exponent / 2);
            let value = mantissa as f64 * 2f64.powi(halves.0) * 2f64.powi(halves.1);
            assert_eq!(value, x);
            assert!(mantissa == 0 || mantissa % 2 != 0);
        }
    }
}
