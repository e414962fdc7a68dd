//! Nearest points of two lines, for the certificate and the brute force oracle.

use super::vectors::{length, unit};
use crate::geometry::vector::{cross, dot, minus};

/// The nearest points of the lines through two segments, one on each line; `None` if the lines are
/// parallel. The third value is the least distance of a point from an end of its own segment. It is
/// negative if a point is beyond an end.
///
/// The lines are `p + s u` and `q + t v`, where `p` and `q` are the starts of the segments and `u`
/// and `v` their unit vectors. With `n = u x v` and `w = q - p` the nearest points are at `s = (w x
/// v) . n / n . n` and `t = (w x u) . n / n . n`.
pub(super) fn nearest_of_lines(
    a: [[f64; 3]; 2],
    b: [[f64; 3]; 2],
) -> Option<([f64; 3], [f64; 3], f64)> {
    let [u, v] = [a, b].map(|[from, to]| unit(minus(to, from)));
    let n = cross(u, v);
    let squared = dot(n, n);
    if squared < f64::EPSILON * f64::EPSILON {
        return None;
    }
    let w = minus(b[0], a[0]);
    let s = dot(cross(w, v), n) / squared;
    let t = dot(cross(w, u), n) / squared;
    let [la, lb] = [a, b].map(|[from, to]| length(minus(to, from)));
    Some((
        std::array::from_fn(|k| a[0][k] + s * u[k]),
        std::array::from_fn(|k| b[0][k] + t * v[k]),
        s.min(la - s).min(t.min(lb - t)),
    ))
}
