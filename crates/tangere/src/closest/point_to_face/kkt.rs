//! Karush-Kuhn-Tucker (KKT) conditions for the nearest point of a finite element face: active
//! sides, Lagrange multipliers, residual.

use super::lane_vectors::{Point, at_most, dot, none};
use super::polynomial::Domain;
use super::polynomial_lanes::{Form, Jet};
use super::sqp::NOTHING;
use crate::simd::Reals;

/// The KKT conditions at a point of one face, or of eight faces in lanes. Lengths are in the unit
/// of the face row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions<V: Reals> {
    /// The Lagrange multipliers of the sides of the reference domain.
    pub multipliers: [V; 4],
    /// For each side of the reference domain, the mask of lanes where it is active: the point is on
    /// it.
    pub active: [V::Mask; 4],
    /// Residual of the KKT conditions: the length of `J^T (x - y) - sum multipliers c`, each
    /// component divided by the length of its tangent. `x` is the point of the face, `y` the query
    /// point, the columns of `J` are the tangents, and `c` are the gradients of the constraints.
    pub residual: V,
}

/// Mask of lanes where the KKT conditions count a side as active: the point is on the side. `value`
/// is the constraint of the side, which is 0 on it and positive inside.
#[inline(always)]
fn on<V: Reals>(value: V) -> V::Mask {
    at_most(value, V::splat(NOTHING))
}

/// The Lagrange multiplier of a side in the KKT conditions: `pull`, the value that balances the
/// gradient, but 0 where the side is not active or the multiplier would be negative.
#[inline(always)]
fn multiplier<V: Reals>(pull: V, active: V::Mask) -> V {
    pull.max(V::splat(0.0)).only(active)
}

/// The inverse squared length of a tangent, for the residual of the KKT conditions; 0 if the
/// tangent is 0.
#[inline(always)]
fn inverse_square<V: Reals>(tangent: Point<V>) -> V {
    let square = dot(tangent, tangent);
    let is_tangent = V::splat(0.0).below(square);
    V::splat(1.0).div(square).only(is_tangent)
}

/// The inverse squared lengths of the two tangents of a jet (point and derivatives of a face), for
/// the residual of the KKT conditions.
#[inline(always)]
pub(super) fn inverse_squares<V: Reals, F: Form>(jet: &Jet<V>) -> [V; 2] {
    let u = inverse_square(jet.u);
    match F::DOMAIN {
        Domain::Segment => [u, V::splat(0.0)],
        _ => [u, inverse_square(jet.v)],
    }
}

impl<V: Reals> Conditions<V> {
    /// The KKT conditions at `xi`, from the inverse squared lengths of the tangents and the
    /// gradient of half the squared distance.
    #[inline(always)]
    pub fn new<F: Form>(xi: [V; 2], inverse_squares: [V; 2], gradient: [V; 2]) -> Self {
        let (zero, one) = (V::splat(0.0), V::splat(1.0));
        let none = none::<V>();
        let ([u, v], [g, f]) = (xi, gradient);
        let (multipliers, active, left) = match F::DOMAIN {
            Domain::Segment => {
                let active = [on(u + one), on(one - u), none, none];
                let a = multiplier(g, active[0]);
                let b = multiplier(zero - g, active[1]);
                ([a, b, zero, zero], active, [g - a + b, zero])
            }
            Domain::Triangle => {
                let active = [on(v), on(one - u - v), on(u), none];
                let [low, slope, left, _] = active;
                // Sides meet at corners, where two equations give two multipliers.
                let half = V::splat(-0.5) * (g + f);
                let pull = V::select(low, zero - g, V::select(left, zero - f, half));
                let a = multiplier(V::select(slope, f - g, f), low);
                let b = multiplier(pull, slope);
                let c = multiplier(V::select(slope, g - f, g), left);
                ([a, b, c, zero], active, [g + b - c, f + b - a])
            }
            Domain::Square => {
                let active = [on(v + one), on(one - u), on(one - v), on(u + one)];
                let a = multiplier(f, active[0]);
                let b = multiplier(zero - g, active[1]);
                let c = multiplier(zero - f, active[2]);
                let d = multiplier(g, active[3]);
                ([a, b, c, d], active, [g + b - d, f + c - a])
            }
        };
        let [u, v] = inverse_squares;
        let squared = (left[0] * left[0]).mul_add(u, left[1] * left[1] * v);
        Self {
            multipliers,
            active,
            residual: squared.sqrt(),
        }
    }
}
