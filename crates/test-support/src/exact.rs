//! Floats as exact integers, for oracles without rounding.

use num_bigint::BigInt;

/// A vector in space with integer coordinates of any size.
pub type Vector = [BigInt; 3];

/// Returns `x / 2^exponent` as an integer, for a finite `x`. The quotient must be an integer.
pub fn whole(x: f64, exponent: i64) -> BigInt {
    let bits = x.to_bits();
    let biased = ((bits >> 52) & 0x7ff) as i64;
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, power) = match biased {
        0 => (fraction, -1074),
        _ => (fraction | (1 << 52), biased - 1075),
    };
    if mantissa == 0 {
        return BigInt::default();
    }
    let zeros = i64::from(mantissa.trailing_zeros());
    let magnitude = BigInt::from(mantissa >> zeros) << (power + zeros - exponent);
    if x < 0.0 { -magnitude } else { magnitude }
}

/// Returns the integer `x / 2^-500`. Every valid coordinate and every difference of valid
/// coordinates is an integer multiple of 2^-500.
pub fn scaled(x: f64) -> BigInt {
    assert!(x == 0.0 || x.is_normal(), "a subnormal number");
    whole(x, -500)
}

/// Returns `a - b`.
pub fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| &a[k] - &b[k])
}

/// Returns the cross product `a x b`.
pub fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &a[i] * &b[j] - &a[j] * &b[i]
    })
}

/// Returns the dot product `a . b`.
pub fn dot(a: &Vector, b: &Vector) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_the_integers_that_they_are() {
        assert_eq!(whole(-0.75, -2), BigInt::from(-3));
        assert_eq!(whole(-0.0, 7), BigInt::from(0));
        assert_eq!(whole(f64::from_bits(5), -1074), BigInt::from(5));
        assert_eq!(whole(f64::MAX, 971), BigInt::from((1u64 << 53) - 1));
        assert_eq!(scaled(1.0), BigInt::from(1) << 500);
    }

    #[test]
    fn products_of_axes() {
        let axis = |k| std::array::from_fn(|i| BigInt::from(i32::from(i == k)));
        let [x, y, z]: [Vector; 3] = [0, 1, 2].map(axis);
        assert_eq!(cross(&x, &y), z);
        assert_eq!(dot(&x, &cross(&y, &z)), BigInt::from(1));
        assert_eq!(dot(&minus(&x, &y), &y), BigInt::from(-1));
    }
}
