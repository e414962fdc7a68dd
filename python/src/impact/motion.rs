//! Where a rigid body is and how it goes on.

use pyo3::prelude::*;
use tangere::geometry::Pose;
use tangere::impact::RigidMotion;
use tangere_front::answers::impact::MOTION;

use crate::arrays::small;
use crate::errors::{What, named, value_error};
use crate::record::record;
use crate::similarity::placed;

type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// What may be told of a rigid body, as arguments; what is None stays as it is.
pub struct Told<'a, 'py> {
    pub position: Argument<'a, 'py>,
    pub rotation: Argument<'a, 'py>,
    pub velocity: Argument<'a, 'py>,
    pub spin: Argument<'a, 'py>,
    pub acceleration: Argument<'a, 'py>,
    pub center: Argument<'a, 'py>,
}

/// The same as numbers.
pub struct Change {
    pose: Seen,
    velocity: Option<[f64; 3]>,
    spin: Option<[f64; 3]>,
    acceleration: Option<[f64; 3]>,
    center: Option<[f64; 3]>,
}

/// What may be told of a pose.
pub struct Seen {
    position: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
}

impl Told<'_, '_> {
    /// As numbers.
    pub fn change(&self) -> PyResult<Change> {
        let vector = |value: Argument<'_, '_>, name| value.map(|v| vector(v, name)).transpose();
        Ok(Change {
            pose: Seen::new(self.position, self.rotation)?,
            velocity: vector(self.velocity, "velocity")?,
            spin: vector(self.spin, "spin")?,
            acceleration: vector(self.acceleration, "acceleration")?,
            center: vector(self.center, "center")?,
        })
    }

    /// The motion of a body that begins.
    pub fn motion(&self) -> PyResult<RigidMotion> {
        let rest = RigidMotion::at_rest(Pose::identity());
        self.change()?.after(&rest).map_err(of_motion)
    }
}

impl Change {
    /// The motion of a body that moves in another way from now on.
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

impl Seen {
    /// From arguments.
    pub fn new(position: Argument<'_, '_>, rotation: Argument<'_, '_>) -> PyResult<Self> {
        let [tx, ty, tz, qw, qx, qy, qz] = pose(position, rotation)?.to_numbers();
        Ok(Self {
            position: position.map(|_| [tx, ty, tz]),
            rotation: rotation.map(|_| [qw, qx, qy, qz]),
        })
    }

    /// The pose of a body that was somewhere.
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

/// Three numbers.
fn vector(value: &Bound<'_, PyAny>, name: &str) -> PyResult<[f64; 3]> {
    let numbers = small(value, name, &[&[3]])?;
    Ok(std::array::from_fn(|k| numbers[k]))
}

/// A pose from a position and a rotation.
pub fn pose(position: Argument<'_, '_>, rotation: Argument<'_, '_>) -> PyResult<Pose> {
    placed(position, rotation, ["position", "rotation"])
}

/// An error of the library with the names that arguments have here.
pub fn of_motion(error: tangere::Error) -> PyErr {
    named(error, |what, _| match what {
        What::Centre => "center".to_owned(),
        other => other.name().to_owned(),
    })
}

/// The record of a motion.
pub fn record_of<'py>(py: Python<'py>, motion: &RigidMotion) -> PyResult<Bound<'py, PyAny>> {
    record(py, "Motion", MOTION, motion)
}

/// What pickling keeps of a motion: the pose, and velocity, spin, acceleration and center.
type MotionParts = ([f64; 7], [[f64; 3]; 4]);

/// What makes a motion again.
pub fn parts(motion: &RigidMotion) -> MotionParts {
    let m = motion;
    let vectors = [m.velocity(), m.spin(), m.acceleration(), m.center()];
    (m.pose().to_numbers(), vectors)
}

/// A motion from its parts.
pub fn of_parts(pose: [f64; 7], vectors: [[f64; 3]; 4]) -> PyResult<RigidMotion> {
    let [velocity, spin, acceleration, center] = vectors;
    let pose = Pose::from_numbers(&pose).map_err(value_error)?;
    let motion = RigidMotion::new(pose, velocity, spin, acceleration);
    motion
        .and_then(|motion| motion.about(center))
        .map_err(value_error)
}
