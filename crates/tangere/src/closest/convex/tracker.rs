//! The tracked pair: closest features found once and followed.
//!
//! A query first asks whether the features of the last one are still the closest
//! ([`features`](super::features)): in small motion they almost always are, and that is all.
//! If not, neighbours that the failed condition names are tried ([`hop`](super::hop)), then a
//! walk goes on from them ([`simplex`](super::simplex)), and in penetration a polytope proves the
//! depth ([`polytope`](super::polytope)).
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

use super::exact::{exact_depth, exact_distance};
use super::features::{Foot, Sure, Verdict};
use super::frame::{Frame, Posed, direction};
use super::polytope::{Depth, Polytope};
use super::rescaled::{Rescaled, is_ordinary};
use super::settle::{Settled, Settling};
use super::simplex::{Simplex, TOLERANCE, Walked};
use crate::contact::{Contact, ContactStatus, Feature, FeatureKind};
use crate::geometry::Pose;
use crate::shape::ConvexPolyhedron;

/// Rounding of an answer that is computed from its features, as a part of the scale.
const ROUNDING: f64 = 1.0 / (1u64 << 48) as f64;

/// Bounds that are nearer to each other than this part of the scale count as one.
const CLOSE: f64 = 1e-12;

/// Features to try one after another before a search that looks farther.
const HOPS: usize = 6;

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
    settling: Settling,
    counts: Counts,
}

/// The query before.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    /// Of the answer.
    features: Option<[Feature; 2]>,
    /// By how much they held.
    slack: f64,
    /// Where `b` was.
    rotation: [[f64; 3]; 3],
    shift: [f64; 3],
}

/// What a search ended with.
struct Found {
    features: [Feature; 2],
    foot: Foot,
    /// By how much the features hold; infinite if they are not unique.
    slack: f64,
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
        let mut keys = [a.shape.key(), b.shape.key()];
        if mirrored {
            keys.reverse();
        }
        let turned =
            self.keys == [keys[1], keys[0]] && (keys[0] != keys[1] || mirrored != self.mirrored);
        if turned {
            self.features = self.features.map(|[f, g]| [g, f]);
            self.last = Last::default();
            self.polytope.clear();
        } else if self.keys != keys {
            self.features = None;
            self.last = Last::default();
            self.polytope.clear();
        }
        self.keys = keys;
        self.mirrored = mirrored;
        if mirrored {
            self.ordered(b, a).mirrored()
        } else {
            self.ordered(a, b)
        }
    }

    /// The bodies in the order in which all searches are made.
    fn ordered(&mut self, a: Posed, b: Posed) -> Contact {
        let frame = Frame::new(a, b);
        if !is_ordinary(a.shape, b.shape, frame.scale)
            && let Some(rescaled) = Rescaled::for_search(a, b)
        {
            return self.rescaled(&rescaled);
        }
        let mut steps = 0;
        let found = self.found(&frame, &mut steps);
        let features = found.features;
        self.features = Some(self.expected(&frame, features, found.slack));
        self.deep = found.foot.gap <= DEEP * frame.scale;
        self.counts.queries += 1;
        self.counts.steps[(steps.clamp(1, 4) - 1) as usize] += 1;
        let foot = found.foot;
        let status = if !found.resolved {
            ContactStatus::Bracketed
        } else if foot.gap.abs() <= TOLERANCE * frame.scale {
            ContactStatus::Touching
        } else if foot.gap > 0.0 {
            ContactStatus::Separated
        } else {
            ContactStatus::Penetrating
        };
        Contact {
            gap: foot.gap + 0.0,
            lower: found.lower,
            upper: found.upper,
            point_a: a.world(foot.on_a),
            point_b: b.world(foot.on_b),
            normal: a.pose.rotate(foot.normal).map(|x| x + 0.0),
            feature_a: features[0],
            feature_b: features[1],
            status,
            steps,
        }
    }

    /// Bodies so large or small that they are copied, with nothing known of them.
    #[cold]
    fn rescaled(&mut self, rescaled: &Rescaled) -> Contact {
        let counts = self.counts;
        *self = Tracker::new();
        let contact = self.ordered(rescaled.a(), rescaled.b());
        let own = self.counts;
        *self = Tracker::new();
        self.counts = Counts {
            queries: counts.queries + own.queries,
            steps: std::array::from_fn(|k| counts.steps[k] + own.steps[k]),
            restarts: counts.restarts + own.restarts,
        };
        rescaled.given(&contact)
    }

    /// The features to begin with next time: these, or those that will be the closest if the
    /// bodies go on as they do. It looks ahead only where the slack of these is used up soon.
    #[inline]
    fn expected(&mut self, frame: &Frame, features: [Feature; 2], slack: f64) -> [Feature; 2] {
        let before = self.last;
        self.last = Last {
            features: Some(features),
            slack,
            rotation: frame.rotation,
            shift: frame.shift,
        };
        let is_new = before.features != Some(features);
        if slack == f64::INFINITY
            || before.features.is_none()
            || !is_new && slack >= AHEAD * (before.slack - slack)
        {
            return features;
        }
        self.looked_ahead(&frame.ahead(&before.rotation, before.shift), features)
    }

    #[cold]
    fn looked_ahead(&self, ahead: &Frame, features: [Feature; 2]) -> [Feature; 2] {
        let mut next = features;
        for _ in 0..2 {
            match ahead.verdict(next[0], next[1]) {
                Verdict::Certain(_) => return next,
                Verdict::Doubtful => return features,
                Verdict::Refuted => match ahead.hop(next) {
                    Some(hop) => next = hop,
                    None => return features,
                },
            }
        }
        match ahead.verdict(next[0], next[1]) {
            Verdict::Certain(_) => next,
            _ => features,
        }
    }

    #[inline]
    fn found(&mut self, frame: &Frame, steps: &mut u32) -> Found {
        let Some(features) = self.features else {
            return self.cold(frame, steps);
        };
        let mut features = features;
        for _ in 0..HOPS {
            *steps += 1;
            match frame.verdict(features[0], features[1]) {
                Verdict::Certain(sure) => match self.proof(frame, features, &sure.foot) {
                    Ok(()) => return certain(frame, features, sure),
                    // Another way out is shorter.
                    Err(Some(pairs)) => match frame.features_of(&pairs) {
                        Some(next) if next != features && is_face(next) => features = next,
                        _ => break,
                    },
                    Err(None) => break,
                },
                Verdict::Doubtful => return self.anew(frame, steps),
                Verdict::Refuted => match frame.hop(features) {
                    Some(next) => features = next,
                    None => break,
                },
            }
        }
        self.warm(frame, features, steps)
    }

    /// Whether features that are locally the closest are so altogether. In penetration that
    /// takes the polytope.
    #[inline]
    fn proof(
        &mut self,
        frame: &Frame,
        features: [Feature; 2],
        foot: &Foot,
    ) -> Result<(), Option<[[u32; 2]; 3]>> {
        // A depth within rounding of 0 is between 0 and itself.
        if foot.gap >= -TOLERANCE * frame.scale {
            return Ok(());
        }
        self.polytope
            .confirms(frame, features, foot, TIE * frame.scale)
    }

    /// The answer if these are the features, and there are no others.
    fn concluded(&mut self, frame: &Frame, pairs: &[[u32; 2]]) -> Option<Found> {
        let [f, g] = frame.features_of(pairs)?;
        match frame.verdict(f, g) {
            Verdict::Certain(sure) if self.proof(frame, [f, g], &sure.foot).is_ok() => {
                Some(certain(frame, [f, g], sure))
            }
            _ => None,
        }
    }

    /// From features that are no longer the closest. In penetration the polytope leads to
    /// those that are.
    fn warm(&mut self, frame: &Frame, features: [Feature; 2], steps: &mut u32) -> Found {
        if self.deep && self.polytope.is_useful() {
            self.polytope.refresh(frame);
            if let Some(depth) = self.polytope.expand(frame, steps) {
                if let Some(found) = self.concluded(frame, &depth.pairs) {
                    return found;
                }
                return self.anew(frame, steps);
            }
        }
        match frame.walk(frame.simplex_of(features), steps) {
            Walked::Apart { simplex, .. } => {
                if let Some(found) = self.concluded(frame, simplex.pairs()) {
                    return found;
                }
            }
            Walked::Meeting(simplex) => {
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
    fn anew(&mut self, frame: &Frame, steps: &mut u32) -> Found {
        self.counts.restarts += 1;
        self.cold(frame, steps)
    }

    /// A search that begins with what the bodies themselves suggest.
    fn cold(&mut self, frame: &Frame, steps: &mut u32) -> Found {
        self.polytope.clear();
        let mut way = frame.shift;
        if way == [0.0; 3] {
            way = [1.0, 0.0, 0.0];
        }
        let pair = frame.support(way, frame.starts(way));
        let found = match frame.walk(Simplex::new(frame, &[pair]), steps) {
            Walked::Apart {
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
            Walked::Meeting(simplex) => {
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
    fn apart(&mut self, frame: &Frame, normal: [f64; 3], upper: f64) -> Option<Found> {
        let settled = self.settling.settle(frame, normal, false)?;
        // Points bound where there is no penetration.
        let upper = if settled.fault <= TOLERANCE * frame.scale {
            upper.min(settled.foot.gap)
        } else {
            upper
        };
        Some(settled_between(frame, &settled, upper))
    }

    /// The answer for bodies that meet, from a search for the shortest way out.
    fn meeting(&mut self, frame: &Frame, simplex: &Simplex, depth: &Depth) -> Found {
        let upper = 0.0 - depth.lower;
        match self.settling.settle(frame, depth.normal, true) {
            Some(settled) => settled_between(frame, &settled, upper),
            None => {
                let settled = self.settling.together(frame, simplex, depth.normal);
                settled_between(frame, &settled, upper)
            }
        }
    }
}

/// Whether two features make a face of the difference.
fn is_face(features: [Feature; 2]) -> bool {
    use FeatureKind::{Edge, Face, Vertex};
    matches!(
        features.map(|f| f.kind),
        [Face, Vertex] | [Edge, Edge] | [Vertex, Face]
    )
}

/// The answer from features that are the only closest ones.
#[inline]
fn certain(frame: &Frame, features: [Feature; 2], sure: Sure) -> Found {
    let rounding = ROUNDING * frame.scale;
    let foot = sure.foot;
    Found {
        features,
        foot,
        slack: sure.slack,
        lower: foot.gap - rounding,
        upper: foot.gap + rounding,
        resolved: true,
    }
}

/// The answer where features are not unique, with the bound of a search.
fn settled_between(frame: &Frame, settled: &Settled, upper: f64) -> Found {
    let rounding = ROUNDING * frame.scale;
    // The plane across the normal that is told.
    let lower = settled.lower;
    // Bounds within rounding of the answer are as those of any other.
    let gap = settled.foot.gap;
    Found {
        features: settled.features,
        foot: settled.foot,
        slack: f64::INFINITY,
        lower: (if lower < gap - rounding { lower } else { gap }) - rounding,
        upper: (if upper > gap + rounding { upper } else { gap }) + rounding,
        resolved: (upper - lower).max(settled.fault) <= CLOSE * frame.scale,
    }
}

/// Two vertices that bound the distance from above, if nothing else is known.
fn vertices(frame: &Frame, pair: [u32; 2]) -> Found {
    let (normal, gap) =
        direction(frame.difference(pair).map(|x| 0.0 - x)).unwrap_or(([1.0, 0.0, 0.0], 0.0));
    let rounding = ROUNDING * frame.scale;
    Found {
        features: pair.map(Feature::vertex),
        foot: Foot {
            on_a: frame.a.local(pair[0]),
            on_b: frame.b.local(pair[1]),
            normal,
            gap,
        },
        slack: f64::INFINITY,
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

/// Whether the second body comes first: searches are made for one order of the bodies, and
/// answers mirrored.
#[inline]
fn comes_after(a: &Posed, b: &Posed) -> bool {
    let (ta, tb) = (a.pose.translation(), b.pose.translation());
    for k in 0..3 {
        if ta[k] != tb[k] {
            return ta[k] > tb[k];
        }
    }
    let (na, nb) = (a.pose.to_numbers(), b.pose.to_numbers());
    for k in 3..7 {
        if na[k] != nb[k] {
            return na[k] > nb[k];
        }
    }
    a.shape.key() > b.shape.key()
}
