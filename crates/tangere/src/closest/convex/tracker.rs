//! The tracked pair: closest features found once and followed.
//!
//! A query first asks whether the features of the last one are still the closest
//! ([`voronoi`](super::voronoi)): in small motion they almost always are, and that is all.
//! If not, neighbours that the failed condition names are tried ([`voronoi_walk`](super::voronoi_walk)), then a
//! walk goes on from them ([`gjk`](super::gjk)), and in penetration a polytope proves the
//! depth ([`epa`](super::epa)).
//!
//! Whatever the way, an answer is computed from its two features by one formula. Where rounding
//! leaves several features to choose from, the search begins anew from a start that does not
//! depend on the past. So answers do not depend on what was asked before.
//!
//! *Deviates:*
//! - Features that are about to change are looked for at the end of a query, where the bodies will
//!   be if they go on as they do. So a query may take one step though its features are new,
//!   where the paper counts a second iteration.
//! - The paper's walk from feature to feature may be trapped; here it ends after a few hops, and the
//!   walk over vertices goes on.

use super::ambiguous::{Foot, Resolved, Resolver};
use super::epa::{Depth, Polytope};
use super::exact_gjk_epa::{exact_depth, exact_distance};
use super::feature_distance::FeatureDistance;
use super::gjk::{GjkResult, Simplex, TOLERANCE};
use super::relative_frame::{Posed, RelativeFrame, comes_after, direction};
use super::rescaled::{Rescaled, is_ordinary};
use super::simplex_features::is_face;
use super::voronoi::{ClosestFeatures, Verdict, verdict};
use crate::contact::{Contact, ContactStatus, Feature};
use crate::geometry::Pose;
use crate::geometry::vector::dot;
use crate::shape::ConvexPolyhedron;

/// Rounding of an answer that is computed from its features, as a part of the scale.
const ROUNDING: f64 = 1.0 / (1u64 << 48) as f64;

/// Bounds that are nearer to each other than this part of the scale count as one.
const CLOSE: f64 = 1e-12;

/// Features to try one after another before a search that looks farther.
const WALK_STEPS: usize = 6;

/// Bodies nearer than this part of the scale may soon penetrate.
const DEEP: f64 = 1e-3;

/// Steps for which the slack of features must last, at the pace of the last one, for them to be
/// expected in the next query.
const AHEAD: f64 = 1.5;

/// By how much another way out must be longer for one to be the only one, as a part of the
/// scale.
const TIE: f64 = 1.0 / (1u64 << 36) as f64;

/// How much was done since the last [`Tracker::reset_counts`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Queries.
    pub queries: u64,
    /// Queries that were answered in 1, 2, 3 and in more steps.
    pub steps: [u64; 4],
    /// Queries that began anew, because features were not unique.
    pub restarts: u64,
}

/// Two convex bodies and the features by which they are closest.
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
    /// Whether the second body of the last query came first in its search.
    mirrored: bool,
    /// Of the shapes in the order of the search, which the rest is about.
    keys: [u64; 2],
    /// With which the next query begins.
    features: Option<[Feature; 2]>,
    last: Last,
    /// Whether the bodies were in penetration, or nearly.
    deep: bool,
    polytope: Polytope,
    resolver: Resolver,
    counts: Counts,
}

/// The query before.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    /// Of the answer.
    features: Option<[Feature; 2]>,
    /// By how much they held.
    slack: f64,
    /// Where the bodies were.
    poses: [[f64; 7]; 2],
}

/// What a search ended with.
struct Found {
    features: [Feature; 2],
    answer: FeatureDistance,
    /// If these features alone are the closest.
    closest: Option<ClosestFeatures>,
    lower: f64,
    upper: f64,
    resolved: bool,
}

impl Tracker {
    /// Nothing known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What was done.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Counts from 0 again.
    pub fn reset_counts(&mut self) {
        self.counts = Counts::default();
    }

    /// How far apart two bodies are, or how deep in each other.
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
            return self.searched(a, b, None).mirrored_if(mirrored);
        };
        // Nearly always the features are those that were expected.
        let first = verdict(&a, &b, features);
        match &first {
            Verdict::Unique(closest)
                if closest.answer.gap >= -TOLERANCE * closest.scale
                    && is_ordinary(a.shape, b.shape, closest.scale) =>
            {
                self.follow(a, b, features, closest);
                self.count(1);
                self.deep = closest.answer.gap <= DEEP * closest.scale;
                contact(&closest.answer, closest.scale, features, 1, mirrored)
            }
            _ => {
                let begun = Some((features, &first));
                self.searched(a, b, begun).mirrored_if(mirrored)
            }
        }
    }

    fn count(&mut self, steps: u32) {
        self.counts.queries += 1;
        self.counts.steps[(steps.clamp(1, 4) - 1) as usize] += 1;
    }

    /// Other bodies than before, or the same ones in the other order.
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

    /// The answer by a search. The bodies are in the order in which all searches are made.
    fn searched(&mut self, a: Posed, b: Posed, begun: Option<([Feature; 2], &Verdict)>) -> Contact {
        let frame = RelativeFrame::new(a, b);
        if !is_ordinary(a.shape, b.shape, frame.scale)
            && let Some(rescaled) = Rescaled::for_search(a, b)
        {
            return self.rescaled(&rescaled);
        }
        let mut steps = 0;
        let found = match begun {
            Some((features, verdict)) => self.found(&frame, features, *verdict, &mut steps),
            None => self.cold(&frame, &mut steps),
        };
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

    /// Bodies so large or small that they are copied, with nothing known of them.
    #[cold]
    fn rescaled(&mut self, rescaled: &Rescaled) -> Contact {
        let counts = self.counts;
        *self = Tracker::new();
        let contact = self.searched(rescaled.a(), rescaled.b(), None);
        let own = self.counts;
        *self = Tracker::new();
        self.counts = Counts {
            queries: counts.queries + own.queries,
            steps: std::array::from_fn(|k| counts.steps[k] + own.steps[k]),
            restarts: counts.restarts + own.restarts,
        };
        rescaled.given(&contact)
    }

    /// Prepares the next query: the features to begin with are these, or those that will be the
    /// closest if the bodies go on as they do. It looks ahead only where the slack of these is used
    /// up soon.
    #[inline]
    fn follow(&mut self, a: Posed, b: Posed, features: [Feature; 2], closest: &ClosestFeatures) {
        self.features = Some(features);
        let lost = match self.last.features {
            None => f64::NEG_INFINITY,
            Some([f, g]) if f == features[0] && g == features[1] => self.last.slack - closest.slack,
            Some(_) => f64::INFINITY,
        };
        if closest.slack < AHEAD * lost {
            self.features = Some(self.looked_ahead(a, b, features));
        }
        self.last = Last {
            features: Some(features),
            slack: closest.slack,
            poses: [a.pose.to_numbers(), b.pose.to_numbers()],
        };
    }

    #[cold]
    fn looked_ahead(&self, a: Posed, b: Posed, features: [Feature; 2]) -> [Feature; 2] {
        let [before_a, before_b] = &self.last.poses;
        let (pose_a, pose_b) = (a.pose.ahead(before_a), b.pose.ahead(before_b));
        let (a, b) = (Posed { pose: &pose_a, ..a }, Posed { pose: &pose_b, ..b });
        let mut next = features;
        for nth in 0..3 {
            match verdict(&a, &b, next) {
                Verdict::Unique(_) => return next,
                Verdict::Ambiguous => return features,
                Verdict::Refuted => match RelativeFrame::new(a, b).walk_step(next, nth) {
                    Some(walk_step) => next = walk_step,
                    None => return features,
                },
            }
        }
        match verdict(&a, &b, next) {
            Verdict::Unique(_) => next,
            _ => features,
        }
    }

    fn found(
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
                Verdict::Unique(closest) => match self.certain(frame, features, closest) {
                    Ok(found) => return found,
                    // Another way out is shorter.
                    Err(Some(pairs)) => match frame.features_of(&pairs) {
                        Some(next) if next != features && is_face(next) => features = next,
                        _ => break,
                    },
                    Err(None) => break,
                },
                Verdict::Ambiguous => return self.anew(frame, steps),
                Verdict::Refuted => match frame.walk_step(features, nth) {
                    Some(next) => features = next,
                    None => break,
                },
            }
            if nth + 1 < WALK_STEPS {
                answered = verdict(&a, &b, features);
            }
        }
        self.warm(frame, features, steps)
    }

    /// The answer of features that are locally the closest, if they are so altogether. In
    /// penetration that takes the polytope.
    ///
    /// # Errors
    /// A facet of the polytope that is nearer, if there is one.
    #[inline]
    fn certain(
        &mut self,
        frame: &RelativeFrame,
        features: [Feature; 2],
        closest: ClosestFeatures,
    ) -> Result<Found, Option<[[u32; 2]; 3]>> {
        let answer = closest.answer;
        // A depth within rounding of 0 is between 0 and itself.
        if answer.gap < -TOLERANCE * frame.scale {
            let margin = TIE * frame.scale;
            (self.polytope).confirms(frame, features, &closest, margin)?;
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

    /// The answer if these are the features, and there are no others.
    fn concluded(&mut self, frame: &RelativeFrame, pairs: &[[u32; 2]]) -> Option<Found> {
        let [a, b] = frame.bodies();
        let features = frame.features_of(pairs)?;
        match verdict(&a, &b, features) {
            Verdict::Unique(closest) => self.certain(frame, features, closest).ok(),
            _ => None,
        }
    }

    /// From features that are no longer the closest. In penetration the polytope leads to
    /// those that are.
    fn warm(&mut self, frame: &RelativeFrame, features: [Feature; 2], steps: &mut u32) -> Found {
        if self.deep && self.polytope.is_useful() {
            self.polytope.refresh(frame);
            if let Some(depth) = self.polytope.expand(frame, steps) {
                if let Some(found) = self.concluded(frame, &depth.pairs) {
                    return found;
                }
                return self.anew(frame, steps);
            }
        }
        match frame.gjk(frame.simplex_of(features), steps) {
            GjkResult::Separated { simplex, .. } => {
                if let Some(found) = self.concluded(frame, simplex.pairs()) {
                    return found;
                }
            }
            GjkResult::Intersecting(simplex) => {
                if self.polytope.begin(frame, &simplex).is_ok()
                    && let Some(depth) = self.polytope.expand(frame, steps)
                    && let Some(found) = self.concluded(frame, &depth.pairs)
                {
                    return found;
                }
            }
        }
        self.anew(frame, steps)
    }

    /// Where features are not unique: without the past.
    fn anew(&mut self, frame: &RelativeFrame, steps: &mut u32) -> Found {
        self.counts.restarts += 1;
        self.cold(frame, steps)
    }

    /// From feature to feature, if that leads to the closest ones.
    fn walked(
        &mut self,
        frame: &RelativeFrame,
        mut features: [Feature; 2],
        steps: &mut u32,
    ) -> Option<Found> {
        let [a, b] = frame.bodies();
        for nth in 0..WALK_STEPS {
            *steps += 1;
            match verdict(&a, &b, features) {
                Verdict::Unique(closest) => return self.certain(frame, features, closest).ok(),
                Verdict::Ambiguous => return None,
                Verdict::Refuted => features = frame.walk_step(features, nth)?,
            }
        }
        None
    }

    /// A search that begins with what the bodies themselves suggest.
    fn cold(&mut self, frame: &RelativeFrame, steps: &mut u32) -> Found {
        self.polytope.clear();
        let mut way = frame.shift;
        if way == [0.0; 3] {
            way = [1.0, 0.0, 0.0];
        }
        let pair = frame.support(way, frame.starts(way));
        // A plane across the way between their centers often shows that they are apart; then hops
        // take half the time of a walk.
        if dot(way, frame.difference(pair)) < 0.0
            && let Some(found) = self.walked(frame, pair.map(Feature::vertex), steps)
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
                let found = self.apart(frame, normal, upper);
                match found {
                    Some(found) if found.resolved => return found,
                    _ => match exact_distance(frame, pair, steps) {
                        Some((normal, upper)) => better(found, self.apart(frame, normal, upper)),
                        None => {
                            let depth = exact_depth(frame, steps);
                            better(found, Some(self.meeting(frame, &simplex, &depth)))
                        }
                    },
                }
            }
            GjkResult::Intersecting(simplex) => {
                let depth = match self.polytope.begin(frame, &simplex) {
                    // Both bodies lie in one plane, or on one line: no ball fits.
                    Err(flat) => Some(Depth::none(flat, simplex.pairs[0])),
                    Ok(()) => self.polytope.expand(frame, steps),
                };
                let found = depth.map(|depth| match self.concluded(frame, &depth.pairs) {
                    Some(found) => found,
                    None => self.meeting(frame, &simplex, &depth),
                });
                match found {
                    Some(found) if found.resolved => return found,
                    _ => {
                        let depth = exact_depth(frame, steps);
                        better(found, Some(self.meeting(frame, &simplex, &depth)))
                    }
                }
            }
        };
        found.unwrap_or_else(|| vertices(frame, pair))
    }

    /// The answer for bodies apart, from a direction that is right up to rounding.
    fn apart(&mut self, frame: &RelativeFrame, normal: [f64; 3], upper: f64) -> Option<Found> {
        let resolved = self.resolver.resolve(frame, normal, false)?;
        // Points bound where there is no penetration.
        let upper = if resolved.fault <= TOLERANCE * frame.scale {
            upper.min(resolved.answer.gap)
        } else {
            upper
        };
        Some(resolved_between(frame, &resolved, upper))
    }

    /// The answer for bodies that meet, from a search for the shortest way out.
    fn meeting(&mut self, frame: &RelativeFrame, simplex: &Simplex, depth: &Depth) -> Found {
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

/// The answer where features are not unique, with the bound of a search.
fn resolved_between(frame: &RelativeFrame, resolved: &Resolved, upper: f64) -> Found {
    let rounding = ROUNDING * frame.scale;
    // The plane across the normal that is told.
    let lower = resolved.lower;
    let answer = resolved.answer;
    // Bounds within rounding of the answer are as those of any other.
    let gap = answer.gap;
    Found {
        features: resolved.features,
        answer,
        closest: resolved.closest,
        lower: (if lower < gap - rounding { lower } else { gap }) - rounding,
        upper: (if upper > gap + rounding { upper } else { gap }) + rounding,
        // Bounds that have passed each other are none.
        resolved: (upper - lower).abs().max(resolved.fault) <= CLOSE * frame.scale,
    }
}

/// What a gap amounts to.
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

/// What is told of an answer that is known up to rounding.
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

/// Two vertices that bound the distance from above, if nothing else is known.
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

/// Of two answers the one that is known better.
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
