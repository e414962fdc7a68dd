//! Lin-Canny walk over Voronoi regions: from two features to closer features next to them.
//!
//! Two features are the closest if the closest point of each lies in the Voronoi region of the
//! other ([`voronoi_criterion`](super::voronoi_criterion)). A violated condition gives the next
//! feature: the end of the edge, or the side of the face, beyond which the closest point lies; or
//! the edge or face by which a body reaches beyond the plane of its feature.
//!
//! A face and a vertex, or two edges, make a face of the Minkowski difference. In penetration,
//! where the origin projects beyond a side of this face, the walk goes to the face across that
//! side, whose plane is always nearer to the origin. For bodies that are separated but close this
//! step is nearly always right as well, so the first step of a walk tries it.

use super::relative_frame::RelativeFrame;
use crate::contact::{Feature, FeatureKind};
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::ConvexPolyhedron;

/// Bodies are close if their gap is less than this fraction of the length of the edges involved.
const CLOSE: f64 = 0.25;

impl RelativeFrame<'_> {
    /// Step `nth` of the Lin-Canny walk: the next pair of features; `None` if the given features
    /// are parallel or no neighbour is closer.
    pub fn walk_step(&self, [on_a, on_b]: [Feature; 2], nth: usize) -> Option<[Feature; 2]> {
        use FeatureKind::{Edge, Face, Vertex};
        let (i, j) = (on_a.index, on_b.index);
        // Where the first step was wrong, the next steps are those of Lin and Canny.
        let close = if nth == 0 { CLOSE } else { 0.0 };
        let mirrored = |step: Option<[Feature; 2]>| step.map(|[f, g]| [g, f]);
        match (on_a.kind, on_b.kind) {
            (Vertex, Vertex) => self.step_from_vertices(i, j),
            (Edge, Vertex) => self.step_from_edge_vertex(i, j),
            (Face, Vertex) => self.step_from_face_vertex(i, j, close),
            (Edge, Edge) => self.step_from_edges(i, j, close),
            (Vertex, Edge) => mirrored(self.swapped().step_from_edge_vertex(j, i)),
            (Vertex, Face) => mirrored(self.swapped().step_from_face_vertex(j, i, close)),
            (Face, Edge | Face) | (Edge, Face) => None,
        }
    }

    /// The step of the Lin-Canny walk from vertex `i` of `a` and vertex `j` of `b`.
    fn step_from_vertices(&self, i: u32, j: u32) -> Option<[Feature; 2]> {
        let way = minus(self.vertex_b(j), self.vertex_a(i));
        let back = self.turned_back(way).map(|x| 0.0 - x);
        let (rise_a, k) = steepest(self.a, i, way);
        let (rise_b, l) = steepest(self.b, j, back);
        if rise_a <= 0.0 && rise_b <= 0.0 {
            None
        } else if rise_a >= rise_b {
            Some([
                Feature::edge(self.a.edge_between(i, k)?),
                Feature::vertex(j),
            ])
        } else {
            Some([
                Feature::vertex(i),
                Feature::edge(self.b.edge_between(j, l)?),
            ])
        }
    }

    /// The step of the Lin-Canny walk from edge `e` of `a` and vertex `j` of `b`.
    fn step_from_edge_vertex(&self, e: u32, j: u32) -> Option<[Feature; 2]> {
        let [p0, p1, left, right] = self.a.edge_links(e);
        let p = self.vertex_a(p0);
        let along = minus(self.vertex_a(p1), p);
        let point = self.vertex_b(j);
        let s = dot(minus(point, p), along) / dot(along, along);
        if s <= 0.0 {
            return Some([Feature::vertex(p0), Feature::vertex(j)]);
        }
        if s >= 1.0 {
            return Some([Feature::vertex(p1), Feature::vertex(j)]);
        }
        let way: [f64; 3] = std::array::from_fn(|k| point[k] - (p[k] + s * along[k]));
        let [f, g] = self.a.edge_faces(e);
        let rise = |wing: u32| match wing {
            ConvexPolyhedron::NO_VERTEX => f64::NEG_INFINITY,
            _ => dot(way, minus(self.a.local(wing), p)),
        };
        let back = self.turned_back(way).map(|x| 0.0 - x);
        let (rise_b, l) = steepest(self.b, j, back);
        let rises = [rise(left), rise(right)];
        let side = usize::from(rises[1] > rises[0]);
        if rises[side] <= 0.0 && rise_b <= 0.0 {
            None
        } else if rises[side] >= rise_b {
            Some([Feature::face([f, g][side]), Feature::vertex(j)])
        } else {
            Some([Feature::edge(e), Feature::edge(self.b.edge_between(j, l)?)])
        }
    }

    /// The step of the Lin-Canny walk from face `f` of `a` and vertex `j` of `b`. The step goes
    /// across a side of the face of the Minkowski difference if the gap is less than `close` times
    /// the length of the side.
    fn step_from_face_vertex(&self, f: u32, j: u32, close: f64) -> Option<[Feature; 2]> {
        let normal = self.a.normal(f);
        let back = self.turned_back(normal).map(|x| 0.0 - x);
        let lowest = self.b.climb(j, back);
        if lowest != j {
            return Some([Feature::face(f), Feature::vertex(lowest)]);
        }
        let point = self.vertex_b(j);
        let mut worst = (0.0, 0.0, None);
        for half_edge in self.a.face_loop(f) {
            let [p, q, ..] = self.a.edge_links(half_edge.edge);
            let (p, q) = if p == half_edge.origin {
                (p, q)
            } else {
                (q, p)
            };
            let (p, q) = (self.vertex_a(p), self.vertex_a(q));
            let along = minus(q, p);
            let inside = dot(normal, cross(along, minus(point, p)));
            let length = dot(along, along).sqrt();
            let inside = inside / length;
            if inside < worst.0 {
                worst = (inside, length, Some(half_edge));
            }
        }
        let (_, length, side) = worst;
        let side = side?;
        let gap = dot(normal, minus(point, self.vertex_a(side.origin)));
        if gap >= close * length {
            return Some([Feature::edge(side.edge), Feature::vertex(j)]);
        }
        let across = self.a.half_edge(side.twin).face;
        let target = self.a.normal(across);
        Some(
            match first_hit(
                self.b,
                j,
                back,
                self.turned_back(target).map(|x| 0.0 - x),
                None,
            ) {
                Some(edge) => [Feature::edge(side.edge), Feature::edge(edge)],
                None => [Feature::face(across), Feature::vertex(j)],
            },
        )
    }

    /// The step of the Lin-Canny walk from edge `e` of `a` and edge `f` of `b`. The step goes
    /// across a side of the face of the Minkowski difference if the gap is less than `close` times
    /// the length of the shorter edge.
    fn step_from_edges(&self, e: u32, f: u32, close: f64) -> Option<[Feature; 2]> {
        let [p0, p1, left_a, right_a] = self.a.edge_links(e);
        let [q0, q1, left_b, right_b] = self.b.edge_links(f);
        let (p, q) = (self.vertex_a(p0), self.vertex_b(q0));
        let u = minus(self.vertex_a(p1), p);
        let v = minus(self.vertex_b(q1), q);
        let n = cross(u, v);
        let squared = dot(n, n);
        if squared == 0.0 {
            return None;
        }
        let length = squared.sqrt();
        let mut normal = n.map(|x| x / length);
        if [left_a, left_b].contains(&ConvexPolyhedron::NO_VERTEX) {
            return None;
        }
        let slopes = [left_a, right_a].map(|w| dot(normal, minus(self.a.local(w), p)));
        let rises = [left_b, right_b].map(|w| dot(normal, minus(q, self.vertex_b(w))));
        let sum = slopes[0] + slopes[1] + rises[0] + rises[1];
        let sign = if sum > 0.0 { -1.0 } else { 1.0 };
        normal = normal.map(|x| x * sign);
        let (slopes, rises) = (slopes.map(|x| x * sign), rises.map(|x| x * sign));
        let [faces_a, faces_b] = [self.a.edge_faces(e), self.b.edge_faces(f)];
        let worst = slopes[0].max(slopes[1]).max(rises[0]).max(rises[1]);
        if worst > 0.0 {
            // One body reaches beyond the plane through both edges, with a face.
            return if slopes.contains(&worst) {
                let face = faces_a[usize::from(slopes[1] == worst)];
                let back = self.turned_back(self.a.normal(face)).map(|x| 0.0 - x);
                Some([Feature::face(face), Feature::vertex(self.b.climb(q0, back))])
            } else {
                let face = faces_b[usize::from(rises[1] == worst)];
                let way = self.turned(self.b.normal(face)).map(|x| 0.0 - x);
                Some([Feature::vertex(self.a.climb(p0, way)), Feature::face(face)])
            };
        }
        let between = minus(q, p);
        let s = dot(cross(between, v), n) / squared;
        let t = dot(cross(between, u), n) / squared;
        let (uu, vv) = (dot(u, u).sqrt(), dot(v, v).sqrt());
        let beyond = [0.0 - s * uu, (s - 1.0) * uu, 0.0 - t * vv, (t - 1.0) * vv];
        let mut side = 0;
        for k in 1..4 {
            if beyond[k] > beyond[side] {
                side = k;
            }
        }
        if beyond[side] <= 0.0 {
            return None;
        }
        let is_close = dot(normal, between) < close * uu.min(vv);
        if side < 2 {
            let (end, other) = if side == 0 { (p0, p1) } else { (p1, p0) };
            if is_close {
                // With the bodies exchanged, the outward normal of `a` is `normal`.
                return self
                    .swapped()
                    .across(f, end, other, normal)
                    .map(|[g, h]| [h, g]);
            }
            Some([Feature::vertex(end), Feature::edge(f)])
        } else {
            let (end, other) = if side == 2 { (q0, q1) } else { (q1, q0) };
            if is_close {
                let back = self.turned_back(normal).map(|x| 0.0 - x);
                return self.across(e, end, other, back);
            }
            Some([Feature::edge(e), Feature::vertex(end)])
        }
    }

    /// The step of the Lin-Canny walk across a side of a face of the Minkowski difference. Edge `e`
    /// of `a` and an edge of `b` from `end` to `other` make this face; the step goes to the face
    /// across the side of `e` and `end`. `back` is the outward normal of the support plane of `b`,
    /// in the axes of `b`.
    fn across(&self, e: u32, end: u32, other: u32, back: [f64; 3]) -> Option<[Feature; 2]> {
        let along = minus(self.b.local(other), self.b.local(end));
        // Of the two faces of the edge, the one towards which its plane leaves `other` behind.
        let faces = self.a.edge_faces(e);
        let targets = faces.map(|face| self.turned_back(self.a.normal(face)).map(|x| 0.0 - x));
        let side = usize::from(dot(targets[1], along) < dot(targets[0], along));
        Some(
            match first_hit(self.b, end, back, targets[side], Some(other)) {
                Some(edge) => [Feature::edge(e), Feature::edge(edge)],
                None => [Feature::face(faces[side]), Feature::vertex(end)],
            },
        )
    }
}

/// The neighbour of vertex `v` towards which the Lin-Canny walk goes: its edge rises most in a
/// direction. The first value is its rise per unit length.
fn steepest(shape: &ConvexPolyhedron, v: u32, way: [f64; 3]) -> (f64, u32) {
    let p = shape.local(v);
    let mut best = (f64::NEG_INFINITY, v);
    for &k in shape.neighbours(v) {
        let edge = minus(shape.local(k), p);
        // Compares slopes: edges have different lengths.
        let rise = dot(way, edge) / dot(edge, edge).sqrt();
        if rise > best.0 {
            best = (rise, k);
        }
    }
    best
}

/// The edge at vertex `v` to which a step of the Lin-Canny walk leads: the first that the support
/// plane meets when its outward normal turns from `from` to `to`; `None` if it meets none. The edge
/// to the vertex `except` is ignored.
fn first_hit(
    shape: &ConvexPolyhedron,
    v: u32,
    from: [f64; 3],
    to: [f64; 3],
    except: Option<u32>,
) -> Option<u32> {
    let p = shape.local(v);
    let mut first = (f64::INFINITY, None);
    for &k in shape.neighbours(v) {
        if Some(k) == except {
            continue;
        }
        let edge = minus(shape.local(k), p);
        let (before, after) = (dot(from, edge), dot(to, edge));
        // The plane meets the edge when (1 - t) before + t after = 0.
        if after > 0.0 {
            let t = before / (before - after);
            if t < first.0 {
                first = (t, Some(k));
            }
        }
    }
    shape.edge_between(v, first.1?)
}
