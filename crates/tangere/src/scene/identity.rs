//! Identity of contacts: which contact of this update is which of the last.
//!
//! The key of a contact is (lower id, higher id, image, slot). A pair of convex bodies has one contact,
//! in slot 0. Two parts of compounds, neither of them a mesh, have one contact, too, so that equal parts
//! are the same contact, however far its point jumps: the deepest vertex of a body at rest does so in
//! nearly every step. A mesh has several contacts with a part. These are matched with those of the last
//! update in four rounds: equal features first, then equal facets, then adjacent features, and last the
//! nearest points in the frame of `a`, up to [`SLIDE`]; in each round in ascending order of distance.
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
    /// Contacts of this update and the last that may be the same: their distance and the turn of the
    /// normal.
    near: Vec<([f64; 2], usize, usize)>,
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

/// How far the normal turned from a contact of the last update: the distance of both unit vectors.
fn turn(new: &FoundContact, old: &SceneContact) -> f64 {
    length(minus(new.contact.normal, old.contact.normal))
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
        let distance = |new: &FoundContact, place: &Located| length(minus(new.local, place.local));
        self.match_features(found, before, size, &mesh);
        self.match_facets(found, before, size);
        self.match_nearest(found, before, |new, (old, place)| {
            let mesh = mesh(new.parts)?;
            are_adjacent(mesh, new, (old, place)).then(|| distance(new, place))
        });
        self.match_nearest(found, before, |new, (_, place)| {
            Some(distance(new, place)).filter(|&distance| distance <= SLIDE * size)
        });
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
    /// with the same parts. Several contacts may have one name: facets on both sides of a sheet meet at one
    /// vertex. Of these the nearest are the same.
    fn match_features<'m>(
        &mut self,
        found: &[FoundContact],
        before: (&[SceneContact], &[Located]),
        size: f64,
        mesh: impl Fn([u32; 2]) -> Option<MeshOf<'m>>,
    ) {
        self.partners.clear();
        self.partners.resize(found.len(), FREE);
        self.is_taken.clear();
        self.is_taken.resize(before.0.len(), false);
        let is_same = |new: &FoundContact, (old, place): (&SceneContact, &Located)| {
            let has_name =
                || place.facet == new.facet && features(&old.contact) == features(&new.contact);
            has_name() || mesh(new.parts).is_none()
        };
        self.match_named(found, before, size, is_same);
    }

    /// Second round: contacts with the same facet of a mesh.
    fn match_facets(
        &mut self,
        found: &[FoundContact],
        before: (&[SceneContact], &[Located]),
        size: f64,
    ) {
        self.match_named(found, before, size, |new, (_, place)| {
            new.facet.is_some() && place.facet == new.facet
        });
    }

    /// Matches contacts of the same parts for which `is_same` holds, the nearest first. Contacts at one
    /// vertex differ by their normals alone, so that a turn of the normal counts as a way on a ball of
    /// `size`.
    fn match_named(
        &mut self,
        found: &[FoundContact],
        before: (&[SceneContact], &[Located]),
        size: f64,
        is_same: impl Fn(&FoundContact, (&SceneContact, &Located)) -> bool,
    ) {
        self.match_nearest(found, before, |new, (old, place)| {
            is_same(new, (old, place))
                .then(|| length(minus(new.local, place.local)) + size * turn(new, old))
        });
    }

    /// Matches contacts of the same parts that may be the same, the nearest first, and of equally near ones
    /// those of the most similar normals. `distance` is that of a contact of this update from one of the
    /// last with its place; `None` if they are not the same.
    fn match_nearest(
        &mut self,
        found: &[FoundContact],
        (before, places): (&[SceneContact], &[Located]),
        distance: impl Fn(&FoundContact, (&SceneContact, &Located)) -> Option<f64>,
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
                if let Some(distance) = distance(new, (old, place)) {
                    self.near.push(([distance, turn(new, old)], i, j));
                }
            }
        }
        self.near
            .sort_unstable_by(|([x, turn_x], i, j), ([y, turn_y], k, l)| {
                let nearer = x.total_cmp(y).then(turn_x.total_cmp(turn_y));
                nearer.then((i, j).cmp(&(k, l)))
            });
        for &(_, i, j) in &self.near {
            if self.partners[i] == FREE && !self.is_taken[j] {
                self.partners[i] = j;
                self.is_taken[j] = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

    use super::*;
    use crate::contact::ContactStatus;
    use crate::shape::TriMesh;

    /// Two contacts of equal features and facet, at a vertex of a sheet, keep the slots of their sides
    /// in whatever order they are found.
    #[test]
    fn contacts_of_one_name_are_not_exchanged() {
        let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let mesh = MeshPart::wall(&TriMesh::new(corners, vec![[0, 1, 2]]).unwrap());
        let pair = (0, 1, [0; 3]);
        let found = |sides: [f64; 2]| {
            sides.map(|side| FoundContact {
                contact: Contact {
                    gap: 0.0,
                    lower: 0.0,
                    upper: 0.0,
                    point_a: [0.0; 3],
                    point_b: [0.0; 3],
                    normal: [0.0, 0.0, side],
                    feature_a: Feature::vertex(0),
                    feature_b: Feature::vertex(0),
                    status: ContactStatus::Touching,
                    steps: 0,
                },
                parts: [0; 2],
                // Rounding, less than which must not decide.
                local: [1e-17 * side, 0.0, 0.0],
                facet: Some(0),
            })
        };
        let mut matching = Matching::default();
        let mut update = |sides: [f64; 2], before: (&[SceneContact], &[Located])| {
            let (mut contacts, mut ended, mut located) = (Vec::new(), Vec::new(), Vec::new());
            let lists = [&mut contacts, &mut ended];
            let mesh = |_| Some((0, &mesh));
            let found = found(sides);
            matching.assign((pair, 1.0), &found, before, lists, &mut located, mesh);
            assert!(ended.is_empty());
            (contacts, located)
        };
        let (first, places) = update([1.0, -1.0], (&[], &[]));
        let (second, _) = update([-1.0, 1.0], (&first, &places));
        for (old, new) in first.iter().zip(&second) {
            assert_eq!(
                (old.slot, old.contact.normal),
                (new.slot, new.contact.normal)
            );
            assert_eq!(new.event, Event::Persists);
        }
    }
}
