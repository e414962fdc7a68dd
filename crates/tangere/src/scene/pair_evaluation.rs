//! Contacts of a pair of bodies: of every part of one with every part of the other.

use super::SceneSettings;
use super::bodies::Bodies;
use super::candidates::Candidate;
use super::identity::Tracked;
use super::narrow_phase::{Scratch, part_contacts};
use super::scene_contact::{Event, SceneContact};
use crate::contact::Contact;
use crate::geometry::vector::largest;
use crate::geometry::{Aabb, flushed};

/// What the contacts of a pair depend on.
#[derive(Clone, Copy)]
pub(super) struct PairEvaluation<'a> {
    pub bodies: &'a Bodies,
    pub settings: &'a SceneSettings,
    /// The boxes of all bodies, by slot.
    pub boxes: &'a [Aabb<3>],
}

impl PairEvaluation<'_> {
    /// Appends the contacts of a pair of bodies to `out`.
    pub fn contacts(&self, candidate: &Candidate, scratch: &mut Scratch, out: &mut Vec<Tracked>) {
        let bodies = self.bodies;
        let [a, b] = candidate.slots.map(|slot| slot as usize);
        let (pose_a, pose_b) = (&bodies.poses[a], &bodies.poses[b]);
        let (ta, tb) = (pose_a.translation(), pose_b.translation());
        let shift = match self.settings.periodic {
            Some(cell) => cell.shift(candidate.image),
            None => [0.0; 3],
        };
        let between: [f64; 3] = std::array::from_fn(|k| (tb[k] - ta[k]) + shift[k]);
        let (near_a, near_b) = (pose_a.at([0.0; 3]), pose_b.at(between));
        let size = [a, b].map(|slot| largest(self.boxes[slot].extent()));
        let size = size[0].min(size[1]);
        let margin = self.settings.margin;
        let mut found: Vec<Contact> = Vec::new();
        for (part_a, i) in bodies.shapes[a].parts().iter().zip(0u32..) {
            let placed_a = part_a.placed(&near_a);
            for (part_b, j) in bodies.shapes[b].parts().iter().zip(0u32..) {
                let placed_b = part_b.placed(&near_b);
                found.clear();
                part_contacts(
                    (&part_a.element, &placed_a),
                    (&part_b.element, &placed_b),
                    margin,
                    scratch,
                    &mut found,
                );
                for contact in &found {
                    let in_world = |p: [f64; 3]| flushed(std::array::from_fn(|k| ta[k] + p[k]));
                    out.push(Tracked {
                        local: near_a.rotate_back(contact.point_a),
                        size,
                        contact: SceneContact {
                            id: 0,
                            a: candidate.ids[0],
                            b: candidate.ids[1],
                            image: candidate.image,
                            slot: 0,
                            parts: [i, j],
                            contact: Contact {
                                point_a: in_world(contact.point_a),
                                point_b: in_world(contact.point_b),
                                ..*contact
                            },
                            event: Event::Began,
                        },
                    });
                }
            }
        }
    }
}
