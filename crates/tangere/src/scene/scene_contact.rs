//! Contact of two bodies of a scene, with an identity that lasts from update to update.

use super::BodyId;
use super::state_hash::Hash;
use crate::contact::Contact;
use crate::pairs::Image;

/// What became of a contact in the last update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The contact is new.
    Began,
    /// The contact was there before.
    Persists,
    /// The contact was there before and is no more.
    Ended,
}

impl Event {
    /// All events, in the order of their numbers in files and arrays: 0 to 2.
    pub const ALL: [Self; 3] = [Self::Began, Self::Persists, Self::Ended];

    /// The name of the event: `"began"`, `"persists"` or `"ended"`.
    pub fn name(self) -> &'static str {
        match self {
            Event::Began => "began",
            Event::Persists => "persists",
            Event::Ended => "ended",
        }
    }
}

/// A contact of two bodies, `a < b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneContact {
    /// The body of lower id.
    pub a: BodyId,
    /// The body of higher id.
    pub b: BodyId,
    /// The periodic image of `b` that `a` touches: its shift in cells along each edge.
    pub image: Image<3>,
    /// The number of the contact among those of its pair and image, the least one that was free when
    /// it began.
    pub slot: u32,
    /// The parts of the two bodies; 0 unless they are compounds.
    pub parts: [u32; 2],
    /// Gap, points and features, in the world. `point_b` is that of the image of `b`.
    pub contact: Contact,
    /// What became of the contact in the last update.
    pub event: Event,
}

/// The bodies of a contact, the lower id first, and the image of the second.
pub(super) type PairKey = (BodyId, BodyId, Image<3>);

impl SceneContact {
    /// The id of the contact: a hash of bodies, image and slot. It stays the same while the contact
    /// lasts, and every process that has the pair derives the same. A later contact of the pair may have
    /// it again, even one that began in the update in which this one ended: what is kept by id must be
    /// dropped when the contact ended or began.
    pub fn id(&self) -> u64 {
        let mut hash = Hash::new();
        hash.word(self.a);
        hash.word(self.b);
        for n in self.image {
            hash.word(n as u64);
        }
        hash.word(u64::from(self.slot));
        hash.value()
    }

    /// The pair and image of the contact: contacts are in this order, and by slot within it.
    pub(super) fn pair(&self) -> PairKey {
        (self.a, self.b, self.image)
    }

    /// The contact as one that ended.
    pub(super) fn as_ended(&self) -> Self {
        let event = Event::Ended;
        Self { event, ..*self }
    }
}

/// The contacts of a pair, at the beginning of a sorted list.
pub(super) fn leading(contacts: &[SceneContact], pair: PairKey) -> &[SceneContact] {
    let own = contacts.iter().take_while(|contact| contact.pair() == pair);
    &contacts[..own.count()]
}
