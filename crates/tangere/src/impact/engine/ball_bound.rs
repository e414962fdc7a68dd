//! Lower bound of the time of impact of bounding spheres that move and rotate.
//!
//! Balls that only translate meet at a root of a quartic: their squared distance minus the squared
//! sum of their radii (`aragon2013`, 3.1, eq. 12). For bodies that rotate or deform the gap along
//! the line of centres is bounded by a parabola, whose second derivative follows from a bound of
//! the acceleration of the centres of the balls.
//!
//! *Deviates:* the paper's balls ignore rotation; that is valid only for a ball about the centre of
//! rotation.

use super::super::trajectory::{MovingBall, first_meeting};
use super::gap_bound::{GapBound, U};
use super::mover::Mover;
use super::relative_frame::RelativeFrame;
use crate::geometry::vector::{cross, dot, minus};

/// Lower bound of the time, from now on, at which two bounding balls meet that only translate.
/// `away`, `velocity` and `acceleration` are position, velocity and acceleration of the centre of
/// the second ball relative to the centre of the first. `radius` is the sum of both radii.
pub(super) fn meeting(
    away: [f64; 3],
    velocity: [f64; 3],
    acceleration: [f64; 3],
    radius: f64,
) -> f64 {
    let origin = MovingBall::new([0.0; 3], [0.0; 3], [0.0; 3], 0.0);
    let ball = MovingBall::new(away, velocity, acceleration, radius * (1.0 + 4.0 * U));
    match (origin, ball) {
        (Ok(origin), Ok(ball)) => first_meeting(&origin, &ball).early,
        _ => 0.0,
    }
}

/// Ball bound of two BVH nodes: lower bound of how long their bounding balls stay separated,
/// counted from the time of `frame`.
pub(super) fn separated_for(frame: &RelativeFrame, movers: [&Mover; 2], parts: [u32; 2]) -> f64 {
    let (mut away, mut velocity) = (frame.away, frame.velocity);
    let mut radius = frame.separation + frame.slack;
    // These are for balls about the centres of rotation, which rotation does not move.
    let (mut far, mut far_velocity, mut reach) = (away, velocity, radius);
    let (mut growth, mut bend) = (0.0, 0.0);
    for i in 0..2 {
        let (inner, side) = (&movers[i].body.shape.inner, &frame.sides[i]);
        let part = &inner.parts[parts[i] as usize];
        let sign = if i == 0 { -1.0 } else { 1.0 };
        let mut arm = minus(part.ball_center, side.center);
        let mut own = [0.0; 3];
        let mut size = part.ball_radius + inner.radius;
        if let Some(deformation) = &movers[i].body.deformation {
            // The ball moves at the mean rate, and no point leaves it faster than the half
            // diagonal of the box of rates.
            let rate = &deformation.parts[parts[i] as usize];
            own = rate.center();
            let swelling = dot(rate.half(), rate.half()).sqrt() * (1.0 + 4.0 * U);
            for k in 0..3 {
                arm[k] += own[k] * side.elapsed;
            }
            size += swelling * side.elapsed;
            growth += swelling;
        }
        radius += size;
        reach += size;
        let middle = side.turned(arm);
        if side.turning > 0.0 {
            own = cross(side.spin, middle);
            let distance = dot(arm, arm).sqrt() * (1.0 + 8.0 * U);
            bend += side.turning * side.turning * distance;
            reach += distance.min(movers[i].reach - size);
        }
        for k in 0..3 {
            away[k] += sign * middle[k];
            velocity[k] += sign * own[k];
            if side.turning == 0.0 {
                far[k] += sign * middle[k];
                far_velocity[k] += sign * own[k];
            }
        }
    }
    if growth == 0.0 && bend == 0.0 {
        return meeting(away, velocity, frame.acceleration, radius);
    }
    let distance = dot(away, away).sqrt();
    let n = away.map(|x| x / distance);
    let bound = GapBound {
        gap: distance - radius,
        rate: dot(n, velocity) - growth,
        bend: dot(n, frame.acceleration) - bend * (1.0 + 4.0 * U),
    };
    let along = bound.closing_time();
    match bend > 0.0 && growth == 0.0 && along < f64::INFINITY {
        true => along.max(meeting(far, far_velocity, frame.acceleration, reach)),
        false => along,
    }
}
