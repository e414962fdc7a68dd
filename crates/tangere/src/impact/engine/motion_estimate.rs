//! Bodies that are seen rather than told how they move (`aragon2013`, section 4: SETUP).
//!
//! From where a body was seen last, its velocity and spin follow from two places, its acceleration from three. As long as it is
//! seen where it was predicted nothing changes; once it leaves that by more than a tolerance it is predicted anew.
//!
//! *Deviates:* the paper takes what the first steps told as true for good; here every observation is compared.

use super::super::rigid_motion::RigidMotion;
use super::ImpactEngine;
use crate::error::{Argument, Error, Result, number};
use crate::geometry::Pose;
use crate::geometry::vector::{dot, minus};

/// What an observation told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Observed {
    /// The body is where it was predicted.
    AsPredicted,
    /// It is not, and is predicted anew.
    Changed,
}

impl Observed {
    /// `"as predicted"` or `"changed"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::AsPredicted => "as predicted",
            Self::Changed => "changed",
        }
    }
}

/// The last two observations, the latest first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Observations {
    last: [Option<(f64, Pose)>; 2],
}

impl ImpactEngine {
    /// A rigid body is seen at a pose now. If it is further from where it was predicted than a tolerance (each of its points), its velocity, spin
    /// and acceleration are estimated from this and the last two observations, and it is predicted anew.
    ///
    /// Between observations nothing is known of a body, so contact is never late only while it moves as estimated; a
    /// separation of the tolerance ([`super::EngineSettings::separation`]) makes up for what is tolerated.
    ///
    /// # Errors
    /// When there is no such body, it deforms, or the tolerance is negative or not a number.
    pub fn observe(&mut self, body: usize, pose: Pose, tolerance: f64) -> Result<Observed> {
        if tolerance.is_nan() || tolerance < 0.0 {
            let expected = "a number, 0 or more";
            return Err(Error::argument(
                Argument::Tolerance,
                number(tolerance),
                expected,
            ));
        }
        let mover = self.mover(body)?;
        if mover.body.is_deforming() {
            let expected = "a rigid body; the nodes of a deforming one are set";
            return Err(Error::argument(
                Argument::Body,
                "a deforming body",
                expected,
            ));
        }
        let reach = mover.body.shape.inner.reach_from(mover.motion().center());
        let predicted = self.motion(body)?;
        let now = self.time();
        let [previous, before] = self.observations[body].last;
        let is_new = previous.is_none_or(|(time, _)| time < now);
        if is_new {
            self.observations[body].last = [Some((now, pose)), previous];
        } else {
            self.observations[body].last[0] = Some((now, pose));
        }
        if deviation(&predicted, pose, reach) <= tolerance {
            return Ok(Observed::AsPredicted);
        }
        let (previous, before) = match is_new {
            true => (previous, before),
            false => (before, None),
        };
        self.set_motion(body, estimate(&predicted, (now, pose), previous, before)?)?;
        Ok(Observed::Changed)
    }
}

/// By how much a point of a body is elsewhere than predicted, at most.
fn deviation(predicted: &RigidMotion, pose: Pose, reach: f64) -> f64 {
    let center = predicted.center();
    let off = minus(pose.apply(center), predicted.pose().apply(center));
    let angle = pose.rotation().angle_to(&predicted.pose().rotation());
    dot(off, off).sqrt() + angle.abs() * reach
}

/// The motion through up to three observations, from the latest on.
fn estimate(
    predicted: &RigidMotion,
    (now, pose): (f64, Pose),
    previous: Option<(f64, Pose)>,
    before: Option<(f64, Pose)>,
) -> Result<RigidMotion> {
    let center = predicted.center();
    let Some((t1, p1)) = previous else {
        let moved = RigidMotion::new(
            pose,
            predicted.velocity(),
            predicted.spin(),
            predicted.acceleration(),
        )?;
        return moved.about(center);
    };
    let x = |pose: &Pose| pose.apply(center);
    let dt = now - t1;
    let mean: [f64; 3] = std::array::from_fn(|k| (x(&pose)[k] - x(&p1)[k]) / dt);
    let turn = (pose.rotation() * p1.rotation().inverse()).scaled_axis();
    let spin: [f64; 3] = std::array::from_fn(|k| turn[k] / dt);
    // Divided differences: the parabola through three places.
    let acceleration: [f64; 3] = match before {
        None => [0.0; 3],
        Some((t0, p0)) => std::array::from_fn(|k| {
            let earlier = (x(&p1)[k] - x(&p0)[k]) / (t1 - t0);
            2.0 * (mean[k] - earlier) / (now - t0)
        }),
    };
    let velocity = std::array::from_fn(|k| mean[k] + 0.5 * acceleration[k] * dt);
    RigidMotion::new(pose, velocity, spin, acceleration)?.about(center)
}
