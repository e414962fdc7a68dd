//! Narrow phase of two BVH leaves of which at least one has a curved face.

use super::super::conservative_advancement::Outcome;
use super::super::face_bound::Refinement;
use super::super::found_contacts::FoundContacts;
use super::super::frame_cache::reference_time;
use super::super::lower_bounds::later;
use super::super::mover::Mover;
use super::super::priority_queue::Entry;
use super::super::search::{Search, SearchSettings};
use super::face_bound::separated_for;
use super::subdivision::first_contact;

impl Search {
    /// Narrow phase of two BVH leaves of which at least one has a curved face, from `time` on,
    /// which is not before `now`.
    ///
    /// If the contact found is after the limit, the leaves go back to the queue with the time of
    /// that contact. When they are removed from the queue, the search is repeated from the same
    /// start time as before, so that results do not depend on earlier queries.
    #[allow(clippy::too_many_arguments)]
    pub(in super::super) fn narrow_phase_curved(
        &mut self,
        movers: &[Mover],
        entry: Entry,
        faces: [u32; 2],
        [time, now]: [f64; 2],
        limit: &mut f64,
        settings: &SearchSettings,
        found: &mut FoundContacts,
    ) {
        let pair = entry.bodies.map(|i| &movers[i as usize]);
        if are_neighbors(pair, faces) {
            return;
        }
        if !entry.refined && settings.refinement != Refinement::None {
            let seen = reference_time(pair, time);
            let frame = self.frame(movers, entry.bodies, seen, settings);
            if frame.is_beyond() {
                return;
            }
            let s = separated_for(settings.refinement, frame, pair, faces);
            if self.postpone(entry, time, later(seen, s, time)) {
                return;
            }
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let key = [entry.bodies, entry.parts];
        let begin = match scratch.begins.get(&key) {
            Some(begin) if entry.refined => begin.max(now),
            _ => time,
        };
        let mut count = 0;
        let frame = self.frame(movers, entry.bodies, begin, settings);
        let (answer, from) = match frame.is_beyond() {
            true => (Outcome::Later(f64::INFINITY), begin),
            false => {
                let from_start = begin == now;
                let scratch = &mut scratch;
                first_contact(frame, pair, faces, *limit, from_start, scratch, &mut count)
            }
        };
        // A search that continues from its own time needs no stored start.
        match answer {
            Outcome::Later(time) if from >= time || time == f64::INFINITY => {
                scratch.begins.remove(&key)
            }
            _ => scratch.begins.insert(key, from),
        };
        self.scratch = scratch;
        self.counts.primitive += count;
        self.record(entry, faces, answer, limit, found);
    }
}

/// Whether two faces are of one body and share a node; the narrow phase of curved faces skips them.
fn are_neighbors(movers: [&Mover; 2], faces: [u32; 2]) -> bool {
    let elements = movers[0].body.shape.inner.elements.as_ref();
    std::ptr::eq(movers[0], movers[1]) && elements.is_some_and(|e| e.are_neighbors(faces))
}
