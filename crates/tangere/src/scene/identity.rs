//! Identity of contacts: which contact of this update is which of the last.
//!
//! The key of a contact is (lower id, higher id, image, slot). Contacts of a pair are matched with
//! those of the last update in two rounds: equal parts and features first, then the nearest point in
//! the frame of `a`, in ascending order of distance, up to [`SLIDE`]. What is left has begun, in the
//! least free slots, or has ended.

use super::scene_contact::{Event, SceneContact};

/// The largest distance by which the point of a contact may move over `a` between two updates while
/// the contact persists with other features, relative to the smaller of both bodies.
pub(super) const SLIDE: f64 = 0.25;

/// A contact of this update before it has a slot, or one of the last update.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tracked {
    pub contact: SceneContact,
    /// `point_a` in the frame of `a`.
    pub local: [f64; 3],
    /// The size of the smaller body.
    pub size: f64,
}

/// Gives slots, ids and events to the contacts `now` of an update, sorted by pair; `before` are those
/// of the last update, sorted by pair and slot. Appends contacts that ended to `ended`.
pub(super) fn assign(now: &mut [Tracked], before: &[Tracked], ended: &mut Vec<SceneContact>) {
    let mut rest = before;
    let mut begin = 0;
    while begin < now.len() {
        let pair = now[begin].contact.pair();
        let count = now[begin..]
            .iter()
            .take_while(|tracked| tracked.contact.pair() == pair)
            .count();
        let earlier = rest.partition_point(|old| old.contact.pair() < pair);
        ended.extend(rest[..earlier].iter().map(|old| old_ended(&old.contact)));
        let own = rest[earlier..].partition_point(|old| old.contact.pair() == pair);
        assign_pair(
            &mut now[begin..begin + count],
            &rest[earlier..earlier + own],
            ended,
        );
        rest = &rest[earlier + own..];
        begin += count;
    }
    ended.extend(rest.iter().map(|old| old_ended(&old.contact)));
}

fn old_ended(contact: &SceneContact) -> SceneContact {
    SceneContact {
        event: Event::Ended,
        ..*contact
    }
}

/// Matches the contacts of one pair and image.
fn assign_pair(now: &mut [Tracked], before: &[Tracked], ended: &mut Vec<SceneContact>) {
    const FREE: usize = usize::MAX;
    let features = |tracked: &Tracked| {
        let contact = &tracked.contact;
        (
            contact.parts,
            contact.contact.feature_a,
            contact.contact.feature_b,
        )
    };
    let mut matched = vec![FREE; now.len()];
    let mut is_taken = vec![false; before.len()];
    for (i, new) in now.iter().enumerate() {
        let same = |j: &usize| !is_taken[*j] && features(&before[*j]) == features(new);
        if let Some(j) = (0..before.len()).find(same) {
            matched[i] = j;
            is_taken[j] = true;
        }
    }
    let mut near: Vec<(f64, usize, usize)> = Vec::new();
    for (i, new) in now.iter().enumerate().filter(|(i, _)| matched[*i] == FREE) {
        for (j, old) in before.iter().enumerate().filter(|(j, _)| !is_taken[*j]) {
            let moved = crate::geometry::vector::minus(new.local, old.local);
            let distance = crate::geometry::vector::length(moved);
            if new.contact.parts == old.contact.parts && distance <= SLIDE * new.size {
                near.push((distance, i, j));
            }
        }
    }
    near.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    for (_, i, j) in near {
        if matched[i] == FREE && !is_taken[j] {
            matched[i] = j;
            is_taken[j] = true;
        }
    }
    let mut slots: Vec<u32> = matched
        .iter()
        .filter(|&&j| j != FREE)
        .map(|&j| before[j].contact.slot)
        .collect();
    for (new, &j) in now.iter_mut().zip(&matched) {
        let (slot, event) = match j {
            FREE => {
                let free = (0..).find(|slot| !slots.contains(slot)).unwrap_or(u32::MAX);
                slots.push(free);
                (free, Event::Began)
            }
            j => (before[j].contact.slot, Event::Persists),
        };
        new.contact.slot = slot;
        new.contact.event = event;
        new.contact.id = contact_id(&new.contact);
    }
    let left = before.iter().zip(&is_taken).filter(|(_, taken)| !**taken);
    ended.extend(left.map(|(old, _)| old_ended(&old.contact)));
    now.sort_unstable_by_key(|tracked| tracked.contact.slot);
}

/// The id of a contact: a hash of its key.
fn contact_id(contact: &SceneContact) -> u64 {
    let mut hash = super::state_hash::Hash::new();
    hash.word(contact.a);
    hash.word(contact.b);
    for n in contact.image {
        hash.word(n as u64);
    }
    hash.word(u64::from(contact.slot));
    hash.value()
}
