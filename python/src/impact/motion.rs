//! Rigid motion from arguments: pose, velocity, spin and acceleration.

use pyo3::prelude::*;
use tangere::geometry::Pose;
use tangere::impact::RigidMotion;
use tangere_front::answers::impact::MOTION;

use crate::arguments::{Argument, optional};
use crate::arrays::vector;
use crate::errors::{What, named, value_error};
use crate::poses::placed;
use crate::record::record;

/// The arguments of a rigid motion: position, rotation, velocity, spin, acceleration and center;
/// None leaves a value unchanged.
pub struct MotionArguments<'a, 'py>(pub [Argument<'a, 'py>; 6]);

/// A change of a rigid motion: [`MotionArguments`] as numbers.
pub struct Change {
    pose: GivenPose,
    velocity: Option<[f64; 3]>,
    spin: Option<[f64; 3]>,
    acceleration: Option<[f64; 3]>,
    center: Option<[f64; 3]>,
}

/// Position and rotation of a pose, each `None` if the argument was not given.
pub struct GivenPose {
    position: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
}

impl MotionArguments<'_, '_> {
    /// Reads the arguments as a change of motion; an argument that is None changes nothing.
    pub fn change(&self) -> PyResult<Change> {
        let [position, rotation, velocity, spin, acceleration, center] = self.0;
        Ok(Change {
            pose: GivenPose::new(position, rotation)?,
            velocity: optional(velocity, "velocity", vector)?,
            spin: optional(spin, "spin", vector)?,
            acceleration: optional(acceleration, "acceleration", vector)?,
            center: optional(center, "center", vector)?,
        })
    }

    /// Reads the arguments as the initial motion of a body. None stands for the value of a body at
    /// rest with the identity pose.
    pub fn motion(&self) -> PyResult<RigidMotion> {
        let rest = RigidMotion::at_rest(Pose::identity());
        self.change()?.after(&rest).map_err(of_motion)
    }
}

impl Change {
    /// Returns the motion after the change.
    pub fn after(&self, before: &RigidMotion) -> tangere::Result<RigidMotion> {
        let motion = RigidMotion::new(
            self.pose.after(&before.pose())?,
            self.velocity.unwrap_or(before.velocity()),
            self.spin.unwrap_or(before.spin()),
            self.acceleration.unwrap_or(before.acceleration()),
        );
        motion?.about(self.center.unwrap_or(before.center()))
    }
}

impl GivenPose {
    /// Reads position and rotation.
    pub fn new(position: Argument<'_, '_>, rotation: Argument<'_, '_>) -> PyResult<Self> {
        let [tx, ty, tz, qw, qx, qy, qz] = pose(position, rotation)?.to_numbers();
        Ok(Self {
            position: position.map(|_| [tx, ty, tz]),
            rotation: rotation.map(|_| [qw, qx, qy, qz]),
        })
    }

    /// Returns the pose `before`, with position and rotation replaced where they are given.
    pub fn after(&self, before: &Pose) -> tangere::Result<Pose> {
        let mut numbers = before.to_numbers();
        if let Some(position) = self.position {
            numbers[..3].copy_from_slice(&position);
        }
        if let Some(rotation) = self.rotation {
            numbers[3..].copy_from_slice(&rotation);
        }
        Pose::from_numbers(&numbers)
    }
}

/// Reads a pose from a position and a rotation.
pub fn pose(position: Argument<'_, '_>, rotation: Argument<'_, '_>) -> PyResult<Pose> {
    placed(position, rotation, ["position", "rotation"])
}

/// Converts an error of the library about a motion; it names the argument of Python.
pub fn of_motion(error: tangere::Error) -> PyErr {
    named(error, |what, _| match what {
        What::Centre => "center".to_owned(),
        other => other.name().to_owned(),
    })
}

/// Returns a motion as a Python object of class `Motion`.
pub fn record_of<'py>(py: Python<'py>, motion: &RigidMotion) -> PyResult<Bound<'py, PyAny>> {
    record(py, "Motion", MOTION, motion)
}

/// A pickled motion: the pose as translation and quaternion, then velocity, spin, acceleration and
/// center.
type MotionParts = ([f64; 7], [[f64; 3]; 4]);

/// Returns the parts of a motion to be pickled.
pub fn parts(motion: &RigidMotion) -> MotionParts {
    let m = motion;
    let vectors = [m.velocity(), m.spin(), m.acceleration(), m.center()];
    (m.pose().to_numbers(), vectors)
}

/// Restores a pickled motion.
pub fn of_parts(pose: [f64; 7], vectors: [[f64; 3]; 4]) -> PyResult<RigidMotion> {
    let [velocity, spin, acceleration, center] = vectors;
    let pose = Pose::from_numbers(&pose).map_err(value_error)?;
    let motion = RigidMotion::new(pose, velocity, spin, acceleration);
    motion
        .and_then(|motion| motion.about(center))
        .map_err(value_error)
}
