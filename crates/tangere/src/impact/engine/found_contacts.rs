//! Contacts found by a search; duplicates at a shared feature are merged.

use super::contact_geometry::Touch;
use super::gap_bound::GapBound;
use super::mover::Mover;
use super::priority_queue::Entry;
use super::relative_frame::RelativeFrame;
use super::triangle_pair::TrianglePair;
use crate::geometry::TriangleFeature;
use crate::geometry::vector::{dot, minus};

/// A contact of two faces found by a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundContact {
    /// The entry of the priority queue whose two leaves are the faces in contact.
    pub(super) entry: Entry,
    pub(super) touch: Touch,
    pub(super) faces: [u32; 2],
}

impl FoundContact {
    /// End of the time interval of a found contact: the upper bound of its time of impact or, if
    /// that is infinite, slightly more than the lower bound. Other contacts up to this time may be
    /// as early as this one.
    pub(super) fn until(&self) -> f64 {
        let touch = &self.touch;
        match touch.late < f64::INFINITY {
            true => touch.late,
            false => touch.early + 8.0 * f64::EPSILON * touch.early.abs(),
        }
    }

    /// The time up to which contacts simultaneous with this found contact are searched: the
    /// interval from `early` to [`Self::until`] is doubled, since the contact of neighbouring faces
    /// at a shared feature may have slightly later bounds.
    pub(super) fn search_until(&self) -> f64 {
        self.until() + (self.until() - self.touch.early)
    }
}

/// The contacts found by a search.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundContacts {
    pub(super) contacts: Vec<FoundContact>,
    /// The queue entries of pairs of faces whose contact is a duplicate of one in `contacts`.
    pub(super) duplicates: Vec<Entry>,
}

impl FoundContacts {
    /// The queue entries of all found contacts and their duplicates.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        let of_contacts = self.contacts.iter().map(|found| found.entry);
        of_contacts.chain(self.duplicates.iter().copied())
    }

    /// The time up to which contacts may be simultaneous with the first found contact; `None` if
    /// there are no contacts.
    pub(super) fn until(&self) -> Option<f64> {
        self.contacts
            .iter()
            .map(FoundContact::search_until)
            .reduce(f64::min)
    }

    /// Whether rounding hides the first contact found, so that there may be none.
    pub(super) fn is_hidden(&self) -> bool {
        let first = self.early();
        let is_first = |found: &&FoundContact| found.touch.early == first;
        let mut contacts = self.contacts.iter().filter(is_first);
        contacts.any(|found| found.touch.is_hidden)
    }

    /// The earliest lower bound of the time of impact of the contacts found so far.
    pub(super) fn early(&self) -> f64 {
        let early = self.contacts.iter().map(|found| found.touch.early);
        early.fold(f64::INFINITY, f64::min)
    }
}

/// To find duplicates, a new contact is compared only with this many of the contacts found last.
/// Dense crowds of bodies that overlap have millions of contacts.
const RECENT: usize = 32;

/// A contact at a corner or an edge that neighbouring faces share is a duplicate only if the
/// remaining corners of the face are behind the contact plane by more than this fraction of the
/// size of the face. Then the face touches nowhere else.
const RAISED: f64 = 1e-6;

/// Whether the contact of two faces would be a duplicate of one in `contacts`, found for faces that
/// neighbour these two. It is a duplicate if the found contact is at a corner of one of the two
/// faces, or where an edge of one crosses an edge of the other, and the faces touch nowhere else.
pub(super) fn is_duplicate(
    frame: &mut RelativeFrame,
    pair: [&Mover; 2],
    entry: &Entry,
    faces: [u32; 2],
    time: f64,
    contacts: &[FoundContact],
) -> bool {
    // Contacts of finite element faces are not merged, and balls have no corners.
    let is_reported_singly =
        |m: &&Mover| m.body.shape.inner.elements.is_some() || m.body.shape.radius() > 0.0;
    if pair.iter().any(is_reported_singly) {
        return false;
    }
    contacts.iter().rev().take(RECENT).any(|found| {
        let touch = &found.touch;
        if found.entry.bodies != entry.bodies || touch.late == f64::INFINITY || touch.overlaps {
            return false;
        }
        // Of duplicates the pair with the lowest indices is kept, in whichever order they were
        // found.
        if found.entry.parts > entry.parts {
            return false;
        }
        let features = [touch.on_a, touch.on_b];
        // The touching feature as a feature of each face.
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
        // The faces were separated since the time at which the narrow phase would begin.
        let before = touch.early - time;
        let was_apart = |bound: GapBound| match bound.gap > 0.0 {
            true => bound.back().closing_time() > before,
            false => bound.back().stays_open(before),
        };
        let gap_bounds = both.gap_bounds(touch.normal);
        let were_apart = match frame.is_translating {
            // All corners have the same velocity.
            true => gap_bounds
                .into_iter()
                .min_by(|x, y| x.gap.total_cmp(&y.gap))
                .is_some_and(was_apart),
            false => gap_bounds.into_iter().all(was_apart),
        };
        if !were_apart {
            return false;
        }
        // The rest of each face lies behind the contact plane.
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

/// All features of a triangle.
const FEATURES: [TriangleFeature; 7] = [
    TriangleFeature::Vertex(0),
    TriangleFeature::Vertex(1),
    TriangleFeature::Vertex(2),
    TriangleFeature::Edge(0),
    TriangleFeature::Edge(1),
    TriangleFeature::Edge(2),
    TriangleFeature::Face,
];
