//! Last axis: of several separating axes the one along which the gap closes last.

use super::gap_bound::{U, closing_times};
use crate::simd::Reals;

/// Axes are compared by the closing speeds that their gaps have when the body that rotates faster
/// has turned by this angle, in radians.
const AHEAD: f64 = 1.0 / 32.0;

/// The axis, of several, along which the gap probably closes last. It is chosen by an estimate: the
/// gap over its closing speed, which is taken after a small rotation ([`AHEAD`]). Any axis gives a
/// bound, so the root is computed for this axis only.
pub(super) struct LikelyLastAxis<V> {
    gap: V,
    rate: V,
    bend: V,
    /// Closing speed after the small rotation.
    speed: V,
    ahead: V,
}

impl<V: Reals> LikelyLastAxis<V> {
    /// No last axis yet; `turning` is the largest angular speed.
    #[inline(always)]
    pub(super) fn new(turning: f64) -> Self {
        let zero = V::splat(0.0);
        LikelyLastAxis {
            gap: zero,
            rate: zero,
            bend: zero,
            speed: V::splat(1.0),
            ahead: V::splat(if turning > 0.0 { AHEAD / turning } else { 0.0 }),
        }
    }

    /// Replaces the likely last axis by another one if the gap along that seems to close later;
    /// after a time `s` it is at least `gap + rate s + bend s²/2`.
    #[inline(always)]
    pub(super) fn consider(&mut self, gap: V, rate: V, bend: V) {
        let zero = V::splat(0.0);
        let speed = (zero - self.ahead.mul_add(bend, rate)).max(zero);
        // Whether gap / speed is later than that of the current axis.
        let is_later = (self.gap * speed).below(gap * self.speed);
        self.gap = V::select(is_later, gap, self.gap);
        self.rate = V::select(is_later, rate, self.rate);
        self.bend = V::select(is_later, bend, self.bend);
        self.speed = V::select(is_later, speed, self.speed);
    }

    /// The times at which the gap closes along the likely last axis.
    #[inline(always)]
    pub(super) fn closing_times(&self) -> V {
        closing_times(self.gap, self.rate, self.bend)
    }
}

/// The axis along which the gap of two translating bodies closes last. Axes without acceleration
/// are compared by products of gap and speed, so that one division at the end suffices for all.
pub(super) struct LastAxis<V> {
    /// Gap and closing speed along the last axis without acceleration.
    gap: V,
    speed: V,
    /// The latest closing time along the axes with acceleration; infinite if the gap along any axis
    /// never closes.
    bent: V,
}

impl<V: Reals> LastAxis<V> {
    /// No last axis yet of two translating bodies.
    #[inline(always)]
    pub(super) fn new() -> Self {
        let zero = V::splat(0.0);
        LastAxis {
            gap: zero,
            speed: V::splat(1.0),
            bent: zero,
        }
    }

    /// Replaces the last axis of two translating bodies by another one if the gap along that closes
    /// later. `along` is the signed distance of the centres of two boxes along the axis, which
    /// changes with this velocity and acceleration; `closed` is the distance at which the boxes
    /// touch. So the gap is `|along| - closed`.
    #[inline(always)]
    pub(super) fn consider(&mut self, along: V, closed: V, velocity: f64, acceleration: f64) {
        let zero = V::splat(0.0);
        let gap = along.abs() - closed;
        let is_back = along.below(zero);
        let rate = V::select(is_back, V::splat(-velocity), V::splat(velocity));
        if acceleration != 0.0 {
            let (a, back) = (V::splat(acceleration), V::splat(-acceleration));
            let times = closing_times(gap, rate, V::select(is_back, back, a));
            self.bent = self.bent.max(times);
            return;
        }
        let (is_open, falls) = (zero.below(gap), rate.below(zero));
        let never = V::and_not(is_open, falls);
        self.bent = V::select(never, V::splat(f64::INFINITY), self.bent);
        // Whether gap / speed is later than that of the current axis.
        let speed = zero - rate;
        let is_later = V::and((self.gap * speed).below(gap * self.speed), falls);
        self.gap = V::select(is_later, gap, self.gap);
        self.speed = V::select(is_later, speed, self.speed);
    }

    /// The times at which the gap closes along the last axis: the latest closing times of all axes.
    #[inline(always)]
    pub(super) fn closing_times(&self) -> V {
        // Products may have underflowed; any axis bounds the time.
        let straight = self.gap.div(self.speed) * V::splat(1.0 - 2.0 * U);
        straight.max(self.bent)
    }
}
