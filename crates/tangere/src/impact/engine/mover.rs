//! Mover: a body of the engine with its motion from the time at which that motion was set.

use std::sync::OnceLock;

use super::super::rigid_motion::RigidMotion;
use super::body::Body;
use super::gap_bound::U;
use super::revolution::{self, Profile};
use crate::geometry::vector::dot;

/// A mover: a body of the engine, with the time at which its motion was set.
#[derive(Clone, Debug)]
pub(super) struct Mover {
    pub(super) body: Body,
    /// The time at which the motion of the body was set.
    pub(super) since: f64,
    /// The angular speed of the body, rounded up.
    pub(super) turning: f64,
    /// The reference point of the body, in body coordinates, which moves on a parabola: the centre
    /// of rotation, or the centre of the box if the body does not rotate.
    pub(super) center: [f64; 3],
    /// The reference point of the body, rotated from body coordinates to world directions by the
    /// orientation that the body had when its motion was set, but not translated.
    pub(super) turned_center: [f64; 3],
    /// Upper bound of the distance of a point of the body from its reference point at the time at
    /// which the motion was set.
    pub(super) reach: f64,
    /// Heights and radii of the points of the body about its axis of rotation, once they are needed.
    pub(super) profile: OnceLock<Profile>,
}

impl Mover {
    /// A mover: a body whose motion was set at a time.
    pub(super) fn new(body: Body, since: f64) -> Self {
        let mut mover = Mover {
            body,
            since,
            turning: 0.0,
            center: [0.0; 3],
            turned_center: [0.0; 3],
            reach: 0.0,
            profile: OnceLock::new(),
        };
        mover.restart(since);
        mover
    }

    /// Updates the angular speed, reference point and reach of a mover after the motion of its body
    /// has changed at the time `since`.
    pub(super) fn restart(&mut self, since: f64) {
        let (motion, inner) = (&self.body.motion, &self.body.shape.inner);
        self.since = since;
        self.turning = dot(motion.spin(), motion.spin()).sqrt() * (1.0 + 4.0 * U);
        self.center = match self.turning > 0.0 {
            true => motion.center(),
            false => inner.parts[0].center(),
        };
        self.turned_center = match motion.pose().is_translation() {
            true => self.center,
            false => motion.pose().rotate(self.center),
        };
        self.reach = inner.reach_from(self.center) + inner.radius;
        let axis = revolution::axis_in_body(motion);
        if (self.profile.get()).is_some_and(|profile| !profile.is_about(axis, self.center)) {
            self.profile = OnceLock::new();
        }
    }

    /// The motion of the mover, from the time at which it was set on.
    pub(super) fn motion(&self) -> &RigidMotion {
        &self.body.motion
    }

    /// Whether the mover only translates.
    pub(super) fn is_translating(&self) -> bool {
        self.turning == 0.0 && !self.body.is_deforming()
    }

    /// The time until which the motion of the mover is known.
    pub(super) fn until(&self) -> f64 {
        self.since + self.body.duration()
    }

    /// Position of the reference point of the mover when its motion was set.
    pub(super) fn position(&self) -> [f64; 3] {
        let position = self.motion().pose().translation();
        std::array::from_fn(|k| position[k] + self.turned_center[k])
    }

    /// Position of the reference point of the mover a time `s` after its motion was set.
    pub(super) fn position_after(&self, s: f64) -> [f64; 3] {
        let (position, motion) = (self.position(), self.motion());
        let (v, a) = (motion.velocity(), motion.acceleration());
        std::array::from_fn(|k| position[k] + (v[k] + 0.5 * a[k] * s) * s)
    }

    /// Upper bound of the distance of a point of the mover from its reference point, a time `s`
    /// after its motion was set.
    pub(super) fn reach_after(&self, s: f64) -> f64 {
        match &self.body.deformation {
            None => self.reach,
            Some(deformation) => {
                let (center, half) = (deformation.parts[0].center(), deformation.parts[0].half());
                let fastest: [f64; 3] = std::array::from_fn(|k| center[k].abs() + half[k]);
                (self.reach + dot(fastest, fastest).sqrt() * s) * (1.0 + 8.0 * U)
            }
        }
    }
}
