//! Tracker: a pair of convex bodies whose closest features are tracked from query to query
//! (temporal coherence).
//!
//! A query first tests whether the features of the last query are still the closest
//! ([`voronoi_criterion`](super::voronoi_criterion)). In small motion they almost always are, and
//! the query ends. If not, it walks to neighbouring features
//! ([`voronoi_walk`](super::voronoi_walk)), continues with GJK ([`gjk`](super::gjk)), and in
//! penetration proves the depth by the face in contact ([`shallow_depth`]) or by EPA
//! ([`epa`](super::epa)); of thin bodies with few features by the separating axis test
//! ([`separating_axes`](super::separating_axes)).
//!
//! Every answer is computed from its two features by one formula. Where rounding leaves several
//! features to choose from, the search starts again from a start that does not depend on earlier
//! queries. So answers do not depend on earlier queries.
//!
//! *Deviates:*
//! - At the end of a query, features that are about to change are predicted, for the poses to which
//!   the current motion leads. So a query may take one step although its features are new, where
//!   the paper counts a second iteration.
//! - Bodies more than 1e7 times longer than thick have no history: the margins of comparisons are
//!   relative to the length. If they have few features, all pairs of them are tested
//!   ([`exhaustive`](super::exhaustive)), and so are those of a pair whose searches leave a bracket.
//! - The walk of the paper may be trapped; here it ends after a few steps, and GJK continues.

use super::ambiguous_features::{Resolved, Resolver};
use super::candidate::Foot;
use super::epa::{Depth, Polytope};
use super::exact_gjk_epa::{exact_depth, exact_distance};
use super::exhaustive::of_all_features;
use super::feature_distance::FeatureDistance;
use super::gjk::{GjkResult, TOLERANCE};
use super::minkowski_difference::is_face;
use super::posed::{Posed, comes_after};
use super::relative_frame::RelativeFrame;
use super::rescaled::{Rescaled, is_ordinary, is_trackable};
use super::separating_axes::are_few;
use super::shallow_depth;
use super::simplex::Simplex;
use super::vectors::direction;
use super::voronoi_criterion::{ClosestFeatures, Verdict, verdict};
use crate::contact::{Contact, ContactStatus, Feature};
use crate::geometry::Pose;
use crate::geometry::vector::dot;
use crate::shape::ConvexPolyhedron;

/// The rounding error of an answer that is computed from its features, relative to the scale: the
/// radii of both bodies plus the distance of their centers.
const ROUNDING: f64 = 1.0 / (1u64 << 48) as f64;

/// The largest difference of lower and upper bound of the gap at which the tracker reports the gap
/// as found; otherwise the contact is bracketed. It is relative to the scale: the radii of both
/// bodies plus the distance of their centers.
const CLOSE: f64 = 1e-12;

/// Maximum number of steps of the Lin-Canny walk, after which GJK takes over.
const WALK_STEPS: usize = 6;

/// The gap below which bodies may soon penetrate, so that the next query may start with the EPA
/// polytope. It is relative to the scale: the radii of both bodies plus the distance of their
/// centers.
const DEEP: f64 = 1e-3;

/// The number of queries that the tracker looks ahead. The slack of the closest features is the
/// margin by which the Voronoi criterion holds. If the slack would not last for this number of
/// queries, shrinking as in the last one, the next query starts with predicted features. Otherwise
/// it starts with the same features.
const AHEAD: f64 = 1.5;

/// The least length by which all other separating translations must exceed the shortest one, for
/// the closest features to be unique. It is relative to the scale: the radii of both bodies plus
/// the distance of their centers.
const TIE: f64 = 1.0 / (1u64 << 36) as f64;

/// Statistics of a [`Tracker`] since the last [`Tracker::reset_counts`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of queries of the tracker.
    pub queries: u64,
    /// The numbers of queries that took 1, 2, 3, and 4 or more steps. A step is a test of one pair
    /// of features, or an iteration of GJK or EPA.
    pub steps: [u64; 4],
    /// The number of times that the search was restarted because the closest features were
    /// ambiguous.
    pub restarts: u64,
}

/// Distance and penetration depth of two convex bodies, whose closest features are tracked from
/// query to query.
///
/// ```
/// use tangere::closest::Tracker;
/// use tangere::geometry::Pose;
/// use tangere::shape::ConvexPolyhedron;
///
/// let cube: Vec<[f64; 3]> = (0..8).map(|i| [0, 1, 2].map(|k| f64::from(i >> k & 1))).collect();
/// let cube = ConvexPolyhedron::hull(&cube)?;
/// let mut tracker = Tracker::new();
/// let contact = tracker.contact(&cube, &Pose::identity(), &cube, &"1.5,0,0".parse()?);
/// assert_eq!((contact.gap, contact.normal), (0.5, [1.0, 0.0, 0.0]));
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tracker {
    /// Whether the last search had the two bodies in the order opposite to that of the call.
    mirrored: bool,
    /// The keys, which identify shapes, of the two bodies that the stored features belong to, in
    /// the order of the search.
    keys: [u64; 2],
    /// The two features, one of each body, that the tracker tests first in its next query; `None`
    /// if it has no earlier query of these bodies to start from.
    features: Option<[Feature; 2]>,
    last: Last,
    /// Whether the bodies penetrated in the last query, or were so close that they may soon
    /// penetrate. Then the next query may continue with the stored EPA polytope.
    deep: bool,
    polytope: Polytope,
    /// Polytopes that no track has: of tracks that ended, and ready for new ones.
    #[allow(
        clippy::vec_box,
        reason = "a track takes the box itself, without an allocation"
    )]
    spare: Vec<Box<Polytope>>,
    /// The number of polytopes that were made for tracks.
    made: usize,
    resolver: Resolver,
    counts: Counts,
}

/// What a tracker keeps of one pair of bodies between two queries, if it serves many pairs in turn
/// ([`Tracker::contact_on`]): the closest features, and the EPA polytope while the bodies penetrate or
/// are about to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Track {
    features: Option<[Feature; 2]>,
    mirrored: bool,
    deep: bool,
    polytope: Option<Box<Polytope>>,
}

impl Track {
    /// Whether the bodies penetrate so deeply that a polytope is kept for them.
    pub(crate) fn is_deep(&self) -> bool {
        self.polytope.is_some()
    }
}

/// Spare polytopes of several trackers.
#[derive(Debug, Default)]
#[allow(
    clippy::vec_box,
    reason = "a track takes the box itself, without an allocation"
)]
pub(crate) struct SparePolytopes(Vec<Box<Polytope>>);

impl SparePolytopes {
    /// Makes as many as are wanted if there are fewer than half of them. Returns their number.
    pub(crate) fn fill(&mut self, wanted: usize) -> usize {
        if 2 * self.0.len() < wanted {
            let missing = wanted - self.0.len();
            self.0.extend((0..missing).map(|_| Polytope::reserved()));
        }
        self.0.len()
    }
}

/// The result of the tracker's last query, for the prediction of the features with which the next
/// query starts.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    /// The closest features of the last query, if they were unique.
    features: Option<[Feature; 2]>,
    /// The slack of the closest features in the last query: the margin, as a length, by which the
    /// Voronoi criterion held.
    slack: f64,
    /// The poses of the two bodies in the last query, each as translation and quaternion.
    poses: [[f64; 7]; 2],
}

/// The result of a search by the tracker: the closest features, their distance, and bounds of the
/// gap.
struct Found {
    features: [Feature; 2],
    answer: FeatureDistance,
    /// The result of the Voronoi criterion if the features are the only closest ones; otherwise
    /// `None`.
    closest: Option<ClosestFeatures>,
    lower: f64,
    upper: f64,
    resolved: bool,
}

impl Tracker {
    /// A tracker of two convex bodies without history.
    pub fn new() -> Self {
        Self::default()
    }

    /// The statistics of all queries of the tracker since the last
    /// [`reset_counts`](Self::reset_counts).
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Resets the statistics of the tracker.
    pub fn reset_counts(&mut self) {
        self.counts = Counts::default();
    }

    /// Tracks the closest features of two bodies and returns their contact: distance or penetration
    /// depth, closest points, normal and features.
    ///
    /// The answer does not depend on earlier calls, only its cost does. Exchanging the
    /// bodies gives the mirrored answer, bit for bit.
    pub fn contact(
        &mut self,
        a: &ConvexPolyhedron,
        pose_a: &Pose,
        b: &ConvexPolyhedron,
        pose_b: &Pose,
    ) -> Contact {
        let a = Posed {
            shape: a,
            pose: pose_a,
        };
        let b = Posed {
            shape: b,
            pose: pose_b,
        };
        let mirrored = comes_after(&a, &b);
        let (a, b) = if mirrored { (b, a) } else { (a, b) };
        let keys = [a.shape.key(), b.shape.key()];
        if self.keys != keys || self.mirrored != mirrored {
            self.change(keys, mirrored);
        }
        let Some(features) = self.features else {
            return self.search(a, b, None).mirrored_if(mirrored);
        };
        // The prediction is nearly always right.
        let first = verdict(&a, &b, features);
        match &first {
            Verdict::Unique(closest)
                if closest.answer.gap >= -TOLERANCE * closest.scale
                    && is_trackable(a.shape, b.shape, closest.scale) =>
            {
                self.follow(a, b, features, closest);
                self.count(1);
                self.deep = closest.answer.gap <= DEEP * closest.scale;
                contact(&closest.answer, closest.scale, features, 1, mirrored)
            }
            _ => {
                let begun = Some((features, &first));
                self.search(a, b, begun).mirrored_if(mirrored)
            }
        }
    }

    /// The contact of two bodies, as [`contact`](Self::contact), with the history of `track` in place of
    /// the tracker's own: one tracker serves many pairs in turn, and each pair keeps 32 bytes.
    pub(crate) fn contact_on(
        &mut self,
        track: &mut Track,
        (a, pose_a): (&ConvexPolyhedron, &Pose),
        (b, pose_b): (&ConvexPolyhedron, &Pose),
    ) -> Contact {
        let keys = [a.key(), b.key()];
        self.keys = if track.mirrored {
            [keys[1], keys[0]]
        } else {
            keys
        };
        self.mirrored = track.mirrored;
        self.features = track.features;
        self.last = Last::default();
        self.deep = track.deep;
        let mut own = track.polytope.take();
        match &mut own {
            Some(polytope) => std::mem::swap(&mut self.polytope, polytope),
            None => self.polytope.clear(),
        }
        let contact = self.contact(a, pose_a, b, pose_b);
        *track = Track {
            features: self.features,
            mirrored: self.mirrored,
            deep: self.deep,
            polytope: None,
        };
        if self.deep && self.polytope.is_useful() {
            let mut kept = own.unwrap_or_else(|| self.spare_polytope());
            std::mem::swap(&mut self.polytope, &mut kept);
            track.polytope = Some(kept);
            // What came back is of another pair, or stale: a query of these bodies without a track must
            // not continue with it.
            self.polytope.clear();
        } else {
            self.spare.extend(own);
        }
        contact
    }

    /// A polytope for a track. Where none is left, a quarter more are made than so far, so that queries
    /// of many pairs soon allocate nothing.
    fn spare_polytope(&mut self) -> Box<Polytope> {
        if self.spare.is_empty() {
            let more = 1 + self.made / 4;
            self.made += more;
            self.spare.reserve(self.made);
            self.spare.extend((0..more).map(|_| Polytope::reserved()));
        }
        self.spare.pop().unwrap_or_default()
    }

    /// Takes the memory of a track that is no longer needed, for other pairs.
    pub(crate) fn recycle(&mut self, track: Track) {
        self.spare.extend(track.polytope);
    }

    /// Moves spare polytopes to others, to be shared with other trackers.
    pub(crate) fn give_spare(&mut self, others: &mut SparePolytopes) {
        others.0.append(&mut self.spare);
    }

    /// Takes some spare polytopes of others, as many as there are.
    pub(crate) fn take_spare(&mut self, others: &mut SparePolytopes, count: usize) {
        let rest = others.0.len().saturating_sub(count);
        // At once, so that what tracks give back soon needs no more memory.
        self.spare.reserve(2 * count);
        self.spare.extend(others.0.drain(rest..));
    }

    /// Adds a query with this number of steps to the statistics of the tracker.
    fn count(&mut self, steps: u32) {
        self.counts.queries += 1;
        self.counts.steps[(steps.clamp(1, 4) - 1) as usize] += 1;
    }

    /// Prepares the tracker for other bodies: clears its history. If the bodies of the last query
    /// come in the other order, it keeps the stored features, exchanged.
    #[cold]
    fn change(&mut self, keys: [u64; 2], mirrored: bool) {
        let turned =
            self.keys == [keys[1], keys[0]] && (keys[0] != keys[1] || mirrored != self.mirrored);
        if turned {
            self.features = self.features.map(|[f, g]| [g, f]);
        } else if self.keys != keys {
            self.features = None;
        }
        if turned || self.keys != keys {
            self.last = Last::default();
            self.polytope.clear();
        }
        self.keys = keys;
        self.mirrored = mirrored;
    }

    /// The tracker's search for the contact of two bodies, which are already in the order that all
    /// searches use. `begun` are the features to start with, and the verdict of the Voronoi
    /// criterion on them; `None` in a query without history.
    fn search(&mut self, a: Posed, b: Posed, begun: Option<([Feature; 2], &Verdict)>) -> Contact {
        let frame = RelativeFrame::new(a, b);
        if !is_ordinary(a.shape, b.shape, frame.scale)
            && let Some(rescaled) = Rescaled::for_search(a, b)
        {
            return self.rescaled(&rescaled);
        }
        if (a.shape.is_needle() || b.shape.is_needle()) && are_few(a.shape, b.shape) {
            return self.of_all_features(a, b, 1);
        }
        let mut steps = 0;
        let found = match begun {
            Some((features, verdict)) => self.search_from(&frame, features, *verdict, &mut steps),
            None => self.cold_start(&frame, &mut steps),
        };
        if !found.resolved && are_few(a.shape, b.shape) {
            return self.of_all_features(a, b, steps);
        }
        match &found.closest {
            Some(closest) => self.follow(a, b, found.features, closest),
            None => {
                self.features = Some(found.features);
                self.last.features = None;
            }
        }
        self.count(steps);
        self.deep = found.answer.gap <= DEEP * frame.scale;
        let mut contact = contact(&found.answer, frame.scale, found.features, steps, false);
        contact.lower = found.lower;
        contact.upper = found.upper;
        if !found.resolved {
            contact.status = ContactStatus::Bracketed;
        }
        contact
    }

    /// The tracker's contact of small bodies by all pairs of their features, where searches leave a
    /// bracket or the margins of their comparisons are not small beside a body. It keeps no history.
    #[cold]
    fn of_all_features(&mut self, a: Posed, b: Posed, steps: u32) -> Contact {
        self.features = None;
        self.last = Last::default();
        self.deep = false;
        self.polytope.clear();
        self.count(steps);
        Contact {
            steps,
            ..of_all_features(a, b)
        }
    }

    /// The tracker's contact of bodies of extreme size, by a search without history on rescaled
    /// copies of the two bodies.
    #[cold]
    fn rescaled(&mut self, rescaled: &Rescaled) -> Contact {
        let counts = self.counts;
        *self = Tracker::new();
        let contact = self.search(rescaled.a(), rescaled.b(), None);
        let own = self.counts;
        *self = Tracker::new();
        self.counts = Counts {
            queries: counts.queries + own.queries,
            steps: std::array::from_fn(|k| counts.steps[k] + own.steps[k]),
            restarts: counts.restarts + own.restarts,
        };
        rescaled.given(&contact)
    }

    /// Stores the features with which the tracker starts its next query. They are the given ones,
    /// unless the margin by which these pass the Voronoi criterion is used up soon. Then they are
    /// predicted: the closest ones if the motion continues.
    #[inline]
    fn follow(&mut self, a: Posed, b: Posed, features: [Feature; 2], closest: &ClosestFeatures) {
        self.features = Some(features);
        let lost = match self.last.features {
            None => f64::NEG_INFINITY,
            Some([f, g]) if f == features[0] && g == features[1] => self.last.slack - closest.slack,
            Some(_) => f64::INFINITY,
        };
        if closest.slack < AHEAD * lost {
            self.features = Some(self.predicted(a, b, features));
        }
        self.last = Last {
            features: Some(features),
            slack: closest.slack,
            poses: [a.pose.to_numbers(), b.pose.to_numbers()],
        };
    }

    /// The features that the tracker predicts for the next query: those that a short Lin-Canny walk
    /// finds to be the closest if the motion continues for another step. The given features if the
    /// walk does not find any.
    #[cold]
    fn predicted(&self, a: Posed, b: Posed, features: [Feature; 2]) -> [Feature; 2] {
        let [before_a, before_b] = &self.last.poses;
        let (pose_a, pose_b) = (a.pose.ahead(before_a), b.pose.ahead(before_b));
        let (a, b) = (Posed { pose: &pose_a, ..a }, Posed { pose: &pose_b, ..b });
        let mut next = features;
        for nth in 0..3 {
            match verdict(&a, &b, next) {
                Verdict::Unique(_) => return next,
                Verdict::Ambiguous => return features,
                Verdict::Refuted => match RelativeFrame::new(a, b).walk_step(next, nth) {
                    Some(closer) => next = closer,
                    None => return features,
                },
            }
        }
        match verdict(&a, &b, next) {
            Verdict::Unique(_) => next,
            _ => features,
        }
    }

    /// The tracker's search from given features: a Lin-Canny walk to the closest ones, and a warm
    /// start if the walk does not end there. `first` is the verdict of the Voronoi criterion on the
    /// given features.
    fn search_from(
        &mut self,
        frame: &RelativeFrame,
        features: [Feature; 2],
        first: Verdict,
        steps: &mut u32,
    ) -> Found {
        let [a, b] = frame.bodies();
        let mut features = features;
        let mut answered = first;
        for nth in 0..WALK_STEPS {
            *steps += 1;
            match answered {
                Verdict::Unique(closest) => match self.confirmed(frame, features, closest) {
                    Ok(found) => return found,
                    // Another separating translation is shorter.
                    Err(Some(pairs)) => match frame.features_of(&pairs) {
                        Some(next) if next != features && is_face(next) => features = next,
                        _ => break,
                    },
                    Err(None) => break,
                },
                Verdict::Ambiguous => return self.restart(frame, steps),
                Verdict::Refuted => match frame.walk_step(features, nth) {
                    Some(next) => features = next,
                    None => break,
                },
            }
            if nth + 1 < WALK_STEPS {
                answered = verdict(&a, &b, features);
            }
        }
        self.warm_start(frame, features, steps)
    }

    /// The tracker's result for features that are closer than their neighbours, if they are the
    /// closest of all. In penetration the face in contact proves it where it is wide enough, else the
    /// polytope of EPA.
    ///
    /// # Errors
    /// The three vertices of a facet of the polytope that is nearer to the origin than the depth of
    /// the features; `None` if there is no polytope of an earlier query.
    #[inline]
    fn confirmed(
        &mut self,
        frame: &RelativeFrame,
        features: [Feature; 2],
        closest: ClosestFeatures,
    ) -> Result<Found, Option<[[u32; 2]; 3]>> {
        let answer = closest.answer;
        // A depth of 0 up to rounding needs no proof.
        if answer.gap < -TOLERANCE * frame.scale {
            let margin = TIE * frame.scale;
            if shallow_depth::is_proven(frame, features, &closest, margin) {
                // That of an earlier, deeper query.
                self.polytope.clear();
            } else if frame.needs_axes() {
                self.polytope.clear();
                let other = frame.best_axis(Some(features));
                if other.is_some_and(|axis| axis.separation > answer.gap - margin) {
                    return Err(None);
                }
            } else {
                (self.polytope).confirms(frame, features, &closest, margin)?;
            }
        }
        let rounding = ROUNDING * frame.scale;
        Ok(Found {
            features,
            answer,
            closest: Some(closest),
            lower: answer.gap - rounding,
            upper: answer.gap + rounding,
            resolved: true,
        })
    }

    /// The tracker's result if these vertices of the Minkowski difference span the unique closest
    /// features; otherwise `None`.
    fn concluded(&mut self, frame: &RelativeFrame, pairs: &[[u32; 2]]) -> Option<Found> {
        let [a, b] = frame.bodies();
        let features = frame.features_of(pairs)?;
        match verdict(&a, &b, features) {
            Verdict::Unique(closest) => self.confirmed(frame, features, closest).ok(),
            _ => None,
        }
    }

    /// Warm start of the tracker: a search from features that are no longer the closest. It
    /// continues EPA with the stored polytope if the bodies penetrated in the last query, or were
    /// close to penetration. Otherwise it runs GJK.
    fn warm_start(
        &mut self,
        frame: &RelativeFrame,
        features: [Feature; 2],
        steps: &mut u32,
    ) -> Found {
        if self.deep && self.polytope.is_useful() {
            self.polytope.refresh(frame);
            if let Some(depth) = self.polytope.expand(frame, steps) {
                if let Some(found) = self.concluded(frame, &depth.pairs) {
                    return found;
                }
                return self.restart(frame, steps);
            }
        }
        match frame.gjk(frame.simplex_of(features), steps) {
            GjkResult::Separated { simplex, .. } => {
                if let Some(found) = self.concluded(frame, simplex.pairs()) {
                    return found;
                }
            }
            GjkResult::Intersecting(simplex) => {
                if !frame.needs_axes()
                    && self.polytope.begin(frame, &simplex).is_ok()
                    && let Some(depth) = self.polytope.expand(frame, steps)
                    && let Some(found) = self.concluded(frame, &depth.pairs)
                {
                    return found;
                }
            }
        }
        self.restart(frame, steps)
    }

    /// Restart of the tracker where features are ambiguous, as a cold start.
    fn restart(&mut self, frame: &RelativeFrame, steps: &mut u32) -> Found {
        self.counts.restarts += 1;
        self.cold_start(frame, steps)
    }

    /// The tracker's Lin-Canny walk from given features; `None` if it does not end at unique
    /// closest features.
    fn voronoi_walk(
        &mut self,
        frame: &RelativeFrame,
        mut features: [Feature; 2],
        steps: &mut u32,
    ) -> Option<Found> {
        let [a, b] = frame.bodies();
        for nth in 0..WALK_STEPS {
            *steps += 1;
            match verdict(&a, &b, features) {
                Verdict::Unique(closest) => return self.confirmed(frame, features, closest).ok(),
                Verdict::Ambiguous => return None,
                Verdict::Refuted => features = frame.walk_step(features, nth)?,
            }
        }
        None
    }

    /// Cold start of the tracker: a search without history, by Lin-Canny walk, GJK and EPA, then
    /// GJK and EPA with an exact hull.
    fn cold_start(&mut self, frame: &RelativeFrame, steps: &mut u32) -> Found {
        self.polytope.clear();
        let mut way = frame.shift;
        if way == [0.0; 3] {
            way = [1.0, 0.0, 0.0];
        }
        let pair = frame.support(way, frame.starts(way));
        // If the vector between the centers is a separating axis, which is common, the Lin-Canny
        // walk takes half the time of GJK.
        if dot(way, frame.difference(pair)) < 0.0
            && let Some(found) = self.voronoi_walk(frame, pair.map(Feature::vertex), steps)
        {
            return found;
        }
        let found = match frame.gjk(Simplex::new(frame, &[pair]), steps) {
            GjkResult::Separated {
                simplex,
                normal,
                upper,
            } => {
                if let Some(found) = self.concluded(frame, simplex.pairs()) {
                    return found;
                }
                let found = self.separated(frame, normal, upper);
                match found {
                    Some(found) if found.resolved => return found,
                    // In a thin difference GJK may stop at a sliver although the origin is inside.
                    _ if frame.needs_axes()
                        && let Some(deep) = self.by_axes(frame, &simplex) =>
                    {
                        better(found, Some(deep))
                    }
                    _ => match exact_distance(frame, pair, steps) {
                        Some((normal, upper)) => {
                            match better(found, self.separated(frame, normal, upper)) {
                                // No direction separates the bodies.
                                Some(found) if !found.resolved && found.lower < 0.0 => {
                                    let depth = exact_depth(frame, steps);
                                    let deep = self.penetrating(frame, &simplex, &depth);
                                    better(Some(found), Some(deep))
                                }
                                found => found,
                            }
                        }
                        None => {
                            let depth = exact_depth(frame, steps);
                            better(found, Some(self.penetrating(frame, &simplex, &depth)))
                        }
                    },
                }
            }
            GjkResult::Intersecting(simplex) => {
                let depth = match self.polytope.begin(frame, &simplex) {
                    // Both bodies lie in one plane or on one line: the depth is 0.
                    Err(flat) => Some(Depth::none(flat, simplex.pairs[0])),
                    Ok(()) if frame.needs_axes() => {
                        self.polytope.clear();
                        match self.by_axes(frame, &simplex) {
                            Some(found) => return found,
                            None => None,
                        }
                    }
                    Ok(()) => self.polytope.expand(frame, steps),
                };
                let found = depth.map(|depth| match self.concluded(frame, &depth.pairs) {
                    Some(found) => found,
                    None => self.penetrating(frame, &simplex, &depth),
                });
                match found {
                    Some(found) if found.resolved => return found,
                    _ => {
                        let depth = exact_depth(frame, steps);
                        better(found, Some(self.penetrating(frame, &simplex, &depth)))
                    }
                }
            }
        };
        found.unwrap_or_else(|| vertices(frame, pair))
    }

    /// The tracker's result for intersecting bodies by the separating axis test, with a GJK simplex for
    /// bodies in one plane. `None` if an axis separates the bodies.
    #[cold]
    fn by_axes(&mut self, frame: &RelativeFrame, simplex: &Simplex) -> Option<Found> {
        let axis = frame.best_axis(None)?;
        if axis.separation > TOLERANCE * frame.scale {
            return None;
        }
        let [a, b] = frame.bodies();
        if let Verdict::Unique(closest) = verdict(&a, &b, axis.features)
            && let Ok(found) = self.confirmed(frame, axis.features, closest)
        {
            return Some(found);
        }
        let depth = Depth {
            normal: axis.normal,
            lower: 0.0 - axis.separation,
            upper: 0.0 - axis.separation,
            pairs: [[0; 2]; 3],
        };
        Some(self.penetrating(frame, simplex, &depth))
    }

    /// The tracker's result for separated bodies, from a normal that is right up to rounding and an
    /// upper bound of the distance. `None` if no pair of features near this normal makes a
    /// candidate.
    fn separated(&mut self, frame: &RelativeFrame, normal: [f64; 3], upper: f64) -> Option<Found> {
        let resolved = self.resolver.resolve(frame, normal, false)?;
        // Without penetration the distance of the points is an upper bound. A negative gap bounds the
        // depth only: it is found where GJK stopped at a sliver, with a normal that separates nothing.
        let tolerance = TOLERANCE * frame.scale;
        let upper = if resolved.fault <= tolerance && resolved.answer.gap >= -tolerance {
            upper.min(resolved.answer.gap)
        } else {
            upper
        };
        Some(resolved_between(frame, &resolved, upper))
    }

    /// The tracker's result for intersecting bodies, from the result of EPA and a GJK simplex that
    /// contains the origin.
    fn penetrating(&mut self, frame: &RelativeFrame, simplex: &Simplex, depth: &Depth) -> Found {
        let upper = 0.0 - depth.lower;
        match self.resolver.resolve(frame, depth.normal, true) {
            Some(resolved) => resolved_between(frame, &resolved, upper),
            None => {
                let resolved = self.resolver.coplanar_contact(frame, simplex, depth.normal);
                resolved_between(frame, &resolved, upper)
            }
        }
    }
}

/// The tracker's result from the contact of ambiguous features and an upper bound of the gap.
fn resolved_between(frame: &RelativeFrame, resolved: &Resolved, upper: f64) -> Found {
    let rounding = ROUNDING * frame.scale;
    // By the support planes orthogonal to the reported normal.
    let lower = resolved.lower;
    let answer = resolved.answer;
    // Bounds that differ from the gap by rounding only are set to `gap` -+ `rounding`, as for any
    // other answer.
    let gap = answer.gap;
    Found {
        features: resolved.features,
        answer,
        closest: resolved.closest,
        lower: (if lower < gap - rounding { lower } else { gap }) - rounding,
        upper: (if upper > gap + rounding { upper } else { gap }) + rounding,
        // Bounds may also cross by rounding.
        resolved: (upper - lower).abs().max(resolved.fault) <= CLOSE * frame.scale,
    }
}

/// The status of a contact that the tracker reports with this gap. Rounding errors are relative to
/// `scale`.
#[inline]
fn status(gap: f64, scale: f64) -> ContactStatus {
    if gap.abs() <= TOLERANCE * scale {
        ContactStatus::Touching
    } else if gap > 0.0 {
        ContactStatus::Separated
    } else {
        ContactStatus::Penetrating
    }
}

/// The contact that the tracker reports for an answer that is right up to rounding.
#[inline]
fn contact(
    answer: &FeatureDistance,
    scale: f64,
    [mut feature_a, mut feature_b]: [Feature; 2],
    steps: u32,
    mirrored: bool,
) -> Contact {
    let (mut point_a, mut point_b) = (&answer.point_a, &answer.point_b);
    let mut sign = 1.0;
    if mirrored {
        std::mem::swap(&mut point_a, &mut point_b);
        std::mem::swap(&mut feature_a, &mut feature_b);
        sign = -1.0;
    }
    // No negative zeros: answers are compared bit for bit.
    let rounding = ROUNDING * scale;
    Contact {
        gap: answer.gap + 0.0,
        lower: answer.gap - rounding,
        upper: answer.gap + rounding,
        point_a: point_a.map(|x| x + 0.0),
        point_b: point_b.map(|x| x + 0.0),
        normal: answer.normal.map(|x| sign * x + 0.0),
        feature_a,
        feature_b,
        status: status(answer.gap, scale),
        steps,
    }
}

/// The tracker's result if all searches failed: the distance of two vertices, an upper bound of the
/// gap.
fn vertices(frame: &RelativeFrame, pair: [u32; 2]) -> Found {
    let (normal, gap) =
        direction(frame.difference(pair).map(|x| 0.0 - x)).unwrap_or(([1.0, 0.0, 0.0], 0.0));
    let rounding = ROUNDING * frame.scale;
    Found {
        features: pair.map(Feature::vertex),
        answer: frame.world(&Foot {
            on_a: frame.a.local(pair[0]),
            on_b: frame.b.local(pair[1]),
            normal,
            gap,
        }),
        closest: None,
        lower: frame.separation(normal, pair).min(gap) - rounding,
        upper: gap + rounding,
        resolved: false,
    }
}

/// The better of two results of the tracker: the second if its bounds of the gap are equal up to
/// rounding, otherwise the one whose bounds are closer together.
fn better(first: Option<Found>, second: Option<Found>) -> Option<Found> {
    match (first, second) {
        (Some(first), Some(second)) => {
            let is_first =
                !second.resolved && first.upper - first.lower <= second.upper - second.lower;
            Some(if is_first { first } else { second })
        }
        (first, second) => first.or(second),
    }
}
