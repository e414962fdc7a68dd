//! What candidates of a new list take over from the last one: tracks of tracked pairs, and whether a
//! pair has contacts.
//!
//! Both lists are sorted by ids and image, so one pass over both finds the common pairs.

use super::BodyId;
use super::block::{BLOCK, Block};
use super::bodies::Bodies;
use super::candidate::Candidate;
use super::scene_contact::{PairKey, SceneContact};
use crate::closest::{Track, Tracker};

/// Memory for the transfer.
#[derive(Debug, Default)]
pub(super) struct CarryOver {
    /// The ids by slot that the candidates of the blocks refer to.
    ids: Vec<BodyId>,
    /// The track of each tracked pair, and when it wakes up.
    tracks: Vec<(PairKey, Track, f64)>,
}

impl CarryOver {
    /// Fills blocks with a new list of candidates. `contacts` are those of the last update; those whose
    /// pair is no candidate are appended to `ended`.
    pub fn refill(
        &mut self,
        (bodies, list): (&Bodies, &[Candidate]),
        contacts: &[SceneContact],
        blocks: &mut Vec<Block>,
        ended: &mut Vec<SceneContact>,
        tracker: &mut Tracker,
    ) {
        self.take_tracks(blocks);
        blocks.resize_with(list.len().div_ceil(BLOCK), Block::default);
        let mut tracks = self.tracks.drain(..).peekable();
        let mut rest = contacts;
        let pass = |rest: &mut &[SceneContact], ended: &mut Vec<SceneContact>, key: PairKey| {
            let count = rest.partition_point(|contact| contact.pair() < key);
            ended.extend(rest[..count].iter().map(SceneContact::as_ended));
            *rest = &rest[count..];
        };
        for (chunk, block) in list.chunks(BLOCK).zip(blocks) {
            block.candidates.clear();
            block.candidates.extend_from_slice(chunk);
            // At once, so that later lists with more tracked pairs need no more memory.
            let tracked = chunk.iter().any(|candidate| candidate.kind.is_tracked());
            if tracked {
                block.tracks.reserve_exact(BLOCK);
                block.wake_ups.reserve_exact(BLOCK);
            }
            block.first = contacts.len() - rest.len();
            for candidate in &mut block.candidates {
                let key = key(&bodies.ids, candidate);
                if candidate.kind.is_tracked() {
                    while let Some((_, old, _)) = tracks.next_if(|(other, ..)| *other < key) {
                        tracker.recycle(old);
                    }
                    let same = tracks.next_if(|(other, ..)| *other == key);
                    let (track, wakes_at) = match same {
                        Some((_, track, wakes_at)) => (track, wakes_at),
                        None => (Track::default(), f64::NEG_INFINITY),
                    };
                    block.tracks.push(track);
                    block.wake_ups.push(wakes_at);
                }
                if rest.first().is_some_and(|contact| contact.pair() < key) {
                    pass(&mut rest, ended, key);
                }
                let at = contacts.len() - rest.len() - block.first;
                while let Some((first, others)) = rest.split_first()
                    && first.pair() == key
                {
                    candidate.first_contact = candidate.first_contact.min(at as u32);
                    rest = others;
                }
            }
        }
        ended.extend(rest.iter().map(SceneContact::as_ended));
        tracks.for_each(|(_, old, _)| tracker.recycle(old));
        self.ids.clear();
        self.ids.extend_from_slice(&bodies.ids);
    }

    /// Takes the tracks of all blocks, in order, with the keys of their pairs.
    fn take_tracks(&mut self, blocks: &mut [Block]) {
        self.tracks.clear();
        for block in blocks {
            let tracked = block.candidates.iter();
            let tracked = tracked.filter(|c| c.kind.is_tracked());
            let keys = tracked.map(|candidate| key(&self.ids, candidate));
            let kept = block.tracks.drain(..).zip(block.wake_ups.drain(..));
            let kept = keys.zip(kept);
            self.tracks
                .extend(kept.map(|(key, (track, wakes_at))| (key, track, wakes_at)));
            block.candidates.clear();
        }
    }
}

fn key(ids: &[BodyId], candidate: &Candidate) -> PairKey {
    let [a, b] = candidate.slots.map(|slot| ids[slot as usize]);
    (a, b, candidate.image)
}
