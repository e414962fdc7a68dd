//! Ambiguous features: the contact of two convex bodies whose closest features are parallel, or
//! where several pairs of features are equally close up to rounding.
//!
//! GJK or EPA has found a contact normal with a small error. All features of both bodies near the
//! support planes orthogonal to this normal are collected
//! ([`near_features`](super::near_features)). Every pair of them, one of each body, is a candidate
//! with a normal of its own ([`candidate`](super::candidate)). The gap of two convex bodies is the
//! maximum of their separation over all directions. So the candidate along whose normal the bodies
//! have the largest separation is the contact, and this separation is a lower bound of the gap.
//! Where features are parallel, the contact point is the centre of the overlap of their projections
//! along the normal.
//!
//! Cost: the product of the numbers of near features of the two bodies, unless one of the first
//! pairs is proven the best.

use super::candidate::{Candidate, Foot};
use super::clip::{Clip, View};
use super::feature_distance::{FeatureDistance, corner};
use super::gjk::TOLERANCE;
use super::near_features::NearFeatures;
use super::relative_frame::RelativeFrame;
use super::simplex::Simplex;
use super::voronoi_criterion::{ClosestFeatures, Verdict, verdict};
use crate::contact::Feature;
use crate::geometry::vector::{dot, minus};
use crate::shape::ConvexPolyhedron;

/// The distance from a support plane up to which features count as near, so that they are
/// candidates for the contact. It is relative to the scale: the radii of both bodies plus the
/// distance of their centers. It is larger than the change of this distance that the error of a
/// normal from GJK or EPA can cause.
const BAND: f64 = 1.0 / (1u64 << 26) as f64;

/// The distance from the contact plane up to which vertices count as lying in it, relative to the
/// scale: the radii of both bodies plus the distance of their centers. It allows for rounding only.
const LEVEL: f64 = 1.0 / (1u64 << 44) as f64;

/// A second limit of the distance from the contact plane up to which vertices count as lying in it,
/// relative to the sum of the radii of the bodies. The smaller of this limit and that of [`LEVEL`]
/// applies: for small bodies that are far apart, [`LEVEL`] alone would put all vertices into the
/// plane.
const LEVEL_OF_SIZE: f64 = 1.0 / (1u64 << 20) as f64;

/// Vertices always count as lying in the contact plane up to this distance from it, even if the
/// limit of [`LEVEL_OF_SIZE`] is less: smaller distances are rounding errors. It is relative to the
/// scale: the radii of both bodies plus the distance of their centers.
const LEVEL_LEAST: f64 = 8.0 * f64::EPSILON;

/// Maximum number of pairs of near edges that are all tried as candidates for the contact. If there
/// are more, only the edges at the support vertices are tried.
const PAIRS_MAX: usize = 4096;

/// A body is much smaller than another if its radius is below this fraction of the other's: about the
/// ratio of the tolerance of gaps and the margin of the Voronoi criterion.
const SMALL: f64 = 1.0 / (1u64 << 10) as f64;

/// The contact of ambiguous features: of several pairs of features that are equally close up to
/// rounding, the chosen pair. With it are stored the error of its contact points and a lower bound
/// of the gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resolved {
    pub features: [Feature; 2],
    pub answer: FeatureDistance,
    /// Lower bound of the gap of the two bodies: the distance of their support planes orthogonal to
    /// the contact normal.
    pub lower: f64,
    /// The error of the two contact points, as a length. For a face and a vertex it is the distance
    /// by which the projection of the vertex lies outside the face. For two edges it is the length
    /// of the part of the vector between the points that is orthogonal to the contact normal.
    /// Otherwise it is 0.
    pub fault: f64,
    /// The result of the Voronoi criterion if it shows that the features of this contact are the
    /// only closest ones; otherwise `None`.
    pub closest: Option<ClosestFeatures>,
}

/// Computes contacts of ambiguous features: where several pairs of features are equally close up to
/// rounding. Its buffers are reused from query to query.
#[derive(Clone, Debug, Default)]
pub(super) struct Resolver {
    near: [NearFeatures; 2],
    clip: Clip,
}

impl Resolver {
    /// Resolves ambiguous features: returns the contact of the best pair among the features near
    /// the support planes orthogonal to `normal`. The best pair has the largest separation of the
    /// bodies along its own normal, minus errors. Returns `None` if no pair is a candidate. If the
    /// bodies penetrate (`deep`), only pairs of features that make a face of the Minkowski
    /// difference are candidates.
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
        if !deep && let Some(unique) = self.unique(frame, best.separation) {
            return Some(unique);
        }
        Some(self.with_coplanar_features(frame, best))
    }

    /// The unique features among the near ones of a body and a much smaller one, for which features
    /// may be unique, with the margin of the Voronoi criterion relative to the larger body, although
    /// others are as close up to rounding, which is relative to it, too. A query that starts with them
    /// reports them; so does this one.
    fn unique(&self, frame: &RelativeFrame, separation: f64) -> Option<Resolved> {
        let (r, s) = (frame.a.radius(), frame.b.radius());
        if r.min(s) == 0.0 || r.min(s) >= SMALL * r.max(s) {
            return None;
        }
        let [a, b] = frame.bodies();
        let near = [0, 1].map(|k| {
            let near = &self.near[k];
            let vertices = near.vertices.iter().map(|&v| Feature::vertex(v));
            let edges = near.edges.iter().map(|&e| Feature::edge(e));
            vertices
                .chain(edges)
                .chain(near.faces.iter().map(|&f| Feature::face(f)))
        });
        let [of_a, of_b] = near;
        for f in of_a {
            for g in of_b.clone() {
                if let Verdict::Unique(closest) = verdict(&a, &b, [f, g])
                    && (closest.answer.gap - separation).abs() <= TOLERANCE * frame.scale
                {
                    return Some(Resolved {
                        features: [f, g],
                        answer: closest.answer,
                        lower: closest.answer.gap,
                        fault: 0.0,
                        closest: Some(closest),
                    });
                }
            }
        }
        None
    }

    /// Resolves ambiguous features of two intersecting flat bodies, which both lie in one plane or
    /// on one line; `normal` is orthogonal to it. The GJK simplex contains the origin. The
    /// barycentric weights of the origin in the simplex give a common point of the bodies, which is
    /// the contact point.
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

    /// The best candidate for the contact of ambiguous features, among all pairs of near features.
    /// It has the largest separation of the bodies along its normal, minus errors. The errors are
    /// the error of its nearest points, and the difference between the gap of its two features and
    /// the separation. `None` if no pair makes a candidate. `from` are the support vertices of the
    /// two bodies; `deep` is set if the bodies penetrate.
    fn best(&self, frame: &RelativeFrame, from: [u32; 2], deep: bool) -> Option<Candidate> {
        let enough = TOLERANCE * frame.scale * 0.25;
        let [a, b] = &self.near;
        let frames = [frame, &frame.swapped()];
        let mut best: Option<(f64, Candidate)> = None;
        // The order of the pairs is fixed: the first candidate that is proven to be the contact
        // ends the search.
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

    /// The contact of ambiguous features from their best candidate. Each feature of the candidate
    /// is replaced by the largest feature of its body in the contact plane. If the projections of
    /// these along the normal overlap in an area or a segment, the contact points are moved to the
    /// centre of the overlap.
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
            touching(frame.a, corner(frame.a, features[0]), foot.normal, level),
            touching(frame.b, corner(frame.b, features[1]), back, level),
        ];
        let dimensions = touching.map(|f| f.kind as u32);
        if dimensions[0] >= 1 && dimensions[1] >= 1 {
            let view = View::new(frame, touching, foot.normal);
            self.clip.find(&view);
            if let Some(center) = self.clip.center() {
                let on_a = view.point_on(0, touching[0], center);
                let on_b = view.point_on(1, touching[1], center);
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

/// Tries pairs of a vertex and an edge, or of a vertex and a face, as candidates for the contact of
/// ambiguous features (equally close up to rounding). Passes each candidate to `offer` until
/// `offer` returns true; returns whether it did.
///
/// `of_a` and `of_b` are indices of edges of each body, or of faces. They are combined with the
/// near vertices of the other body. The function `candidate` needs a frame whose first body is the
/// one with the edge or face. So there are two `frames`: one with `a` first, one with `b` first.
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

/// The largest feature with vertex `v` that lies in the contact plane, for the contact of ambiguous
/// features. The plane goes through `v`, orthogonal to `way`. A neighbour of `v` counts as lying in
/// it up to the distance `band`. With no such neighbour the feature is `v`; with one, it is the
/// edge to it; with more, it is the face at `v` whose normal is nearest to `way`.
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
