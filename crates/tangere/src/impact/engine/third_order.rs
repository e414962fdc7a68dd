//! Third-order bound: how long two faces that creep past each other stay separated.
//!
//! The parabolas of `conservative_advancement` take the largest acceleration that rotation may give
//! a corner. A face that rotates past another at a small gap `g` then advances by steps of order
//! `sqrt(g)`, although its corners are pulled away from the other face. Here the acceleration of
//! each corner is that at the time of the frame. Along a unit axis `n` rotation accelerates a corner
//! by `-w² n.y`, which changes at most at the rate `w³ |n x u| r`. Here `u` is the axis of rotation,
//! `w` the angular speed, `y` the part of the arm across `u`, and `r` its length. So the
//! acceleration is at least
//!
//! ```text
//! -w² (n.y + ANGLE |n x u| r)   while w s <= ANGLE,
//! -w² |n x u| r                 for ever.
//! ```
//!
//! Each of the two gives a parabola for each pair of corners. The later of the two times, of the
//! axis where it is latest, is the bound.

use super::gap_bound::{GapBound, U};
use super::relative_frame::Side;
use super::triangle_pair::{MovingTriangle, TrianglePair};
use crate::closest::distance_apart;
use crate::geometry::vector::{cross, direction, dot, length, minus};

/// Angle in radians up to which the change of accelerations is bounded.
const ANGLE: f64 = 0.5;

/// Factor that covers the rounding of accelerations.
const AT_MOST: f64 = 1.0 + 64.0 * U;

/// Lower bounds of the acceleration at which rotation moves the corners of a triangle away from the
/// other triangle along an axis: up to [`ANGLE`], and for ever.
struct Pulls {
    soon: [f64; 3],
    ever: [f64; 3],
}

impl Pulls {
    /// The pulls of a triangle along `n`. If `sign` is 1, `n` points from this triangle to the
    /// other; if it is -1, the other way. `center` is the centre of the body.
    fn new(
        triangle: &MovingTriangle,
        side: &Side,
        center: [f64; 3],
        n: [f64; 3],
        sign: f64,
    ) -> Self {
        let (mut soon, mut ever) = ([0.0; 3], [0.0; 3]);
        if side.turning > 0.0
            && let Some(u) = direction(side.spin)
        {
            let square = side.turning * side.turning * AT_MOST;
            let across = length(cross(n, u));
            for i in 0..3 {
                let arm = minus(triangle.corners[i], center);
                let part = dot(n, arm) - dot(n, u) * dot(u, arm);
                let most = across * length(cross(arm, u));
                let rounding = 16.0 * U * length(arm);
                ever[i] = -square * (most + rounding * across);
                soon[i] = square * (sign * part - ANGLE * most - rounding);
            }
        }
        Pulls { soon, ever }
    }
}

/// How long two moving triangles certainly stay separated along the separating axis for which this
/// time is longest; 0 if no axis separates them.
pub(super) fn separated_for(pair: &TrianglePair) -> f64 {
    let nearest = distance_apart(pair.a.corners, pair.b.corners).1;
    let between = direction(minus(nearest.point_b, nearest.point_a));
    // Rotation moves no corner along its own axis.
    let middle = minus(pair.b.middle(), pair.a.middle());
    let turned = (pair.frame.sides.iter()).filter_map(|side| {
        let u = direction(side.spin)?;
        Some(if dot(u, middle) < 0.0 {
            u.map(|x| -x)
        } else {
            u
        })
    });
    let axes = pair.directions().chain(between).chain(turned);
    axes.map(|n| separated_along(pair, n)).fold(0.0, f64::max)
}

/// How long two moving triangles certainly stay separated along the unit axis `n`, which points from
/// `a` to `b`.
fn separated_along(pair: &TrianglePair, n: [f64; 3]) -> f64 {
    let frame = pair.frame;
    let bounds = pair.gap_bounds(n);
    if bounds.iter().any(|bound| bound.gap <= 0.0) {
        return 0.0;
    }
    let pulls = [
        Pulls::new(&pair.a, &frame.sides[0], [0.0; 3], n, 1.0),
        Pulls::new(&pair.b, &frame.sides[1], frame.away, n, -1.0),
    ];
    let acceleration = dot(n, frame.acceleration);
    let earliest = |a: [f64; 3], b: [f64; 3]| {
        let close = |(k, bound): (usize, &GapBound)| {
            let bend = acceleration + a[k / 3] + b[k % 3];
            GapBound { bend, ..*bound }.closing_time()
        };
        let times = bounds.iter().enumerate().map(close);
        times.fold(f64::INFINITY, f64::min)
    };
    let turning = frame.sides[0].turning.max(frame.sides[1].turning);
    let soon = earliest(pulls[0].soon, pulls[1].soon).min(ANGLE / turning);
    soon.max(earliest(pulls[0].ever, pulls[1].ever))
}
