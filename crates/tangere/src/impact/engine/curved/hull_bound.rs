//! How long the convex hulls of the control points of two patches stay separated along a fixed
//! axis.
//!
//! Along a unit axis `n` control points move at their own rates, up to the acceleration of
//! rotation, and patches lie within their hulls. So the gap is at least the least projection of b
//! minus the largest of a, which for linear motion is a concave function of time: where it is
//! positive at two times it is so between them. Its last root is found by Newton's iteration from
//! beyond, and the chord below it proves the result.

use super::super::gap_bound::{GapBound, U};
use super::super::relative_motion::RelativeFrame;
use super::bezier_patch::{Net, Patch};
use crate::geometry::vector::{cross, dot};

/// Position and motion of one of two bodies at a time, relative to the centre of a.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) axes: [[f64; 3]; 3],
    pub(super) spin: [f64; 3],
    pub(super) turning: f64,
    pub(super) away: [f64; 3],
    pub(super) velocity: [f64; 3],
    pub(super) elapsed: f64,
    pub(super) is_deforming: bool,
}

impl View {
    /// Both bodies of a frame.
    pub(super) fn both(frame: &RelativeFrame, are_deforming: [bool; 2]) -> [Self; 2] {
        [0, 1].map(|i| {
            let side = &frame.sides[i];
            let own = |v: [f64; 3]| if i == 0 { [0.0; 3] } else { v };
            View {
                axes: side.axes,
                spin: side.spin,
                turning: side.turning,
                away: own(frame.away),
                velocity: own(frame.velocity),
                elapsed: side.elapsed,
                is_deforming: are_deforming[i],
            }
        })
    }

    /// A vector from body to world coordinates.
    #[inline]
    pub(super) fn outward(&self, v: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = &self.axes;
        std::array::from_fn(|k| a[k] * v[0] + b[k] * v[1] + c[k] * v[2])
    }

    /// A vector from world to body coordinates.
    #[inline]
    pub(super) fn inward(&self, v: [f64; 3]) -> [f64; 3] {
        self.axes.map(|axis| dot(axis, v))
    }

    /// Current control points, in body coordinates.
    #[inline]
    pub(super) fn net(&self, patch: &Patch) -> Net {
        let mut net = patch.points;
        if self.is_deforming {
            for k in 0..3 {
                for i in 0..9 {
                    net[k][i] += patch.rates[k][i] * self.elapsed;
                }
            }
        }
        net
    }

    /// Projections of control points on an axis, and their rates.
    #[inline]
    fn along(&self, net: &Net, patch: &Patch, n: [f64; 3]) -> ([f64; 9], [f64; 9]) {
        let inward = self.inward(n);
        let (place, rate) = (dot(n, self.away), dot(n, self.velocity));
        let places = products(net, inward, place);
        let rates = match (self.is_deforming, self.turning > 0.0) {
            (true, _) => products(&patch.rates, inward, rate),
            // n.(W x p) = (n x W).p
            (_, true) => products(net, self.inward(cross(n, self.spin)), rate),
            _ => [rate; 9],
        };
        (places, rates)
    }
}

#[inline]
fn products(net: &Net, n: [f64; 3], plus: f64) -> [f64; 9] {
    let mut out = [0.0; 9];
    for i in 0..9 {
        out[i] = (n[0] * net[0][i] + n[1] * net[1][i]) + (n[2] * net[2][i] + plus);
    }
    out
}

/// Margins and error bounds at a time, for all axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closed {
    /// The distance that counts as contact.
    pub(super) margin: f64,
    /// Upper bound of the rounding of distances.
    pub(super) slack: f64,
    /// The same for rates.
    pub(super) drift: f64,
    pub(super) acceleration: [f64; 3],
    /// Upper bound of the acceleration of a point of either body beyond that of the centres.
    pub(super) bend: f64,
}

/// Projections of the control points of two patches on an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab {
    places: [[f64; 9]; 2],
    rates: [[f64; 9]; 2],
    /// The distance at which control points touch, rounding included.
    closed: f64,
    drift: f64,
    bend: f64,
    is_common: bool,
}

impl Slab {
    pub(super) fn new(
        views: &[View; 2],
        nets: [&Net; 2],
        patches: [&Patch; 2],
        closed: &Closed,
        n: [f64; 3],
    ) -> Self {
        let (places_a, rates_a) = views[0].along(nets[0], patches[0], n);
        let (places_b, rates_b) = views[1].along(nets[1], patches[1], n);
        Slab {
            places: [places_a, places_b],
            rates: [rates_a, rates_b],
            closed: closed.margin + closed.slack,
            drift: closed.drift,
            bend: dot(n, closed.acceleration) - closed.bend,
            is_common: views.iter().all(|v| !v.is_deforming && v.turning == 0.0),
        }
    }

    /// The gap after a time and its rate, without the acceleration.
    #[inline]
    fn linear_gap(&self, s: f64) -> (f64, f64) {
        let [pa, pb] = &self.places;
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

    /// The gap now.
    pub(super) fn gap(&self) -> f64 {
        self.linear_gap(0.0).0
    }

    /// How long the patches stay separated; if they are at most `allow` deep and separate, the time
    /// until they may touch again.
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
        let farthest = extreme(&self.places[1], 1.0) + extreme(&self.places[0], -1.0);
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

/// Evaluations of a concave function in the search of its last root.
const STEPS: u32 = 8;

/// Relative accuracy of the root.
const NEAR: f64 = 1e-6;

/// A time up to which a concave function, given with its slope, is not negative; at most `most`. It
/// may begin as low as `-allow` if it then rises above `allow`. 0 if there is no such time.
pub(super) fn last_root(f: impl Fn(f64) -> (f64, f64), most: f64, allow: f64) -> f64 {
    let (mut value, slope) = f(0.0);
    let mut from = 0.0;
    if value.is_nan() || value < -allow {
        return 0.0;
    }
    let mut most = most;
    if value <= 0.0 {
        if slope.is_nan() || slope <= 0.0 || allow <= 0.0 {
            return 0.0;
        }
        let mut s = 2.0 * (allow - value) / slope;
        let mut is_seen = false;
        for _ in 0..STEPS {
            if s > most {
                break;
            }
            let at = f(s).0;
            if at >= allow {
                (from, value, is_seen) = (s, at, true);
                break;
            }
            s *= 2.0;
        }
        if !is_seen {
            return 0.0;
        }
    } else if slope < 0.0 {
        most = most.min(value / -slope);
    }
    if most == f64::INFINITY {
        return most;
    }
    let mut beyond = most;
    let mut bound = from;
    for _ in 0..STEPS {
        let (at, slope) = f(beyond);
        if at.is_nan() {
            return bound;
        }
        if at >= 0.0 {
            return beyond.max(bound);
        }
        // The chord is below the function.
        let chord = from + (beyond - from) * (value / (value - at)) * (1.0 - 8.0 * U);
        bound = bound.max(chord);
        let next = beyond - at / slope;
        if slope.is_nan() || slope >= 0.0 || next >= beyond || next <= bound * (1.0 + NEAR) {
            return bound;
        }
        beyond = next;
    }
    bound
}
