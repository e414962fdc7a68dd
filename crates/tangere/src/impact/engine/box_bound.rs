//! Lower bound of the time of impact of oriented boxes that move and rotate.
//!
//! Along a fixed unit axis `n`, from body `a` to body `b`, boxes are separated while the gap
//! between them is positive. For a body let `v` and `acc` be velocity and acceleration of its
//! centre and `W` its spin; for its box `w` the centre relative to that of the body, `g_k` the
//! axes, `e_k` the half sizes and `r` the radius; and `reach` the largest distance of a point from
//! the centre of the body. Then a point `x` of the box, relative to the current centre of the body,
//! satisfies
//!
//! ```text
//! n.x(s) <= n.w + sum |n.g_k| e_k + s (n.(v + W x w) + |n x W| r) + s²/2 (n.acc + |n x W| |W| reach)
//! ```
//!
//! where `x` between two vectors is the cross product, and elsewhere the point. The rate follows
//! from `n.(W x x) = n.(W x w) + (n x W).(x - w)`, the last term from the acceleration `W x (W x x)`
//! of a rotating point: `n.(W x y) = (n x W).y` with `y = W x x`, which is no longer than
//! `|W| reach`. Along the axis of rotation both vanish, since rotation moves no point along it. So
//! each axis gives a parabola that bounds the gap from below (`gap_bound`). The bound is that of
//! the axis of either box along which the gap closes last. It is exact for boxes that neither
//! rotate nor deform.
//!
//! A rotating box also lies in the ball about the centre of rotation through its farthest point,
//! which rotation does not move. The bound of this ball, along the line of centres, is better when
//! bodies are far apart. (`aragon2013`, 3.1: only such a ball may ignore rotation.)
//!
//! Eight nodes of one body are tested at once, in lanes, against one node of the other. The result
//! of a lane does not depend on the other lanes.

use super::ball_bound::meeting;
use super::bvh_node::BvhNode;
use super::bvh_node_lanes::BvhNodeLanes;
use super::gap_bound::{U, closing_times};
use super::lane_vectors::{length, product};
use super::last_axis::{LastAxis, LikelyLastAxis};
use super::mover::Mover;
use super::relative_frame::RelativeFrame;
use crate::geometry::vector::{cross, dot};
use crate::simd::{LANES, One, RealKernel, Reals, run_one, run_reals};

/// Angle in radians. If a body rotates by more than this before the time that the boxes give as a
/// bound, then balls about the centres of rotation are tested too: they may give a later time.
const TURNED: f64 = 0.25;

/// Factor that covers the rounding of products of swirl, angular speed and reach.
const AT_MOST: f64 = 1.0 + 8.0 * U;

/// If the radius of one of two BVH nodes is more than this many times that of the other, the larger
/// node is expanded first.
const MUCH: f64 = 8.0;

/// The axes of the boxes of two bodies at the time of a relative frame, and products of them that
/// the box bound needs. All boxes of a body have the same axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxAxes {
    pub(super) frame: RelativeFrame,
    /// Magnitudes of the dot products of each box axis of body `a` with each box axis of body `b`,
    /// rounded up.
    magnitudes: [[f64; 3]; 3],
    /// Lengths of the cross products `n x W`, rounded up: `swirls[i][k][j]` is that of box axis `k`
    /// of body `i` and the spin (angular velocity) `W` of body `j`.
    swirls: [[[f64; 2]; 3]; 2],
    /// Velocity of body `b` relative to body `a` along each box axis of `a`, then along each box
    /// axis of `b`. The next field has the relative acceleration along the same axes.
    velocity: [[f64; 3]; 2],
    acceleration: [[f64; 3]; 2],
}

impl BoxAxes {
    /// The box axes of two bodies in a relative frame, for the box bound of all their BVH nodes.
    pub(super) fn new(frame: RelativeFrame) -> Self {
        let sides = &frame.sides;
        let along = |v: [f64; 3]| [0, 1].map(|of| sides[of].axes.map(|n| dot(n, v)));
        let mut box_axes = BoxAxes {
            frame,
            magnitudes: [[0.0; 3]; 3],
            swirls: [[[0.0; 2]; 3]; 2],
            velocity: along(frame.velocity),
            acceleration: along(frame.acceleration),
        };
        if frame.is_aligned {
            return box_axes;
        }
        for i in 0..3 {
            for j in 0..3 {
                let product = dot(sides[0].axes[i], sides[1].axes[j]);
                box_axes.magnitudes[i][j] = product.abs() + 8.0 * U;
            }
        }
        for (with, side) in sides.iter().enumerate().filter(|(_, s)| s.turning > 0.0) {
            for of in 0..2 {
                for i in 0..3 {
                    let across = cross(sides[of].axes[i], side.spin);
                    box_axes.swirls[of][i][with] = dot(across, across).sqrt() * (1.0 + 8.0 * U);
                }
            }
        }
        box_axes
    }

    /// Index, 0 or 1, of the one of two BVH nodes that is to be expanded. If the radius of one is
    /// more than [`MUCH`] times that of the other, it is the larger node. Otherwise it is the node
    /// whose box is longer along the relative velocity, since the times of impact of its children
    /// differ more. If both are equally long, it is the larger node.
    #[inline]
    pub(super) fn node_to_expand(&self, parts: [&BvhNode; 2]) -> usize {
        let length = |of: usize| {
            let (v, row) = (&self.velocity[of], &parts[of].row);
            v[0].abs() * row[3] + v[1].abs() * row[4] + v[2].abs() * row[5]
        };
        let lengths = [length(0), length(1)];
        let radii = [parts[0].radius(), parts[1].radius()];
        if radii[0] > MUCH * radii[1] || radii[1] > MUCH * radii[0] {
            return usize::from(radii[1] > radii[0]);
        }
        match lengths[0] == lengths[1] {
            true => usize::from(radii[1] > radii[0]),
            false => usize::from(lengths[1] > lengths[0]),
        }
    }

    /// Box bound of eight BVH nodes of body `of`: how long the box of each stays separated from the
    /// box of node `other` of the other body, counted from the time of the frame.
    #[inline]
    pub(super) fn separated_for(
        &self,
        movers: [&Mover; 2],
        of: usize,
        parts: [u32; LANES],
        other: u32,
    ) -> [f64; LANES] {
        run_reals(BoxKernel {
            box_axes: self,
            movers,
            of,
            parts,
            other,
        })
    }

    /// Box bound of two BVH nodes: lower bound of how long their boxes stay separated. If both
    /// nodes are roots and a body rotates or deforms, balls around the entire bodies give a second
    /// lower bound (`aragon2013`, eq. 12). Then the larger of both is returned.
    pub(super) fn pair_separated_for(&self, movers: [&Mover; 2], [a, b]: [u32; 2]) -> f64 {
        let times = run_one(BoxKernel {
            box_axes: self,
            movers,
            of: 0,
            parts: [a; LANES],
            other: b,
        });
        match [a, b] == [0, 0] && !self.frame.is_translating {
            true => times[0].max(bodies_separated_for(&self.frame, movers)),
            false => times[0],
        }
    }
}

/// A second bound for the roots of two BVHs, besides the box bound: how long balls around the two
/// entire bodies stay separated. The ball of a rotating body is about its centre of rotation; the
/// ball of any other body is around its box. Returns 0 if a body deforms, since no ball of constant
/// size contains it.
fn bodies_separated_for(frame: &RelativeFrame, movers: [&Mover; 2]) -> f64 {
    let (mut away, mut velocity) = (frame.away, frame.velocity);
    let mut radius = frame.separation + frame.slack;
    for (i, (side, mover)) in frame.sides.iter().zip(movers).enumerate() {
        let root = BvhNodeLanes::<One>::new(mover, side, [0; LANES]);
        if side.turning > 0.0 {
            // That of the body, which is less than that of its box.
            radius += mover.reach;
            continue;
        }
        if mover.body.is_deforming() {
            // A deforming body has no ball of constant size.
            return 0.0;
        }
        let sign = if i == 0 { -1.0 } else { 1.0 };
        for k in 0..3 {
            away[k] += sign * root.middle[k].0;
            velocity[k] += sign * root.velocity[k].0;
        }
        radius += root.radius.0;
    }
    meeting(away, velocity, frame.acceleration, radius)
}

/// SIMD kernel of the box bound: tests the boxes of eight BVH nodes of body `of` against the box of
/// node `other` of the other body.
struct BoxKernel<'a> {
    box_axes: &'a BoxAxes,
    movers: [&'a Mover; 2],
    of: usize,
    parts: [u32; LANES],
    other: u32,
}

impl RealKernel for BoxKernel<'_> {
    type Output = [f64; LANES];

    /// The box bound of eight BVH nodes, one in each lane. There are three cases: translating boxes
    /// with parallel axes, other translating boxes, and boxes that rotate or deform.
    #[inline(always)]
    fn run<V: Reals>(self) -> [f64; LANES] {
        let mut times = [0.0; LANES];
        match self.box_axes.frame.is_aligned {
            true => self.aligned::<V>().store(&mut times),
            false if self.box_axes.frame.is_translating => {
                self.translating::<V>().store(&mut times)
            }
            false => self.moving::<V>().store(&mut times),
        }
        times
    }
}

impl BoxKernel<'_> {
    /// Box bound for translating boxes with parallel axes: along each axis the gap is a parabola.
    #[inline(always)]
    fn aligned<V: Reals>(&self) -> V {
        let (frame, of) = (&self.box_axes.frame, self.of);
        let inner = self.movers.map(|m| &*m.body.shape.inner);
        let mut rows = [&inner[0].parts[0].row; LANES];
        for i in 0..LANES {
            rows[i] = &inner[of].parts[self.parts[i] as usize].row;
        }
        let [x, y, z, i, j, k, _, _] = V::transposed(rows);
        let other = &inner[1 - of].parts[self.other as usize].row;
        let margin = inner[0].radius + inner[1].radius + frame.separation + frame.slack;
        let mut last = LastAxis::new();
        // Each axis is written out, so that all values stay in registers.
        self.along(x, i, other, margin, 0, &mut last);
        self.along(y, j, other, margin, 1, &mut last);
        self.along(z, k, other, margin, 2, &mut last);
        last.closing_times()
    }

    /// Raises the box bound `last` (how long boxes stay apart) to the time at which the gap along
    /// axis `k` closes, if that is later; for boxes with parallel axes. The lanes are BVH nodes of
    /// one body, with centres `own` and half sizes `half` along this axis. `other` is the box of
    /// one BVH node of the other body, in the layout of [`BvhNode::row`]: centre, half sizes,
    /// radius. `margin` is the distance at which the bodies touch, plus rounding.
    #[inline(always)]
    fn along<V: Reals>(
        &self,
        own: V,
        half: V,
        other: &[f64; LANES],
        margin: f64,
        k: usize,
        last: &mut LastAxis<V>,
    ) {
        let (frame, of) = (&self.box_axes.frame, self.of);
        let [away, velocity, acceleration] = &frame.local;
        // Directions point from the other body to the nodes.
        let to_b = if of == 1 { 1.0 } else { -1.0 };
        let other_at = other[k] - frame.sides[1 - of].center[k];
        let own_at = own - V::splat(frame.sides[of].center[k]);
        let along = V::splat(to_b * away[k]) + (own_at - V::splat(other_at));
        let closed = half + V::splat(other[3 + k] + margin);
        last.consider(along, closed, to_b * velocity[k], to_b * acceleration[k]);
    }

    /// Box bound for translating boxes of any orientation.
    #[inline(always)]
    fn translating<V: Reals>(&self) -> V {
        let (box_axes, of) = (self.box_axes, self.of);
        let frame = &box_axes.frame;
        let own = BvhNodeLanes::<V>::new(self.movers[of], &frame.sides[of], self.parts);
        let other_side = &frame.sides[1 - of];
        let other = BvhNodeLanes::<One>::new(self.movers[1 - of], other_side, [self.other; LANES]);
        // Directions point from the other body to the nodes.
        let to_b = if of == 1 { 1.0 } else { -1.0 };
        let zero = V::splat(0.0);
        let mut away = [zero; 3];
        for k in 0..3 {
            away[k] = own.middle[k] + V::splat(to_b * frame.away[k] - other.middle[k].0);
        }
        let margin = frame.separation + frame.slack;
        let m = &box_axes.magnitudes;
        let mut last = LastAxis::new();
        for i in 0..3 {
            for with in 0..2 {
                let factors = match with {
                    0 => m[i],
                    _ => [m[0][i], m[1][i], m[2][i]],
                };
                let closed = match with == of {
                    true => {
                        let [p, q, r] = factors;
                        let half = &other.half;
                        let rest = p * half[0].0 + q * half[1].0 + r * half[2].0 + margin;
                        own.half[i] + V::splat(rest)
                    }
                    false => product(&factors, &own.half) + V::splat(other.half[i].0 + margin),
                };
                let along = product(&frame.sides[with].axes[i], &away);
                let v = to_b * box_axes.velocity[with][i];
                let a = to_b * box_axes.acceleration[with][i];
                last.consider(along, closed, v, a);
            }
        }
        last.closing_times()
    }

    /// Box bound for boxes that rotate or deform.
    #[inline(always)]
    fn moving<V: Reals>(&self) -> V {
        let (box_axes, of) = (self.box_axes, self.of);
        let frame = &box_axes.frame;
        let (side, other_side) = (&frame.sides[of], &frame.sides[1 - of]);
        let own = BvhNodeLanes::<V>::new(self.movers[of], side, self.parts);
        let other = BvhNodeLanes::<One>::new(self.movers[1 - of], other_side, [self.other; LANES]);
        let is_growing = self.movers.iter().any(|m| m.body.is_deforming());
        let is_turning = side.turning > 0.0 || other_side.turning > 0.0;
        // Directions point from the other body to the nodes.
        let to_b = if of == 1 { 1.0 } else { -1.0 };
        let zero = V::splat(0.0);
        let (mut away, mut velocity) = ([zero; 3], [zero; 3]);
        for k in 0..3 {
            away[k] =
                V::splat(to_b * frame.away[k]) + (own.middle[k] - V::splat(other.middle[k].0));
            let rest = own.velocity[k] - V::splat(other.velocity[k].0);
            velocity[k] = V::splat(to_b * frame.velocity[k]) + rest;
        }
        let margin = frame.separation + frame.slack;
        let turning = side.turning.max(other_side.turning);
        let mut likeliest = LikelyLastAxis::new(turning);
        for with in 0..2 {
            for i in 0..3 {
                let n = &frame.sides[with].axes[i];
                let m = |j: usize| match with {
                    0 => box_axes.magnitudes[i][j],
                    _ => box_axes.magnitudes[j][i],
                };
                let along = product(n, &away);
                let [p, q, r] = [m(0), m(1), m(2)];
                let closed = match with == of {
                    true => {
                        let half = &other.half;
                        let rest = p * half[0].0 + q * half[1].0 + r * half[2].0 + margin;
                        own.half[i] + V::splat(rest)
                    }
                    false => product(&[p, q, r], &own.half) + V::splat(other.half[i].0 + margin),
                };
                let gap = along.abs() - closed;
                if V::bits(zero.below(gap)) == 0 {
                    continue;
                }
                let is_back = along.below(zero);
                let rate = product(n, &velocity);
                let mut rate = V::select(is_back, zero - rate, rate);
                let mut bend = zero;
                if is_turning {
                    let swirl = &box_axes.swirls[with][i];
                    let rest = V::splat(swirl[1 - of] * other.radius.0);
                    rate = rate - V::splat(swirl[of]).mul_add(own.radius, rest);
                    let pull = [of, 1 - of].map(|j| swirl[j] * frame.sides[j].turning * AT_MOST);
                    let rest = V::splat(pull[1] * other.reach.0);
                    bend = V::splat(pull[0]).mul_add(own.reach, rest);
                }
                if is_growing {
                    let closing = match with == of {
                        true => {
                            let growth = &other.growth;
                            let rest = p * growth[0].0 + q * growth[1].0 + r * growth[2].0;
                            own.growth[i] + V::splat(rest)
                        }
                        false => product(&[p, q, r], &own.growth) + V::splat(other.growth[i].0),
                    };
                    rate = rate - closing;
                }
                let a = to_b * box_axes.acceleration[with][i];
                let a = V::select(is_back, V::splat(-a), V::splat(a));
                likeliest.consider(gap, rate, a - bend);
            }
        }
        let latest = likeliest.closing_times();
        if !is_turning {
            return latest;
        }
        // For small rotations the bounds along box axes are better.
        let is_far = V::splat(TURNED).below(latest * V::splat(turning));
        let is_far = V::and(is_far, latest.below(V::splat(f64::INFINITY)));
        match V::bits(is_far) {
            0 => latest,
            _ => {
                let reaches = self.balls_separated_for(&own, &other);
                V::select(is_far, latest.max(reaches), latest)
            }
        }
    }

    /// Another bound for boxes that rotate: how long balls around the boxes stay separated along
    /// the line of their centres. The ball of a rotating body is about its centre of rotation, and
    /// its radius is the distance of that centre from the farthest point of the box. The ball of a
    /// body that does not rotate is about the centre of its box. If only one body rotates, its ball
    /// is also tested against the box of the other body, along the axes of that box.
    #[inline(always)]
    fn balls_separated_for<V: Reals>(&self, own: &BvhNodeLanes<V>, other: &BvhNodeLanes<One>) -> V {
        let (frame, of) = (&self.box_axes.frame, self.of);
        let to_b = if of == 1 { 1.0 } else { -1.0 };
        let zero = V::splat(0.0);
        let (mut away, mut velocity, mut acceleration) = ([zero; 3], [zero; 3], [zero; 3]);
        for k in 0..3 {
            away[k] = V::splat(to_b * frame.away[k]);
            velocity[k] = V::splat(to_b * frame.velocity[k]);
            acceleration[k] = V::splat(to_b * frame.acceleration[k]);
        }
        let mut radius = V::splat(frame.separation + frame.slack);
        let (mut growth, turns) = (zero, [of, 1 - of].map(|i| frame.sides[i].turning > 0.0));
        for k in 0..3 {
            if !turns[0] {
                away[k] = away[k] + own.middle[k];
                velocity[k] = velocity[k] + own.velocity[k];
                growth = growth + own.growth[k];
            }
            if !turns[1] {
                away[k] = away[k] - V::splat(other.middle[k].0);
                velocity[k] = velocity[k] - V::splat(other.velocity[k].0);
                growth = growth + V::splat(other.growth[k].0);
            }
        }
        radius = radius + if turns[0] { own.reach } else { own.radius };
        radius = radius + V::splat(if turns[1] { other.reach } else { other.radius }.0);
        let distance = length(&away);
        let inverse = V::splat(1.0).div(distance);
        let (mut rate, mut bend) = (zero, zero);
        for k in 0..3 {
            let n = away[k] * inverse;
            rate = n.mul_add(velocity[k], rate);
            bend = n.mul_add(acceleration[k], bend);
        }
        let shorter = V::splat(1.0 - 16.0 * U);
        let mut latest = closing_times(distance * shorter - radius, rate - growth, bend);
        if turns[0] == turns[1] {
            return latest;
        }
        // A ball and a box that does not rotate are also separated along the axes of the box.
        let still = if turns[0] { 1 - of } else { of };
        let margin = V::splat(frame.separation + frame.slack);
        for (i, n) in frame.sides[still].axes.iter().enumerate() {
            let (half, growth, reach) = match turns[0] {
                true => (
                    V::splat(other.half[i].0),
                    V::splat(other.growth[i].0),
                    own.reach,
                ),
                false => (own.half[i], own.growth[i], V::splat(other.reach.0)),
            };
            let along = product(n, &away);
            let is_back = along.below(zero);
            let toward = |v: V| V::select(is_back, zero - v, v);
            let rate = toward(product(n, &velocity)) - growth;
            let gap = along.abs() - (reach + half + margin);
            latest = latest.max(closing_times(gap, rate, toward(product(n, &acceleration))));
        }
        latest
    }
}
