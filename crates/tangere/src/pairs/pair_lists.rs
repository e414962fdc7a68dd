//! Unsorted pairs as searches find them: one list per chunk of work, so that the result does not
//! depend on the number of threads.

use crate::simd::Vector;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Lists of pairs of items and ghosts, kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct PairLists {
    lists: Vec<PairList>,
    used: usize,
    limits: Limits,
    begun: Begun,
}

/// Which pairs are kept, and how many.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    /// The number of items, after which ghosts come. Pairs of two ghosts are dropped: they are
    /// found again as items, or lie too far from any.
    pub(super) items: u32,
    /// Beyond about this number, over all lists, pairs are counted but not kept.
    pub(super) most: usize,
    /// Whether the limit applies to each list by itself.
    pub(super) apart: bool,
}

/// Blocks begun by all lists together, after their first ones.
#[derive(Debug, Default)]
struct Begun(AtomicUsize);

impl Clone for Begun {
    fn clone(&self) -> Self {
        Begun(AtomicUsize::new(self.0.load(Ordering::Relaxed)))
    }
}

/// The limits, and the blocks begun so far.
#[derive(Clone, Copy, Debug)]
pub struct Rule<'a> {
    limits: Limits,
    begun: &'a AtomicUsize,
}

/// Pairs in a block before the last eight are written.
const BLOCK: usize = 1024;

/// A block of pairs; the first `len` entries are valid.
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

    /// The pairs of the block.
    #[inline]
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        let firsts = self.firsts[..self.len].iter();
        firsts.zip(&self.seconds).map(|(&i, &j)| [i, j])
    }

    /// The number of pairs.
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

/// The pairs found by one chunk of work.
#[derive(Clone, Debug, Default)]
pub struct PairList {
    /// Blocks with pairs, then spare blocks.
    blocks: Vec<Block>,
    used: usize,
    /// Pairs counted but not kept.
    more: usize,
    /// Whether pairs were dropped, and whether that was for lack of memory.
    cut: bool,
    starved: bool,
    /// Whether the search stopped early.
    stopped: bool,
}

impl PairList {
    /// Blocks of pairs.
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks[..self.used]
    }

    fn clear(&mut self) {
        (self.used, self.more) = (0, 0);
        (self.cut, self.starved, self.stopped) = (false, false, false);
    }

    /// Whether pairs are now only counted.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.cut
    }

    /// Marks the search as stopped early, because there are too many pairs to keep.
    pub(super) fn stop(&mut self) {
        self.stopped = true;
    }

    /// How many pairs were found, kept or not.
    fn count(&self) -> usize {
        self.blocks().iter().map(Block::len).sum::<usize>() + self.more
    }

    /// Appends a pair.
    #[inline]
    pub(super) fn push(&mut self, rule: Rule<'_>, i: u32, j: u32) {
        if i.min(j) >= rule.limits.items {
            return;
        }
        if self.blocks().last().is_none_or(|block| block.len >= BLOCK) {
            self.next(rule);
        }
        let block = &mut self.blocks[self.used - 1];
        block.firsts[block.len] = i;
        block.seconds[block.len] = j;
        block.len += 1;
    }

    /// Begins a block. Past the limit or out of memory, the last block is reused: only the
    /// number of pairs matters then.
    #[cold]
    #[inline(never)]
    fn next(&mut self, rule: Rule<'_>) {
        if self.used > 0 && !self.has_room(rule) {
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

    /// Whether another block may be begun; counts it if so.
    fn has_room(&mut self, rule: Rule<'_>) -> bool {
        let Limits { most, apart, .. } = rule.limits;
        if self.cut || (self.used - 1) * BLOCK > most {
            return false;
        }
        let begun = rule.begun.fetch_add(1, Ordering::Relaxed);
        let fits = apart || begun.saturating_mul(BLOCK) <= most;
        self.starved = self.used == self.blocks.len() && self.blocks.try_reserve(1).is_err();
        fits && !self.starved
    }

    /// A writer at the end of the list; see [`Writer::finish`].
    #[inline(always)]
    pub(super) fn writer<'a>(&'a mut self, rule: Rule<'a>) -> Writer<'a> {
        self.next(rule);
        Writer {
            len: 0,
            block: &mut self.blocks[self.used - 1],
            list: self,
            rule,
        }
    }
}

/// Appends pairs eight lanes at a time through a mask; its state stays in registers.
pub(super) struct Writer<'a> {
    /// Pairs in the block.
    len: usize,
    /// The current block of the list, which this borrows mutably.
    block: *mut Block,
    list: &'a mut PairList,
    rule: Rule<'a>,
}

/// A position in a list to rewind to.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    len: usize,
    used: usize,
    more: usize,
    cut: bool,
}

impl Writer<'_> {
    /// Reserves lanes for one call of [`Writer::write`].
    #[inline(always)]
    pub(super) fn reserve_lanes(&mut self) {
        if self.len > BLOCK {
            // By value, so that the state stays in registers.
            self.block = self.list.after(self.len, self.rule);
            self.len = 0;
        }
    }

    /// Appends the pairs of `i` with those of `eight` whose bits are set.
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

    /// The present position.
    #[inline(always)]
    pub(super) fn mark(&self) -> Mark {
        Mark {
            len: self.len,
            used: self.list.used,
            more: self.list.more,
            cut: self.list.cut,
        }
    }

    /// Drops what was written since the mark.
    #[cold]
    pub(super) fn rewind(&mut self, mark: Mark) {
        let given_back = self.list.used - mark.used;
        self.rule.begun.fetch_sub(given_back, Ordering::Relaxed);
        // Only the last block is ever reused: those before it are unchanged.
        if given_back > 0 {
            self.list.cut = mark.cut;
        }
        (self.list.used, self.list.more) = (mark.used, mark.more);
        self.len = mark.len;
        self.block = &mut self.list.blocks[mark.used - 1];
    }

    /// Commits what was written, without pairs of two ghosts.
    #[inline(always)]
    pub(super) fn finish(self, ghosts: bool) {
        // SAFETY: as in `write`.
        unsafe { (*self.block).len = self.len };
        if ghosts {
            self.list.drop_ghost_pairs(self.rule.limits.items);
        }
    }
}

impl PairList {
    /// The block after the last one, which has `len` pairs.
    #[cold]
    #[inline(never)]
    fn after(&mut self, len: usize, rule: Rule<'_>) -> *mut Block {
        let block = &mut self.blocks[self.used - 1];
        block.len = len;
        self.next(rule);
        &mut self.blocks[self.used - 1]
    }

    #[inline(never)]
    fn drop_ghost_pairs(&mut self, items: u32) {
        self.retain(&|a, b| a.min(b) < items);
    }

    /// Keeps the pairs for which `keep` holds.
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
    /// Empties all lists and sets new limits.
    pub(super) fn clear(&mut self, limits: Limits) {
        self.used = 0;
        self.limits = limits;
        *self.begun.0.get_mut() = 0;
    }

    /// Adds `count` empty lists; returns them with the rule to fill them by.
    pub(super) fn lists(&mut self, count: usize) -> (&mut [PairList], Rule<'_>) {
        let first = self.used;
        self.used += count;
        if self.lists.len() < self.used {
            self.lists.resize_with(self.used, PairList::default);
        }
        let lists = &mut self.lists[first..self.used];
        for list in &mut *lists {
            list.clear();
        }
        let rule = Rule {
            limits: self.limits,
            begun: &self.begun.0,
        };
        (lists, rule)
    }

    /// Adds an empty list; returns it with the rule to fill it by.
    pub(super) fn list(&mut self) -> (&mut PairList, Rule<'_>) {
        let (lists, rule) = self.lists(1);
        (&mut lists[0], rule)
    }

    /// All lists.
    pub(super) fn all(&self) -> &[PairList] {
        &self.lists[..self.used]
    }

    /// Keeps the pairs for which `keep` holds. No pair may have been dropped before.
    pub(super) fn retain(&mut self, keep: impl Fn(u32, u32) -> bool + Sync) {
        let lists = &mut self.lists[..self.used];
        (lists.par_iter_mut()).for_each(|list| list.retain(&keep));
    }

    /// Every pair, in any order.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        let blocks = self.all().iter().flat_map(|list| list.blocks());
        blocks.flat_map(Block::pairs)
    }

    /// How many pairs were found, kept or not.
    pub(super) fn count(&self) -> usize {
        self.all().iter().map(PairList::count).sum()
    }

    /// Whether all pairs that were found are kept.
    pub(super) fn has_all(&self) -> bool {
        !self.all().iter().any(|list| list.cut)
    }

    /// Whether memory ran out.
    pub(super) fn ran_out_of_memory(&self) -> bool {
        self.all().iter().any(|list| list.starved)
    }

    /// Whether the search stopped early.
    pub(super) fn is_stopped(&self) -> bool {
        self.all().iter().any(|list| list.stopped)
    }
}
