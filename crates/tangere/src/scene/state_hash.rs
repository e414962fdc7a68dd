//! Hash of the state of a scene: a function of its content, not of storage, threads or history.

use super::bodies::Bodies;
use super::scene_contact::SceneContact;
use super::shape::{Element, Shape};

/// A hash of 64-bit words: each is mixed by the finalizer of SplitMix64, an invertible function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hash(u64);

impl Hash {
    pub fn new() -> Self {
        Hash(0x7461_6e67_6572_6521)
    }

    pub fn word(&mut self, word: u64) {
        let mut x = self.0 ^ word;
        x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = x ^ (x >> 31);
    }

    /// Adds numbers by their bits; both zeros are one.
    pub fn numbers(&mut self, numbers: &[f64]) {
        for &x in numbers {
            self.word((x + 0.0).to_bits());
        }
    }

    pub fn value(self) -> u64 {
        self.0
    }
}

/// The hash of all bodies, in the order of ids, and of the slots, features and histories of their
/// contacts, which decide how contacts go on.
pub(super) fn state_hash(bodies: &Bodies, contacts: &[SceneContact], history: &[[f64; 3]]) -> u64 {
    let mut order: Vec<usize> = bodies.present().collect();
    order.sort_unstable_by_key(|&slot| bodies.ids[slot]);
    let mut hash = Hash::new();
    for slot in order {
        hash.word(bodies.ids[slot]);
        hash.numbers(&bodies.pose(slot).to_numbers());
        hash.word(bodies.motions[slot] as u64);
        hash.word(u64::from(bodies.groups[slot]));
        let mask = bodies.masks[slot];
        hash.word(u64::from(mask.member) << 32 | u64::from(mask.meets));
        add_shape(&mut hash, &bodies.shapes[slot]);
    }
    for contact in contacts {
        hash.word(contact.id());
        for part in contact.parts {
            hash.word(u64::from(part));
        }
        for feature in [contact.contact.feature_a, contact.contact.feature_b] {
            hash.word((feature.kind as u64) << 32 | u64::from(feature.index));
        }
    }
    hash.numbers(history.as_flattened());
    hash.value()
}

fn add_shape(hash: &mut Hash, shape: &Shape) {
    for part in shape.parts() {
        hash.numbers(&part.pose.to_numbers());
        match &part.element {
            Element::Rounded(rounded) => {
                hash.word(1);
                hash.numbers(&[rounded.radius()]);
                hash.numbers(rounded.core().vertices().as_flattened());
            }
            Element::HalfSpace(normal) => {
                hash.word(2);
                hash.numbers(normal);
            }
            Element::Mesh(mesh) => {
                hash.word(3 + u64::from(mesh.is_solid()));
                hash.numbers(mesh.mesh().vertices().as_flattened());
                for &v in mesh.mesh().faces().as_flattened() {
                    hash.word(u64::from(v));
                }
            }
        }
    }
}
