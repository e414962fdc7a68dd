//! Minkowski difference of a pair of primitives: the convex hull of the differences of its corners,
//! and the point of this hull nearest to the origin.

use super::super::Pair;
use crate::geometry::TriangleFeature;
use crate::geometry::triangle::closest_on_triangle;
use crate::geometry::vector::{dot, largest, minus};
use crate::impact::integer::power_of_two;

/// The differences of corners are scaled if the largest of them is above this, 2^100, or below its
/// inverse.
const LARGEST: f64 = f64::from_bits((1023 + 100) << 52);

/// Minkowski difference of a pair of primitives: the differences of corners at the start and the
/// end of the step. There are always four, of which some are equal if the pair has fewer. Their
/// hull consists of two triangles: one has the first three differences as corners, the other the
/// last three.
pub(super) struct MinkowskiDifference {
    start: [[f64; 3]; 4],
    end: [[f64; 3]; 4],
    pub growth: [[f64; 3]; 4],
    is_one_triangle: bool,
    /// Upper bound of two rounding errors: that of the projection of a difference on a unit axis,
    /// and that of the projection of its change in the step.
    pub doubt: f64,
    /// The separation of the pair: the distance at which its primitives count as touching, scaled
    /// like the differences of corners.
    pub separation: f64,
}

/// The point of a triangle of the Minkowski difference that is nearest to the origin.
pub(super) struct Nearest {
    /// The index of the first corner of the triangle among the four differences, 0 or 1.
    pub first: usize,
    pub triangle: [[f64; 3]; 3],
    pub weights: [f64; 3],
    pub point: [f64; 3],
    pub distance: f64,
    pub feature: TriangleFeature,
}

impl Nearest {
    /// The point nearest to the origin on one triangle of a Minkowski difference, the one with the
    /// three corners from `first` on. If there are two triangles, `within` is the edge that they
    /// share. This edge is inside the hull, so a point on it counts as a point of the face.
    fn of(corners: &[[f64; 3]; 4], first: usize, within: Option<u8>) -> Self {
        let triangle = [0, 1, 2].map(|i| corners[first + i]);
        let closest = closest_on_triangle([0.0; 3], triangle);
        let point = [0, 1, 2].map(|k| dot(closest.barycentric, triangle.map(|p| p[k])));
        let feature = match closest.feature {
            TriangleFeature::Edge(i) if within == Some(i) => TriangleFeature::Face,
            feature => feature,
        };
        Nearest {
            first,
            triangle,
            weights: closest.barycentric,
            point,
            distance: dot(point, point).sqrt(),
            feature,
        }
    }
}

impl MinkowskiDifference {
    /// The Minkowski difference of a pair of primitives with these corners at the start and the end
    /// of the step, scaled if sizes are extreme.
    pub fn new<const K: usize>(pair: Pair, points: [&[[f64; 3]; K]; 2], separation: f64) -> Self {
        let corners = match pair {
            Pair::VertexFace => [(1, 0), (2, 0), (3, 0), (3, 0)],
            Pair::EdgeEdge => [(2, 0), (2, 1), (3, 0), (3, 1)],
            Pair::EdgeVertex => [(0, 2), (1, 2), (1, 2), (1, 2)],
            Pair::VertexVertex => [(1, 0); 4],
        };
        let differences = |points: &[[f64; 3]; K], factor: f64| {
            let scaled = |i: usize| points[i].map(|x| factor * x);
            corners.map(|(to, from)| minus(scaled(to), scaled(from)))
        };
        let size_of = |ends: &[[[f64; 3]; 4]; 2]| {
            let all = ends.as_flattened().iter();
            all.fold(0.0f64, |m, r| m.max(largest(*r)))
        };
        let mut separation = separation;
        let mut ends = points.map(|points| differences(points, 1.0));
        let mut size = size_of(&ends);
        if size == f64::INFINITY {
            // Underflow is negligible beside the largest difference.
            ends = points.map(|points| differences(points, 0.25));
            (size, separation) = (size_of(&ends), 0.25 * separation);
        }
        if !(1.0 / LARGEST..=LARGEST).contains(&size) {
            // The scale is a power of two, so scaling is exact, or negligible beside the largest
            // difference where numbers underflow.
            let exponent = (size.to_bits() >> 52) as i32 - 1023;
            let halves = (exponent / 2, exponent - exponent / 2);
            let factors = (power_of_two(-halves.0), power_of_two(-halves.1));
            let scaled = |x: f64| x * factors.0 * factors.1;
            ends = ends.map(|corners| corners.map(|r| r.map(scaled)));
            (size, separation) = (scaled(size), scaled(separation));
        }
        let [start, end] = ends;
        MinkowskiDifference {
            start,
            end,
            growth: [0, 1, 2, 3].map(|i| minus(end[i], start[i])),
            is_one_triangle: pair != Pair::EdgeEdge,
            // In units of epsilon times size, errors of coordinates and changes are at most 2;
            // after the roundings of a dot product 9, and after those of further sums 13.
            doubt: 16.0 * f64::EPSILON * size + 1e-280,
            separation,
        }
    }

    /// Whether the projection of the Minkowski difference on a coordinate axis proves that the
    /// distance of the pair stays above the separation during the step.
    pub fn is_separated_by_axis(&self) -> bool {
        (0..3).any(|k| {
            let all = || self.start.iter().chain(&self.end).map(|r| r[k]);
            let reach = self.separation + self.doubt;
            all().all(|x| x > reach) || all().all(|x| x < -reach)
        })
    }

    /// The corners of the Minkowski difference at time `t`.
    pub fn corners(&self, t: f64) -> [[f64; 3]; 4] {
        [0, 1, 2, 3].map(|i| {
            let (a, b) = (self.start[i], self.end[i]);
            [0, 1, 2].map(|k| (1.0 - t) * a[k] + t * b[k])
        })
    }

    /// The point of the Minkowski difference with these corners that is nearest to the origin.
    pub fn nearest(&self, corners: &[[f64; 3]; 4]) -> Nearest {
        let first = self.nearest_of(corners, 0);
        if self.is_one_triangle {
            return first;
        }
        let second = self.nearest_of(corners, 1);
        match first.distance <= second.distance {
            true => first,
            false => second,
        }
    }

    /// The point nearest to the origin on the triangle of the Minkowski difference with the three
    /// corners from `first` (0 or 1) on.
    pub fn nearest_of(&self, corners: &[[f64; 3]; 4], first: usize) -> Nearest {
        // The two triangles share an edge inside the hull.
        let within = match self.is_one_triangle {
            true => None,
            false => Some(1 - first as u8),
        };
        Nearest::of(corners, first, within)
    }

    /// Whether the distance of the Minkowski difference from the origin is certainly at most the
    /// separation, given its nearest point.
    pub fn is_within(&self, nearest: &Nearest) -> bool {
        nearest.distance * (1.0 + 4.0 * f64::EPSILON) + self.doubt <= self.separation
    }
}
