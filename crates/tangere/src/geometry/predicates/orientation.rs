//! Orientation predicates `orient2d` and `orient3d`: the side of a line or plane on which a point
//! lies, exactly.
//!
//! Shewchuk's floating-point filter comes first; exact arithmetic decides the rest.

use super::{Sign, integer_orient3d};
use robust::{Coord, Coord3D};

/// The unit roundoff 2^-53: half a unit in the last place of 1.
const EPSILON: f64 = f64::EPSILON / 2.0;

/// The relative error bound of Shewchuk's first filter for `orient2d` (his `ccwerrboundA`). The
/// permanent is the sum of the magnitudes of the terms of the determinant. If the computed
/// determinant exceeds this bound times the permanent in magnitude, then its sign is right.
const BOUND_2D: f64 = (3.0 + 16.0 * EPSILON) * EPSILON;

/// The relative error bound of Shewchuk's first filter for `orient3d` (his `o3derrboundA`). The
/// permanent is the sum of the magnitudes of the terms of the determinant. If the computed
/// determinant exceeds this bound times the permanent in magnitude, then its sign is right.
pub(crate) const BOUND_3D: f64 = (7.0 + 56.0 * EPSILON) * EPSILON;

/// Orientation predicate in the plane: returns the side of the line from `a` to `b` on which `c`
/// lies. The sign is positive on the left, where `a`, `b`, `c` turn counterclockwise.
#[inline]
pub fn orient2d(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Sign {
    // The filter is written out here so that callers inline it.
    let left = (a[0] - c[0]) * (b[1] - c[1]);
    let right = (a[1] - c[1]) * (b[0] - c[0]);
    let determinant = left - right;
    // Equality means that both products are 0, and so is the determinant.
    if determinant.abs() >= BOUND_2D * (left.abs() + right.abs()) {
        return Sign::of(determinant);
    }
    orient2d_in_doubt(a, b, c)
}

/// Returns the orientation [`orient2d`] in exact arithmetic. It is called if the floating-point
/// filter of `orient2d` does not decide.
#[cold]
fn orient2d_in_doubt(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Sign {
    let coord = |[x, y]: [f64; 2]| Coord { x, y };
    Sign::of(robust::orient2d(coord(a), coord(b), coord(c)))
}

/// Orientation predicate in space: returns the side of the plane through `a`, `b`, `c` on which `d`
/// lies. The sign is positive on the side to which the normal `(b - a) x (c - a)` points, from
/// which `a`, `b`, `c` appear counterclockwise. It is the sign of the volume of the tetrahedron
/// `abcd`, positive for the origin and the unit points of x, y and z in this order.
///
/// ```
/// use tangere::geometry::{Sign, orient3d};
///
/// let (a, b, c) = ([0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [0.0, 1.0, 0.5]);
/// let height = |z| orient3d(a, b, c, [0.3, 0.3, z]);
/// assert_eq!(height(0.5), Sign::Zero);
/// assert_eq!(height(0.5_f64.next_up()), Sign::Positive);
/// assert_eq!(height(0.5_f64.next_down()), Sign::Negative);
/// ```
#[inline]
pub fn orient3d(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3]) -> Sign {
    let from_d = |p: [f64; 3]| [p[0] - d[0], p[1] - d[1], p[2] - d[2]];
    let (a_, b_, c_) = (from_d(a), from_d(b), from_d(c));
    // The minors as pairs of products, in Shewchuk's order.
    let minor = |u: [f64; 3], v: [f64; 3]| (u[0] * v[1], v[0] * u[1]);
    let (bc, ca, ab) = (minor(b_, c_), minor(c_, a_), minor(a_, b_));
    let determinant = a_[2] * (bc.0 - bc.1) + b_[2] * (ca.0 - ca.1) + c_[2] * (ab.0 - ab.1);
    let size = |m: (f64, f64)| m.0.abs() + m.1.abs();
    let permanent = size(bc) * a_[2].abs() + size(ca) * b_[2].abs() + size(ab) * c_[2].abs();
    if determinant.abs() >= BOUND_3D * permanent {
        // Shewchuk's sign is positive below the plane.
        return -Sign::of(determinant);
    }
    orient3d_in_doubt(a, b, c, d)
}

/// Returns the orientation [`orient3d`] in exact arithmetic: in integers if they fit, otherwise in
/// expansions. It is called if the floating-point filter of `orient3d` does not decide.
#[cold]
pub(super) fn orient3d_in_doubt(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3]) -> Sign {
    if let Some(sign) = integer_orient3d::orient3d(a, b, c, d) {
        return sign;
    }
    let coord = |[x, y, z]: [f64; 3]| Coord3D { x, y, z };
    -Sign::of(robust::orient3d(coord(a), coord(b), coord(c), coord(d)))
}
