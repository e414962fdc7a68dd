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
use crate::error::{Error, Result};
use crate::impact::hierarchy::Volume;
use crate::stop;

/// Settings of a search, derived from [`super::EngineSettings`].
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchSettings {
    pub(super) volume: Volume,
    pub(super) refinement: Refinement,
    pub(super) separation: f64,
    /// Maximum number of tests of pairs of volumes and pairs of faces in one search.
    pub(super) work: u64,
}

/// State of a search: the priority queue, and cached frames of the pair of bodies that was tested
/// last.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    queue: PriorityQueue,
    pub(super) box_axes: Option<([u32; 2], BoxAxes)>,
    pub(super) frame: Option<([u32; 2], RelativeFrame)>,
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
        self.box_axes.take_if(|(bodies, _)| is_gone(*bodies));
        self.frame.take_if(|(bodies, _)| is_gone(*bodies));
    }

    /// Runs the search: finds all contacts up to a horizon that may be the first one, and adds them
    /// to `found`. It does not search for contacts before the time `now`.
    pub(super) fn run(
        &mut self,
        movers: &[Mover],
        now: f64,
        horizon: f64,
        settings: &SearchSettings,
        found: &mut FoundContacts,
    ) -> Result<SearchEnd> {
        let mut limit = found.until().unwrap_or(horizon);
        let most = (self.counts.volume + self.counts.primitive).saturating_add(settings.work);
        let mut end = Ok(SearchEnd::Complete);
        for round in 0_u64.. {
            let Some(entry) = self.queue.pop(limit) else {
                break;
            };
            let is_stopped = round % 1024 == 1023 && stop::is_requested();
            if is_stopped || self.counts.volume + self.counts.primitive > most {
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
            _ => advance(frame, pair, faces, until, from_start, &mut count),
        };
        self.counts.primitive += count;
        self.record(entry, faces, answer, limit, found);
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
