//! Bound of second order: how long two patches stay separated, including their curvature.
//!
//! Let `a(p)` and `b(q)` be the patches about a point of each, with parameters `p` and `q` relative
//! to these points, `d = b - a` at these points, `n` a unit axis, and `A`, `B` the tangents in the
//! plane across `n`. Where the patches touch, `b(q) - a(p) = 0`. So its dot product with any vector
//! is 0 as well, also with one that depends on `p` and `q`: `w(p, q) = n + S (A p + B q)` with a
//! symmetric `S` across `n`. Then
//!
//! ```text
//! w.(b - a) = n.d + p.(A'S d - A'n) + q.(B'S d + B'n)
//!           + p.(-n.a2/2 - A'S A) p + q.(n.b2/2 + B'S B) q + cubic terms
//! ```
//!
//! with `a2`, `b2` the second derivatives: mixed terms of `p` and `q` cancel. Let `Ka`, `Kb` be the
//! curvatures, positive where a patch bends away from the other. With `S = (Ka - Kb)/4` both
//! quadratic forms are those of `(Ka + Kb)/2`. So where surfaces bend away from each other the
//! function is convex, even if one surface is concave. Its minimum, the gap, is found in closed
//! form on the domain of each patch. Cubic terms are bounded and subtracted from the quadratic
//! forms. Hulls of control points are thicker than the patches by the square of their size; this
//! bound is off by the cube, and with the right points and axis it is exact.
//!
//! With a margin `m` the gap is `w.(b - a) - m |w|`, with `|w| <= 1 + |S (A p + B q)|²/2`; for a
//! ball, whose patch is its centre, `S = 1/m` is best. Rates along `w` are linear in `p` and `q` up
//! to terms that are bounded likewise. So the bound is a concave function of time (`hull_bound`).
//!
//! This is a bound for any `n`. For the best `n` the minimising points are the nearest points;
//! [`Model::turned`] is Newton's iteration for it.

use super::super::gap_bound::U;
use super::concave_root::last_root;
use super::coupling::coupling;
use super::expansion::{Expansion, higher, length, sum, weights};
use super::hull_bound::Closed;
use super::polygon_minimum::{Free, Minimum, least};
use super::symmetric_matrix::{Square, applied, congruent, eigenvalues, plus, product, squared};
use crate::geometry::vector::{cross, direction, dot, minus};

/// The terms of one patch in the bound of second order after a time `s`:
/// `(g + s r).p + p.(H - s E) p / 2`, for parameters `p` in its domain. `g` is `gradient`, `r` is
/// `rate`, `H` is `square`, and `E` is diagonal with the entries `loss`.
#[derive(Clone, Copy, Debug)]
struct Block {
    gradient: [f64; 2],
    rate: [f64; 2],
    square: [f64; 3],
    loss: [f64; 2],
    /// Derivatives of the patch with respect to its two parameters, projected on the plane
    /// orthogonal to the axis of the bound.
    tangents: [[f64; 2]; 2],
}

/// The bound of second order of two patches: a lower bound of their gap along an axis, from the
/// Taylor expansion of each patch about one of its points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Model {
    pub(super) normal: [f64; 3],
    axes: [[f64; 3]; 2],
    coupling: Square,
    expansions: [Expansion; 2],
    blocks: [Block; 2],
    gap: f64,
    rate: f64,
    bend: f64,
}

/// Value of the bound of second order at the current time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// Lower bound of the gap of the two patches. The margin, which is the distance at which the
    /// faces count as touching, and rounding errors are subtracted.
    pub(super) gap: f64,
    /// For each of the two patches, the minimum of its terms in the bound over the domain of its
    /// parameters, and the parameters at that minimum.
    pub(super) minima: [Minimum; 2],
}

impl Model {
    /// The bound of second order of two patches along axis `n`, from their Taylor expansions.
    pub(super) fn new(expansions: [Expansion; 2], closed: &Closed, n: [f64; 3]) -> Self {
        let axes = across(n);
        let [a, b] = &expansions;
        let flat = |v: [f64; 3]| [dot(axes[0], v), dot(axes[1], v)];
        let tangents = [a, b].map(|l| l.jet.first.map(flat));
        let along = [a, b].map(|l| l.jet.second.map(|q| dot(n, q)));
        // Curvatures, positive where a patch bends away from the other.
        let bent = [along[0].map(|x| -x), along[1]];
        let coupling = coupling(&expansions, tangents, bent, closed.margin);
        let away = minus(b.jet.x, a.jet.x);
        let velocity = minus(b.velocity, a.velocity);
        let pull = applied(coupling, flat(away));
        let drag = applied(coupling, flat(velocity));
        let norm = |t: [[f64; 2]; 2]| (dot(t[0], t[0]) + dot(t[1], t[1])).sqrt();
        let strength = {
            let [low, high] = eigenvalues(coupling);
            low.abs().max(high.abs())
        };
        let stretch = tangents.map(norm);
        let shear = [a, b].map(|l| {
            let [u, v] = l.shear;
            (dot(u, u) + dot(v, v)).sqrt()
        });
        // The largest deviation of w from n.
        let tilt = strength * (stretch[0] * a.far + stretch[1] * b.far);
        let both = a.count > 1 && b.count > 1;
        let doubled = if both { 2.0 } else { 1.0 };
        let margin = squared(coupling).map(|x| doubled * closed.margin * x);
        let crossed = 0.5 * (stretch[0] * shear[1] + stretch[1] * shear[0]);
        let blocks = [0, 1].map(|i| {
            let (expansion, t) = (&expansions[i], tangents[i]);
            let sign = if i == 0 { -1.0 } else { 1.0 };
            let gradient =
                std::array::from_fn(|k| sign * dot(n, expansion.jet.first[k]) + dot(t[k], pull));
            let rate = std::array::from_fn(|k| sign * dot(n, expansion.shear[k]) + dot(t[k], drag));
            let mut square = plus(bent[i], congruent(coupling, t), 2.0 * sign);
            square = plus(square, congruent(margin, t), -1.0);
            let sideways = expansion.jet.second.map(|q| {
                let [x, y] = flat(q);
                (x * x + y * y).sqrt()
            });
            let cubic = sum(
                weights(sideways).map(|x| 0.5 * tilt * x),
                higher(&expansion.jet, expansion.far),
                1.0 + tilt,
            );
            square[0] -= 2.0 * cubic[0];
            square[2] -= 2.0 * cubic[1];
            let sheared = strength * (stretch[i] * shear[i] + crossed);
            Block {
                gradient,
                rate,
                square,
                loss: expansion.swirl.map(|x| 2.0 * ((1.0 + tilt) * x + sheared)),
                tangents: t,
            }
        });
        let hidden = (1.0 + tilt) * closed.slack
            + 64.0 * U * tilt * (stretch[0] * a.far + stretch[1] * b.far + length(away));
        let bend = (-dot(n, closed.acceleration)).max(0.0)
            + tilt * length(closed.acceleration)
            + (1.0 + tilt) * closed.bend;
        Model {
            normal: n,
            axes,
            coupling,
            expansions,
            blocks,
            gap: dot(n, away) - closed.margin - hidden,
            rate: dot(n, velocity) - (1.0 + tilt) * closed.drift,
            bend: -bend,
        }
    }

    /// The bound of second order after a time `s`, its rate of change, and for each patch the
    /// minimum of its terms and the parameters at that minimum.
    fn at(&self, s: f64) -> (f64, f64, [Minimum; 2]) {
        let mut value = self.gap + self.rate * s + 0.5 * self.bend * s * s;
        let mut slope = self.rate + self.bend * s;
        let minima = [0, 1].map(|i| {
            let (block, expansion) = (&self.blocks[i], &self.expansions[i]);
            let g = std::array::from_fn(|k| block.gradient[k] + s * block.rate[k]);
            let [p, q, r] = block.square;
            let h = [p - s * block.loss[0], q, r - s * block.loss[1]];
            let found = least(&expansion.corners[..expansion.count], g, h);
            value += found.value;
            let uv = found.uv;
            let [u, v] = uv;
            slope += dot(block.rate, uv);
            slope -= 0.5 * (block.loss[0] * u * u + block.loss[1] * v * v);
            found
        });
        (value, slope, minima)
    }

    /// The bound of second order at the current time.
    pub(super) fn bound(&self) -> Bound {
        let (gap, _, minima) = self.at(0.0);
        Bound { gap, minima }
    }

    /// How long two patches certainly stay separated by the bound of second order, at most `most`.
    /// If the bound is no lower than `-allow` now and then rises, the time until it falls to 0
    /// again.
    pub(super) fn separated_for(&self, most: f64, allow: f64) -> f64 {
        let value = |s: f64| {
            let (value, slope, _) = self.at(s);
            (value, slope)
        };
        last_root(value, most, allow)
    }

    /// The point of each patch at the parameters of its expansion point, about which the bound of
    /// second order is taken, plus `steps`.
    pub(super) fn points(&self, steps: [[f64; 2]; 2]) -> [[f64; 3]; 2] {
        [0, 1].map(|i| self.expansions[i].jet.value(steps[i]))
    }

    /// The improved axis of the bound of second order, by one step of Newton's iteration. For the
    /// best axis, the points at which the bound is least are the nearest points of the patches.
    ///
    /// Let `d` be the difference of the minimising points, and `H` the quadratic form of a patch. A
    /// change of `n` by `e` moves the point of `b` by `-B H^-1 B' e` and the point of `a` by
    /// `A H^-1 A' e`, within the side or corner on which they lie; and the new axis tilts the
    /// distance `n.d` by `|n.d| e`. So `(A H^-1 A' + B H^-1 B' + |n.d|) e` is the part of `d`
    /// across `n`. At the minimising points the vector `w`, with which the bound is taken in place
    /// of `n`, differs from `n` by `S (A p + B q)`, which is added. Other symbols are those of the
    /// head of this file.
    pub(super) fn turned(&self, bound: &Bound) -> Option<[f64; 3]> {
        let steps = bound.minima.map(|p| p.uv);
        let [a, b] = self.points(steps);
        let d = minus(b, a);
        let along = dot(self.normal, d).abs().max(f64::MIN_POSITIVE);
        let mut m = [along, 0.0, along];
        for (block, uv) in self.blocks.iter().zip(&bound.minima) {
            let [u, v] = block.tangents;
            match uv.free {
                Free::All => {
                    let [p, q, r] = block.square;
                    let determinant = p * r - q * q;
                    let inverse = [r / determinant, -q / determinant, p / determinant];
                    // The rows of the tangents.
                    let rows = [[u[0], v[0]], [u[1], v[1]]];
                    m = plus(m, congruent(inverse, rows), 1.0);
                }
                Free::Along(side) => {
                    let t = [
                        u[0] * side[0] + v[0] * side[1],
                        u[1] * side[0] + v[1] * side[1],
                    ];
                    let curvature = product(block.square, side, side);
                    let outer = [t[0] * t[0], t[0] * t[1], t[1] * t[1]];
                    m = plus(m, outer, 1.0 / curvature);
                }
                Free::Nowhere => {}
            }
        }
        let determinant = m[0] * m[2] - m[1] * m[1];
        let [x, y] = self.axes.map(|axis| dot(axis, d));
        let e = [
            (m[2] * x - m[1] * y) / determinant,
            (m[0] * y - m[1] * x) / determinant,
        ];
        if !(determinant > 0.0 && dot(e, e) < f64::INFINITY) {
            return None;
        }
        let mut e = e;
        let mut way = [0.0; 2];
        for (block, step) in self.blocks.iter().zip(steps) {
            let [u, v] = block.tangents;
            for k in 0..2 {
                way[k] += u[k] * step[0] + v[k] * step[1];
            }
        }
        let further = applied(self.coupling, way);
        for k in 0..2 {
            e[k] += further[k];
        }
        // The axis turns by at most 45 degrees.
        let size = dot(e, e).sqrt().max(1.0);
        direction(std::array::from_fn(|k| {
            self.normal[k] + (e[0] * self.axes[0][k] + e[1] * self.axes[1][k]) / size
        }))
    }
}

/// Two unit vectors orthogonal to each other and to the axis `n` of the bound of second order.
fn across(n: [f64; 3]) -> [[f64; 3]; 2] {
    let least = (0..3).fold(0, |m, k| if n[k].abs() < n[m].abs() { k } else { m });
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let u = direction(cross(n, axis)).unwrap_or([0.0; 3]);
    [u, cross(n, u)]
}
