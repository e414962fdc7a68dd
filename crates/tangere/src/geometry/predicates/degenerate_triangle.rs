//! Degenerate triangles (three collinear points): exact predicates that treat them as a segment or
//! a point.

use super::point_triangle::vertex_at;
use super::projection::projection;
use super::{TriangleFeature, point_on_segment};

/// Returns whether three points are collinear, so that their triangle is degenerate, decided
/// exactly: a triangle has no area if and only if none of its three projections has.
#[inline]
pub fn are_collinear(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> bool {
    projection([a, b, c]).is_none()
}

/// Returns the ends of a degenerate triangle, which is a segment or a point: the indices of the
/// vertices with the smallest and the largest value of the first coordinate that is not the same
/// for all three. Both are 0 if it is a point.
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

/// Returns the edge of a degenerate triangle that joins two different vertices, such as its ends.
#[inline]
pub(super) fn edge_between(i: usize, j: usize) -> TriangleFeature {
    TriangleFeature::Edge(if (i + 1) % 3 == j { i } else { j } as u8)
}

/// Returns the feature of a degenerate triangle on which a point lies, as
/// [`point_on_triangle`](super::point_on_triangle) does.
#[cold]
pub(super) fn point_on_span(p: [f64; 3], triangle: [[f64; 3]; 3]) -> Option<TriangleFeature> {
    if let Some(vertex) = vertex_at(p, triangle) {
        return Some(vertex);
    }
    let (first, last) = span(triangle);
    point_on_segment(p, [triangle[first], triangle[last]]).map(|_| edge_between(first, last))
}
