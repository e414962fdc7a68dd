//! Motion estimate from observed poses (`aragon2013`, section 4: SETUP).
//!
//! Velocity and spin follow from two poses, the acceleration from three. While observations agree
//! with the prediction nothing changes; beyond a tolerance the motion is estimated again.
//!
//! *Deviates:* the paper estimates from the first steps only; here every observation is compared.

use super::super::rigid_motion::RigidMotion;
use super::ImpactEngine;
use crate::error::{Argument, Error, Result, number};
use crate::geometry::Pose;
use crate::geometry::vector::{dot, minus};

/// Whether an observation agrees with the prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Observed {
    /// The body is where it was predicted.
    AsPredicted,
    /// The body is not where it was predicted, and its motion was estimated again.
    Changed,
}

impl Observed {
    /// The name of the comparison of an observed pose with the motion estimate: `"as predicted"` or
    /// `"changed"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::AsPredicted => "as predicted",
            Self::Changed => "changed",
        }
    }
}

/// The last two observations of a body, the latest first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Observations {
    last: [Option<(f64, Pose)>; 2],
}

impl ImpactEngine {
    /// Compares the observed pose of a rigid body with its prediction. If a point is off by more
    /// than the tolerance, a new estimate of the motion (velocity, spin and acceleration) is made
    /// from this and the last two observations.
    ///
    /// Times are conservative only while the body moves as estimated. To allow for deviations
    /// within the tolerance, set [`super::EngineSettings::separation`] to at least the tolerance;
    /// if both bodies of a pair are observed, to at least the sum of their tolerances.
    ///
    /// # Errors
    /// When there is no such body, it deforms, or the tolerance is negative or NaN.
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
            let expected = "a rigid body; set_nodes moves a deforming one";
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

/// Upper bound of the distance of any point of an observed body from where the motion estimate
/// predicts it. No point is farther than `reach` from the centre of rotation.
fn deviation(predicted: &RigidMotion, pose: Pose, reach: f64) -> f64 {
    let center = predicted.center();
    let off = minus(pose.apply(center), predicted.pose().apply(center));
    let angle = pose.rotation().angle_to(&predicted.pose().rotation());
    dot(off, off).sqrt() + angle.abs() * reach
}

/// The motion estimate from the pose observed now and up to two earlier ones. Without earlier ones
/// it has the predicted velocity, spin and acceleration.
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
    // Divided differences: the parabola through three positions.
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
