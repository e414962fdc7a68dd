//! First meeting of two balls at constant relative velocity: a root of a quadratic, in floats.
//!
//! The first root is `t = c / (-d·v + √Δ)` with `c = |d|² - R²` and `Δ = |v|² R² - |d × v|²`, where
//! `d` and `v` are the differences of centres and velocities and `R` is the sum of the radii. In
//! this form cancellation costs digits only in `c`, for balls near each other, and in `Δ`, for
//! balls that graze. Where the error bound of `t` is too large, [`super::bracket`] computes with
//! twice the digits.

use super::relative_motion::{Motion, U, gap, is_moderate};
use super::{MovingBall, TIGHT, Verdict, bracket};
use crate::geometry::vector::dot;

/// The first meeting of two balls at constant relative velocity, the root of a quadratic;
/// [`Verdict::Unclear`] if floats do not decide it.
#[inline]
pub(super) fn first_meeting(motion: &Motion, balls: [&MovingBall; 2]) -> Verdict {
    let Motion { d, v, radius, .. } = *motion;
    let (dd, vv, rr) = (dot(d, d), dot(v, v), radius * radius);
    let scale = dd + rr;
    if !is_moderate(scale) {
        return Verdict::Unclear(f64::NAN);
    }
    let mut c = dd - rr;
    let mut c_error = 6.0 * U * scale;
    if c <= c_error {
        match gap(motion, balls) {
            Some(value) if value.p <= 0.0 => return Verdict::Now,
            Some(value) => (c, c_error) = (value.p, value.error),
            None => return Verdict::Unclear(f64::NAN),
        }
    }
    let approach = -dot(d, v);
    let terms = (d[0] * v[0]).abs() + (d[1] * v[1]).abs() + (d[2] * v[2]).abs();
    let approach_error = 6.0 * U * terms;
    if v == [0.0; 3] {
        return Verdict::Never;
    }
    if !is_moderate(vv) {
        return Verdict::Unclear((scale / vv).sqrt());
    }
    if approach < -approach_error {
        return Verdict::Never;
    }
    // The error of a coordinate of d × v is 4 u (m + n), with m and n its terms.
    let (mut cross, mut first, mut second) = (0.0, 0.0, 0.0);
    for (i, j) in [(1, 2), (2, 0), (0, 1)] {
        let (m, n) = (d[i] * v[j], d[j] * v[i]);
        let (x, most) = (m - n, m.abs() + n.abs());
        cross += x * x;
        first += x.abs() * most;
        second += most * most;
    }
    let reach = vv * rr;
    let square = reach - cross;
    let square_error = U * (12.0 * reach + 6.0 * cross + 9.0 * first + 24.0 * U * second);
    if square < -square_error {
        return Verdict::Never;
    }
    let nearest = approach / vv;
    if square <= square_error || approach <= approach_error {
        return Verdict::Unclear(nearest);
    }
    let root = square.sqrt();
    let divisor = approach + root;
    let t = c / divisor;
    let error = c_error / c + (approach_error + square_error / root + U * root) / divisor + 4.0 * U;
    if error <= 0.2 * TIGHT {
        return Verdict::Within(t * (1.0 - 2.0 * error), t * (1.0 + 2.0 * error));
    }
    // p decreases until the balls are nearest to each other, and is negative there.
    let end = (approach - approach_error) / vv * (1.0 - 16.0 * U);
    match bracket::long_bracket(balls, t, end) {
        Some((early, late)) => Verdict::Within(early, late),
        None => Verdict::Unclear(t),
    }
}
