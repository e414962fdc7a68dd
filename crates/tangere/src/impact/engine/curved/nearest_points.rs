//! Nearest points of two curved faces, from an initial guess.
//!
//! The distance is minimised by Newton's iteration with Levenberg-Marquardt damping. Alternating
//! projection alone hardly advances along surfaces that nearly fit each other.

use super::bezier_patch::{Net, Patch};
use super::expansion::Expansion;
use super::face_pair::FacePair;
use super::jet::Jet;
use super::polygon_minimum::least;
use crate::geometry::vector::{dot, minus};

/// Maximum number of Newton steps toward the nearest points of two curved faces; few are needed
/// unless the surfaces fit each other.
const STEPS: u32 = 64;

/// Maximum number of Newton steps toward the point of a patch that is nearest to a given point.
const PROJECTION_STEPS: u32 = 4;

/// Smallest and largest damping of the Newton steps toward nearest points, relative to the trace of
/// the Hessian. At the smallest a step is nearly Newton's. Above the largest the iteration ends.
const DAMPING: [f64; 2] = [1e-12, 1e6];

/// Improves a guess of the nearest points of two curved faces. Returns the parameters of two points
/// that are at least as near to each other as the given ones, and their distance minus the margin,
/// the distance at which the faces touch.
pub(super) fn nearest_points(
    pair: &FacePair,
    patches: [&Patch; 2],
    nets: &[Net; 2],
    from: [[f64; 2]; 2],
) -> ([[f64; 2]; 2], f64) {
    let expansions = |uvs: [[f64; 2]; 2]| {
        [0, 1].map(|i| Expansion::new(&pair.views[i], patches[i], &nets[i], uvs[i]))
    };
    let away = |[a, b]: &[Expansion; 2]| minus(b.jet.x, a.jet.x);
    let length = |d: [f64; 3]| dot(d, d).sqrt();
    let mut uvs = from;
    let mut both = expansions(uvs);
    let mut distance = length(away(&both));
    let mut damping = DAMPING[0];
    let mut system = newton_system(&both, distance);
    for _ in 0..STEPS {
        if distance <= pair.closed.slack || damping > DAMPING[1] {
            break;
        }
        let Some(step) = newton_step(&system, damping) else {
            damping *= 100.0;
            continue;
        };
        let mut moved = [0, 1].map(|i| {
            let uv = [0, 1].map(|k| uvs[i][k] + step[2 * i + k]);
            patches[i].form.clamped(uv)
        });
        // Each point is projected again: surfaces curve away from a long step.
        moved[1] = nearest_uv(pair, patches, nets, moved, 1);
        let there = expansions(moved);
        let nearer = length(away(&there));
        if nearer < distance {
            let is_done = moved == uvs;
            (uvs, both, distance) = (moved, there, nearer);
            if is_done {
                break;
            }
            system = newton_system(&both, distance);
            damping = (0.01 * damping).max(DAMPING[0]);
        } else {
            damping *= 100.0;
        }
    }
    (uvs, distance - pair.closed.margin)
}

/// Hessian and gradient of the distance of two points of two curved faces with respect to the four
/// parameters of the points, for the Newton steps toward the nearest points.
///
/// Let `a` and `b` be the points of the faces, `A` and `B` their first and `a2` and `b2` their
/// second derivatives. With `d = b - a`, `n = d / |d|` and the derivative `J = (-A, B)` of `d`, the
/// gradient is `J'n` and the Hessian `J'(1 - n n')J / |d|` plus the diagonal blocks `-n.a2` and
/// `n.b2`.
fn newton_system([a, b]: &[Expansion; 2], distance: f64) -> ([[f64; 4]; 4], [f64; 4]) {
    let n = minus(b.jet.x, a.jet.x).map(|x| x / distance);
    let [au, av] = a.jet.first;
    let [bu, bv] = b.jet.first;
    let columns = [au.map(|x| -x), av.map(|x| -x), bu, bv];
    let slope = columns.map(|c| dot(n, c));
    let mut square = [[0.0; 4]; 4];
    for i in 0..4 {
        for j in 0..4 {
            square[i][j] = (dot(columns[i], columns[j]) - slope[i] * slope[j]) / distance;
        }
    }
    for (at, sign, expansion) in [(0, -1.0, a), (2, 1.0, b)] {
        let [p, q, r] = expansion.jet.second.map(|x| sign * dot(n, x));
        square[at][at] += p;
        square[at][at + 1] += q;
        square[at + 1][at] += q;
        square[at + 1][at + 1] += r;
    }
    (square, slope)
}

/// The damped Newton step to the nearest points of two curved faces, by Cholesky decomposition;
/// `None` if the damped Hessian is not positive definite.
fn newton_step((square, slope): &([[f64; 4]; 4], [f64; 4]), damping: f64) -> Option<[f64; 4]> {
    let trace: f64 = (0..4).map(|i| square[i][i].abs()).sum();
    let mut l = [[0.0; 4]; 4];
    for i in 0..4 {
        for j in 0..=i {
            let mut sum = square[i][j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
            if i == j {
                sum += damping * trace;
                if !(sum > 0.0 && sum < f64::INFINITY) {
                    return None;
                }
                l[i][i] = sum.sqrt();
            } else {
                l[i][j] = sum / l[j][j];
            }
        }
    }
    let mut x = slope.map(|s| -s);
    for i in 0..4 {
        let sum: f64 = (0..i).map(|k| l[i][k] * x[k]).sum();
        x[i] = (x[i] - sum) / l[i][i];
    }
    for i in (0..4).rev() {
        let sum: f64 = (i + 1..4).map(|k| l[k][i] * x[k]).sum();
        x[i] = (x[i] - sum) / l[i][i];
    }
    x.iter().all(|x| x.is_finite()).then_some(x)
}

/// The position of a candidate for the nearest point of a curved patch, given by its parameters, in
/// world directions relative to the centre of body `a`.
pub(super) fn point(
    pair: &FacePair,
    of: usize,
    patch: &Patch,
    net: &Net,
    uv: [f64; 2],
) -> [f64; 3] {
    let view = &pair.views[of];
    let turned = view.outward(Jet::new(patch.form, net, uv).x);
    std::array::from_fn(|k| view.away[k] + turned[k])
}

/// The distance of two candidates for the nearest points of curved patches, given by their
/// parameters, minus the margin, the distance at which the faces touch.
pub(super) fn distance(
    pair: &FacePair,
    patches: [&Patch; 2],
    nets: &[Net; 2],
    uvs: [[f64; 2]; 2],
) -> f64 {
    let [a, b] = [0, 1].map(|i| point(pair, i, patches[i], &nets[i], uvs[i]));
    let away = minus(b, a);
    dot(away, away).sqrt() - pair.closed.margin
}

/// The parameters of the point of curved patch `of` that is nearest to the given point of the other
/// patch.
pub(super) fn nearest_uv(
    pair: &FacePair,
    patches: [&Patch; 2],
    nets: &[Net; 2],
    uvs: [[f64; 2]; 2],
    of: usize,
) -> [f64; 2] {
    let other = 1 - of;
    let x = point(pair, other, patches[other], &nets[other], uvs[other]);
    let y = pair.views[of].inward(minus(x, pair.views[of].away));
    newton_projection(patches[of], &nets[of], y, uvs[of])
}

/// The parameters of the point of a curved patch that is nearest to point `y`, in body coordinates,
/// by Newton steps from the parameters `from`.
fn newton_projection(patch: &Patch, net: &Net, y: [f64; 3], from: [f64; 2]) -> [f64; 2] {
    let form = patch.form;
    let corners = form.corners();
    let mut uv = from;
    let mut jet = Jet::new(form, net, uv);
    let mut away = minus(jet.x, y);
    for _ in 0..PROJECTION_STEPS {
        let [u, v] = jet.first;
        let gradient = [dot(u, away), dot(v, away)];
        let plain = [dot(u, u), dot(u, v), dot(v, v)];
        let full: [f64; 3] = std::array::from_fn(|k| plain[k] + dot(away, jet.second[k]));
        let is_convex = full[0] > 0.0 && full[0] * full[2] > full[1] * full[1];
        let square = if is_convex { full } else { plain };
        let mut domain = [[0.0; 2]; 4];
        for (at, corner) in domain.iter_mut().zip(corners) {
            *at = minus(*corner, uv);
        }
        let step = least(&domain[..corners.len()], gradient, square).uv;
        let next = form.clamped([uv[0] + step[0], uv[1] + step[1]]);
        let moved = Jet::new(form, net, next);
        let further = minus(moved.x, y);
        if next == uv || dot(further, further) >= dot(away, away) {
            break;
        }
        (uv, jet, away) = (next, moved, further);
    }
    uv
}
