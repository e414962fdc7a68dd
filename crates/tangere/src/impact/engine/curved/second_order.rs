//! How long two patches stay apart, to second order.
//!
//! Let `a(p)` and `b(q)` be patches about a place of each, `d = b - a` at these places, `n` a direction and `A`, `B` their
//! tangents in the plane across `n`. Where patches touch `b(q) - a(p) = 0`, and so is its product with any other vector, which
//! may depend on the places: `w(p, q) = n + S (A p + B q)` with a symmetric `S` across `n`. Then
//!
//! ```text
//! w.(b - a) = n.d + p.(A'S d - A'n) + q.(B'S d + B'n)
//!           + p.(-n.a2/2 - A'S A) p + q.(n.b2/2 + B'S B) q + cubic terms
//! ```
//!
//! with `a2`, `b2` the second derivatives: terms of `p` with `q` cancel. With curvatures `Ka`, `Kb` toward each other
//! and `S = (Ka - Kb)/4` both squares are those of `(Ka + Kb)/2`: where surfaces bend away from each other the function is
//! convex, even if one of them is hollow, and its least value, the gap, is found in closed form on the polygon of each patch. Cubic terms
//! are bounded and taken from the squares. Hulls of control points are thicker than this by the square of the size of a patch,
//! this bound is wrong by its cube, and at the right places and direction by nothing.
//!
//! Gaps with a margin `m` want `w.(b - a) - m |w|` positive, with `|w| <= 1 + |S (A p + B q)|²/2`; of a ball, whose patch is its middle,
//! `S = 1/m` is best. Rates along `w` are linear in places up to terms that are bounded likewise, so the whole is a concave function of
//! time (`slab`).
//!
//! For any `n` this is a bound. The best one has both least points across from each other; Newton's iteration for that
//! is in [`Model::turned`].

use super::super::conservative_advancement::direction;
use super::super::gap_bound::U;
use super::coupling::{Square, applied, congruent, coupling, eigenvalues, plus, product, squared};
use super::expansion::{Expansion, higher, length, sum, weights};
use super::hull_bound::{Closed, last_zero};
use super::polygon_minimum::{Free, Minimum, least};
use crate::geometry::vector::{cross, dot, minus};

/// Of a patch in a model: the function `(g + s r).p + p.(H - s E) p / 2` on its domain, with `E` diagonal.
#[derive(Clone, Copy, Debug)]
struct Block {
    gradient: [f64; 2],
    rate: [f64; 2],
    square: [f64; 3],
    loss: [f64; 2],
    /// Tangents across the direction.
    tangents: [[f64; 2]; 2],
}

/// The bound of two patches about places along a direction.
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

/// What a model tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// The gap is at least this, closed distances taken off.
    pub(super) gap: f64,
    /// Where it is least.
    pub(super) places: [Minimum; 2],
}

impl Model {
    pub(super) fn new(expansions: [Expansion; 2], closed: &Closed, n: [f64; 3]) -> Self {
        let axes = across(n);
        let [a, b] = &expansions;
        let flat = |v: [f64; 3]| [dot(axes[0], v), dot(axes[1], v)];
        let tangents = [a, b].map(|l| l.jet.first.map(flat));
        let along = [a, b].map(|l| l.jet.second.map(|q| dot(n, q)));
        // Toward each other.
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
        // The direction differs from n by at most this.
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

    /// The bound after a time, and its slope.
    fn at(&self, s: f64) -> (f64, f64, [Minimum; 2]) {
        let mut value = self.gap + self.rate * s + 0.5 * self.bend * s * s;
        let mut slope = self.rate + self.bend * s;
        let places = [0, 1].map(|i| {
            let (block, expansion) = (&self.blocks[i], &self.expansions[i]);
            let g = std::array::from_fn(|k| block.gradient[k] + s * block.rate[k]);
            let [p, q, r] = block.square;
            let h = [p - s * block.loss[0], q, r - s * block.loss[1]];
            let found = least(&expansion.corners[..expansion.count], g, h);
            value += found.value;
            let place = found.place;
            let [u, v] = place;
            slope += dot(block.rate, place);
            slope -= 0.5 * (block.loss[0] * u * u + block.loss[1] * v * v);
            found
        });
        (value, slope, places)
    }

    pub(super) fn bound(&self) -> Bound {
        let (gap, _, places) = self.at(0.0);
        Bound { gap, places }
    }

    /// How long the patches stay apart, at most `most`.
    pub(super) fn apart(&self, most: f64, allow: f64) -> f64 {
        let value = |s: f64| {
            let (value, slope, _) = self.at(s);
            (value, slope)
        };
        last_zero(value, most, allow)
    }

    /// The points of both patches at steps from their places.
    pub(super) fn points(&self, steps: [[f64; 2]; 2]) -> [[f64; 3]; 2] {
        [0, 1].map(|i| self.expansions[i].jet.value(steps[i]))
    }

    /// The direction for which the least points are across from each other, to first order.
    ///
    /// With `d` the difference of these, a change of `n` by `e` moves the point of b by `-B H^-1 B' e` and that of a by the same of its own,
    /// within what they are on; seen along the new direction the distance `n.d` tilts by as much. So
    /// `(A H^-1 A' + B H^-1 B' + |n.d|) e` is what of `d` is across `n`. About the least points `w` is that much further, too.
    pub(super) fn turned(&self, bound: &Bound) -> Option<[f64; 3]> {
        let steps = bound.places.map(|p| p.place);
        let [a, b] = self.points(steps);
        let d = minus(b, a);
        let along = dot(self.normal, d).abs().max(f64::MIN_POSITIVE);
        let mut m = [along, 0.0, along];
        for (block, place) in self.blocks.iter().zip(&bound.places) {
            let [u, v] = block.tangents;
            match place.free {
                Free::All => {
                    let [p, q, r] = block.square;
                    let determinant = p * r - q * q;
                    let inverse = [r / determinant, -q / determinant, p / determinant];
                    // Rows of the tangents.
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
        // Not further than to half a right angle.
        let size = dot(e, e).sqrt().max(1.0);
        direction(std::array::from_fn(|k| {
            self.normal[k] + (e[0] * self.axes[0][k] + e[1] * self.axes[1][k]) / size
        }))
    }
}

/// Two directions across a third.
fn across(n: [f64; 3]) -> [[f64; 3]; 2] {
    let least = (0..3).fold(0, |m, k| if n[k].abs() < n[m].abs() { k } else { m });
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let u = direction(cross(n, axis)).unwrap_or([0.0; 3]);
    [u, cross(n, u)]
}
