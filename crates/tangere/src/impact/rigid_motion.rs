//! Rigid motion: the centre moves on a parabola, and the body rotates about it at a constant spin.
//!
//! A point `r` of the body is, a time `s` after now, at
//!
//! ```text
//! x(s) = c + v s + a s²/2 + exp(s [w]) R (r - c0)
//! ```
//!
//! where `c` is the current centre, `v` its velocity, `a` its acceleration, `R` the current
//! rotation, `c0` the centre in body coordinates and `w` the spin: its direction is the axis, its
//! length the angle in radians per unit of time.

use crate::error::{Argument, Error, Result, number};
use crate::geometry::vector::dot;
use crate::geometry::{COORDINATE_MAX, Pose};

/// Pose and motion of a rigid body at constant acceleration and spin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    pose: Pose,
    velocity: [f64; 3],
    spin: [f64; 3],
    acceleration: [f64; 3],
    center: [f64; 3],
}

/// Formats a vector of a rigid motion for an error message.
pub(super) fn shown(v: [f64; 3]) -> String {
    format!("[{}]", v.map(number).join(", "))
}

/// Returns a vector of a rigid motion, or an error unless every number is finite and at most
/// [`COORDINATE_MAX`] in magnitude.
pub(super) fn checked(what: Argument, v: [f64; 3]) -> Result<[f64; 3]> {
    match v.iter().all(|x| x.abs() <= COORDINATE_MAX) {
        true => Ok(v),
        false => {
            let expected = "finite numbers of magnitude at most 1.6e60";
            Err(Error::argument(what, shown(v), expected))
        }
    }
}

impl RigidMotion {
    /// The rigid motion of a body at a pose with a velocity, a spin (angular velocity) and an
    /// acceleration; the body rotates about the origin of its coordinates.
    ///
    /// # Errors
    /// When a number is not finite or its magnitude is above [`COORDINATE_MAX`].
    pub fn new(
        pose: Pose,
        velocity: [f64; 3],
        spin: [f64; 3],
        acceleration: [f64; 3],
    ) -> Result<Self> {
        Ok(RigidMotion {
            pose,
            velocity: checked(Argument::Velocity, velocity)?,
            spin: checked(Argument::Spin, spin)?,
            acceleration: checked(Argument::Acceleration, acceleration)?,
            center: [0.0; 3],
        })
    }

    /// The rigid motion of a body at rest.
    pub fn at_rest(pose: Pose) -> Self {
        RigidMotion {
            pose,
            velocity: [0.0; 3],
            spin: [0.0; 3],
            acceleration: [0.0; 3],
            center: [0.0; 3],
        }
    }

    /// This rigid motion with another centre of rotation, given in body coordinates. The values of
    /// velocity and acceleration stay, and are then those of the new centre.
    ///
    /// # Errors
    /// When a number is not finite or its magnitude is above [`COORDINATE_MAX`].
    pub fn about(self, center: [f64; 3]) -> Result<Self> {
        let center = checked(Argument::CenterPoint, center)?;
        Ok(RigidMotion { center, ..self })
    }

    /// The current pose of the rigid motion.
    pub fn pose(&self) -> Pose {
        self.pose
    }

    /// The current velocity of the centre of rotation of the rigid motion.
    pub fn velocity(&self) -> [f64; 3] {
        self.velocity
    }

    /// The angular velocity of the rigid motion: a vector along the axis of rotation, whose length
    /// is the angle in radians per unit of time.
    pub fn spin(&self) -> [f64; 3] {
        self.spin
    }

    /// The constant acceleration of the centre of rotation of the rigid motion.
    pub fn acceleration(&self) -> [f64; 3] {
        self.acceleration
    }

    /// The centre of rotation of the rigid motion, in body coordinates.
    pub fn center(&self) -> [f64; 3] {
        self.center
    }

    /// Whether the rigid motion includes a rotation.
    pub fn is_turning(&self) -> bool {
        self.spin != [0.0; 3]
    }

    /// The current position of the centre of rotation of the rigid motion, in world coordinates.
    pub(super) fn position(&self) -> [f64; 3] {
        self.pose.apply(self.center)
    }

    /// The rigid motion a time `s` later.
    ///
    /// # Errors
    /// When the time is not finite, or the body is then beyond [`COORDINATE_MAX`].
    ///
    /// ```
    /// use tangere::geometry::Pose;
    /// use tangere::impact::RigidMotion;
    ///
    /// let gravity = [0.0, 0.0, -10.0];
    /// let thrown = RigidMotion::new(Pose::identity(), [1.0, 0.0, 5.0], [0.0; 3], gravity)?;
    /// let landed = thrown.after(1.0)?;
    /// assert_eq!(landed.pose().translation(), [1.0, 0.0, 0.0]);
    /// assert_eq!(landed.velocity(), [1.0, 0.0, -5.0]);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    pub fn after(&self, s: f64) -> Result<Self> {
        if !s.is_finite() {
            return Err(Error::argument(
                Argument::Time,
                number(s),
                "a finite number",
            ));
        }
        if s == 0.0 {
            return Ok(*self);
        }
        let (v, a) = (self.velocity, self.acceleration);
        let position = self.position();
        let position: [f64; 3] = std::array::from_fn(|k| position[k] + (v[k] + 0.5 * a[k] * s) * s);
        let turned = self.pose.turned(self.turn(s));
        let back = turned.rotate(self.center);
        let translation = checked(
            Argument::Position,
            std::array::from_fn(|k| position[k] - back[k]),
        )?;
        Ok(RigidMotion {
            pose: turned.at(translation),
            velocity: checked(Argument::Velocity, std::array::from_fn(|k| v[k] + a[k] * s))?,
            ..*self
        })
    }

    /// The pose of the rigid motion a time `s` later.
    ///
    /// # Errors
    /// As [`Self::after`].
    pub fn pose_after(&self, s: f64) -> Result<Pose> {
        Ok(self.after(s)?.pose)
    }

    /// The centre of rotation of the rigid motion a time `s` later, in world coordinates.
    ///
    /// ```
    /// use tangere::geometry::Pose;
    /// use tangere::impact::RigidMotion;
    ///
    /// let pose = Pose::from_translation([5.0, 0.0, 0.0])?;
    /// let motion = RigidMotion::new(pose, [1.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.0; 3])?;
    /// let motion = motion.about([0.0, 1.0, 0.0])?;
    /// assert_eq!(motion.center_after(3.0)?, [8.0, 1.0, 0.0]);
    /// // The body rotates about this point.
    /// let later = motion.pose_after(3.0)?.apply([0.0, 1.0, 0.0]);
    /// assert!((later[0] - 8.0).abs() < 1e-12 && (later[1] - 1.0).abs() < 1e-12);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::after`].
    pub fn center_after(&self, s: f64) -> Result<[f64; 3]> {
        self.after(s)?;
        let (position, v, a) = (self.position(), self.velocity, self.acceleration);
        let center = std::array::from_fn(|k| position[k] + (v[k] + 0.5 * a[k] * s) * s);
        checked(Argument::Position, center)
    }

    /// The rotation that the rigid motion makes within a time `s`, as a unit quaternion with the
    /// scalar part first.
    fn turn(&self, s: f64) -> [f64; 4] {
        let rate = dot(self.spin, self.spin).sqrt();
        if rate == 0.0 {
            return [1.0, 0.0, 0.0, 0.0];
        }
        let (sin, cos) = libm::sincos(0.5 * rate * s);
        let [x, y, z] = self.spin.map(|w| w / rate * sin);
        [cos, x, y, z]
    }

    /// The axes of the body in world coordinates after a time `s` of its rigid motion: the columns
    /// of its rotation matrix.
    pub(super) fn axes_after(&self, s: f64) -> [[f64; 3]; 3] {
        let m = match self.is_turning() && s != 0.0 {
            true => self.pose.turned(self.turn(s)).rotation_matrix(),
            false => self.pose.rotation_matrix(),
        };
        std::array::from_fn(|j| std::array::from_fn(|i| m[i][j]))
    }
}
