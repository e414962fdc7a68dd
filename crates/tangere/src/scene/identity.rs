//! Identity of contacts: which contact of this update is which of the last.
//!
//! The key of a contact is (lower id, higher id, image, slot). A pair of convex bodies has one contact,
//! in slot 0. Two parts of compounds, neither of them a mesh, have one contact, too, so that equal parts
//! are the same contact, however far its point jumps: the deepest vertex of a body at rest does so in
//! nearly every step. A mesh has several contacts with a part. These are matched with those of the last
//! update in four rounds: equal features first, then equal facets, then adjacent features, and last the
//! nearest points in the frame of `a`, up to [`SLIDE`]; the last two in ascending order of distance.
//! What is left has begun, in the least free slots, or has ended.

use std::ops::Range;

use super::history::Bond;
use super::mesh_part::MeshPart;
use super::pair_evaluation::FoundContact;
use super::scene_contact::{Event, PairKey, SceneContact};
use crate::contact::{Contact, Feature};
use crate::geometry::vector::{length, minus};

/// The largest distance by which the point of a contact with a mesh may move over `a` between two updates
/// while the contact persists at features that are not adjacent, relative to the smaller of both bodies.
const SLIDE: f64 = 0.25;

/// The place of a contact on its body `a`, for the matching of the next update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Located {
    pub pair: PairKey,
    pub slot: u32,
    /// `point_a` in the frame of `a`.
    pub local: [f64; 3],
    /// The facet of a mesh that the contact touches.
    pub facet: Option<u32>,
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

/// The mesh of two parts, and which of the two it is; `None` of two parts without, which have at most
/// one contact.
pub(super) type MeshOf<'a> = (usize, &'a MeshPart);

fn features(contact: &Contact) -> [Feature; 2] {
    [contact.feature_a, contact.feature_b]
}

/// The facets of a mesh that a contact touches: its facet, or those around its edge or vertex.
fn touched(
    (side, mesh): MeshOf<'_>,
    contact: &Contact,
    facet: Option<u32>,
) -> impl Iterator<Item = u32> {
    let around = facet.is_none().then_some(features(contact)[side]);
    let around = around.into_iter().flat_map(|f| mesh.facets_around(f));
    facet.into_iter().chain(around)
}

/// Whether a contact of this update and one of the last touch a common facet of a mesh, or the mesh is convex: its
/// contacts with a part are one area, though its deepest point may jump from one side of it to the other.
fn are_adjacent(
    mesh: MeshOf<'_>,
    new: &FoundContact,
    (old, place): (&SceneContact, &Located),
) -> bool {
    let mut facets = touched(mesh, &new.contact, new.facet);
    mesh.1.convex().is_some()
        || facets.any(|facet| touched(mesh, &old.contact, place.facet).any(|other| other == facet))
}

impl Matching {
    /// Gives slots and events to the contacts `found` of a pair. `before` are its contacts of the last
    /// update and their places, by slot; `size` is the size of the smaller body. Appends the contacts
    /// with their identity, those that ended, and the places. `mesh` is the mesh of two parts.
    pub fn assign<'m>(
        &mut self,
        (pair, size): (PairKey, f64),
        found: &[FoundContact],
        before: (&[SceneContact], &[Located]),
        [contacts, ended]: [&mut Vec<SceneContact>; 2],
        located: &mut Vec<Located>,
        mesh: impl Fn([u32; 2]) -> Option<MeshOf<'m>>,
    ) {
        self.match_features(found, before, &mesh);
        self.match_facets(found, before);
        self.match_nearest(found, before, |new, old, _| {
            mesh(new.parts).is_some_and(|mesh| are_adjacent(mesh, new, old))
        });
        self.match_nearest(found, before, |_, _, distance| distance <= SLIDE * size);
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
                facet,
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
            located.push(Located {
                pair,
                slot,
                local,
                facet,
            });
        }
        let left = before.iter().zip(&self.is_taken);
        ended.extend(
            left.filter(|(_, is_taken)| !**is_taken)
                .map(|(old, _)| old.as_ended()),
        );
    }

    /// Appends what of the history of the contacts `before` goes to which contact of this update, in the
    /// order of the new slots. A contact without partner shares in the history of the nearest contact
    /// before (a split), and one that ended gives its history to the nearest contact now (a merger), among
    /// those of the same parts that are adjacent or near. `mesh` is the mesh of two parts.
    pub fn bonds<'m>(
        &mut self,
        (pair, size): (PairKey, f64),
        found: &[FoundContact],
        (before, places): (&[SceneContact], &[Located]),
        bonds: &mut Vec<Bond>,
        mesh: impl Fn([u32; 2]) -> Option<MeshOf<'m>>,
    ) {
        let reach = SLIDE * size;
        let distance = |i: usize, j: usize| {
            let (new, old) = (&found[i], (&before[j], &places[j]));
            let distance = length(minus(new.local, old.1.local));
            let is_next = || {
                distance <= reach
                    || mesh(new.parts).is_some_and(|mesh| are_adjacent(mesh, new, old))
            };
            (new.parts == old.0.parts && is_next()).then_some(distance)
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

    /// First round: contacts with the same parts and features; of two parts without a mesh the contact
    /// with the same parts.
    fn match_features<'m>(
        &mut self,
        found: &[FoundContact],
        (before, places): (&[SceneContact], &[Located]),
        mesh: impl Fn([u32; 2]) -> Option<MeshOf<'m>>,
    ) {
        self.partners.clear();
        self.is_taken.clear();
        self.is_taken.resize(before.len(), false);
        for new in found {
            let is_only = mesh(new.parts).is_none();
            let same = (0..before.len()).find(|&j| {
                let is_same = || {
                    places[j].facet == new.facet
                        && features(&before[j].contact) == features(&new.contact)
                };
                !self.is_taken[j] && before[j].parts == new.parts && (is_only || is_same())
            });
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
        (before, places): (&[SceneContact], &[Located]),
    ) {
        for (i, new) in found.iter().enumerate() {
            if self.partners[i] != FREE || new.facet.is_none() {
                continue;
            }
            let same = (0..before.len()).find(|&j| {
                let is_same = before[j].parts == new.parts && places[j].facet == new.facet;
                !self.is_taken[j] && is_same
            });
            if let Some(j) = same {
                self.is_taken[j] = true;
                self.partners[i] = j;
            }
        }
    }

    /// Third and fourth round: contacts of the same parts that may be the same, the nearest first.
    /// `may_match` takes a contact of this update, one of the last with its place, and their distance.
    fn match_nearest(
        &mut self,
        found: &[FoundContact],
        (before, places): (&[SceneContact], &[Located]),
        may_match: impl Fn(&FoundContact, (&SceneContact, &Located), f64) -> bool,
    ) {
        self.near.clear();
        for (i, new) in found.iter().enumerate() {
            if self.partners[i] != FREE {
                continue;
            }
            for (j, (old, place)) in before.iter().zip(places).enumerate() {
                if self.is_taken[j] || new.parts != old.parts {
                    continue;
                }
                let distance = length(minus(new.local, place.local));
                if may_match(new, (old, place), distance) {
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
