//! Before which times can parts of two bodies not touch? Eight of one body against one of the other, by the volumes of choice.
//!
//! Bodies are seen from a grid of times, so that many parts are seen from one of them. Faces are refined when they are first seen.

use std::ops::Range;

use super::ball_bound;
use super::box_bound::Slabs;
use super::face_bound::Refinement;
use super::relative_motion::{Frame, Mover};
use super::search::{Queue, Ways};
use crate::impact::hierarchy::Volume;
use crate::simd::LANES;

/// Parts of body `of` that are to be compared with one part of the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    bodies: [u32; 2],
    of: usize,
    parts: [u32; LANES],
    pub(super) count: usize,
    other: u32,
}

impl Opened {
    /// The first of several next to each other, eight at most, and where the others begin.
    #[inline]
    pub(super) fn first(
        bodies: [u32; 2],
        of: usize,
        parts: &Range<u32>,
        other: u32,
    ) -> (Self, Range<u32>) {
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

    pub(super) fn pair(&self, lane: usize) -> [u32; 2] {
        match self.of {
            0 => [self.parts[lane], self.other],
            _ => [self.other, self.parts[lane]],
        }
    }
}

impl Queue {
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
    pub(super) fn slabs(
        &mut self,
        movers: &[Mover],
        bodies: [u32; 2],
        from: f64,
        ways: &Ways,
    ) -> &Slabs {
        let pair = bodies.map(|i| &movers[i as usize]);
        let time = seen_from(pair, from);
        let old = self
            .slabs
            .take_if(|(of, slabs)| *of != bodies || slabs.frame.time != time);
        if self.slabs.is_none() {
            self.counts.update += 2;
        }
        let new = || {
            let frame = match old {
                Some((of, slabs)) if of == bodies => {
                    let mut frame = slabs.frame;
                    frame.moved_to(pair, time);
                    frame
                }
                _ => Frame::new(pair, time, ways.separation),
            };
            (bodies, Slabs::new(frame))
        };
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
            Volume::Ball => ball_bound::balls(frame, pair, parts),
        };
        later(frame.time, s, from)
    }

    /// The same of several parts of one body; whether they are faces that were refined.
    pub(super) fn times(
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
                    *time = ball_bound::balls(frame, pair, opened.pair(lane));
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
}

/// A time after that from which parts were seen, rounded down, and not before another.
#[inline]
pub(super) fn later(seen: f64, s: f64, from: f64) -> f64 {
    (seen + s * (1.0 - f64::EPSILON)).max(from)
}

/// Whether triangles are refined. Those that only translate are told by the directions of their boxes, and more, at once.
pub(super) fn is_refined(pair: [&Mover; 2], ways: &Ways) -> bool {
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
