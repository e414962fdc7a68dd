//! Relative frame of two moving bodies at one instant: positions, velocities, and an upper bound of
//! the rounding error of distances.

use super::contact_geometry::HIDDEN;
use super::gap_bound::U;
use super::mover::Mover;
use crate::geometry::COORDINATE_MAX;
use crate::geometry::vector::{dot, largest};

/// One of the two bodies of a relative frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// The three axes of the coordinates of the body, as unit vectors in world directions.
    pub(super) axes: [[f64; 3]; 3],
    pub(super) spin: [f64; 3],
    /// The angular speed of the body, rounded up.
    pub(super) turning: f64,
    /// The reference point of the body, in body coordinates: its centre of rotation, or the centre
    /// of its box if it does not rotate.
    pub(super) center: [f64; 3],
    /// How long before the instant of the frame the motion of the body was set.
    pub(super) elapsed: f64,
}

impl Side {
    /// Rotates a vector from the coordinates of a body to the world axes of the relative frame.
    #[inline]
    pub(super) fn turned(&self, arm: [f64; 3]) -> [f64; 3] {
        let axes = &self.axes;
        std::array::from_fn(|i| axes[0][i] * arm[0] + axes[1][i] * arm[1] + axes[2][i] * arm[2])
    }
}

/// Position and motion of body `b` relative to body `a` at one instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct RelativeFrame {
    pub(super) time: f64,
    /// Vector from the reference point of body `a` to that of body `b`, in world directions. The
    /// next fields have its velocity and acceleration.
    pub(super) away: [f64; 3],
    pub(super) velocity: [f64; 3],
    pub(super) acceleration: [f64; 3],
    pub(super) sides: [Side; 2],
    /// The distance of the two bodies at which they count as touching.
    pub(super) separation: f64,
    /// Upper bound of the rounding error of distances computed in this relative frame.
    pub(super) slack: f64,
    /// Whether both bodies of the frame only translate.
    pub(super) is_translating: bool,
    /// Whether both bodies of the frame only translate and their axes are parallel. Then
    /// `local[0]`, `local[1]` and `local[2]` are `away`, `velocity` and `acceleration` in
    /// components along these axes.
    pub(super) is_aligned: bool,
    pub(super) local: [[f64; 3]; 3],
}

impl RelativeFrame {
    /// The relative frame of two moving bodies at a time.
    pub(super) fn new([a, b]: [&Mover; 2], time: f64, separation: f64) -> Self {
        let side = |x: &Mover| Side {
            axes: x.motion().axes_after(time - x.since),
            spin: x.motion().spin(),
            turning: x.turning,
            center: x.center,
            elapsed: time - x.since,
        };
        let sides = [side(a), side(b)];
        let is_translating = a.is_translating() && b.is_translating();
        let mut frame = RelativeFrame {
            time,
            away: [0.0; 3],
            velocity: [0.0; 3],
            acceleration: [0.0; 3],
            sides,
            separation,
            slack: 0.0,
            is_translating,
            is_aligned: is_translating && sides[0].axes == sides[1].axes,
            local: [[0.0; 3]; 3],
        };
        frame.set_time([a, b], time);
        frame
    }

    /// Whether the rounding error of distances in a relative frame exceeds the range of
    /// coordinates: the moving bodies are too far apart to meet.
    #[inline]
    pub(super) fn is_beyond(&self) -> bool {
        // NaN is beyond the range as well.
        self.slack.is_nan() || self.slack >= COORDINATE_MAX
    }

    /// Whether rounding in the relative frame of two bodies hides if faces touch.
    pub(super) fn is_hidden(&self, bodies: [&Mover; 2]) -> bool {
        let reach = |i: usize| bodies[i].reach_after(self.sides[i].elapsed);
        self.slack > HIDDEN * reach(0).max(reach(1))
    }

    /// Moves the relative frame of two bodies to another time.
    #[inline]
    pub(super) fn moved_to(&mut self, bodies: [&Mover; 2], time: f64) {
        if time == self.time {
            return;
        }
        for (side, mover) in self.sides.iter_mut().zip(bodies) {
            if side.turning > 0.0 {
                side.axes = mover.motion().axes_after(time - mover.since);
            }
        }
        self.set_time(bodies, time);
    }

    /// Computes the positions, velocities and rounding error of the relative frame at a time.
    fn set_time(&mut self, [a, b]: [&Mover; 2], time: f64) {
        let [ma, mb] = [a.motion(), b.motion()];
        let [sa, sb] = [time - a.since, time - b.since];
        let [pa, pb] = [ma.pose().translation(), mb.pose().translation()];
        let [ca, cb] = [a.turned_center, b.turned_center];
        let [va, vb] = [ma.velocity(), mb.velocity()];
        let [aa, ab] = [ma.acceleration(), mb.acceleration()];
        let mut size = self.separation;
        for k in 0..3 {
            let terms = match a.since == b.since {
                // Common motion cancels before the multiplication.
                true => [(vb[k] - va[k]) * sb, 0.5 * (ab[k] - aa[k]) * sb * sb],
                false => [
                    vb[k] * sb - va[k] * sa,
                    0.5 * (ab[k] * sb * sb - aa[k] * sa * sa),
                ],
            };
            let [position, center] = [pb[k] - pa[k], cb[k] - ca[k]];
            self.away[k] = (position + center) + (terms[0] + terms[1]);
            self.velocity[k] = (vb[k] - va[k]) + (ab[k] * sb - aa[k] * sa);
            self.acceleration[k] = ab[k] - aa[k];
            let moved = match a.since == b.since {
                true => terms[0].abs() + terms[1].abs(),
                false => {
                    (vb[k] * sb).abs()
                        + (va[k] * sa).abs()
                        + (ab[k] * sb * sb).abs()
                        + (aa[k] * sa * sa).abs()
                }
            };
            size += position.abs() + center.abs() + moved;
        }
        for (x, s) in [(a, sa), (b, sb)] {
            size += x.reach_after(s) * (4.0 + x.turning * s);
            if !x.motion().pose().is_translation() {
                size += largest(x.center);
            }
        }
        self.time = time;
        for (side, s) in self.sides.iter_mut().zip([sa, sb]) {
            side.elapsed = s;
        }
        // About ten roundings of terms of this size.
        self.slack = 16.0 * U * size;
        if self.is_aligned {
            let axes = &self.sides[0].axes;
            let along = |v: [f64; 3]| axes.map(|n| dot(n, v));
            self.local = [self.away, self.velocity, self.acceleration].map(along);
        }
    }
}
