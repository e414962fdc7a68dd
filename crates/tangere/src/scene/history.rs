//! History of contacts: vectors of the user's that travel with a contact from update to update.
//!
//! A contact has [`SceneSettings::history`](super::SceneSettings) vectors, in the axes of the world and
//! for the normal from `a` to `b`, such as a tangential displacement. They are 0 when a contact begins.
//! When it persists they turn with its normal, by the rotation of the old normal to the new one in
//! the plane of both. Where a contact splits, the parts share its history in equal parts; where two
//! merge, both add. A contact lasts while its gap is at most the margin, so a law of adhesion that
//! reaches further sets the margin, and one whose history ends earlier sets it to 0 itself.

use super::scene_contact::{PairKey, SceneContact};
use crate::geometry::vector::dot;

/// A share of the history of a contact of the last update that goes to one of this update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bond {
    pub pair: PairKey,
    pub from: u32,
    pub to: u32,
    pub share: f64,
}

/// The histories of all contacts, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Histories {
    /// The number of vectors of a contact.
    pub each: usize,
    pub values: Vec<[f64; 3]>,
    pub next: Vec<[f64; 3]>,
}

impl Histories {
    /// Takes the histories over from the contacts `before` to those of `now`. Both lists are sorted by
    /// pair and slot, and so are `bonds`, which exist for pairs that may have several contacts: other
    /// contacts go on where pair and slot are equal.
    pub fn carry(&mut self, before: &[SceneContact], now: &[SceneContact], bonds: &[Bond]) {
        let Self { each, values, next } = self;
        if *each == 0 {
            return;
        }
        next.clear();
        next.resize(now.len() * *each, [0.0; 3]);
        let (mut old, mut bond) = (0, 0);
        for (i, contact) in now.iter().enumerate() {
            let pair = contact.pair();
            while before.get(old).is_some_and(|other| other.pair() < pair) {
                old += 1;
            }
            while bonds.get(bond).is_some_and(|other| other.pair < pair) {
                bond += 1;
            }
            let of_pair = |index: usize| before.get(index).filter(|other| other.pair() == pair);
            let mut take = |slot: u32, share: f64| {
                let mut from = old;
                while of_pair(from).is_some_and(|other| other.slot != slot) {
                    from += 1;
                }
                let Some(other) = of_pair(from) else {
                    return;
                };
                let turn = Turn::new(other.contact.normal, contact.contact.normal);
                for k in 0..*each {
                    let turned = turn.apply(values[from * *each + k]);
                    let sum = &mut next[i * *each + k];
                    *sum = std::array::from_fn(|j| sum[j] + share * turned[j]);
                }
            };
            let own = bonds[bond..].iter().take_while(|other| other.pair == pair);
            let mut is_bonded = false;
            for found in own {
                is_bonded = true;
                if found.to == contact.slot {
                    take(found.from, found.share);
                }
            }
            if !is_bonded && contact.event == super::Event::Persists {
                take(contact.slot, 1.0);
            }
        }
        std::mem::swap(values, next);
    }
}

/// The rotation of a unit vector to another, in the plane of both.
struct Turn {
    from: [f64; 3],
    to: [f64; 3],
    /// One more than the cosine of the angle.
    rest: f64,
}

impl Turn {
    fn new(from: [f64; 3], to: [f64; 3]) -> Self {
        let rest = 1.0 + dot(from, to);
        Self { from, to, rest }
    }

    /// `v - (f + t) ((f + t) . v) / (1 + f . t) + 2 t (f . v)`, which maps `f` to `t`. Opposite normals
    /// have no such rotation: the vector stays.
    fn apply(&self, v: [f64; 3]) -> [f64; 3] {
        if self.rest < 1e-9 || self.from == self.to {
            return v;
        }
        let sum: [f64; 3] = std::array::from_fn(|k| self.from[k] + self.to[k]);
        let (along, lift) = (dot(sum, v) / self.rest, 2.0 * dot(self.from, v));
        std::array::from_fn(|k| v[k] - along * sum[k] + lift * self.to[k])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_normal_turns_to_the_other() {
        let (from, to) = ([0.6, 0.8, 0.0], [0.0, 0.6, 0.8]);
        let turn = Turn::new(from, to);
        let turned = turn.apply(from);
        assert!(
            (0..3).all(|k| (turned[k] - to[k]).abs() < 1e-15),
            "{turned:?}"
        );
        let v = [0.3, -0.2, 0.9];
        let w = turn.apply(v);
        assert!((dot(v, v) - dot(w, w)).abs() < 1e-15);
        assert!((dot(v, from) - dot(w, to)).abs() < 1e-15);
        assert_eq!(Turn::new(from, from.map(|x| -x)).apply(v), v);
    }
}
