//! Closest point on a triangle and on a segment to a given point.
//!
//! The closest point is found by the Voronoi regions of Ericson (Real-Time Collision Detection,
//! 2005, 5.1.5). With `R` the distance from the point to the farthest corner and `u` the unit
//! roundoff, the distance is accurate to a small multiple of `R u` for a triangle of any shape. So
//! is the position of the closest point, except on slivers whose edges round when the corners are
//! subtracted: rounding tilts their plane, and the closest point may move across the sliver. The
//! distance of a point exactly on the triangle is 0; that of any other point is at least 2^-511.
//!
//! *Deviates:* with `L` the length of the edges, Ericson's barycentric coordinates `d1*d4 - d3*d2`
//! have an error of `u (R / L)^2` and are lost for a point far away. Here the distance to each edge
//! is measured along the edge's own normal in the plane of the triangle, which leaves an error of
//! `u R / L`. The second barycentric coordinate is computed from the rounded first one, so that
//! their errors cancel in the closest point. Triangles without area are treated as their three
//! edges.

use super::{MAGNIFIED, normal_of_edges};
use crate::geometry::vector::{cross, dot, minus};
use crate::geometry::{TriangleFeature, flushed, point_on_triangle};

/// A triangle is scaled up before the closest point is computed if all coordinates of its edge
/// vectors are below this magnitude, 2^-150. Otherwise products of four of these coordinates could
/// underflow.
const SHORT: f64 = f64::from_bits((1023 - 150) << 52);

/// If the squared distance from a point to a triangle is at most this share of the squared distance
/// from the point to the farthest corner, then an exact predicate decides whether the point lies on
/// the triangle. If it does, the computed squared distance is only rounding error, for which `(64
/// epsilon)^2` is a generous bound.
const CLOSE: f64 = (64.0 * f64::EPSILON) * (64.0 * f64::EPSILON);

/// The squared distance of a point that is not on a triangle but so close to it that the distance
/// rounds to 0: the least normal number, 2^-1022. The distance is then 2^-511, or 1.5e-154.
const LEAST: f64 = f64::MIN_POSITIVE;

/// The point of a triangle closest to a given point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestOnTriangle {
    /// The closest point on the triangle.
    pub point: [f64; 3],
    /// The barycentric coordinates of the closest point, one weight for each corner of the
    /// triangle: from 0 to 1, sum 1 up to rounding.
    pub barycentric: [f64; 3],
    /// The feature of the triangle on which the closest point lies.
    pub feature: TriangleFeature,
    /// The squared distance from the given point to the triangle, computed before the closest point
    /// is rounded.
    pub distance_squared: f64,
}

/// The point of a segment closest to a given point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestOnSegment {
    /// The closest point on the segment.
    pub point: [f64; 3],
    /// The parameter of the closest point along the segment, from 0 at its start to 1 at its end; 0
    /// if the length of the segment is zero.
    pub place: f64,
    /// The squared distance from the given point to the segment, computed before the closest point
    /// is rounded.
    pub distance_squared: f64,
}

/// Returns the closest point on a segment to `p`.
#[inline]
pub fn closest_on_segment(p: [f64; 3], segment: [[f64; 3]; 2]) -> ClosestOnSegment {
    let [a, b] = segment;
    let (edge, from_a, from_b) = (minus(b, a), minus(p, a), minus(p, b));
    let place = place_on_edge(edge, from_a, from_b);
    let (point, away) = if place == 0.0 {
        (a, from_a)
    } else if place == 1.0 {
        (b, from_b)
    } else {
        let offset = edge.map(|x| place * x);
        let point = flushed(std::array::from_fn(|k| a[k] + offset[k]));
        (point, minus(from_a, offset))
    };
    ClosestOnSegment {
        point,
        place,
        distance_squared: dot(away, away),
    }
}

/// Returns the parameter of the closest point on an edge, from 0 at its start to 1 at its end: that
/// of the query point projected onto the line of the edge, clamped to 0..=1. It is 0 on an edge of
/// length zero. `from_start` and `from_end` are the vectors from the ends of the edge to the query
/// point.
#[inline]
fn place_on_edge(edge: [f64; 3], from_start: [f64; 3], from_end: [f64; 3]) -> f64 {
    let ahead = dot(edge, from_start);
    if ahead <= 0.0 {
        return 0.0;
    }
    if dot(edge, from_end) >= 0.0 {
        return 1.0;
    }
    (ahead / dot(edge, edge)).min(1.0)
}

/// Returns the closest point on a triangle to `p`.
pub fn closest_on_triangle(p: [f64; 3], triangle: [[f64; 3]; 3]) -> ClosestOnTriangle {
    closest_inlined(p, triangle)
}

/// Returns the closest point on a triangle as [`closest_on_triangle`] does, bit for bit. This copy
/// is inlined into callers that are compiled with fused multiply-add.
#[inline(always)]
pub(crate) fn closest_inlined(p: [f64; 3], triangle: [[f64; 3]; 3]) -> ClosestOnTriangle {
    let sight = Query::new(p, triangle);
    let nearest = sight.closest();
    let farthest = sight.to_point.map(|v| dot(v, v)).into_iter();
    let farthest = farthest.fold(0.0, |a, b| if b > a { b } else { a });
    // A difference of coordinates is 0 only if they are equal.
    let is_corner =
        nearest.distance_squared == 0.0 && matches!(nearest.feature, TriangleFeature::Vertex(_));
    if nearest.distance_squared <= farthest * CLOSE && !is_corner {
        return touched(p, triangle, nearest);
    }
    nearest
}

/// Decides exactly whether a point `p` very close to a triangle lies on it. If it does, returns `p`
/// as the closest point, at distance 0; otherwise returns `nearest`, with a distance above 0.
#[cold]
#[inline(never)]
fn touched(p: [f64; 3], triangle: [[f64; 3]; 3], nearest: ClosestOnTriangle) -> ClosestOnTriangle {
    match point_on_triangle(p, triangle) {
        None => ClosestOnTriangle {
            distance_squared: nearest.distance_squared.max(LEAST),
            ..nearest
        },
        // On a degenerate triangle several features may contain the point: its own one stays.
        Some(_) if nearest.distance_squared == 0.0 => nearest,
        Some(feature) => ClosestOnTriangle {
            point: p,
            feature,
            distance_squared: 0.0,
            ..nearest
        },
    }
}

/// A query for the closest point on a triangle, scaled so that nothing underflows.
struct Query {
    triangle: [[f64; 3]; 3],
    /// The vectors from each corner of the triangle to the query point, unscaled.
    to_point: [[f64; 3]; 3],
    /// The vectors from each corner of the triangle to the query point, scaled like `edges`.
    scaled: [[f64; 3]; 3],
    /// The edges of the triangle: the vectors from corner `i` to the next corner, scaled up if the
    /// triangle is tiny.
    edges: [[f64; 3]; 3],
}

impl Query {
    /// Returns the query for the closest point on a triangle to `p`, scaled up if the triangle is
    /// tiny.
    #[inline(always)]
    fn new(p: [f64; 3], triangle: [[f64; 3]; 3]) -> Self {
        let [a, b, c] = triangle;
        let mut edges = [minus(b, a), minus(c, b), minus(a, c)];
        let to_point = triangle.map(|v| minus(p, v));
        let mut scaled = to_point;
        if edges.iter().flatten().all(|x| x.abs() < SHORT) {
            edges = edges.map(|e| e.map(|x| x * MAGNIFIED));
            scaled = scaled.map(|e| e.map(|x| x * MAGNIFIED));
        }
        Self {
            triangle,
            to_point,
            scaled,
            edges,
        }
    }

    /// Returns the closest point on the triangle, by the Voronoi region in which the query point
    /// lies.
    #[inline(always)]
    fn closest(&self) -> ClosestOnTriangle {
        let [ab, bc, ca] = self.edges;
        let [ap, bp, cp] = self.scaled;
        let ac = ca.map(|x| -x);
        // These are Ericson's `d1` to `d6`; those of `bc` are computed directly instead of as
        // differences.
        let (ab_ap, ac_ap) = (dot(ab, ap), dot(ac, ap));
        if ab_ap <= 0.0 && ac_ap <= 0.0 {
            return self.on_vertex(0);
        }
        let (ab_bp, bc_bp) = (dot(ab, bp), dot(bc, bp));
        if ab_bp >= 0.0 && bc_bp <= 0.0 {
            return self.on_vertex(1);
        }
        let (ac_cp, bc_cp) = (dot(ac, cp), dot(bc, cp));
        if ac_cp >= 0.0 && bc_cp >= 0.0 {
            return self.on_vertex(2);
        }
        // `m_i = n x e_i` points inward from edge `i`.
        let n = normal_of_edges(self.edges);
        let m = self.edges.map(|e| cross(n, e));
        let sides = [dot(m[0], ap), dot(m[1], bp), dot(m[2], cp)];
        // With x along `ab`, y along `m_0` and weights `v` of the corners, `y = v_c y_c` and
        // `x = v_b |ab| + v_c x_c`. The weight `v_b` is computed from the rounded `v_c`, so that in
        // the point `v_b ab + v_c ac` the error of `v_c` changes y alone, by a rounding of y.
        let height = dot(m[0], ac);
        let square = dot(ab, ab);
        if !(height > 0.0 && square > 0.0) {
            return self.on_nearest_edge();
        }
        if sides.iter().all(|&side| side > 0.0) {
            let v_c = sides[0] / height;
            let v_b = (ab_ap - v_c * dot(ab, ac)) / square;
            return self.on_face(v_b, v_c);
        }
        if sides[0] <= 0.0 && ab_ap >= 0.0 && ab_bp <= 0.0 {
            return self.on_edge(0);
        }
        if sides[1] <= 0.0 && bc_bp >= 0.0 && bc_cp <= 0.0 {
            return self.on_edge(1);
        }
        if sides[2] <= 0.0 && ac_ap >= 0.0 && ac_cp <= 0.0 {
            return self.on_edge(2);
        }
        // Rounding put the point into no Voronoi region.
        self.on_nearest_edge()
    }

    /// Returns vertex `i` of the triangle as the closest point.
    #[inline]
    fn on_vertex(&self, i: usize) -> ClosestOnTriangle {
        let mut barycentric = [0.0; 3];
        barycentric[i] = 1.0;
        ClosestOnTriangle {
            point: self.triangle[i],
            barycentric,
            feature: TriangleFeature::Vertex(i as u8),
            distance_squared: dot(self.to_point[i], self.to_point[i]),
        }
    }

    /// Returns the closest point on edge `i` of the triangle. It is computed from the
    /// lexicographically lesser end of the edge, so that the distance is the same, bit for bit, in
    /// all triangles that share the edge.
    #[inline]
    fn on_edge(&self, i: usize) -> ClosestOnTriangle {
        let next = (i + 1) % 3;
        let (start, end, along) = match self.triangle[next] < self.triangle[i] {
            false => (i, next, self.edges[i]),
            true => (next, i, self.edges[i].map(|x| -x)),
        };
        let t = place_on_edge(along, self.scaled[start], self.scaled[end]);
        if t == 0.0 {
            return self.on_vertex(start);
        }
        if t == 1.0 {
            return self.on_vertex(end);
        }
        let mut barycentric = [0.0; 3];
        barycentric[start] = 1.0 - t;
        barycentric[end] = t;
        let edge = minus(self.triangle[end], self.triangle[start]);
        self.at(
            start,
            edge.map(|x| t * x),
            barycentric,
            TriangleFeature::Edge(i as u8),
        )
    }

    /// Returns the closest point in the interior of the triangle, given the barycentric weights of
    /// its corners `b` and `c`.
    #[inline]
    fn on_face(&self, v_b: f64, v_c: f64) -> ClosestOnTriangle {
        let [a, b, c] = self.triangle;
        let (ab, ac) = (minus(b, a), minus(c, a));
        self.at(
            0,
            std::array::from_fn(|k| v_b * ab[k] + v_c * ac[k]),
            [1.0 - v_b - v_c, v_b, v_c].map(|v| v.clamp(0.0, 1.0)),
            TriangleFeature::Face,
        )
    }

    /// Returns the closest point on the triangle, given the vector `offset` to it from corner `i`,
    /// its barycentric coordinates and its feature.
    #[inline]
    fn at(
        &self,
        i: usize,
        offset: [f64; 3],
        barycentric: [f64; 3],
        feature: TriangleFeature,
    ) -> ClosestOnTriangle {
        let away = minus(self.to_point[i], offset);
        let corner = self.triangle[i];
        ClosestOnTriangle {
            point: flushed(std::array::from_fn(|k| corner[k] + offset[k])),
            barycentric,
            feature,
            distance_squared: dot(away, away),
        }
    }

    /// Returns the nearest of the closest points on the three edges of the triangle.
    #[cold]
    fn on_nearest_edge(&self) -> ClosestOnTriangle {
        let mut nearest = self.on_edge(0);
        for i in 1..3 {
            let other = self.on_edge(i);
            // Of equally near features the one of lower dimension is taken: a vertex is on its
            // edges too.
            let nearer = other.distance_squared < nearest.distance_squared;
            let as_near = other.distance_squared == nearest.distance_squared;
            if nearer || (as_near && other.feature < nearest.feature) {
                nearest = other;
            }
        }
        nearest
    }
}
