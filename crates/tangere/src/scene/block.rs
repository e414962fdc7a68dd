//! Block of candidates: the unit of parallel work of the narrow phase.
//!
//! A block owns its candidates, what is kept of each from update to update, and the contacts that it
//! found, so that blocks are independent of each other and a warm update allocates nothing.

use super::candidate::Candidate;
use super::history::Bond;
use super::identity::{Located, Matching};
use super::narrow_phase::{Scratch, rounded_half_space, rounded_rounded, sphere_sphere};
use super::pair_evaluation::{FoundContact, PairEvaluation};
use super::pair_frame::{PairFrame, between, in_world};
use super::pair_kind::PairKind;
use super::scene_contact::{Event, SceneContact, range_of};
use super::shape::Element;
use crate::closest::Track;
use crate::contact::{Contact, Feature, FeatureKind};
use crate::simd::prefetch;
use rayon::prelude::*;

/// The number of candidates of a block.
pub(super) const BLOCK: usize = 512;

/// How many candidates ahead the bodies are fetched into the cache.
const AHEAD: usize = 16;

/// The number of contacts that a parallel task copies.
const COPIED_AT_ONCE: usize = 2048;

/// Candidates and their contacts.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub candidates: Vec<Candidate>,
    /// What is kept of candidates of tracked kinds ([`PairKind::is_tracked`]), in their order.
    pub tracks: Vec<TrackedPair>,
    /// What the block found, where several threads work.
    pub found: BlockContacts,
    /// The number of contacts of all blocks before this one.
    pub first: usize,
}

/// What is kept of a tracked pair from update to update; no answer depends on it.
#[derive(Clone, Debug, Default)]
pub(super) struct TrackedPair {
    pub track: Track,
    /// The pair is apart by more than the margin while the sum of the paths of its bodies is below.
    pub wakes_at: f64,
}

/// The contacts of blocks in an update.
#[derive(Debug, Default)]
pub(super) struct BlockContacts {
    /// The contacts, in the order of pair and slot.
    pub contacts: Vec<SceneContact>,
    /// The contacts that ended.
    pub ended: Vec<SceneContact>,
    /// For each contact of the kind [`PairKind::Many`], its place on `a`.
    pub located: Vec<Located>,
    /// Where the histories of contacts of the kind [`PairKind::Many`] go.
    pub bonds: Vec<Bond>,
}

impl BlockContacts {
    pub fn clear(&mut self) {
        self.contacts.clear();
        self.ended.clear();
        self.located.clear();
        self.bonds.clear();
    }

    /// Joins what all blocks found, in their order, in place of what was here.
    pub fn join(&mut self, blocks: &mut [Block]) {
        let mut all = 0;
        for block in &mut *blocks {
            block.first = all;
            all += block.found.contacts.len();
        }
        let blocks = &*blocks;
        let found = || blocks.iter().map(|block| &block.found);
        // Old contacts are overwritten rather than cleared, so that new ones are written only once.
        match found().find_map(|found| found.contacts.first()) {
            Some(any) => self.contacts.resize(all, *any),
            None => self.contacts.clear(),
        }
        let parts = self.contacts.par_chunks_mut(COPIED_AT_ONCE).enumerate();
        parts.for_each(|(part, mut rest)| {
            let mut at = part * COPIED_AT_ONCE;
            // The last block that begins there or before has the first contact.
            let first = blocks.partition_point(|block| block.first <= at) - 1;
            for block in &blocks[first..] {
                let own = &block.found.contacts[at - block.first..];
                let count = own.len().min(rest.len());
                let (here, after) = rest.split_at_mut(count);
                here.copy_from_slice(&own[..count]);
                (rest, at) = (after, at + count);
                if rest.is_empty() {
                    break;
                }
            }
        });
        self.ended.clear();
        self.located.clear();
        self.bonds.clear();
        for found in found() {
            self.ended.extend_from_slice(&found.ended);
            self.located.extend_from_slice(&found.located);
            self.bonds.extend_from_slice(&found.bonds);
        }
    }
}

/// What the contacts of a block depend on.
#[derive(Clone, Copy)]
pub(super) struct Update<'a> {
    pub pairs: PairEvaluation<'a>,
    /// The contacts of the update before, sorted.
    pub before: &'a [SceneContact],
    pub located: &'a [Located],
}

/// Memory of a thread for the contacts of pairs, which no answer depends on.
#[derive(Debug, Default)]
pub(super) struct BlockScratch {
    pub narrow_phase: Scratch,
    found: Vec<FoundContact>,
    matching: Matching,
}

impl Block {
    /// Finds the contacts of all candidates and keeps them in the block.
    pub fn update_own(&mut self, update: &Update<'_>, scratch: &mut BlockScratch) {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        self.update(update, scratch, &mut found);
        self.found = found;
    }

    /// Finds the contacts of all candidates and appends them.
    pub fn update(
        &mut self,
        update: &Update<'_>,
        scratch: &mut BlockScratch,
        found: &mut BlockContacts,
    ) {
        let Self {
            candidates, tracks, ..
        } = self;
        let BlockContacts {
            contacts,
            ended,
            located,
            bonds,
        } = found;
        let mut tracks = tracks.iter_mut();
        let margin = update.pairs.settings.margin;
        let count = candidates.len();
        for i in 0..count {
            // The bodies of lower id follow each other, their partners lie anywhere.
            let ahead = &candidates[(i + AHEAD).min(count - 1)];
            let (slot, bodies) = (ahead.slots[1] as usize, update.pairs.bodies);
            match ahead.kind {
                PairKind::SphereSphere => prefetch(&bodies.balls, slot),
                _ => prefetch(&bodies.poses, slot),
            }
            let candidate = &mut candidates[i];
            let found = match candidate.kind {
                PairKind::SphereSphere => update.spheres(candidate),
                PairKind::RoundedRounded => tracks
                    .next()
                    .and_then(|pair| update.rounded(candidate, pair, scratch)),
                PairKind::SphereHalfSpace | PairKind::RoundedHalfSpace => {
                    update.half_space(candidate)
                }
                PairKind::Many => {
                    let pair = tracks.next();
                    let out = (&mut *located, &mut *bonds);
                    update.many(candidate, pair, scratch, [&mut *contacts, &mut *ended], out);
                    continue;
                }
            };
            match found.filter(|contact| contact.gap <= margin) {
                Some(contact) => {
                    let event = match candidate.is_touching {
                        true => Event::Persists,
                        false => Event::Began,
                    };
                    candidate.is_touching = true;
                    contacts.push(update.record(candidate, contact, event));
                }
                None if candidate.is_touching => {
                    candidate.is_touching = false;
                    let range = range_of(update.before, update.key(candidate));
                    ended.extend(update.before[range].iter().map(SceneContact::as_ended));
                }
                None => {}
            }
        }
    }
}

impl Update<'_> {
    fn key(&self, candidate: &Candidate) -> super::scene_contact::PairKey {
        let [a, b] = candidate
            .slots
            .map(|slot| self.pairs.bodies.ids[slot as usize]);
        (a, b, candidate.image)
    }

    /// The record of the only contact of a pair.
    #[inline(always)]
    fn record(&self, candidate: &Candidate, contact: Contact, event: Event) -> SceneContact {
        let (a, b, image) = self.key(candidate);
        SceneContact {
            a,
            b,
            image,
            slot: 0,
            parts: [0; 2],
            contact,
            event,
        }
    }

    /// The contact of two spheres; `None` where a comparison of squares shows that they are apart by
    /// more than the margin.
    #[inline(always)]
    fn spheres(&self, candidate: &Candidate) -> Option<Contact> {
        let [a, b] = candidate
            .slots
            .map(|slot| self.pairs.bodies.balls[slot as usize]);
        let [center_a, center_b] = [a, b].map(|ball| [ball[0], ball[1], ball[2]]);
        let way = between(center_a, center_b, self.pairs.settings, candidate);
        let squared = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
        let reach = (a[3] + b[3] + self.pairs.settings.margin) * SLACK;
        // Squares that overflow or underflow are left to the closed form.
        if squared > reach * reach && squared < 1e300 && reach > 1e-140 {
            return None;
        }
        let contact = sphere_sphere::contact([[0.0; 3], way], [a[3], b[3]]);
        Some(in_world(center_a, &contact))
    }

    /// The contact of two rounded solids, tracked; `None` where bodies have not moved far enough since
    /// the last query to come within the margin.
    fn rounded(
        &self,
        candidate: &Candidate,
        pair: &mut TrackedPair,
        scratch: &mut BlockScratch,
    ) -> Option<Contact> {
        let PairEvaluation { bodies, settings } = self.pairs;
        let [a, b] = candidate.slots.map(|slot| slot as usize);
        let path = bodies.paths[a] + bodies.paths[b];
        if path < pair.wakes_at {
            return None;
        }
        let elements = [a, b].map(|slot| bodies.shapes[slot].only_element());
        let [Some(Element::Rounded(x)), Some(Element::Rounded(y))] = elements else {
            return None;
        };
        let frame = PairFrame::new(bodies, settings, candidate);
        let tracker = &mut scratch.narrow_phase.tracker;
        let cores = tracker.contact_on(
            &mut pair.track,
            (x.core(), &frame.pose_a),
            (y.core(), &frame.pose_b),
        );
        let contact = rounded_rounded::moved_out(cores, [x.radius(), y.radius()]);
        pair.wakes_at = wake_up(path, contact.lower - settings.margin);
        Some(frame.in_world(&contact))
    }

    /// The contact of a rounded solid and a half-space.
    fn half_space(&self, candidate: &Candidate) -> Option<Contact> {
        let PairEvaluation { bodies, settings } = self.pairs;
        let elements = candidate
            .slots
            .map(|slot| bodies.shapes[slot as usize].only_element());
        let frame = PairFrame::new(bodies, settings, candidate);
        let (a, b) = (&frame.pose_a, &frame.pose_b);
        let contact = match elements {
            [Some(Element::Rounded(x)), Some(Element::HalfSpace(normal))] => {
                rounded_half_space::contact((x, a), (*normal, b))
            }
            [Some(Element::HalfSpace(normal)), Some(Element::Rounded(x))] => {
                rounded_half_space::contact((x, b), (*normal, a)).mirrored()
            }
            _ => return None,
        };
        Some(frame.in_world(&contact))
    }

    /// The contacts of a pair of which a body is a mesh or a compound.
    fn many(
        &self,
        candidate: &mut Candidate,
        pair: Option<&mut TrackedPair>,
        scratch: &mut BlockScratch,
        [contacts, ended]: [&mut Vec<SceneContact>; 2],
        (located, bonds): (&mut Vec<Located>, &mut Vec<Bond>),
    ) {
        let PairEvaluation { bodies, settings } = self.pairs;
        let BlockScratch {
            narrow_phase,
            found,
            matching,
        } = scratch;
        let [a, b] = candidate.slots.map(|slot| bodies.paths[slot as usize]);
        let path = a + b;
        if pair.as_ref().is_some_and(|pair| path < pair.wakes_at) {
            return;
        }
        found.clear();
        self.pairs.contacts(candidate, narrow_phase, found);
        if let Some(pair) = pair {
            pair.wakes_at = wake_up(path, narrow_phase.apart - settings.margin);
        }
        let key = self.key(candidate);
        let (before, places) = match candidate.is_touching {
            true => (
                &self.before[range_of(self.before, key)],
                &self.located[super::identity::places_of(self.located, key)],
            ),
            false => (&self.before[..0], &self.located[..0]),
        };
        let extents = candidate
            .slots
            .map(|slot| bodies.shapes[slot as usize].extent());
        let size = extents[0].min(extents[1]);
        let shapes = candidate.slots.map(|slot| &bodies.shapes[slot as usize]);
        let facet = |parts: [u32; 2], features: [Feature; 2]| {
            (0..2).find_map(|side| {
                let part = &shapes[side].parts()[parts[side] as usize];
                match (&part.element, features[side].kind) {
                    (Element::Mesh(mesh), FeatureKind::Face) => {
                        Some(mesh.facet(features[side].index))
                    }
                    _ => None,
                }
            })
        };
        matching.assign(
            (key, size),
            found,
            (before, places),
            [contacts, ended],
            located,
            facet,
        );
        if settings.history > 0 && !before.is_empty() {
            matching.bonds((key, size), found, (before, places), bonds);
        }
        candidate.is_touching = !found.is_empty();
    }
}

/// The sum of the paths of two bodies up to which they cannot come within the margin. `path` is the
/// sum now, `apart` is by how much their gap exceeds the margin, at least.
fn wake_up(path: f64, apart: f64) -> f64 {
    match apart > 0.0 {
        // Downward, so that the sum stays a bound.
        true => (path + apart * (1.0 - 1e-12)).next_down(),
        false => f64::NEG_INFINITY,
    }
}

/// A factor above the rounding of squares and square roots.
const SLACK: f64 = 1.0 + 1e-12;
