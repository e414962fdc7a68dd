//! Pairs as searches find them: in lists, one for each part of the work, so
//! that what is found does not depend on the number of threads.

use crate::simd::Vector;
use rayon::prelude::*;

/// Pairs of items and ghosts, in lists that are kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct Found {
    lists: Vec<List>,
    used: usize,
    rule: Rule,
}

/// Which pairs a list keeps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rule {
    /// The number of items, after which ghosts come. Two ghosts are no pair: they
    /// are met again as items, or are too far from any.
    pub(super) items: u32,
    /// Beyond this number pairs are only counted.
    pub(super) most: usize,
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
pub struct List {
    /// Blocks with pairs, then memory for more.
    blocks: Vec<Block>,
    used: usize,
    /// Pairs that were only counted.
    more: usize,
    /// What [`List::writer`] was given.
    rule: Rule,
}

impl List {
    /// Blocks of pairs.
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks[..self.used]
    }

    fn clear(&mut self) {
        self.used = 0;
        self.more = 0;
    }

    /// How many pairs were found, kept or not.
    fn count(&self) -> usize {
        self.blocks().iter().map(Block::len).sum::<usize>() + self.more
    }

    /// Appends a pair.
    #[inline]
    pub(super) fn push(&mut self, rule: Rule, i: u32, j: u32) {
        if i.min(j) >= rule.items {
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

    /// Begins a block. Once there are more pairs than wanted, the last one is used
    /// again: the number of pairs is all that still counts.
    #[cold]
    #[inline(never)]
    fn next(&mut self, rule: Rule) {
        if self.used > 0 && (self.used - 1) * BLOCK > rule.most {
            let block = &mut self.blocks[self.used - 1];
            self.more += block.len;
            block.len = 0;
            return;
        }
        if self.used == self.blocks.len() {
            self.blocks.push(Block::EMPTY);
        }
        self.blocks[self.used].len = 0;
        self.used += 1;
    }

    /// A writer at the end of the list; see [`Writer::finish`].
    #[inline(always)]
    pub(super) fn writer(&mut self, rule: Rule) -> Writer<'_> {
        self.rule = rule;
        self.next(rule);
        Writer {
            len: 0,
            block: &mut self.blocks[self.used - 1],
            list: self,
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
    list: &'a mut List,
}

/// A place in a list to return to.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    len: usize,
    used: usize,
    more: usize,
}

impl Writer<'_> {
    /// Makes room for a [`Writer::write`], of which each needs its own.
    #[inline(always)]
    pub(super) fn make_room(&mut self) {
        if self.len > BLOCK {
            // By value, so that this stays in registers.
            self.block = self.list.after(self.len);
            self.len = 0;
        }
    }

    /// Appends the pairs of `i` with those of eight whose bits, of eight, are set.
    ///
    /// # Safety
    /// [`Writer::make_room`] was called since the last time.
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
        }
    }

    /// Forgets what was written since.
    #[cold]
    pub(super) fn rewind(&mut self, mark: Mark) {
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
            self.list.leave_out_ghosts();
        }
    }
}

impl List {
    /// The block after the last one, which has `len` pairs.
    #[cold]
    #[inline(never)]
    fn after(&mut self, len: usize) -> *mut Block {
        let block = &mut self.blocks[self.used - 1];
        block.len = len;
        self.next(self.rule);
        &mut self.blocks[self.used - 1]
    }

    #[inline(never)]
    fn leave_out_ghosts(&mut self) {
        let items = self.rule.items;
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

impl Found {
    /// Empties all lists.
    pub(super) fn clear(&mut self, rule: Rule) {
        self.used = 0;
        self.rule = rule;
    }

    /// So many more lists, all empty, and the rule to fill them by.
    pub(super) fn lists(&mut self, count: usize) -> (&mut [List], Rule) {
        let first = self.used;
        self.used += count;
        if self.lists.len() < self.used {
            self.lists.resize_with(self.used, List::default);
        }
        let lists = &mut self.lists[first..self.used];
        for list in &mut *lists {
            list.clear();
        }
        (lists, self.rule)
    }

    /// One more list, and the rule to fill it by.
    pub(super) fn list(&mut self) -> (&mut List, Rule) {
        let (lists, rule) = self.lists(1);
        (&mut lists[0], rule)
    }

    /// All lists.
    pub(super) fn all(&self) -> &[List] {
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
        self.all().iter().map(List::count).sum()
    }
}
