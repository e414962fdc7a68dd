//! The answer where the closest features are ambiguous: parallel, or equal up to rounding.
//!
//! Given a direction that is right up to some error, all vertices of both bodies near the support
//! planes are collected, and the edges and faces between them. Every pair of these features has a
//! normal of its own; the gap of two convex bodies is the largest separation along any direction,
//! so the best of these normals is the answer, and its separation a lower bound. Where features are
//! parallel, the contact point is the centre of their common part.
//!
//! Cost: the product of the numbers of features near the planes, unless one of the first pairs is
//! proven the best.

use super::clip::{Clip, View};
use super::feature_distance::{FeatureDistance, across};
use super::gjk::{Simplex, TOLERANCE};
use super::relative_frame::{RelativeFrame, direction};
use super::voronoi::{ClosestFeatures, Verdict, face_rim, verdict};
use crate::contact::{Feature, FeatureKind};
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::ConvexPolyhedron;

/// Distance from a support plane at which vertices are collected, relative to the scale: more than
/// the error of the direction.
const BAND: f64 = 1.0 / (1u64 << 26) as f64;

/// Distance up to which vertices are coplanar, relative to the scale: no more than rounding.
const LEVEL: f64 = 1.0 / (1u64 << 44) as f64;

/// The same relative to the size of the bodies, which is far less than the scale if they are far
/// apart: small features are not all coplanar.
const LEVEL_OF_SIZE: f64 = 1.0 / (1u64 << 20) as f64;

/// The least distance, relative to the scale, that is more than rounding.
const LEVEL_LEAST: f64 = 8.0 * f64::EPSILON;

/// Above this many pairs of edges only those at the support vertices are tried.
const PAIRS_MAX: usize = 4096;

/// The nearest points of two features.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    /// On `a`, relative to its center, in its axes.
    pub on_a: [f64; 3],
    /// On `b`, relative to its center, in its axes.
    pub on_b: [f64; 3],
    /// From `a` to `b`, in the axes of `a`, of unit length.
    pub normal: [f64; 3],
    /// The distance along the normal, negative in penetration.
    pub gap: f64,
}

/// An answer with its bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resolved {
    pub features: [Feature; 2],
    pub answer: FeatureDistance,
    /// Lower bound of the gap, by the planes orthogonal to the normal.
    pub lower: f64,
    /// Error of the points: their distance from the features, and their offset orthogonal to the
    /// normal.
    pub fault: f64,
    /// Set if these features are the only closest ones.
    pub closest: Option<ClosestFeatures>,
}

/// The features of a body near a support plane.
#[derive(Clone, Debug, Default)]
pub(super) struct NearFeatures {
    pub vertices: Vec<u32>,
    pub edges: Vec<u32>,
    faces: Vec<u32>,
}

/// Finds the answer of ambiguous features; its memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Resolver {
    near: [NearFeatures; 2],
    clip: Clip,
}

/// A pair of features with the separation along their normal.
#[derive(Clone, Copy)]
struct Candidate {
    features: [Feature; 2],
    foot: Foot,
    /// Distance of the support planes along the normal.
    separation: f64,
    /// Error of the points: their distance from the features, and their offset orthogonal to the
    /// normal.
    fault: f64,
}

impl Resolver {
    /// The answer near a direction. `deep`: the bodies penetrate, so only normals of faces of the
    /// Minkowski difference count.
    pub fn resolve(
        &mut self,
        frame: &RelativeFrame,
        normal: [f64; 3],
        deep: bool,
    ) -> Option<Resolved> {
        let back = frame.turned_back(normal).map(|x| 0.0 - x);
        let [i, j] = frame.support(normal, frame.starts(normal));
        self.near[0].find(frame.a, i, normal, BAND * frame.scale);
        self.near[1].find(frame.b, j, back, BAND * frame.scale);
        let separation = 0.0 - dot(normal, frame.difference([i, j]));
        if separation.abs() <= BAND * frame.scale
            && let Some(resolved) = frame.vertex_contact(&self.near)
        {
            return Some(resolved);
        }
        let best = match self.best(frame, [i, j], deep) {
            None if deep => {
                // The direction is not near the normal of any face of the difference: try all
                // features at the support vertices.
                self.near[0].find_next_to(frame.a, i);
                self.near[1].find_next_to(frame.b, j);
                self.best(frame, [i, j], deep)?
            }
            best => best?,
        };
        // If these features are unique, the answer comes from the same formula as all others.
        let [a, b] = frame.bodies();
        if let Verdict::Unique(closest) = verdict(&a, &b, best.features)
            && (closest.answer.gap - best.separation).abs() <= TOLERANCE * frame.scale
        {
            return Some(Resolved {
                features: best.features,
                answer: closest.answer,
                lower: closest.answer.gap,
                fault: 0.0,
                closest: Some(closest),
            });
        }
        Some(self.with_coplanar_features(frame, best))
    }

    /// The answer for intersecting bodies in one plane or on one line: the common point that the
    /// simplex around the origin gives.
    pub fn coplanar_contact(
        &mut self,
        frame: &RelativeFrame,
        simplex: &Simplex,
        normal: [f64; 3],
    ) -> Resolved {
        let pairs = simplex.pairs();
        let mixed = |body: usize, shape: &ConvexPolyhedron| -> [f64; 3] {
            let mut point = [0.0; 3];
            for (pair, weight) in pairs.iter().zip(simplex.weights) {
                let v = shape.local(pair[body]);
                point = std::array::from_fn(|k| point[k] + weight * v[k]);
            }
            point
        };
        let first = pairs.first().copied().unwrap_or_default();
        let features = frame.features_of(pairs);
        let best = Candidate {
            features: features.unwrap_or(first.map(Feature::vertex)),
            foot: Foot {
                on_a: mixed(0, frame.a),
                on_b: mixed(1, frame.b),
                normal,
                gap: 0.0,
            },
            separation: 0.0,
            fault: 0.0,
        };
        self.with_coplanar_features(frame, best)
    }

    fn best(&self, frame: &RelativeFrame, from: [u32; 2], deep: bool) -> Option<Candidate> {
        let enough = TOLERANCE * frame.scale * 0.25;
        let [a, b] = &self.near;
        let frames = [frame, &frame.swapped()];
        let mut best: Option<(f64, Candidate)> = None;
        // The order is fixed: the first proven candidate is taken.
        let mut offer = |candidate: Option<Candidate>| -> bool {
            let Some(candidate) = candidate else {
                return false;
            };
            // A difference of gap and separation counts as an error of the points.
            let fault = candidate.fault + (candidate.foot.gap - candidate.separation).abs();
            let cost = fault - candidate.separation;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, candidate));
            }
            // In penetration the largest separation of all candidates is needed.
            !deep && fault <= enough && candidate.separation >= 0.0 - enough
        };
        'search: {
            let faces = [&a.faces[..], &b.faces];
            let candidate = RelativeFrame::face_vertex_candidate;
            if offer_vertices(frames, &self.near, faces, from, candidate, &mut offer) {
                break 'search;
            }
            let many = a.edges.len() * b.edges.len() > PAIRS_MAX;
            for &e in &a.edges {
                for &f in &b.edges {
                    let is_next = || {
                        frame.a.edge_vertices(e).contains(&from[0])
                            && frame.b.edge_vertices(f).contains(&from[1])
                    };
                    if (!many || is_next()) && offer(frame.edges_candidate(e, f, from)) {
                        break 'search;
                    }
                }
            }
            if deep {
                break 'search;
            }
            let edges = [&a.edges[..], &b.edges];
            let candidate = RelativeFrame::edge_vertex_candidate;
            if offer_vertices(frames, &self.near, edges, from, candidate, &mut offer) {
                break 'search;
            }
            for &i in &a.vertices {
                for &j in &b.vertices {
                    if offer(frame.vertices_candidate(i, j, from)) {
                        break 'search;
                    }
                }
            }
        }
        best.map(|(_, candidate)| candidate)
    }

    /// Replaces features and points by the largest coplanar features and the centre of their common
    /// part.
    fn with_coplanar_features(&mut self, frame: &RelativeFrame, best: Candidate) -> Resolved {
        let Candidate {
            mut features,
            mut foot,
            separation,
            mut fault,
        } = best;
        let size = frame.a.radius() + frame.b.radius();
        let level = (LEVEL * frame.scale)
            .min(LEVEL_OF_SIZE * size)
            .max(LEVEL_LEAST * frame.scale);
        let back = frame.turned_back(foot.normal).map(|x| 0.0 - x);
        let touching = [
            touching(
                frame.a,
                first_vertex(frame.a, features[0]),
                foot.normal,
                level,
            ),
            touching(frame.b, first_vertex(frame.b, features[1]), back, level),
        ];
        let dimensions = touching.map(|f| f.kind as u32);
        if dimensions[0] >= 1 && dimensions[1] >= 1 {
            let view = View::new(frame, touching, foot.normal);
            self.clip.find(&view);
            if let Some(center) = self.clip.center() {
                let on_a = view.place(0, touching[0], center);
                let on_b = view.place(1, touching[1], center);
                let way = minus(frame.in_axes_of_a(on_b), on_a);
                let gap = dot(foot.normal, way);
                let aside: [f64; 3] = std::array::from_fn(|k| way[k] - gap * foot.normal[k]);
                // Edges that cross at a narrow angle are closest only where they cross.
                if dot(aside, aside).sqrt() <= level && (gap - foot.gap).abs() <= 2.0 * level {
                    features = touching;
                    fault = 0.0;
                    foot = Foot {
                        on_a,
                        on_b,
                        gap,
                        ..foot
                    };
                }
            }
        }
        Resolved {
            features,
            answer: frame.world(&foot),
            lower: separation.min(foot.gap),
            fault,
            closest: None,
        }
    }
}

impl NearFeatures {
    /// A vertex, and all of its edges and faces.
    fn find_next_to(&mut self, shape: &ConvexPolyhedron, v: u32) {
        self.vertices.clear();
        self.edges.clear();
        self.faces.clear();
        self.vertices.push(v);
        for &h in shape.outgoing(v) {
            let half_edge = shape.half_edge(h);
            self.edges.push(half_edge.edge);
            if half_edge.face != ConvexPolyhedron::NO_FACE {
                self.faces.push(half_edge.face);
            }
        }
        self.edges.sort_unstable();
        self.faces.sort_unstable();
    }

    /// All features within `band` of the plane through the farthest vertex.
    fn find(&mut self, shape: &ConvexPolyhedron, v: u32, way: [f64; 3], band: f64) {
        self.vertices.clear();
        self.edges.clear();
        self.faces.clear();
        let top = shape.local(v);
        let near = |k: u32| dot(way, minus(top, shape.local(k))) <= band;
        self.vertices.push(v);
        let mut at = 0;
        while at < self.vertices.len() {
            for &k in shape.neighbours(self.vertices[at]) {
                if near(k) && !self.vertices.contains(&k) {
                    self.vertices.push(k);
                }
            }
            at += 1;
        }
        // The order must not depend on where hill climbing ended.
        self.vertices.sort_unstable();
        for &k in &self.vertices {
            for (&l, &h) in shape.neighbours(k).iter().zip(shape.outgoing(k)) {
                let half_edge = shape.half_edge(h);
                if k < l && near(l) {
                    self.edges.push(half_edge.edge);
                }
                let face = half_edge.face;
                if face != ConvexPolyhedron::NO_FACE
                    && near(l)
                    && !self.faces.contains(&face)
                    && shape.face_vertices(face).all(near)
                    && dot(way, shape.normal(face)) > 0.0
                {
                    self.faces.push(face);
                }
            }
        }
        self.edges.sort_unstable();
        self.faces.sort_unstable();
    }
}

/// Offers features of either body with the near vertices of the other until one is taken. The frames
/// are those of `a` and `b`.
fn offer_vertices<'a>(
    frames: [&RelativeFrame<'a>; 2],
    [near_a, near_b]: &[NearFeatures; 2],
    [of_a, of_b]: [&[u32]; 2],
    from: [u32; 2],
    candidate: impl Fn(&RelativeFrame<'a>, u32, u32, [u32; 2]) -> Option<Candidate>,
    mut offer: impl FnMut(Option<Candidate>) -> bool,
) -> bool {
    let [frame, swapped] = frames;
    for &f in of_a {
        for &j in &near_b.vertices {
            if offer(candidate(frame, f, j, from)) {
                return true;
            }
        }
    }
    for &f in of_b {
        for &i in &near_a.vertices {
            let mirrored = candidate(swapped, f, i, [from[1], from[0]]);
            if offer(mirrored.map(|c| frame.mirrored_candidate(c))) {
                return true;
            }
        }
    }
    false
}

impl RelativeFrame<'_> {
    /// Transforms points from the bodies' own axes to the world.
    pub fn world(&self, foot: &Foot) -> FeatureDistance {
        let [a, b] = self.bodies();
        FeatureDistance {
            point_a: a.world(foot.on_a),
            point_b: b.world(foot.on_b),
            normal: a.pose.rotate(foot.normal),
            gap: foot.gap,
        }
    }

    /// The separation of the bodies along a direction: the distance of their support planes.
    pub fn separation(&self, normal: [f64; 3], from: [u32; 2]) -> f64 {
        let pair = self.support(normal, from);
        0.0 - dot(normal, self.difference(pair))
    }

    fn mirrored_candidate(&self, candidate: Candidate) -> Candidate {
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

    fn face_vertex_candidate(&self, f: u32, j: u32, from: [u32; 2]) -> Option<Candidate> {
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

    fn edges_candidate(&self, e: u32, f: u32, from: [u32; 2]) -> Option<Candidate> {
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
        // Rounding tilts it along the edges. Made orthogonal to one edge it is orthogonal to both:
        // it matters only if they are nearly parallel.
        let (normal, _) = direction(across(normal, u, uu))?;
        let way = minus(self.in_axes_of_a(on_b), on_a);
        let gap = dot(normal, way);
        let aside: [f64; 3] = std::array::from_fn(|k| way[k] - gap * normal[k]);
        // Of both directions the one whose support planes contain the edges; if both do, because
        // the bodies are flat, the one along which they are separated.
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

    fn edge_vertex_candidate(&self, e: u32, j: u32, from: [u32; 2]) -> Option<Candidate> {
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

    fn vertices_candidate(&self, i: u32, j: u32, from: [u32; 2]) -> Option<Candidate> {
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

fn first_vertex(shape: &ConvexPolyhedron, feature: Feature) -> u32 {
    match feature.kind {
        FeatureKind::Vertex => feature.index,
        FeatureKind::Edge => shape.edge_vertices(feature.index)[0],
        FeatureKind::Face => shape.face_loop(feature.index)[0].origin,
    }
}

/// The vertex, edge or face in the plane through vertex `v` orthogonal to a direction.
fn touching(shape: &ConvexPolyhedron, v: u32, way: [f64; 3], band: f64) -> Feature {
    let p = shape.local(v);
    let drop = |k: u32| dot(way, minus(p, shape.local(k))).abs();
    let near = shape.neighbours(v).iter().filter(|&&k| drop(k) <= band);
    match near.clone().count() {
        0 => Feature::vertex(v),
        1 => {
            let edge = near.clone().next().and_then(|&k| shape.edge_between(v, k));
            edge.map_or(Feature::vertex(v), Feature::edge)
        }
        _ => {
            let mut best = (f64::NEG_INFINITY, Feature::vertex(v));
            for &h in shape.outgoing(v) {
                let face = shape.half_edge(h).face;
                if face != ConvexPolyhedron::NO_FACE {
                    let along = dot(way, shape.normal(face));
                    if along > best.0 {
                        best = (along, Feature::face(face));
                    }
                }
            }
            best.1
        }
    }
}
