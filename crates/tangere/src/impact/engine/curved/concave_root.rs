//! Proven lower bound of the last root of a concave function of time.

use super::super::gap_bound::U;

/// Maximum number of evaluations of a concave function in the search for its last root, by Newton's
/// iteration. If the function is not positive at time 0, it is evaluated at most as often before
/// that, to find a time at which it is positive.
const STEPS: u32 = 8;

/// Relative accuracy at which the search for the last root of a concave function ends.
const NEAR: f64 = 1e-6;

/// Lower bound of the last root of a concave function of time. `f` returns the value and the slope
/// of the function at a time; the search begins at time 0. Up to the returned time, which is at
/// most `most`, the function is not negative, with one exception: it may begin as low as `-allow`
/// if it then rises to `allow`. Returns 0 if there is no such time.
pub(super) fn last_root(f: impl Fn(f64) -> (f64, f64), most: f64, allow: f64) -> f64 {
    let (mut value, slope) = f(0.0);
    let mut from = 0.0;
    if value.is_nan() || value < -allow {
        return 0.0;
    }
    let mut most = most;
    if value <= 0.0 {
        if slope.is_nan() || slope <= 0.0 || allow <= 0.0 {
            return 0.0;
        }
        let mut s = 2.0 * (allow - value) / slope;
        let mut is_found = false;
        for _ in 0..STEPS {
            if s > most {
                break;
            }
            let at = f(s).0;
            if at >= allow {
                (from, value, is_found) = (s, at, true);
                break;
            }
            s *= 2.0;
        }
        if !is_found {
            return 0.0;
        }
    } else if slope < 0.0 {
        most = most.min(value / -slope);
    }
    if most == f64::INFINITY {
        return most;
    }
    let mut beyond = most;
    let mut bound = from;
    for _ in 0..STEPS {
        let (at, slope) = f(beyond);
        if at.is_nan() {
            return bound;
        }
        if at >= 0.0 {
            return beyond.max(bound);
        }
        // The chord is below the function.
        let chord = from + (beyond - from) * (value / (value - at)) * (1.0 - 8.0 * U);
        bound = bound.max(chord);
        let next = beyond - at / slope;
        if slope.is_nan() || slope >= 0.0 || next >= beyond || next <= bound * (1.0 + NEAR) {
            return bound;
        }
        beyond = next;
    }
    bound
}
