//! Fills the blocks of a new list with pairs: those that have a law, the sphere of lower id first.

use super::clumps::NO_CLUMP;
use super::columns::Columns;
use super::contact_block::{BLOCK, BLOCK_BITS, ContactBlock};
use super::pair_list::block_and_index;
use crate::setup::{Exclusion, Setup};
use crate::vector::Vector;
use std::ops::Range;

/// Blocks that are being filled with pairs.
pub(super) struct Filling<'a> {
    pub blocks: &'a mut Vec<ContactBlock>,
    /// The number of blocks with pairs.
    pub used: usize,
    pub count: &'a mut usize,
    pub filter: Filter<'a>,
    pub has_images: bool,
    pub has_laws: bool,
    /// Whether the next pair begins a new block.
    pub is_full: bool,
}

impl Filling<'_> {
    /// Leaves blocks empty.
    pub fn spare(&mut self, count: usize) -> Range<usize> {
        let begin = self.used;
        self.used += count;
        while self.blocks.len() < self.used {
            self.blocks.push(ContactBlock::default());
        }
        self.is_full = true;
        begin..self.used
    }

    /// Goes on with a new block.
    pub fn begin(&mut self) {
        self.is_full = true;
    }

    /// The slot of the next pair.
    pub fn next_slot(&self) -> u32 {
        match self.is_full || self.used == 0 || self.blocks[self.used - 1].pairs.len() == BLOCK {
            true => (self.used << BLOCK_BITS) as u32,
            false => {
                let last = self.used - 1;
                (last << BLOCK_BITS | self.blocks[last].pairs.len()) as u32
            }
        }
    }

    /// Adds a pair of rows, of which the first is the lower one, if it has a law.
    #[inline]
    pub fn push(&mut self, rows: [u32; 2], image: [i32; 3]) {
        let Some(law) = self.filter.law(rows) else {
            return;
        };
        let (rows, image) = by_ids(&self.filter.columns.ids, rows, image);
        let (number, _) = block_and_index(self.next_slot());
        if number >= self.used {
            self.used = number + 1;
            if number >= self.blocks.len() {
                self.blocks.push(ContactBlock::default());
            }
        }
        self.is_full = false;
        let block = &mut self.blocks[number];
        block.pairs.push(rows);
        if self.has_images {
            let [i, j, k] = image.map(|n| n as i8);
            block.images.push([i, j, k, 0]);
            block.has_images |= image != [0; 3];
        }
        if self.has_laws {
            block.laws.push(law as u16);
        }
        *self.count += 1;
    }
}

/// A pair of rows and the image of the second, such that the first has the lower id.
#[inline]
pub(super) fn by_ids(ids: &[u64], rows: [u32; 2], image: [i32; 3]) -> ([u32; 2], [i32; 3]) {
    let [i, j] = rows.map(|row| ids[row as usize]);
    // Rows are in no order of ids: a branch would be guessed wrong half of the time.
    let is_swapped = usize::from(i > j);
    let sign = 1 - 2 * is_swapped as i32;
    let rows = [rows[is_swapped], rows[1 - is_swapped]];
    (rows, image.map(|n| sign * n))
}

/// Which pairs have a law.
pub(super) struct Filter<'a> {
    columns: &'a Columns,
    setup: &'a Setup,
    is_plain: bool,
    has_frozen: bool,
}

impl<'a> Filter<'a> {
    pub(super) fn new(columns: &'a Columns, setup: &'a Setup) -> Self {
        let laws = &setup.laws;
        Self {
            columns,
            setup,
            is_plain: laws.laws.len() == 1
                && laws.table.iter().all(Option::is_some)
                && setup.excluded.is_empty(),
            has_frozen: columns.lines.iter().any(|line| line.motion[3] == 0.0),
        }
    }

    /// The law of two rows; none if they do not touch, or both are frozen.
    #[inline]
    pub(super) fn law(&self, [a, b]: [u32; 2]) -> Option<u32> {
        let (a, b) = (a as usize, b as usize);
        let columns = self.columns;
        let is_frozen = |row: usize| columns.lines[row].motion[3] == 0.0;
        if self.has_frozen && is_frozen(a) && is_frozen(b) {
            return None;
        }
        if let (Some(&first), Some(&second)) = (columns.clumps.get(a), columns.clumps.get(b))
            && first == second
            && first != NO_CLUMP
        {
            return None;
        }
        if self.is_plain {
            return Some(0);
        }
        let laws = &self.setup.laws;
        let kinds = [columns.kinds[a], columns.kinds[b]];
        let groups = [columns.groups[a], columns.groups[b]];
        for exclusion in &self.setup.excluded {
            let is_excluded = match *exclusion {
                Exclusion::Groups(g, h) => {
                    groups[0] & g != 0 && groups[1] & h != 0
                        || groups[0] & h != 0 && groups[1] & g != 0
                }
                Exclusion::Kinds(k, l) => kinds == [k, l] || kinds == [l, k],
            };
            if is_excluded {
                return None;
            }
        }
        let [i, j] = kinds.map(|kind| kind as usize);
        laws.table.get(i * laws.kinds + j).copied().flatten()
    }
}

/// The image of the second place that is nearest to the first, in a cell with right angles.
pub(super) fn nearest_image(setup: &Setup, [a, b]: [Vector; 2]) -> [i32; 3] {
    std::array::from_fn(|k| {
        let (way, half) = (b[k] - a[k], 0.5 * setup.cell.edges[k][k]);
        match setup.cell.periodic[k] {
            // Both are in the cell, or near it.
            true => i32::from(way < 0.0 - half) - i32::from(way > half),
            false => 0,
        }
    })
}
