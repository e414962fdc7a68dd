//! Body: a shape with a pose, and what it may touch.

use super::Shape;
use crate::geometry::Pose;
use crate::pairs::Mask;

/// The id of a body: given by the caller or counted, and never used again after the body is removed.
pub type BodyId = u64;

/// How a body moves. Two bodies of which none is free have no contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Motion {
    /// The body moves freely, as its contacts drive it.
    #[default]
    Free,
    /// The caller prescribes the motion, whatever the body touches.
    Prescribed,
    /// The body never moves.
    Fixed,
}

/// A body to be added to a scene.
#[derive(Clone, Debug)]
pub struct Body {
    /// The shape of the body.
    pub shape: Shape,
    /// The pose of the body: rotation, then translation.
    pub pose: Pose,
    /// The id of the body; `None` for the next one that is free.
    pub id: Option<BodyId>,
    /// How the body moves.
    pub motion: Motion,
    /// The group of the body: bodies of the same group, other than 0, do not touch each other.
    pub group: u32,
    /// The kinds that the body belongs to and those that it meets.
    pub mask: Mask,
}

impl Body {
    /// A free body at the origin, in no group, that meets every other.
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            pose: Pose::identity(),
            id: None,
            motion: Motion::Free,
            group: 0,
            mask: Mask::ALL,
        }
    }

    /// The body in another pose.
    pub fn at(self, pose: Pose) -> Self {
        Self { pose, ..self }
    }

    /// The body as one that never moves.
    pub fn fixed(self) -> Self {
        let motion = Motion::Fixed;
        Self { motion, ..self }
    }

    /// The body with an id of the caller's choice.
    pub fn with_id(self, id: BodyId) -> Self {
        Self {
            id: Some(id),
            ..self
        }
    }
}
