//! Are these two features the closest ones?
//!
//! The criterion of the paper (`schinner1995`, after Lin): the point of each feature that
//! is closest to the other one lies in the Voronoi region of the other. It is local: only
//! features next to the two are looked at, so its cost does not depend on the number of
//! faces.
//!
//! *Deviates:*
//! - The test is one of support: the plane through a point, across the line to
//!   the other point, must have the whole body on one side. For convex bodies this is the
//!   same criterion, it holds for vertices, edges and faces alike, and it is meaningful in
//!   penetration as well.
//! - Every comparison must hold by a margin. If all do, no other features can pass, so
//!   an answer that is computed from them does not depend on how they were found. Where one
//!   does not (parallel features, points at the ends of edges), the answer is *doubtful* and
//!   comes from a search whose start is always the same.

use super::frame::Frame;
use crate::contact::{Feature, FeatureKind};
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::ConvexPolyhedron;

/// By what part of the scale comparisons must hold. Rounding is a thousand times less
/// unless bodies have faces thinner than this.
const MARGIN: f64 = 1.0 / (1u64 << 36) as f64;

/// Below this part of the scale the line between two points has no direction to
/// be trusted. (Faces and crossing edges have normals of their own.)
const NEAR: f64 = 1.0 / (1u64 << 22) as f64;

/// Sine of the angle below which edges count as parallel.
const PARALLEL: f64 = 1.0 / (1u64 << 18) as f64;

/// Sine of the angle below which edges are so nearly parallel that rounding of their product
/// tells.
const NARROW: f64 = 1.0 / (1u64 << 9) as f64;

/// The nearest points of two features.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    /// On `a`, about its center, in its axes.
    pub on_a: [f64; 3],
    /// On `b`, about its center, in its axes.
    pub on_b: [f64; 3],
    /// From `a` to `b`, in the axes of `a`, of unit length.
    pub normal: [f64; 3],
    /// Along the normal, from `a` to `b`; negative in penetration.
    pub gap: f64,
}

/// Features that were found to be the closest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sure {
    pub foot: Foot,
    /// By how much the tightest condition holds, as a length.
    pub slack: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Verdict {
    /// They are the closest, or in penetration locally so, and no others are.
    Certain(Sure),
    /// Others are as good, up to rounding.
    Doubtful,
    /// Others are better.
    Refuted,
}

impl Frame<'_> {
    /// Whether these are the closest features.
    pub fn verdict(&self, on_a: Feature, on_b: Feature) -> Verdict {
        use FeatureKind::{Edge, Face, Vertex};
        let (i, j) = (on_a.index, on_b.index);
        match (on_a.kind, on_b.kind) {
            (Vertex, Vertex) => self.vertex_vertex(i, j),
            (Edge, Vertex) => self.edge_vertex(i, j),
            (Face, Vertex) => self.face_vertex(i, j),
            (Edge, Edge) => self.edge_edge(i, j),
            (Vertex, Edge) => self.mirrored(self.swapped().edge_vertex(j, i)),
            (Vertex, Face) => self.mirrored(self.swapped().face_vertex(j, i)),
            // Parallel features: the points of at least one are not unique.
            (Face, Edge | Face) | (Edge, Face) => Verdict::Doubtful,
        }
    }

    fn mirrored(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Certain(Sure { foot, slack }) => Verdict::Certain(Sure {
                foot: self.mirrored_foot(foot),
                slack,
            }),
            other => other,
        }
    }

    /// A foot that was found with the bodies exchanged.
    pub fn mirrored_foot(&self, foot: Foot) -> Foot {
        Foot {
            on_a: foot.on_b,
            on_b: foot.on_a,
            normal: self.turned(foot.normal).map(|x| 0.0 - x),
            gap: foot.gap,
        }
    }

    /// How far the foot of the origin is from the sides of the face of the difference that a face
    /// and a vertex or two edges make.
    pub fn rim(&self, [on_a, on_b]: [Feature; 2], foot: &Foot) -> f64 {
        use FeatureKind::{Edge, Face};
        match (on_a.kind, on_b.kind) {
            (Face, _) => face_rim(self.a, on_a.index, foot.on_a),
            (_, Face) => face_rim(self.b, on_b.index, foot.on_b),
            (Edge, Edge) => {
                let [p0, p1, ..] = self.a.edge_links(on_a.index);
                let [q0, q1, ..] = self.b.edge_links(on_b.index);
                let u = minus(self.vertex_a(p1), self.vertex_a(p0));
                let own = minus(self.b.local(q1), self.b.local(q0));
                let v = self.turned(own);
                let (uu, vv) = (dot(u, u), dot(v, v));
                // Along one edge, and across the direction of the other.
                let s = dot(minus(foot.on_a, self.vertex_a(p0)), u) / uu;
                let t = dot(minus(foot.on_b, self.b.local(q0)), own) / vv;
                let n = cross(u, v);
                let across = dot(n, n);
                let along_a = s.min(1.0 - s) * (across / vv).sqrt();
                let along_b = t.min(1.0 - t) * (across / uu).sqrt();
                along_a.min(along_b)
            }
            _ => 0.0,
        }
    }

    /// What follows from the least of all that must be positive.
    #[inline]
    fn concluded(&self, slack: f64, foot: impl FnOnce() -> Foot) -> Verdict {
        let margin = MARGIN * self.scale;
        if slack > margin {
            Verdict::Certain(Sure {
                foot: foot(),
                slack,
            })
        } else if slack >= -margin {
            Verdict::Doubtful
        } else {
            Verdict::Refuted
        }
    }

    /// By how much all of `b` lies beyond the plane through a vertex across `normal`.
    #[inline]
    fn vertex_b_slack(&self, j: u32, normal: [f64; 3]) -> f64 {
        let n = self.turned_back(normal);
        let v = self.b.local(j);
        let mut slack = f64::INFINITY;
        for &k in self.b.neighbours(j) {
            slack = slack.min(dot(n, minus(self.b.local(k), v)));
        }
        slack
    }

    /// By how much all of `a` lies before the plane through a vertex across `normal`.
    #[inline]
    fn vertex_a_slack(&self, i: u32, normal: [f64; 3]) -> f64 {
        let v = self.a.local(i);
        let mut slack = f64::INFINITY;
        for &k in self.a.neighbours(i) {
            slack = slack.min(dot(normal, minus(v, self.a.local(k))));
        }
        slack
    }

    /// By how much all of `a` lies before the plane through an edge, across `normal`: both
    /// faces of the edge slope away from it.
    #[inline]
    fn edge_a_slack(&self, e: u32, normal: [f64; 3]) -> f64 {
        let [p, _, left, right] = self.a.edge_links(e);
        if left == ConvexPolyhedron::NO_VERTEX {
            return f64::INFINITY;
        }
        let p = self.a.local(p);
        let away = |wing: u32| dot(normal, minus(p, self.a.local(wing)));
        away(left).min(away(right))
    }

    fn vertex_vertex(&self, i: u32, j: u32) -> Verdict {
        let way = minus(self.vertex_b(j), self.vertex_a(i));
        let gap = dot(way, way).sqrt();
        if gap <= NEAR * self.scale {
            return Verdict::Doubtful;
        }
        let normal = way.map(|x| x / gap);
        let slack = (self.vertex_a_slack(i, normal)).min(self.vertex_b_slack(j, normal));
        self.concluded(slack, || Foot {
            on_a: self.a.local(i),
            on_b: self.b.local(j),
            normal,
            gap,
        })
    }

    fn edge_vertex(&self, e: u32, j: u32) -> Verdict {
        let [p, q, _, _] = self.a.edge_links(e);
        let p = self.vertex_a(p);
        let along = minus(self.vertex_a(q), p);
        let point = self.vertex_b(j);
        let squared = dot(along, along);
        let s = dot(minus(point, p), along) / squared;
        let inside = s.min(1.0 - s) * squared.sqrt();
        let on_a: [f64; 3] = std::array::from_fn(|k| p[k] + s * along[k]);
        let way = across(minus(point, on_a), along, squared);
        let gap = dot(way, way).sqrt();
        if gap <= NEAR * self.scale {
            return Verdict::Doubtful;
        }
        let normal = way.map(|x| x / gap);
        let supported = (self.edge_a_slack(e, normal)).min(self.vertex_b_slack(j, normal));
        self.concluded(inside.min(supported), || Foot {
            on_a,
            on_b: self.b.local(j),
            normal,
            gap,
        })
    }

    fn face_vertex(&self, f: u32, j: u32) -> Verdict {
        let normal = self.a.normal(f);
        let point = self.vertex_b(j);
        let mut inside = f64::INFINITY;
        let loop_ = self.a.face_loop(f);
        let mut from = self.vertex_a(loop_[loop_.len() - 1].origin);
        for half_edge in loop_ {
            let to = self.vertex_a(half_edge.origin);
            // Twice the area that the foot makes with the side, and no side is longer
            // than the scale.
            inside = inside.min(dot(normal, cross(minus(to, from), minus(point, from))));
            from = to;
        }
        let gap = dot(normal, minus(point, from));
        let mut supported = self.vertex_b_slack(j, normal);
        if supported == f64::INFINITY && self.a.dimension() < 3 {
            // A point in the plane of a flat body is in front of both of its faces.
            supported = gap;
        }
        self.concluded(supported.min(inside / self.scale), || Foot {
            on_a: std::array::from_fn(|k| point[k] - gap * normal[k]),
            on_b: self.b.local(j),
            normal,
            gap,
        })
    }

    /// With `n = u x v` the lines `p + s u` and `q + t v` are nearest where
    /// `s = ((q - p) x v) . n / n . n` and `t = ((q - p) x u) . n / n . n`.
    fn edge_edge(&self, e: u32, f: u32) -> Verdict {
        let [p0, p1, left_a, right_a] = self.a.edge_links(e);
        let [q0, q1, left_b, right_b] = self.b.edge_links(f);
        let (p, q) = (self.vertex_a(p0), self.vertex_b(q0));
        let u = minus(self.vertex_a(p1), p);
        let own = minus(self.b.local(q1), self.b.local(q0));
        let v = self.turned(own);
        let mut n = cross(u, v);
        let mut squared = dot(n, n);
        let (uu, vv) = (dot(u, u), dot(v, v));
        let is_narrow = squared < NARROW * NARROW * uu * vv;
        if is_narrow {
            if squared < PARALLEL * PARALLEL * uu * vv {
                return Verdict::Doubtful;
            }
            // Across one edge it is across both, for they are nearly parallel.
            n = across(n, u, uu);
            squared = dot(n, n);
        }
        let between = minus(q, p);
        let s = dot(cross(between, v), n) / squared;
        let mut t = dot(cross(between, u), n) / squared;
        if is_narrow {
            // Both are badly known along the edges, but the foot of one point on the other edge
            // is as good as any.
            t = (s * dot(u, v) - dot(between, v)) / vv;
        }
        let inside = (s.min(1.0 - s) * uu.sqrt()).min(t.min(1.0 - t) * vv.sqrt());
        let length = squared.sqrt();
        let mut normal = n.map(|x| x / length);
        let mut slack = f64::INFINITY;
        if left_a != ConvexPolyhedron::NO_VERTEX {
            let slope = |wing: u32| dot(normal, minus(p, self.a.local(wing)));
            let (l, r) = (slope(left_a), slope(right_a));
            if l + r < 0.0 {
                normal = normal.map(|x| 0.0 - x);
                slack = (0.0 - l).min(0.0 - r);
            } else {
                slack = l.min(r);
            }
        } else if dot(normal, between) < 0.0 {
            // A segment is never entered.
            normal = normal.map(|x| 0.0 - x);
        }
        let back = self.turned_back(normal);
        let base = self.b.local(q0);
        if left_b != ConvexPolyhedron::NO_VERTEX {
            let rise = |wing: u32| dot(back, minus(self.b.local(wing), base));
            slack = slack.min(rise(left_b)).min(rise(right_b));
        }
        self.concluded(inside.min(slack), || Foot {
            on_a: std::array::from_fn(|k| p[k] + s * u[k]),
            on_b: std::array::from_fn(|k| base[k] + t * own[k]),
            normal,
            gap: dot(normal, between),
        })
    }
}

/// The part of a way across an edge, once more: what rounding left along the edge would tilt a
/// short way.
#[inline]
pub(super) fn across(way: [f64; 3], along: [f64; 3], squared: f64) -> [f64; 3] {
    let rest = dot(way, along) / squared;
    std::array::from_fn(|k| way[k] - rest * along[k])
}

/// How far a point of a face is from its sides.
pub(super) fn face_rim(shape: &ConvexPolyhedron, f: u32, point: [f64; 3]) -> f64 {
    let normal = shape.normal(f);
    let sides = shape.face_loop(f);
    let mut rim = f64::INFINITY;
    let mut from = shape.local(sides[sides.len() - 1].origin);
    for half_edge in sides {
        let to = shape.local(half_edge.origin);
        let along = minus(to, from);
        let inside = dot(normal, cross(along, minus(point, from)));
        rim = rim.min(inside / dot(along, along).sqrt());
        from = to;
    }
    rim
}
