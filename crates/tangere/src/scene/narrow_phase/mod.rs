//! Narrow phase of a scene: the contacts of two parts, one file for each pair of kinds.
//!
//! | pair | file | contacts |
//! |---|---|---|
//! | sphere and sphere | `sphere_sphere` | one, in closed form |
//! | rounded and rounded (capsule, box, polyhedron) | `rounded_rounded` | one, by tracked features of the cores |
//! | rounded and half-space | `rounded_half_space` | one, at the lowest vertex |
//! | rounded and mesh | `rounded_mesh`, `mesh_features` | one for each facet, edge or vertex of the mesh that is locally nearest |
//!
//! A pair is computed in its own frame: the axes of the world, with the position of its first body as
//! the origin. So contacts are the same wherever the pair is, and digits are not lost far from the
//! origin of the world.

mod mesh_features;
pub(super) mod rounded_half_space;
mod rounded_mesh;
pub(super) mod rounded_rounded;
pub(super) mod sphere_sphere;

use super::rounded::RoundedKind;
use super::shape::Element;
use crate::closest::Tracker;
use crate::contact::{Contact, ContactStatus};
use crate::geometry::Pose;

pub(super) use rounded_mesh::MeshScratch;

/// The bound of the rounding error of a closed form, relative to the magnitudes that enter it.
const ROUNDING: f64 = 1.0 / (1u64 << 48) as f64;

/// The normal of two bodies whose centres coincide, where every direction is as good.
const ANY_NORMAL: [f64; 3] = [1.0, 0.0, 0.0];

/// Memory of the narrow phase that is reused from pair to pair. No answer depends on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub tracker: Tracker,
    pub mesh: MeshScratch,
    /// Contacts of two parts.
    pub contacts: Vec<Contact>,
    /// A lower bound of the gap of all parts since it was set to infinity.
    pub apart: f64,
    /// Whether all triangles of a mesh are tested rather than those near the other body: brute force.
    pub every_face: bool,
}

impl Scratch {
    /// Takes the last contact into account in the lower bound of the gap.
    fn bound(&mut self, contacts: &[Contact]) {
        if let Some(last) = contacts.last() {
            self.apart = self.apart.min(last.lower);
        }
    }
}

/// Whether contacts of two kinds of parts can be computed.
pub(super) fn is_supported(a: &Element, b: &Element) -> bool {
    matches!(a, Element::Rounded(_)) || matches!(b, Element::Rounded(_))
}

/// Appends the contacts of two placed parts with a gap up to `margin` to `out`, and those whose bracketed
/// gap may be. Exchanged parts have
/// the mirrored contacts, bit for bit.
pub(super) fn part_contacts(
    (a, pose_a): (&Element, &Pose),
    (b, pose_b): (&Element, &Pose),
    margin: f64,
    scratch: &mut Scratch,
    out: &mut Vec<Contact>,
) {
    use Element::{HalfSpace, Mesh, Rounded};
    let first = out.len();
    match (a, b) {
        (Rounded(x), Rounded(y))
            if x.kind() == RoundedKind::Sphere && y.kind() == RoundedKind::Sphere =>
        {
            let centers = [pose_a, pose_b].map(|pose| pose.translation());
            out.push(sphere_sphere::contact(centers, [x.radius(), y.radius()]));
            scratch.bound(out);
        }
        (Rounded(x), Rounded(y)) => {
            let tracker = &mut scratch.tracker;
            out.push(rounded_rounded::contact((x, pose_a), (y, pose_b), tracker));
            scratch.bound(out);
        }
        (Rounded(x), HalfSpace(normal)) => {
            out.push(rounded_half_space::contact((x, pose_a), (*normal, pose_b)));
            scratch.bound(out);
        }
        (Rounded(x), Mesh(mesh)) => {
            let apart = rounded_mesh::contacts((x, pose_a), (mesh, pose_b), margin, scratch, out);
            scratch.apart = scratch.apart.min(apart);
        }
        (HalfSpace(_) | Mesh(_), Rounded(_)) => {
            part_contacts((b, pose_b), (a, pose_a), margin, scratch, out);
            for contact in &mut out[first..] {
                *contact = contact.mirrored();
            }
        }
        // Refused when the second of the two bodies was added.
        (HalfSpace(_) | Mesh(_), HalfSpace(_) | Mesh(_)) => {}
    }
    let mut kept = first;
    for i in first..out.len() {
        if out[i].is_within(margin) {
            out[kept] = out[i];
            kept += 1;
        }
    }
    out.truncate(kept);
}

/// The status of a contact by the bounds of its gap.
fn status([lower, upper]: [f64; 2]) -> ContactStatus {
    if lower > 0.0 {
        ContactStatus::Separated
    } else if upper < 0.0 {
        ContactStatus::Penetrating
    } else {
        ContactStatus::Touching
    }
}
