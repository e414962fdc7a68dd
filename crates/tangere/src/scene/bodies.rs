//! Columns of bodies, and the slot in them that an id has.
//!
//! A slot is an index into the columns; it changes when a body is removed. Ids never change.

use std::collections::{HashMap, HashSet};

use super::body::Motion;
use super::narrow_phase::is_supported;
use super::{Body, BodyId, Shape};
use crate::error::{Argument, Error, Result};
use crate::geometry::Pose;
use crate::pairs::Mask;

/// The columns of bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    pub ids: Vec<BodyId>,
    pub shapes: Vec<Shape>,
    pub poses: Vec<Pose>,
    pub motions: Vec<Motion>,
    pub groups: Vec<u32>,
    pub masks: Vec<Mask>,
    slots: HashMap<BodyId, u32>,
    /// Ids of removed bodies, which are not given again.
    removed: HashSet<BodyId>,
    /// One more than the largest id so far.
    next: BodyId,
}

impl Bodies {
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// The slot of a body.
    ///
    /// # Errors
    /// When there is no body with this id.
    pub fn slot(&self, id: BodyId) -> Result<usize> {
        let slot = self.slots.get(&id).map(|&slot| slot as usize);
        slot.ok_or_else(|| {
            let found = match self.removed.contains(&id) {
                true => format!("{id}, which was removed"),
                false => format!("{id}"),
            };
            Error::argument(Argument::Body, found, "the id of a body of the scene")
        })
    }

    /// Adds a body and returns its id.
    ///
    /// # Errors
    /// When the id is in use or was, or when the body could touch another in a pair of kinds that has
    /// no narrow phase.
    pub fn add(&mut self, body: Body) -> Result<BodyId> {
        let id = match body.id {
            None => self.next,
            Some(id) => {
                let fault = match (self.slots.contains_key(&id), self.removed.contains(&id)) {
                    (true, _) => Some(format!("{id}, which another body has")),
                    (_, true) => Some(format!("{id}, which a removed body had")),
                    _ => None,
                };
                let fault = match id {
                    BodyId::MAX => Some(format!("{id}")),
                    _ => fault,
                };
                if let Some(found) = fault {
                    let expected = "an id below 2^64 - 1 that no body has or had";
                    return Err(Error::argument(Argument::Id, found, expected));
                }
                id
            }
        };
        let slot = self.len();
        self.ids.push(id);
        self.shapes.push(body.shape);
        self.poses.push(body.pose);
        self.motions.push(body.motion);
        self.groups.push(body.group);
        self.masks.push(body.mask);
        if let Some(other) = self.unsupported(slot) {
            let (kind, other_kind) = (self.shapes[slot].name(), self.shapes[other].name());
            let found = format!(
                "a {kind} that can touch the {other_kind} of body {}",
                self.ids[other]
            );
            self.drop_slot(slot);
            let expected = "two fixed bodies, or groups or masks that keep them apart: \
                contacts of these kinds are not supported yet";
            return Err(Error::argument(Argument::Shape, found, expected));
        }
        self.slots.insert(id, slot as u32);
        self.next = self.next.max(id + 1);
        Ok(id)
    }

    /// The first body that a body could touch in a pair of kinds without narrow phase.
    fn unsupported(&self, slot: usize) -> Option<usize> {
        let parts = self.shapes[slot].parts();
        let is_rounded = |slot: usize| {
            let mut parts = self.shapes[slot].parts().iter();
            parts.all(|part| matches!(part.element, super::Element::Rounded(_)))
        };
        if is_rounded(slot) {
            return None;
        }
        (0..slot).find(|&other| {
            !is_rounded(other)
                && self.may_touch(slot, other)
                && parts.iter().any(|x| {
                    let mut others = self.shapes[other].parts().iter();
                    others.any(|y| !is_supported(&x.element, &y.element))
                })
        })
    }

    /// Whether motion, groups and masks of two bodies let them touch.
    pub fn may_touch(&self, a: usize, b: usize) -> bool {
        (self.motions[a] == Motion::Free || self.motions[b] == Motion::Free)
            && (self.groups[a] == 0 || self.groups[a] != self.groups[b])
            && self.masks[a].allows(self.masks[b])
    }

    /// Removes a body.
    ///
    /// # Errors
    /// When there is no body with this id.
    pub fn remove(&mut self, id: BodyId) -> Result<()> {
        let slot = self.slot(id)?;
        self.slots.remove(&id);
        self.removed.insert(id);
        self.drop_slot(slot);
        if let Some(&moved) = self.ids.get(slot) {
            self.slots.insert(moved, slot as u32);
        }
        Ok(())
    }

    /// Removes a slot; the last body takes its place.
    fn drop_slot(&mut self, slot: usize) {
        self.ids.swap_remove(slot);
        self.shapes.swap_remove(slot);
        self.poses.swap_remove(slot);
        self.motions.swap_remove(slot);
        self.groups.swap_remove(slot);
        self.masks.swap_remove(slot);
    }
}
