//! Exact triangle-triangle intersection test.
//!
//! Cost: three `orient3d` where one triangle lies strictly on one side of the other's plane, at
//! most eight otherwise. The test is that of O. Devillers, P. Guigue, *Faster triangle-triangle
//! intersection tests*, 2002: two different planes meet in a line, each triangle cuts that line in
//! an interval, and each pair of ends of the intervals is compared by one determinant.
//!
//! *Deviates:* touching and crossing are distinguished, and coplanar triangles are tested by the
//! separating lines of their edges instead of a walk through regions: the case is rare, and the
//! code is shorter.

use super::degenerate_triangle::span;
use super::projection::projection;
use super::triangle_plane::PlaneOf;
use super::{SegmentTriangle, Sign, orient2d, orient3d, projected, segment_triangle};

/// How two triangles intersect.
///
/// A triangle is closed: its edges belong to it, but not to its interior; a degenerate triangle (a
/// segment or a point) has no interior. If two triangles have a common point, then exactly one kind
/// applies. It depends neither on the order of the triangles nor on the order of their corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum IntersectionKind {
    /// The interiors have common points and the planes differ: the triangles go through each other
    /// in a segment of positive length.
    Crossing = 0,
    /// There are common points, but none in both interiors: every common point is on an edge or a
    /// vertex of at least one of the triangles. A degenerate triangle can only touch.
    Touching = 1,
    /// The interiors have common points and are coplanar: the intersection has an area.
    Coplanar = 2,
}

impl IntersectionKind {
    /// All kinds of triangle-triangle intersection, in the order of their values 0, 1 and 2.
    pub const ALL: [Self; 3] = [Self::Crossing, Self::Touching, Self::Coplanar];

    /// Returns the name of the kind of triangle-triangle intersection: `"crossing"`, `"touching"`
    /// or `"coplanar"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crossing => "crossing",
            Self::Touching => "touching",
            Self::Coplanar => "coplanar",
        }
    }
}

/// Exact triangle-triangle intersection test: returns how two triangles intersect; none if they
/// have no common point.
///
/// ```
/// use tangere::geometry::{IntersectionKind, triangle_triangle};
///
/// let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let meeting = |a, b, c| triangle_triangle(flat, [a, b, c]);
/// let (above, beside) = ([1.0, 1.0, 1.0], [3.0, 0.5, 2.0]);
/// assert_eq!(meeting([1.0, 1.0, -1.0], above, beside), Some(IntersectionKind::Crossing));
/// // Down to the plane and no further.
/// assert_eq!(meeting([1.0, 1.0, 0.0], above, beside), Some(IntersectionKind::Touching));
/// assert_eq!(meeting([1.0, 1.0, 1e-90], above, beside), None);
/// // In the plane: over each other, and along an edge.
/// let [o, p, q] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [1.0, 5.0, 0.0]];
/// assert_eq!(meeting(o, p, q), Some(IntersectionKind::Coplanar));
/// assert_eq!(meeting(o, p, [0.0, -1.0, 0.0]), Some(IntersectionKind::Touching));
/// ```
#[inline]
pub fn triangle_triangle(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> Option<IntersectionKind> {
    let of_a = PlaneOf::new(b).sides(a);
    if one_sided(of_a) {
        return None;
    }
    let of_b = PlaneOf::new(a).sides(b);
    if one_sided(of_b) {
        return None;
    }
    const FLAT: [Sign; 3] = [Sign::Zero; 3];
    if of_a == FLAT || of_b == FLAT {
        return in_one_plane(a, b);
    }
    crossing_planes(a, of_a, b, of_b)
}

/// Returns whether all corners of a triangle are strictly on one side of the plane of another
/// triangle. The signs are the sides on which the corners lie (zero: on the plane).
#[inline]
fn one_sided(signs: [Sign; 3]) -> bool {
    !signs[0].is_zero() && signs[0] == signs[1] && signs[1] == signs[2]
}

/// Triangle-triangle intersection test for planes that cross: returns how the triangles intersect;
/// none if they have no common point. `of_a` has the sides of the plane of `b` on which the corners
/// of `a` lie. `of_b` has the sides of the plane of `a` on which the corners of `b` lie.
///
/// Neither triangle lies in the plane of the other. So both triangles have an area: if `a` had
/// none, every point would count as lying on its plane. Nor are the planes parallel.
///
/// Let `A` and `B` be the planes of `a` and `b`, and `L` the line in which they meet. Let `a0` be
/// the corner of `a` that is alone on its side of `B`, and `h` the height of corners above `B`,
/// negative below, such that `h0 > h1` and `h0 > h2` (turn `B` if `a0` is below); `b0` and `k`
/// likewise. The line of `a0` and `a1` then meets `L` in one point `p`, that of `b0` and `b1` in
/// `q`. With `u` the direction of `L`, and `m` and `n` unit vectors normal to it in the planes `A`
/// and `B`, which point to the positive side of the other plane,
///
/// `det(a1 - a0, b1 - b0, q - p) = (h1 - h0)(k1 - k0) / (..) det(m, n, u) (q - p).u`
///
/// where `(..)` is positive. So the sign is that of `(q - p).u` if `u` is such that
/// `det(m, n, u) > 0`, and it is 0 only if `p = q`. Seen along this `u`, the corners of `a` in
/// their order give the interval from `a0a1` to `a0a2`, those of `b` the interval from `b0b2` to
/// `b0b1`.
#[inline]
pub(crate) fn crossing_planes(
    a: [[f64; 3]; 3],
    of_a: [Sign; 3],
    b: [[f64; 3]; 3],
    of_b: [Sign; 3],
) -> Option<IntersectionKind> {
    let (first_a, is_above_b) = alone(of_a);
    let (first_b, is_above_a) = alone(of_b);
    // The indices of the other corners, ordered such that `a0` and `b0` lie above the other plane.
    let others = |first: usize, is_turned: bool| match is_turned {
        false => [(first + 1) % 3, (first + 2) % 3],
        true => [(first + 2) % 3, (first + 1) % 3],
    };
    let (a0, [i, j]) = (a[first_a], others(first_a, !is_above_a));
    let (a1, a2) = (a[i], a[j]);
    let (b0, [i, j]) = (b[first_b], others(first_b, !is_above_b));
    let (b1, b2) = (b[i], b[j]);
    // The interval of `a` begins before that of `b` ends, and ends after it begins.
    let before = -orient3d(a0, a1, b0, b1);
    if before == Sign::Negative {
        return None;
    }
    let after = orient3d(a0, a2, b0, b2);
    if after == Sign::Negative {
        return None;
    }
    // The interval has positive length in the interior of the triangle, not on an edge.
    let through =
        |signs: [Sign; 3]| signs.contains(&Sign::Positive) && signs.contains(&Sign::Negative);
    let overlap = before == Sign::Positive && after == Sign::Positive;
    Some(match overlap && through(of_a) && through(of_b) {
        true => IntersectionKind::Crossing,
        false => IntersectionKind::Touching,
    })
}

/// Returns the index of the corner of a triangle that is alone on its side of another triangle's
/// plane, and whether it is above the other two corners. A corner on the plane counts as above or
/// below, such that one corner is alone. The signs are the sides of the plane on which the corners
/// lie (zero: on the plane). They are not all equal.
#[inline]
fn alone(signs: [Sign; 3]) -> (usize, bool) {
    for (i, others) in [(0, [1, 2]), (1, [2, 0]), (2, [0, 1])] {
        let [x, y] = others.map(|k| signs[k]);
        // A corner is higher than both others if it is positive among others that are not, or on
        // the plane with both others below.
        if x < signs[i] && y < signs[i] && x != Sign::Positive && y != Sign::Positive {
            return (i, true);
        }
        if x > signs[i] && y > signs[i] && x != Sign::Negative && y != Sign::Negative {
            return (i, false);
        }
    }
    // The three signs are not all equal: either one differs from two that are equal, and is found
    // above, or all differ, and the positive one is.
    (0, true)
}

/// Returns how two triangles intersect that are coplanar, or of which one is degenerate; none if
/// they have no common point.
#[cold]
fn in_one_plane(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> Option<IntersectionKind> {
    let touching =
        |common: SegmentTriangle| (!common.is_disjoint()).then_some(IntersectionKind::Touching);
    let segment = |t: [[f64; 3]; 3]| {
        let (first, last) = span(t);
        [t[first], t[last]]
    };
    match (projection(a), projection(b)) {
        (None, _) => touching(segment_triangle(segment(a), b)),
        (_, None) => touching(segment_triangle(segment(b), a)),
        // A projection that is one to one for one triangle of a plane is so for the other.
        (Some((axis, _)), Some(_)) => {
            let flat = |t: [[f64; 3]; 3]| {
                let [p, q, r] = t.map(|v| projected(v, axis));
                match orient2d(p, q, r) {
                    Sign::Negative => [p, r, q],
                    _ => [p, q, r],
                }
            };
            let (a, b) = (flat(a), flat(b));
            match separation(a, b).max(separation(b, a)) {
                Separation::None => Some(IntersectionKind::Coplanar),
                Separation::Weak => Some(IntersectionKind::Touching),
                Separation::Strict => None,
            }
        }
    }
}

/// How strongly the line of an edge of one of two coplanar triangles separates them, from the
/// weakest to the strongest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Separation {
    /// No line of an edge separates the two triangles.
    None,
    /// The line of an edge of one triangle separates the two triangles, but both have points on it.
    Weak,
    /// The line of an edge of one triangle separates the two triangles, and the other triangle has
    /// no point on the line.
    Strict,
}

/// Returns the strongest separation of two coplanar triangles by the line of an edge of `a`:
/// strict, weak or none. The triangles are projected to two dimensions, and `a` is
/// counterclockwise.
///
/// The edges of the Minkowski difference of two convex polygons are parallel to edges of the
/// polygons. If the origin is not in the interior of the difference, then the line of an edge of
/// the difference separates it from the origin. So the line of an edge of one of the polygons
/// separates the two polygons.
fn separation(a: [[f64; 2]; 3], b: [[f64; 2]; 3]) -> Separation {
    let of_edge = |i: usize| {
        let signs = b.map(|p| orient2d(a[i], a[(i + 1) % 3], p));
        if signs.contains(&Sign::Positive) {
            Separation::None
        } else if signs.contains(&Sign::Zero) {
            Separation::Weak
        } else {
            Separation::Strict
        }
    };
    of_edge(0).max(of_edge(1)).max(of_edge(2))
}
