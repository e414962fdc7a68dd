//! Angles of four vectors at once.
//!
//! Cephes' rational function (Moshier 1989) on `[0, tan(pi / 8)]`, to which a
//! quotient of the greater into the lesser coordinate is brought by
//! `atan(x / y) = pi / 4 + atan((x - y) / (x + y))`. The library's own function
//! would be called lane by lane; this one is off by at most 4 units in the last
//! place, and has the same bits on every machine.

use super::doubles::F64x4;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// `tan(pi / 8)`, about.
const EIGHTH: f64 = 0.414_213_562_373_095_03;

const P: [f64; 5] = [
    -8.750_608_600_031_904_122_785e-1,
    -1.615_753_718_733_365_076_637e1,
    -7.500_855_792_314_704_667_340e1,
    -1.228_866_684_490_136_173_410e2,
    -6.485_021_904_942_025_371_773e1,
];
const Q: [f64; 6] = [
    1.0,
    2.485_846_490_142_306_297_962e1,
    1.650_270_098_316_988_542_046e2,
    4.328_810_604_912_902_668_951e2,
    4.853_903_996_359_136_964_868e2,
    1.945_506_571_482_613_964_425e2,
];

/// The angles of the vectors `(x, y)`, in `[-pi, pi]`; NaN of `(0, 0)`.
#[inline(always)]
pub(crate) fn atan2(y: F64x4, x: F64x4) -> F64x4 {
    let (height, width) = (y.abs(), x.abs());
    let (low, high) = (height.min(width), height.max(width));
    let steep = low.above(F64x4::splat(EIGHTH) * high);
    let numerator = steep.select(low - high, low);
    let denominator = steep.select(low + high, high);
    let t = numerator / denominator;
    let s = t * t;
    let horner = |coefficients: &[f64]| {
        let mut value = F64x4::splat(coefficients[0]);
        for &c in &coefficients[1..] {
            value = value * s + F64x4::splat(c);
        }
        value
    };
    let eighth = t + t * (s * horner(&P) / horner(&Q));
    let octant = steep.select(F64x4::splat(FRAC_PI_4) + eighth, eighth);
    let quadrant = height
        .above(width)
        .select(F64x4::splat(FRAC_PI_2) - octant, octant);
    let half = F64x4::splat(0.0)
        .above(x)
        .select(F64x4::splat(PI) - quadrant, quadrant);
    half.copysign(y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_those_of_the_library() {
        let mut random = crate::generate::Random::new(5);
        let mut number = || {
            let scale = libm::exp2((random.unit() * 80.0 - 40.0).floor());
            (2.0 * random.unit() - 1.0) * scale
        };
        let check = |y: [f64; 4], x: [f64; 4]| {
            let found = atan2(F64x4(y), F64x4(x)).0;
            for i in 0..4 {
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
        check([0.0, 1.0, 0.0, -1.0], [1.0, 0.0, -1.0, 0.0]);
        check([1.0, 1.0, -1.0, -0.0], [1.0, -1.0, -1.0, -1.0]);
    }
}
