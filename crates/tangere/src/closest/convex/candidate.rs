//! Candidates for the contact of ambiguous features, which are equally close up to rounding: pairs
//! of features near the support planes, one of each body. Each pair has its own normal.
//!
//! [`ambiguous_features`](super::ambiguous_features) takes the candidate with the largest
//! separation of the bodies along its normal, minus its errors.
//!
//! In all functions, `from` has two vertices, one of each body, at which hill climbing to the
//! support vertices starts.

use super::feature_distance::FeatureDistance;
use super::minkowski_difference::face_rim;
use super::relative_frame::RelativeFrame;
use super::vectors::{across, direction};
use crate::contact::Feature;
use crate::geometry::vector::{cross, dot, minus};

/// The nearest points of two features, with normal and gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    /// The nearest point of the feature of `a`, relative to the center of `a`, in the axes of `a`.
    pub on_a: [f64; 3],
    /// The nearest point of the feature of `b`, relative to the center of `b`, in the axes of `b`.
    pub on_b: [f64; 3],
    /// The unit normal of the two features, from `a` to `b`, in the axes of `a`.
    pub normal: [f64; 3],
    /// The gap of the two features: the distance of their nearest points along the normal, negative
    /// in penetration.
    pub gap: f64,
}

/// A candidate for the contact: one feature of each body with their nearest points, and the
/// separation of the bodies along the normal of these features.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub features: [Feature; 2],
    pub foot: Foot,
    /// The separation of the two bodies: the distance of their support planes orthogonal to the
    /// normal of the candidate, negative if the bodies overlap along this normal.
    pub separation: f64,
    /// The error of the nearest points of the two features, as a length. For a face and a vertex it
    /// is the distance by which the projection of the vertex lies outside the face. For two edges
    /// it is the length of the part of the vector between the points that is orthogonal to the
    /// normal. Otherwise it is 0.
    pub fault: f64,
}

impl RelativeFrame<'_> {
    /// Converts the foot of a candidate, its nearest points with normal and gap, to the world.
    pub fn world(&self, foot: &Foot) -> FeatureDistance {
        let [a, b] = self.bodies();
        FeatureDistance {
            point_a: a.world(foot.on_a),
            point_b: b.world(foot.on_b),
            normal: a.pose.rotate(foot.normal),
            gap: foot.gap,
        }
    }

    /// Converts a candidate for the closest features from the [swapped](Self::swapped) frame, in
    /// which `b` is the first body, to this frame.
    pub fn mirrored_candidate(&self, candidate: Candidate) -> Candidate {
        let [f, g] = candidate.features;
        let Foot {
            on_a,
            on_b,
            normal,
            gap,
        } = candidate.foot;
        Candidate {
            features: [g, f],
            foot: Foot {
                on_a: on_b,
                on_b: on_a,
                normal: self.turned(normal).map(|x| 0.0 - x),
                gap,
            },
            ..candidate
        }
    }

    /// The candidate for the closest features that is face `f` of `a` and vertex `j` of `b`, with
    /// the normal of the face; never `None`. Hill climbing to the support vertices starts at
    /// `from[0]` in `a` and at `j` in `b`.
    pub fn face_vertex_candidate(&self, f: u32, j: u32, from: [u32; 2]) -> Option<Candidate> {
        let normal = self.a.normal(f);
        let point = self.vertex_b(j);
        let corner = self.vertex_a(self.a.face_loop(f)[0].origin);
        let gap = dot(normal, minus(point, corner));
        let on_a = std::array::from_fn(|k| point[k] - gap * normal[k]);
        let inside = face_rim(self.a, f, on_a);
        Some(Candidate {
            features: [Feature::face(f), Feature::vertex(j)],
            foot: Foot {
                on_a,
                on_b: self.b.local(j),
                normal,
                gap,
            },
            separation: self.separation(normal, [from[0], j]),
            fault: (0.0 - inside).max(0.0),
        })
    }

    /// The candidate for the closest features that is edge `e` of `a` and edge `f` of `b`, with
    /// their common perpendicular as normal. If the bodies are separated and an edge is nearest at
    /// one of its ends, that vertex takes the place of the edge. `None` if the edges are exactly
    /// parallel. Hill climbing to the support vertices starts at `from`.
    pub fn edges_candidate(&self, e: u32, f: u32, from: [u32; 2]) -> Option<Candidate> {
        let [p0, p1, ..] = self.a.edge_links(e);
        let [q0, q1, ..] = self.b.edge_links(f);
        let (p, q) = (self.vertex_a(p0), self.vertex_b(q0));
        let u = minus(self.vertex_a(p1), p);
        let own = minus(self.b.local(q1), self.b.local(q0));
        let v = self.turned(own);
        let n = cross(u, v);
        let squared = dot(n, n);
        let (uu, vv) = (dot(u, u), dot(v, v));
        let (mut normal, size) = direction(n)?;
        let between = minus(q, p);
        let s = dot(cross(between, v), n) / squared;
        if !s.is_finite() {
            return None;
        }
        // For nearly parallel edges both parameters are inaccurate, but the projection of one point
        // onto the other edge is as good as any.
        let s = s.clamp(0.0, 1.0);
        let from_q = |s: f64| -> [f64; 3] { std::array::from_fn(|k| s * u[k] - between[k]) };
        let foot = dot(from_q(s), v) / vv;
        let t = foot.clamp(0.0, 1.0);
        let s = if foot == t {
            s
        } else {
            let to_q: [f64; 3] = std::array::from_fn(|k| between[k] + t * v[k]);
            (dot(to_q, u) / uu).clamp(0.0, 1.0)
        };
        let base = self.b.local(q0);
        let on_a = std::array::from_fn(|k| p[k] + s * u[k]);
        let on_b = std::array::from_fn(|k| base[k] + t * own[k]);
        // For nearly parallel edges the vector between the closest points is a better normal.
        if let Some((way, length)) = direction(minus(self.in_axes_of_a(on_b), on_a))
            && size * self.scale < length * (uu * vv).sqrt()
        {
            normal = way;
        }
        // Rounding tilts the normal along the edges. The tilt matters only if the edges are nearly
        // parallel, so a normal that is made orthogonal to one edge is orthogonal to both.
        let (normal, _) = direction(across(normal, u, uu))?;
        let way = minus(self.in_axes_of_a(on_b), on_a);
        let gap = dot(normal, way);
        let aside: [f64; 3] = std::array::from_fn(|k| way[k] - gap * normal[k]);
        // Of the normal and its opposite, take the one whose support planes contain the edges. If
        // those of both do, because the bodies are flat, take the one along which the bodies are
        // separated.
        let ways = [1.0, -1.0].map(|sign| {
            let way = normal.map(|x| x * sign);
            let (gap, separation) = (gap * sign, self.separation(way, from));
            (
                ((gap - separation).abs() - separation),
                way,
                gap,
                separation,
            )
        });
        let (_, normal, gap, separation) = if ways[0].0 <= ways[1].0 {
            ways[0]
        } else {
            ways[1]
        };
        // If the bodies are separated, an edge that ends before the other line is closest at its
        // end.
        let named = |place: f64, edge: u32, ends: [u32; 2]| match place {
            0.0 if gap > 0.0 => Feature::vertex(ends[0]),
            1.0 if gap > 0.0 => Feature::vertex(ends[1]),
            _ => Feature::edge(edge),
        };
        Some(Candidate {
            features: [named(s, e, [p0, p1]), named(t, f, [q0, q1])],
            foot: Foot {
                on_a,
                on_b,
                normal,
                gap,
            },
            separation,
            fault: dot(aside, aside).sqrt(),
        })
    }

    /// The candidate for the closest features that is edge `e` of `a` and vertex `j` of `b`. Its
    /// normal goes from the nearest point of the edge to the vertex. `None` if the projection of
    /// the vertex onto the line of the edge is beyond an end of the edge, or coincides with the
    /// vertex. Hill climbing to the support vertices starts at `from[0]` in `a` and at `j` in `b`.
    pub fn edge_vertex_candidate(&self, e: u32, j: u32, from: [u32; 2]) -> Option<Candidate> {
        let [p, q, ..] = self.a.edge_links(e);
        let p = self.vertex_a(p);
        let along = minus(self.vertex_a(q), p);
        let point = self.vertex_b(j);
        let squared = dot(along, along);
        let s = dot(minus(point, p), along) / squared;
        // Beyond the ends of the edge a vertex is closest.
        if !(0.0..=1.0).contains(&s) {
            return None;
        }
        let on_a: [f64; 3] = std::array::from_fn(|k| p[k] + s * along[k]);
        let (normal, gap) = direction(across(minus(point, on_a), along, squared))?;
        Some(Candidate {
            features: [Feature::edge(e), Feature::vertex(j)],
            foot: Foot {
                on_a,
                on_b: self.b.local(j),
                normal,
                gap,
            },
            separation: self.separation(normal, [from[0], j]),
            fault: 0.0,
        })
    }

    /// The candidate for the closest features that is vertex `i` of `a` and vertex `j` of `b`. Its
    /// normal goes from `i` to `j`. `None` if the vertices coincide. Hill climbing to the support
    /// vertices starts at `from`.
    pub fn vertices_candidate(&self, i: u32, j: u32, from: [u32; 2]) -> Option<Candidate> {
        let (normal, gap) = direction(minus(self.vertex_b(j), self.vertex_a(i)))?;
        Some(Candidate {
            features: [Feature::vertex(i), Feature::vertex(j)],
            foot: Foot {
                on_a: self.a.local(i),
                on_b: self.b.local(j),
                normal,
                gap,
            },
            separation: self.separation(normal, from),
            fault: 0.0,
        })
    }
}
