//! Floats as integers, for tests that must not round.

use num_bigint::BigInt;

/// A float as an integer multiple of 2^-500, which divides every valid coordinate
/// and every distance of points that have such.
pub fn scaled(x: f64) -> BigInt {
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64;
    if exponent == 0 {
        assert_eq!(x, 0.0, "a subnormal number");
        return BigInt::from(0);
    }
    let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
    let magnitude = BigInt::from(mantissa) << (exponent - 1075 + 500);
    if x < 0.0 { -magnitude } else { magnitude }
}
