//! Orthogonal directions: a direction orthogonal to a unit vector, made from any other vector by
//! Gram-Schmidt.

use super::TINY;
use crate::geometry::vector::dot;

/// A direction orthogonal to the unit vector `x`, by Gram-Schmidt: that of the orthogonal component
/// of `v`; any orthogonal direction if `v` is parallel to `x`.
pub(in crate::closest) fn across(x: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    upright(x, v).unwrap_or_else(|| {
        let least = (1..3).fold(0, |l, k| if x[k].abs() < x[l].abs() { k } else { l });
        let mut other = [0.0; 3];
        other[least] = 1.0;
        // At least a third of its square is orthogonal to `x`.
        upright(x, other).unwrap_or(other)
    })
}

/// The direction of the component of `v` orthogonal to the unit vector `x`, by Gram-Schmidt; `None`
/// if this component is no more than rounding.
fn upright(x: [f64; 3], v: [f64; 3]) -> Option<[f64; 3]> {
    let mut y = v;
    // Gram-Schmidt twice: the first pass leaves an error of the rounding of `v`, which may be large
    // relative to the rest; after the second the result is orthogonal if the first left a direction
    // at all.
    for _ in 0..2 {
        let square = dot(y, y);
        if square < f64::from(TINY) * f64::from(TINY) {
            return None;
        }
        let (lean, inverse) = (dot(x, y), 1.0 / square.sqrt());
        y = std::array::from_fn(|k| (y[k] - lean * x[k]) * inverse);
    }
    let square = dot(y, y);
    (square > 0.25).then(|| {
        let inverse = 1.0 / square.sqrt();
        y.map(|c| c * inverse)
    })
}
