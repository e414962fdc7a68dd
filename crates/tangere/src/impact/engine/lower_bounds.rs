//! Lower bounds of the time of impact of two BVH nodes, or of eight nodes of one body with one of
//! the other.
//!
//! Nodes are bounded by boxes or balls, pairs of faces also by tighter volumes.

use std::ops::Range;

use super::ball_bound;
use super::face_bound::Refinement;
use super::mover::Mover;
use super::search::{Search, SearchSettings};
use crate::impact::hierarchy::Volume;
use crate::simd::LANES;

/// A batch of up to eight BVH nodes of body `bodies[of]`, to be tested against node `other` of the
/// other body of the pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct BvhNodeBatch {
    bodies: [u32; 2],
    of: usize,
    parts: [u32; LANES],
    pub(super) count: usize,
    other: u32,
}

impl BvhNodeBatch {
    /// A batch of the first BVH nodes, up to eight, of the range `parts`, and the rest of that
    /// range. Lower bounds are computed for a batch at once.
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
            // Unused lanes repeat the last node.
            *part += lane.min(count - 1) as u32;
        }
        let batch = BvhNodeBatch {
            bodies,
            of,
            parts: lanes,
            count,
            other,
        };
        (batch, parts.start + count as u32..parts.end)
    }

    /// The pair of BVH nodes in a lane of a batch of lower bounds.
    pub(super) fn pair(&self, lane: usize) -> [u32; 2] {
        match self.of {
            0 => [self.parts[lane], self.other],
            _ => [self.other, self.parts[lane]],
        }
    }
}

impl Search {
    /// Lower bound of the time of impact of two BVH nodes, at least `from`.
    pub(super) fn lower_bound(
        &mut self,
        movers: &[Mover],
        bodies: [u32; 2],
        parts: [u32; 2],
        from: f64,
        settings: &SearchSettings,
    ) -> f64 {
        self.counts.volume += 1;
        let pair = bodies.map(|i| &movers[i as usize]);
        let box_axes = self.box_axes(movers, bodies, from, settings);
        let frame = &box_axes.frame;
        if frame.is_beyond() {
            return f64::INFINITY;
        }
        let s = match settings.volume {
            Volume::Box => box_axes.pair_separated_for(pair, parts),
            Volume::Ball => ball_bound::separated_for(frame, pair, parts),
        };
        later(frame.time, s, from)
    }

    /// Lower bounds of the time of impact of a batch of BVH nodes, each at least `from`. Also
    /// returns whether all nodes are leaves and the tighter volumes of their faces were compared.
    pub(super) fn lower_bounds(
        &mut self,
        movers: &[Mover],
        batch: &BvhNodeBatch,
        from: f64,
        settings: &SearchSettings,
    ) -> ([f64; LANES], bool) {
        self.counts.volume += batch.count as u64;
        let BvhNodeBatch { of, count, .. } = *batch;
        let pair = batch.bodies.map(|i| &movers[i as usize]);
        let box_axes = self.box_axes(movers, batch.bodies, from, settings);
        let frame = &box_axes.frame;
        if frame.is_beyond() {
            return ([f64::INFINITY; LANES], false);
        }
        let mut times = match settings.volume {
            Volume::Box => box_axes.separated_for(pair, of, batch.parts, batch.other),
            Volume::Ball => {
                let mut times = [0.0; LANES];
                for (lane, time) in times.iter_mut().enumerate().take(count) {
                    *time = ball_bound::separated_for(frame, pair, batch.pair(lane));
                }
                times
            }
        };
        let parts = [of, 1 - of].map(|i| &pair[i].body.shape.inner.parts);
        let are_faces = parts[1][batch.other as usize].is_leaf()
            && (batch.parts.iter()).all(|&i| parts[0][i as usize].is_leaf());
        let are_refined = are_faces && is_refined(pair, settings);
        if are_refined {
            let mut faces = batch.parts;
            for face in &mut faces {
                *face = parts[0][*face as usize].first;
            }
            let other = parts[1][batch.other as usize].first;
            let tighter = settings
                .refinement
                .separated_for(frame, pair, of, faces, other);
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

/// The lower bound that is a time `s` after the reference time, rounded down, and at least `from`.
#[inline]
pub(super) fn later(reference: f64, s: f64, from: f64) -> f64 {
    (reference + s * (1.0 - f64::EPSILON)).max(from)
}

/// Whether lower bounds of two bodies compare the tighter volumes of single triangles. They do not
/// for bodies that only translate, which gain nothing, nor for two balls, nor for finite element
/// faces, which have volumes of their own.
pub(super) fn is_refined(pair: [&Mover; 2], settings: &SearchSettings) -> bool {
    let are_balls = pair.iter().all(|m| m.body.shape.radius() > 0.0);
    let are_plain = pair.iter().all(|m| m.is_translating());
    let are_elements = pair.iter().any(|m| m.body.shape.inner.elements.is_some());
    settings.refinement != Refinement::None && !are_balls && !are_plain && !are_elements
}
