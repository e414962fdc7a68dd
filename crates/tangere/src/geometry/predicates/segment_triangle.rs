//! Exact intersection of a segment and a triangle, with every degenerate case distinguished.
//!
//! Cost: two `orient3d` where both ends lie strictly on one side of the plane, five where the
//! segment goes through it.

use super::degenerate_triangle::{edge_between, point_on_span, span};
use super::point_triangle::{feature_of_signs, sides, vertex_at};
use super::projection::projection;
use super::segment_segment::overlap_on_line;
use super::{
    SegmentFeature, SegmentSegment, Sign, TriangleFeature, orient2d, orient3d, point_on_segment,
    projected, segment_segment,
};

/// The intersection of a segment and a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SegmentTriangle {
    /// There is no common point, and the segment does not lie in the triangle's plane.
    Disjoint,
    /// The interior of the segment goes through the interior of the face.
    Crosses {
        /// Whether the second end of the segment lies on the side of the plane to which the
        /// triangle's normal points.
        upward: bool,
    },
    /// There is one common point, where the segment ends or passes through an edge or a vertex; the
    /// segment does not lie in the triangle's plane. Either `at` is an end, or `on` is an edge or a
    /// vertex, or both.
    Touches {
        /// The feature of the segment on which the common point lies.
        at: SegmentFeature,
        /// The feature of the triangle on which the common point lies.
        on: TriangleFeature,
        /// Whether the direction from start to end of the segment points to the side to which the
        /// triangle's normal points.
        upward: bool,
    },
    /// The segment lies in the plane of the triangle. A segment of length zero in the plane is a
    /// point, its `Start`.
    Coplanar(Shared),
    /// The triangle is degenerate. It is treated as a segment or a point: its features are its
    /// vertices and the edge between its ends.
    Degenerate(Shared),
}

/// The intersection of a triangle and a segment in its plane, or of a degenerate triangle and any
/// segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shared {
    /// The segment and the triangle have no common point.
    Nothing,
    /// The segment and the triangle have exactly one common point.
    Point {
        /// The feature of the segment on which the common point lies.
        at: SegmentFeature,
        /// The feature of the triangle on which the common point lies.
        on: TriangleFeature,
    },
    /// The segment and the triangle have a segment of positive length in common.
    Stretch {
        /// The edge of the triangle that contains the intersection; the face if the intersection
        /// goes through the interior of the triangle.
        on: TriangleFeature,
    },
}

impl SegmentTriangle {
    /// Returns whether the segment and the triangle have no common point.
    #[inline]
    pub fn is_disjoint(&self) -> bool {
        matches!(
            self,
            SegmentTriangle::Disjoint
                | SegmentTriangle::Coplanar(Shared::Nothing)
                | SegmentTriangle::Degenerate(Shared::Nothing)
        )
    }
}

/// Returns the exact intersection of a segment and a triangle.
///
/// ```
/// use tangere::geometry::{
///     SegmentFeature, SegmentTriangle, Shared, TriangleFeature, segment_triangle,
/// };
///
/// let triangle = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let common = |start, end| segment_triangle([start, end], triangle);
/// assert_eq!(
///     common([1.0, 1.0, -1.0], [1.0, 1.0, 1.0]),
///     SegmentTriangle::Crosses { upward: true },
/// );
/// // Down onto the long edge, where the segment ends.
/// assert_eq!(
///     common([2.0, 2.0, 1.0], [2.0, 2.0, 0.0]),
///     SegmentTriangle::Touches {
///         at: SegmentFeature::End,
///         on: TriangleFeature::Edge(1),
///         upward: false,
///     },
/// );
/// // In the plane, from one side of the triangle to the other.
/// assert_eq!(
///     common([-1.0, 1.0, 0.0], [5.0, 1.0, 0.0]),
///     SegmentTriangle::Coplanar(Shared::Stretch { on: TriangleFeature::Face }),
/// );
/// assert!(common([5.0, 5.0, -1.0], [5.0, 5.0, 1.0]).is_disjoint());
/// ```
#[inline]
pub fn segment_triangle(segment: [[f64; 3]; 2], triangle: [[f64; 3]; 3]) -> SegmentTriangle {
    let [p, q] = segment;
    let [a, b, c] = triangle;
    let below = orient3d(a, b, c, p);
    let above = orient3d(a, b, c, q);
    if below == above {
        return if below.is_zero() {
            in_plane(segment, triangle)
        } else {
            SegmentTriangle::Disjoint
        };
    }
    let upward = above > below;
    // The line meets the plane in one point, which lies on the inner side of edge `uv` if the
    // tetrahedron `pquv` has the sign of the direction.
    let side = |u, v| {
        let sign = orient3d(p, q, u, v);
        if upward { sign } else { -sign }
    };
    let mut signs = [Sign::Zero; 3];
    for (sign, (u, v)) in signs.iter_mut().zip([(a, b), (b, c), (c, a)]) {
        *sign = side(u, v);
        if *sign == Sign::Negative {
            return SegmentTriangle::Disjoint;
        }
    }
    let at = if below.is_zero() {
        SegmentFeature::Start
    } else if above.is_zero() {
        SegmentFeature::End
    } else {
        SegmentFeature::Interior
    };
    match (at, feature_of_signs(signs)) {
        (SegmentFeature::Interior, TriangleFeature::Face) => SegmentTriangle::Crosses { upward },
        (at, on) => SegmentTriangle::Touches { at, on, upward },
    }
}

/// Returns the intersection of a segment and a triangle for the two cases that need a projection:
/// both ends of the segment lie in the plane of the triangle, or the triangle is degenerate.
#[cold]
fn in_plane(segment: [[f64; 3]; 2], triangle: [[f64; 3]; 3]) -> SegmentTriangle {
    match projection(triangle) {
        Some((axis, up)) => SegmentTriangle::Coplanar(coplanar(segment, triangle, axis, up)),
        None => SegmentTriangle::Degenerate(degenerate(segment, triangle)),
    }
}

/// Returns the intersection of a segment and a triangle in one plane. The plane is not parallel to
/// the coordinate axis `axis`, along which both are projected; `up` is the orientation of the
/// projected triangle.
fn coplanar(segment: [[f64; 3]; 2], triangle: [[f64; 3]; 3], axis: usize, up: Sign) -> Shared {
    let [p, q] = segment.map(|x| projected(x, axis));
    let corners = triangle.map(|v| projected(v, axis));
    let of_p = sides(p, corners, up);
    let on_triangle = |signs: [Sign; 3], at| match signs.contains(&Sign::Negative) {
        true => Shared::Nothing,
        false => Shared::Point {
            at,
            on: feature_of_signs(signs),
        },
    };
    if p == q {
        return on_triangle(of_p, SegmentFeature::Start);
    }
    let of_q = sides(q, corners, up);
    for i in 0..3 {
        // The segment is not on the inner side of edge `i`: common points lie on the line of that
        // edge.
        match (of_p[i], of_q[i]) {
            (Sign::Positive, _) | (_, Sign::Positive) => {}
            (Sign::Negative, Sign::Negative) => return Shared::Nothing,
            (Sign::Zero, Sign::Negative) => return on_triangle(of_p, SegmentFeature::Start),
            (Sign::Negative, Sign::Zero) => return on_triangle(of_q, SegmentFeature::End),
            (Sign::Zero, Sign::Zero) => {
                let next = (i + 1) % 3;
                let edge = [triangle[i], triangle[next]];
                return match overlap_on_line(segment, edge) {
                    SegmentSegment::Disjoint => Shared::Nothing,
                    SegmentSegment::Stretch => Shared::Stretch {
                        on: TriangleFeature::Edge(i as u8),
                    },
                    SegmentSegment::Point { a, b } => Shared::Point {
                        at: a,
                        on: TriangleFeature::Vertex(match b {
                            SegmentFeature::Start => i as u8,
                            _ => next as u8,
                        }),
                    },
                };
            }
        }
    }
    // No edge separates, not even weakly. In the plane two convex sets are disjoint only if the
    // line of an edge of one of them separates them, so the segment's own line decides.
    let of_corners = corners.map(|v| orient2d(p, q, v));
    let [low, high] = [
        of_corners.contains(&Sign::Negative),
        of_corners.contains(&Sign::Positive),
    ];
    if low && high {
        // The line goes through the interior. If the segment had only one point there, it would end
        // on an edge and otherwise lie beyond that edge.
        return Shared::Stretch {
            on: TriangleFeature::Face,
        };
    }
    // The line touches one vertex; two would put the segment on the line of an edge.
    match of_corners.iter().position(|s| s.is_zero()) {
        None => Shared::Nothing,
        Some(i) => Shared::Point {
            at: if p == corners[i] {
                SegmentFeature::Start
            } else if q == corners[i] {
                SegmentFeature::End
            } else {
                SegmentFeature::Interior
            },
            on: TriangleFeature::Vertex(i as u8),
        },
    }
}

/// Returns the intersection of a segment and a degenerate triangle.
fn degenerate(segment: [[f64; 3]; 2], triangle: [[f64; 3]; 3]) -> Shared {
    let [p, q] = segment;
    if p == q {
        return match point_on_span(p, triangle) {
            None => Shared::Nothing,
            Some(on) => Shared::Point {
                at: SegmentFeature::Start,
                on,
            },
        };
    }
    let (first, last) = span(triangle);
    if first == last {
        return match point_on_segment(triangle[0], segment) {
            None => Shared::Nothing,
            Some(at) => Shared::Point {
                at,
                on: TriangleFeature::Vertex(0),
            },
        };
    }
    let ends = [triangle[first], triangle[last]];
    let edge = edge_between(first, last);
    match segment_segment(segment, ends) {
        SegmentSegment::Disjoint => Shared::Nothing,
        SegmentSegment::Stretch => Shared::Stretch { on: edge },
        SegmentSegment::Point { a: at, b } => {
            let on = match (b, at) {
                (SegmentFeature::Start, _) => vertex_at(ends[0], triangle),
                (SegmentFeature::End, _) => vertex_at(ends[1], triangle),
                (_, SegmentFeature::Start) => vertex_at(p, triangle),
                (_, SegmentFeature::End) => vertex_at(q, triangle),
                // The interiors meet, perhaps in the vertex between the ends.
                _ => {
                    let middle = 3 - first - last;
                    point_on_segment(triangle[middle], segment)
                        .map(|_| TriangleFeature::Vertex(middle as u8))
                }
            };
            Shared::Point {
                at,
                on: on.unwrap_or(edge),
            }
        }
    }
}
