//! Convex pairs: narrow phase of many pairs of convex bodies in parallel, each tracked from step to
//! step.
//!
//! Cost: that of a [`Tracker`] for each pair, on all threads of the current rayon pool. A list of
//! pairs that differs from the last one is sorted and merged with it, so that a pair keeps its
//! tracker at any position in the list. Trackers of removed pairs are reused for new ones, with
//! their memory.

use std::sync::Arc;

use rayon::prelude::*;

use super::certificate::{Violation, certificate};
use super::tracker::{Counts, Tracker};
use crate::contact::Contact;
use crate::error::{self, Argument, Error};
use crate::geometry::Pose;
use crate::memory;
use crate::shape::ConvexPolyhedron;

/// The least number of pairs in a parallel task: enough to hide the cost of scheduling.
const CHUNK: usize = 64;

/// Contacts of many pairs of convex bodies, with a [`Tracker`] for each pair.
///
/// ```
/// use std::sync::Arc;
/// use tangere::closest::ConvexPairs;
/// use tangere::geometry::Pose;
/// use tangere::shape::ConvexPolyhedron;
///
/// let cube: Vec<[f64; 3]> = (0..8).map(|i| [0, 1, 2].map(|k| f64::from(i >> k & 1))).collect();
/// let cube = Arc::new(ConvexPolyhedron::hull(&cube)?);
/// let mut pairs = ConvexPairs::new(vec![cube; 3]);
/// let poses: [Pose; 3] = ["0,0,0".parse()?, "1.5,0,0".parse()?, "2,0.5,0".parse()?];
/// let mut contacts = Vec::new();
/// pairs.contacts(&poses, &[[0, 1], [1, 2]], &mut contacts)?;
/// assert_eq!((contacts[0].gap, contacts[1].gap), (0.5, -0.5));
/// assert_eq!(pairs.counts().queries, 2);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ConvexPairs {
    shapes: Vec<Arc<ConvexPolyhedron>>,
    /// The pairs of bodies in the last call of [`contacts`](Self::contacts).
    pairs: Vec<[u32; 2]>,
    /// A tracker for each pair in the last call of [`contacts`](Self::contacts), followed by unused
    /// trackers.
    trackers: Vec<Tracker>,
    /// The pairs of the last call of [`contacts`](Self::contacts) in ascending order, each with its
    /// index in the list of that call. Within a pair the lower body index comes first.
    before: Vec<([u32; 2], u32)>,
    now: Vec<([u32; 2], u32)>,
    /// For each pair of the current call of [`contacts`](Self::contacts) the index that its tracker
    /// had in the call before; [`NONE`] if the pair is new.
    origins: Vec<u32>,
    /// For each tracker of the last call of [`contacts`](Self::contacts), whether it is free in the
    /// current call: no pair of the new list keeps it.
    is_free: Vec<bool>,
    /// Buffer to reorder `trackers`.
    moved: Vec<Tracker>,
}

/// The value in `ConvexPairs::origins` of a pair that has no tracker yet.
const NONE: u32 = u32::MAX;

impl ConvexPairs {
    /// Convex pairs of bodies that are given by their shapes, one for each body; bodies may share a
    /// shape.
    pub fn new(shapes: Vec<Arc<ConvexPolyhedron>>) -> Self {
        Self {
            shapes,
            ..Self::default()
        }
    }

    /// The shapes of the bodies of the convex pairs.
    pub fn shapes(&self) -> &[Arc<ConvexPolyhedron>] {
        &self.shapes
    }

    /// The sum of the statistics of the trackers of all convex pairs.
    pub fn counts(&self) -> Counts {
        let mut sum = Counts::default();
        for tracker in &self.trackers {
            let counts = tracker.counts();
            sum.queries += counts.queries;
            sum.restarts += counts.restarts;
            for k in 0..sum.steps.len() {
                sum.steps[k] += counts.steps[k];
            }
        }
        sum
    }

    /// Resets the statistics of the trackers of all convex pairs.
    pub fn reset_counts(&mut self) {
        self.trackers.iter_mut().for_each(Tracker::reset_counts);
    }

    /// The contacts of many convex pairs: one for each pair, in the order of the list. The normal
    /// of a contact points from the first body of the pair to the second. The list may differ from
    /// call to call.
    ///
    /// The contacts are those of a [`Tracker`], and have the same bits on any number of threads.
    ///
    /// # Errors
    /// When there is not one pose for each body, or a pair names a body out of range or one body
    /// twice; `out` is then empty.
    pub fn contacts(
        &mut self,
        poses: &[Pose],
        pairs: &[[u32; 2]],
        out: &mut Vec<Contact>,
    ) -> error::Result<()> {
        out.clear();
        let bodies = self.shapes.len();
        if poses.len() != bodies {
            return Err(Error::argument(
                Argument::Poses,
                format!("{} poses", poses.len()),
                format!("one for each of the {bodies} bodies"),
            ));
        }
        let is_wrong = |&[a, b]: &[u32; 2]| a == b || a.max(b) as usize >= bodies;
        if let Some(i) = pairs.iter().position(is_wrong) {
            return Err(Error::item(
                Argument::Pair,
                i,
                format!("{:?}", pairs[i]),
                format!("two different bodies, below {bodies}"),
            ));
        }
        if pairs != self.pairs {
            self.follow(pairs)?;
        }
        memory::reserve(out, pairs.len(), Argument::Pairs)?;
        let shapes = &self.shapes;
        self.trackers[..pairs.len()]
            .par_iter_mut()
            .zip(pairs)
            .with_min_len(CHUNK)
            .map(|(tracker, pair)| {
                let [a, b] = pair.map(|body| body as usize);
                tracker.contact(&shapes[a], &poses[a], &shapes[b], &poses[b])
            })
            .collect_into_vec(out);
        Ok(())
    }

    /// Proves the contacts of many convex pairs, each as [`certificate`] does, on all threads.
    /// Pairs with a body out of range are skipped.
    ///
    /// # Errors
    /// The index of the first contact with a claim that does not hold, and this claim.
    pub fn certificates(
        &self,
        poses: &[Pose],
        pairs: &[[u32; 2]],
        contacts: &[Contact],
    ) -> Result<(), (usize, Violation)> {
        let fault = |(contact, pair): (&Contact, &[u32; 2])| {
            let [a, b] = pair.map(|body| body as usize);
            let (Some(a), Some(b)) = (self.body(a, poses), self.body(b, poses)) else {
                return None;
            };
            certificate(a.0, a.1, b.0, b.1, contact).err()
        };
        let found = contacts
            .par_iter()
            .zip(pairs)
            .map(fault)
            .enumerate()
            .find_first(|(_, fault)| fault.is_some());
        match found {
            Some((pair, Some(violation))) => Err((pair, violation)),
            _ => Ok(()),
        }
    }

    /// The shape and the pose of a body of the convex pairs; `None` if its index is out of range.
    fn body<'s>(
        &'s self,
        body: usize,
        poses: &'s [Pose],
    ) -> Option<(&'s ConvexPolyhedron, &'s Pose)> {
        Some((self.shapes.get(body)?, poses.get(body)?))
    }

    /// Reorders the trackers of the convex pairs for a new list of pairs: a pair that was in the
    /// last list keeps its tracker, and a new pair gets an unused one.
    fn follow(&mut self, pairs: &[[u32; 2]]) -> error::Result<()> {
        if u32::try_from(pairs.len()).is_err() {
            let (found, most) = (pairs.len(), u32::MAX as usize);
            return Err(Error::too_many(Argument::Pairs, found, most));
        }
        sort_into(&mut self.before, &self.pairs);
        sort_into(&mut self.now, pairs);
        self.origins.clear();
        self.origins.resize(pairs.len(), NONE);
        let mut known = self.before.iter().peekable();
        for &(pair, place) in &self.now {
            while known.next_if(|(other, _)| *other < pair).is_some() {}
            if let Some(&(_, origin)) = known.next_if(|(other, _)| *other == pair) {
                self.origins[place as usize] = origin;
            }
        }
        self.is_free.clear();
        self.is_free.resize(self.trackers.len(), true);
        for &origin in self.origins.iter().filter(|&&o| o != NONE) {
            self.is_free[origin as usize] = false;
        }
        let is_free = &self.is_free;
        let mut free = (0..is_free.len()).filter(|&t| is_free[t]);
        // `take` leaves empty trackers behind, which own no memory.
        self.moved.clear();
        for &origin in &self.origins {
            let place = match origin {
                NONE => free.next(),
                _ => Some(origin as usize),
            };
            let tracker = place.map(|t| std::mem::take(&mut self.trackers[t]));
            self.moved.push(tracker.unwrap_or_default());
        }
        for t in free {
            self.moved.push(std::mem::take(&mut self.trackers[t]));
        }
        std::mem::swap(&mut self.trackers, &mut self.moved);
        self.moved.clear();
        self.pairs.clear();
        self.pairs.extend_from_slice(pairs);
        Ok(())
    }
}

/// Fills `out` with a list of convex pairs in ascending order, each with its index in the list. In
/// each pair the body with the lower index comes first, so that the order of the two bodies does
/// not matter.
fn sort_into(out: &mut Vec<([u32; 2], u32)>, pairs: &[[u32; 2]]) {
    out.clear();
    let keys = pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]);
    out.extend(keys.zip(0..));
    if !out.is_sorted() {
        out.sort_unstable();
    }
}
