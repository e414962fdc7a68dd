//! Frame cache of the search: the relative frame and the box axes of the pair of bodies that was
//! tested last.
//!
//! Lower bounds start from a grid of reference times, so that many pairs of BVH nodes share one
//! frame.

use super::box_bound::BoxAxes;
use super::mover::Mover;
use super::relative_frame::RelativeFrame;
use super::search::{Search, SearchSettings};

impl Search {
    /// The cached relative frame of two bodies, moved to a time, for the narrow phase.
    pub(super) fn frame(
        &mut self,
        movers: &[Mover],
        bodies: [u32; 2],
        time: f64,
        settings: &SearchSettings,
    ) -> &mut RelativeFrame {
        let pair = bodies.map(|i| &movers[i as usize]);
        self.frame.take_if(|(of, _)| *of != bodies);
        if !matches!(&self.frame, Some((_, frame)) if frame.time == time) {
            self.counts.update += 2;
        }
        let new = || (bodies, RelativeFrame::new(pair, time, settings.separation));
        let frame = &mut self.frame.get_or_insert_with(new).1;
        frame.moved_to(pair, time);
        frame
    }

    /// The cached box axes of two bodies at the reference time for lower bounds from the time
    /// `from` on ([`reference_time`]).
    pub(super) fn box_axes(
        &mut self,
        movers: &[Mover],
        bodies: [u32; 2],
        from: f64,
        settings: &SearchSettings,
    ) -> &BoxAxes {
        let pair = bodies.map(|i| &movers[i as usize]);
        let time = reference_time(pair, from);
        let old = self
            .box_axes
            .take_if(|(of, box_axes)| *of != bodies || box_axes.frame.time != time);
        if self.box_axes.is_none() {
            self.counts.update += 2;
        }
        let new = || {
            let frame = match old {
                Some((of, box_axes)) if of == bodies => {
                    let mut frame = box_axes.frame;
                    frame.moved_to(pair, time);
                    frame
                }
                _ => RelativeFrame::new(pair, time, settings.separation),
            };
            (bodies, BoxAxes::new(frame))
        };
        &self.box_axes.get_or_insert_with(new).1
    }
}

/// The reference time of the cached frame for bounds from `time` on: shortly before `time` if
/// bodies rotate, so that many pairs of BVH nodes share one frame. It depends only on the bodies
/// and the time.
pub(super) fn reference_time([a, b]: [&Mover; 2], time: f64) -> f64 {
    let turning = a.turning.max(b.turning);
    if turning == 0.0 {
        return time;
    }
    // The largest power of two in which neither body rotates by more than 1/32.
    let grid = f64::from_bits((TURN / turning).to_bits() & EXPONENT);
    let reference = (time / grid).floor() * grid;
    match reference <= time {
        true => reference.max(a.since).max(b.since).min(time),
        false => time,
    }
}

/// Maximum angle, in radians, by which a body rotates between two consecutive reference times of
/// cached frames.
const TURN: f64 = 1.0 / 32.0;

/// Mask of the exponent bits of an `f64`, by which the interval of reference times is rounded down
/// to a power of two.
const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
