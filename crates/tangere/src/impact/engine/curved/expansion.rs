//! Taylor expansion of a moving patch about one of its points: position, derivatives and velocity.

use super::bezier_patch::{Form, Net, Patch};
use super::body_view::BodyView;
use super::jet::Jet;
use super::polygon_minimum::Free;
use crate::geometry::vector::{cross, direction, dot};

/// A point of a patch is on a side of the parameter domain if it is nearer to the side than this,
/// in units of the parameters.
const ON: f64 = 1e-9;

/// Taylor expansion of a moving patch about one of its points, in world directions. Positions are
/// relative to the centre of body `a`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expansion {
    pub(super) jet: Jet,
    pub(super) velocity: [f64; 3],
    /// Derivatives of the velocity of the patch with respect to the parameters `u` and `v`, at the
    /// point of expansion.
    pub(super) shear: [[f64; 3]; 2],
    /// Weights that bound the velocity of the patch beyond first order: its terms of degree 2 and
    /// more are at most `swirl[0] u² + swirl[1] v²` in magnitude. The parameters `(u, v)` are
    /// relative to the point of expansion.
    pub(super) swirl: [f64; 2],
    /// Corners of the parameter domain of the patch, relative to the point of expansion.
    pub(super) corners: [[f64; 2]; 4],
    pub(super) count: usize,
    /// The largest distance of a corner of the parameter domain of the patch from the point of
    /// expansion.
    pub(super) far: f64,
}

/// The length of a vector of a Taylor expansion.
pub(super) fn length(v: [f64; 3]) -> f64 {
    dot(v, v).sqrt()
}

/// Weights `[a, b]` such that `a u² + b v²` is at least the quadratic form `p u² + 2 q u v + r v²`
/// of a Taylor expansion, where `p`, `q` and `r` are 0 or more.
pub(super) fn weights([p, q, r]: [f64; 3]) -> [f64; 2] {
    [p + q, q + r]
}

/// Weights `[a, b]` such that `a u² + b v²` is at least the magnitude of the terms of degree 2 of a
/// Taylor expansion. `second` has the second derivatives with respect to `uu`, `uv` and `vv`.
pub(super) fn halved(second: &[[f64; 3]; 3]) -> [f64; 2] {
    weights(second.map(length)).map(|x| 0.5 * x)
}

/// Weights `[a, b]` such that `a u² + b v²` is at least the magnitude of the terms of degree 3 and
/// 4 of a Taylor expansion, for parameters `u` and `v` of magnitude at most `far`.
pub(super) fn higher(jet: &Jet, far: f64) -> [f64; 2] {
    let [a, b, c] = jet.higher.map(length);
    // The terms u²v a/2 + uv² b/2 + u²v² c/4.
    let rest = 0.125 * c * far * far;
    [0.5 * a * far + rest, 0.5 * b * far + rest]
}

/// The sum `a + share b` of weights that bound terms of a Taylor expansion.
pub(super) fn sum(a: [f64; 2], b: [f64; 2], share: f64) -> [f64; 2] {
    [a[0] + share * b[0], a[1] + share * b[1]]
}

impl Expansion {
    /// The Taylor expansion of a moving patch about the point with these parameters.
    pub(super) fn new(view: &BodyView, patch: &Patch, net: &Net, uv: [f64; 2]) -> Self {
        let form = patch.form;
        let own = Jet::new(form, net, uv);
        let out = |v: [f64; 3]| view.outward(v);
        let x = out(own.x);
        let jet = Jet {
            x: std::array::from_fn(|k| view.away[k] + x[k]),
            first: own.first.map(out),
            second: own.second.map(out),
            higher: match form {
                Form::Quadrilateral => own.higher.map(out),
                _ => own.higher,
            },
        };
        let mut corners = [[0.0; 2]; 4];
        let mut far: f64 = 0.0;
        let count = form.corners().len();
        for (at, corner) in corners.iter_mut().zip(form.corners()) {
            *at = [corner[0] - uv[0], corner[1] - uv[1]];
            far = far.max(dot(*at, *at));
        }
        let far = far.sqrt();
        let mut expansion = Expansion {
            jet,
            velocity: view.velocity,
            shear: [[0.0; 3]; 2],
            swirl: [0.0; 2],
            corners,
            count,
            far,
        };
        if view.is_deforming {
            let rate = Jet::new(form, &patch.rates, uv);
            let v = out(rate.x);
            expansion.velocity = std::array::from_fn(|k| view.velocity[k] + v[k]);
            expansion.shear = rate.first.map(out);
            expansion.swirl = sum(halved(&rate.second), higher(&rate, far), 1.0);
        } else if view.turning > 0.0 {
            let v = cross(view.spin, x);
            expansion.velocity = std::array::from_fn(|k| view.velocity[k] + v[k]);
            expansion.shear = jet.first.map(|t| cross(view.spin, t));
            let bent = sum(halved(&jet.second), higher(&jet, far), 1.0);
            expansion.swirl = bent.map(|x| view.turning * x);
        }
        expansion
    }

    /// The surface normal at the point of a Taylor expansion; `None` if the point is on the
    /// boundary of the parameter domain or the normal does not exist.
    pub(super) fn normal(&self) -> Option<[f64; 3]> {
        let [u, v] = self.jet.first;
        match self.free() {
            Free::All => direction(cross(direction(u)?, direction(v)?)),
            _ => None,
        }
    }

    /// Whether the point of a Taylor expansion is in the interior of the parameter domain, on a
    /// side of it or at a corner.
    pub(super) fn free(&self) -> Free {
        if self.count == 1 {
            return Free::Nowhere;
        }
        let mut along = Free::All;
        for i in 0..self.count {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % self.count]);
            let side = [b[0] - a[0], b[1] - a[1]];
            if (side[1] * a[0] - side[0] * a[1]).abs() < ON {
                match along {
                    Free::All => along = Free::Along(side),
                    _ => return Free::Nowhere,
                }
            }
        }
        along
    }
}
