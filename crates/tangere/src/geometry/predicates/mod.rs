//! Exact geometric predicates: orientation, incidence and intersection of points, segments and
//! triangles.
//!
//! Every function returns the result of exact arithmetic, provided that all coordinates are valid
//! ([`is_valid_coordinate`]); for other coordinates it returns some result. Decisions rest on
//! comparisons of coordinates and on two predicates alone, Shewchuk's `orient2d` and `orient3d`.
//! These use a floating-point filter first, and exact arithmetic only where the error bound of the
//! filter does not decide (integers if they fit, see `integer_orient3d`). Coplanar points are
//! projected along a coordinate axis under which their plane keeps an area; dropping a coordinate
//! is exact.
//!
//! [`is_valid_coordinate`]: super::is_valid_coordinate

mod integer_orient3d;
mod segment_segment;
mod segment_triangle;
mod triangle_plane;
mod triangle_triangle;

pub use segment_segment::{SegmentSegment, segment_segment};
pub use segment_triangle::{SegmentTriangle, Shared, segment_triangle};
use triangle_plane::PlaneOf;
pub(crate) use triangle_triangle::crossing_planes;
pub use triangle_triangle::{IntersectionKind, triangle_triangle};

use robust::{Coord, Coord3D};

/// Half a unit in the last place of 1.
const EPSILON: f64 = f64::EPSILON / 2.0;
/// The bound of Shewchuk's first filter for `orient2d` (his `ccwerrboundA`): a determinant of
/// larger magnitude than this times its permanent has the sign that rounded arithmetic gives it.
const BOUND_2D: f64 = (3.0 + 16.0 * EPSILON) * EPSILON;
/// The bound of Shewchuk's first filter for `orient3d` (his `o3derrboundA`).
pub(crate) const BOUND_3D: f64 = (7.0 + 56.0 * EPSILON) * EPSILON;

/// The sign of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// The number is below 0.
    Negative,
    /// The number is exactly 0.
    Zero,
    /// The number is above 0.
    Positive,
}

impl Sign {
    /// Returns the sign of `x`; that of a NaN is zero.
    #[inline]
    pub fn of(x: f64) -> Self {
        if x > 0.0 {
            Sign::Positive
        } else if x < 0.0 {
            Sign::Negative
        } else {
            Sign::Zero
        }
    }

    /// Returns whether the number is exactly 0.
    #[inline]
    pub fn is_zero(self) -> bool {
        self == Sign::Zero
    }
}

impl std::ops::Neg for Sign {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        match self {
            Sign::Negative => Sign::Positive,
            Sign::Zero => Sign::Zero,
            Sign::Positive => Sign::Negative,
        }
    }
}

/// The feature of a triangle on which a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TriangleFeature {
    /// Vertex 0, 1 or 2.
    Vertex(u8),
    /// Edge `i` without its ends; it goes from vertex `i` to vertex `(i + 1) % 3`.
    Edge(u8),
    /// The interior of the triangle.
    Face,
}

/// The feature of a segment on which a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SegmentFeature {
    /// The first end, also of a segment of length zero.
    Start,
    /// The second end.
    End,
    /// The segment without its ends.
    Interior,
}

/// Returns the side of the line from `a` to `b` on which `c` lies: positive on the left, where `a`,
/// `b`, `c` turn counterclockwise.
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

/// Returns `orient2d` where its filter does not decide.
#[cold]
fn orient2d_in_doubt(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Sign {
    let coord = |[x, y]: [f64; 2]| Coord { x, y };
    Sign::of(robust::orient2d(coord(a), coord(b), coord(c)))
}

/// Returns the side of the plane through `a`, `b`, `c` on which `d` lies: positive on the side to
/// which the normal `(b - a) x (c - a)` points, from which `a`, `b`, `c` appear counterclockwise.
/// It is the sign of the volume of the tetrahedron `abcd`, positive for the origin and the unit
/// points of x, y and z in this order.
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

/// Returns `orient3d` where its filter does not decide: in integers if they fit, else in
/// expansions.
#[cold]
fn orient3d_in_doubt(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3]) -> Sign {
    if let Some(sign) = integer_orient3d::orient3d(a, b, c, d) {
        return sign;
    }
    let coord = |[x, y, z]: [f64; 3]| Coord3D { x, y, z };
    -Sign::of(robust::orient3d(coord(a), coord(b), coord(c), coord(d)))
}

/// Returns the point without coordinate `axis`; the two others are in cyclic order, so that the
/// projection along z keeps (x, y) and orientations.
#[inline]
pub(super) fn projected(p: [f64; 3], axis: usize) -> [f64; 2] {
    [p[(axis + 1) % 3], p[(axis + 2) % 3]]
}

/// Returns whether three points lie on one line: a triangle has no area if and only if none of its
/// three projections has.
#[inline]
pub fn are_collinear(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> bool {
    projection([a, b, c]).is_none()
}

/// Returns an axis along which the projection of the triangle has an area, and the sign of that
/// area; none if the triangle has no area itself.
#[inline]
fn projection(triangle: [[f64; 3]; 3]) -> Option<(usize, Sign)> {
    // The z axis comes first: it decides at once for two-dimensional data.
    [2, 0, 1].into_iter().find_map(|axis| {
        let [a, b, c] = triangle.map(|p| projected(p, axis));
        let sign = orient2d(a, b, c);
        (!sign.is_zero()).then_some((axis, sign))
    })
}

/// Returns the ends of a triangle without area, which is a segment or a point: the indices of its
/// first and last vertex in the direction of a coordinate in which it extends. Both are 0 if it is
/// a point.
#[inline]
fn span(triangle: [[f64; 3]; 3]) -> (usize, usize) {
    for axis in [0, 1, 2] {
        let (mut first, mut last) = (0, 0);
        for i in 1..3 {
            if triangle[i][axis] < triangle[first][axis] {
                first = i;
            }
            if triangle[i][axis] > triangle[last][axis] {
                last = i;
            }
        }
        if first != last {
            return (first, last);
        }
    }
    (0, 0)
}

/// Returns the edge that joins two different vertices.
#[inline]
fn edge_between(i: usize, j: usize) -> TriangleFeature {
    TriangleFeature::Edge(if (i + 1) % 3 == j { i } else { j } as u8)
}

/// Returns the feature on which a point of the closed triangle lies, given its sides of the three
/// edges, none of which is negative.
#[inline]
fn feature_of_signs(signs: [Sign; 3]) -> TriangleFeature {
    match signs.map(Sign::is_zero) {
        [false, false, false] => TriangleFeature::Face,
        [true, false, false] => TriangleFeature::Edge(0),
        [false, true, false] => TriangleFeature::Edge(1),
        [false, false, true] => TriangleFeature::Edge(2),
        // Two edges meet in one vertex; three zeros need a triangle without area.
        [true, _, true] => TriangleFeature::Vertex(0),
        [true, true, false] => TriangleFeature::Vertex(1),
        [false, true, true] => TriangleFeature::Vertex(2),
    }
}

/// Returns the feature of the segment on which the point lies; none if it lies elsewhere.
#[inline]
pub fn point_on_segment(p: [f64; 3], segment: [[f64; 3]; 2]) -> Option<SegmentFeature> {
    let [a, b] = segment;
    if p == a {
        return Some(SegmentFeature::Start);
    }
    if p == b {
        return Some(SegmentFeature::End);
    }
    let between = |k: usize| (a[k] <= p[k] && p[k] <= b[k]) || (b[k] <= p[k] && p[k] <= a[k]);
    ((0..3).all(between) && are_collinear(a, b, p)).then_some(SegmentFeature::Interior)
}

/// Returns the feature of the triangle on which the point lies; none if it lies elsewhere.
///
/// A degenerate triangle is treated as a segment or a point: a point on it lies on the vertex of
/// lowest index there, or else on the edge that joins the ends.
///
/// ```
/// use tangere::geometry::{TriangleFeature, point_on_triangle};
///
/// let triangle = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let feature = |x, y, z| point_on_triangle([x, y, z], triangle);
/// assert_eq!(feature(1.0, 1.0, 0.0), Some(TriangleFeature::Face));
/// assert_eq!(feature(1.0, 3.0, 0.0), Some(TriangleFeature::Edge(1)));
/// assert_eq!(feature(0.0, 4.0, 0.0), Some(TriangleFeature::Vertex(2)));
/// assert_eq!(feature(1.0, 1.0, 1e-90), None);
/// ```
#[inline]
pub fn point_on_triangle(p: [f64; 3], triangle: [[f64; 3]; 3]) -> Option<TriangleFeature> {
    let [a, b, c] = triangle;
    match orient3d(a, b, c, p) {
        Sign::Zero => point_of_plane_on_triangle(p, triangle),
        _ => None,
    }
}

/// Exact predicate: the feature of a triangle on which a point lies, as [`point_on_triangle`], if the
/// point is known to lie in the triangle's plane.
#[inline]
pub(crate) fn point_of_plane_on_triangle(
    p: [f64; 3],
    triangle: [[f64; 3]; 3],
) -> Option<TriangleFeature> {
    match projection(triangle) {
        Some((axis, up)) => {
            let signs = sides(projected(p, axis), triangle.map(|v| projected(v, axis)), up);
            (!signs.contains(&Sign::Negative)).then(|| feature_of_signs(signs))
        }
        None => point_on_span(p, triangle),
    }
}

/// Returns the sides of the three edges of a triangle in the plane on which `p` lies, positive
/// inside; `up` is the triangle's orientation.
#[inline]
fn sides(p: [f64; 2], triangle: [[f64; 2]; 3], up: Sign) -> [Sign; 3] {
    let [a, b, c] = triangle;
    [(a, b), (b, c), (c, a)].map(|(u, v)| {
        let sign = orient2d(u, v, p);
        if up == Sign::Positive { sign } else { -sign }
    })
}

/// Returns [`point_on_triangle`] of a triangle without area.
#[cold]
fn point_on_span(p: [f64; 3], triangle: [[f64; 3]; 3]) -> Option<TriangleFeature> {
    if let Some(vertex) = vertex_at(p, triangle) {
        return Some(vertex);
    }
    let (first, last) = span(triangle);
    point_on_segment(p, [triangle[first], triangle[last]]).map(|_| edge_between(first, last))
}

/// Returns the vertex of lowest index that equals a point.
#[inline]
fn vertex_at(p: [f64; 3], triangle: [[f64; 3]; 3]) -> Option<TriangleFeature> {
    triangle
        .iter()
        .position(|&v| v == p)
        .map(|i| TriangleFeature::Vertex(i as u8))
}
