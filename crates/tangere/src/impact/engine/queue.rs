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

use super::approach::{Approach, Begins, Pair, approach};
use super::balls;
use super::bound::Opening;
use super::curved;
use super::event::Counts;
use super::frame::{Frame, Mover};
use super::refine::Refinement;
use super::straight;
use super::touch::Touch;
use super::volume;
use crate::error::{Error, Result};
use crate::geometry::TriangleFeature;
use crate::geometry::vector::{dot, minus};
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
    /// Memory of searches of curved faces.
    pub(super) scratch: curved::Scratch,
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

impl Found {
    /// Contacts up to this time may be as early as this one.
    pub(super) fn until(&self) -> f64 {
        let touch = &self.touch;
        match touch.late < f64::INFINITY {
            true => touch.late,
            false => touch.early + 8.0 * f64::EPSILON * touch.early.abs(),
        }
    }

    /// The time up to which others are looked for: further by as much again, as the same contact of neighbouring faces may be
    /// told up to a little later time.
    fn looked_for(&self) -> f64 {
        self.until() + (self.until() - self.touch.early)
    }

    /// What is to be looked at again: before the contact there is nothing to see.
    pub(super) fn again(&self) -> Entry {
        Entry {
            time: self.touch.early.max(self.entry.time),
            refined: true,
            ..self.entry
        }
    }
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub(super) struct Finds {
    pub(super) touches: Vec<Found>,
    /// What touches where another pair was found to touch already.
    pub(super) doubles: Vec<Entry>,
}

impl Finds {
    /// All that was in the queue for them.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        let of_touches = self.touches.iter().map(|found| found.entry);
        of_touches.chain(self.doubles.iter().copied())
    }

    /// Contacts up to this time may be the first one, if there is any.
    pub(super) fn until(&self) -> Option<f64> {
        self.touches.iter().map(Found::looked_for).reduce(f64::min)
    }

    /// The first of all times.
    pub(super) fn early(&self) -> f64 {
        let early = self.touches.iter().map(|found| found.touch.early);
        early.fold(f64::INFINITY, f64::min)
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    /// There is nothing else.
    Complete,
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
    pub(super) fn frame(
        &mut self,
        movers: &[Mover],
        bodies: [u32; 2],
        time: f64,
        ways: &Ways,
    ) -> &mut Frame {
        let pair = bodies.map(|i| &movers[i as usize]);
        let is_kept = matches!(&self.frame, Some((of, _)) if *of == bodies);
        if !is_kept {
            self.counts.update += 2;
            self.frame = None;
        }
        let new = || (bodies, Frame::new(pair, time, ways.separation));
        let frame = &mut self.frame.get_or_insert_with(new).1;
        if frame.time != time {
            self.counts.update += 2;
            frame.moved_to(pair, time);
        }
        frame
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
        let seen = seen_from(pair, from);
        let frame = self.frame(movers, bodies, seen, ways);
        if frame.is_beyond() {
            return f64::INFINITY;
        }
        let s = match ways.volume {
            Volume::Box => volume::boxes(frame, pair, parts),
            Volume::Ball => volume::balls(frame, pair, parts),
        };
        // Rounded down, and never before.
        (seen + s * (1.0 - f64::EPSILON)).max(from)
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
        finds: &mut Finds,
    ) -> Result<End> {
        let mut limit = finds.until().unwrap_or(horizon);
        let most = (self.counts.volume + self.counts.primitive).saturating_add(ways.work);
        // The first of all, where it is known before it was put into the queue.
        let mut first: Option<Entry> = None;
        for round in 0_u64.. {
            let entry = match (first.take(), self.entries.peek()) {
                (Some(entry), _) => entry,
                (None, Some(&Reverse(entry))) if entry.time <= limit => {
                    self.entries.pop();
                    entry
                }
                _ => break,
            };
            let is_stopped = round % 1024 == 1023 && stop::is_asked();
            if is_stopped || self.counts.volume + self.counts.primitive > most {
                self.push(entry);
                return match is_stopped {
                    true => Err(Error::Stopped),
                    false => Ok(End::OutOfWork(entry.time.max(now))),
                };
            }
            let time = entry.time.max(now);
            let pair = entry.bodies.map(|i| &movers[i as usize]);
            let parts = [0, 1].map(|i| &pair[i].body.shape.inner.parts[entry.parts[i] as usize]);
            let leaves = parts.map(|p| p.is_leaf());
            if leaves == [true, true] {
                self.follow(movers, entry, time, now, &mut limit, ways, finds);
                continue;
            }
            if entry.bodies[0] == entry.bodies[1] && entry.parts[0] == entry.parts[1] {
                self.open_own(movers, entry, time, ways);
                continue;
            }
            let opened = match leaves {
                [true, _] => 1,
                [_, true] => 0,
                _ => {
                    let seen = seen_from(pair, time);
                    self.frame(movers, entry.bodies, seen, ways).opened(parts)
                }
            };
            for child in parts[opened].first..parts[opened].first + parts[opened].count {
                let mut of = entry.parts;
                of[opened] = child;
                let time = self.earliest(movers, entry.bodies, of, time, ways);
                if time == f64::INFINITY {
                    continue;
                }
                let child = Entry {
                    time,
                    parts: of,
                    ..entry
                };
                match first {
                    Some(other) if other <= child => self.push(child),
                    _ => {
                        if let Some(other) = first.replace(child) {
                            self.push(other);
                        }
                    }
                }
            }
            let is_first = |e: &Entry| {
                e.time <= limit && self.entries.peek().is_none_or(|Reverse(top)| e <= top)
            };
            if let Some(entry) = first.take_if(|e| !is_first(e)) {
                self.push(entry);
            }
        }
        Ok(End::Complete)
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
        finds: &mut Finds,
    ) {
        let pair = entry.bodies.map(|i| &movers[i as usize]);
        let faces = [0, 1].map(|i| pair[i].body.shape.inner.parts[entry.parts[i] as usize].first);
        if entry.bodies[0] == entry.bodies[1] && faces[0] == faces[1] {
            return;
        }
        if curved::is_curved(pair, faces) {
            self.follow_curved(movers, entry, faces, [time, now], limit, ways, finds);
            return;
        }
        let are_balls = pair.iter().all(|m| m.body.shape.radius() > 0.0);
        let seen = seen_from(pair, time);
        let frame = self.frame(movers, entry.bodies, seen, ways);
        if frame.is_beyond() {
            return;
        }
        // Faces that only translate are told by the directions of their boxes, and more, at once.
        let is_told = entry.refined || are_balls || frame.is_plain;
        if !is_told && ways.refinement != Refinement::None {
            let s = ways.refinement.apart(frame, pair, faces);
            let later = (seen + s * (1.0 - f64::EPSILON)).max(time);
            if later > time {
                self.counts.volume += 1;
                self.push(Entry {
                    time: later,
                    refined: true,
                    ..entry
                });
                return;
            }
        }
        if is_double(frame, pair, &entry, faces, time, &finds.touches) {
            finds.doubles.push(entry);
            return;
        }
        let mut count = 0;
        let from_start = time == now;
        let frame = self.frame(movers, entry.bodies, time, ways);
        let answer = match (balls::are_plain(pair), straight::step_of(pair)) {
            (true, _) => balls::approach(frame, pair, *limit, now, &mut count),
            (_, Some(step)) => {
                straight::first_contact(frame, pair, faces, step, *limit, from_start, &mut count)
            }
            _ => {
                let begins = match (from_start, entry.refined) {
                    (true, _) => Begins::Now,
                    (_, false) => Begins::Later,
                    (_, true) => Begins::Again,
                };
                approach(frame, pair, faces, *limit, begins, &mut count)
            }
        };
        self.counts.primitive += count;
        self.settle(entry, faces, answer, limit, finds);
    }

    /// Keeps what was found of two leaves.
    pub(super) fn settle(
        &mut self,
        entry: Entry,
        faces: [u32; 2],
        answer: Approach,
        limit: &mut f64,
        finds: &mut Finds,
    ) {
        match answer {
            Approach::Later(time) => self.push(Entry {
                time,
                refined: true,
                ..entry
            }),
            Approach::Touch(touch) => {
                let one = Found {
                    entry,
                    touch,
                    faces,
                };
                // The first one may be together with others after the horizon.
                let limit_of_others = match finds.touches.is_empty() {
                    true => f64::INFINITY,
                    false => *limit,
                };
                *limit = limit_of_others.min(one.looked_for());
                finds.touches.push(one);
            }
        }
    }
}

/// From when bodies are seen that are to be bounded from a time on: shortly before it if they turn, so that
/// many parts are seen from one time. It depends on nothing but the time.
pub(super) fn seen_from([a, b]: [&Mover; 2], time: f64) -> f64 {
    let turning = a.turning.max(b.turning);
    if turning == 0.0 {
        return time;
    }
    // A power of two, in which they turn by less than a 32nd.
    let grid = f64::from_bits((TURN / turning).to_bits() & EXPONENT);
    let seen = (time / grid).floor() * grid;
    match seen <= time {
        true => seen.max(a.since).max(b.since).min(time),
        false => time,
    }
}

/// Bodies that turn by less are seen from one time.
const TURN: f64 = 1.0 / 32.0;

const EXPONENT: u64 = 0x7ff0_0000_0000_0000;

/// How far the other corners of a face must be above the plane at which one of them touches, relative to its size, for it
/// to touch nowhere else.
const RAISED: f64 = 1e-6;

/// Whether two faces touch just where others were found to: at a corner that both of them have, on the same face.
fn is_double(
    frame: &mut Frame,
    pair: [&Mover; 2],
    entry: &Entry,
    faces: [u32; 2],
    time: f64,
    touches: &[Found],
) -> bool {
    touches.iter().any(|found| {
        let touch = &found.touch;
        if found.entry.bodies != entry.bodies || touch.late == f64::INFINITY || touch.overlaps {
            return false;
        }
        // Finite element faces are told one by one.
        if pair.iter().any(|m| m.body.shape.inner.elements.is_some()) {
            return false;
        }
        // Of all that touch there the first one is told, whichever was found first.
        if found.entry.parts > entry.parts {
            return false;
        }
        let (of, corner) = match (touch.on_a, touch.on_b) {
            (TriangleFeature::Vertex(k), TriangleFeature::Face) => (0, k),
            (TriangleFeature::Face, TriangleFeature::Vertex(k)) => (1, k),
            _ => return false,
        };
        let names = |face: u32| pair[of].body.shape.inner.faces[face as usize];
        let vertex = names(found.faces[of])[usize::from(corner)];
        let Some(corner) = names(faces[of]).iter().position(|&v| v == vertex) else {
            return false;
        };
        if faces[1 - of] != found.faces[1 - of] || pair[of].body.shape.radius() > 0.0 {
            return false;
        }
        frame.moved_to(pair, touch.early);
        let both = Pair::new(frame, pair, faces);
        let (own, sign) = match of {
            0 => (&both.a, 1.0),
            _ => (&both.b, -1.0),
        };
        // Back to the time from which on they were to be followed they were apart, too.
        let before = touch.early - time;
        let was_apart = |opening: Opening| match opening.gap > 0.0 {
            true => opening.back().closes() > before,
            false => opening.back().stays_open(before),
        };
        if !both.openings(touch.normal).into_iter().all(was_apart) {
            return false;
        }
        let raised = RAISED * own.size() + 64.0 * frame.slack;
        (1..3).all(|k| {
            let other = own.corners[(corner + k) % 3];
            sign * dot(touch.normal, minus(own.corners[corner], other)) > raised
        })
    })
}
