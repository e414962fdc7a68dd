//! Triangles in space, given by their corners.

use super::Vector;
use robust::{Coord, orient2d};

/// A triangle's corners.
pub type Corners = [[f64; 3]; 3];

/// `(b - a) x (c - a)`: along the normal, as long as twice the area.
#[inline]
pub fn double_area_normal([a, b, c]: Corners) -> Vector<3> {
    let (a, b, c) = (Vector::from(a), Vector::from(b), Vector::from(c));
    (b - a).cross(&(c - a))
}

/// The area.
#[inline]
pub fn area(corners: Corners) -> f64 {
    0.5 * double_area_normal(corners).norm()
}

/// Six times the signed volume of the tetrahedron from `origin` to the
/// triangle, positive where the normal points away from the origin. Summed over
/// a closed surface it is six times the enclosed volume (the divergence theorem
/// for the field x / 3); divided by six at the end, sums of integers stay exact.
#[inline]
pub fn sixfold_volume(origin: [f64; 3], [a, b, c]: Corners) -> f64 {
    let o = Vector::from(origin);
    let (a, b, c) = (
        Vector::from(a) - o,
        Vector::from(b) - o,
        Vector::from(c) - o,
    );
    a.dot(&b.cross(&c))
}

/// The signed solid angle under which the triangle is seen from `x`, positive
/// when it is seen from the side its normal points away from.
///
/// Van Oosterom and Strackee 1983: tan(angle / 2) is the triple product of
/// the corners seen from `x`, over |a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|.
#[inline]
pub fn solid_angle(x: [f64; 3], [a, b, c]: Corners) -> f64 {
    let x = Vector::from(x);
    let (a, b, c) = (
        Vector::from(a) - x,
        Vector::from(b) - x,
        Vector::from(c) - x,
    );
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let numerator = a.dot(&b.cross(&c));
    let denominator = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
    2.0 * numerator.atan2(denominator)
}

/// Whether the corners lie exactly on one line (or in one point).
///
/// Exact: three points are collinear in space when they are in all three
/// coordinate planes.
#[inline]
pub fn is_degenerate(corners: Corners) -> bool {
    let collinear = |i: usize, j: usize| {
        let [a, b, c] = corners.map(|p| Coord { x: p[i], y: p[j] });
        orient2d(a, b, c) == 0.0
    };
    collinear(0, 1) && collinear(1, 2) && collinear(2, 0)
}
