//! Lin's walk as published: the closest features of two convex bodies, from any two features.
//! schinner1995, section "The algorithm", after Lin (1993).
//!
//! An iteration takes one feature of each body and
//! 1. computes the closest points of the two features;
//! 2. tests whether the point of `a` lies in the Voronoi region of the feature of `b`; if not, the
//!    neighbour on the other side of the violated plane replaces that feature;
//! 3. tests the point of `b` against the feature of `a` in the same way.
//!
//! If both tests pass, the two features are the closest of the bodies. A query starts with the
//! features of the last one, so that bodies that move little take one or two iterations, whatever
//! their number of faces: the table of the paper counts these. Each iteration lowers the distance of
//! the two features, or keeps it with a smaller feature, so no pair of features comes twice, and the
//! walk ends after `O(n^2)` iterations for `n` features, from any start.
//!
//! *Traps.* The paper says that a walk around the minimum of the distance may become trapped, and
//! leaves a few special cases undiscussed. A point behind the plane of a face has no next feature: the one of the body that is
//! closest to the point takes its place, found by a test of them all. If none is closer (the bodies
//! touch or penetrate, or rounding hides the difference), the walk ends as *trapped*, and the contact
//! is that of [`exhaustive`], the test of all pairs of features, with its bounds of the gap.
//!
//! *Deviates:*
//! - Steps 3 and 4 of the paper replace the feature that the point lies on; by its own condition on
//!   the distances it is the other one, whose region is violated.
//! - Where several planes are violated, the neighbour with the least distance is taken. The paper
//!   leaves the choice open.
//! - The walk of the paper ends at contact. A trapped walk here returns the penetration depth too.
//!
//! [`Tracker`](crate::closest::Tracker) walks in the same way, but predicts features, stops at a few
//! steps and continues with GJK and EPA; it is faster.

use super::closest_points::{ClosestPoints, Corners, closest_points};
use super::voronoi_region::Violated;
use crate::closest::exhaustive;
use crate::contact::{Contact, ContactStatus, Feature, FeatureKind};
use crate::geometry::Pose;
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::ConvexPolyhedron;

/// The angle by which a point may be beyond a plane of a Voronoi region, as seen from the feature:
/// 2^-44. It allows for rounding of directions.
const ANGLE: f64 = 1.0 / (1u64 << 44) as f64;

/// The distance, relative to the scale of the bodies, at which the walk stops because they touch or
/// penetrate: 2^-46. The scale is the radii of both bodies plus the distance of their centers.
const CONTACT: f64 = 1.0 / (1u64 << 46) as f64;

/// Bound on the error of a distance, relative to the scale of the bodies: of slopes up to [`ANGLE`]
/// over features no longer than the scale, and of rounding.
const ERROR: f64 = 1.0 / (1u64 << 42) as f64;

/// The squared sine of the angle of two edges below which their cross product gives no normal.
const PARALLEL: f64 = 1e-2;

/// The contact of two convex bodies by Lin's walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinContact {
    /// The contact of the bodies.
    pub contact: Contact,
    /// The number of pairs of features that the walk visited: 1 if it started with the closest ones.
    pub iterations: u32,
    /// The number of pairs of features whose closest points were computed: those visited and their
    /// neighbours beyond violated planes, and all features of a body where one has no neighbour. The
    /// pairs that decide after a trap are not counted.
    pub tests: u64,
    /// Whether the walk was trapped: no neighbour was closer, though a Voronoi region was violated.
    /// The contact is then that of all pairs of features. So it is wherever the bodies touch or
    /// penetrate.
    pub trapped: bool,
}

impl LinContact {
    /// Compares the contact of Lin's walk with that of [`exhaustive`], the test of all pairs of
    /// features.
    ///
    /// # Errors
    /// When the true gap is not within the bounds; the error says by how much.
    pub fn compare(
        &self,
        a: &ConvexPolyhedron,
        pose_a: &Pose,
        b: &ConvexPolyhedron,
        pose_b: &Pose,
    ) -> std::result::Result<(), String> {
        let expected = exhaustive(a, pose_a, b, pose_b).gap;
        let Contact { lower, upper, .. } = self.contact;
        match lower <= expected && expected <= upper {
            true => Ok(()),
            false => Err(format!(
                "has a gap from {lower} to {upper}, and all pairs of features have {expected}"
            )),
        }
    }
}

/// Statistics of [`LinWalk`] since the last [`LinWalk::reset_counts`], as in the table of
/// schinner1995.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinCounts {
    /// The number of queries.
    pub queries: u64,
    /// The numbers of queries that took 1, 2, 3, and 4 or more iterations.
    pub iterations: [u64; 4],
    /// The number of queries that were trapped.
    pub trapped: u64,
}

/// Lin's walk of two convex bodies, whose closest features are kept from query to query.
///
/// ```
/// use tangere::closest::LinWalk;
/// use tangere::geometry::Pose;
/// use tangere::shape::ConvexPolyhedron;
///
/// let cube: Vec<[f64; 3]> = (0..8).map(|i| [0, 1, 2].map(|k| f64::from(i >> k & 1))).collect();
/// let cube = ConvexPolyhedron::hull(&cube)?;
/// let mut walk = LinWalk::new();
/// let here = Pose::identity();
/// let first = walk.contact(&cube, &here, &cube, &"1.5,0,0".parse()?);
/// assert_eq!((first.contact.gap, first.trapped), (0.5, false));
/// let next = walk.contact(&cube, &here, &cube, &"1.6,0,0".parse()?);
/// assert_eq!(next.iterations, 1);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LinWalk {
    /// The numbers of vertices, edges and faces of the bodies that the stored features belong to.
    sizes: [[usize; 3]; 2],
    features: Option<[Feature; 2]>,
    counts: LinCounts,
    /// The number of closest points computed in this query.
    tests: u64,
    corners: [Vec<[f64; 3]>; 2],
}

impl LinWalk {
    /// Lin's walk without history: its first query starts with the first vertex of each body.
    pub fn new() -> Self {
        Self::default()
    }

    /// The statistics of all queries of Lin's walk since the last
    /// [`reset_counts`](Self::reset_counts).
    pub fn counts(&self) -> LinCounts {
        self.counts
    }

    /// Resets the statistics of Lin's walk.
    pub fn reset_counts(&mut self) {
        self.counts = LinCounts::default();
    }

    /// Lin's walk from the features of the last query to the closest ones; from the first vertices if
    /// the bodies have other numbers of features than those of the last query.
    pub fn contact(
        &mut self,
        a: &ConvexPolyhedron,
        pose_a: &Pose,
        b: &ConvexPolyhedron,
        pose_b: &Pose,
    ) -> LinContact {
        let start = match (self.features, self.sizes == [size(a), size(b)]) {
            (Some(features), true) => features,
            _ => [Feature::vertex(0); 2],
        };
        self.contact_from(start, a, pose_a, b, pose_b)
    }

    /// Lin's walk from these features to the closest ones. A feature that a body does not have counts
    /// as its first vertex.
    pub fn contact_from(
        &mut self,
        start: [Feature; 2],
        a: &ConvexPolyhedron,
        pose_a: &Pose,
        b: &ConvexPolyhedron,
        pose_b: &Pose,
    ) -> LinContact {
        let pair = PlacedPair::new([a, b], [pose_a, pose_b]);
        let mut features = [0, 1].map(|k| match has([a, b][k], start[k]) {
            true => start[k],
            false => Feature::vertex(0),
        });
        let mut iterations = 1;
        self.tests = 0;
        let mut closest = self.closest(&pair, features);
        let ended = loop {
            if closest.distance <= CONTACT * pair.scale {
                break None;
            }
            match self.next(&pair, features, &closest) {
                Step::Ended => break Some(closest),
                Step::Trapped => break None,
                Step::To(next, points) => (features, closest) = (next, points),
            }
            iterations += 1;
        };
        let contact = match ended {
            Some(closest) => {
                features[0] = pair.bodies[0].facing(features[0], closest.q);
                features[1] = pair.bodies[1].facing(features[1], closest.p);
                pair.contact(&closest, features)
            }
            None => exhaustive(a, pose_a, b, pose_b),
        };
        // Features of the oracle may be those of a depth; a walk that was trapped leaves its own.
        self.features = Some(features);
        self.sizes = [size(a), size(b)];
        self.counts.queries += 1;
        self.counts.iterations[iterations.clamp(1, 4) as usize - 1] += 1;
        self.counts.trapped += u64::from(ended.is_none());
        LinContact {
            contact: Contact {
                steps: iterations,
                ..contact
            },
            iterations,
            tests: self.tests,
            trapped: ended.is_none(),
        }
    }

    /// The closest points of a feature of `a` and one of `b`, for an iteration of Lin's walk.
    fn closest(&mut self, pair: &PlacedPair, features: [Feature; 2]) -> ClosestPoints {
        self.tests += 1;
        let [a, b] = &mut self.corners;
        let normals = [
            pair.bodies[0].corners(features[0], a),
            pair.bodies[1].corners(features[1], b),
        ];
        let corners = |points, normal| Corners { points, normal };
        closest_points(corners(a, normals[0]), corners(b, normals[1]))
    }

    /// The next step of Lin's walk from two features and their closest points.
    fn next(&mut self, pair: &PlacedPair, features: [Feature; 2], closest: &ClosestPoints) -> Step {
        // The point of `a` and the region on `b` first.
        let tests = [(1, closest.p), (0, closest.q)];
        let mut is_violated = false;
        for (k, point) in tests {
            let mut best: Option<([Feature; 2], ClosestPoints)> = None;
            let mut is_behind = false;
            let body = &pair.bodies[k];
            let tolerance = ANGLE * closest.distance;
            body.violated_planes(features[k], point, tolerance, |violated| {
                is_violated = true;
                let Violated::Towards(neighbor) = violated else {
                    is_behind = true;
                    return;
                };
                let mut next = features;
                next[k] = neighbor;
                let points = self.closest(pair, next);
                if best.is_none_or(|(_, best)| points.distance < best.distance) {
                    best = Some((next, points));
                }
            });
            if is_behind {
                best = self.nearest_of_all(pair, features, k);
            }
            if let Some((next, points)) = best
                && descends((features, closest), (next, &points))
            {
                return Step::To(next, points);
            }
        }
        match is_violated {
            true => Step::Trapped,
            false => Step::Ended,
        }
    }

    /// The feature of body `k` that is closest to the feature of the other body in Lin's walk, by a
    /// test of them all.
    fn nearest_of_all(
        &mut self,
        pair: &PlacedPair,
        features: [Feature; 2],
        k: usize,
    ) -> Option<([Feature; 2], ClosestPoints)> {
        let [vertices, edges, faces] = size(pair.bodies[k].shape).map(|n| n as u32);
        let all = (0..vertices)
            .map(Feature::vertex)
            .chain((0..edges).map(Feature::edge))
            .chain((0..faces).map(Feature::face));
        let mut best: Option<([Feature; 2], ClosestPoints)> = None;
        for feature in all {
            let mut next = features;
            next[k] = feature;
            let points = self.closest(pair, next);
            if best.is_none_or(|(_, best)| points.distance < best.distance) {
                best = Some((next, points));
            }
        }
        best
    }
}

/// The result of an iteration of Lin's walk.
enum Step {
    /// Both points lie in the Voronoi regions: the features are the closest.
    Ended,
    /// A Voronoi region is violated, but no feature is closer.
    Trapped,
    /// Closer features, with their closest points.
    To([Feature; 2], ClosestPoints),
}

/// Whether a step of Lin's walk goes down: the distance is less, or the same with features of fewer
/// dimensions. So no two features come twice.
fn descends(
    (from, before): ([Feature; 2], &ClosestPoints),
    (to, after): ([Feature; 2], &ClosestPoints),
) -> bool {
    let dimension = |features: [Feature; 2]| features[0].kind as u32 + features[1].kind as u32;
    after.distance < before.distance
        || (after.distance == before.distance && dimension(to) < dimension(from))
}

/// The numbers of vertices, edges and faces of a body.
fn size(shape: &ConvexPolyhedron) -> [usize; 3] {
    [shape.vertex_count(), shape.edge_count(), shape.face_count()]
}

/// Whether a body has a feature.
fn has(shape: &ConvexPolyhedron, feature: Feature) -> bool {
    (feature.index as usize) < size(shape)[feature.kind as usize]
}

/// A body in the common axes of a pair: those of the world, with the center of the first body as
/// origin, in units of a power of two near the scale of both.
pub(super) struct PlacedBody<'s> {
    pub shape: &'s ConvexPolyhedron,
    pose: &'s Pose,
    /// The center of the body in the common axes, before it is scaled.
    at: [f64; 3],
    unit: f64,
}

impl PlacedBody<'_> {
    /// The position of a vertex in the common axes of the pair.
    pub(super) fn vertex(&self, v: u32) -> [f64; 3] {
        let local = minus(self.shape.vertex(v), self.shape.center());
        let turned = self.pose.rotate(local);
        std::array::from_fn(|k| (turned[k] + self.at[k]) * self.unit)
    }

    /// The outward normal of a face in the common axes of the pair.
    pub(super) fn normal(&self, f: u32) -> [f64; 3] {
        self.pose.rotate(self.shape.normal(f))
    }

    /// The face of a flat polygon that faces a point, in place of the other; any other feature itself.
    fn facing(&self, feature: Feature, point: [f64; 3]) -> Feature {
        if feature.kind != FeatureKind::Face || self.shape.dimension() == 3 {
            return feature;
        }
        let corner = self.vertex(
            self.shape
                .half_edge(self.shape.face(feature.index).start)
                .origin,
        );
        match dot(self.normal(feature.index), minus(point, corner)) < 0.0 {
            true => Feature::face(1 - feature.index),
            false => feature,
        }
    }

    /// Writes the corners of a feature to `out`; returns the normal of a face, otherwise 0.
    fn corners(&self, feature: Feature, out: &mut Vec<[f64; 3]>) -> [f64; 3] {
        out.clear();
        match feature.kind {
            FeatureKind::Vertex => out.push(self.vertex(feature.index)),
            FeatureKind::Edge => {
                let ends = self.shape.edge_vertices(feature.index);
                out.extend(ends.map(|v| self.vertex(v)));
            }
            FeatureKind::Face => {
                let vertices = self.shape.face_vertices(feature.index);
                out.extend(vertices.map(|v| self.vertex(v)));
                return self.normal(feature.index);
            }
        }
        [0.0; 3]
    }
}

/// Two bodies in common axes.
struct PlacedPair<'s> {
    bodies: [PlacedBody<'s>; 2],
    /// The scale to which errors are relative, in units of the pair: the radii of both bodies plus
    /// the distance of their centers.
    scale: f64,
    /// The position of the origin of the common axes in the world.
    origin: [[f64; 3]; 2],
    unit: f64,
}

impl<'s> PlacedPair<'s> {
    fn new(shapes: [&'s ConvexPolyhedron; 2], poses: [&'s Pose; 2]) -> Self {
        let centers = [0, 1].map(|k| poses[k].rotate(shapes[k].center()));
        let translations = poses.map(Pose::translation);
        // Translations first: far from the origin their difference is exact.
        let moved = minus(translations[1], translations[0]);
        let apart = minus(centers[1], centers[0]);
        let between: [f64; 3] = std::array::from_fn(|k| moved[k] + apart[k]);
        let length = between.iter().map(|x| x.abs()).sum::<f64>();
        let scale = shapes[0].radius() + shapes[1].radius() + length;
        let unit = match scale > 0.0 {
            true => libm::scalbn(1.0, 0 - libm::ilogb(scale)),
            false => 1.0,
        };
        let placed = |k: usize, at: [f64; 3]| PlacedBody {
            shape: shapes[k],
            pose: poses[k],
            at,
            unit,
        };
        PlacedPair {
            bodies: [placed(0, [0.0; 3]), placed(1, between)],
            scale: scale * unit,
            origin: [translations[0], centers[0]],
            unit,
        }
    }

    /// The direction across two features, of either sign, if they have one of their own: the normal
    /// of a face, or the cross product of two edges that are not nearly parallel. It is more accurate
    /// than the vector between points that are close.
    fn across(&self, features: [Feature; 2]) -> Option<[f64; 3]> {
        for (body, feature) in self.bodies.iter().zip(features) {
            if feature.kind == FeatureKind::Face {
                return Some(body.normal(feature.index));
            }
        }
        if features.iter().any(|f| f.kind != FeatureKind::Edge) {
            return None;
        }
        let [u, v] = [0, 1].map(|k| {
            let body = &self.bodies[k];
            let ends = body.shape.edge_vertices(features[k].index);
            let [from, to] = ends.map(|v| body.vertex(v));
            minus(to, from)
        });
        let n = cross(u, v);
        let squared = dot(n, n);
        let length = squared.sqrt();
        (squared > PARALLEL * dot(u, u) * dot(v, v)).then(|| n.map(|x| x / length))
    }

    /// The contact of the pair at these closest points, at which Lin's walk ended.
    fn contact(&self, closest: &ClosestPoints, features: [Feature; 2]) -> Contact {
        let way = minus(closest.q, closest.p);
        let length = dot(way, way).sqrt();
        let normal = match self.across(features) {
            Some(across) if dot(across, way) < 0.0 => across.map(|x| 0.0 - x),
            Some(across) => across,
            None => way.map(|x| x / length),
        };
        let [feature_a, feature_b] = features;
        let [translation, center] = self.origin;
        // No negative zeros: answers are compared bit for bit.
        let world = |p: [f64; 3]| -> [f64; 3] {
            std::array::from_fn(|k| translation[k] + (center[k] + p[k] / self.unit) + 0.0)
        };
        let gap = length / self.unit;
        let error = ERROR * self.scale / self.unit;
        Contact {
            gap,
            lower: gap - error,
            upper: gap + error,
            point_a: world(closest.p),
            point_b: world(closest.q),
            normal: normal.map(|x| x + 0.0),
            feature_a,
            feature_b,
            status: ContactStatus::Separated,
            steps: 0,
        }
    }
}
