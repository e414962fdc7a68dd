//! Frame of a pair of bodies: the axes of the world, with the position of the first body as the origin.
//!
//! So a pair is computed from the difference of its positions and the integer image alone, digits are
//! not lost far from the origin of the world, and contacts are the same wherever the pair is.

use super::SceneSettings;
use super::bodies::Bodies;
use super::candidate::Candidate;
use crate::contact::Contact;
use crate::geometry::vector::minus;
use crate::geometry::{Pose, flushed};

/// The poses of two bodies in the frame of their pair.
pub(super) struct PairFrame {
    /// The position of the first body in the world.
    origin: [f64; 3],
    pub pose_a: Pose,
    pub pose_b: Pose,
}

impl PairFrame {
    pub fn new(bodies: &Bodies, settings: &SceneSettings, candidate: &Candidate) -> Self {
        let [a, b] = candidate.slots.map(|slot| bodies.pose(slot as usize));
        let origin = a.translation();
        Self {
            origin,
            pose_a: a.at([0.0; 3]),
            pose_b: b.at(between(origin, b.translation(), settings, candidate)),
        }
    }

    /// A point of the pair in the world.
    pub fn placed(&self, p: [f64; 3]) -> [f64; 3] {
        flushed(std::array::from_fn(|k| self.origin[k] + p[k]))
    }

    /// A contact in the world, in the frame of the pair up to rounding.
    pub fn to_pair(&self, contact: &Contact) -> Contact {
        Contact {
            point_a: minus(contact.point_a, self.origin),
            point_b: minus(contact.point_b, self.origin),
            ..*contact
        }
    }

    /// A contact of the pair in the world.
    pub fn in_world(&self, contact: &Contact) -> Contact {
        in_world(self.origin, contact)
    }
}

/// The position of the second body of a pair relative to the first.
#[inline]
pub(super) fn between(
    a: [f64; 3],
    b: [f64; 3],
    settings: &SceneSettings,
    candidate: &Candidate,
) -> [f64; 3] {
    let shift = match &settings.periodic {
        Some(cell) => cell.shift(candidate.image),
        None => [0.0; 3],
    };
    std::array::from_fn(|k| (b[k] - a[k]) + shift[k])
}

/// A contact in the frame of a pair with this origin, in the world. The steps of its search are left
/// out: they depend on what was asked before.
#[inline(always)]
pub(super) fn in_world(origin: [f64; 3], contact: &Contact) -> Contact {
    let placed = |p: [f64; 3]| flushed(std::array::from_fn(|k| origin[k] + p[k]));
    Contact {
        point_a: placed(contact.point_a),
        point_b: placed(contact.point_b),
        steps: 0,
        ..*contact
    }
}
