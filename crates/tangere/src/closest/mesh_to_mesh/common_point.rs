//! Common point of two intersecting triangles.
//!
//! Whether the triangles intersect is decided exactly beforehand; the point is computed in floating
//! point.

use super::triangle_distance::distance_apart;
use crate::geometry::triangle::{closest_on_triangle, unit_normal};
use crate::geometry::vector::{dot, minus};
use crate::geometry::{SegmentFeature, SegmentTriangle, flushed, segment_triangle};

/// A common point of two intersecting triangles.
///
/// It is the mean of the points where edges of one triangle pierce or touch the other: as a rule
/// the middle of the segment of intersection. For coplanar triangles without such points it is a
/// closest point, computed as for disjoint triangles. Where rounding leaves the mean farther from
/// the triangles than this closest point, the closest point is returned as well.
pub(super) fn common_point(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> [f64; 3] {
    let (mut mean, mut count) = ([0.0; 3], 0.0);
    for (of, on) in [(a, b), (b, a)] {
        for i in 0..3 {
            if let Some(p) = pierced([of[i], of[(i + 1) % 3]], on) {
                count += 1.0;
                // A running mean, so that sums of large numbers do not overflow.
                mean = std::array::from_fn(|k| mean[k] + (p[k] - mean[k]) / count);
            }
        }
    }
    // Where an edge lies nearly in the plane of the other triangle, the parameter along it is lost
    // to rounding. But then corners or edges are near the other triangle.
    let apart = distance_apart(a, b).1;
    let off = |p: [f64; 3]| {
        let squares = [a, b].map(|on| closest_on_triangle(p, on).distance_squared);
        squares[0].max(squares[1])
    };
    let mut best = (off(apart.point_a), apart.point_a);
    let beside = (off(apart.point_b), apart.point_b);
    if beside < best {
        best = beside;
    }
    if count > 0.0 {
        let mean = flushed(mean);
        if off(mean) <= best.0 {
            return mean;
        }
    }
    best.1
}

/// The common point of a segment and a triangle that it pierces or touches; `None` if there is
/// none, or more than one.
fn pierced([p, q]: [[f64; 3]; 2], triangle: [[f64; 3]; 3]) -> Option<[f64; 3]> {
    match segment_triangle([p, q], triangle) {
        SegmentTriangle::Touches {
            at: SegmentFeature::Start,
            ..
        } => Some(p),
        SegmentTriangle::Touches {
            at: SegmentFeature::End,
            ..
        } => Some(q),
        SegmentTriangle::Crosses { .. } | SegmentTriangle::Touches { .. } => {
            let normal = unit_normal(triangle)?;
            let height = |x: [f64; 3]| dot(normal, minus(x, triangle[0]));
            let (from, to) = (height(p), height(q));
            let t = from / (from - to);
            let t = if t.is_finite() {
                t.clamp(0.0, 1.0)
            } else {
                0.5
            };
            let x = flushed(std::array::from_fn(|k| p[k] + t * (q[k] - p[k])));
            Some(closest_on_triangle(x, triangle).point)
        }
        _ => None,
    }
}
