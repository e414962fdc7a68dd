//! Regions that are moved and turned: first turned about an axis through a point, then shifted.

use super::{Region, SurfacePoint, SurfacePoints};
use crate::vector::{Vector, cross, dot, length, minus, plus, times};
use serde::{Deserialize, Serialize};

/// A region somewhere else than where it was described.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moved {
    /// The region as described.
    pub region: Region,
    /// Where it is.
    pub placement: Placement,
}

/// Where a region is, and how fast it moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// The translation.
    shift: Vector,
    /// A point of the axis of rotation, before the translation.
    point: Vector,
    /// The axis of rotation, of length 1.
    axis: Vector,
    /// Cosine and sine of the angle of rotation.
    turn: [f64; 2],
    /// The velocity of the translation.
    velocity: Vector,
    /// The angular velocity about the axis.
    spin: f64,
}

impl Placement {
    /// A translation that changes with this velocity.
    pub fn shifted(shift: Vector, velocity: Vector) -> Self {
        Self {
            shift,
            point: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            turn: [1.0, 0.0],
            velocity,
            spin: 0.0,
        }
    }

    /// The same after a rotation about an axis through a point by an angle, which changes with this
    /// angular velocity. An axis without a direction is that along z.
    pub fn turned(self, point: Vector, axis: Vector, angle: f64, spin: f64) -> Self {
        let size = length(axis);
        Self {
            point,
            axis: match size > 0.0 {
                true => times(axis, 1.0 / size),
                false => [0.0, 0.0, 1.0],
            },
            turn: [libm::cos(angle), libm::sin(angle)],
            spin,
            ..self
        }
    }

    /// Where a point of space is in the region as described.
    pub(super) fn back(&self, point: Vector) -> Vector {
        let [cosine, sine] = self.turn;
        let from = minus(minus(point, self.shift), self.point);
        plus(self.point, self.rotated(from, cosine, 0.0 - sine))
    }

    /// A direction of the region as described, in space.
    fn forth(&self, direction: Vector) -> Vector {
        let [cosine, sine] = self.turn;
        self.rotated(direction, cosine, sine)
    }

    /// The velocity of a point of the surface.
    pub fn velocity_at(&self, point: Vector) -> Vector {
        let from = minus(minus(point, self.shift), self.point);
        plus(self.velocity, cross(times(self.axis, self.spin), from))
    }

    /// Rodrigues' formula.
    fn rotated(&self, v: Vector, cosine: f64, sine: f64) -> Vector {
        if sine == 0.0 && cosine == 1.0 {
            return v;
        }
        let along = times(self.axis, dot(v, self.axis));
        let aside = minus(v, along);
        let turned = plus(times(aside, cosine), times(cross(self.axis, aside), sine));
        plus(along, turned)
    }
}

impl Moved {
    pub(super) fn collect(
        &self,
        center: Vector,
        reach: f64,
        flips: bool,
        first: u32,
        points: &mut SurfacePoints,
    ) {
        let before = points.len();
        let inner = self.placement.back(center);
        self.region.collect(inner, reach, flips, first, points);
        points.retain_from(before, |point: &mut SurfacePoint| {
            point.way = self.placement.forth(point.way);
            let place = minus(center, point.way);
            let own = self.placement.forth(point.velocity);
            point.velocity = plus(own, self.placement.velocity_at(place));
            true
        });
    }
}
