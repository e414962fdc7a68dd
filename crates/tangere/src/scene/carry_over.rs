//! What candidates of a new list take over from the last one: tracks of tracked pairs, and whether a
//! pair has contacts.
//!
//! Both lists are sorted by ids and image, so one pass over both finds the common pairs.

use super::BodyId;
use super::block::{BLOCK, Block, TrackedPair};
use super::bodies::Bodies;
use super::candidate::Candidate;
use super::scene_contact::{PairKey, SceneContact};
use crate::closest::Tracker;

/// Memory for the transfer.
#[derive(Debug, Default)]
pub(super) struct CarryOver {
    /// The ids by slot that the candidates of the blocks refer to.
    ids: Vec<BodyId>,
    tracks: Vec<(PairKey, TrackedPair)>,
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
            for candidate in &mut block.candidates {
                let key = key(&bodies.ids, candidate);
                if candidate.kind.is_tracked() {
                    while let Some((_, old)) = tracks.next_if(|(other, _)| *other < key) {
                        tracker.recycle(old.track);
                    }
                    let same = tracks.next_if(|(other, _)| *other == key);
                    block
                        .tracks
                        .push(same.map(|(_, track)| track).unwrap_or_default());
                }
                if rest.first().is_some_and(|contact| contact.pair() < key) {
                    pass(&mut rest, ended, key);
                }
                while let Some((first, others)) = rest.split_first()
                    && first.pair() == key
                {
                    candidate.is_touching = true;
                    rest = others;
                }
            }
        }
        ended.extend(rest.iter().map(SceneContact::as_ended));
        tracks.for_each(|(_, old)| tracker.recycle(old.track));
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
            self.tracks.extend(keys.zip(block.tracks.drain(..)));
            block.candidates.clear();
        }
    }
}

fn key(ids: &[BodyId], candidate: &Candidate) -> PairKey {
    let [a, b] = candidate.slots.map(|slot| ids[slot as usize]);
    (a, b, candidate.image)
}
