//! Lists of unsorted pairs as searches find them: one list per chunk of work, so that the result
//! does not depend on the number of threads.

use crate::simd::Vector;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pair lists: the touching pairs of items and ghosts that a search has found. Their memory is kept
/// from call to call.
#[derive(Clone, Debug, Default)]
pub struct PairLists {
    lists: Vec<PairList>,
    used: usize,
    limits: Limits,
    begun: Begun,
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
}

/// The number of blocks of memory that all pair lists together have begun, without the first block
/// of each list.
#[derive(Debug, Default)]
struct Begun(AtomicUsize);

impl Clone for Begun {
    fn clone(&self) -> Self {
        Begun(AtomicUsize::new(self.0.load(Ordering::Relaxed)))
    }
}

/// The limits that all pair lists of a search share, with the number of blocks that they have begun
/// so far.
#[derive(Clone, Copy, Debug)]
pub struct SharedLimits<'a> {
    limits: Limits,
    begun: &'a AtomicUsize,
}

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
    }

    /// Whether the pair list is full, so that further pairs are only counted.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.cut
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
            self.next(shared);
        }
        let block = &mut self.blocks[self.used - 1];
        block.firsts[block.len] = i;
        block.seconds[block.len] = j;
        block.len += 1;
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
        if self.cut || (self.used - 1) * BLOCK > most {
            return false;
        }
        let begun = shared.begun.fetch_add(1, Ordering::Relaxed);
        let fits = apart || begun.saturating_mul(BLOCK) <= most;
        self.starved = self.used == self.blocks.len() && self.blocks.try_reserve(1).is_err();
        fits && !self.starved
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
    used: usize,
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
    pub(super) fn mark(&self) -> Mark {
        Mark {
            len: self.len,
            used: self.list.used,
            more: self.list.more,
            cut: self.list.cut,
        }
    }

    /// Removes the pairs written to the pair list since the mark.
    #[cold]
    pub(super) fn rewind(&mut self, mark: Mark) {
        let given_back = self.list.used - mark.used;
        self.shared.begun.fetch_sub(given_back, Ordering::Relaxed);
        // Only the last block is ever reused: those before it are unchanged.
        if given_back > 0 {
            self.list.cut = mark.cut;
        }
        (self.list.used, self.list.more) = (mark.used, mark.more);
        self.len = mark.len;
        self.block = &mut self.list.blocks[mark.used - 1];
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
        self.next(shared);
        &mut self.blocks[self.used - 1]
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
        *self.begun.0.get_mut() = 0;
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
            begun: &self.begun.0,
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
    }

    /// Every pair that the pair lists store, in any order.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        let blocks = self.all().iter().flat_map(|list| list.blocks());
        blocks.flat_map(Block::pairs)
    }

    /// The number of pairs found for all pair lists, stored or only counted.
    pub(super) fn count(&self) -> usize {
        self.all().iter().map(PairList::count).sum()
    }

    /// Whether the pair lists store all pairs that were found, none dropped because of the limit or
    /// because memory ran out.
    pub(super) fn has_all(&self) -> bool {
        !self.all().iter().any(|list| list.cut)
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
