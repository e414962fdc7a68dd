//! The contacts of the spheres of a chunk, in the order in which their forces are summed: by row, then
//! by the id of the other sphere and its image.
//!
//! They are one flat array, so that sums run over it without a branch per sphere. A contact that begins
//! or ends moves what follows it in the chunk.

use super::body_chunk::ROWS;
use super::contact_block::{BLOCK_BITS, Change, ContactBlock};
use super::pair_list::place;

/// No slot.
pub(crate) const NO_SLOT: u32 = u32::MAX;

/// A contact of a sphere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The slot of the pair, times two, plus one if the sphere is the second of the pair.
    pub side_of_slot: u32,
    /// The row within the chunk.
    pub row: u32,
}

impl Entry {
    #[inline(always)]
    pub fn slot(self) -> u32 {
        self.side_of_slot >> 1
    }

    #[inline(always)]
    pub fn side(self) -> usize {
        (self.side_of_slot & 1) as usize
    }
}

/// Blocks by their number: those of pairs of different parts, and those of one part.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a> {
    pub shared: &'a [ContactBlock],
    pub own: &'a [ContactBlock],
    /// The number of the first of `own`.
    pub first: usize,
}

impl<'a> Blocks<'a> {
    fn block(&self, number: usize) -> &'a ContactBlock {
        match number < self.shared.len() {
            true => &self.shared[number],
            false => &self.own[number - self.first],
        }
    }

    /// The order of the contacts of a sphere: by the id of the other, then the image.
    fn key(&self, ids: &[u64], entry: Entry) -> (u64, [i8; 3], usize) {
        let (block, index) = place(entry.slot());
        let block = self.block(block);
        let other = block.pairs[index][1 - entry.side()];
        (ids[other as usize], block.image(index), entry.side())
    }
}

/// The contacts of chunks of rows, from the row `first` on.
pub(crate) struct RowContacts<'a> {
    pub first: usize,
    /// Those of each chunk.
    pub chunks: &'a mut [Vec<Entry>],
    /// The ids of all rows.
    pub ids: &'a [u64],
}

impl RowContacts<'_> {
    /// Takes over which pairs of a block began and ended to touch.
    pub fn apply(&mut self, blocks: &Blocks<'_>, number: usize, changes: &[Change]) {
        for change in changes {
            let slot = (number << BLOCK_BITS) as u32 + change.index;
            let pair = blocks.block(number).pairs[change.index as usize];
            for (side, row) in (0u32..).zip(pair) {
                let row = row as usize - self.first;
                let entry = Entry {
                    side_of_slot: slot << 1 | side,
                    row: (row % ROWS) as u32,
                };
                let entries = &mut self.chunks[row / ROWS];
                let begin = entries.partition_point(|other| other.row < entry.row);
                let rest = &entries[begin..];
                let count = rest.iter().take_while(|other| other.row == entry.row);
                let same = &rest[..count.count()];
                if change.began {
                    let key = blocks.key(self.ids, entry);
                    let at = same.partition_point(|&other| blocks.key(self.ids, other) < key);
                    entries.insert(begin + at, entry);
                } else if let Some(at) = same.iter().position(|&other| other == entry) {
                    entries.remove(begin + at);
                }
            }
        }
    }
}

/// Lists the contacts of all rows, chunk by chunk.
pub(crate) fn list_all(blocks: &[ContactBlock], ids: &[u64], chunks: &mut Vec<Vec<Entry>>) {
    chunks.resize_with(ids.len().div_ceil(ROWS), Vec::new);
    for chunk in &mut *chunks {
        chunk.clear();
    }
    for (number, block) in blocks.iter().enumerate() {
        for (index, _) in block.touching() {
            let slot = (number << BLOCK_BITS | index) as u32;
            for (side, row) in (0u32..).zip(block.pairs[index]) {
                chunks[row as usize / ROWS].push(Entry {
                    side_of_slot: slot << 1 | side,
                    row: row % ROWS as u32,
                });
            }
        }
    }
    let blocks = Blocks {
        shared: blocks,
        own: &[],
        first: blocks.len(),
    };
    for chunk in chunks {
        chunk.sort_by_cached_key(|&entry| (entry.row, blocks.key(ids, entry)));
    }
}

/// Sets the new slot of each old one, and removes contacts without one.
pub(crate) fn renumber(chunks: &mut [Vec<Entry>], slots: &[u32]) {
    for chunk in chunks {
        chunk.retain_mut(|entry| {
            let slot = slots[entry.slot() as usize];
            entry.side_of_slot = slot << 1 | entry.side() as u32;
            slot != NO_SLOT
        });
    }
}
