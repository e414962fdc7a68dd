//! Broad phase of a scene: pairs of bodies whose boxes come within the margin.
//!
//! Bounded bodies go through [`pairs`](crate::pairs) as boxes. Half-spaces have no box: each is a
//! candidate with every body that it may touch.

use super::BodyId;
use super::bodies::Bodies;
use crate::error::Result;
use crate::geometry::Aabb;
use crate::pairs::{BroadPhase, Image, Items, PairContact, PairFinder, PairSettings};

/// Two bodies that may touch, that of lower id first, and the image of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    /// The ids of the two bodies, for the order of candidates.
    pub ids: [BodyId; 2],
    pub image: Image<3>,
    pub slots: [u32; 2],
}

impl Candidate {
    /// The candidate of two slots, ordered by id. `image` is that of the second slot.
    pub fn new(bodies: &Bodies, [a, b]: [u32; 2], image: Image<3>) -> Self {
        let ids = [a, b].map(|slot| bodies.ids[slot as usize]);
        match ids[0] <= ids[1] {
            true => Self {
                ids,
                image,
                slots: [a, b],
            },
            false => Self {
                ids: [ids[1], ids[0]],
                image: image.map(|n| -n),
                slots: [b, a],
            },
        }
    }
}

/// The broad phase of a scene; its memory is reused.
#[derive(Debug)]
pub(super) struct Candidates {
    finder: BroadPhase<3>,
    is_periodic: bool,
    lower: Vec<[f64; 3]>,
    upper: Vec<[f64; 3]>,
    /// For each box, the slot of its body.
    boxed: Vec<u32>,
    contacts: Vec<PairContact<3>>,
    pairs: Vec<[u32; 2]>,
}

impl Candidates {
    pub fn new(settings: PairSettings<3>) -> Result<Self> {
        Ok(Self {
            is_periodic: settings.periodic.is_some(),
            finder: BroadPhase::new(settings)?,
            lower: Vec::new(),
            upper: Vec::new(),
            boxed: Vec::new(),
            contacts: Vec::new(),
            pairs: Vec::new(),
        })
    }

    /// Writes all candidates to `out`, in order.
    pub fn find(
        &mut self,
        bodies: &Bodies,
        boxes: &[Aabb<3>],
        out: &mut Vec<Candidate>,
    ) -> Result<()> {
        out.clear();
        for list in [&mut self.lower, &mut self.upper] {
            list.clear();
        }
        self.boxed.clear();
        for (slot, bounds) in (0u32..).zip(boxes) {
            if bounds.min[0].is_finite() {
                self.boxed.push(slot);
                self.lower.push(bounds.min);
                self.upper.push(bounds.max);
            }
        }
        self.finder.update(Items::Boxes {
            lower: &self.lower,
            upper: &self.upper,
        })?;
        let mut push = |slots: [u32; 2], image| {
            let [a, b] = slots.map(|slot| slot as usize);
            if bodies.may_touch(a, b) {
                out.push(Candidate::new(bodies, slots, image));
            }
        };
        if self.is_periodic {
            self.finder.contacts(&mut self.contacts)?;
            for found in &self.contacts {
                push(found.pair.map(|i| self.boxed[i as usize]), found.image);
            }
        } else {
            self.finder.pairs(&mut self.pairs)?;
            for pair in &self.pairs {
                push(pair.map(|i| self.boxed[i as usize]), [0; 3]);
            }
        }
        let unbounded = (0u32..).zip(boxes);
        for (slot, _) in unbounded.filter(|(_, bounds)| !bounds.min[0].is_finite()) {
            for &other in &self.boxed {
                push([slot, other], [0; 3]);
            }
        }
        out.sort_unstable();
        Ok(())
    }
}
