//! Gap bound: a lower bound of the gap of two bodies, as a parabola in time, and the time at which
//! it closes.

use crate::simd::{LANES, Reals};

/// The unit roundoff, 2^-53.
pub(super) const U: f64 = 0.5 * f64::EPSILON;

/// If both `rate²` and the product `2 gap bend` of a gap bound are below this, the closing time
/// loses digits by underflow. Then it is computed in the longer unit of time [`UNIT`].
const SMALL: f64 = 1e-250;

/// Unit of time, 2^300 times the usual one, in which the closing times of gap bounds with slow
/// rates are computed, so that squares do not underflow.
const UNIT: f64 = f64::from_bits((1023 + 300) << 52);

/// A lower bound of a gap: after a time `s >= 0` the gap is at least `gap + rate s + bend s²/2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GapBound {
    pub(super) gap: f64,
    pub(super) rate: f64,
    pub(super) bend: f64,
}

impl GapBound {
    /// The gap bound with time reversed.
    pub(super) fn back(&self) -> Self {
        GapBound {
            rate: -self.rate,
            ..*self
        }
    }

    /// Whether the gap bound is positive from now on for a duration `time`, if the current gap,
    /// which is 0 up to rounding, is taken as 0.
    pub(super) fn stays_open(&self, time: f64) -> bool {
        self.rate > 0.0 && 2.0 * self.rate + self.bend * time > 0.0
    }

    /// A time before which the gap bound is positive: 0 if it is not positive now, infinite if it
    /// never closes.
    ///
    /// The first zero is `2 gap / (sqrt(rate² - 2 gap bend) - rate)`. The discriminant, under the
    /// root, is rounded up, since a smaller one would give a later time.
    #[inline]
    pub(super) fn closing_time(&self) -> f64 {
        let GapBound { gap, rate, bend } = *self;
        // NaN, from infinite speeds that cancel, closes at once.
        if gap.is_nan() || gap <= 0.0 {
            return 0.0;
        }
        if rate.is_nan() || bend.is_nan() {
            return 0.0;
        }
        if bend == 0.0 {
            return match rate < 0.0 {
                true => gap / -rate * (1.0 - 2.0 * U),
                false => f64::INFINITY,
            };
        }
        if rate >= 0.0 && bend >= 0.0 {
            return f64::INFINITY;
        }
        let (square, product) = (rate * rate, 2.0 * gap * bend);
        if square.max(product.abs()) < SMALL {
            // Squares of slow rates underflow, but not in a longer unit of time.
            let slow = GapBound {
                gap,
                rate: rate * UNIT,
                bend: bend * UNIT * UNIT,
            };
            return slow.closing_time() * UNIT;
        }
        let discriminant = (square - product) + 4.0 * U * (square + product.abs());
        if discriminant < 0.0 {
            return f64::INFINITY;
        }
        let below = discriminant.sqrt() - rate;
        match below > 0.0 {
            // The difference cancels only for rate > 0; then bend < 0, and the other form has a
            // sum.
            true => match rate > 0.0 && bend < 0.0 {
                true => (rate + discriminant.sqrt()) / -bend * (1.0 - 16.0 * U),
                false => 2.0 * gap / below * (1.0 - 16.0 * U),
            },
            false => match below.is_nan() {
                true => 0.0,
                false => f64::INFINITY,
            },
        }
    }
}

/// The [`GapBound::closing_time`] of gap bounds lane by lane; a gap with a rate or bend that is not
/// finite closes at once.
#[inline(always)]
pub(super) fn closing_times<V: Reals>(gap: V, rate: V, bend: V) -> V {
    let (zero, never) = (V::splat(0.0), V::splat(f64::INFINITY));
    let is_open = zero.below(gap);
    if V::bits(is_open) == 0 {
        return zero;
    }
    let twice = gap + gap;
    let (square, product) = (rate * rate, twice * bend);
    let doubt = V::splat(4.0 * U) * (square + product.abs());
    let discriminant = (square - product) + doubt;
    let root = discriminant.sqrt();
    let (falls, bends_down) = (rate.below(zero), bend.below(zero));
    // As in the scalar case: where the difference cancels, the other form of the zero.
    let is_late = V::and(bends_down, zero.below(rate));
    let above = V::select(is_late, rate + root, twice);
    let below = V::select(is_late, zero - bend, root - rate);
    let time = above.div(below) * V::splat(1.0 - 16.0 * U);
    // NaN, from infinite speeds, closes at once, as does every lane without one of the cases below.
    let time = time.max(zero);
    let is_known = (rate.abs() + bend.abs()).below(never);
    let ever = V::or(falls, bends_down);
    let closes = V::and_not(zero.below(below), discriminant.below(zero));
    let time = V::select(V::and(ever, closes), time, never);
    let time = time.only(V::and(is_open, is_known));
    // Squares of slow rates underflow.
    let is_slow = square.max(product.abs()).below(V::splat(SMALL));
    let is_slow = V::and(V::and(is_slow, ever), V::and(is_open, is_known));
    match V::bits(is_slow) {
        0 => time,
        slow => slow_times(gap, rate, bend, time, slow),
    }
}

/// The closing times of gap bounds lane by lane: computed one by one in the lanes of the mask
/// `slow`, which have slow rates, and taken from `time` in the others.
#[cold]
fn slow_times<V: Reals>(gap: V, rate: V, bend: V, time: V, slow: u32) -> V {
    let [mut gaps, mut rates, mut bends, mut times] = [[0.0; LANES]; 4];
    gap.store(&mut gaps);
    rate.store(&mut rates);
    bend.store(&mut bends);
    time.store(&mut times);
    for i in (0..LANES).filter(|i| slow >> i & 1 == 1) {
        let (gap, rate, bend) = (gaps[i], rates[i], bends[i]);
        times[i] = GapBound { gap, rate, bend }.closing_time();
    }
    V::load(&times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{One, RealKernel, run_each};
    use test_support::Random;

    fn closes(gap: f64, rate: f64, bend: f64) -> f64 {
        GapBound { gap, rate, bend }.closing_time()
    }

    #[test]
    fn zeros_of_lines_and_parabolas() {
        let near = |x: f64, y: f64| (y - x) / y < 1e-14 && x <= y;
        assert!(near(closes(6.0, -2.0, 0.0), 3.0));
        assert_eq!(closes(6.0, 2.0, 0.0), f64::INFINITY);
        assert_eq!(closes(6.0, 0.0, 0.0), f64::INFINITY);
        assert_eq!(closes(0.0, 1.0, 1.0), 0.0);
        assert_eq!(closes(-1.0, 1.0, 1.0), 0.0);
        // The parabolas (s - 1)(s - 3), (s + 1)(s - 3) downward, and one that turns before 0.
        assert!(near(closes(3.0, -4.0, 2.0), 1.0));
        assert!(near(closes(3.0, 2.0, -2.0), 3.0));
        assert_eq!(closes(5.0, -4.0, 2.0), f64::INFINITY);
        // The only zero is in the past.
        assert_eq!(closes(3.0, 4.0, 2.0), f64::INFINITY);
        assert_eq!(closes(f64::NAN, 1.0, 1.0), 0.0);
        assert_eq!(closes(1.0, f64::NAN, 1.0), 0.0);
        // Slow bends of fast gaps keep their digits.
        assert!(near(closes(1e-9, 1e3, -1e-6), 2e9));
        assert!(near(closes(1.0, -1e3, -1e-20), 1e-3));
        // The gap never closes, however small the bend is.
        assert_eq!(closes(1.0, 1.0, 1e-300), f64::INFINITY);
        assert_eq!(closes(1.0, 0.0, 1e-300), f64::INFINITY);
        // Squares of rates and products of bends underflow.
        assert!(near(closes(1e-30, 0.0, -2e-300), 1e135));
        assert!(near(closes(1e-80, -1e-170, 1e-320), 1e90));
        assert!(near(closes(1.0, -1e-200, -1e-300), 1e150 * 2.0_f64.sqrt()));
    }

    /// For random gaps, rates and bends of all sizes, closing times in lanes equal those computed
    /// one by one, up to rounding.
    #[test]
    fn lanes_close_as_one_by_one() {
        #[derive(Clone)]
        struct Lanes([[f64; LANES]; 3]);
        impl RealKernel for Lanes {
            type Output = [f64; LANES];
            fn run<V: Reals>(self) -> [f64; LANES] {
                let [gap, rate, bend] = crate::simd::load_all::<V, 3>(&self.0);
                let mut times = [0.0; LANES];
                closing_times(gap, rate, bend).store(&mut times);
                times
            }
        }
        let special = [0.0, 1.0, -1.0, 1e-30, -1e-170, 1e-320, -1e-320, f64::NAN];
        let mut random = Random::new(5);
        let mut number = || {
            let bits = random.bits() >> 33;
            match bits % 5 {
                0 => special[(bits / 5 % 8) as usize],
                1 => (bits as f64 - 1e9) * 1e-200,
                _ => (bits as f64 / 2_f64.powi(30) - 1.0) * 10_f64.powi((bits % 7) as i32 - 3),
            }
        };
        for _ in 0..20_000 {
            let lanes = Lanes(std::array::from_fn(|_| std::array::from_fn(|_| number())));
            let [one] = [Lanes(lanes.0).run::<One>()];
            for times in run_each(lanes.clone()) {
                assert_eq!(times[0], one[0]);
                for i in 0..LANES {
                    let [gap, rate, bend] = lanes.0.map(|x| x[i]);
                    let time = closes(gap, rate, bend);
                    let both = (times[i], time);
                    let is_near = both.0 == both.1 || (both.0 / both.1 - 1.0).abs() < 1e-14;
                    assert!(is_near, "{gap} {rate} {bend}: {both:?}");
                }
            }
        }
    }
}
