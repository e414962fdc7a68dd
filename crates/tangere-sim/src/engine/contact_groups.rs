//! The pairs of a block that touch, of one law: packed in groups of eight, with what they keep in lanes.
//!
//! Their order has no meaning: the last takes the place of one that parts.

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
}

/// Pairs that touch, of one law.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    pub count: usize,
    pub groups: Vec<Group>,
    /// Springs of rolling and twisting of each group, if the law has them.
    pub rolls: Vec<[[f64; LANES]; 4]>,
    pub resists_rotation: bool,
    /// Accounts of each group, if there is a ledger.
    pub accounts: Vec<[[f64; LANES]; COLUMNS]>,
    pub has_ledger: bool,
}

impl Contacts {
    pub fn clear(&mut self) {
        self.count = 0;
        self.groups.clear();
        self.rolls.clear();
        self.accounts.clear();
    }

    /// The number of a pair within its block.
    pub fn index(&self, at: usize) -> u32 {
        self.groups[at / LANES].indices[at % LANES]
    }

    /// What a pair keeps.
    pub fn kept(&self, at: usize) -> Kept {
        let (group, lane) = (at / LANES, at % LANES);
        let roll = self.rolls.get(group);
        let account = self.accounts.get(group);
        Kept {
            shear: self.groups[group].shear.map(|values| values[lane]),
            roll: roll.map_or([0.0; 4], |roll| roll.map(|values| values[lane])),
            account: account.map_or(FRESH, |account| account.map(|values| values[lane])),
        }
    }

    pub fn push(&mut self, index: u32, rows: [u32; 2], kept: &Kept) {
        if self.count == self.groups.len() * LANES {
            self.groups.push(Group {
                shear: [[0.0; LANES]; 4],
                rows: rows.map(|row| [row; LANES]),
                indices: [index; LANES],
            });
            if self.resists_rotation {
                self.rolls.push([[0.0; LANES]; 4]);
            }
            if self.has_ledger {
                self.accounts.push(FRESH.map(|value| [value; LANES]));
            }
        }
        self.count += 1;
        self.set(self.count - 1, index, rows, kept);
    }

    /// Removes a pair; the last one takes its place.
    pub fn swap_remove(&mut self, at: usize) {
        let last = self.count - 1;
        let rows = self.groups[last / LANES]
            .rows
            .map(|rows| rows[last % LANES]);
        self.set(at, self.index(last), rows, &self.kept(last));
        self.count = last;
        let groups = last.div_ceil(LANES);
        self.groups.truncate(groups);
        self.rolls.truncate(groups);
        self.accounts.truncate(groups);
    }

    fn set(&mut self, at: usize, index: u32, rows: [u32; 2], kept: &Kept) {
        let lane = at % LANES;
        let group = &mut self.groups[at / LANES];
        group.indices[lane] = index;
        for side in 0..2 {
            group.rows[side][lane] = rows[side];
        }
        for k in 0..4 {
            group.shear[k][lane] = kept.shear[k];
        }
        if let Some(rolls) = self.rolls.get_mut(at / LANES) {
            for k in 0..4 {
                rolls[k][lane] = kept.roll[k];
            }
        }
        if let Some(accounts) = self.accounts.get_mut(at / LANES) {
            for k in 0..COLUMNS {
                accounts[k][lane] = kept.account[k];
            }
        }
    }
}
