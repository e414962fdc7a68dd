//! Closest points of two features of convex bodies: vertices, edges or faces, as closed sets.
//!
//! Points, segments and convex polygons are given by their corners. The closest points of two
//! polygons that do not meet lie on an edge of one of them; those of an edge and a polygon that do
//! not meet are an end of the edge and its projection, or lie on an edge of the polygon.
//!
//! Cost: the product of the numbers of corners.

use crate::geometry::vector::{cross, dot, minus};

/// The difference of two distances that is rounding, relative to them.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A point of each of two features, and their distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClosestPoints {
    pub distance: f64,
    pub p: [f64; 3],
    pub q: [f64; 3],
}

impl ClosestPoints {
    /// Two points and their distance.
    fn new(p: [f64; 3], q: [f64; 3]) -> Self {
        let way = minus(q, p);
        let distance = dot(way, way).sqrt();
        ClosestPoints { distance, p, q }
    }

    fn swapped(self) -> Self {
        ClosestPoints {
            p: self.q,
            q: self.p,
            ..self
        }
    }

    /// The closer of two pairs of points; the first if both are as close.
    fn closer(self, other: Self) -> Self {
        if other.distance < self.distance {
            other
        } else {
            self
        }
    }
}

/// The corners of a feature: one of a vertex, two of an edge, more of a face, counterclockwise around
/// its outward normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corners<'a> {
    pub points: &'a [[f64; 3]],
    /// The outward unit normal of a face; unused for other features.
    pub normal: [f64; 3],
}

/// The closest points of two features, the first on `a`, the second on `b`.
pub(super) fn closest_points(a: Corners, b: Corners) -> ClosestPoints {
    match (a.points, b.points) {
        (&[p], &[q]) => ClosestPoints::new(p, q),
        (&[p], &[q0, q1]) => ClosestPoints::new(p, on_segment(p, [q0, q1])),
        (&[p0, p1], &[q]) => ClosestPoints::new(on_segment(q, [p0, p1]), q),
        (&[p0, p1], &[q0, q1]) => segments([p0, p1], [q0, q1]),
        (&[p], _) => ClosestPoints::new(p, on_face(p, b)),
        (_, &[q]) => ClosestPoints::new(on_face(q, a), q),
        (&[p0, p1], _) => segment_face([p0, p1], b),
        (_, &[q0, q1]) => segment_face([q0, q1], a).swapped(),
        _ => {
            let of_a = sides(a).map(|side| segment_face(side, b));
            let of_b = sides(b).map(|side| segment_face(side, a).swapped());
            let far = ClosestPoints::new(a.points[0], b.points[0]);
            of_a.chain(of_b).fold(far, ClosestPoints::closer)
        }
    }
}

/// The sides of a face, as segments.
fn sides<'a>(face: Corners<'a>) -> impl Iterator<Item = [[f64; 3]; 2]> + 'a {
    let points = face.points;
    (0..points.len()).map(move |i| [points[i], points[(i + 1) % points.len()]])
}

/// A segment in the one of its two directions that makes computed points independent of how it was
/// given: as an edge or as a side of a face. So the walk from a face to its edge keeps the distance,
/// bit for bit.
fn directed([from, to]: [[f64; 3]; 2]) -> [[f64; 3]; 2] {
    match from <= to {
        true => [from, to],
        false => [to, from],
    }
}

/// The point of a segment that is closest to `p`.
fn on_segment(p: [f64; 3], segment: [[f64; 3]; 2]) -> [f64; 3] {
    let [from, to] = directed(segment);
    let along = minus(to, from);
    let squared = dot(along, along);
    if squared == 0.0 {
        return from;
    }
    let s = dot(minus(p, from), along) / squared;
    if s <= 0.0 {
        from
    } else if s >= 1.0 {
        to
    } else {
        std::array::from_fn(|k| from[k] + s * along[k])
    }
}

/// The projection of `p` onto the plane of a face if it lies in the face; otherwise `None`.
fn projected(p: [f64; 3], face: Corners) -> Option<[f64; 3]> {
    let normal = face.normal;
    for [from, to] in sides(face) {
        if dot(cross(normal, minus(to, from)), minus(p, from)) < 0.0 {
            return None;
        }
    }
    let height = dot(normal, minus(p, face.points[0]));
    Some(std::array::from_fn(|k| p[k] - height * normal[k]))
}

/// The point of a face that is closest to `p`.
fn on_face(p: [f64; 3], face: Corners) -> [f64; 3] {
    projected(p, face).unwrap_or_else(|| {
        let first = ClosestPoints::new(p, face.points[0]);
        let on_sides = sides(face).map(|side| ClosestPoints::new(p, on_segment(p, side)));
        on_sides.fold(first, ClosestPoints::closer).q
    })
}

/// The closest points of a segment and a face, the first on the segment.
fn segment_face([from, to]: [[f64; 3]; 2], face: Corners) -> ClosestPoints {
    let heights = [from, to].map(|p| dot(face.normal, minus(p, face.points[0])));
    if heights[0] * heights[1] < 0.0 {
        let s = heights[0] / (heights[0] - heights[1]);
        let at: [f64; 3] = std::array::from_fn(|k| from[k] + s * (to[k] - from[k]));
        if projected(at, face).is_some() {
            return ClosestPoints::new(at, at);
        }
    }
    let ends = [from, to].map(|p| ClosestPoints::new(p, on_face(p, face)));
    let on_sides = sides(face).map(|side| segments([from, to], side));
    on_sides.fold(ends[0].closer(ends[1]), ClosestPoints::closer)
}

/// The closest points of two segments.
///
/// Let `u` and `v` be the vectors along the segments, and `w` that between their starts. The squared
/// distance of `p + s u` and `q + t v` is least where `s (u.u) - t (u.v) = u.w` and
/// `s (u.v) - t (v.v) = v.w`, for lines. If a parameter is beyond its segment, or the segments are
/// parallel, an end of one segment is closest. Parameters of nearly parallel segments are inaccurate;
/// then each point is projected onto the other segment, so that the vector between them is orthogonal
/// to both.
fn segments(first: [[f64; 3]; 2], second: [[f64; 3]; 2]) -> ClosestPoints {
    let ([p0, p1], [q0, q1]) = (directed(first), directed(second));
    if [p0, p1] > [q0, q1] {
        return segments(second, first).swapped();
    }
    let ends = [
        ClosestPoints::new(p0, on_segment(p0, [q0, q1])),
        ClosestPoints::new(p1, on_segment(p1, [q0, q1])),
        ClosestPoints::new(on_segment(q0, [p0, p1]), q0),
        ClosestPoints::new(on_segment(q1, [p0, p1]), q1),
    ];
    let best = ends[0].closer(ends[1]).closer(ends[2]).closer(ends[3]);
    let (u, v, w) = (minus(p1, p0), minus(q1, q0), minus(q0, p0));
    let n = cross(u, v);
    let squared = dot(n, n);
    if squared == 0.0 {
        return best;
    }
    let s = dot(cross(w, v), n) / squared;
    let t = dot(cross(w, u), n) / squared;
    if !((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)) {
        return best;
    }
    let p: [f64; 3] = std::array::from_fn(|k| p0[k] + s * u[k]);
    let q = on_segment(p, [q0, q1]);
    let inner = ClosestPoints::new(on_segment(q, [p0, p1]), q);
    // At the same distance, up to rounding, an end is a less accurate point.
    match best.distance < inner.distance * (1.0 - ROUNDING) {
        true => best,
        false => inner,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;

    /// Points, segments and triangles with small integer coordinates: no grid of points on both has
    /// a smaller distance, and the closest points lie on both.
    #[test]
    fn no_other_points_are_closer() {
        let mut random = Random::new(5);
        let mut corner = || [0; 3].map(|_| (random.unit() * 5.0).floor());
        let mixed = |points: &[[f64; 3]], weights: &[f64]| -> [f64; 3] {
            std::array::from_fn(|k| points.iter().zip(weights).map(|(p, w)| w * p[k]).sum())
        };
        let steps = 8;
        for case in 0..300 {
            let made: [Vec<[f64; 3]>; 2] =
                [case % 3 + 1, case / 3 % 3 + 1].map(|n| (0..n).map(|_| corner()).collect());
            let normals = [&made[0], &made[1]].map(|points| match points[..] {
                [a, b, c] => {
                    let n = cross(minus(b, a), minus(c, a));
                    let length = dot(n, n).sqrt();
                    n.map(|x| x / length)
                }
                _ => [0.0; 3],
            });
            if normals.iter().flatten().any(|x| x.is_nan()) {
                continue;
            }
            let [a, b] = [0, 1].map(|k| Corners {
                points: &made[k],
                normal: normals[k],
            });
            let found = closest_points(a, b);
            let samples = |points: &[[f64; 3]]| -> Vec<[f64; 3]> {
                let mut all = Vec::new();
                for i in 0..=steps {
                    for j in 0..=steps - i {
                        let [x, y] = [i, j].map(|x| f64::from(x) / f64::from(steps));
                        let weights = match points.len() {
                            1 => vec![1.0],
                            2 => vec![x, 1.0 - x],
                            _ => vec![x, y, 1.0 - x - y],
                        };
                        all.push(mixed(points, &weights));
                    }
                }
                all
            };
            for p in samples(a.points) {
                for q in samples(b.points) {
                    let other = ClosestPoints::new(p, q);
                    assert!(
                        found.distance <= other.distance + 1e-12,
                        "{a:?} {b:?}: {found:?}, but {other:?}"
                    );
                }
            }
            // Each closest point is on its feature.
            for (p, on) in [(found.p, a), (found.q, b)] {
                let there = [p];
                let point = Corners {
                    points: &there,
                    normal: [0.0; 3],
                };
                assert!(closest_points(point, on).distance < 1e-12, "{p:?} {on:?}");
            }
            assert_eq!(closest_points(b, a).distance, found.distance);
        }
    }
}
