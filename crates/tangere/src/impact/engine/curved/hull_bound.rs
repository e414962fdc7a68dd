//! Hull bound: how long the convex hulls of the control points of two patches stay separated along
//! a fixed axis.
//!
//! Each patch lies within the hull of its control points. The gap of the hulls along a unit axis
//! `n` is the least projection of a control point of `b` minus the largest of `a`. If each control
//! point keeps its current velocity, this gap is a concave function of time: if it is positive at
//! two times, it is positive between them. For the time `s` from now, the term `-A s²/2` is added,
//! which keeps the function concave. `A` is an upper bound of the acceleration at which the gap may
//! close: that of the centres of the bodies plus that due to rotation. Newton's iteration
//! approaches the last root of the function from later times, so its iterates are no lower bounds.
//! But the chord from the gap now, which is positive, to the last iterate lies below the function:
//! its root is a lower bound, and is returned.

use super::super::gap_bound::GapBound;
use super::bezier_patch::{Net, Patch};
use super::body_view::BodyView;
use super::concave_root::last_root;
use crate::geometry::vector::dot;

/// Values of the hull bound of two faces at one instant that are the same for all axes: the
/// distance at which they touch, error bounds and accelerations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closed {
    /// The distance at which the two faces count as touching: the separation that the engine
    /// settings give, plus the radius of each body that is a ball.
    pub(super) margin: f64,
    /// Upper bound of the rounding error of a distance between points of the two faces.
    pub(super) slack: f64,
    /// Upper bound of the rounding error of the rate at which a distance between points of the two
    /// faces changes.
    pub(super) drift: f64,
    pub(super) acceleration: [f64; 3],
    /// Upper bound, due to rotation alone, of the acceleration of a point of one face relative to a
    /// point of the other. The acceleration of the centres of the bodies is not included.
    pub(super) bend: f64,
}

/// Projections of the control points of two patches on an axis, and the rates at which they change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab {
    projections: [[f64; 9]; 2],
    rates: [[f64; 9]; 2],
    /// The distance at which the hulls of the two patches touch along the axis, rounding error
    /// included.
    closed: f64,
    drift: f64,
    bend: f64,
    is_common: bool,
}

impl Slab {
    /// The projections of the control points of two patches on axis `n`, for the hull bound.
    pub(super) fn new(
        views: &[BodyView; 2],
        nets: [&Net; 2],
        patches: [&Patch; 2],
        closed: &Closed,
        n: [f64; 3],
    ) -> Self {
        let (projections_a, rates_a) = views[0].along(nets[0], patches[0], n);
        let (projections_b, rates_b) = views[1].along(nets[1], patches[1], n);
        Slab {
            projections: [projections_a, projections_b],
            rates: [rates_a, rates_b],
            closed: closed.margin + closed.slack,
            drift: closed.drift,
            bend: dot(n, closed.acceleration) - closed.bend,
            is_common: views.iter().all(|v| !v.is_deforming && v.turning == 0.0),
        }
    }

    /// The gap of the hull bound a time `s` later, and its rate of change, if all control points
    /// keep their current velocities.
    #[inline]
    fn linear_gap(&self, s: f64) -> (f64, f64) {
        let [pa, pb] = &self.projections;
        let [ra, rb] = &self.rates;
        let (mut high, mut up) = (pa[0] + ra[0] * s, ra[0]);
        let (mut low, mut down) = (pb[0] + rb[0] * s, rb[0]);
        for i in 1..9 {
            let (a, b) = (pa[i] + ra[i] * s, pb[i] + rb[i] * s);
            if a > high {
                (high, up) = (a, ra[i]);
            }
            if b < low {
                (low, down) = (b, rb[i]);
            }
        }
        (
            low - high - self.closed - self.drift * s,
            down - up - self.drift,
        )
    }

    /// The current gap of the hulls of two patches along the axis of the hull bound, less the
    /// distance at which they touch.
    pub(super) fn gap(&self) -> f64 {
        self.linear_gap(0.0).0
    }

    /// Hull bound: how long the hulls of two patches stay separated along the axis. If the hulls
    /// overlap by at most `allow` and separate, it is the time until they may touch again.
    pub(super) fn separated_for(&self, allow: f64) -> f64 {
        let (gap, rate) = self.linear_gap(0.0);
        if gap.is_nan() || gap < -allow {
            return 0.0;
        }
        if self.is_common && gap > 0.0 {
            let bend = self.bend;
            return GapBound { gap, rate, bend }.closing_time();
        }
        // A positive acceleration is dropped, so that the function is concave.
        let bend = self.bend.min(0.0);
        // Upper limit: the farthest points at the fastest rate.
        let extreme =
            |x: &[f64; 9], sign: f64| x.iter().fold(f64::NEG_INFINITY, |m, r| m.max(sign * r));
        let fastest = -extreme(&self.rates[1], -1.0) - extreme(&self.rates[0], 1.0) - self.drift;
        let farthest = extreme(&self.projections[1], 1.0) + extreme(&self.projections[0], -1.0);
        let of = |gap: f64, rate: f64| {
            let gap = gap.max(f64::MIN_POSITIVE);
            GapBound { gap, rate, bend }.closing_time()
        };
        let mut most = of(farthest, fastest);
        if gap > 0.0 {
            most = most.min(of(gap, rate));
        }
        let value = |s: f64| {
            let (gap, rate) = self.linear_gap(s);
            (gap + 0.5 * bend * s * s, rate + bend * s)
        };
        last_root(value, most, allow)
    }
}
