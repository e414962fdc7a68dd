//! First meeting of two balls whose accelerations differ: a root of a quartic in Bernstein form, in
//! floats.
//!
//! Let `p(t)` be the squared distance of the centres minus the squared sum of the radii, and `s` a
//! scale of time (below). With `t = s x / (1 - x)` all times from now on are `x` in [0, 1]. Then
//! `p` times `(1 - x)⁴` is a quartic in `x`, and its Bernstein coefficients `b_k` are scaled
//! coefficients `c_k` of `p`: `b_k = c_k s^k / C(4, k)`. An interval on which all `b_k` are
//! positive has no root. One on which their sign changes once has exactly one root (Descartes),
//! which is simple. Other intervals are halved, and the left half is tested first. Halving takes
//! means, so errors hardly grow: by `4 u` of the largest coefficient each time, with `u` = 2^-53.
//!
//! The first cut is at `t = s`, about the first time at which the balls are nearest. As a rule it
//! decides: either `p` is negative there, and the left half has one sign change; or the
//! coefficients of both halves are positive, so that the balls never meet.

use super::relative_motion::{Motion, U, gap, is_moderate};
use super::{MovingBall, Verdict, bracket};
use crate::geometry::vector::dot;

/// How often an interval of time is halved, at most, in the search for the first root of the
/// quartic. Then exact integers take over.
const DEPTH: usize = 24;
/// Number of intervals of time that are tested, at most, in the search for the first root of the
/// quartic. Then exact integers take over.
const INTERVALS: usize = 96;

/// An interval of time, and the quartic `p` on it in Bernstein form. `p` is the squared distance of
/// the centres of two balls minus the squared sum of their radii.
#[derive(Clone, Copy)]
struct Interval {
    /// Bernstein coefficients of the quartic on the interval.
    b: [f64; 5],
    /// The start of the interval is `s * from[0] / from[1]`, its end `s * to[0] / to[1]`, where `s`
    /// is the scale of time. These small binary fractions are exact.
    from: [f64; 2],
    to: [f64; 2],
    depth: usize,
}

/// Signs of the Bernstein coefficients of the quartic on an interval.
enum Signs {
    Positive,
    /// The signs of the coefficients change once, from positive to negative, so there is exactly
    /// one root.
    Change,
    Other,
}

impl Interval {
    /// The signs of the Bernstein coefficients of a quartic on an interval, if each has an error of
    /// at most `error`. The first coefficient, the value at the start of the interval, must be
    /// positive.
    #[inline]
    fn signs(&self, error: f64) -> Signs {
        let b = &self.b;
        if b[1].min(b[2]).min(b[3]).min(b[4]) > error {
            return Signs::Positive;
        }
        let mut k = 1;
        while k < 5 && b[k] > error {
            k += 1;
        }
        // One uncertain sign between positive and negative ones does not matter.
        if k < 5 && b[k] >= -error {
            k += 1;
        }
        match k < 5 && b[k..].iter().all(|&x| x < -error) {
            true => Signs::Change,
            false => Signs::Other,
        }
    }

    /// The left and the right half of the interval of a quartic (de Casteljau).
    #[inline]
    fn halves(&self) -> [Interval; 2] {
        let mean = |a: f64, b: f64| 0.5 * (a + b);
        let [b0, b1, b2, b3, b4] = self.b;
        let [c0, c1, c2, c3] = [mean(b0, b1), mean(b1, b2), mean(b2, b3), mean(b3, b4)];
        let [d0, d1, d2] = [mean(c0, c1), mean(c1, c2), mean(c2, c3)];
        let [e0, e1] = [mean(d0, d1), mean(d1, d2)];
        let middle = mean(e0, e1);
        let at = [
            mean(self.from[0], self.to[0]),
            mean(self.from[1], self.to[1]),
        ];
        let depth = self.depth + 1;
        [
            Interval {
                b: [b0, c0, d0, e0, middle],
                from: self.from,
                to: at,
                depth,
            },
            Interval {
                b: [middle, e1, d2, c3, b4],
                from: at,
                to: self.to,
                depth,
            },
        ]
    }
}

/// Half the derivative of the quartic `p`, a cubic in time: its four coefficients, the constant one
/// first.
struct HalfDerivative([f64; 4]);

impl HalfDerivative {
    /// The derivative of the quartic of two moving balls, halved.
    fn of(motion: &Motion) -> Self {
        let Motion { d, v, h, .. } = *motion;
        HalfDerivative([
            dot(d, v),
            dot(v, v) + 2.0 * dot(d, h),
            3.0 * dot(v, h),
            2.0 * dot(h, h),
        ])
    }

    /// A Newton step from time `t` toward a minimum of the quartic `p`: a root of the derivative
    /// `p'` with `p'' > 0`. `None` if the step leads to no valid time.
    #[inline]
    fn improved(&self, t: f64) -> Option<f64> {
        let HalfDerivative([a, b, c, d]) = *self;
        let value = a + t * (b + t * (c + t * d));
        let slope = b + t * (2.0 * c + t * 3.0 * d);
        let next = t - value / slope;
        (slope > 0.0 && next > 0.0 && next.is_finite()).then_some(next)
    }

    /// Approximate time of the first minimum of the quartic, at which the balls are nearest. It
    /// affects only the cost of the search.
    #[inline]
    fn nearest(&self, motion: &Motion) -> f64 {
        let HalfDerivative([a, b, c, d]) = *self;
        let mut t = if a < 0.0 && b > 0.0 {
            -a / b
        } else {
            // The last root of the cubic without its constant coefficient; if that coefficient is
            // positive, the last root of the cubic is before this one.
            let square = c * c - 4.0 * d * b;
            let last = (square.max(0.0).sqrt() - c) / (2.0 * d);
            if last > 0.0 {
                last
            } else {
                (dot(motion.d, motion.d) / (0.5 * d)).sqrt().sqrt()
            }
        };
        for _ in 0..3 {
            match self.improved(t) {
                Some(next) => t = next,
                None => break,
            }
        }
        t
    }

    /// The time of the minimum of the quartic near `t`, by up to 20 Newton steps. It is the initial
    /// guess of the search for the root in exact integers, and is accurate if the balls graze.
    #[cold]
    fn polished(&self, mut t: f64) -> f64 {
        for _ in 0..20 {
            match self.improved(t) {
                Some(next) if next != t => t = next,
                _ => break,
            }
        }
        t
    }
}

/// The first meeting of two balls whose accelerations differ, the first root of a quartic;
/// [`Verdict::Unclear`] if floats do not decide it.
#[inline]
pub(super) fn first_meeting(motion: &Motion, balls: [&MovingBall; 2]) -> Verdict {
    let Motion { d, v, h, radius } = *motion;
    let (dd, rr) = (dot(d, d), radius * radius);
    let fall = HalfDerivative::of(motion);
    if !is_moderate(dd + rr) {
        return Verdict::Unclear(f64::NAN);
    }
    let mut c = dd - rr;
    if c <= 6.0 * U * (dd + rr) {
        match gap(motion, balls) {
            Some(value) if value.p <= 0.0 => return Verdict::Now,
            Some(value) => c = value.p,
            None => return Verdict::Unclear(f64::NAN),
        }
    }
    let s = fall.nearest(motion);
    if !is_moderate(s) {
        return Verdict::Unclear(s);
    }
    let (v, h) = (v.map(|x| x * s), h.map(|x| x * s * s));
    let (vv, hh) = (dot(v, v), dot(h, h));
    let scale = dd + rr + vv + hh;
    if !is_moderate(scale) {
        return Verdict::Unclear(fall.polished(s));
    }
    let whole = Interval {
        b: [
            c,
            0.5 * dot(d, v),
            (vv + 2.0 * dot(d, h)) * (1.0 / 6.0),
            0.5 * dot(v, h),
            hh,
        ],
        from: [0.0, 1.0],
        to: [1.0, 0.0],
        depth: 0,
    };
    match first_change(whole, scale) {
        FirstChange::None => Verdict::Never,
        FirstChange::Change(found) => {
            let time = |at: [f64; 2]| s * at[0] / at[1];
            let (from, to) = (time(found.from), time(found.to) * (1.0 - 4.0 * U));
            // As if `p` were a parabola with its minimum at the end of the interval.
            let share = (found.b[4] / (found.b[4] - found.b[0])).sqrt();
            match bracket::bracket(motion, balls, to - (to - from) * share, to) {
                Some((early, late)) => Verdict::Within(early, late),
                None => Verdict::Unclear(to),
            }
        }
        FirstChange::Unclear => Verdict::Unclear(fall.polished(s)),
    }
}

enum FirstChange {
    None,
    Change(Interval),
    Unclear,
}

/// The first interval of time with a root of the quartic. The magnitudes of the Bernstein
/// coefficients must be at most `scale`, and their errors at most `10 u` of `scale`, with `u` =
/// 2^-53.
#[inline]
fn first_change(whole: Interval, scale: f64) -> FirstChange {
    if let Signs::Positive = whole.signs(error(scale, 0)) {
        return FirstChange::None;
    }
    // p is positive now and at infinity, so its sign never changes just once: only the halves after
    // the first cut are tested for a single change.
    let [left, right] = whole.halves();
    match left.signs(error(scale, 1)) {
        Signs::Change => FirstChange::Change(left),
        Signs::Positive => match right.signs(error(scale, 1)) {
            Signs::Positive => FirstChange::None,
            _ => first_change_of(&[right], scale),
        },
        Signs::Other => first_change_of(&[right, left], scale),
    }
}

/// Error bound of the Bernstein coefficients of the quartic after `depth` halvings. At first their
/// magnitudes are at most `scale`.
#[inline]
fn error(scale: f64, depth: usize) -> f64 {
    U * scale * (16 + 4 * depth) as f64
}

/// The first interval of time with a root of the quartic, by halving the given intervals, of which
/// the latest comes first.
#[inline(never)]
fn first_change_of(intervals: &[Interval], scale: f64) -> FirstChange {
    let mut waiting = [intervals[0]; DEPTH + 2];
    let mut count = intervals.len();
    waiting[..count].copy_from_slice(intervals);
    for _ in 0..INTERVALS {
        if count == 0 {
            return FirstChange::None;
        }
        count -= 1;
        let interval = waiting[count];
        match interval.signs(error(scale, interval.depth)) {
            Signs::Positive => {}
            Signs::Change => return FirstChange::Change(interval),
            Signs::Other if interval.depth == DEPTH => return FirstChange::Unclear,
            Signs::Other => {
                let [left, right] = interval.halves();
                waiting[count] = right;
                waiting[count + 1] = left;
                count += 2;
            }
        }
    }
    FirstChange::Unclear
}
