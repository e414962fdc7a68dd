//! Affine span of points, the first step of their convex hull: finds four affinely independent
//! points (the initial simplex), or, if the points are collinear or coplanar, their whole hull.
//!
//! Cost: linear, plus a sort if all points lie in one plane. Any four affinely independent points
//! will do. Points far apart are chosen by rounded distances; whether they are independent is
//! decided exactly.

use crate::geometry::vector::{cross, dot, minus};
use crate::geometry::{Sign, are_collinear, orient2d, orient3d, projected};

/// The affine span of a set of points, by its dimension. Points are indices into the set. If the
/// points are collinear or coplanar, it has the corners of their hull, otherwise a simplex.
#[derive(Debug, PartialEq)]
pub(super) enum AffineSpan {
    /// All points are equal: the index of the first of them.
    Point(u32),
    /// All points lie on the segment between two of them: the indices of these two.
    Segment([u32; 2]),
    /// All points are coplanar: the indices of the corners of their hull in cyclic order, clockwise
    /// or counterclockwise.
    Flat(Vec<u32>),
    /// The indices of four affinely independent points, in an order in which [`orient3d`] is
    /// positive.
    Simplex([u32; 4]),
}

impl AffineSpan {
    /// Returns the affine span of at least one point. Equal points are represented by the first of
    /// them.
    pub(super) fn new(points: &[[f64; 3]]) -> Self {
        let at = |i: u32| points[i as usize];
        // The first and the last point by coordinates are corners of the hull.
        let (mut a, mut b) = (0, 0);
        for i in 1..points.len() as u32 {
            if at(i) < at(a) {
                a = i;
            }
            if at(i) > at(b) {
                b = i;
            }
        }
        if a == b || at(a) == at(b) {
            return AffineSpan::Point(a);
        }
        let off_line = |p| {
            let normal = cross(minus(at(b), at(a)), minus(p, at(a)));
            dot(normal, normal)
        };
        let Some(c) = far(points, off_line, |p| !are_collinear(at(a), at(b), p)) else {
            return AffineSpan::Segment([a, b]);
        };
        let normal = cross(minus(at(b), at(a)), minus(at(c), at(a)));
        let off_plane = |p| dot(normal, minus(p, at(a))).abs();
        let side = |p| orient3d(at(a), at(b), at(c), p);
        match far(points, off_plane, |p| !side(p).is_zero()) {
            None => AffineSpan::Flat(polygon(points, [at(a), at(b), at(c)])),
            Some(d) if side(at(d)) == Sign::Positive => AffineSpan::Simplex([a, b, c, d]),
            Some(d) => AffineSpan::Simplex([a, c, b, d]),
        }
    }
}

/// Returns the index of a point off an affine span (a line or a plane): the point whose distance
/// from the span, as `measure` computes it, is largest. `counts` decides exactly whether a point is
/// off the span. If rounding in `measure` has led to a point on the span, the first point off the
/// span is returned instead; none if all points lie on the span.
fn far(
    points: &[[f64; 3]],
    measure: impl Fn([f64; 3]) -> f64,
    counts: impl Fn([f64; 3]) -> bool,
) -> Option<u32> {
    let (mut farthest, mut distance) = (0, 0.0);
    for (i, &p) in points.iter().enumerate() {
        let d = measure(p);
        if d > distance {
            (farthest, distance) = (i, d);
        }
    }
    if !counts(points[farthest]) {
        farthest = points.iter().position(|&p| counts(p))?;
    }
    Some(farthest as u32)
}

/// Returns the corners of the hull of points whose affine span is the plane of `triangle`, as
/// indices in cyclic order. The points are projected along a coordinate axis; the hull in two
/// dimensions is found by Andrew's monotone chains (1979).
fn polygon(points: &[[f64; 3]], triangle: [[f64; 3]; 3]) -> Vec<u32> {
    let has_area = |axis: &usize| {
        let [a, b, c] = triangle.map(|p| projected(p, *axis));
        !orient2d(a, b, c).is_zero()
    };
    // A triangle with an area has a projected area along some axis.
    let axis = (0..3).find(has_area).unwrap_or(2);
    let at = |i: u32| projected(points[i as usize], axis);
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    let by_place = |&i: &u32, &j: &u32| {
        let by = |k: usize| at(i)[k].partial_cmp(&at(j)[k]);
        let place = by(0).unwrap_or(std::cmp::Ordering::Equal);
        let place = place.then(by(1).unwrap_or(std::cmp::Ordering::Equal));
        place.then(i.cmp(&j))
    };
    order.sort_unstable_by(by_place);
    // Of equal points the first is kept. The projection keeps different points of the plane apart.
    order.dedup_by(|i, j| at(*i) == at(*j));
    let mut corners: Vec<u32> = Vec::new();
    for pass in 0..2 {
        let start = corners.len();
        for &i in &order {
            while let [.., a, b] = corners[start..] {
                if orient2d(at(a), at(b), at(i)) == Sign::Positive {
                    break;
                }
                corners.pop();
            }
            corners.push(i);
        }
        // The last point of each chain is the first one of the other.
        corners.pop();
        if pass == 0 {
            order.reverse();
        }
    }
    corners
}
