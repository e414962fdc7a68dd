//! Block of candidates: the unit of parallel work of the narrow phase.
//!
//! A block owns its candidates, what is kept of each from update to update, and the contacts that it
//! found, so that blocks are independent of each other and a warm update allocates nothing.

use super::candidate::{Candidate, NO_CONTACT};
use super::history::Bond;
use super::identity::{Located, Matching};
use super::narrow_phase::{Scratch, rounded_half_space, rounded_rounded, sphere_sphere};
use super::pair_evaluation::{FoundContact, PairEvaluation};
use super::pair_frame::{PairFrame, between, in_world};
use super::pair_kind::PairKind;
use super::scene_contact::{Event, SceneContact, leading};
use super::shape::Element;
use crate::closest::Track;
use crate::contact::Contact;
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
    /// What is kept of candidates of tracked kinds ([`PairKind::is_tracked`]), in their order; no answer
    /// depends on it.
    pub tracks: Vec<Track>,
    /// For each track, the sum of the paths of both bodies below which they are apart by more than the
    /// margin.
    pub wake_ups: Vec<f64>,
    /// What the block found, where several threads work.
    pub found: BlockContacts,
    /// The number of contacts of all blocks before this one in the last update.
    pub first: usize,
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
    /// Candidates that are not shown to be apart without a query, and their tracks.
    awake: Vec<Awake>,
    found: Vec<FoundContact>,
    matching: Matching,
}

/// A candidate of a block, and its track if its kind is tracked.
#[derive(Clone, Copy, Debug, Default)]
struct Awake {
    candidate: u32,
    track: u32,
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
        let mut awake = std::mem::take(&mut scratch.awake);
        self.wake(update, &mut awake);
        let before = &update.before[self.first.min(update.before.len())..];
        self.first = found.contacts.len();
        let Self {
            candidates,
            tracks,
            wake_ups,
            first,
            ..
        } = self;
        let BlockContacts {
            contacts,
            ended,
            located,
            bonds,
        } = found;
        let margin = update.pairs.settings.margin;
        for (i, &Awake { candidate, track }) in awake.iter().enumerate() {
            if let Some(ahead) = awake.get(i + AHEAD) {
                update.prefetch(&candidates[ahead.candidate as usize]);
                prefetch(tracks, ahead.track as usize);
            }
            let candidate = &mut candidates[candidate as usize];
            let was_touching = candidate.is_touching();
            let at = (contacts.len() - *first) as u32;
            // Old contacts are cold in memory: few pairs need them.
            let last = |candidate: &Candidate| match was_touching {
                true => leading(
                    &before[candidate.first_contact as usize..],
                    update.key(candidate),
                ),
                false => &[],
            };
            let found = match candidate.kind {
                PairKind::SphereSphere => update.spheres(candidate),
                PairKind::RoundedRounded => {
                    let track = track as usize;
                    let kept = (&mut tracks[track], &mut wake_ups[track]);
                    update.rounded(candidate, kept, scratch)
                }
                PairKind::SphereHalfSpace | PairKind::RoundedHalfSpace => {
                    update.half_space(candidate)
                }
                PairKind::Many => {
                    let wakes_at = &mut wake_ups[track as usize];
                    let out = [&mut *contacts, &mut *ended];
                    let last = last(candidate);
                    update.many(candidate, wakes_at, last, scratch, out, (located, bonds));
                    candidate.first_contact = match contacts.len() - *first == at as usize {
                        true => NO_CONTACT,
                        false => at,
                    };
                    continue;
                }
            };
            match found.filter(|contact| contact.is_within(margin)) {
                Some(contact) => {
                    let event = match was_touching {
                        true => Event::Persists,
                        false => Event::Began,
                    };
                    candidate.first_contact = at;
                    contacts.push(update.record(candidate, contact, event));
                }
                None => {
                    let last = last(candidate).iter();
                    ended.extend(last.map(SceneContact::as_ended));
                    candidate.first_contact = NO_CONTACT;
                }
            }
        }
        scratch.awake = awake;
    }

    /// Lists the candidates that may have contacts now, or had some: spheres that touch, and tracked
    /// pairs whose bodies have moved far enough since their last query.
    fn wake(&self, update: &Update<'_>, awake: &mut Vec<Awake>) {
        let bodies = update.pairs.bodies;
        let candidates = &self.candidates;
        // Whether spheres touch is hard to predict, so that there is no branch for it: every candidate
        // is written, and those that sleep are overwritten.
        awake.resize(candidates.len(), Awake::default());
        let (mut track, mut count) = (0, 0);
        for (i, candidate) in candidates.iter().enumerate() {
            // The bodies of lower id follow each other, their partners lie anywhere.
            if let Some(ahead) = candidates.get(i + AHEAD) {
                let slot = ahead.slots[1] as usize;
                match ahead.kind {
                    PairKind::SphereSphere => prefetch(&bodies.balls, slot),
                    _ => prefetch(&bodies.paths, slot),
                }
            }
            let is_awake = match candidate.kind {
                PairKind::SphereSphere => candidate.is_touching() | update.may_touch(candidate),
                kind if kind.is_tracked() => {
                    let [a, b] = candidate.slots.map(|slot| bodies.paths[slot as usize]);
                    a + b >= self.wake_ups[track]
                }
                _ => true,
            };
            awake[count] = Awake {
                candidate: i as u32,
                track: track as u32,
            };
            count += usize::from(is_awake);
            track += usize::from(candidate.kind.is_tracked());
        }
        awake.truncate(count);
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

    /// Fetches what the query of a candidate reads into the cache.
    #[inline(always)]
    fn prefetch(&self, candidate: &Candidate) {
        let (slot, bodies) = (candidate.slots[1] as usize, self.pairs.bodies);
        prefetch(&bodies.ids, slot);
        if candidate.kind != PairKind::SphereSphere {
            prefetch(&bodies.shapes, slot);
            bodies.prefetch_pose(slot);
        }
    }

    /// The centre of the first of two spheres, the way from it to that of the second, and their radii.
    #[inline(always)]
    fn two_balls(&self, candidate: &Candidate) -> ([f64; 3], [f64; 3], [f64; 2]) {
        let [a, b] = candidate
            .slots
            .map(|slot| self.pairs.bodies.balls[slot as usize]);
        let [center_a, center_b] = [a, b].map(|ball| [ball[0], ball[1], ball[2]]);
        let way = between(center_a, center_b, self.pairs.settings, candidate);
        (center_a, way, [a[3], b[3]])
    }

    /// Whether two spheres may be within the margin, by a comparison of squares.
    #[inline(always)]
    fn may_touch(&self, candidate: &Candidate) -> bool {
        let (_, way, [a, b]) = self.two_balls(candidate);
        let squared = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
        let reach = (a + b + self.pairs.settings.margin) * SLACK;
        // Squares that overflow or underflow are left to the closed form.
        (squared <= reach * reach) | (squared >= 1e300) | (reach <= 1e-140)
    }

    /// The contact of two spheres.
    #[inline(always)]
    fn spheres(&self, candidate: &Candidate) -> Option<Contact> {
        let (center, way, radii) = self.two_balls(candidate);
        let contact = sphere_sphere::contact([[0.0; 3], way], radii);
        Some(in_world(center, &contact))
    }

    /// The contact of two rounded solids, tracked.
    fn rounded(
        &self,
        candidate: &Candidate,
        (track, wakes_at): (&mut Track, &mut f64),
        scratch: &mut BlockScratch,
    ) -> Option<Contact> {
        let PairEvaluation { bodies, settings } = self.pairs;
        let [a, b] = candidate.slots.map(|slot| slot as usize);
        let path = bodies.paths[a] + bodies.paths[b];
        let elements = [a, b].map(|slot| bodies.shapes[slot].only_element());
        let [Some(Element::Rounded(x)), Some(Element::Rounded(y))] = elements else {
            return None;
        };
        let frame = PairFrame::new(bodies, settings, candidate);
        let tracker = &mut scratch.narrow_phase.tracker;
        let cores = tracker.contact_on(track, (x.core(), &frame.pose_a), (y.core(), &frame.pose_b));
        let contact = rounded_rounded::moved_out(cores, [x.radius(), y.radius()]);
        *wakes_at = wake_up(path, contact.lower - settings.margin);
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
        candidate: &Candidate,
        wakes_at: &mut f64,
        before: &[SceneContact],
        scratch: &mut BlockScratch,
        [contacts, ended]: [&mut Vec<SceneContact>; 2],
        (located, bonds): (&mut Vec<Located>, &mut Vec<Bond>),
    ) {
        let PairEvaluation { bodies, settings } = self.pairs;
        let BlockScratch {
            narrow_phase,
            found,
            matching,
            ..
        } = scratch;
        let [a, b] = candidate.slots.map(|slot| bodies.paths[slot as usize]);
        found.clear();
        self.pairs.contacts(candidate, narrow_phase, found);
        *wakes_at = wake_up(a + b, narrow_phase.apart - settings.margin);
        let key = self.key(candidate);
        let places = match before.is_empty() {
            true => &self.located[..0],
            false => &self.located[super::identity::places_of(self.located, key)],
        };
        let extents = candidate
            .slots
            .map(|slot| bodies.shapes[slot as usize].extent());
        let size = extents[0].min(extents[1]);
        let shapes = candidate.slots.map(|slot| &bodies.shapes[slot as usize]);
        let mesh = |parts: [u32; 2]| {
            (0..2).find_map(|side| {
                let part = &shapes[side].parts()[parts[side] as usize];
                part.element.mesh().map(|mesh| (side, mesh))
            })
        };
        matching.assign(
            (key, size),
            found,
            (before, places),
            [contacts, ended],
            located,
            mesh,
        );
        if settings.history > 0 && !before.is_empty() {
            matching.bonds((key, size), found, (before, places), bonds, mesh);
        }
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
