//! Body view: position and motion of one of two bodies at one instant, relative to the centre of
//! body `a`, and the projections of the control points of its patches on an axis.

use super::super::relative_frame::RelativeFrame;
use super::bezier_patch::{Net, Patch};
use crate::geometry::vector::{cross, dot};

/// Position and motion of one of two bodies at one instant, relative to the centre of body `a`.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyView {
    pub(super) axes: [[f64; 3]; 3],
    pub(super) spin: [f64; 3],
    pub(super) turning: f64,
    pub(super) away: [f64; 3],
    pub(super) velocity: [f64; 3],
    pub(super) elapsed: f64,
    pub(super) is_deforming: bool,
}

impl BodyView {
    /// The body views of both bodies of a relative frame.
    pub(super) fn both(frame: &RelativeFrame, are_deforming: [bool; 2]) -> [Self; 2] {
        [0, 1].map(|i| {
            let side = &frame.sides[i];
            let own = |v: [f64; 3]| if i == 0 { [0.0; 3] } else { v };
            BodyView {
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

    /// Rotates a vector from the coordinates of the body of this view to world directions.
    #[inline]
    pub(super) fn outward(&self, v: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = &self.axes;
        std::array::from_fn(|k| a[k] * v[0] + b[k] * v[1] + c[k] * v[2])
    }

    /// Rotates a vector from world directions to the coordinates of the body of this view.
    #[inline]
    pub(super) fn inward(&self, v: [f64; 3]) -> [f64; 3] {
        self.axes.map(|axis| dot(axis, v))
    }

    /// The control points of a patch at the time of the body view, in body coordinates relative to
    /// the centre of the body.
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

    /// The projections of the control points of a patch on axis `n` at the time of the body view,
    /// and the rates at which they change.
    #[inline]
    pub(super) fn along(&self, net: &Net, patch: &Patch, n: [f64; 3]) -> ([f64; 9], [f64; 9]) {
        let inward = self.inward(n);
        let (uv, rate) = (dot(n, self.away), dot(n, self.velocity));
        let projections = products(net, inward, uv);
        let rates = match (self.is_deforming, self.turning > 0.0) {
            (true, _) => products(&patch.rates, inward, rate),
            // n.(W x p) = (n x W).p
            (_, true) => products(net, self.inward(cross(n, self.spin)), rate),
            _ => [rate; 9],
        };
        (projections, rates)
    }
}

/// The dot product of each control point of `net` with vector `n`, plus the constant `plus`.
/// Control points and `n` are in the coordinates of the body of a view.
#[inline]
fn products(net: &Net, n: [f64; 3], plus: f64) -> [f64; 9] {
    let mut out = [0.0; 9];
    for i in 0..9 {
        out[i] = (n[0] * net[0][i] + n[1] * net[1][i]) + (n[2] * net[2][i] + plus);
    }
    out
}
