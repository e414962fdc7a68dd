//! The pairs of a block that touch: packed in groups of eight of one law, with what they keep in lanes.
//!
//! A pair that begins to touch takes the next free lane and has it until the next list is made: contacts of
//! a dense packing open and close all the time, and a pair that parts may touch again in the next step. The
//! results of a pair that has a lane and does not touch are 0, which no sum notices. The results of a group
//! are eight lines, in the order of its lanes, at a place that stays ([`super::results`]).
//!
//! What is read and written in every step is five cache lines a group: what only some laws keep, and what only
//! observers read, is in columns of its own.

use crate::laws::account::{COLUMNS, FRESH};
use crate::laws::{Law, Tangential};
use crate::state::PairAccount;
use tangere::simd::LANES;

/// What a pair keeps: its spring of friction and contact radius, those of rolling and twisting, and its
/// account, if there is a ledger, with the results of the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Kept {
    pub shear: [f64; 4],
    pub roll: [f64; 4],
    pub account: PairAccount,
}

/// Eight pairs that touch. Lanes without a pair have rows of another one.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Group {
    /// Springs of friction.
    pub shear: [[f64; LANES]; 3],
    /// The rows of the first and of the second spheres.
    pub rows: [[u32; LANES]; 2],
    /// The images of the second spheres, and 0.
    pub images: [[i8; 4]; LANES],
    /// The numbers of the pairs within their block.
    pub indices: [u16; LANES],
    /// The line of the results of the first lane.
    pub line: u32,
    /// The number of lanes with a pair, the first ones.
    pub taken: u8,
    /// The bits of the lanes whose pair touches.
    pub touching: u8,
}

/// By how many groups memory grows.
const GROWTH: usize = 16;

/// Pairs that touch, of one law.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    /// The number of pairs that touch.
    pub count: usize,
    pub groups: Vec<Group>,
    /// Contact radii of each group, if the law rescales springs of friction.
    pub radii: Vec<[f64; LANES]>,
    pub rescales: bool,
    /// Springs of rolling and twisting of each group, if the law has them.
    pub rolls: Vec<[[f64; LANES]; 4]>,
    pub resists_rotation: bool,
    /// Accounts of each group, if there is a ledger.
    pub accounts: Vec<[[f64; LANES]; COLUMNS]>,
    pub has_ledger: bool,
    /// Forces and torques of resistance of each group in the last step, if there is a ledger; forces, too,
    /// after a step whose end is observed.
    pub forces: Vec<[[f64; LANES]; 3]>,
    pub resistances: Vec<[[f64; LANES]; 3]>,
}

/// Where a contact is: the number of its group, and its lane.
pub(crate) type Seat = (usize, usize);

/// The entries of a lane; those of `or` if the column is not kept.
fn lane_of<const N: usize>(
    column: Option<&[[f64; LANES]; N]>,
    lane: usize,
    or: [f64; N],
) -> [f64; N] {
    column.map_or(or, |values| values.map(|values| values[lane]))
}

fn set_lane<const N: usize>(column: Option<&mut [[f64; LANES]; N]>, lane: usize, to: [f64; N]) {
    for (values, x) in column.into_iter().flatten().zip(to) {
        values[lane] = x;
    }
}

impl Contacts {
    /// Sets which columns are kept.
    pub fn keep(&mut self, law: &Law, has_ledger: bool) {
        self.resists_rotation = law.resists_rotation();
        self.rescales = matches!(law.tangential, Tangential::Spring(spring) if spring.rescales);
        self.has_ledger = has_ledger;
    }

    pub fn clear(&mut self) {
        self.count = 0;
        self.groups.clear();
        self.radii.clear();
        self.rolls.clear();
        self.accounts.clear();
        self.forces.clear();
        self.resistances.clear();
    }

    /// Sets the image of a pair that has a lane, by its number within the block.
    pub fn set_image(&mut self, index: usize, image: [i8; 4]) {
        for group in &mut self.groups {
            let lanes = group.indices.iter().zip(&mut group.images);
            // Lanes without a pair have the number of another one, and its image.
            for (_, own) in lanes.filter(|(own, _)| usize::from(**own) == index) {
                *own = image;
            }
        }
    }

    /// The seats of all pairs that touch.
    pub fn seats(&self) -> impl Iterator<Item = Seat> {
        let groups = self.groups.iter().enumerate();
        groups.flat_map(|(number, group)| {
            let lanes = (0..LANES).filter(|lane| group.touching >> lane & 1 == 1);
            lanes.map(move |lane| (number, lane))
        })
    }

    /// What a pair keeps.
    pub fn kept(&self, (number, lane): Seat) -> Kept {
        let [x, y, z] = self.groups[number].shear.map(|values| values[lane]);
        let radius = self.radii.get(number).map_or(0.0, |values| values[lane]);
        Kept {
            shear: [x, y, z, radius],
            roll: lane_of(self.rolls.get(number), lane, [0.0; 4]),
            account: PairAccount {
                columns: lane_of(self.accounts.get(number), lane, FRESH),
                force: lane_of(self.forces.get(number), lane, [0.0; 3]),
                resistance: lane_of(self.resistances.get(number), lane, [0.0; 3]),
            },
        }
    }

    /// Adds a pair that touches, whose number within its block is `index`. A new group has its results at
    /// `line`. Returns the line of the results of the pair.
    pub fn add(
        &mut self,
        index: u16,
        rows: [u32; 2],
        image: [i8; 4],
        kept: &Kept,
        line: u32,
    ) -> u32 {
        let is_full = |group: &Group| usize::from(group.taken) == LANES;
        if self.groups.last().is_none_or(is_full) {
            if self.groups.len() == self.groups.capacity() {
                // By little: all groups together are a large part of the memory.
                self.groups.reserve_exact(GROWTH);
            }
            self.groups.push(Group {
                shear: [[0.0; LANES]; 3],
                rows: rows.map(|row| [row; LANES]),
                images: [image; LANES],
                indices: [index; LANES],
                taken: 0,
                touching: 0,
                line,
            });
            if self.rescales {
                self.radii.push([0.0; LANES]);
            }
            if self.resists_rotation {
                self.rolls.push([[0.0; LANES]; 4]);
            }
            if self.has_ledger {
                self.accounts.push(FRESH.map(|value| [value; LANES]));
                self.forces.push([[0.0; LANES]; 3]);
                if self.resists_rotation {
                    self.resistances.push([[0.0; LANES]; 3]);
                }
            }
        }
        let number = self.groups.len() - 1;
        let group = &mut self.groups[number];
        let lane = usize::from(group.taken);
        group.taken += 1;
        group.touching |= 1 << lane;
        self.count += 1;
        group.indices[lane] = index;
        group.images[lane] = image;
        for side in 0..2 {
            group.rows[side][lane] = rows[side];
        }
        let [x, y, z, radius] = kept.shear;
        set_lane(Some(&mut group.shear), lane, [x, y, z]);
        if let Some(radii) = self.radii.get_mut(number) {
            radii[lane] = radius;
        }
        set_lane(self.rolls.get_mut(number), lane, kept.roll);
        set_lane(self.accounts.get_mut(number), lane, kept.account.columns);
        if self.has_ledger {
            set_lane(self.forces.get_mut(number), lane, kept.account.force);
            set_lane(
                self.resistances.get_mut(number),
                lane,
                kept.account.resistance,
            );
        }
        group.line + lane as u32
    }
}
