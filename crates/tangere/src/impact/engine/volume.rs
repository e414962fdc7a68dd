//! When may parts of two bodies first meet, seen by their boxes or balls?
//!
//! Along a fixed unit direction `n`, from a to b, parts are apart while the opening of the slab between them is positive.
//! With `w` the middle of a box, `e` its half sizes, `r` its radius and `W` the spin, the body's points `x` move as
//!
//! ```text
//! n.x(s) <= n.w + sum |n.g_k| e_k + s (n.(v + W x w) + |n x W| r) + s²/2 (n.a + |W|² reach)
//! ```
//!
//! since `n.(W x x) = n.(W x w) + (n x W).(x - w)` and the second derivative of a turning point is at most `|W|²` times its
//! distance from the centre. So each direction gives a parabola that bounds the gap from below (`bound`), and the latest of
//! the directions counts: the axes of both boxes. A box that does not turn and keeps its form is bounded without loss.
//!
//! A part that turns is also within the ball about the centre of rotation that reaches its farthest point, which
//! rotation does not move: when bodies are far apart this bound is the better one. (`aragon2013`, 3.1, eq. 12, with
//! balls about other points corrected: only such a ball may ignore rotation.)

use super::super::trajectory::{MovingBall, first_meeting};
use super::bound::{Opening, U};
use super::frame::{Frame, Mover, Side};
use super::shape::Part;
use crate::geometry::vector::{cross, dot, minus};

/// The angle from which on the ball about the centre of rotation may bound the better.
const TURNED: f64 = 0.25;

/// A part of a body in a frame.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// The middle of its box, from the centre of the body in the world's directions, and its velocity less that of the centre.
    middle: [f64; 3],
    velocity: [f64; 3],
    half: [f64; 3],
    /// By how much the half sizes grow in a unit of time.
    growth: [f64; 3],
    /// Of the box about its middle.
    radius: f64,
    /// No second derivative of a point of it, less the acceleration of the centre, is above this.
    bend: f64,
    /// How far from the centre of the body it is at most.
    reach: f64,
}

#[inline]
fn turned(axes: &[[f64; 3]; 3], arm: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| axes[0][i] * arm[0] + axes[1][i] * arm[1] + axes[2][i] * arm[2])
}

impl Seen {
    fn new(mover: &Mover, side: &Side, index: u32) -> Self {
        let part = &mover.body.shape.inner.parts[index as usize];
        let margin = mover.body.shape.inner.radius;
        let mut arm = minus(part.center, side.center);
        let mut half = part.half.map(|e| e + margin);
        let mut radius = part.radius + margin;
        let (mut velocity, mut growth) = ([0.0; 3], [0.0; 3]);
        if let Some(deformation) = &mover.body.deformation {
            let rate = &deformation.parts[index as usize];
            for k in 0..3 {
                arm[k] += rate.center[k] * side.elapsed;
                half[k] += rate.half[k] * side.elapsed;
            }
            (velocity, growth) = (rate.center, rate.half);
            radius = dot(half, half).sqrt() * (1.0 + 4.0 * U);
        }
        let reach = (dot(arm, arm).sqrt() + radius) * (1.0 + 4.0 * U);
        let middle = turned(&side.axes, arm);
        if side.turning > 0.0 {
            velocity = cross(side.spin, middle);
        }
        Seen {
            middle,
            velocity,
            half,
            growth,
            radius,
            bend: side.turning * side.turning * reach * (1.0 + 4.0 * U),
            reach,
        }
    }
}

/// How long boxes of parts stay apart, in the frame's time from now on.
pub(super) fn boxes(frame: &Frame, [a, b]: [&Mover; 2], parts: [u32; 2]) -> f64 {
    if frame.is_aligned {
        return aligned_boxes(frame, [a, b], parts);
    }
    if frame.is_plain {
        return plain_boxes(frame, [a, b], parts);
    }
    let seen = [
        Seen::new(a, &frame.sides[0], parts[0]),
        Seen::new(b, &frame.sides[1], parts[1]),
    ];
    let away: [f64; 3] =
        std::array::from_fn(|k| frame.away[k] + (seen[1].middle[k] - seen[0].middle[k]));
    let velocity: [f64; 3] =
        std::array::from_fn(|k| frame.velocity[k] + (seen[1].velocity[k] - seen[0].velocity[k]));
    let bend = seen[0].bend + seen[1].bend;
    let mut latest: f64 = 0.0;
    for (of, other) in [(0, 1), (1, 0)] {
        for (i, n) in frame.sides[of].axes.iter().enumerate() {
            let along = dot(*n, away);
            let sign = 1.0_f64.copysign(along);
            let mut closed = seen[of].half[i] + frame.separation + frame.slack;
            let mut closing = seen[of].growth[i];
            for j in 0..3 {
                let product = match of {
                    0 => frame.magnitudes[i][j],
                    _ => frame.magnitudes[j][i],
                };
                closed += product * seen[other].half[j];
                closing += product * seen[other].growth[j];
            }
            let swirl = frame.swirls[of][i];
            closing += swirl[0] * seen[0].radius + swirl[1] * seen[1].radius;
            let opening = Opening {
                gap: along.abs() - closed,
                rate: sign * dot(*n, velocity) - closing,
                bend: sign * dot(*n, frame.acceleration) - bend,
            };
            latest = latest.max(opening.closes());
        }
    }
    // Before bodies have turned much the directed bounds are the better ones.
    let turning = frame.sides[0].turning.max(frame.sides[1].turning);
    let is_far = latest < f64::INFINITY && latest * turning > TURNED;
    match is_far || (turning > 0.0 && parts == [0, 0]) {
        true => latest.max(reaches(frame, &seen)),
        false => latest,
    }
}

/// Boxes whose axes have the same directions: along each of them the gap is a parabola.
#[inline]
fn aligned_boxes(frame: &Frame, [a, b]: [&Mover; 2], parts: [u32; 2]) -> f64 {
    let pa = &a.body.shape.inner.parts[parts[0] as usize];
    let pb = &b.body.shape.inner.parts[parts[1] as usize];
    let radii = a.body.shape.inner.radius + b.body.shape.inner.radius;
    let margin = radii + frame.separation + frame.slack;
    let [away, velocity, acceleration] = &frame.local;
    let mut latest: f64 = 0.0;
    for k in 0..3 {
        let to = pb.center[k] - frame.sides[1].center[k];
        let along = away[k] + (to - (pa.center[k] - frame.sides[0].center[k]));
        let sign = 1.0_f64.copysign(along);
        let opening = Opening {
            gap: along.abs() - (pa.half[k] + pb.half[k] + margin),
            rate: sign * velocity[k],
            bend: sign * acceleration[k],
        };
        latest = latest.max(opening.closes());
    }
    latest
}

/// Boxes that keep their directions and forms.
#[inline]
fn plain_boxes(frame: &Frame, [a, b]: [&Mover; 2], parts: [u32; 2]) -> f64 {
    let [pa, pb]: [&Part; 2] = [
        &a.body.shape.inner.parts[parts[0] as usize],
        &b.body.shape.inner.parts[parts[1] as usize],
    ];
    let radii = a.body.shape.inner.radius + b.body.shape.inner.radius;
    let margin = radii + frame.separation + frame.slack;
    let middle_a = turned(
        &frame.sides[0].axes,
        minus(pa.center, frame.sides[0].center),
    );
    let middle_b = turned(
        &frame.sides[1].axes,
        minus(pb.center, frame.sides[1].center),
    );
    let away: [f64; 3] = std::array::from_fn(|k| frame.away[k] + (middle_b[k] - middle_a[k]));
    let mut latest: f64 = 0.0;
    let mut consider = |n: [f64; 3], closed: f64| {
        let along = dot(n, away);
        let sign = 1.0_f64.copysign(along);
        let opening = Opening {
            gap: along.abs() - closed,
            rate: sign * dot(n, frame.velocity),
            bend: sign * dot(n, frame.acceleration),
        };
        latest = latest.max(opening.closes());
    };
    let m = &frame.magnitudes;
    for i in 0..3 {
        let across = m[i][0] * pb.half[0] + m[i][1] * pb.half[1] + m[i][2] * pb.half[2];
        consider(frame.sides[0].axes[i], pa.half[i] + across + margin);
    }
    for j in 0..3 {
        let across = m[0][j] * pa.half[0] + m[1][j] * pa.half[1] + m[2][j] * pa.half[2];
        consider(frame.sides[1].axes[j], pb.half[j] + across + margin);
    }
    latest
}

/// How long balls about the centres of bodies, which reach the farthest point of the parts, stay apart. A body that does not
/// turn is seen as the ball around the box.
fn reaches(frame: &Frame, seen: &[Seen; 2]) -> f64 {
    let (mut away, mut velocity) = (frame.away, frame.velocity);
    let mut radius = frame.separation + frame.slack;
    for (i, (side, seen)) in frame.sides.iter().zip(seen).enumerate() {
        if side.turning > 0.0 {
            radius += seen.reach;
            continue;
        }
        if seen.growth != [0.0; 3] {
            // What grows has no ball of a constant size.
            return 0.0;
        }
        let sign = if i == 0 { -1.0 } else { 1.0 };
        for k in 0..3 {
            away[k] += sign * seen.middle[k];
            velocity[k] += sign * seen.velocity[k];
        }
        radius += seen.radius;
    }
    meeting(away, velocity, frame.acceleration, radius)
}

/// When a point first is within a radius of the origin.
fn meeting(away: [f64; 3], velocity: [f64; 3], acceleration: [f64; 3], radius: f64) -> f64 {
    let origin = MovingBall::new([0.0; 3], [0.0; 3], [0.0; 3], 0.0);
    let ball = MovingBall::new(away, velocity, acceleration, radius * (1.0 + 4.0 * U));
    match (origin, ball) {
        (Ok(origin), Ok(ball)) => first_meeting(&origin, &ball).early,
        _ => 0.0,
    }
}

/// How long balls of parts stay apart.
///
/// Balls that only translate meet at a zero of the quartic (eq. 12). Those of bodies that turn or deform are apart while the
/// gap along the line of their centres is, whose second derivative is at least minus that of the centres.
pub(super) fn balls(frame: &Frame, movers: [&Mover; 2], parts: [u32; 2]) -> f64 {
    let mut away = frame.away;
    let mut velocity = frame.velocity;
    let mut radius = frame.separation + frame.slack;
    let (mut growth, mut bend) = (0.0, 0.0);
    for i in 0..2 {
        let (inner, side) = (&movers[i].body.shape.inner, &frame.sides[i]);
        let part = &inner.parts[parts[i] as usize];
        let sign = if i == 0 { -1.0 } else { 1.0 };
        let mut arm = minus(part.ball_center, side.center);
        let mut own = [0.0; 3];
        radius += part.ball_radius + inner.radius;
        if let Some(deformation) = &movers[i].body.deformation {
            // The centre goes with the middle of the rates, and no point leaves it faster than their radius.
            let rate = &deformation.parts[parts[i] as usize];
            own = rate.center;
            let swelling = dot(rate.half, rate.half).sqrt() * (1.0 + 4.0 * U);
            for k in 0..3 {
                arm[k] += own[k] * side.elapsed;
            }
            radius += swelling * side.elapsed;
            growth += swelling;
        }
        let middle = turned(&side.axes, arm);
        if side.turning > 0.0 {
            own = cross(side.spin, middle);
            let distance = dot(arm, arm).sqrt() * (1.0 + 8.0 * U);
            bend += side.turning * side.turning * distance;
        }
        for k in 0..3 {
            away[k] += sign * middle[k];
            velocity[k] += sign * own[k];
        }
    }
    if growth == 0.0 && bend == 0.0 {
        return meeting(away, velocity, frame.acceleration, radius);
    }
    let distance = dot(away, away).sqrt();
    let n = away.map(|x| x / distance);
    let opening = Opening {
        gap: distance - radius,
        rate: dot(n, velocity) - growth,
        bend: dot(n, frame.acceleration) - bend * (1.0 + 4.0 * U),
    };
    let along = opening.closes();
    if bend == 0.0 || along == f64::INFINITY {
        return along;
    }
    let seen = [0, 1].map(|i| Seen::new(movers[i], &frame.sides[i], parts[i]));
    along.max(reaches(frame, &seen))
}
