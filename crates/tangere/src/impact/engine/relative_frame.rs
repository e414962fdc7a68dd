//! Relative motion of two bodies at a time: positions, velocities, and the bound of their rounding.

use super::super::rigid_motion::RigidMotion;
use super::body::Body;
use super::gap_bound::U;
use crate::geometry::COORDINATE_MAX;
use crate::geometry::vector::{dot, largest};

/// A body of the engine, with the time at which its motion was set.
#[derive(Clone, Debug)]
pub(super) struct Mover {
    pub(super) body: Body,
    /// When its motion was set.
    pub(super) since: f64,
    /// Angular speed.
    pub(super) turning: f64,
    /// Reference point of the body, in its own coordinates, which moves on the parabola: the centre
    /// of rotation, or that of its box if it does not rotate.
    pub(super) center: [f64; 3],
    /// The centre, rotated with the body but not translated.
    turned_center: [f64; 3],
    /// Largest distance of a point from the centre, when the motion was set.
    reach: f64,
}

impl Mover {
    pub(super) fn new(body: Body, since: f64) -> Self {
        let mut mover = Mover {
            body,
            since,
            turning: 0.0,
            center: [0.0; 3],
            turned_center: [0.0; 3],
            reach: 0.0,
        };
        mover.restart(since);
        mover
    }

    /// Updates the derived values after the motion of the body has changed.
    pub(super) fn restart(&mut self, since: f64) {
        let (motion, inner) = (&self.body.motion, &self.body.shape.inner);
        self.since = since;
        self.turning = dot(motion.spin(), motion.spin()).sqrt() * (1.0 + 4.0 * U);
        self.center = match self.turning > 0.0 {
            true => motion.center(),
            false => inner.parts[0].center(),
        };
        self.turned_center = match motion.pose().is_translation() {
            true => self.center,
            false => motion.pose().rotate(self.center),
        };
        self.reach = inner.reach_from(self.center) + inner.radius;
    }

    pub(super) fn motion(&self) -> &RigidMotion {
        &self.body.motion
    }

    /// Whether it only translates.
    pub(super) fn is_translating(&self) -> bool {
        self.turning == 0.0 && !self.body.is_deforming()
    }

    /// The time until which its motion is known.
    pub(super) fn until(&self) -> f64 {
        self.since + self.body.duration()
    }

    /// Position of the centre when the motion was set.
    pub(super) fn place(&self) -> [f64; 3] {
        let place = self.motion().pose().translation();
        std::array::from_fn(|k| place[k] + self.turned_center[k])
    }

    /// Position of the centre a time `s` later.
    pub(super) fn place_after(&self, s: f64) -> [f64; 3] {
        let (place, motion) = (self.place(), self.motion());
        let (v, a) = (motion.velocity(), motion.acceleration());
        std::array::from_fn(|k| place[k] + (v[k] + 0.5 * a[k] * s) * s)
    }

    /// Largest distance of a point from the centre, a time `s` after the motion was set.
    pub(super) fn reach_after(&self, s: f64) -> f64 {
        match &self.body.deformation {
            None => self.reach,
            Some(deformation) => {
                let (center, half) = (deformation.parts[0].center(), deformation.parts[0].half());
                let fastest: [f64; 3] = std::array::from_fn(|k| center[k].abs() + half[k]);
                (self.reach + dot(fastest, fastest).sqrt() * s) * (1.0 + 8.0 * U)
            }
        }
    }
}

/// One of the two bodies of a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// Axes of the body in world directions.
    pub(super) axes: [[f64; 3]; 3],
    pub(super) spin: [f64; 3],
    /// Angular speed.
    pub(super) turning: f64,
    /// Reference point, in its own coordinates.
    pub(super) center: [f64; 3],
    /// The time since its motion was set.
    pub(super) elapsed: f64,
}

/// Relative motion of bodies a and b at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct RelativeFrame {
    pub(super) time: f64,
    /// Vector from the centre of a to that of b, and its velocity and acceleration.
    pub(super) away: [f64; 3],
    pub(super) velocity: [f64; 3],
    pub(super) acceleration: [f64; 3],
    pub(super) sides: [Side; 2],
    /// The distance that counts as contact.
    pub(super) separation: f64,
    /// Upper bound of the error of distances computed in this frame.
    pub(super) slack: f64,
    /// Whether both bodies only translate.
    pub(super) is_translating: bool,
    /// Whether, besides, their axes are parallel; then `local` has `away`, `velocity` and
    /// `acceleration` along these axes.
    pub(super) is_aligned: bool,
    pub(super) local: [[f64; 3]; 3],
}

impl RelativeFrame {
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
        frame.place([a, b], time);
        frame
    }

    /// Whether rounding exceeds the range of coordinates: the bodies are too far away to meet.
    #[inline]
    pub(super) fn is_beyond(&self) -> bool {
        // NaN is beyond as well.
        self.slack.is_nan() || self.slack >= COORDINATE_MAX
    }

    /// Moves the frame to another time.
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
        self.place(bodies, time);
    }

    fn place(&mut self, [a, b]: [&Mover; 2], time: f64) {
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
            let [place, center] = [pb[k] - pa[k], cb[k] - ca[k]];
            self.away[k] = (place + center) + (terms[0] + terms[1]);
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
            size += place.abs() + center.abs() + moved;
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
            let seen = |v: [f64; 3]| axes.map(|n| dot(n, v));
            self.local = [self.away, self.velocity, self.acceleration].map(seen);
        }
    }
}
