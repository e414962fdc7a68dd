//! The list of candidate pairs: every pair within a skin of touching, kept while spheres move less than
//! half of it, with the contacts of each sphere in the order of the other's id.
//!
//! A pair has a slot, its place in the list. When the list is made anew, what contacts keep moves along.
//! Pairs that touch are listed twice, with each of their spheres ([`super::row_contacts`]).

use super::body_chunk::{BUNCH, ROWS};
use super::columns::Columns;
use super::contact_block::{BLOCK, BLOCK_BITS, ContactBlock, LINE_BITS, Seated};
use super::contact_groups::{Contacts, Kept};
use super::filling::{Filling, Filter};
use super::results::{Results, Turn};
use super::row_contacts::{Entry, NO_PLACE, RowContacts, list_all, place, renumber};
use super::search::Search;
use super::strays::Strays;
use crate::error::{Error, Result};
use crate::laws::Law;
use crate::setup::Setup;
use crate::state::PairHistory;
use rayon::prelude::*;
use std::ops::Range;
use tangere::simd::LANES;

/// The part of all lanes that may be spare, as a divisor.
const SPARE: usize = 4;

/// The number of rows for which there is a spare block.
const ROWS_OF_SPARE: usize = 2048;

/// The number of chunks of rows after which a pair is far: pairs within a layer of cells and the next ones are near
/// ([`super::columns`]), those of different columns and across a periodic border are far as a rule.
const NEAR: usize = 6;

/// The contacts that move from one list to the next.
#[derive(Default)]
struct Carriage {
    /// The contacts of each block of the last list, by laws. Their memory is freed one after the other, while
    /// that of new ones is allocated.
    contacts: Vec<Vec<Contacts>>,
    /// For each block of the last list, where the new places of its lines of results begin.
    firsts: Vec<u32>,
    /// New places.
    places: Vec<u32>,
    /// The contacts of a block.
    seated: Vec<Seated>,
}

/// A part of the rows, whose pairs among themselves are the work of one thread.
///
/// Pairs are listed by their lower row. So once the blocks up to some row are done, all contacts of the
/// rows before it are known, and nothing needs the positions of these rows any more: their forces can be
/// summed and they can move on while all that they need is in the cache.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// Its rows: whole chunks.
    pub rows: Range<usize>,
    /// Its blocks: spare ones, far ones, near ones.
    pub blocks: Range<usize>,
    /// Blocks for pairs of the part that are added.
    pub spare: Range<usize>,
    /// Blocks of pairs whose spheres are far from each other in the order of rows.
    pub far: Range<usize>,
    /// Blocks of the others, whose results share memory.
    pub near: Range<usize>,
    /// For each of its chunks, the ends of the blocks that must be done before: near ones, far ones.
    pub needed: Vec<[usize; 2]>,
}

impl Part {
    /// Whether the spheres of a pair, the lower row first, are far from each other.
    #[inline]
    fn is_far([a, b]: [u32; 2]) -> bool {
        b as usize / ROWS > a as usize / ROWS + NEAR
    }
}

/// A pair that touches: its block, the number within it, and what it keeps.
type Touching<'a> = (&'a ContactBlock, usize, Kept);

/// The list.
#[derive(Default)]
pub(crate) struct PairList {
    /// First the blocks of pairs of different parts, then spare ones for such pairs that are added, then those
    /// of each part.
    pub blocks: Vec<ContactBlock>,
    /// The number of blocks of pairs of different parts.
    pub sorted: usize,
    /// The number of these and of spare blocks.
    pub shared: usize,
    /// Spheres whose pairs were added since the list was made.
    pub(super) strays: Strays,
    pub parts: Vec<Part>,
    /// The results of shared blocks, and of those of each part.
    pub shared_results: Results,
    pub results: Vec<Results>,
    /// The number of pairs.
    pub count: usize,
    /// Whether pairs have accounts.
    pub has_ledger: bool,
    /// The contacts of the rows of each chunk.
    pub row_contacts: Vec<Vec<Entry>>,
    /// New contacts of these rows, in no order.
    pub new_contacts: Vec<Vec<Entry>>,
    carriage: Carriage,
    /// The first slot of each row within its part.
    pub(super) firsts: Vec<u32>,
    /// Scratch memory of blocks.
    seen: Vec<(u32, u32)>,
}

/// The block and the number within it of a slot.
pub(super) fn block_and_index(slot: u32) -> (usize, usize) {
    ((slot >> BLOCK_BITS) as usize, slot as usize & (BLOCK - 1))
}

impl PairList {
    /// All pairs that touch.
    pub fn touching(&self) -> impl Iterator<Item = Touching<'_>> {
        self.blocks.iter().flat_map(|block| {
            let touching = block.touching();
            touching.map(move |(index, _, kept)| (block, index, kept))
        })
    }

    /// Makes the list anew for the present positions: all pairs with a gap of at most `skin`. `moved` has the
    /// new row of each row of the old list, if rows were sorted since.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn make(
        &mut self,
        search: &mut Search,
        columns: &Columns,
        setup: &Setup,
        skin: f64,
        moved: Option<&[u32]>,
    ) -> Result<()> {
        search.run(columns, setup, skin)?;
        self.board();
        for block in &mut self.blocks {
            block.clear();
        }
        self.count = 0;
        self.parts = search.parts(columns.len());
        let mut filling = Filling {
            blocks: &mut self.blocks,
            used: 0,
            count: &mut self.count,
            filter: Filter::new(columns, setup),
            has_images: setup.cell.is_periodic(),
            has_laws: setup.laws.laws.len() > 1,
            is_full: true,
        };
        let limits: Vec<u32> = self.parts.iter().map(|part| part.rows.end as u32).collect();
        let part_of = |row: u32| limits.partition_point(|&end| end <= row);
        if self.parts.len() > 1 {
            filling.begin();
            let are_apart = |pair: [u32; 2]| part_of(pair[0]) != part_of(pair[1]);
            search.for_each(
                columns,
                setup,
                0..columns.len(),
                are_apart,
                |pair, image| {
                    filling.push(pair, image);
                },
            );
        }
        self.sorted = filling.used;
        if self.parts.len() > 1 {
            filling.spare(1 + columns.len() / ROWS_OF_SPARE);
        }
        self.shared = filling.used;
        self.strays.clear();
        let mut firsts = std::mem::take(&mut self.firsts);
        firsts.clear();
        for (number, part) in self.parts.iter_mut().enumerate() {
            let begin = filling.used;
            part.spare = filling.spare(1 + part.rows.len() / ROWS_OF_SPARE);
            let is_own = |pair: [u32; 2]| limits.len() == 1 || part_of(pair[1]) == number;
            let ends = part.rows.clone().skip(ROWS).step_by(ROWS);
            let mut far = filling.used..filling.used;
            let mut needed_far = Vec::with_capacity(ends.len() + 1);
            let far_pairs = |pair: [u32; 2]| Part::is_far(pair) && is_own(pair);
            filling.begin();
            search.for_each(
                columns,
                setup,
                part.rows.clone(),
                far_pairs,
                |pair, image| {
                    let chunk = (pair[0] as usize - part.rows.start) / ROWS;
                    while needed_far.len() < chunk {
                        needed_far.push(filling.used);
                    }
                    filling.push(pair, image);
                },
            );
            far.end = filling.used;
            needed_far.resize(ends.len() + 1, far.end);
            let near_pairs = |pair: [u32; 2]| !Part::is_far(pair) && is_own(pair);
            filling.begin();
            search.for_each(
                columns,
                setup,
                part.rows.clone(),
                near_pairs,
                |pair, image| {
                    while firsts.len() <= pair[0] as usize {
                        firsts.push(filling.next_slot());
                    }
                    filling.push(pair, image);
                },
            );
            while firsts.len() < part.rows.end {
                firsts.push(filling.next_slot());
            }
            part.blocks = begin..filling.used;
            part.near = far.end..filling.used;
            part.far = far;
            let needed = ends.map(|row| (firsts[row] as usize).div_ceil(BLOCK));
            let needed = needed.chain([filling.used]).zip(needed_far);
            part.needed = needed.map(|(near, far)| [near, far]).collect();
        }
        firsts.push(filling.next_slot());
        let used = filling.used;
        search.free(columns.len());
        self.blocks.truncate(used);
        self.seen.clear();
        self.seen.resize(columns.len().div_ceil(BUNCH), (0, 0));
        for (number, block) in (0..).zip(&mut self.blocks) {
            block.complete(&setup.laws.laws, self.has_ledger, number, &mut self.seen);
        }
        let most = 1 << (u32::BITS - LINE_BITS);
        if used >= most {
            return Err(Error::invalid(
                "pairs of spheres within the skin",
                self.count,
                format!("at most {}", most * BLOCK),
            ));
        }
        self.lay_out(&setup.laws.laws);
        self.alight(&firsts, moved);
        self.firsts = firsts;
        self.new_contacts
            .resize_with(columns.len().div_ceil(ROWS), Vec::new);
        match moved.is_some() || self.row_contacts.is_empty() {
            true => list_all(&self.blocks, &columns.ids, &mut self.row_contacts),
            // The order of contacts stays, their places change.
            false => renumber(
                &mut self.row_contacts,
                &self.carriage.firsts,
                &self.carriage.places,
            ),
        }
        Ok(())
    }

    /// Prepares memory for results: near blocks share theirs unless their turns overlap.
    pub(super) fn lay_out(&mut self, laws: &[Law]) {
        // Of each law a group may be taken in part.
        let lines = |pairs: usize| pairs.next_multiple_of(LANES) + LANES * laws.len().min(pairs);
        let has_resistances = laws.iter().any(Law::resists_rotation);
        let own = |blocks: Range<usize>| -> Vec<usize> {
            let blocks = self.blocks[blocks].iter();
            blocks.map(|block| lines(block.pairs.len())).collect()
        };
        self.shared_results
            .lay_out(&own(0..self.shared), &[], 0, has_resistances);
        self.results.resize_with(self.parts.len(), Results::default);
        for (part, results) in self.parts.iter().zip(&mut self.results) {
            let mut chunk = 0;
            let turn = |number: usize| {
                while part.needed[chunk][0] <= number {
                    chunk += 1;
                }
                let rows = self.blocks[number].pairs.iter().flatten();
                let last = rows.max().map_or(0, |&row| row as usize - part.rows.start);
                Turn {
                    first: chunk,
                    last: (last / ROWS).max(chunk),
                }
            };
            let turns: Vec<Turn> = part.near.clone().map(turn).collect();
            let own = own(part.blocks.start..part.near.start);
            results.lay_out(&own, &turns, lines(BLOCK), has_resistances);
        }
    }

    /// Takes away the lanes of pairs that do not touch any more where they are many: each costs as much as a
    /// contact.
    pub fn compact(&mut self) {
        let (mut lanes, mut touching) = (0, 0);
        for block in &self.blocks {
            let [own, of_contacts] = block.lanes();
            lanes += own;
            touching += of_contacts;
        }
        // Half a group of each block is free as a rule.
        let usual = touching + LANES / 2 * self.blocks.len();
        if lanes < usual + usual / SPARE {
            return;
        }
        let carriage = &mut self.carriage;
        carriage.firsts.clear();
        carriage.places.clear();
        for (number, block) in self.blocks.iter_mut().enumerate() {
            let first = carriage.places.len();
            carriage.firsts.push(first as u32);
            carriage.places.resize(first + block.lanes()[0], NO_PLACE);
            let places = &mut carriage.places[first..];
            block.compact(&mut carriage.seated, |old, new| {
                places[old as usize] = place(number, new);
            });
        }
        renumber(&mut self.row_contacts, &carriage.firsts, &carriage.places);
    }

    /// Takes the contacts out of their blocks before these are cleared.
    fn board(&mut self) {
        let carriage = &mut self.carriage;
        carriage.firsts.clear();
        let mut lines = 0;
        for block in &mut self.blocks {
            carriage.firsts.push(lines);
            lines += block.lanes()[0] as u32;
            carriage.contacts.push(std::mem::take(&mut block.contacts));
        }
        carriage.places.clear();
        carriage.places.resize(lines as usize, NO_PLACE);
    }

    /// Gives what contacts keep to those of the new blocks. `moved` has the new row of each old one.
    fn alight(&mut self, firsts: &[u32], moved: Option<&[u32]>) {
        let mut carriage = std::mem::take(&mut self.carriage);
        let blocks = carriage.contacts.drain(..).zip(&carriage.firsts);
        for (contacts, first) in
            blocks.flat_map(|(laws, first)| laws.into_iter().map(move |of| (of, first)))
        {
            for seat in contacts.seats() {
                let (group, lane) = (&contacts.groups[seat.0], seat.1);
                let rows = group.rows.map(|rows| rows[lane]);
                let rows = moved.map_or(rows, |moved| rows.map(|row| moved[row as usize]));
                let [i, j, k, _] = group.images[lane];
                let found = self.restore(firsts, rows, [i, j, k], &contacts.kept(seat));
                let at = (first + group.line) as usize + lane;
                carriage.places[at] = found.unwrap_or(NO_PLACE);
            }
        }
        self.carriage = carriage;
    }

    /// Sets what a pair keeps. `firsts` has the first slot of each row within its part. Returns the place of
    /// the results of the pair, if the list has it.
    fn restore(
        &mut self,
        firsts: &[u32],
        rows: [u32; 2],
        image: [i8; 3],
        kept: &Kept,
    ) -> Option<u32> {
        let (number, index) = self.find(firsts, rows, image)?;
        let block = &mut self.blocks[number];
        if block.has_touched(index) {
            return None;
        }
        Some(place(number, block.begin(index, kept)))
    }

    /// The block of a pair, and its number within it.
    pub(super) fn find(
        &self,
        firsts: &[u32],
        rows: [u32; 2],
        image: [i8; 3],
    ) -> Option<(usize, usize)> {
        // Pairs are listed by their lower row, whatever their ids.
        let (lower, higher) = (rows[0].min(rows[1]), rows[0].max(rows[1]));
        let is_before = |part: &Part| part.rows.end <= lower as usize;
        let part = self.parts.get(self.parts.partition_point(is_before))?;
        let blocks = match higher as usize >= part.rows.end {
            true => 0..self.sorted,
            false if Part::is_far([lower, higher]) => part.far.clone(),
            false => {
                // After the last row begins another part.
                let end = (part.near.end << BLOCK_BITS) as u32;
                let own = firsts[lower as usize]..firsts[lower as usize + 1].min(end);
                return self.find_among(own, rows, image);
            }
        };
        let sorted = (blocks.start << BLOCK_BITS) as u32..(blocks.end << BLOCK_BITS) as u32;
        let row_of = |slot: u32| {
            let (block, index) = block_and_index(slot);
            let pair = self.blocks[block].pairs.get(index);
            pair.map_or(u32::MAX, |&[a, b]| a.min(b))
        };
        let (mut low, mut high) = (sorted.start, sorted.end);
        while low < high {
            let middle = low + (high - low) / 2;
            match row_of(middle) < lower {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let mut end = low;
        while end < sorted.end && row_of(end) == lower {
            end += 1;
        }
        self.find_among(low..end, rows, image)
    }

    fn find_among(
        &self,
        slots: Range<u32>,
        rows: [u32; 2],
        image: [i8; 3],
    ) -> Option<(usize, usize)> {
        let mut places = slots.map(block_and_index);
        places.find(|&(number, index)| {
            let block = &self.blocks[number];
            block.pairs.get(index) == Some(&rows) && block.image(index) == image
        })
    }

    /// Sets what contacts keep; pairs that are not in the list are left out.
    pub fn set_histories(&mut self, columns: &Columns, histories: &[PairHistory]) {
        let by_id = columns.by_id();
        let row_of = |id: u64| {
            let found = by_id.binary_search_by_key(&id, |&row| columns.ids[row as usize]);
            found.ok().map(|at| by_id[at])
        };
        // The first slot of each row within its part; slots between parts are empty.
        let mut firsts = vec![0; columns.len() + 1];
        for part in &self.parts {
            let mut slot = (part.near.start << BLOCK_BITS) as u32;
            let end = (part.near.end << BLOCK_BITS) as u32;
            for row in part.rows.clone() {
                while slot < end {
                    let (block, index) = block_and_index(slot);
                    let pair = self.blocks[block].pairs.get(index);
                    if pair.is_none_or(|&[a, b]| a.min(b) as usize >= row) {
                        break;
                    }
                    slot += 1;
                }
                firsts[row] = slot;
            }
            firsts[part.rows.end] = end;
        }
        for history in histories {
            if let [Some(a), Some(b)] = history.ids.map(row_of) {
                let kept = Kept {
                    shear: history.shear,
                    roll: history.roll,
                    account: history.account.unwrap_or_default(),
                };
                self.restore(&firsts, [a, b], history.image, &kept);
            }
        }
        list_all(&self.blocks, &columns.ids, &mut self.row_contacts);
    }

    /// Notes the new contacts of pairs of different parts, for their spheres.
    pub fn note_shared_contacts(&mut self, columns: &Columns) {
        let mut contacts = RowContacts {
            first: 0,
            chunks: &mut self.row_contacts,
            new: &mut self.new_contacts,
            ids: &columns.ids,
        };
        for (number, block) in self.blocks[..self.shared].iter().enumerate() {
            contacts.note(&block.pairs, number, &block.begun);
        }
    }

    /// The number of shared blocks that have pairs, or have such a block behind them.
    pub fn busy(&self) -> usize {
        let shared = &self.blocks[..self.shared];
        let last = shared.iter().rposition(|block| !block.pairs.is_empty());
        last.map_or(0, |last| last + 1)
    }

    /// Changes the images of the pairs of rows that went into other cells, with the number of cells along each
    /// edge: one pass over the blocks for all of them.
    pub fn shift_images(&mut self, wraps: &mut [(u32, [i32; 3])]) {
        let Some(last) = wraps.iter().map(|wrap| wrap.0).max() else {
            return;
        };
        wraps.sort_unstable_by_key(|wrap| wrap.0);
        let wraps = &*wraps;
        let bunches = self.seen.len().max(last as usize / BUNCH + 1);
        let mut is_marked = vec![false; bunches];
        for (row, _) in wraps {
            is_marked[*row as usize / BUNCH] = true;
        }
        let blocks = self.blocks.par_iter_mut();
        blocks.for_each(|block| block.shift_images(wraps, &is_marked));
    }
}
