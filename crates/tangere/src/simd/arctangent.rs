//! Arctangent (`atan2`) of eight lanes.
//!
//! It uses Cephes' rational function (Moshier 1989) on `[0, tan(pi / 8)]`. The quotient of the
//! lesser coordinate by the greater is brought into that interval by
//! `atan(x / y) = pi / 4 + atan((x - y) / (x + y))`. The standard library's function would be
//! called lane by lane; this one has an error of at most 4 units in the last place, and the same
//! bits on every machine.

use super::f64x8::Reals;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// An approximation of `tan(pi / 8)`, up to which the arctangent is computed by a rational
/// function.
const EIGHTH: f64 = 0.414_213_562_373_095_03;

const P: [f64; 5] = [
    -0.875_060_860_003_190_4,
    -16.157_537_187_333_652,
    -75.008_557_923_147_05,
    -122.886_668_449_013_61,
    -64.850_219_049_420_25,
];
const Q: [f64; 6] = [
    1.0,
    24.858_464_901_423_062,
    165.027_009_831_698_85,
    432.881_060_491_290_27,
    485.390_399_635_913_7,
    194.550_657_148_261_4,
];

/// Returns the arctangent of `y / x` in eight lanes: the angles of the vectors `(x, y)`, in
/// `[-pi, pi]`; NaN for `(0, 0)`.
#[inline(always)]
pub(crate) fn atan2<V: Reals>(y: V, x: V) -> V {
    let (zero, one) = (V::splat(0.0), V::splat(1.0));
    let all = zero.below(one);
    let select = |mask, yes: V, no: V| yes.only(mask) + no.only(V::and_not(all, mask));
    let (height, width) = (y.abs(), x.abs());
    let is_high = width.below(height);
    let (low, high) = (
        select(is_high, width, height),
        select(is_high, height, width),
    );
    let is_steep = (V::splat(EIGHTH) * high).below(low);
    let t = (low - high.only(is_steep)).div(high + low.only(is_steep));
    let s = t * t;
    let horner = |coefficients: &[f64]| {
        let mut value = V::splat(coefficients[0]);
        for &c in &coefficients[1..] {
            value = value.mul_add(s, V::splat(c));
        }
        value
    };
    let ratio = (s * horner(&P)).div(horner(&Q));
    let octant = t.mul_add(ratio, t) + V::splat(FRAC_PI_4).only(is_steep);
    let quadrant = select(is_high, V::splat(FRAC_PI_2) - octant, octant);
    let half = select(x.below(zero), V::splat(PI) - quadrant, quadrant);
    half - (half + half).only(y.below(zero))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{LANES, RealKernel, run_reals};

    struct Angles([[f64; LANES]; 2]);

    impl RealKernel for Angles {
        type Output = [f64; LANES];

        #[inline(always)]
        fn run<V: Reals>(self) -> [f64; LANES] {
            let mut out = [0.0; LANES];
            atan2(V::load(&self.0[0]), V::load(&self.0[1])).store(&mut out);
            out
        }
    }

    #[test]
    fn angles_are_those_of_the_library() {
        let mut random = crate::generate::Random::new(5);
        let mut number = || {
            let scale = libm::exp2((random.unit() * 80.0 - 40.0).floor());
            (2.0 * random.unit() - 1.0) * scale
        };
        let check = |y: [f64; LANES], x: [f64; LANES]| {
            let found = run_reals(Angles([y, x]));
            for i in 0..LANES {
                let expected = libm::atan2(y[i], x[i]);
                let error = (found[i] - expected).abs();
                assert!(
                    error <= 4.0 * f64::EPSILON * expected.abs(),
                    "{} {}",
                    y[i],
                    x[i]
                );
            }
        };
        for _ in 0..20_000 {
            let y = std::array::from_fn(|_| number());
            check(y, std::array::from_fn(|_| number()));
            check(y, std::array::from_fn(|i| y[i] * 0.414));
        }
        check(
            [0.0, 1.0, 0.0, -1.0, 1.0, 1.0, -1.0, -1.0],
            [1.0, 0.0, -1.0, 0.0, 1.0, -1.0, -1.0, 1.0],
        );
    }
}
