//! The queue of what may touch, by the time before which it cannot (`aragon2013`, Algorithm 1).
//!
//! Entries are pairs of parts of two bodies. The first is taken out; the larger of both parts is replaced by its own parts, whose times are
//! computed from then on, and those that may ever meet go back into the queue; two leaves are followed to
//! their contact (`approach`, `straight`). A contact is the first one when its latest time is before all else in the queue. What waits
//! in the queue stays valid while motions are as they were.
//!
//! *Deviates:* as printed the algorithm never takes entries out, never puts back leaves that do not touch yet, and
//! descends both trees where volumes are equal, so that pairs are met twice.

use std::ops::Range;

use super::agenda::{Agenda, Entry};
use super::approach::{Approach, Begins, Pair, approach};
use super::balls;
use super::bound::Opening;
use super::boxes::Slabs;
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
use crate::simd::LANES;
use crate::stop;

/// How pairs are looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ways {
    pub(super) volume: Volume,
    pub(super) refinement: Refinement,
    pub(super) separation: f64,
    /// Volumes and primitives that may be looked at in one search.
    pub(super) work: u64,
}

/// The queue, and the pair of bodies that was looked at last: where its parts are seen from, and where its faces were followed
/// to.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    agenda: Agenda,
    slabs: Option<([u32; 2], Slabs)>,
    frame: Option<([u32; 2], Frame)>,
    /// Memory of searches of curved faces.
    pub(super) scratch: curved::Scratch,
    pub(super) counts: Counts,
}

/// Parts of body `of` that are to be compared with one part of the other.
#[derive(Clone, Copy, Debug)]
struct Opened {
    bodies: [u32; 2],
    of: usize,
    parts: [u32; LANES],
    count: usize,
    other: u32,
}

impl Opened {
    /// The first of several next to each other, eight at most, and where the others begin.
    #[inline]
    fn first(bodies: [u32; 2], of: usize, parts: &Range<u32>, other: u32) -> (Self, Range<u32>) {
        let count = (parts.len()).min(LANES);
        let mut lanes = [parts.start; LANES];
        for (lane, part) in lanes.iter_mut().enumerate() {
            // Lanes that are left over do what the last one does.
            *part += lane.min(count - 1) as u32;
        }
        let opened = Opened {
            bodies,
            of,
            parts: lanes,
            count,
            other,
        };
        (opened, parts.start + count as u32..parts.end)
    }

    fn pair(&self, lane: usize) -> [u32; 2] {
        match self.of {
            0 => [self.parts[lane], self.other],
            _ => [self.other, self.parts[lane]],
        }
    }
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
        self.agenda.push(entry);
    }

    /// The time of the first entry.
    pub(super) fn next_time(&self) -> f64 {
        self.agenda.next_time()
    }

    /// Forgets what is about certain pairs of bodies.
    pub(super) fn forget(&mut self, is_gone: impl Fn([u32; 2]) -> bool) {
        self.agenda.forget(&is_gone);
        self.scratch.forget(&is_gone);
        self.slabs.take_if(|(bodies, _)| is_gone(*bodies));
        self.frame.take_if(|(bodies, _)| is_gone(*bodies));
    }

    /// The frame of two bodies at a time, to follow their faces from there.
    pub(super) fn frame(
        &mut self,
        movers: &[Mover],
        bodies: [u32; 2],
        time: f64,
        ways: &Ways,
    ) -> &mut Frame {
        let pair = bodies.map(|i| &movers[i as usize]);
        self.frame.take_if(|(of, _)| *of != bodies);
        if !matches!(&self.frame, Some((_, frame)) if frame.time == time) {
            self.counts.update += 2;
        }
        let new = || (bodies, Frame::new(pair, time, ways.separation));
        let frame = &mut self.frame.get_or_insert_with(new).1;
        frame.moved_to(pair, time);
        frame
    }

    /// The axes of two bodies at the time from which parts are seen that are to be bounded from a time on.
    fn slabs(&mut self, movers: &[Mover], bodies: [u32; 2], from: f64, ways: &Ways) -> &Slabs {
        let pair = bodies.map(|i| &movers[i as usize]);
        let time = seen_from(pair, from);
        let is_kept =
            matches!(&self.slabs, Some((of, slabs)) if *of == bodies && slabs.frame.time == time);
        if !is_kept {
            self.counts.update += 2;
            let frame = match &self.slabs {
                Some((of, slabs)) if *of == bodies => {
                    let mut frame = slabs.frame;
                    frame.moved_to(pair, time);
                    frame
                }
                _ => Frame::new(pair, time, ways.separation),
            };
            return &self.slabs.insert((bodies, Slabs::new(frame))).1;
        }
        let new = || (bodies, Slabs::new(Frame::new(pair, time, ways.separation)));
        &self.slabs.get_or_insert_with(new).1
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
        let slabs = self.slabs(movers, bodies, from, ways);
        let frame = &slabs.frame;
        if frame.is_beyond() {
            return f64::INFINITY;
        }
        let s = match ways.volume {
            Volume::Box => slabs.pair_apart(pair, parts),
            Volume::Ball => volume::balls(frame, pair, parts),
        };
        later(frame.time, s, from)
    }

    /// The same of several parts of one body; whether they are faces that were refined.
    fn times(
        &mut self,
        movers: &[Mover],
        opened: &Opened,
        from: f64,
        ways: &Ways,
    ) -> ([f64; LANES], bool) {
        self.counts.volume += opened.count as u64;
        let Opened { of, count, .. } = *opened;
        let pair = opened.bodies.map(|i| &movers[i as usize]);
        let slabs = self.slabs(movers, opened.bodies, from, ways);
        let frame = &slabs.frame;
        if frame.is_beyond() {
            return ([f64::INFINITY; LANES], false);
        }
        let mut times = match ways.volume {
            Volume::Box => slabs.apart(pair, of, opened.parts, opened.other),
            Volume::Ball => {
                let mut times = [0.0; LANES];
                for (lane, time) in times.iter_mut().enumerate().take(count) {
                    *time = volume::balls(frame, pair, opened.pair(lane));
                }
                times
            }
        };
        let parts = [of, 1 - of].map(|i| &pair[i].body.shape.inner.parts);
        let are_faces = parts[1][opened.other as usize].is_leaf()
            && (opened.parts.iter()).all(|&i| parts[0][i as usize].is_leaf());
        let are_refined = are_faces && is_refined(pair, ways);
        if are_refined {
            let mut faces = opened.parts;
            for face in &mut faces {
                *face = parts[0][*face as usize].first;
            }
            let other = parts[1][opened.other as usize].first;
            let tighter = ways.refinement.apart(frame, pair, of, faces, other);
            for lane in 0..LANES {
                times[lane] = times[lane].max(tighter[lane]);
            }
        }
        for time in &mut times {
            *time = later(frame.time, *time, from);
        }
        (times, are_refined)
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
        let mut end = Ok(End::Complete);
        for round in 0_u64.. {
            let Some(entry) = self.agenda.pop(limit) else {
                break;
            };
            let is_stopped = round % 1024 == 1023 && stop::is_asked();
            if is_stopped || self.counts.volume + self.counts.primitive > most {
                self.push(entry);
                end = match is_stopped {
                    true => Err(Error::Stopped),
                    false => Ok(End::OutOfWork(entry.time.max(now))),
                };
                break;
            }
            let time = entry.time.max(now);
            let pair = entry.bodies.map(|i| &movers[i as usize]);
            let parts = [0, 1].map(|i| &pair[i].body.shape.inner.parts[entry.parts[i] as usize]);
            match parts.map(|p| p.is_leaf()) {
                [true, true] => self.follow(movers, entry, time, now, &mut limit, ways, finds),
                _ if entry.bodies[0] == entry.bodies[1] && entry.parts[0] == entry.parts[1] => {
                    self.open_own(movers, entry, time, ways);
                }
                [true, false] => self.open(movers, entry, 1, time, limit, ways),
                [false, true] => self.open(movers, entry, 0, time, limit, ways),
                [false, false] => {
                    let of = self.slabs(movers, entry.bodies, time, ways).opened(parts);
                    self.open(movers, entry, of, time, limit, ways);
                }
            }
        }
        self.agenda.settle();
        end
    }

    /// Replaces a part of body `of` by its own parts.
    fn open(
        &mut self,
        movers: &[Mover],
        entry: Entry,
        of: usize,
        time: f64,
        limit: f64,
        ways: &Ways,
    ) {
        let part =
            &movers[entry.bodies[of] as usize].body.shape.inner.parts[entry.parts[of] as usize];
        let mut parts = part.first..part.first + part.count;
        while !parts.is_empty() {
            let (opened, rest) = Opened::first(entry.bodies, of, &parts, entry.parts[1 - of]);
            parts = rest;
            let (times, refined) = self.times(movers, &opened, time, ways);
            // What is before all else is next, and goes past the queue: all that cannot be told from now, or the earliest.
            let mut next = time;
            if opened.count == part.count as usize && !self.agenda.has_ready() {
                let earliest = times.into_iter().fold(f64::INFINITY, f64::min);
                if earliest < self.next_time() && earliest <= limit {
                    next = next.max(earliest);
                }
            }
            for lane in (0..opened.count).rev() {
                let child = Entry {
                    time: times[lane],
                    bodies: entry.bodies,
                    parts: opened.pair(lane),
                    refined,
                };
                match child.time <= next {
                    true => self.agenda.push_ready(child),
                    false => self.push(child),
                }
            }
        }
    }

    /// Opens a part of a body that is to be compared with itself: its parts with themselves and with each other.
    fn open_own(&mut self, movers: &[Mover], entry: Entry, time: f64, ways: &Ways) {
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
                let (opened, rest) = Opened::first(bodies, 1, &others, a);
                others = rest;
                let (times, refined) = self.times(movers, &opened, time, ways);
                for (lane, &time) in times.iter().enumerate().take(opened.count) {
                    self.push(Entry {
                        time,
                        bodies,
                        parts: opened.pair(lane),
                        refined,
                    });
                }
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
        let is_refined = entry.refined || !is_refined(pair, ways);
        if !is_refined {
            let frame = &self.slabs(movers, entry.bodies, time, ways).frame;
            let s = ways.refinement.pair_apart(frame, pair, faces);
            let later = later(frame.time, s, time);
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
        let frame = self.frame(movers, entry.bodies, time, ways);
        if frame.is_beyond() {
            return;
        }
        if is_double(frame, pair, &entry, faces, time, &finds.touches) {
            finds.doubles.push(entry);
            return;
        }
        // Once something else may be earlier, that is looked at first.
        let next = match self.agenda.has_ready() {
            true => time,
            false => self.next_time(),
        };
        let until = limit.min(next.max(time));
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
                approach(frame, pair, faces, until, begins, &mut count)
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

/// A time after that from which parts were seen, rounded down, and not before another.
#[inline]
fn later(seen: f64, s: f64, from: f64) -> f64 {
    (seen + s * (1.0 - f64::EPSILON)).max(from)
}

/// Whether triangles are refined. Those that only translate are told by the directions of their boxes, and more, at once.
fn is_refined(pair: [&Mover; 2], ways: &Ways) -> bool {
    let are_balls = pair.iter().all(|m| m.body.shape.radius() > 0.0);
    let are_plain = pair.iter().all(|m| m.is_plain());
    let are_elements = pair.iter().any(|m| m.body.shape.inner.elements.is_some());
    ways.refinement != Refinement::None && !are_balls && !are_plain && !are_elements
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

/// Whether two faces touch just where others were found to: at a corner that both of them have, or where two edges cross.
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
        let features = [touch.on_a, touch.on_b];
        if pair.iter().any(|mover| mover.body.shape.radius() > 0.0) {
            return false;
        }
        // Where each face has the feature that touches.
        let has = |of: usize| {
            let feature = |face: u32, on| pair[of].body.shape.inner.feature(face, on);
            let wanted = feature(found.faces[of], features[of]);
            let is_wanted = |on: &TriangleFeature| feature(faces[of], *on) == wanted;
            FEATURES.into_iter().find(is_wanted)
        };
        let (Some(on_a), Some(on_b)) = (has(0), has(1)) else {
            return false;
        };
        let alone: &[(usize, TriangleFeature)] = match (on_a, on_b) {
            (TriangleFeature::Vertex(_), _) => &[(0, on_a)],
            (_, TriangleFeature::Vertex(_)) => &[(1, on_b)],
            (TriangleFeature::Edge(_), TriangleFeature::Edge(_)) => &[(0, on_a), (1, on_b)],
            _ => return false,
        };
        frame.moved_to(pair, touch.early);
        let both = Pair::new(frame, pair, faces);
        // Back to the time from which on they were to be followed they were apart, too.
        let before = touch.early - time;
        let was_apart = |opening: Opening| match opening.gap > 0.0 {
            true => opening.back().closes() > before,
            false => opening.back().stays_open(before),
        };
        let openings = both.openings(touch.normal);
        let were_apart = match frame.is_plain {
            // All corners move alike.
            true => openings
                .into_iter()
                .min_by(|x, y| x.gap.total_cmp(&y.gap))
                .is_some_and(was_apart),
            false => openings.into_iter().all(was_apart),
        };
        if !were_apart {
            return false;
        }
        // What else there is of the faces is behind the plane at which they touch.
        alone.iter().all(|&(of, on)| {
            let (own, sign) = match of {
                0 => (&both.a, 1.0),
                _ => (&both.b, -1.0),
            };
            let raised = RAISED * own.size() + 64.0 * frame.slack;
            let (at, others): (u8, &[usize]) = match on {
                TriangleFeature::Vertex(k) => (k, &[1, 2]),
                TriangleFeature::Edge(k) => (k, &[2]),
                TriangleFeature::Face => return false,
            };
            others.iter().all(|k| {
                let at = usize::from(at);
                let other = own.corners[(at + k) % 3];
                sign * dot(touch.normal, minus(own.corners[at], other)) > raised
            })
        })
    })
}

/// What a triangle has.
const FEATURES: [TriangleFeature; 7] = [
    TriangleFeature::Vertex(0),
    TriangleFeature::Vertex(1),
    TriangleFeature::Vertex(2),
    TriangleFeature::Edge(0),
    TriangleFeature::Edge(1),
    TriangleFeature::Edge(2),
    TriangleFeature::Face,
];
