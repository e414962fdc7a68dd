//! Bracket of the first root of `p`, the squared distance of two balls minus the squared sum of
//! radii, where that root is known to be simple.
//!
//! Suppose that `p` is positive before some time and has a single root between that time and `end`.
//! Then a time up to `end` with `p > 0` is before the root, and one with `p <= 0` is not. Newton's
//! iteration proposes times, and the sign of `p` with its error bound decides: in floats if that is
//! tight enough, else with twice the digits.

use super::relative_motion::{LongMotion, Motion, U, Value};
use super::{MovingBall, TIGHT};

/// Bracket of the time at which two moving balls meet: a lower and an upper bound of the root of
/// `p`, squared distance minus squared sum of radii, that is near `guess` and the only one before
/// `end`. `None` if neither floats nor twice the digits are accurate enough.
#[inline]
pub(super) fn bracket(
    motion: &Motion,
    balls: [&MovingBall; 2],
    guess: f64,
    end: f64,
) -> Option<(f64, f64)> {
    let (mut t, mut low, mut high) = (guess, 0.0, end);
    for _ in 0..16 {
        let (p, slope) = motion.estimate(t);
        match p > 0.0 {
            true => low = t,
            false => high = t,
        }
        let newton = t - p / slope;
        // NaN compares false.
        let next = if newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        let step = (next - t).abs();
        t = next;
        if step <= 1e-8 * t {
            break;
        }
    }
    let at = motion.value(t);
    t -= at.p / at.slope;
    let width = 2.0 * at.error / at.slope.abs() + 4.0 * U * t;
    if width <= 0.4 * TIGHT * t {
        let (early, late) = (t - width, t + width);
        if early <= end && is_crossed(motion.value(early), motion.value(late)) {
            return Some((early, late));
        }
    }
    long_bracket(balls, t, end)
}

/// Whether two times certainly bracket the root of `p`, squared distance minus squared sum of
/// radii: `p` is positive at the first time and negative at the second.
#[inline]
fn is_crossed(early: Value, late: Value) -> bool {
    early.p > early.error && late.p < -late.error
}

/// Bracket of the time at which two moving balls meet, with twice the digits: a lower and an upper
/// bound of the root of `p`, squared distance minus squared sum of radii, that is near `guess` and
/// the only one before `end`. `None` if twice the digits are not accurate enough.
#[cold]
pub(super) fn long_bracket(balls: [&MovingBall; 2], guess: f64, end: f64) -> Option<(f64, f64)> {
    let motion = LongMotion::of(balls[0], balls[1]);
    let mut t = if guess > 0.0 { guess } else { 0.0 };
    for _ in 0..6 {
        let at = motion.value(t);
        let step = at.p / at.slope;
        t -= step;
        if step.abs() <= 2.0 * U * t {
            break;
        }
    }
    if t.is_nan() || t <= 0.0 {
        return None;
    }
    let mut width = 2.0 * U * t;
    while width <= 0.4 * TIGHT * t {
        let (early, late) = (t - width, t + width);
        if early <= end && is_crossed(motion.value(early), motion.value(late)) {
            return Some((early, late));
        }
        width *= 8.0;
    }
    None
}
