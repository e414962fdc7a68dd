//! Time of impact of two balls under constant velocity and acceleration.
//!
//! The distance of the centres is the sum `R` of the radii at a root of the quartic
//! `p(t) = |d + v t + a t²/2|² - R²`, where `d`, `v` and `a` are the differences of centres,
//! velocities and accelerations. It is a quadratic where accelerations are equal (`aragon2013`,
//! 3.1, eq. 12).
//!
//! [`first_meeting`] returns the first meeting from now (time 0) to infinity, [`first_meetings`]
//! those of many pairs. [`next_collision`] and [`next_collisions`] are for hard spheres, which
//! touch after each collision and must not collide again at once. [`first_meeting_within`] and
//! [`first_meetings_within`] search up to a horizon.
//!
//! The result is exact for the given numbers. Contact is decided in exact integers (`sturm`) where
//! floats with error bounds cannot decide it (`quadratic`, `quartic`), so grazing balls are neither
//! missed nor invented. The bracket of the time certainly contains the first root (`bracket`).
//!
//! Costs about 20 ns a pair at equal accelerations, 0.1 µs otherwise; 5 to 100 µs where exact
//! integers decide. Nothing is allocated unless sizes of numbers differ by more than 2^100.
//!
//! *Deviates:* `aragon2013` does not say how the quartic is solved nor which root is taken.
//! Numerical roots may miss a double one, which is a graze; here roots are isolated first and then
//! refined.

mod batch;
mod bracket;
mod double_double;
mod quadratic;
mod quartic;
mod relative_motion;
mod sturm;

pub use super::primitive::ContactStatus;
pub use batch::{first_meetings, first_meetings_within, next_collisions};

use crate::error::{Argument, Error, Result, number};
use crate::impact::rigid_motion::shown;
use relative_motion::Motion;

/// Largest width of the bracket of a time of impact, relative to that time.
const TIGHT: f64 = 1e-12;

/// A ball that moves at constant acceleration.
///
/// Centre and velocity are those at time 0, now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingBall {
    center: [f64; 3],
    velocity: [f64; 3],
    acceleration: [f64; 3],
    radius: f64,
}

impl MovingBall {
    /// A ball on its trajectory, at constant acceleration; numbers may be of any size.
    ///
    /// # Errors
    /// When a number is not finite, or the radius is negative.
    pub fn new(
        center: [f64; 3],
        velocity: [f64; 3],
        acceleration: [f64; 3],
        radius: f64,
    ) -> Result<Self> {
        let vectors = [
            (Argument::CenterPoint, center),
            (Argument::Velocity, velocity),
            (Argument::Acceleration, acceleration),
        ];
        for (what, vector) in vectors {
            if !vector.iter().all(|x| x.is_finite()) {
                return Err(Error::argument(what, shown(vector), "finite numbers"));
            }
        }
        if !(radius >= 0.0 && radius.is_finite()) {
            let expected = "a finite number, 0 or more";
            return Err(Error::argument(Argument::Radius, number(radius), expected));
        }
        Ok(MovingBall {
            center,
            velocity,
            acceleration,
            radius,
        })
    }

    /// A ball on its trajectory, without acceleration, of numbers that are known to be valid.
    #[inline]
    pub(super) fn of_valid(center: [f64; 3], velocity: [f64; 3], radius: f64) -> Self {
        MovingBall {
            center,
            velocity,
            acceleration: [0.0; 3],
            radius,
        }
    }

    /// The centre of the ball at the start of its trajectory, time 0.
    pub fn center(&self) -> [f64; 3] {
        self.center
    }

    /// The velocity of the ball at the start of its trajectory, time 0.
    pub fn velocity(&self) -> [f64; 3] {
        self.velocity
    }

    /// The constant acceleration of the ball on its trajectory.
    pub fn acceleration(&self) -> [f64; 3] {
        self.acceleration
    }

    /// The radius of the ball on its trajectory.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

/// The time of impact of two balls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// Lower bound of the time of impact. It is 0 if the balls touch or overlap now, infinite if
    /// they never meet.
    pub early: f64,
    /// Upper bound of the time of impact. It exceeds `early` by at most 1e-12 of `early`, or by the
    /// least positive float. It is infinite if the balls never meet, or only after the largest
    /// float.
    pub late: f64,
    /// [`ContactStatus::Free`] or [`ContactStatus::Contact`].
    pub status: ContactStatus,
}

impl Meeting {
    /// The balls touch or overlap now.
    pub const NOW: Self = Meeting {
        early: 0.0,
        late: 0.0,
        status: ContactStatus::Contact,
    };

    /// The balls never meet.
    pub const NEVER: Self = Meeting {
        early: f64::INFINITY,
        late: f64::INFINITY,
        status: ContactStatus::Free,
    };

    const UNKNOWN: Self = Meeting {
        early: 0.0,
        late: f64::INFINITY,
        status: ContactStatus::Unresolved,
    };

    /// The meeting of two balls on their trajectories, between two times.
    fn at(early: f64, late: f64) -> Self {
        Meeting {
            early,
            late,
            status: ContactStatus::Contact,
        }
    }

    /// Whether two balls meet on their trajectories.
    pub fn is_contact(&self) -> bool {
        self.status == ContactStatus::Contact
    }
}

/// Result of the search for the first meeting in floats.
#[derive(Clone, Copy, Debug)]
enum Verdict {
    Never,
    Now,
    Within(f64, f64),
    /// Floats do not decide. The number is a guess of the time, NaN if there is none.
    Unclear(f64),
}

/// The first meeting of two balls on their trajectories: the first time from now on at which they
/// touch or overlap.
///
/// ```
/// use tangere::impact::trajectory::{MovingBall, first_meeting};
///
/// // Two balls thrown against each other: 1500 apart, radii 1, speed 50, the same gravity.
/// let gravity = [0.0, 0.0, -9.81];
/// let a = MovingBall::new([0.0; 3], [50.0, 0.0, 86.6], gravity, 1.0)?;
/// let b = MovingBall::new([1500.0, 0.0, 0.0], [-50.0, 0.0, 86.6], gravity, 1.0)?;
/// let found = first_meeting(&a, &b);
/// assert!(found.early <= 14.98 && 14.98 <= found.late && found.late - found.early < 1e-11);
/// // A ball dropped past a ball at rest: they graze, and one float farther away they do not.
/// let rest = |x| MovingBall::new([x, 0.0, 0.0], [0.0; 3], [0.0; 3], 1.0);
/// let falling = MovingBall::new([0.0, 0.0, 8.0], [0.0; 3], [0.0, 0.0, -4.0], 1.0)?;
/// let found = first_meeting(&falling, &rest(2.0)?);
/// assert_eq!((found.early, found.late), (2.0, 2.0));
/// assert!(!first_meeting(&falling, &rest(2.0_f64.next_up())?).is_contact());
/// # Ok::<(), tangere::Error>(())
/// ```
#[inline]
pub fn first_meeting(a: &MovingBall, b: &MovingBall) -> Meeting {
    let motion = Motion::of(a, b);
    let verdict = match a.acceleration == b.acceleration {
        true => quadratic::first_meeting(&motion, [a, b]),
        false => quartic::first_meeting(&motion, [a, b]),
    };
    match verdict {
        Verdict::Never => Meeting::NEVER,
        Verdict::Now => Meeting::NOW,
        Verdict::Within(early, late) => Meeting::at(early, late),
        Verdict::Unclear(guess) => sturm::first_meeting(a, b, guess),
    }
}

/// The first meeting of two balls on their trajectories if it is not after the horizon, otherwise
/// [`Meeting::NEVER`].
///
/// The horizon may be infinite.
///
/// # Errors
/// When the horizon is negative or NaN.
pub fn first_meeting_within(a: &MovingBall, b: &MovingBall, horizon: f64) -> Result<Meeting> {
    check_horizon(horizon)?;
    let found = first_meeting(a, b);
    if found.late <= horizon {
        return Ok(found);
    }
    // The horizon is between the bounds, or the meeting is after the largest float.
    let is_within = found.early <= horizon && horizon > 0.0 && sturm::meet_by(a, b, horizon);
    Ok(match is_within {
        true => Meeting {
            late: horizon,
            ..found
        },
        false => Meeting::NEVER,
    })
}

/// An error unless the horizon of a search along trajectories is a number, 0 or more.
fn check_horizon(horizon: f64) -> Result<()> {
    match horizon >= 0.0 {
        true => Ok(()),
        false => Err(Error::argument(
            Argument::Horizon,
            number(horizon),
            "a number, 0 or more",
        )),
    }
}

/// The next collision of two hard spheres on their trajectories. It is the [`first_meeting`],
/// except that spheres that touch or overlap now, as they do up to rounding after a collision,
/// collide only if they approach each other.
///
/// | now | approaching | not approaching |
/// |---|---|---|
/// | apart | the first meeting | never |
/// | touching or overlapping | 0 | never |
///
/// Whether they touch, and whether they approach, is decided exactly. Their accelerations must be
/// equal: then separating spheres never meet again.
///
/// ```
/// use tangere::impact::trajectory::{Meeting, MovingBall, first_meeting, next_collision};
///
/// let sphere = |x, v| MovingBall::new([x, 0.0, 0.0], [v, 0.0, 0.0], [0.0; 3], 0.5);
/// let touching = (sphere(0.0, 0.0)?, sphere(1.0, 2.0)?);
/// assert_eq!(first_meeting(&touching.0, &touching.1), Meeting::NOW);
/// assert_eq!(next_collision(&touching.0, &touching.1)?, Meeting::NEVER);
/// assert_eq!(next_collision(&touching.0, &sphere(1.0, -2.0)?)?, Meeting::NOW);
/// # Ok::<(), tangere::Error>(())
/// ```
#[inline]
pub fn next_collision(a: &MovingBall, b: &MovingBall) -> Result<Meeting> {
    if a.acceleration != b.acceleration {
        return Err(unequal(a, b));
    }
    // Balls whose distance does not decrease never come nearer.
    match is_approaching(a, b) {
        true => Ok(first_meeting(a, b)),
        false => Ok(Meeting::NEVER),
    }
}

/// The error that the accelerations of two trajectories differ, so that there is no next collision
/// of hard spheres to compute.
#[cold]
fn unequal(a: &MovingBall, b: &MovingBall) -> Error {
    let expected = format!("that of the first sphere, {}", shown(a.acceleration));
    Error::argument(Argument::Acceleration, shown(b.acceleration), expected)
}

/// Whether two balls on their trajectories approach each other: the distance of their centres
/// decreases now.
#[inline]
pub(super) fn is_approaching(a: &MovingBall, b: &MovingBall) -> bool {
    let motion = Motion::of(a, b);
    let terms = [0, 1, 2].map(|k| motion.d[k] * motion.v[k]);
    let rate = terms[0] + terms[1] + terms[2];
    // Three roundings of each term, two of sums. Underflow is far below.
    let error = 6.0 * relative_motion::U * (terms[0].abs() + terms[1].abs() + terms[2].abs());
    match rate.abs() > error && (1e-200..1e200).contains(&rate.abs()) {
        true => rate < 0.0,
        false => sturm::is_approaching(a, b),
    }
}
