//! Exact intersection of two segments in space.

use super::{SegmentFeature, Sign, orient2d, orient3d, point_on_segment, projected};

/// The intersection of two segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SegmentSegment {
    /// The segments share no point.
    Disjoint,
    /// The segments share one point, on this feature of each.
    Point {
        /// The feature of the first segment on which the common point lies.
        a: SegmentFeature,
        /// The feature of the second segment on which the common point lies.
        b: SegmentFeature,
    },
    /// The segments are collinear and share a segment of positive length.
    Stretch,
}

/// Returns the exact intersection of two segments. A segment of length zero is a point, its
/// `Start`.
#[inline]
pub fn segment_segment(a: [[f64; 3]; 2], b: [[f64; 3]; 2]) -> SegmentSegment {
    let point = |a, b| SegmentSegment::Point { a, b };
    if a[0] == a[1] {
        return match point_on_segment(a[0], b) {
            Some(on_b) => point(SegmentFeature::Start, on_b),
            None => SegmentSegment::Disjoint,
        };
    }
    if b[0] == b[1] {
        return match point_on_segment(b[0], a) {
            Some(on_a) => point(on_a, SegmentFeature::Start),
            None => SegmentSegment::Disjoint,
        };
    }
    if !orient3d(a[0], a[1], b[0], b[1]).is_zero() {
        return SegmentSegment::Disjoint;
    }
    // The four points lie in one plane. A projection in which an end of `b` is not on the line of
    // `a` keeps the area of the plane, so it is one to one there.
    for axis in [2, 0, 1] {
        let [a0, a1] = a.map(|p| projected(p, axis));
        let [b0, b1] = b.map(|p| projected(p, axis));
        let of_b = [orient2d(a0, a1, b0), orient2d(a0, a1, b1)];
        if of_b == [Sign::Zero; 2] {
            continue;
        }
        let of_a = [orient2d(b0, b1, a0), orient2d(b0, b1, a1)];
        // A segment with both ends strictly on one side of the other line is disjoint. Two zeros in
        // `of_a` would put both segments on one line, which `of_b` excludes.
        if of_b[0] == of_b[1] || of_a[0] == of_a[1] {
            return SegmentSegment::Disjoint;
        }
        return point(end_on_line(of_a), end_on_line(of_b));
    }
    overlap_on_line(a, b)
}

/// Returns the feature of a segment at which the segment meets the line through another segment.
/// The signs are the sides of that line on which the start and the end of the segment lie (zero: on
/// the line). They are not both zero.
#[inline]
fn end_on_line([start, end]: [Sign; 2]) -> SegmentFeature {
    if start.is_zero() {
        SegmentFeature::Start
    } else if end.is_zero() {
        SegmentFeature::End
    } else {
        SegmentFeature::Interior
    }
}

/// Returns the intersection of two collinear segments, neither of length zero. Points on their line
/// are compared by one coordinate, the first that varies along it.
#[inline]
pub(super) fn overlap_on_line(a: [[f64; 3]; 2], b: [[f64; 3]; 2]) -> SegmentSegment {
    let Some(k) = (0..3).find(|&k| a[0][k] != a[1][k]) else {
        return SegmentSegment::Disjoint;
    };
    let [a, b] = [a, b].map(|s| [s[0][k], s[1][k]]);
    let low = a[0].min(a[1]).max(b[0].min(b[1]));
    let high = a[0].max(a[1]).min(b[0].max(b[1]));
    let end_at = |s: [f64; 2]| {
        if s[0] == low {
            SegmentFeature::Start
        } else {
            SegmentFeature::End
        }
    };
    if low < high {
        SegmentSegment::Stretch
    } else if low == high {
        SegmentSegment::Point {
            a: end_at(a),
            b: end_at(b),
        }
    } else {
        SegmentSegment::Disjoint
    }
}
