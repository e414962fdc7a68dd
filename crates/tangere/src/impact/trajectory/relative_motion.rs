//! Relative motion of two balls: their squared distance over time, in floats with error bounds.
//!
//! `p(t) = |d + v t + h t²|² - R²`, where `d`, `v` and `h` are the differences of centres,
//! velocities and half the accelerations, and `R` is the sum of the radii. The given numbers are
//! exact, but their differences are rounded already. Below, `u` is 2^-53. Error bounds include
//! terms of second order and the rounding of the bounds themselves.

use super::MovingBall;
use super::double_double::{Double, two_sum};
use crate::geometry::vector::minus;

/// Unit roundoff, 2^-53: the largest relative error of one operation in floats.
pub(super) const U: f64 = f64::EPSILON / 2.0;

/// Smallest squared length, and smallest time, for which the error bounds of relative motion hold;
/// the largest is the inverse of this. In between nothing overflows, and underflow stays far below
/// the error bounds, which are above 1e-130.
const SMALLEST: f64 = 1e-100;

/// Whether the error bounds of relative motion hold for a squared length or a time of this size.
#[inline]
pub(super) fn is_moderate(x: f64) -> bool {
    (SMALLEST..1.0 / SMALLEST).contains(&x)
}

/// Motion of the second ball of a pair relative to the first. Each number is rounded once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    /// The vector from the centre of the first ball to the centre of the second.
    pub d: [f64; 3],
    pub v: [f64; 3],
    /// Half the acceleration of the second ball relative to the first.
    pub h: [f64; 3],
    /// The sum of the radii of both balls.
    pub radius: f64,
}

/// The value, at one time, of `p`: the squared distance of the centres of two balls minus the
/// squared sum of their radii.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub p: f64,
    /// Upper bound of the error of `p`, the squared distance of the centres minus the squared sum
    /// of the radii.
    pub error: f64,
    /// The derivative with respect to time of `p`, the squared distance of the centres minus the
    /// squared sum of the radii; without an error bound.
    pub slope: f64,
}

impl Motion {
    /// The relative motion of two balls: that of ball `b` relative to ball `a`.
    #[inline]
    pub fn of(a: &MovingBall, b: &MovingBall) -> Self {
        Motion {
            d: minus(b.center, a.center),
            v: minus(b.velocity, a.velocity),
            h: minus(b.acceleration, a.acceleration).map(|x| 0.5 * x),
            radius: a.radius + b.radius,
        }
    }

    /// Estimates `p`, squared distance minus squared sum of radii, of two balls in relative motion
    /// at time `t`, and its derivative, without error bounds.
    #[inline]
    pub fn estimate(&self, t: f64) -> (f64, f64) {
        let (mut square, mut slope) = (0.0, 0.0);
        for k in 0..3 {
            let (v, h) = (self.v[k], t * self.h[k]);
            let x = self.d[k] + t * (v + h);
            square += x * x;
            slope += x * (v + 2.0 * h);
        }
        (square - self.radius * self.radius, 2.0 * slope)
    }

    /// The value of `p`, the squared distance of two balls minus the squared sum of their radii, at
    /// time `t`. It is computed from the relative position of the balls at that time, of which each
    /// coordinate `D` is a sum of three terms. If `m` is the sum of their magnitudes, the error of
    /// `D` is at most `6 u m` with `u` = 2^-53. In `p` it is multiplied by `D`, which near contact
    /// is no larger than the sum of the radii, so this is much more accurate than `p` from its
    /// coefficients.
    #[inline]
    pub fn value(&self, t: f64) -> Value {
        let (mut square, mut slope, mut first, mut second) = (0.0, 0.0, 0.0, 0.0);
        for k in 0..3 {
            let (d, v, h) = (self.d[k], self.v[k], self.h[k]);
            let x = d + t * (v + t * h);
            let m = d.abs() + t * (v.abs() + t * h.abs());
            square += x * x;
            slope += x * (v + 2.0 * t * h);
            first += x.abs() * m;
            second += m * m;
        }
        let radius = self.radius * self.radius;
        Value {
            p: square - radius,
            error: U * (13.0 * first + 5.0 * (square + radius) + 64.0 * U * second),
            slope: 2.0 * slope,
        }
    }
}

/// Relative motion of two balls with twice the digits of [`Motion`], so that differences are exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct LongMotion {
    d: [Double; 3],
    v: [Double; 3],
    h: [Double; 3],
    radius: Double,
}

impl LongMotion {
    /// The relative motion of ball `b` with respect to ball `a`, with twice the digits.
    pub fn of(a: &MovingBall, b: &MovingBall) -> Self {
        let difference = |a: &[f64; 3], b: &[f64; 3]| [0, 1, 2].map(|k| two_sum(b[k], -a[k]));
        LongMotion {
            d: difference(&a.center, &b.center),
            v: difference(&a.velocity, &b.velocity),
            h: difference(&a.acceleration, &b.acceleration).map(|x| Double(0.5 * x.0, 0.5 * x.1)),
            radius: two_sum(a.radius, b.radius),
        }
    }

    /// The value of `p`, the squared distance of two balls minus the squared sum `R²` of their
    /// radii, at time `t` of the relative motion, with twice the digits. `d`, `v` and `h` are the
    /// differences of centres, velocities and half the accelerations. No intermediate result is
    /// larger than `(|d| + |v| t + |h| t²)² + R²`, summed over coordinates. There are fewer than 30
    /// intermediate results, each with an error of at most 2^-100 of this sum.
    pub fn value(&self, t: f64) -> Value {
        let (time, twice) = (Double(t, 0.0), 2.0 * t);
        let mut sum = self.radius.times(self.radius).negated();
        let mut most = self.radius.0 * self.radius.0;
        let mut slope = 0.0;
        for k in 0..3 {
            let (d, v, h) = (self.d[k], self.v[k], self.h[k]);
            let x = h.times(time).plus(v).times(time).plus(d);
            let m = d.0.abs() + t * (v.0.abs() + t * h.0.abs());
            sum = sum.plus(x.times(x));
            most += m * m;
            slope += x.0 * (v.0 + twice * h.0);
        }
        Value {
            p: sum.0,
            error: 3e-29 * most + U * sum.0.abs(),
            slope: 2.0 * slope,
        }
    }
}

/// The value of `p`, squared distance of the centres minus squared sum of the radii, at the start
/// of the relative motion, time 0. `None` if its sign is uncertain even with twice the digits.
#[cold]
pub(super) fn gap(motion: &Motion, [a, b]: [&MovingBall; 2]) -> Option<Value> {
    let is_certain = |value: &Value| value.p.abs() > value.error;
    let value = Some(motion.value(0.0)).filter(is_certain);
    value.or_else(|| Some(LongMotion::of(a, b).value(0.0)).filter(is_certain))
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use test_support::Random;

    /// The integer `x 2^1200`, for any `x` that is not too small.
    fn whole(x: f64) -> BigInt {
        let (mantissa, exponent) = crate::impact::integer::parts(x);
        BigInt::from(mantissa) << (1200 + exponent) as u32
    }

    /// The exact value of `p`, the squared distance of two balls minus the squared sum of their
    /// radii, at time `t`, times 2^7200.
    fn truth(a: &MovingBall, b: &MovingBall, t: f64) -> BigInt {
        let t = whole(t);
        let square: BigInt = (0..3)
            .map(|k| {
                let d = (whole(b.center[k]) - whole(a.center[k])) << 2401;
                let v = (whole(b.velocity[k]) - whole(a.velocity[k])) << 1201;
                let twice = whole(b.acceleration[k]) - whole(a.acceleration[k]);
                let x: BigInt = d + v * &t + twice * &t * &t;
                x.pow(2)
            })
            .sum();
        let radius: BigInt = (whole(a.radius) + whole(b.radius)) << 2401;
        (square - radius.pow(2)) >> 2
    }

    #[test]
    fn errors_are_within_their_bounds() {
        let mut random = Random::new(7);
        let mut next = |size: f64| size * random.signed();
        let (mut worst, mut worst_long) = (0.0f64, 0.0f64);
        for n in 0..4000 {
            let offset = [0.0, 1.0, 1e9][n % 3];
            let mut ball = |r: f64| MovingBall {
                center: [(); 3].map(|()| offset + next(1.0)),
                velocity: [(); 3].map(|()| next(3.0)),
                acceleration: [(); 3].map(|()| next(if n % 5 == 0 { 0.0 } else { 9.0 })),
                radius: r,
            };
            let (a, b) = (ball(0.3), ball(0.1));
            let t = next(2.0).abs();
            let exact = truth(&a, &b, t);
            let values = [Motion::of(&a, &b).value(t), LongMotion::of(&a, &b).value(t)];
            for (value, worst) in values.iter().zip([&mut worst, &mut worst_long]) {
                let error: BigInt = (whole(value.p) << 6000) - &exact;
                let bound: BigInt = whole(value.error) << 6000;
                assert!(error.magnitude() <= bound.magnitude(), "{a:?} {b:?} {t}");
                let share: BigInt = BigInt::from(error.magnitude() * 1000u32) / bound;
                *worst = worst.max(share.to_string().parse::<f64>().unwrap());
            }
        }
        // The bounds are not far above the errors either.
        assert!(worst > 50.0 && worst_long > 0.0, "{worst} {worst_long}");
    }
}
