//! Prescribed motion of walls and spheres at a time.

use crate::setup::Motion;
use crate::vector::{Vector, cross, dot, length, minus, plus, times};
use std::f64::consts::TAU;

/// A prescribed motion during a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prescribed {
    /// The way since the motion began, without rotation.
    offset: Vector,
    velocity: Vector,
    /// Components that forces move.
    is_free: [bool; 3],
    /// The way during the step.
    advance: Vector,
    rotation: Option<Rotation>,
}

#[derive(Clone, Copy, Debug)]
struct Rotation {
    point: Vector,
    /// The unit vector of the axis.
    axis: Vector,
    rate: f64,
    /// Cosine and sine of the angle since the motion began.
    angle: [f64; 2],
    /// Cosine and sine of the angle of the step.
    advance: [f64; 2],
}

impl Prescribed {
    /// The motion of spheres from a time since it began, for a step.
    pub fn of_spheres(motion: &Motion, time: f64, step: f64) -> Self {
        let mut made = Self::still();
        match motion {
            Motion::Linear(velocity) => {
                for k in 0..3 {
                    made.is_free[k] = velocity[k].is_none();
                    made.velocity[k] = velocity[k].unwrap_or_default();
                    made.advance[k] = made.velocity[k] * step;
                }
            }
            Motion::Wiggle { amplitude, period } => {
                let rate = TAU / period;
                let way = |t: f64| libm::sin(rate * t);
                for k in 0..3 {
                    made.is_free[k] = amplitude[k].is_none();
                    let size = amplitude[k].unwrap_or_default();
                    made.velocity[k] = size * rate * libm::cos(rate * (time + step));
                    made.advance[k] = size * (way(time + step) - way(time));
                }
            }
            Motion::Rotate { .. } => made.rotation = Rotation::of(motion, time, step),
            Motion::Shear(velocity) => made.velocity = *velocity,
        }
        made
    }

    /// The motion of a wall at a time since it began.
    pub fn of_wall(motion: &Motion, time: f64) -> Self {
        let mut made = Self::still();
        match motion {
            Motion::Linear(velocity) => {
                made.velocity = velocity.map(Option::unwrap_or_default);
                made.offset = times(made.velocity, time);
            }
            Motion::Wiggle { amplitude, period } => {
                // From rest: A (1 - cos), so that the wall does not jump to a speed.
                let rate = TAU / period;
                let amplitude = amplitude.map(Option::unwrap_or_default);
                made.offset = times(amplitude, 1.0 - libm::cos(rate * time));
                made.velocity = times(amplitude, rate * libm::sin(rate * time));
            }
            Motion::Rotate { .. } => made.rotation = Rotation::of(motion, time, 0.0),
            Motion::Shear(velocity) => made.velocity = *velocity,
        }
        made
    }

    fn still() -> Self {
        Self {
            offset: [0.0; 3],
            velocity: [0.0; 3],
            is_free: [false; 3],
            advance: [0.0; 3],
            rotation: None,
        }
    }

    /// Where a point of space is for a wall that did not move.
    pub fn back(&self, point: Vector) -> Vector {
        let point = minus(point, self.offset);
        match &self.rotation {
            Some(rotation) => {
                let [cosine, sine] = rotation.angle;
                let arm = minus(point, rotation.point);
                plus(
                    rotation.point,
                    turned(arm, rotation.axis, [cosine, 0.0 - sine]),
                )
            }
            None => point,
        }
    }

    /// A vector of a wall that did not move, in space.
    pub fn turned(&self, vector: Vector) -> Vector {
        match &self.rotation {
            Some(rotation) => turned(vector, rotation.axis, rotation.angle),
            None => vector,
        }
    }

    /// The velocity at a point of space.
    pub fn velocity(&self, point: Vector) -> Vector {
        match &self.rotation {
            Some(rotation) => {
                let spin = times(rotation.axis, rotation.rate);
                plus(self.velocity, cross(spin, minus(point, rotation.point)))
            }
            None => self.velocity,
        }
    }

    /// Moves a sphere to the end of the step: its place, velocity and angular velocity.
    pub fn move_sphere(
        &self,
        place: &mut [f64; 4],
        motion: &mut [f64; 4],
        spin: &mut [f64; 4],
        step: f64,
    ) {
        if let Some(rotation) = &self.rotation {
            let arm = minus([place[0], place[1], place[2]], rotation.point);
            let arm = turned(arm, rotation.axis, rotation.advance);
            let turning = times(rotation.axis, rotation.rate);
            let velocity = cross(turning, arm);
            for k in 0..3 {
                place[k] = rotation.point[k] + arm[k];
                motion[k] = velocity[k];
                spin[k] = turning[k];
            }
            return;
        }
        for k in 0..3 {
            if self.is_free[k] {
                place[k] += step * motion[k];
            } else {
                place[k] += self.advance[k];
                motion[k] = self.velocity[k];
            }
        }
    }

    /// Half a kick of the components that forces move.
    pub fn kick_free(&self, motion: &mut [f64; 4], force: [f64; 4], half: f64) {
        for k in 0..3 {
            if self.is_free[k] {
                motion[k] += half * motion[3] * force[k];
            }
        }
    }
}

impl Rotation {
    fn of(motion: &Motion, time: f64, step: f64) -> Option<Self> {
        let Motion::Rotate {
            point,
            axis,
            period,
        } = motion
        else {
            return None;
        };
        let rate = TAU / period;
        let parts = |angle: f64| [libm::cos(angle), libm::sin(angle)];
        Some(Self {
            point: *point,
            axis: times(*axis, 1.0 / length(*axis)),
            rate,
            angle: parts(rate * time),
            advance: parts(rate * step),
        })
    }
}

/// A vector, turned about a unit axis by an angle with this cosine and sine (Rodrigues).
fn turned(v: Vector, axis: Vector, [cosine, sine]: [f64; 2]) -> Vector {
    let along = times(axis, dot(axis, v) * (1.0 - cosine));
    plus(plus(times(v, cosine), times(cross(axis, v), sine)), along)
}
