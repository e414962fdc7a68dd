//! Best-first traversal of two BVHs, ordered by lower bounds of the time of impact (`aragon2013`,
//! Algorithm 1).
//!
//! Entries of the priority queue are pairs of BVH nodes of two bodies. The first entry is removed;
//! one of its two nodes is replaced by its children, and those pairs of a child and the other node
//! that may ever meet are queued with new lower bounds. Two leaves go to the narrow phase
//! (`conservative_advancement`, `linear_motion`, `ball_pair`, `curved`). A contact is the first one
//! when the upper bound of its time is before all other entries. Entries stay valid while motions
//! do not change.
//!
//! *Deviates:* the algorithm as printed never removes entries, never queues leaves again that do
//! not touch yet, and descends both trees where volumes are equal, so that pairs are visited twice.

use super::ball_pair;
use super::box_bound::BoxAxes;
use super::conservative_advancement::{Outcome, advance};
use super::curved;
use super::face_bound::Refinement;
use super::found_contacts::{FoundContact, FoundContacts, is_duplicate};
use super::impact_contact::Counts;
use super::linear_motion;
use super::lower_bounds::{BvhNodeBatch, is_refined, later};
use super::mover::Mover;
use super::priority_queue::{Entry, PriorityQueue};
use super::relative_frame::RelativeFrame;
use super::revolution;
use super::triangle_pair::TrianglePair;
use crate::error::{Error, Result};
use crate::impact::hierarchy::Volume;
use crate::stop;

/// Number of steps of conservative advancement after which two faces are taken to creep past each
/// other, and bounded by solids of revolution. Steps converge quadratically to a contact, so most
/// pairs that touch need fewer.
const CREEPS: u8 = 8;

/// Number of steps after which faces that creep are bounded by solids of revolution again.
const AGAIN: u8 = 64;

/// The work of a test of two faces, if that of a test of two volumes is 1; about the ratio of their
/// times.
const FACES: u64 = 8;

/// The solids of revolution of two bodies are compared again after this many tests of faces.
const BETWEEN: u64 = 1024;

/// Solids of revolution postpone the test of two faces only if the faster body rotates by at least
/// this angle, in radians, until then.
const AHEAD: f64 = 0.125;

/// Settings of a search, derived from [`super::EngineSettings`].
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchSettings {
    pub(super) volume: Volume,
    pub(super) refinement: Refinement,
    pub(super) separation: f64,
    /// Maximum work of one query.
    pub(super) work: u64,
}

/// State of a search: the priority queue, and cached frames of the pair of bodies that was tested
/// last.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    queue: PriorityQueue,
    pub(super) box_axes: Option<([u32; 2], BoxAxes)>,
    pub(super) frame: Option<([u32; 2], RelativeFrame)>,
    /// Pairs of bodies whose solids of revolution were compared since their motions were set,
    /// ascending. A list keeps its memory.
    revolved: Vec<[u32; 2]>,
    /// The number of tests of faces when the solids of revolution of two bodies were compared last.
    last_revolution: u64,
    /// Scratch memory of the searches for contacts of curved faces.
    pub(super) scratch: curved::Scratch,
    pub(super) counts: Counts,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SearchEnd {
    /// The search has processed all entries of the priority queue with times up to the horizon. If
    /// a contact was found, this holds up to the latest time of a contact simultaneous with it.
    Complete,
    /// The search reached its work limit; nothing touches before this time.
    OutOfWork(f64),
}

impl Search {
    /// Queues a pair of BVH nodes for the search.
    pub(super) fn push(&mut self, entry: Entry) {
        self.queue.push(entry);
    }

    /// The time of the first entry in the queue of the search; infinite if there is none.
    pub(super) fn next_time(&self) -> f64 {
        self.queue.next_time()
    }

    /// Removes from the search the entries and cached frames of those pairs of bodies for which
    /// `is_gone` is true.
    pub(super) fn forget(&mut self, is_gone: impl Fn([u32; 2]) -> bool) {
        self.queue.forget(&is_gone);
        self.scratch.forget(&is_gone);
        self.revolved.retain(|bodies| !is_gone(*bodies));
        self.box_axes.take_if(|(bodies, _)| is_gone(*bodies));
        self.frame.take_if(|(bodies, _)| is_gone(*bodies));
    }

    /// The work of all searches so far: one for a test of two volumes, [`FACES`] for a test of two
    /// faces.
    pub(super) fn work(&self) -> u64 {
        self.counts.volume + FACES * self.counts.primitive
    }

    /// Runs the search: finds all contacts up to a horizon that may be the first one, and adds them
    /// to `found`. It does not search for contacts before the time `now`, and ends when its work is
    /// above `most`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn run(
        &mut self,
        movers: &[Mover],
        now: f64,
        horizon: f64,
        settings: &SearchSettings,
        most: u64,
        found: &mut FoundContacts,
    ) -> Result<SearchEnd> {
        let mut limit = found.until().unwrap_or(horizon);
        let mut end = Ok(SearchEnd::Complete);
        for round in 0_u64.. {
            let Some(entry) = self.queue.pop(limit) else {
                break;
            };
            let is_stopped = round % 1024 == 1023 && stop::is_requested();
            if is_stopped || self.work() > most {
                self.push(entry);
                end = match is_stopped {
                    true => Err(Error::Stopped),
                    false => Ok(SearchEnd::OutOfWork(entry.time.max(now))),
                };
                break;
            }
            let time = entry.time.max(now);
            let pair = entry.bodies.map(|i| &movers[i as usize]);
            let parts = [0, 1].map(|i| &pair[i].body.shape.inner.parts[entry.parts[i] as usize]);
            match parts.map(|p| p.is_leaf()) {
                [true, true] => {
                    self.narrow_phase(movers, entry, time, now, &mut limit, settings, found)
                }
                _ if entry.bodies[0] == entry.bodies[1] && entry.parts[0] == entry.parts[1] => {
                    self.expand_self(movers, entry, time, settings);
                }
                [true, false] => self.expand(movers, entry, 1, time, limit, settings),
                [false, true] => self.expand(movers, entry, 0, time, limit, settings),
                [false, false] => {
                    let of = self
                        .box_axes(movers, entry.bodies, time, settings)
                        .node_to_expand(parts);
                    self.expand(movers, entry, of, time, limit, settings);
                }
            }
        }
        self.queue.flush_ready();
        end
    }

    /// Expands an entry of the search: replaces its BVH node of body `of` by the children of that
    /// node.
    fn expand(
        &mut self,
        movers: &[Mover],
        entry: Entry,
        of: usize,
        time: f64,
        limit: f64,
        settings: &SearchSettings,
    ) {
        let part =
            &movers[entry.bodies[of] as usize].body.shape.inner.parts[entry.parts[of] as usize];
        let mut parts = part.first..part.first + part.count;
        while !parts.is_empty() {
            let (batch, rest) = BvhNodeBatch::first(entry.bodies, of, &parts, entry.parts[1 - of]);
            parts = rest;
            let (times, refined) = self.lower_bounds(movers, &batch, time, settings);
            // A known minimum bypasses the heap: all pairs that may touch now, or else the
            // earliest.
            let mut next = time;
            if batch.count == part.count as usize && !self.queue.has_ready() {
                let earliest = times.into_iter().fold(f64::INFINITY, f64::min);
                if earliest < self.next_time() && earliest <= limit {
                    next = next.max(earliest);
                }
            }
            for lane in (0..batch.count).rev() {
                let child = Entry {
                    time: times[lane],
                    bodies: entry.bodies,
                    parts: batch.pair(lane),
                    refined,
                    steps: 0,
                };
                match child.time <= next {
                    true => self.queue.push_ready(child),
                    false => self.push(child),
                }
            }
        }
    }

    /// Expands an entry of the search that pairs a BVH node with itself (for self-contact):
    /// replaces it by the pairs of its children.
    fn expand_self(
        &mut self,
        movers: &[Mover],
        entry: Entry,
        time: f64,
        settings: &SearchSettings,
    ) {
        let part =
            &movers[entry.bodies[0] as usize].body.shape.inner.parts[entry.parts[0] as usize];
        let bodies = entry.bodies;
        let children = part.first..part.first + part.count;
        for a in children.clone() {
            self.push(Entry {
                parts: [a, a],
                ..entry
            });
            let mut others = a + 1..children.end;
            while !others.is_empty() {
                let (batch, rest) = BvhNodeBatch::first(bodies, 1, &others, a);
                others = rest;
                let (times, refined) = self.lower_bounds(movers, &batch, time, settings);
                for (lane, &time) in times.iter().enumerate().take(batch.count) {
                    self.push(Entry {
                        time,
                        bodies,
                        parts: batch.pair(lane),
                        refined,
                        steps: 0,
                    });
                }
            }
        }
    }

    /// Narrow phase of the search for two leaves: runs the test for their kind of faces and motion.
    #[allow(clippy::too_many_arguments)]
    fn narrow_phase(
        &mut self,
        movers: &[Mover],
        entry: Entry,
        time: f64,
        now: f64,
        limit: &mut f64,
        settings: &SearchSettings,
        found: &mut FoundContacts,
    ) {
        let pair = entry.bodies.map(|i| &movers[i as usize]);
        let faces = [0, 1].map(|i| pair[i].body.shape.inner.parts[entry.parts[i] as usize].first);
        if entry.bodies[0] == entry.bodies[1] && faces[0] == faces[1] {
            return;
        }
        if curved::is_curved(pair, faces) {
            self.narrow_phase_curved(movers, entry, faces, [time, now], limit, settings, found);
            return;
        }
        if !entry.refined && is_refined(pair, settings) {
            let frame = &self.box_axes(movers, entry.bodies, time, settings).frame;
            let s = settings.refinement.pair_separated_for(frame, pair, faces);
            let later = later(frame.time, s, time);
            if self.postpone(entry, time, later) {
                return;
            }
        }
        let frame = self.frame(movers, entry.bodies, time, settings);
        if frame.is_beyond() {
            return;
        }
        if is_duplicate(frame, pair, &entry, faces, time, &found.contacts) {
            found.duplicates.push(entry);
            return;
        }
        let mut entry = entry;
        let is_creeping = (CREEPS..2 * CREEPS).contains(&entry.steps) || entry.steps >= AGAIN;
        if (is_creeping || self.is_revolution_due()) && revolution::applies(pair) {
            if self.revolve(movers, entry, faces, time, is_creeping, settings) {
                return;
            }
            if is_creeping {
                entry.steps = 2 * CREEPS;
            }
        }
        // Stops where another entry may be earlier.
        let next = match self.queue.has_ready() {
            true => time,
            false => self.next_time(),
        };
        let until = limit.min(next.max(time));
        let mut count = 0;
        let from_start = time == now;
        let frame = self.frame(movers, entry.bodies, time, settings);
        let answer = match (
            ball_pair::move_on_parabolas(pair),
            linear_motion::step_of(pair),
        ) {
            (true, _) => ball_pair::first_contact(frame, pair, *limit, now, &mut count),
            (_, Some(step)) => linear_motion::first_contact(
                frame, pair, faces, step, *limit, from_start, &mut count,
            ),
            _ => {
                let is_creeping = |steps: u32| u32::from(entry.steps) + steps >= u32::from(CREEPS);
                advance(
                    frame,
                    pair,
                    faces,
                    until,
                    from_start,
                    is_creeping,
                    &mut count,
                )
            }
        };
        self.counts.primitive += count;
        let entry = Entry {
            steps: entry.steps.saturating_add(count.min(255) as u8),
            ..entry
        };
        self.record(entry, faces, answer, limit, found);
    }

    /// Whether the solids of revolution of two bodies are to be compared after so many tests of
    /// faces.
    fn is_revolution_due(&self) -> bool {
        self.counts.primitive >= self.last_revolution + BETWEEN
    }

    /// Bounds the bodies of two leaves of the search by solids of revolution and, if `is_creeping`
    /// is true, the leaves. Removes all entries of the two bodies if these never touch, or queues
    /// the leaves again if they touch later than at `time`. Returns whether it did one of both.
    #[allow(clippy::too_many_arguments)]
    fn revolve(
        &mut self,
        movers: &[Mover],
        entry: Entry,
        faces: [u32; 2],
        time: f64,
        is_creeping: bool,
        settings: &SearchSettings,
    ) -> bool {
        let pair = entry.bodies.map(|i| &movers[i as usize]);
        self.counts.volume += 1;
        let frame = *self.frame(movers, entry.bodies, time, settings);
        let place = self.revolved.binary_search(&entry.bodies);
        if let Err(place) = place {
            self.revolved.insert(place, entry.bodies);
        }
        if place.is_err() || self.is_revolution_due() {
            self.last_revolution = self.counts.primitive;
            if revolution::bodies_separated_for(&frame, pair) == f64::INFINITY {
                self.queue.forget_pair(entry.bodies);
                return true;
            }
        }
        if !is_creeping {
            return false;
        }
        let s = revolution::faces_separated_for(&TrianglePair::new(&frame, pair, faces), pair);
        // Near a contact of the solids conservative advancement is faster.
        let turning = frame.sides[0].turning.max(frame.sides[1].turning);
        if s * turning < AHEAD {
            return false;
        }
        self.push(Entry {
            time: later(time, s, time),
            steps: 0,
            ..entry
        });
        true
    }

    /// Queues two leaves of the search again with the time `later`, if that is after `time`.
    /// `later` is a lower bound of their time of impact from the bounding volumes of their faces.
    /// Returns whether the leaves were queued.
    pub(super) fn postpone(&mut self, entry: Entry, time: f64, later: f64) -> bool {
        if later > time {
            self.counts.volume += 1;
            self.push(Entry {
                time: later,
                refined: true,
                ..entry
            });
        }
        later > time
    }

    /// Records in the search the outcome of the narrow phase: a contact, or a queue entry with a
    /// later time.
    pub(super) fn record(
        &mut self,
        entry: Entry,
        faces: [u32; 2],
        answer: Outcome,
        limit: &mut f64,
        found: &mut FoundContacts,
    ) {
        match answer {
            Outcome::Later(time) => self.push(Entry {
                time,
                refined: true,
                ..entry
            }),
            Outcome::Touch(touch) => {
                let one = FoundContact {
                    entry,
                    touch,
                    faces,
                };
                // Contacts simultaneous with the first may lie after the horizon.
                let limit_of_others = match found.contacts.is_empty() {
                    true => f64::INFINITY,
                    false => *limit,
                };
                *limit = limit_of_others.min(one.search_until());
                found.contacts.push(one);
            }
        }
    }
}
