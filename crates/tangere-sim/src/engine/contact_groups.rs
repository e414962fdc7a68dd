//! The pairs of a block that touch: packed in groups of eight of one law, with what they keep in lanes.
//!
//! A pair that begins to touch takes the next free lane and has it until the next list is made: contacts of
//! a dense packing open and close all the time, and a pair that parts may touch again in the next step. The
//! results of a pair that has a lane and does not touch are 0, which no sum notices. The results of a group
//! are eight lines of the block, in the order of its lanes: so results of few contacts among many candidates
//! take little memory, and both bodies find them at a place that stays.

use crate::laws::account::{COLUMNS, FRESH};
use tangere::simd::LANES;

/// What a pair keeps: its spring of friction and contact radius, those of rolling and twisting, and its
/// account, if there is a ledger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kept {
    pub shear: [f64; 4],
    pub roll: [f64; 4],
    pub account: [f64; COLUMNS],
}

impl Kept {
    /// What a pair keeps that begins to touch.
    pub const FRESH: Self = Self {
        shear: [0.0; 4],
        roll: [0.0; 4],
        account: FRESH,
    };
}

/// Eight pairs that touch. Lanes without a pair have rows of another one.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Group {
    /// Springs of friction and contact radii.
    pub shear: [[f64; LANES]; 4],
    /// The rows of the first and of the second spheres.
    pub rows: [[u32; LANES]; 2],
    /// The numbers of the pairs within their block.
    pub indices: [u32; LANES],
    /// The number of lanes with a pair, the first ones.
    pub taken: u32,
    /// The bits of the lanes whose pair touches.
    pub touching: u32,
    /// The line of the results of the first lane.
    pub line: u32,
}

/// Pairs that touch, of one law.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    /// The number of pairs that touch.
    pub count: usize,
    pub groups: Vec<Group>,
    /// Springs of rolling and twisting of each group, if the law has them.
    pub rolls: Vec<[[f64; LANES]; 4]>,
    pub resists_rotation: bool,
    /// Accounts of each group, if there is a ledger.
    pub accounts: Vec<[[f64; LANES]; COLUMNS]>,
    pub has_ledger: bool,
}

/// Where a contact is: the number of its group, and its lane.
pub(crate) type Seat = (usize, usize);

impl Contacts {
    pub fn clear(&mut self) {
        self.count = 0;
        self.groups.clear();
        self.rolls.clear();
        self.accounts.clear();
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
        let roll = self.rolls.get(number);
        let account = self.accounts.get(number);
        Kept {
            shear: self.groups[number].shear.map(|values| values[lane]),
            roll: roll.map_or([0.0; 4], |roll| roll.map(|values| values[lane])),
            account: account.map_or(FRESH, |account| account.map(|values| values[lane])),
        }
    }

    /// Adds a pair that touches, whose number within its block is `index`. A new group has its results at
    /// `line`. Returns the line of the results of the pair.
    pub fn add(&mut self, index: u32, rows: [u32; 2], kept: &Kept, line: u32) -> u32 {
        let is_full = |group: &Group| group.taken as usize == LANES;
        if self.groups.last().is_none_or(is_full) {
            self.groups.push(Group {
                shear: [[0.0; LANES]; 4],
                rows: rows.map(|row| [row; LANES]),
                indices: [index; LANES],
                taken: 0,
                touching: 0,
                line,
            });
            if self.resists_rotation {
                self.rolls.push([[0.0; LANES]; 4]);
            }
            if self.has_ledger {
                self.accounts.push(FRESH.map(|value| [value; LANES]));
            }
        }
        let number = self.groups.len() - 1;
        let group = &mut self.groups[number];
        let lane = group.taken as usize;
        group.taken += 1;
        group.touching |= 1 << lane;
        self.count += 1;
        group.indices[lane] = index;
        for side in 0..2 {
            group.rows[side][lane] = rows[side];
        }
        for k in 0..4 {
            group.shear[k][lane] = kept.shear[k];
        }
        if let Some(rolls) = self.rolls.get_mut(number) {
            for k in 0..4 {
                rolls[k][lane] = kept.roll[k];
            }
        }
        if let Some(accounts) = self.accounts.get_mut(number) {
            for k in 0..COLUMNS {
                accounts[k][lane] = kept.account[k];
            }
        }
        group.line + lane as u32
    }
}
