//! What a search has found: touches of faces, and those that touch where others do.

use super::conservative_advancement::TrianglePair;
use super::contact_geometry::Touch;
use super::gap_bound::GapBound;
use super::priority_queue::Entry;
use super::relative_motion::{Mover, RelativeFrame};
use crate::geometry::TriangleFeature;
use crate::geometry::vector::{dot, minus};

/// A touch of two faces of bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundContact {
    /// As it was in the queue.
    pub(super) entry: Entry,
    pub(super) touch: Touch,
    pub(super) faces: [u32; 2],
}

impl FoundContact {
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
    pub(super) fn search_until(&self) -> f64 {
        self.until() + (self.until() - self.touch.early)
    }
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundContacts {
    pub(super) touches: Vec<FoundContact>,
    /// What touches where another pair was found to touch already.
    pub(super) duplicates: Vec<Entry>,
}

impl FoundContacts {
    /// All that was in the queue for them.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        let of_touches = self.touches.iter().map(|found| found.entry);
        of_touches.chain(self.duplicates.iter().copied())
    }

    /// Contacts up to this time may be the first one, if there is any.
    pub(super) fn until(&self) -> Option<f64> {
        self.touches
            .iter()
            .map(FoundContact::search_until)
            .reduce(f64::min)
    }

    /// The first of all times.
    pub(super) fn early(&self) -> f64 {
        let early = self.touches.iter().map(|found| found.touch.early);
        early.fold(f64::INFINITY, f64::min)
    }
}

/// So many touches that were found last are compared: of crowds that overlap there are millions.
const RECENT: usize = 32;

/// How far the other corners of a face must be above the plane at which one of them touches, relative to its size, for it
/// to touch nowhere else.
const RAISED: f64 = 1e-6;

/// Whether two faces touch just where others were found to: at a corner that both of them have, or where two edges cross.
pub(super) fn is_duplicate(
    frame: &mut RelativeFrame,
    pair: [&Mover; 2],
    entry: &Entry,
    faces: [u32; 2],
    time: f64,
    touches: &[FoundContact],
) -> bool {
    // Finite element faces are told one by one, and balls have no corners.
    let is_reported_singly =
        |m: &&Mover| m.body.shape.inner.elements.is_some() || m.body.shape.radius() > 0.0;
    if pair.iter().any(is_reported_singly) {
        return false;
    }
    touches.iter().rev().take(RECENT).any(|found| {
        let touch = &found.touch;
        if found.entry.bodies != entry.bodies || touch.late == f64::INFINITY || touch.overlaps {
            return false;
        }
        // Of all that touch there the first one is told, whichever was found first.
        if found.entry.parts > entry.parts {
            return false;
        }
        let features = [touch.on_a, touch.on_b];
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
        let both = TrianglePair::new(frame, pair, faces);
        // Back to the time from which on they were to be followed they were apart, too.
        let before = touch.early - time;
        let was_apart = |bound: GapBound| match bound.gap > 0.0 {
            true => bound.back().closing_time() > before,
            false => bound.back().stays_open(before),
        };
        let gap_bounds = both.gap_bounds(touch.normal);
        let were_apart = match frame.is_plain {
            // All corners move alike.
            true => gap_bounds
                .into_iter()
                .min_by(|x, y| x.gap.total_cmp(&y.gap))
                .is_some_and(was_apart),
            false => gap_bounds.into_iter().all(was_apart),
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
