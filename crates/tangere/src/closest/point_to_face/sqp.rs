//! Sequential quadratic programming (SQP): a local minimum of the distance from a point to a finite
//! element face.
//!
//! `f(xi) = |y - x(xi)|^2 / 2` is minimised subject to the sides of the reference domain. Each step
//! minimises the quadratic model of `f` at `xi`, with the exact Hessian, over the reference domain.
//! Sides are linear, so the constraints of the model are those of the problem, and the active set
//! is that of the model's solution. Near the end the steps are those of Newton on that active set.
//!
//! Lanes step together until the last one has converged. A lane that has converged does not move,
//! so the result of a lane does not depend on the others.
//!
//! Paper: `aragon2013`, section 3.3, eqs. 16 to 18.
//!
//! *Deviates:*
//! - The exact Hessian replaces BFGS updates, which takes a third of the iterations. Where it is
//!   not positive definite, its negative eigenvalues change sign.
//! - The quadratic problem is solved in closed form, not by an active set that grows.
//! - The search starts at the centre, not at the nearest of the centre and the corners. One step of
//!   the model from the centre leads nearer than any corner is. Which minimum is found first does
//!   not matter where the result is proven; where it is not proven at once, the search starts from
//!   corners too.

use super::face_row::Row;
use super::lane_vectors::{Point, all, at_most, dot, is_all, is_any, minus, none, selected};
use super::polynomial::Domain;
use super::polynomial_lanes::{Form, Jet};
use super::quadratic::Quadratic;
use crate::simd::Reals;

/// A step of SQP shorter than this, in the reference domain, is the last: after it the error of
/// Newton's method is below rounding.
const SMALL: f64 = 1e-7;

/// The Hessian counts as positive definite if its determinant is more than this fraction of the
/// product of the squared lengths of both tangents. Otherwise SQP replaces it by one that is
/// positive definite.
const SOUND: f64 = 1e-8;

/// Lengths in the reference domain of a face up to this count as 0: a step of SQP of at most this
/// length counts as no step, and a side at most this far from the point is active.
pub(super) const NOTHING: f64 = 4.0 * f64::EPSILON;

/// The least fraction of a step of SQP that the line search tries.
const SHARE_MIN: f64 = 1e-12;

/// Local minima of the distance to faces by SQP, in lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalMinimum<V: Reals> {
    pub xi: [V; 2],
    pub jet: Jet<V>,
    /// The vector from the local minimum, a point of the face, to the query point `y`.
    pub way: Point<V>,
    /// The squared length of `way`.
    pub squared: V,
    /// The number of iterations of SQP, each of which solves one quadratic problem.
    pub steps: V,
    /// Mask of lanes that have converged to a minimum.
    pub settled: V::Mask,
}

/// The gradient for SQP: that of half the squared distance, at a point of the face given by its jet
/// (point and derivatives). `way` is the vector from this point to the query point.
#[inline(always)]
pub(super) fn gradient<V: Reals, F: Form>(jet: &Jet<V>, way: Point<V>) -> [V; 2] {
    let zero = V::splat(0.0);
    let g = zero - dot(way, jet.u);
    match F::DOMAIN {
        Domain::Segment => [g, zero],
        _ => [g, zero - dot(way, jet.v)],
    }
}

/// Descends by SQP from `start` to a local minimum of the distance to a face, in at most
/// `steps_max + 1` steps. The face is given by its face row of precomputed values. The query point
/// `y` is in the unit of the row and relative to its origin.
#[inline(always)]
pub(super) fn local_minimum<V: Reals, F: Form>(
    row: &Row<V>,
    y: Point<V>,
    start: [V; 2],
    steps_max: u32,
) -> LocalMinimum<V> {
    let (zero, one) = (V::splat(0.0), V::splat(1.0));
    let (all, none) = (all::<V>(), none::<V>());
    // The last accepted point, with the step from there.
    let (mut at, mut at_squared) = (start, V::splat(f64::INFINITY));
    let (mut step, mut slope, mut share) = ([zero; 2], zero, one);
    let mut trial = start;
    let (mut is_last, mut settled, mut stuck) = (none, none, none);
    let mut steps = zero;
    loop {
        let jet = F::jet(row, trial);
        let way = minus(y, jet.x);
        let squared = dot(way, way);
        // The last small step is accepted as it is: values differ by less than rounding.
        settled = V::or(settled, is_last);
        let over = V::or(settled, stuck);
        let found = LocalMinimum {
            xi: trial,
            jet,
            way,
            squared,
            steps,
            settled,
        };
        if is_all::<V>(over) {
            return found;
        }
        // Near the minimum values differ by rounding only.
        let bound = at_squared.mul_add(V::splat(4.0 * f64::EPSILON), at_squared);
        let bound = (share * slope).mul_add(V::splat(2e-4), bound);
        let is_worse = V::and_not(bound.below(squared), over);

        let gradient = gradient::<V, F>(&jet, way);
        let model = Quadratic {
            gradient,
            hessian: hessian::<V, F>(trial, &jet, way, gradient),
        };
        let aim = model.least(F::DOMAIN, trial);
        let next = [aim[0] - trial[0], aim[1] - trial[1]];
        let size = next[0].abs().max(next[1].abs());
        let next_slope = gradient[0].mul_add(next[0], gradient[1] * next[1]);

        let accepted = V::and_not(V::and_not(all, over), is_worse);
        let is_nothing = V::and_not(accepted, V::splat(NOTHING).below(size));
        // Also if it is NaN, for a face without area.
        let is_number = size.below(V::splat(f64::INFINITY));
        settled = V::or(settled, V::and(is_nothing, is_number));
        let is_small = V::and_not(accepted, V::splat(SMALL).below(size));
        let is_uphill = V::and_not(V::and_not(accepted, is_small), next_slope.below(zero));
        stuck = V::or(stuck, V::and_not(accepted, is_number));
        stuck = V::or(stuck, is_uphill);
        let goes = V::and_not(V::and_not(accepted, settled), stuck);
        is_last = V::and(goes, is_small);
        steps = steps + one.only(goes);

        at = selected(goes, trial, at);
        at_squared = V::select(goes, squared, at_squared);
        step = selected(goes, next, step);
        slope = V::select(goes, next_slope, slope);
        share = V::select(goes, one, share);
        trial = selected(goes, aim, trial);
        if is_any::<V>(is_worse) {
            share = V::select(is_worse, share * V::splat(0.5), share);
            let gives_up = V::and(is_worse, share.below(V::splat(SHARE_MIN)));
            stuck = V::or(stuck, gives_up);
            let part = V::select(gives_up, zero, share);
            let place = [part.mul_add(step[0], at[0]), part.mul_add(step[1], at[1])];
            trial = selected(is_worse, within::<V, F>(place), trial);
        }
        let ends = V::splat(f64::from(steps_max)).below(steps);
        stuck = V::or(stuck, V::and_not(ends, settled));
        if is_all::<V>(settled) {
            return LocalMinimum { settled, ..found };
        }
    }
}

/// Clamps a trial point of SQP to the reference domain, which it may have left by rounding.
#[inline(always)]
fn within<V: Reals, F: Form>([u, v]: [V; 2]) -> [V; 2] {
    let (zero, one) = (V::splat(0.0), V::splat(1.0));
    match F::DOMAIN {
        Domain::Triangle => {
            let (u, v) = (u.max(zero), v.max(zero));
            let beyond = one.below(u + v);
            [u.min(one), V::select(beyond, (one - u).max(zero), v)]
        }
        _ => {
            let low = V::splat(-1.0);
            [u.max(low).min(one), v.max(low).min(one)]
        }
    }
}

/// Mask of lanes where SQP keeps a side active: its multiplier is positive, and the curvature along
/// the side is large enough. `value` is the constraint of the side, `pull` its multiplier, `along`
/// the curvature along it and `plain` that of a flat face.
#[inline(always)]
fn holds<V: Reals>(value: V, pull: V, along: V, plain: V) -> V::Mask {
    let on = V::and(at_most(value, V::splat(NOTHING)), V::splat(0.0).below(pull));
    V::and(on, (V::splat(SOUND) * plain).below(along))
}

/// Selects the Hessian of SQP lane by lane: `yes` where the mask is set, `no` in the others.
#[inline(always)]
fn chosen<V: Reals>(mask: V::Mask, yes: [V; 3], no: [V; 3]) -> [V; 3] {
    [
        V::select(mask, yes[0], no[0]),
        V::select(mask, yes[1], no[1]),
        V::select(mask, yes[2], no[2]),
    ]
}

/// The Hessian of half the squared distance, for a step of SQP, modified where needed to be
/// positive definite.
#[inline(always)]
fn hessian<V: Reals, F: Form>(xi: [V; 2], jet: &Jet<V>, way: Point<V>, gradient: [V; 2]) -> [V; 3] {
    let (zero, one, two) = (V::splat(0.0), V::splat(1.0), V::splat(2.0));
    let sound = V::splat(SOUND);
    let uu = dot(jet.u, jet.u);
    let h = if F::HAS_SQUARES {
        dot(way, jet.uu).neg_mul_add(two, uu)
    } else {
        uu
    };
    if F::DOMAIN == Domain::Segment {
        return [V::select((sound * uu).below(h), h, uu), zero, one];
    }
    let (uv, vv) = (dot(jet.u, jet.v), dot(jet.v, jet.v));
    let k = uv - dot(way, jet.uv);
    let l = if F::HAS_SQUARES {
        dot(way, jet.vv).neg_mul_add(two, vv)
    } else {
        vv
    };
    let determinant = k.neg_mul_add(k, h * l);
    let is_sound = V::and(
        (sound * uu).below(h),
        (sound * (uu * vv)).below(determinant),
    );
    if is_all::<V>(is_sound) {
        return [h, k, l];
    }
    // |H|, which has the eigenvectors of H and the magnitudes of its eigenvalues:
    //   |H| (|a| + |b|) = H^2 + |det H|,   (|a| + |b|)^2 = tr H^2 + 2 |det H|,
    // and a little more, so that it is definite whatever the tangents are.
    let size = determinant.abs();
    let (hh, kk, ll) = (h * h, k * k, l * l);
    let sum = (hh + ll + two * (kk + size)).sqrt();
    let more = V::splat(1e-12) * (uu + vv);
    let floor = sum.mul_add(V::splat(1e-6), more);
    let inverse = one.div(sum + more);
    let mut out = [
        (hh + kk + size).mul_add(inverse, floor),
        k * (h + l) * inverse,
        (ll + kk + size).mul_add(inverse, floor),
    ];
    let (plain_u, plain_v) = (uu + more, vv + more);
    // Where a side is active, only the curvature along it matters; that orthogonal to it is
    // arbitrary.
    let ([u, v], [g, f]) = (xi, gradient);
    match F::DOMAIN {
        Domain::Triangle => {
            out = chosen::<V>(holds(u, g, l, vv), [plain_u, zero, l], out);
            out = chosen::<V>(holds(v, f, h, uu), [h, zero, plain_v], out);
            // Along (-1, 1), and orthogonal to it.
            let along = h - two * k + l;
            let plain = uu - two * uv + vv;
            let across = uu + two * uv + vv + more;
            let quarter = V::splat(0.25);
            let (sum, difference) = (quarter * (across + along), quarter * (across - along));
            let holds = holds(one - u - v, zero - g - f, along, plain);
            out = chosen::<V>(holds, [sum, difference, sum], out);
        }
        _ => {
            // Of two opposite sides only the nearer one can be active.
            let pull_u = V::select(u.below(zero), g, zero - g);
            let pull_v = V::select(v.below(zero), f, zero - f);
            let holds_u = holds(one - u.abs(), pull_u, l, vv);
            let holds_v = holds(one - v.abs(), pull_v, h, uu);
            out = chosen::<V>(holds_u, [plain_u, zero, l], out);
            out = chosen::<V>(holds_v, [h, zero, plain_v], out);
        }
    }
    chosen::<V>(is_sound, [h, k, l], out)
}
