//! The queue of what may touch, by the time before which it cannot (`aragon2013`, Algorithm 1).
//!
//! Entries are pairs of parts of two bodies. The first is taken out; the larger of both parts is replaced by its own parts, whose times are
//! computed from then on, and those that may ever meet go back into the queue; two leaves are followed to
//! their contact (`approach`, `straight`). A contact is the first one when its latest time is before all else in the queue. What waits
//! in the queue stays valid while motions are as they were.
//!
//! *Deviates:* as printed the algorithm never takes entries out, never puts back leaves that do not touch yet, and
//! descends both trees where volumes are equal, so that pairs are met twice.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::approach::{Approach, approach};
use super::balls;
use super::curved;
use super::event::Counts;
use super::frame::{Frame, Mover};
use super::refine::Refinement;
use super::straight;
use super::touch::Touch;
use super::volume;
use crate::error::{Error, Result};
use crate::impact::hierarchy::Volume;
use crate::stop;

/// Parts of two bodies that cannot touch before a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) time: f64,
    pub(super) bodies: [u32; 2],
    pub(super) parts: [u32; 2],
    /// Leaves that were refined already.
    pub(super) refined: bool,
    /// When the search of curved faces begins that told their time.
    pub(super) begin: f64,
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By time, then by what it is about, so that ties do not depend on what was asked before.
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |e: &Self| (e.bodies, e.parts);
        (self.time.total_cmp(&other.time)).then_with(|| key(self).cmp(&key(other)))
    }
}

/// How pairs are looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ways {
    pub(super) volume: Volume,
    pub(super) refinement: Refinement,
    pub(super) separation: f64,
    /// Volumes and primitives that may be looked at in one search.
    pub(super) work: u64,
}

/// The queue, and the frame of the pair that was looked at last.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    entries: BinaryHeap<Reverse<Entry>>,
    frame: Option<([u32; 2], Frame)>,
    scratch: curved::Scratch,
    pub(super) counts: Counts,
}

/// A touch of two faces of bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// As it was in the queue.
    pub(super) entry: Entry,
    pub(super) touch: Touch,
    pub(super) faces: [u32; 2],
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    /// There is nothing else up to this time.
    Complete(f64),
    /// The work that was allowed is used up; nothing touches before this time.
    OutOfWork(f64),
}

impl Queue {
    pub(super) fn push(&mut self, entry: Entry) {
        if entry.time < f64::INFINITY {
            self.entries.push(Reverse(entry));
        }
    }

    /// The time of the first entry.
    pub(super) fn next_time(&self) -> f64 {
        self.entries.peek().map_or(f64::INFINITY, |e| e.0.time)
    }

    /// Forgets what is about certain pairs of bodies.
    pub(super) fn forget(&mut self, is_gone: impl Fn([u32; 2]) -> bool) {
        self.entries.retain(|e| !is_gone(e.0.bodies));
        if self.frame.is_some_and(|(bodies, _)| is_gone(bodies)) {
            self.frame = None;
        }
    }

    /// The frame of two bodies at a time.
    fn frame(&mut self, movers: &[Mover], bodies: [u32; 2], time: f64, ways: &Ways) -> &mut Frame {
        let pair = bodies.map(|i| &movers[i as usize]);
        let frame = match self.frame.take() {
            Some((of, mut frame)) if of == bodies => {
                if frame.time != time {
                    self.counts.update += 2;
                    frame.moved_to(pair, time);
                }
                frame
            }
            _ => {
                self.counts.update += 2;
                Frame::new(pair, time, ways.separation)
            }
        };
        &mut self.frame.insert((bodies, frame)).1
    }

    /// When two parts may first touch, not before a time.
    pub(super) fn earliest(
        &mut self,
        movers: &[Mover],
        bodies: [u32; 2],
        parts: [u32; 2],
        from: f64,
        ways: &Ways,
    ) -> f64 {
        self.counts.volume += 1;
        let pair = bodies.map(|i| &movers[i as usize]);
        let frame = self.frame(movers, bodies, from, ways);
        let s = match ways.volume {
            Volume::Box => volume::boxes(frame, pair, parts),
            Volume::Ball => volume::balls(frame, pair, parts),
        };
        // Rounded down, and never before.
        (from + s * (1.0 - f64::EPSILON)).max(from)
    }

    /// The touches up to a horizon: all that may be the first one, as far as can be told.
    ///
    /// `now` is the earliest time of interest.
    pub(super) fn touches(
        &mut self,
        movers: &[Mover],
        now: f64,
        horizon: f64,
        ways: &Ways,
        found: &mut Vec<Found>,
    ) -> Result<End> {
        let mut limit = found.iter().map(until).fold(horizon, f64::min);
        let most = (self.counts.volume + self.counts.primitive).saturating_add(ways.work);
        for round in 0_u64.. {
            let Some(&Reverse(entry)) = self.entries.peek() else {
                break;
            };
            if entry.time > limit {
                break;
            }
            if round % 1024 == 1023 && stop::is_asked() {
                return Err(Error::Stopped);
            }
            if self.counts.volume + self.counts.primitive > most {
                return Ok(End::OutOfWork(entry.time.max(now)));
            }
            self.entries.pop();
            let time = entry.time.max(now);
            let pair = entry.bodies.map(|i| &movers[i as usize]);
            let parts = [0, 1].map(|i| &pair[i].body.shape.inner.parts[entry.parts[i] as usize]);
            let leaves = parts.map(|p| p.is_leaf());
            if leaves == [true, true] {
                self.follow(movers, entry, time, now, &mut limit, ways, found);
                continue;
            }
            if entry.bodies[0] == entry.bodies[1] && entry.parts[0] == entry.parts[1] {
                self.open_own(movers, entry, time, ways);
                continue;
            }
            let opened = match leaves {
                [true, _] => 1,
                [_, true] => 0,
                _ => usize::from(parts[1].radius > parts[0].radius),
            };
            for child in parts[opened].first..parts[opened].first + parts[opened].count {
                let mut of = entry.parts;
                of[opened] = child;
                let time = self.earliest(movers, entry.bodies, of, time, ways);
                self.push(Entry {
                    time,
                    parts: of,
                    ..entry
                });
            }
        }
        // What was found before something earlier waits for its time.
        found.retain(|one| {
            let is_first = one.touch.early <= limit;
            if !is_first {
                self.entries.push(Reverse(Entry {
                    time: one.touch.early,
                    refined: true,
                    ..one.entry
                }));
            }
            is_first
        });
        Ok(End::Complete(limit))
    }

    /// Opens a part of a body that is to be compared with itself: its parts with themselves and with each other.
    fn open_own(&mut self, movers: &[Mover], entry: Entry, time: f64, ways: &Ways) {
        let part =
            &movers[entry.bodies[0] as usize].body.shape.inner.parts[entry.parts[0] as usize];
        let children = part.first..part.first + part.count;
        for a in children.clone() {
            for b in a..children.end {
                let time = match a == b {
                    true => time,
                    false => self.earliest(movers, entry.bodies, [a, b], time, ways),
                };
                self.push(Entry {
                    time,
                    parts: [a, b],
                    ..entry
                });
            }
        }
    }

    /// Follows two leaves.
    #[allow(clippy::too_many_arguments)]
    fn follow(
        &mut self,
        movers: &[Mover],
        entry: Entry,
        time: f64,
        now: f64,
        limit: &mut f64,
        ways: &Ways,
        found: &mut Vec<Found>,
    ) {
        let pair = entry.bodies.map(|i| &movers[i as usize]);
        let faces = [0, 1].map(|i| pair[i].body.shape.inner.parts[entry.parts[i] as usize].first);
        if entry.bodies[0] == entry.bodies[1] && faces[0] == faces[1] {
            return;
        }
        let is_curved = curved::is_curved(pair, faces);
        if is_curved && curved::are_neighbors(pair, faces) {
            return;
        }
        let are_balls = pair.iter().all(|m| m.body.shape.radius() > 0.0);
        if !entry.refined && !are_balls && ways.refinement != Refinement::None {
            self.counts.volume += 1;
            let frame = self.frame(movers, entry.bodies, time, ways);
            let s = match is_curved {
                true => curved::apart(ways.refinement, frame, pair, faces),
                false => ways.refinement.apart(frame, pair, faces),
            };
            let later = (time + s * (1.0 - f64::EPSILON)).max(time);
            if later > time {
                self.push(Entry {
                    time: later,
                    refined: true,
                    begin: later,
                    ..entry
                });
                return;
            }
        }
        let mut count = 0;
        let mut begin = match entry.refined && is_curved {
            true => entry.begin.max(now),
            false => time,
        };
        let from_start = begin == now;
        self.frame(movers, entry.bodies, begin, ways);
        let Some((_, frame)) = &mut self.frame else {
            return;
        };
        let answer = match (balls::are_plain(pair), straight::step_of(pair)) {
            _ if is_curved => {
                let (answer, from) = curved::approach(
                    frame,
                    pair,
                    faces,
                    *limit,
                    from_start,
                    &mut self.scratch,
                    &mut count,
                );
                begin = from;
                answer
            }
            (true, _) => balls::approach(frame, pair, *limit, now, &mut count),
            (_, Some(step)) => {
                straight::first_contact(frame, pair, faces, step, *limit, from_start, &mut count)
            }
            _ => approach(frame, pair, faces, *limit, from_start, &mut count),
        };
        self.counts.primitive += count;
        match answer {
            Approach::Later(time) => self.push(Entry {
                time,
                refined: true,
                begin,
                ..entry
            }),
            Approach::Touch(touch) => {
                let one = Found {
                    entry: Entry { begin, ..entry },
                    touch,
                    faces,
                };
                *limit = limit.min(until(&one));
                found.push(one);
            }
        }
    }
}

/// Contacts up to this time may be as early as this one.
fn until(found: &Found) -> f64 {
    let touch = &found.touch;
    match touch.late < f64::INFINITY {
        true => touch.late,
        false => touch.early + 8.0 * f64::EPSILON * touch.early.abs(),
    }
}
