//! Pairs as searches find them: in lists, one for each part of the work, so
//! that what is found does not depend on the number of threads.

use crate::simd::Vector;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pairs of items and ghosts, in lists that are kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct PairLists {
    lists: Vec<PairList>,
    used: usize,
    limits: Limits,
    begun: Begun,
}

/// Which pairs are kept.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    /// The number of items, after which ghosts come. Two ghosts are no pair: they
    /// are met again as items, or are too far from any.
    pub(super) items: u32,
    /// Beyond about this number, in all lists together, pairs are only counted.
    pub(super) most: usize,
    /// Whether each list is limited by itself only.
    pub(super) apart: bool,
}

/// Blocks that all lists have begun after their first ones.
#[derive(Debug, Default)]
struct Begun(AtomicUsize);

impl Clone for Begun {
    fn clone(&self) -> Self {
        Begun(AtomicUsize::new(self.0.load(Ordering::Relaxed)))
    }
}

/// Which pairs a list keeps.
#[derive(Clone, Copy, Debug)]
pub struct Rule<'a> {
    limits: Limits,
    begun: &'a AtomicUsize,
}

/// Pairs in a block, before the last eight are written.
const BLOCK: usize = 1024;

/// Pairs: the two of each, of which the first `len` count.
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

    /// The two of each pair.
    #[inline]
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        let firsts = self.firsts[..self.len].iter();
        firsts.zip(&self.seconds).map(|(&i, &j)| [i, j])
    }

    /// How many pairs there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

/// The pairs that one part of the work has found.
#[derive(Clone, Debug, Default)]
pub struct PairList {
    /// Blocks with pairs, then memory for more.
    blocks: Vec<Block>,
    used: usize,
    /// Pairs that were only counted.
    more: usize,
    /// Whether some were, and whether that was for want of memory.
    cut: bool,
    starved: bool,
    /// Whether the search ended early.
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

    /// Whether pairs are only counted by now.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.cut
    }

    /// Tells that not all pairs have been looked for, as there are too many to keep.
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

    /// Begins a block. Once there are more pairs than wanted, or no memory for them,
    /// the last one is used again: the number of pairs is all that still counts.
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

    /// Whether another block may be begun, which then counts as one.
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

/// Appends pairs by eights, of which some count: everything that changes is in
/// registers.
pub(super) struct Writer<'a> {
    /// Pairs in the block.
    len: usize,
    /// The last block in use of the list, which this borrows.
    block: *mut Block,
    list: &'a mut PairList,
    rule: Rule<'a>,
}

/// A place in a list to return to.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    len: usize,
    used: usize,
    more: usize,
    cut: bool,
}

impl Writer<'_> {
    /// Makes room for a [`Writer::write`], of which each needs its own.
    #[inline(always)]
    pub(super) fn reserve_lanes(&mut self) {
        if self.len > BLOCK {
            // By value, so that this stays in registers.
            self.block = self.list.after(self.len, self.rule);
            self.len = 0;
        }
    }

    /// Appends the pairs of `i` with those of eight whose bits, of eight, are set.
    ///
    /// # Safety
    /// [`Writer::reserve_lanes`] was called since the last time.
    #[inline(always)]
    pub(super) unsafe fn write<V: Vector>(&mut self, i: u32, eight: &[u32; 8], bits: u32) {
        // SAFETY: `block` is that of the list, which nothing else can reach, and
        // `len <= BLOCK`, so that eight more have a place.
        unsafe {
            let seconds: *mut u32 = (&raw mut (*self.block).seconds).cast();
            let firsts: *mut u32 = (&raw mut (*self.block).firsts).cast();
            V::select(bits, eight, &mut *seconds.add(self.len).cast());
            *firsts.add(self.len).cast() = [i; 8];
        }
        self.len += bits.count_ones() as usize;
    }

    /// Where this is.
    #[inline(always)]
    pub(super) fn mark(&self) -> Mark {
        Mark {
            len: self.len,
            used: self.list.used,
            more: self.list.more,
            cut: self.list.cut,
        }
    }

    /// Forgets what was written since.
    #[cold]
    pub(super) fn rewind(&mut self, mark: Mark) {
        let given_back = self.list.used - mark.used;
        self.rule.begun.fetch_sub(given_back, Ordering::Relaxed);
        // The last block alone is used again: those before it are as they were.
        if given_back > 0 {
            self.list.cut = mark.cut;
        }
        (self.list.used, self.list.more) = (mark.used, mark.more);
        self.len = mark.len;
        self.block = &mut self.list.blocks[mark.used - 1];
    }

    /// Makes what was written part of the list, without pairs of two ghosts.
    #[inline(always)]
    pub(super) fn finish(self, ghosts: bool) {
        // SAFETY: as in `write`.
        unsafe { (*self.block).len = self.len };
        if ghosts {
            self.list.leave_out_ghosts(self.rule.limits.items);
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
    fn leave_out_ghosts(&mut self, items: u32) {
        self.retain(&|a, b| a.min(b) < items);
    }

    /// Leaves out pairs that do not count.
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
    /// Empties all lists.
    pub(super) fn clear(&mut self, limits: Limits) {
        self.used = 0;
        self.limits = limits;
        *self.begun.0.get_mut() = 0;
    }

    /// So many more lists, all empty, and the rule to fill them by.
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

    /// One more list, and the rule to fill it by.
    pub(super) fn list(&mut self) -> (&mut PairList, Rule<'_>) {
        let (lists, rule) = self.lists(1);
        (&mut lists[0], rule)
    }

    /// All lists.
    pub(super) fn all(&self) -> &[PairList] {
        &self.lists[..self.used]
    }

    /// Leaves out pairs that do not count. None may have been only counted.
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

    /// Whether there was no memory for some.
    pub(super) fn is_starved(&self) -> bool {
        self.all().iter().any(|list| list.starved)
    }

    /// Whether the search ended early.
    pub(super) fn is_stopped(&self) -> bool {
        self.all().iter().any(|list| list.stopped)
    }
}
