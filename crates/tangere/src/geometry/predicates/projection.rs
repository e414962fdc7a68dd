//! Projection of triangles along a coordinate axis, for predicates on coplanar points: dropping a
//! coordinate is exact.

use super::{Sign, orient2d};

/// Returns the projection of a point along a coordinate axis: the point without coordinate `axis`.
/// The other two coordinates are in cyclic order: a triangle that is counterclockwise as seen from
/// the positive end of the axis stays so. The projection along z is (x, y).
#[inline]
pub(crate) fn projected(p: [f64; 3], axis: usize) -> [f64; 2] {
    [p[(axis + 1) % 3], p[(axis + 2) % 3]]
}

/// Returns a coordinate axis along which the projection of a triangle is not degenerate, and the
/// orientation of the projected triangle (positive: counterclockwise). None if the triangle itself
/// is degenerate.
#[inline]
pub(super) fn projection(triangle: [[f64; 3]; 3]) -> Option<(usize, Sign)> {
    // The z axis comes first: it decides at once for two-dimensional data.
    [2, 0, 1].into_iter().find_map(|axis| {
        let [a, b, c] = triangle.map(|p| projected(p, axis));
        let sign = orient2d(a, b, c);
        (!sign.is_zero()).then_some((axis, sign))
    })
}
