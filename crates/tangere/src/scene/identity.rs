//! Identity of contacts: which contact of this update is which of the last.
//!
//! The key of a contact is (lower id, higher id, image, slot). A pair of convex bodies has one contact,
//! in slot 0. Contacts of other pairs are matched with those of the last update in three rounds: equal
//! parts and features first, then equal facets of a mesh, then the nearest point in the frame of `a`, in
//! ascending order of distance, up to [`SLIDE`]. What is left has begun, in the least free slots, or
//! has ended.

use std::ops::Range;

use super::history::Bond;
use super::pair_evaluation::FoundContact;
use super::scene_contact::{Event, PairKey, SceneContact};
use crate::contact::Feature;
use crate::geometry::vector::{length, minus};

/// The largest distance by which the point of a contact may move over `a` between two updates while
/// the contact persists with other features, relative to the smaller of both bodies.
const SLIDE: f64 = 0.25;

/// The place of a contact on its body `a`, for the matching of the next update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Located {
    pub pair: PairKey,
    pub slot: u32,
    /// `point_a` in the frame of `a`.
    pub local: [f64; 3],
}

/// The range of the places of a pair in a sorted list.
pub(super) fn places_of(located: &[Located], pair: PairKey) -> Range<usize> {
    let start = located.partition_point(|place| place.pair < pair);
    let count = located[start..].iter();
    start..start + count.take_while(|place| place.pair == pair).count()
}

/// The value of a contact that has no partner in the last update.
const FREE: usize = usize::MAX;

/// The matching of contacts of a pair; its memory is reused.
#[derive(Debug, Default)]
pub(super) struct Matching {
    /// For each contact of this update that of the last one, or [`FREE`].
    partners: Vec<usize>,
    is_taken: Vec<bool>,
    near: Vec<(f64, usize, usize)>,
    slots: Vec<u32>,
    order: Vec<(u32, usize)>,
    /// For each contact of the last update, the contacts of this update that have a share of its
    /// history.
    heirs: Vec<(usize, usize)>,
}

fn names(contact: &SceneContact) -> ([u32; 2], [Feature; 2]) {
    let features = [contact.contact.feature_a, contact.contact.feature_b];
    (contact.parts, features)
}

impl Matching {
    /// Gives slots and events to the contacts `found` of a pair. `before` are its contacts of the last
    /// update and their places, by slot; `size` is the size of the smaller body. Appends the contacts
    /// with their identity, those that ended, and the places. `facet` is the facet of a mesh to which
    /// features belong.
    pub fn assign(
        &mut self,
        (pair, size): (PairKey, f64),
        found: &[FoundContact],
        before: (&[SceneContact], &[Located]),
        [contacts, ended]: [&mut Vec<SceneContact>; 2],
        located: &mut Vec<Located>,
        facet: impl Fn([u32; 2], [Feature; 2]) -> Option<u32>,
    ) {
        self.match_features(found, before.0);
        self.match_facets(found, before.0, facet);
        self.match_places(found, before, SLIDE * size);
        let (before, _) = before;
        self.slots.clear();
        let kept = self.partners.iter().filter(|&&j| j != FREE);
        self.slots.extend(kept.map(|&j| before[j].slot));
        self.order.clear();
        for (i, &j) in self.partners.iter().enumerate() {
            let slot = match j {
                FREE => {
                    let taken = &self.slots;
                    let free = (0..).find(|slot| !taken.contains(slot)).unwrap_or(u32::MAX);
                    self.slots.push(free);
                    free
                }
                j => before[j].slot,
            };
            self.order.push((slot, i));
        }
        self.order.sort_unstable();
        let (a, b, image) = pair;
        for &(slot, i) in &self.order {
            let FoundContact {
                contact,
                parts,
                local,
            } = found[i];
            let event = match self.partners[i] {
                FREE => Event::Began,
                _ => Event::Persists,
            };
            contacts.push(SceneContact {
                a,
                b,
                image,
                slot,
                parts,
                contact,
                event,
            });
            located.push(Located { pair, slot, local });
        }
        let left = before.iter().zip(&self.is_taken);
        ended.extend(
            left.filter(|(_, is_taken)| !**is_taken)
                .map(|(old, _)| old.as_ended()),
        );
    }

    /// Appends what of the history of the contacts `before` goes to which contact of this update, in the
    /// order of the new slots. A contact without partner shares in the history of the nearest contact
    /// before (a split), and one that ended gives its history to the nearest contact now (a merger).
    pub fn bonds(
        &mut self,
        (pair, size): (PairKey, f64),
        found: &[FoundContact],
        (before, places): (&[SceneContact], &[Located]),
        bonds: &mut Vec<Bond>,
    ) {
        let reach = SLIDE * size;
        let distance = |i: usize, j: usize| {
            let is_same = found[i].parts == before[j].parts;
            let distance = length(minus(found[i].local, places[j].local));
            (is_same && distance <= reach).then_some(distance)
        };
        let nearest = |pairs: &mut dyn Iterator<Item = (usize, usize)>| {
            let near = pairs.filter_map(|(i, j)| Some((distance(i, j)?, i, j)));
            near.min_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))))
        };
        self.heirs.clear();
        for (i, &j) in self.partners.iter().enumerate() {
            match j {
                FREE => {
                    let near = nearest(&mut (0..before.len()).map(|j| (i, j)));
                    self.heirs.extend(near.map(|(_, i, j)| (j, i)));
                }
                j => self.heirs.push((j, i)),
            }
        }
        for (j, _) in self
            .is_taken
            .iter()
            .enumerate()
            .filter(|(_, taken)| !**taken)
        {
            if self.heirs.iter().all(|heir| heir.0 != j) {
                let near = nearest(&mut (0..found.len()).map(|i| (i, j)));
                self.heirs.extend(near.map(|(_, i, j)| (j, i)));
            }
        }
        let first = bonds.len();
        for &(j, i) in &self.heirs {
            let parts = self.heirs.iter().filter(|heir| heir.0 == j).count();
            let to = self.order.iter().find(|(_, other)| *other == i);
            bonds.push(Bond {
                pair,
                from: before[j].slot,
                to: to.map_or(0, |(slot, _)| *slot),
                share: 1.0 / parts as f64,
            });
        }
        bonds[first..].sort_unstable_by_key(|bond| (bond.to, bond.from));
        if bonds.len() == first {
            // Nothing of the pair's history goes on.
            bonds.push(Bond {
                pair,
                from: u32::MAX,
                to: u32::MAX,
                share: 0.0,
            });
        }
    }

    /// First round: contacts with the same parts and features.
    fn match_features(&mut self, found: &[FoundContact], before: &[SceneContact]) {
        self.partners.clear();
        self.is_taken.clear();
        self.is_taken.resize(before.len(), false);
        for new in found {
            let features = [new.contact.feature_a, new.contact.feature_b];
            let same = (0..before.len())
                .find(|&j| !self.is_taken[j] && names(&before[j]) == (new.parts, features));
            if let Some(j) = same {
                self.is_taken[j] = true;
            }
            self.partners.push(same.unwrap_or(FREE));
        }
    }

    /// Second round: contacts with the same facet of a mesh.
    fn match_facets(
        &mut self,
        found: &[FoundContact],
        before: &[SceneContact],
        facet: impl Fn([u32; 2], [Feature; 2]) -> Option<u32>,
    ) {
        for (i, new) in found.iter().enumerate() {
            let features = [new.contact.feature_a, new.contact.feature_b];
            let own = facet(new.parts, features);
            if self.partners[i] != FREE || own.is_none() {
                continue;
            }
            let same = (0..before.len()).find(|&j| {
                let (parts, features) = names(&before[j]);
                !self.is_taken[j] && parts == new.parts && facet(parts, features) == own
            });
            if let Some(j) = same {
                self.is_taken[j] = true;
                self.partners[i] = j;
            }
        }
    }

    /// Third round: the nearest contacts of the same parts, up to a distance.
    fn match_places(
        &mut self,
        found: &[FoundContact],
        (before, places): (&[SceneContact], &[Located]),
        reach: f64,
    ) {
        self.near.clear();
        for (i, new) in found.iter().enumerate() {
            if self.partners[i] != FREE {
                continue;
            }
            for (j, (old, place)) in before.iter().zip(places).enumerate() {
                let distance = length(minus(new.local, place.local));
                if !self.is_taken[j] && new.parts == old.parts && distance <= reach {
                    self.near.push((distance, i, j));
                }
            }
        }
        self.near
            .sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        for &(_, i, j) in &self.near {
            if self.partners[i] == FREE && !self.is_taken[j] {
                self.partners[i] = j;
                self.is_taken[j] = true;
            }
        }
    }
}
