//! Degenerate triangles (three collinear points): exact predicates that treat them as a segment or
//! a point.

use super::point_triangle::vertex_at;
use super::projection::projection;
use super::{TriangleFeature, point_on_segment};

/// Returns whether three points are collinear, so that their triangle is degenerate. The decision
/// is exact: a triangle has no area if and only if its projections along the three coordinate axes
/// have none.
#[inline]
pub fn are_collinear(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> bool {
    projection([a, b, c]).is_none()
}

/// Returns the indices of the two ends of a degenerate triangle, whose vertices lie on a segment.
/// They are the vertices with the smallest and the largest value of one coordinate: the first
/// coordinate that is not the same for all three vertices. Both indices are 0 if all vertices are
/// equal.
#[inline]
pub(super) fn span(triangle: [[f64; 3]; 3]) -> (usize, usize) {
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

/// Returns the edge of a triangle between vertices `i` and `j`, which differ; used for the edge
/// between the ends of a degenerate triangle.
#[inline]
pub(super) fn edge_between(i: usize, j: usize) -> TriangleFeature {
    TriangleFeature::Edge(if (i + 1) % 3 == j { i } else { j } as u8)
}

/// Returns the feature of a degenerate triangle on which a point lies: the vertex that equals the
/// point, otherwise the edge between the ends of the triangle; none if the point lies elsewhere.
#[cold]
pub(super) fn point_on_span(p: [f64; 3], triangle: [[f64; 3]; 3]) -> Option<TriangleFeature> {
    if let Some(vertex) = vertex_at(p, triangle) {
        return Some(vertex);
    }
    let (first, last) = span(triangle);
    point_on_segment(p, [triangle[first], triangle[last]]).map(|_| edge_between(first, last))
}
