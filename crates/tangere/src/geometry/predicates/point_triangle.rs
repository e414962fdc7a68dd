//! Exact predicate for a point and a triangle: whether the point lies on the triangle, and on which
//! vertex, edge or face.

use super::degenerate_triangle::point_on_span;
use super::projection::{projected, projection};
use super::{Sign, TriangleFeature, orient2d, orient3d};

/// Exact predicate for a point and a triangle: returns the feature of the triangle on which the
/// point lies; none if it lies elsewhere.
///
/// A degenerate triangle is treated as a segment or a point: a point on it lies on the vertex at
/// the same place (that of lowest index if there are several), or else on the edge that joins the
/// ends of the segment.
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

/// Exact predicate for a triangle and a point in its plane: returns the feature of the triangle on
/// which the point lies; none if it lies elsewhere. The result is that of [`point_on_triangle`].
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

/// Returns, for each edge of a triangle, the side of the edge's line on which a point lies:
/// positive on the inner side. The point and the triangle are projected to two dimensions; `up` is
/// the orientation of the projected triangle.
#[inline]
pub(super) fn sides(p: [f64; 2], triangle: [[f64; 2]; 3], up: Sign) -> [Sign; 3] {
    let [a, b, c] = triangle;
    [(a, b), (b, c), (c, a)].map(|(u, v)| {
        let sign = orient2d(u, v, p);
        if up == Sign::Positive { sign } else { -sign }
    })
}

/// Returns the feature of a triangle on which a point of the triangle lies. Each of `signs` is the
/// side of the line of one edge on which the point lies (positive: inner side, zero: on the line).
/// None is negative, because the point lies on the triangle.
#[inline]
pub(super) fn feature_of_signs(signs: [Sign; 3]) -> TriangleFeature {
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

/// Returns the vertex of a triangle that equals a point, the one of lowest index; none if no vertex
/// does.
#[inline]
pub(super) fn vertex_at(p: [f64; 3], triangle: [[f64; 3]; 3]) -> Option<TriangleFeature> {
    triangle
        .iter()
        .position(|&v| v == p)
        .map(|i| TriangleFeature::Vertex(i as u8))
}
