//! The contacts of the spheres of a chunk, in the order in which their forces are summed: by row, then
//! by the id of the other sphere and its image.
//!
//! They are one flat array, so that sums run over it without a branch per sphere. New contacts move what
//! follows them in the chunk; one that ends stays until the next list is made, with results that are 0.

use super::body_chunk::ROWS;
use super::contact_block::{ContactBlock, LINE_BITS, NewContact};

/// By how many entries at least the memory of a chunk grows.
const SPARE: usize = 32;

/// No place.
pub(crate) const NO_PLACE: u32 = u32::MAX;

/// The place of a line of results of a block.
#[inline(always)]
pub(crate) fn place(block: usize, line: u32) -> u32 {
    (block as u32) << LINE_BITS | line
}

/// A contact of a sphere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The place of the results of the pair.
    pub place: u32,
    /// The row within the chunk.
    pub row: u16,
    /// Whether the sphere is the first (0) or second (1) of the pair.
    pub side: u16,
}

impl Entry {
    /// Of the place, the block and the line within it.
    #[inline(always)]
    pub fn block_and_line(self) -> (usize, usize) {
        let line = self.place & ((1 << LINE_BITS) - 1);
        ((self.place >> LINE_BITS) as usize, line as usize)
    }

    #[inline(always)]
    pub fn side(self) -> usize {
        usize::from(self.side)
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
    #[inline(always)]
    pub fn block(&self, number: usize) -> &'a ContactBlock {
        match number < self.shared.len() {
            true => &self.shared[number],
            false => &self.own[number - self.first],
        }
    }

    /// The order of the contacts of a sphere: by the id of the other, then the image.
    fn key(&self, ids: &[u64], entry: Entry) -> (u64, [i8; 3], usize) {
        let (block, line) = entry.block_and_line();
        let block = self.block(block);
        let index = block.index_of(line);
        let other = block.pairs[index][1 - entry.side()];
        (ids[other as usize], block.image(index), entry.side())
    }
}

/// The contacts of chunks of rows, from the row `first` on.
pub(crate) struct RowContacts<'a> {
    pub first: usize,
    /// Those of each chunk.
    pub chunks: &'a mut [Vec<Entry>],
    /// New ones of each chunk, in no order.
    pub new: &'a mut [Vec<Entry>],
    /// The ids of all rows.
    pub ids: &'a [u64],
}

impl RowContacts<'_> {
    /// Notes the new contacts of a block.
    pub fn note(&mut self, pairs: &[[u32; 2]], number: usize, begun: &[NewContact]) {
        for contact in begun {
            for (side, row) in (0..).zip(pairs[contact.index as usize]) {
                let row = row as usize - self.first;
                self.new[row / ROWS].push(Entry {
                    place: place(number, contact.line),
                    row: (row % ROWS) as u16,
                    side,
                });
            }
        }
    }

    /// Adds the new contacts of a chunk to the others, which move only once.
    pub fn add(&mut self, blocks: &Blocks<'_>, chunk: usize) {
        let new = &mut self.new[chunk];
        if new.is_empty() {
            return;
        }
        // Most spheres begin one contact at a time, for which no keys are found, far apart in memory.
        let key = |entry: &Entry| blocks.key(self.ids, *entry);
        let rows_then_keys =
            |a: &Entry, b: &Entry| (a.row.cmp(&b.row)).then_with(|| key(a).cmp(&key(b)));
        new.sort_unstable_by(rows_then_keys);
        let entries = &mut self.chunks[chunk];
        let mut end = entries.len();
        if entries.capacity() - end < new.len() {
            entries.reserve_exact(new.len().max(SPARE));
        }
        entries.extend_from_slice(new);
        for (before, &entry) in new.iter().enumerate().rev() {
            let begin = entries[..end].partition_point(|other| other.row < entry.row);
            let rest = &entries[begin..end];
            let count = rest.iter().take_while(|other| other.row == entry.row);
            let same = &rest[..count.count()];
            let at = match same {
                [] => begin,
                _ => {
                    let own = key(&entry);
                    begin + same.partition_point(|other| key(other) < own)
                }
            };
            entries.copy_within(at..end, at + before + 1);
            entries[at + before] = entry;
            end = at;
        }
        // Many begin in the first step alone.
        *new = Vec::new();
    }
}

/// Lists the contacts of all rows, chunk by chunk.
pub(crate) fn list_all(blocks: &[ContactBlock], ids: &[u64], chunks: &mut Vec<Vec<Entry>>) {
    chunks.resize_with(ids.len().div_ceil(ROWS), Vec::new);
    let mut counts = vec![0; chunks.len()];
    for (index, block) in blocks
        .iter()
        .flat_map(|block| block.touching().map(move |of| (of.0, block)))
    {
        for row in block.pairs[index] {
            counts[row as usize / ROWS] += 1;
        }
    }
    for (chunk, count) in chunks.iter_mut().zip(counts) {
        chunk.clear();
        if chunk.capacity() < count {
            chunk.reserve_exact(count + SPARE);
        }
    }
    for (number, block) in blocks.iter().enumerate() {
        for (index, line, _) in block.touching() {
            for (side, row) in (0..).zip(block.pairs[index]) {
                chunks[row as usize / ROWS].push(Entry {
                    place: place(number, line),
                    row: (row % ROWS as u32) as u16,
                    side,
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

/// Sets the new place of each old one, and removes contacts without one. Those of a block are at
/// `firsts[block]` and following.
pub(crate) fn renumber(chunks: &mut [Vec<Entry>], firsts: &[u32], places: &[u32]) {
    for chunk in chunks {
        chunk.retain_mut(|entry| {
            let (block, line) = entry.block_and_line();
            entry.place = places[firsts[block] as usize + line];
            entry.place != NO_PLACE
        });
    }
}
