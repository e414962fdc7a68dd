//! Candidate: a pair of bodies that may touch.

use super::bodies::Bodies;
use super::pair_kind::PairKind;
use crate::pairs::Image;

/// Two bodies that may touch, that of lower id first, and the image of the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The slots of the two bodies, in the order of their ids.
    pub slots: [u32; 2],
    pub image: Image<3>,
    pub kind: PairKind,
    /// The first contact of the pair in the last update, counted within its block; [`NO_CONTACT`] if it
    /// had none.
    pub first_contact: u32,
}

/// The number of the first contact of a pair without contacts.
pub(super) const NO_CONTACT: u32 = u32::MAX;

impl Candidate {
    /// A candidate without contacts. The first slot has the lower id.
    pub fn new(bodies: &Bodies, slots: [u32; 2], image: Image<3>) -> Self {
        let [a, b] = slots.map(|slot| bodies.kinds[slot as usize]);
        Self {
            slots,
            image,
            kind: PairKind::of(a, b),
            first_contact: NO_CONTACT,
        }
    }

    /// Whether the pair had contacts in the last update.
    #[inline]
    pub fn is_touching(&self) -> bool {
        self.first_contact != NO_CONTACT
    }

    /// The order of candidates, which is that of the ids of their bodies and their images.
    pub fn key(&self) -> ([u32; 2], Image<3>) {
        (self.slots, self.image)
    }
}
