//! Lists of unsorted pairs as searches find them: one list per chunk of work, so that the result
//! does not depend on the number of threads.

use super::spilled_pairs::Spilled;
use crate::memory::{SPARE, free, try_reserve};
use crate::simd::Vector;
use rayon::prelude::*;
use std::collections::TryReserveError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Pair lists: the touching pairs of items and ghosts that a search has found. Their memory is kept
/// from call to call.
#[derive(Clone, Debug, Default)]
pub struct PairLists {
    lists: Vec<PairList>,
    used: usize,
    limits: Limits,
    progress: Progress,
}

/// Limits of pair lists: which pairs are stored, and how many.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    /// The number of items of the scene; in pair lists, indices from this number on are ghosts.
    /// Pairs of two ghosts are dropped: each is found again, shifted by whole periodic cells, as a
    /// pair of two items or of an item and a ghost.
    pub(super) items: u32,
    /// The approximate maximum number of pairs that all pair lists together store, besides the
    /// first block of each list. Further pairs are only counted.
    pub(super) most: usize,
    /// Whether `most` limits each pair list by itself, not all lists together.
    pub(super) apart: bool,
    pub(super) storage: Storage,
}

/// How the pairs of a search are stored.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Storage {
    /// Whether many pairs are moved to one array, which takes the memory of the answer alone
    /// ([`super::spilled_pairs`]).
    pub(super) spills: bool,
    /// What happens when pairs take much of the free memory, because nobody has set a limit.
    pub(super) guard: Guard,
    /// The number of bytes for each pair that the answer takes beside the pair lists.
    pub(super) bytes: usize,
}

/// What a search does when its pairs take more than a [`SHARE`] of the free memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Guard {
    /// Nothing: there is a limit of pairs.
    #[default]
    Off,
    /// Further pairs are only counted, and the search ends if memory cannot hold them all.
    Count,
    /// The search ends as if memory had run out.
    End,
    /// Pairs are stored until memory is about to run out. They were counted before.
    Store,
}

/// The progress of a search, which all pair lists share.
#[derive(Debug, Default)]
struct Progress {
    /// The number of blocks of memory that all pair lists together have begun, without the first
    /// block of each list.
    begun: AtomicUsize,
    /// The number of blocks that are full of pairs none of which will be removed as a near tie.
    sure: AtomicUsize,
    /// Once pairs are only counted ([`Guard::Count`]), the number for which there is memory, plus 1;
    /// before 0.
    room: AtomicUsize,
    /// Whether the search is to end, because there are too many pairs or memory has run out.
    ends: AtomicBool,
    spilled: Spilled,
}

impl Clone for Progress {
    /// A search in progress is never cloned.
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The limits that all pair lists of a search share, with its progress.
#[derive(Clone, Copy, Debug)]
pub struct SharedLimits<'a> {
    limits: Limits,
    progress: &'a Progress,
}

impl SharedLimits<'_> {
    /// Whether the search is to end, because there are too many pairs or memory has run out.
    #[inline(always)]
    pub(super) fn is_exceeded(&self) -> bool {
        self.progress.ends.load(Ordering::Relaxed)
    }

    /// Whether so many pairs of two ghosts were dropped that the search is to give up.
    #[inline(always)]
    pub(super) fn are_too_many(&self, dropped: usize) -> bool {
        dropped > self.limits.most
    }

    /// Whether pairs are moved to the array of many pairs, since there are many by now.
    #[inline(always)]
    fn spills(&self) -> bool {
        self.limits.storage.spills && self.progress.begun.load(Ordering::Relaxed) >= SPILL
    }

    /// Counts blocks that are full of pairs. Ends the search if these are more than the limit.
    fn count_sure(&self, blocks: usize) {
        let sure = self.progress.sure.fetch_add(blocks, Ordering::Relaxed) + blocks;
        let most = match self.progress.room.load(Ordering::Relaxed) {
            0 => self.limits.most,
            room => room - 1,
        };
        if sure.saturating_mul(BLOCK) > most {
            self.end();
        }
    }

    /// Whether pairs are only counted, because they take much of the free memory.
    fn is_counting(&self) -> bool {
        self.progress.room.load(Ordering::Relaxed) != 0
    }

    fn end(&self) {
        self.progress.ends.store(true, Ordering::Relaxed);
    }
}

/// The number of blocks that all lists together store before they move pairs to one array.
const SPILL: usize = 2048;
/// The least number of blocks that a pair list moves there at a time.
const SPILLED_AT_ONCE: usize = 16;
/// After so many blocks, free memory is checked again.
const GUARD: usize = 4096;
/// The part of the free memory, one of so many, that pairs take before they are counted.
const SHARE: u64 = 8;

/// The number of pairs from which on a block of a pair list is full. There is room for eight more,
/// which is one write of eight lanes.
const BLOCK: usize = 1024;

/// A block of a pair list: memory for pairs, of which the first `len` are valid.
#[derive(Clone, Debug)]
pub(super) struct Block {
    len: usize,
    firsts: [u32; BLOCK + 8],
    seconds: [u32; BLOCK + 8],
}

impl Block {
    const EMPTY: Self = Block {
        len: 0,
        firsts: [0; BLOCK + 8],
        seconds: [0; BLOCK + 8],
    };

    /// The pairs in a block of a pair list.
    #[inline]
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        let firsts = self.firsts[..self.len].iter();
        firsts.zip(&self.seconds).map(|(&i, &j)| [i, j])
    }

    /// The number of pairs in a block of a pair list.
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

/// A pair list: the pairs found by one chunk of the work of a search.
#[derive(Clone, Debug, Default)]
pub struct PairList {
    /// The blocks of the pair list: first `used` blocks with pairs, then spare ones.
    blocks: Vec<Block>,
    used: usize,
    /// The number of pairs of the pair list that were counted but not stored.
    more: usize,
    /// Whether pairs of the pair list were counted but not stored, because the limit was reached or
    /// memory ran out.
    cut: bool,
    starved: bool,
    /// Whether the search stopped early, before it had found all pairs.
    stopped: bool,
    /// The number of blocks that were filled, and how many of them are counted as sure.
    filled: usize,
    sure: usize,
    /// The number of blocks that were moved to the array of many pairs, and how many of the present
    /// blocks may be: no writer returns to a mark within them.
    moved: usize,
    movable: usize,
}

impl Storage {
    /// Checks the free memory when `pairs` pairs are stored. Returns `None` if more may be, 0 if the
    /// search is to end, or the number of pairs for which there is memory, plus 1, if further ones
    /// are only to be counted.
    fn scarcity(&self, pairs: usize) -> Option<usize> {
        let (pairs, bytes) = (pairs as u64, self.bytes as u64);
        let stored = pairs * size_of::<[u32; 2]>() as u64;
        let free = free()?;
        let all = (free + stored).saturating_sub(SPARE);
        match self.guard {
            Guard::Store | Guard::Off => (free < pairs * bytes + SPARE).then_some(0),
            _ if stored <= all / SHARE => None,
            Guard::End => Some(0),
            Guard::Count => {
                // A pair takes at most 12 bytes until it is sorted.
                let room = all / (size_of::<[u32; 2]>() as u64 + bytes).max(12);
                Some(usize::try_from(room).unwrap_or(usize::MAX - 1) + 1)
            }
        }
    }
}

impl PairList {
    /// The blocks of the pair list that hold pairs.
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks[..self.used]
    }

    /// Removes all pairs of the pair list; its blocks are kept.
    fn clear(&mut self) {
        (self.used, self.more) = (0, 0);
        (self.cut, self.starved, self.stopped) = (false, false, false);
        (self.filled, self.sure) = (0, 0);
        (self.moved, self.movable) = (0, 0);
    }

    /// Whether the pair list is full, so that further pairs are not needed.
    #[inline]
    pub(super) fn is_full(&self, shared: SharedLimits<'_>) -> bool {
        self.cut && !shared.is_counting() || shared.is_exceeded()
    }

    /// Marks the pair list as incomplete: the search stopped early because there are too many pairs
    /// to store.
    pub(super) fn stop(&mut self) {
        self.stopped = true;
    }

    /// The number of pairs found for this pair list, stored or only counted.
    fn count(&self) -> usize {
        self.blocks().iter().map(Block::len).sum::<usize>() + self.more
    }

    /// Appends the pair of `i` and `j` to the pair list, within its limits.
    #[inline]
    pub(super) fn push(&mut self, shared: SharedLimits<'_>, i: u32, j: u32) {
        if i.min(j) >= shared.limits.items {
            return;
        }
        if self.blocks().last().is_none_or(|block| block.len >= BLOCK) {
            self.next_sure(shared);
        }
        let block = &mut self.blocks[self.used - 1];
        block.firsts[block.len] = i;
        block.seconds[block.len] = j;
        block.len += 1;
    }

    /// Begins a block of the pair list after one whose pairs are all sure.
    #[cold]
    #[inline(never)]
    fn next_sure(&mut self, shared: SharedLimits<'_>) {
        if self.used > 0 {
            self.filled += 1;
            self.movable = self.used;
            self.count_sure(shared);
        }
        self.next(shared);
    }

    /// Counts the pairs of all filled blocks as sure.
    #[cold]
    #[inline(never)]
    fn count_sure(&mut self, shared: SharedLimits<'_>) {
        shared.count_sure(self.filled - self.sure);
        self.sure = self.filled;
    }

    /// Begins a block of the pair list. If the limit is reached or memory has run out, the pairs of
    /// the last block are counted and its memory is reused, since only the number of pairs matters
    /// then.
    #[cold]
    #[inline(never)]
    fn next(&mut self, shared: SharedLimits<'_>) {
        if self.used > 0 && !self.may_begin_block(shared) {
            let block = &mut self.blocks[self.used - 1];
            self.more += block.len;
            block.len = 0;
            self.cut = true;
            return;
        }
        if self.used == self.blocks.len() {
            self.blocks.push(Block::EMPTY);
        }
        self.blocks[self.used].len = 0;
        self.used += 1;
    }

    /// Returns whether the pair list may begin another block within its limits. If so, the block is
    /// counted as begun.
    fn may_begin_block(&mut self, shared: SharedLimits<'_>) -> bool {
        let Limits { most, apart, .. } = shared.limits;
        if self.cut || shared.is_counting() || (self.moved + self.used - 1) * BLOCK > most {
            return false;
        }
        let begun = shared.progress.begun.fetch_add(1, Ordering::Relaxed);
        let fits = apart || begun.saturating_mul(BLOCK) <= most;
        let storage = shared.limits.storage;
        if storage.guard != Guard::Off && begun % GUARD == GUARD - 1 {
            match storage.scarcity(begun * BLOCK) {
                None => {}
                Some(0) => self.starved = true,
                Some(room) => {
                    shared.progress.room.store(room, Ordering::Relaxed);
                    return false;
                }
            }
        }
        if fits && storage.spills && begun >= SPILL && self.movable >= SPILLED_AT_ONCE {
            self.starved |= self.spill(shared).is_err();
        }
        self.starved |= self.used == self.blocks.len() && try_reserve(&mut self.blocks, 1).is_err();
        if self.starved {
            shared.end();
        }
        fits && !self.starved
    }

    /// Moves the pairs of movable blocks to the array of many pairs, and leaves out those of two
    /// ghosts.
    fn spill(&mut self, shared: SharedLimits<'_>) -> Result<(), TryReserveError> {
        let count = self.movable;
        let pairs = self.blocks[..count].iter().flat_map(Block::pairs);
        let room = self.blocks[..count].iter().map(Block::len).sum();
        let items = shared.limits.items;
        let kept = pairs.filter(|&[i, j]| i.min(j) < items);
        shared.progress.spilled.append(kept, room)?;
        // The order of blocks does not matter.
        for rest in count..self.used {
            self.blocks.swap(rest - count, rest);
        }
        self.used -= count;
        self.moved += count;
        self.movable = 0;
        Ok(())
    }

    /// A writer of pairs at the end of the pair list; [`Writer::finish`] must be called.
    #[inline(always)]
    pub(super) fn writer<'a>(&'a mut self, shared: SharedLimits<'a>) -> Writer<'a> {
        self.next(shared);
        Writer {
            len: 0,
            block: &mut self.blocks[self.used - 1],
            list: self,
            shared,
        }
    }
}

/// Writer of a pair list: appends pairs of one item with up to eight others at a time, those whose
/// bits in a mask are set. Its state stays in registers.
pub(super) struct Writer<'a> {
    /// The number of pairs in the block to which the writer of the pair list appends.
    len: usize,
    /// The block of the pair list to which the writer appends. The writer borrows the list mutably.
    block: *mut Block,
    list: &'a mut PairList,
    shared: SharedLimits<'a>,
}

/// A position of the writer in a pair list, to which it can return with [`Writer::rewind`].
#[derive(Clone, Copy)]
pub(super) struct Mark {
    len: usize,
    /// The number of blocks at the mark, with those that were moved away.
    used: usize,
    filled: usize,
    more: usize,
    cut: bool,
}

impl Writer<'_> {
    /// Reserves memory for eight pairs at the end of the pair list, for one call of
    /// [`Writer::write`].
    #[inline(always)]
    pub(super) fn reserve_lanes(&mut self) {
        if self.len > BLOCK {
            // By value, so that the state stays in registers.
            self.block = self.list.after(self.len, self.shared);
            self.len = 0;
        }
    }

    /// Appends pairs to the pair list: `i` with each item of `eight` whose bit in `bits` is set.
    ///
    /// # Safety
    /// [`Writer::reserve_lanes`] was called since the last write.
    #[inline(always)]
    pub(super) unsafe fn write<V: Vector>(&mut self, i: u32, eight: &[u32; 8], bits: u32) {
        // SAFETY: `block` belongs to the list, which nothing else can reach, and `len <= BLOCK`,
        // so that eight more fit.
        unsafe {
            let seconds: *mut u32 = (&raw mut (*self.block).seconds).cast();
            let firsts: *mut u32 = (&raw mut (*self.block).firsts).cast();
            V::select(bits, eight, &mut *seconds.add(self.len).cast());
            *firsts.add(self.len).cast() = [i; 8];
        }
        self.len += bits.count_ones() as usize;
    }

    /// The present position of the writer in the pair list.
    #[inline(always)]
    pub(super) fn mark(&mut self) -> Mark {
        if self.list.filled > self.list.sure {
            self.list.count_sure(self.shared);
            self.list.movable = self.list.used - 1;
        }
        Mark {
            len: self.len,
            used: self.list.moved + self.list.used,
            filled: self.list.filled,
            more: self.list.more,
            cut: self.list.cut,
        }
    }

    /// Removes the pairs written to the pair list since the mark.
    #[cold]
    pub(super) fn rewind(&mut self, mark: Mark) {
        let used = mark.used - self.list.moved;
        let given_back = self.list.used - used;
        let begun = &self.shared.progress.begun;
        begun.fetch_sub(given_back, Ordering::Relaxed);
        // Only the last block is ever reused: those before it are unchanged.
        if given_back > 0 {
            self.list.cut = mark.cut;
        }
        (self.list.used, self.list.more) = (used, mark.more);
        (self.list.filled, self.len) = (mark.filled, mark.len);
        self.block = &mut self.list.blocks[used - 1];
    }

    /// Ends the writer of a pair list. If `ghosts` is set, pairs of two ghosts are removed from the
    /// list.
    #[inline(always)]
    pub(super) fn finish(self, ghosts: bool) {
        // SAFETY: as in `write`.
        unsafe { (*self.block).len = self.len };
        if ghosts {
            self.list.drop_ghost_pairs(self.shared.limits.items);
        }
        if self.shared.spills() {
            self.list.spill_all(self.shared);
        }
    }
}

impl PairList {
    /// Begins a block of the pair list after the current one, which has `len` pairs, and returns
    /// it.
    #[cold]
    #[inline(never)]
    fn after(&mut self, len: usize, shared: SharedLimits<'_>) -> *mut Block {
        let block = &mut self.blocks[self.used - 1];
        block.len = len;
        self.filled += 1;
        self.next(shared);
        &mut self.blocks[self.used - 1]
    }

    /// Moves all pairs of a complete list to the array of many pairs, and frees their memory for the
    /// next lists.
    #[cold]
    #[inline(never)]
    fn spill_all(&mut self, shared: SharedLimits<'_>) {
        if self.cut {
            return;
        }
        self.movable = self.used;
        match self.spill(shared) {
            Ok(()) => self.blocks = Vec::new(),
            Err(_) => {
                (self.cut, self.starved) = (true, true);
                shared.end();
            }
        }
    }

    /// Removes pairs of two ghosts, whose indices are at least `items`, from the pair list.
    #[inline(never)]
    fn drop_ghost_pairs(&mut self, items: u32) {
        self.retain(&|a, b| a.min(b) < items);
    }

    /// Removes the pairs of the pair list for which `keep` does not hold.
    #[inline(always)]
    fn retain(&mut self, keep: &impl Fn(u32, u32) -> bool) {
        for block in &mut self.blocks[..self.used] {
            let mut kept = 0;
            for i in 0..block.len {
                let (a, b) = (block.firsts[i], block.seconds[i]);
                (block.firsts[kept], block.seconds[kept]) = (a, b);
                kept += usize::from(keep(a, b));
            }
            block.len = kept;
        }
    }
}

impl PairLists {
    /// Empties all pair lists and sets new limits.
    pub(super) fn clear(&mut self, limits: Limits) {
        self.used = 0;
        self.limits = limits;
        *self.progress.begun.get_mut() = 0;
        *self.progress.sure.get_mut() = 0;
        *self.progress.room.get_mut() = 0;
        *self.progress.ends.get_mut() = false;
        self.progress.spilled.clear();
    }

    /// Whether the search ended early because there are more pairs than the limit, for certain, or
    /// because memory ran out.
    pub(super) fn is_exceeded(&self) -> bool {
        self.progress.ends.load(Ordering::Relaxed)
    }

    /// The array of many pairs, to which lists have moved theirs.
    pub(super) fn spilled(&mut self) -> &mut Spilled {
        &mut self.progress.spilled
    }

    /// Moves all pairs to the array of many pairs, if some are there already. Returns whether there
    /// are some.
    pub(super) fn join_spilled(&mut self) -> Result<bool, TryReserveError> {
        if self.progress.spilled.is_empty() {
            return Ok(false);
        }
        let shared = SharedLimits {
            limits: self.limits,
            progress: &self.progress,
        };
        for list in &mut self.lists[..self.used] {
            list.movable = list.used;
            list.spill(shared)?;
        }
        Ok(true)
    }

    /// Adds `count` empty pair lists and returns them with the limits that they share.
    pub(super) fn lists(&mut self, count: usize) -> (&mut [PairList], SharedLimits<'_>) {
        let first = self.used;
        self.used += count;
        if self.lists.len() < self.used {
            self.lists.resize_with(self.used, PairList::default);
        }
        let lists = &mut self.lists[first..self.used];
        for list in &mut *lists {
            list.clear();
        }
        let shared = SharedLimits {
            limits: self.limits,
            progress: &self.progress,
        };
        (lists, shared)
    }

    /// Adds an empty pair list and returns it with its limits.
    pub(super) fn list(&mut self) -> (&mut PairList, SharedLimits<'_>) {
        let (lists, shared) = self.lists(1);
        (&mut lists[0], shared)
    }

    /// All pair lists of the search.
    pub(super) fn all(&self) -> &[PairList] {
        &self.lists[..self.used]
    }

    /// Removes from all pair lists the pairs for which `keep` does not hold. The lists must store
    /// all pairs that were found.
    pub(super) fn retain(&mut self, keep: impl Fn(u32, u32) -> bool + Sync) {
        let lists = &mut self.lists[..self.used];
        (lists.par_iter_mut()).for_each(|list| list.retain(&keep));
        self.progress.spilled.retain(&keep);
    }

    /// Every pair that the pair lists store, in any order.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        let blocks = self.all().iter().flat_map(|list| list.blocks());
        blocks.flat_map(Block::pairs)
    }

    /// The number of pairs found for all pair lists, stored or only counted.
    pub(super) fn count(&self) -> usize {
        let stored: usize = self.all().iter().map(PairList::count).sum();
        stored + self.progress.spilled.len()
    }

    /// Whether the pair lists store all pairs that were found, none dropped because of the limit or
    /// because memory ran out.
    pub(super) fn has_all(&self) -> bool {
        !self.is_exceeded() && !self.all().iter().any(|list| list.cut)
    }

    /// Whether pairs were dropped because memory for the pair lists ran out.
    pub(super) fn ran_out_of_memory(&self) -> bool {
        self.all().iter().any(|list| list.starved)
    }

    /// Whether the search stopped early, before the pair lists had all pairs.
    pub(super) fn is_stopped(&self) -> bool {
        self.all().iter().any(|list| list.stopped)
    }
}
