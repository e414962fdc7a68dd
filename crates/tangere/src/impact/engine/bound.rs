//! How long a gap stays open.

/// 2^-53.
pub(super) const U: f64 = 0.5 * f64::EPSILON;

/// Squares of rates below this lose digits.
const SMALL: f64 = 1e-250;

/// A unit of time in which slow rates are faster: 2^300.
const UNIT: f64 = f64::from_bits((1023 + 300) << 52);

/// A gap that is at least `gap + rate s + bend s²/2` for all `s >= 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Opening {
    pub(super) gap: f64,
    pub(super) rate: f64,
    pub(super) bend: f64,
}

impl Opening {
    /// The same, seen from now back in time.
    pub(super) fn back(&self) -> Self {
        Opening {
            rate: -self.rate,
            ..*self
        }
    }

    /// Whether a gap that is closed but for rounding opens, and does not close again within a time.
    pub(super) fn stays_open(&self, time: f64) -> bool {
        self.rate > 0.0 && 2.0 * self.rate + self.bend * time > 0.0
    }

    /// The gap is positive before this time: 0 if it is not positive now, infinite if it never closes.
    ///
    /// The first zero is `2 gap / (sqrt(rate² - 2 gap bend) - rate)`; a square that rounding made too small
    /// would put it off, so it is rounded up.
    #[inline]
    pub(super) fn closes(&self) -> f64 {
        let Opening { gap, rate, bend } = *self;
        // A NaN, of infinite speeds that cancel, closes at once.
        if gap.is_nan() || gap <= 0.0 {
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
            // Squares of the slowest rates underflow: in longer units of time they do not.
            let slow = Opening {
                gap,
                rate: rate * UNIT,
                bend: bend * UNIT * UNIT,
            };
            return slow.closes() * UNIT;
        }
        let discriminant = (square - product) + 4.0 * U * (square + product.abs());
        if discriminant < 0.0 {
            return f64::INFINITY;
        }
        let below = discriminant.sqrt() - rate;
        match below > 0.0 {
            // Of the difference only rate > 0 cancels, where both are alike: then bend < 0, and the sum is exact enough.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn closes(gap: f64, rate: f64, bend: f64) -> f64 {
        Opening { gap, rate, bend }.closes()
    }

    #[test]
    fn zeros_of_lines_and_parabolas() {
        let near = |x: f64, y: f64| (y - x) / y < 1e-14 && x <= y;
        assert!(near(closes(6.0, -2.0, 0.0), 3.0));
        assert_eq!(closes(6.0, 2.0, 0.0), f64::INFINITY);
        assert_eq!(closes(6.0, 0.0, 0.0), f64::INFINITY);
        assert_eq!(closes(0.0, 1.0, 1.0), 0.0);
        assert_eq!(closes(-1.0, 1.0, 1.0), 0.0);
        // (s - 1)(s - 3), (s + 1)(s - 3) downward, and one that turns before 0.
        assert!(near(closes(3.0, -4.0, 2.0), 1.0));
        assert!(near(closes(3.0, 2.0, -2.0), 3.0));
        assert_eq!(closes(5.0, -4.0, 2.0), f64::INFINITY);
        // A zero in the past only.
        assert_eq!(closes(3.0, 4.0, 2.0), f64::INFINITY);
        assert_eq!(closes(f64::NAN, 1.0, 1.0), 0.0);
        assert_eq!(closes(1.0, f64::NAN, 1.0), 0.0);
        // Slow bends of fast gaps keep their digits.
        assert!(near(closes(1e-9, 1e3, -1e-6), 2e9));
        assert!(near(closes(1.0, -1e3, -1e-20), 1e-3));
        // Nothing closes, however little the bend is.
        assert_eq!(closes(1.0, 1.0, 1e-300), f64::INFINITY);
        assert_eq!(closes(1.0, 0.0, 1e-300), f64::INFINITY);
        // Squares of rates and products of bends underflow.
        assert!(near(closes(1e-30, 0.0, -2e-300), 1e135));
        assert!(near(closes(1e-80, -1e-170, 1e-320), 1e90));
        assert!(near(closes(1.0, -1e-200, -1e-300), 1e150 * 2.0_f64.sqrt()));
    }
}
