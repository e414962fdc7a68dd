//! Coupling matrix `S` of the bound of second order (`second_order`): it moves curvature from one
//! patch to the other, so that the bound is convex for both.

use super::expansion::Expansion;
use super::polygon_minimum::Free;
use super::symmetric_matrix::{Square, eigenvalues, plus, product, pushed};
use crate::geometry::vector::dot;

/// Where a patch touches at a corner or an edge, the coupling moves curvature from it to the other
/// patch: as much as is needed, plus this number divided by the size of both patches.
const STIFF: f64 = 1e-4;

/// The coupling matrix `S` of two patches. The bound of second order holds for any `S`; this one
/// makes both quadratic forms convex where possible. `tangents` are those of both patches in the
/// plane across the axis, `bent` their second derivatives along the axis toward each other.
///
/// Where the point of patch `a` is on an edge, only the curvature along the edge matters, so
/// curvature across it may be moved from the form of `a` to that of `b` as needed; at a corner,
/// curvature in all directions.
pub(super) fn coupling(
    expansions: &[Expansion; 2],
    tangents: [[[f64; 2]; 2]; 2],
    bent: [Square; 2],
    margin: f64,
) -> Square {
    match [expansions[0].count > 1, expansions[1].count > 1] {
        [true, true] => {}
        _ if margin == 0.0 => return [0.0; 3],
        [true, false] => return [-1.0 / margin, 0.0, -1.0 / margin],
        [false, true] => return [1.0 / margin, 0.0, 1.0 / margin],
        _ => return [0.0; 3],
    }
    let curvatures = [0, 1].map(|i| pushed(bent[i], tangents[i]));
    let [Some(ka), Some(kb)] = curvatures else {
        return [0.0; 3];
    };
    let mut s = plus(ka.map(|x| 0.25 * x), kb, -0.25);
    let sum = plus(ka, kb, 1.0);
    let [low, high] = eigenvalues(sum);
    if low <= 1e-3 * high.abs() {
        let size = [0, 1].map(|i| {
            let t = tangents[i];
            (dot(t[0], t[0]) + dot(t[1], t[1])).sqrt()
        });
        let floor = STIFF / (size[0] + size[1]);
        for (i, sign) in [(0, 1.0), (1, -1.0)] {
            let given = match expansions[i].free() {
                Free::All => continue,
                Free::Nowhere => {
                    let c = (-0.5 * low).max(0.0) + floor;
                    [c, 0.0, c]
                }
                Free::Along(side) => {
                    let [u, v] = tangents[i];
                    let l = [
                        u[0] * side[0] + v[0] * side[1],
                        u[1] * side[0] + v[1] * side[1],
                    ];
                    let square = dot(l, l);
                    if square == 0.0 {
                        continue;
                    }
                    let length = square.sqrt();
                    let l = [l[0] / length, l[1] / length];
                    let m = [-l[1], l[0]];
                    let (ll, lm, mm) = (product(sum, l, l), product(sum, l, m), product(sum, m, m));
                    let mixed = match ll > 0.0 {
                        true => lm * lm / ll,
                        false => 0.0,
                    };
                    let c = (0.5 * (mixed - mm)).max(0.0) + floor;
                    [c * m[0] * m[0], c * m[0] * m[1], c * m[1] * m[1]]
                }
            };
            s = plus(s, given, sign);
        }
    }
    if s.iter().any(|x| !x.is_finite()) {
        return [0.0; 3];
    }
    let [low, high] = eigenvalues(s);
    let strength = low.abs().max(high.abs());
    // With a margin, a stronger coupling does not help.
    let most = 0.25 / margin;
    match strength > most {
        true => s.map(|x| x * (most / strength)),
        false => s,
    }
}
