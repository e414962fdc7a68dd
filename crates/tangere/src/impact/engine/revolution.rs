//! Solids of revolution: a lower bound of the time of impact that holds however far bodies rotate.
//!
//! Conservative advancement follows the rotation of bodies, so it needs the more steps the faster
//! they rotate, even if they rotate past each other for ever. But rotation moves no point out of
//! its circle about the axis `u` through the centre `c`: the height `h = u.(x - c)` and the radius
//! `r = |u x (x - c)|` of a point are constant. The points of a body, at all angles, lie behind
//!
//! ```text
//! n.x <= n.c + max (h n.u + r |n x u|)
//! ```
//!
//! for any unit axis `n`, with equality at some angle. So the gap of two solids of revolution along
//! `n` changes only with the centres, which move on parabolas, and it closes at a time that does not
//! depend on the spins. It is infinite where the centres do not approach along `n`.
//!
//! Axes are those of rotation, those of the boxes or faces of a body that does not rotate, the line
//! of centres, its parts across the axes of rotation and across the relative velocity, and those of
//! a few steps of Gilbert's method for the nearest points of the two convex solids. Any axis gives a
//! valid bound.

use super::super::rigid_motion::RigidMotion;
use super::gap_bound::{GapBound, U};
use super::mover::Mover;
use super::relative_frame::RelativeFrame;
use super::triangle_pair::TrianglePair;
use crate::geometry::vector::{cross, direction, dot, length, minus};

/// Number of steps of Gilbert's method, each of which gives an axis.
const GILBERT: usize = 12;

/// Factor that covers the rounding of heights and radii.
const OUTWARD: f64 = 1.0 + 16.0 * U;

/// Heights and radii of the points of a body about its axis of rotation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Profile {
    /// The axis of rotation, a unit vector in body coordinates; `None` if the body does not rotate.
    axis: Option<[f64; 3]>,
    /// A point of the axis, in body coordinates.
    center: [f64; 3],
    circles: Vec<[f64; 2]>,
}

impl Profile {
    /// The profile of the points of a rigid body about its axis of rotation, a unit vector in body
    /// coordinates, through its centre. Only points that are farthest in some direction are kept.
    fn new(points: &[[f64; 3]], center: [f64; 3], axis: [f64; 3]) -> Self {
        let mut circles: Vec<[f64; 2]> = (points.iter())
            .map(|&p| circle(minus(p, center), axis))
            .collect();
        circles.sort_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
        // The upper hull of the points (height, radius), by Andrew's monotone chain. It keeps a
        // point if in doubt.
        let mut hull: Vec<[f64; 2]> = Vec::new();
        for p in circles {
            while let [.., q, r] = hull[..]
                && (r[0] - q[0]) * (p[1] - q[1]) > (r[1] - q[1]) * (p[0] - q[0])
            {
                hull.pop();
            }
            hull.push(p);
        }
        Profile {
            axis: Some(axis),
            center,
            circles: hull,
        }
    }

    /// Whether the profile is that about this axis through this point, in body coordinates.
    pub(super) fn is_about(&self, axis: Option<[f64; 3]>, center: [f64; 3]) -> bool {
        (self.axis, self.center) == (axis, center)
    }
}

/// The axis of rotation of a motion, a unit vector in body coordinates; `None` if the body does not
/// rotate.
pub(super) fn axis_in_body(motion: &RigidMotion) -> Option<[f64; 3]> {
    let axes = motion.axes_after(0.0);
    direction(axes.map(|axis| dot(axis, motion.spin())))
}

/// The height of a point along a unit axis and its distance from the axis, rounded up; `arm` is the
/// point relative to a point of the axis.
fn circle(arm: [f64; 3], axis: [f64; 3]) -> [f64; 2] {
    [dot(arm, axis), length(cross(arm, axis)) * OUTWARD]
}

/// A convex solid that contains a body or a face at all angles of its rotation, relative to the
/// reference point of the body.
enum Solid<'a> {
    /// Circles about a unit axis: heights and radii.
    Circles([f64; 3], &'a [[f64; 2]]),
    /// The convex hull of three points.
    Triangle([[f64; 3]; 3]),
    /// A box: its centre, axes and half sizes.
    Box {
        center: [f64; 3],
        axes: [[f64; 3]; 3],
        half: [f64; 3],
    },
}

impl Solid<'_> {
    /// The point of the solid that is farthest along the unit axis `n`.
    fn support(&self, n: [f64; 3]) -> [f64; 3] {
        match self {
            Solid::Circles(axis, circles) => {
                let along = dot(n, *axis);
                let across: [f64; 3] = std::array::from_fn(|k| n[k] - along * axis[k]);
                let share = length(cross(n, *axis));
                let value = |c: &[f64; 2]| c[0] * along + c[1] * share;
                let farther = |p: &&[f64; 2], q: &&[f64; 2]| value(p).total_cmp(&value(q));
                let [height, radius] = circles.iter().max_by(farther).copied().unwrap_or_default();
                let out = direction(across).unwrap_or([0.0; 3]);
                std::array::from_fn(|k| height * axis[k] + radius * out[k])
            }
            Solid::Triangle(corners) => {
                let farther = |p: &&[f64; 3], q: &&[f64; 3]| dot(**p, n).total_cmp(&dot(**q, n));
                corners.iter().max_by(farther).copied().unwrap_or_default()
            }
            Solid::Box { center, axes, half } => {
                let mut point = *center;
                for i in 0..3 {
                    let by = half[i].copysign(dot(axes[i], n));
                    for k in 0..3 {
                        point[k] += by * axes[i][k];
                    }
                }
                point
            }
        }
    }

    /// The largest product of a point of the solid with the unit axis `n`, rounded up.
    fn reach(&self, n: [f64; 3]) -> f64 {
        match self {
            Solid::Circles(axis, circles) => {
                let (along, share) = (dot(n, *axis), length(cross(n, *axis)) * OUTWARD);
                let value = |c: &[f64; 2]| c[0] * along + c[1] * share;
                circles.iter().map(value).fold(f64::NEG_INFINITY, f64::max)
            }
            _ => dot(self.support(n), n),
        }
    }

    /// Axes along which the solid may be flat.
    fn axes(&self) -> [Option<[f64; 3]>; 3] {
        match self {
            Solid::Circles(axis, _) => [Some(*axis), None, None],
            Solid::Triangle([p, q, r]) => {
                [direction(cross(minus(*q, *p), minus(*r, *p))), None, None]
            }
            Solid::Box { axes, .. } => axes.map(Some),
        }
    }
}

/// How long two solids stay separated, counted from the time of the frame, if only their reference
/// points move. `closed` is the distance at which they count as touching.
fn separated_for(frame: &RelativeFrame, [a, b]: [&Solid; 2], closed: f64) -> f64 {
    let away = frame.away;
    let mut latest: f64 = 0.0;
    let mut consider = |n: [f64; 3]| {
        let bound = GapBound {
            gap: dot(n, away) - a.reach(n) - b.reach(n.map(|x| -x)) - closed,
            rate: dot(n, frame.velocity),
            bend: dot(n, frame.acceleration),
        };
        latest = latest.max(bound.closing_time());
    };
    let mut both = |v: [f64; 3]| {
        if let Some(n) = direction(v) {
            consider(n);
            consider(n.map(|x| -x));
        }
    };
    let turned = [a, b].map(|s| match s {
        Solid::Circles(axis, _) => Some(*axis),
        _ => None,
    });
    for n in a.axes().into_iter().chain(b.axes()).flatten() {
        both(n);
    }
    // The part of a vector across a direction.
    let across = |v: [f64; 3], n: [f64; 3]| -> [f64; 3] {
        let along = dot(v, n);
        std::array::from_fn(|k| v[k] - along * n[k])
    };
    for u in turned.into_iter().flatten() {
        both(across(away, u));
    }
    if let [Some(u), Some(v)] = turned {
        both(cross(u, v));
    }
    // The line of centres, and the direction in which the centres miss each other.
    let Some(mut n) = direction(away) else {
        return latest;
    };
    both(n);
    if let Some(v) = direction(frame.velocity) {
        both(across(away, v));
    }
    // Gilbert's method: `nearest` is a point of the difference b - a.
    let difference = |n: [f64; 3]| -> [f64; 3] {
        let (p, q) = (a.support(n), b.support(n.map(|x| -x)));
        std::array::from_fn(|k| away[k] + q[k] - p[k])
    };
    let mut nearest = difference(n);
    for _ in 0..GILBERT {
        let Some(axis) = direction(nearest) else {
            break;
        };
        n = axis;
        consider(n);
        let corner = difference(n);
        let edge = minus(corner, nearest);
        let share = (-dot(nearest, edge) / dot(edge, edge)).clamp(0.0, 1.0);
        if share.is_nan() || share <= 0.0 {
            break;
        }
        for k in 0..3 {
            nearest[k] += share * edge[k];
        }
    }
    latest
}

/// Whether solids of revolution bound two bodies: at least one rotates, and none deforms or has
/// curved faces.
pub(super) fn applies(movers: [&Mover; 2]) -> bool {
    let is_plain = |m: &&Mover| !m.body.is_deforming() && m.body.shape.inner.elements.is_none();
    movers.iter().any(|m| m.turning > 0.0) && movers.iter().all(is_plain)
}

/// The distance of the points of two bodies at which these touch, plus rounding.
fn closed(frame: &RelativeFrame, movers: [&Mover; 2]) -> f64 {
    let radii = movers.map(|m| m.body.shape.inner.radius);
    radii[0] + radii[1] + frame.separation + frame.slack
}

/// How long two entire bodies stay separated whatever their rotation, counted from the time of the
/// frame. A body that does not rotate is bounded by its box.
pub(super) fn bodies_separated_for(frame: &RelativeFrame, movers: [&Mover; 2]) -> f64 {
    let axes = [0, 1].map(|i| direction(frame.sides[i].spin));
    let solid = |i: usize| {
        let (mover, side) = (movers[i], &frame.sides[i]);
        match axes[i] {
            Some(axis) => Solid::Circles(axis, &mover.profile().circles),
            None => {
                let root = &mover.body.shape.inner.parts[0];
                Solid::Box {
                    center: side.turned(minus(root.center(), side.center)),
                    axes: side.axes,
                    half: root.half(),
                }
            }
        }
    };
    separated_for(frame, [&solid(0), &solid(1)], closed(frame, movers))
}

/// How long two faces stay separated whatever the rotation of their bodies, counted from the time of
/// the frame of the pair.
pub(super) fn faces_separated_for(pair: &TrianglePair, movers: [&Mover; 2]) -> f64 {
    let frame = pair.frame;
    let axes = [0, 1].map(|i| direction(frame.sides[i].spin));
    let away = frame.away;
    let arms = [pair.a.corners, pair.b.corners.map(|p| minus(p, away))];
    let circles = [0, 1].map(|i| match axes[i] {
        Some(axis) => arms[i].map(|p| circle(p, axis)),
        None => [[0.0; 2]; 3],
    });
    let solid = |i: usize| match axes[i] {
        Some(axis) => Solid::Circles(axis, &circles[i]),
        None => Solid::Triangle(arms[i]),
    };
    separated_for(frame, [&solid(0), &solid(1)], closed(frame, movers))
}

impl Mover {
    /// The profile of a mover about its axis of rotation; computed when it is first asked for.
    pub(super) fn profile(&self) -> &Profile {
        (self.profile).get_or_init(|| match axis_in_body(self.motion()) {
            Some(axis) => Profile::new(&self.body.shape.inner.points, self.center, axis),
            None => Profile {
                center: self.center,
                ..Profile::default()
            },
        })
    }
}
