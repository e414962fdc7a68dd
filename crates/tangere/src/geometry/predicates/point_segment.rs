//! Exact predicate for a point and a segment: whether the point lies on the segment.

use super::{SegmentFeature, are_collinear};

/// Exact predicate for a point and a segment: returns the feature of the segment on which the point
/// lies; none if it lies elsewhere.
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
