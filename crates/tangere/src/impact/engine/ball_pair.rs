//! Exact time of impact of a pair of balls, computed by the module `trajectory`.
//!
//! If a ball rotates about its centre, or not at all, then its centre moves on a parabola. So the
//! time of impact of two such balls is a root of a quartic.

use super::super::trajectory::{MovingBall, first_meeting};
use super::conservative_advancement::Outcome;
use super::contact_geometry::{Touch, contact_of};
use super::mover::Mover;
use super::relative_frame::RelativeFrame;
use super::triangle_pair::TrianglePair;
use crate::error::Result;
use crate::geometry::vector::{direction, dot, minus};

/// Maximum number of searches for the time at which one pair of balls meets. A search is repeated
/// from a later time if the time found is before now, or if the balls touch at its start and then
/// separate. If the last search would have to be repeated too, the pair goes back to the priority
/// queue.
const STEPS: u32 = 64;

/// Whether both bodies of a pair are balls whose centres move on parabolas.
pub(super) fn move_on_parabolas(movers: [&Mover; 2]) -> bool {
    movers.iter().all(|m| {
        let is_round = m.body.shape.radius() > 0.0;
        let about_middle = m.motion().center() == m.body.shape.inner.points[0];
        is_round && (about_middle || !m.motion().is_turning())
    })
}

/// The state of one ball of a pair at the time `time`: centre, velocity and acceleration. Its
/// radius is enlarged by `margin`.
fn ball(mover: &Mover, time: f64, margin: f64) -> Result<MovingBall> {
    let motion = mover.motion().after(time - mover.since)?;
    let center = motion.pose().apply(mover.body.shape.inner.points[0]);
    let radius = mover.body.shape.radius() + margin;
    MovingBall::new(center, motion.velocity(), motion.acceleration(), radius)
}

/// The first contact of a pair of balls at the time `now` or later. If that contact is after
/// `limit`, a lower bound of its time is returned instead. Balls that touch at `now` and then
/// separate are not in contact.
pub(super) fn first_contact(
    frame: &mut RelativeFrame,
    movers: [&Mover; 2],
    limit: f64,
    now: f64,
    count: &mut u64,
) -> Outcome {
    // The search starts from the given numbers; if that meeting was before now, from the current
    // positions.
    let mut from = movers[0].since.max(movers[1].since);
    for _ in 0..STEPS {
        *count += 1;
        let [a, b] = movers;
        let balls = ball(a, from, 0.0).and_then(|a| Ok((a, ball(b, from, frame.separation)?)));
        let Ok((a, b)) = balls else {
            // A ball is beyond the range of coordinates.
            return Outcome::Later(f64::INFINITY);
        };
        let meeting = first_meeting(&a, &b);
        let is_start = meeting.late == 0.0;
        let early = match is_start {
            true => from,
            false => (from + meeting.early).next_down().max(from),
        };
        let late = match is_start {
            true => from,
            false => (from + meeting.late).next_up(),
        };
        if early == f64::INFINITY {
            return Outcome::Later(early);
        }
        if late < now {
            from = now;
            continue;
        }
        frame.moved_to(movers, early.max(now));
        let pair = TrianglePair::new(frame, movers, [0, 0]);
        let away = minus(b.center(), a.center());
        let gap = dot(away, away).sqrt() - pair.margin();
        let is_touching = gap.abs() <= 4.0 * frame.slack;
        if is_start
            && is_touching
            && let Some(s) = separation_time(&a, &b)
        {
            let next = from + s;
            if next > limit {
                return Outcome::Later(next);
            }
            from = next;
            continue;
        }
        if early > limit {
            return Outcome::Later(early);
        }
        let touch = contact_of(movers, &pair, [0, 0], is_start && !is_touching);
        let normal = match is_start {
            true => direction(away).unwrap_or(touch.normal),
            false => touch.normal,
        };
        return Outcome::Touch(Touch {
            early: early.max(now),
            late: late.max(now),
            is_exact: true,
            is_hidden: false,
            normal,
            ..touch
        });
    }
    Outcome::Later(from)
}

/// How long the distance of two touching balls of a pair certainly grows; `None` if it does not
/// grow.
///
/// Let `d`, `v` and `a` be the differences of their centres, velocities and accelerations. After a
/// time `s`, half of the rate at which the squared distance grows is
///
/// ```text
/// (d + v s + a s²/2).(v + a s) = d.v + s (v.v + d.a) + 3/2 s² v.a + s³/2 a.a
/// ```
///
/// It is positive while `3 s |a| |d| < d.v`, `s |v| <= |d|` and `s² |a| <= |d|`, and, if
/// `v.v + d.a` is positive, while `3/2 s |v| |a|` is less than `v.v + d.a`.
fn separation_time(a: &MovingBall, b: &MovingBall) -> Option<f64> {
    let length = |v: [f64; 3]| dot(v, v).sqrt();
    let away = minus(b.center(), a.center());
    let velocity = minus(b.velocity(), a.velocity());
    let pull = minus(b.acceleration(), a.acceleration());
    let [distance, speed, acceleration] = [away, velocity, pull].map(length);
    let (rate, turn) = (dot(away, velocity), speed * speed + dot(away, pull));
    if rate < 0.0 || (rate == 0.0 && turn <= 0.0) {
        return None;
    }
    let grows = (rate / (3.0 * acceleration * distance))
        .min(distance / speed)
        .min((distance / acceleration).sqrt());
    let turns = match turn > 0.0 {
        true => turn / (1.5 * speed * acceleration),
        false => 0.0,
    };
    // Without an acceleration the balls separate forever.
    let s = match acceleration == 0.0 {
        true => f64::INFINITY,
        false => 0.5 * grows.max(turns),
    };
    Some(s).filter(|s| *s > 0.0)
}
