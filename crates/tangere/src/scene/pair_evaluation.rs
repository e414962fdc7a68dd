//! Contacts of a pair of bodies: of every part of one with every part of the other.

use super::SceneSettings;
use super::bodies::Bodies;
use super::candidate::Candidate;
use super::narrow_phase::{Scratch, part_contacts};
use super::pair_frame::PairFrame;
use super::shape::Part;
use crate::contact::Contact;
use crate::geometry::Pose;

/// A contact of two bodies in the world, before it has an identity.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundContact {
    pub contact: Contact,
    /// The parts of the two bodies.
    pub parts: [u32; 2],
    /// `point_a` in the frame of `a`.
    pub local: [f64; 3],
    /// The facet of a mesh that the contact touches; `None` if it touches an edge or vertex alone, or no
    /// mesh.
    pub facet: Option<u32>,
}

/// What the contacts of a pair depend on.
#[derive(Clone, Copy)]
pub(super) struct PairEvaluation<'a> {
    pub bodies: &'a Bodies,
    pub settings: &'a SceneSettings,
}

impl PairEvaluation<'_> {
    /// Appends the contacts of a pair of bodies of any kind to `out`, and leaves a lower bound of their
    /// gap in `scratch.apart`.
    pub fn contacts(
        &self,
        candidate: &Candidate,
        scratch: &mut Scratch,
        out: &mut Vec<FoundContact>,
    ) {
        let frame = PairFrame::new(self.bodies, self.settings, candidate);
        let [a, b] = candidate
            .slots
            .map(|slot| &self.bodies.shapes[slot as usize]);
        let margin = self.settings.margin;
        let mut found = std::mem::take(&mut scratch.contacts);
        scratch.apart = f64::INFINITY;
        for (part_a, i) in a.parts().iter().zip(0u32..) {
            let placed_a = part_a.placed(&frame.pose_a);
            for (part_b, j) in b.parts().iter().zip(0u32..) {
                let placed_b = part_b.placed(&frame.pose_b);
                found.clear();
                part_contacts(
                    (&part_a.element, &placed_a),
                    (&part_b.element, &placed_b),
                    margin,
                    scratch,
                    &mut found,
                );
                out.extend(found.iter().map(|contact| FoundContact {
                    contact: frame.in_world(contact),
                    parts: [i, j],
                    local: frame.pose_a.rotate_back(contact.point_a),
                    facet: facet((part_a, part_b), [&placed_a, &placed_b], contact),
                }));
            }
        }
        scratch.contacts = found;
    }
}

/// The facet of a mesh, one of two placed parts, that a contact touches.
fn facet((a, b): (&Part, &Part), [pose_a, pose_b]: [&Pose; 2], contact: &Contact) -> Option<u32> {
    let (mesh, pose, feature) = match (a.element.mesh(), b.element.mesh()) {
        (Some(mesh), _) => (mesh, pose_a, contact.feature_a),
        (_, Some(mesh)) => (mesh, pose_b, contact.feature_b),
        _ => return None,
    };
    mesh.facet_across(feature, pose.rotate_back(contact.normal))
}
