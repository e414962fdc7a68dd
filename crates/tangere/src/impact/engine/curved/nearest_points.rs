//! Nearest points of two curved faces, from an initial guess.
//!
//! Newton's iteration for the least distance, damped as by Levenberg and Marquardt. Alternating
//! projection hardly advances along surfaces that nearly fit each other.

use super::bezier_patch::{Net, Patch};
use super::expansion::Expansion;
use super::face_pair::FacePair;
use super::patch_gap::nearest_place;
use crate::geometry::vector::{dot, minus};

/// The most steps; few are needed unless surfaces fit each other.
const STEPS: u32 = 64;

/// Least damping, at which steps are Newton's, and largest, beyond which it gives up; relative to
/// the Hessian.
const DAMPING: [f64; 2] = [1e-12, 1e6];

/// Places at least as near to each other as the given ones, and their distance minus the margin.
pub(super) fn nearest_points(
    pair: &FacePair,
    patches: [&Patch; 2],
    nets: &[Net; 2],
    from: [[f64; 2]; 2],
) -> ([[f64; 2]; 2], f64) {
    let expansions = |places: [[f64; 2]; 2]| {
        [0, 1].map(|i| Expansion::new(&pair.views[i], patches[i], &nets[i], places[i]))
    };
    let away = |[a, b]: &[Expansion; 2]| minus(b.jet.x, a.jet.x);
    let length = |d: [f64; 3]| dot(d, d).sqrt();
    let mut places = from;
    let mut both = expansions(places);
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
            let place = [0, 1].map(|k| places[i][k] + step[2 * i + k]);
            patches[i].form.clamped(place)
        });
        // Project again: surfaces curve away from a long step.
        moved[1] = nearest_place(pair, patches, nets, moved, 1);
        let there = expansions(moved);
        let nearer = length(away(&there));
        if nearer < distance {
            let is_done = moved == places;
            (places, both, distance) = (moved, there, nearer);
            if is_done {
                break;
            }
            system = newton_system(&both, distance);
            damping = (0.01 * damping).max(DAMPING[0]);
        } else {
            damping *= 100.0;
        }
    }
    (places, distance - pair.closed.margin)
}

/// Hessian and gradient of the distance in all four coordinates.
///
/// With `d = b - a`, `n = d / |d|` and the derivative `J = (-A, B)` of `d` the first are `J'n`, the
/// second `J'(1 - n n')J / |d| + (-n.a2, n.b2)`.
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

/// The Newton step, by Cholesky decomposition; `None` if the matrix is not positive definite.
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
