//! Pairs as searches find them: in lists, one for each part of the work, so
//! that what is found does not depend on the number of threads.

use crate::simd::Vector;

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

/// The pairs that one part of the work has found.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// The two of each pair; what comes after `len` is memory for more.
    pub(super) firsts: Vec<u32>,
    pub(super) seconds: Vec<u32>,
    pub(super) len: usize,
    /// Pairs that were only counted.
    more: usize,
}

impl List {
    /// Appends a pair.
    #[inline]
    pub(super) fn push(&mut self, rule: Rule, i: u32, j: u32) {
        if i.min(j) >= rule.items {
            return;
        }
        if self.len < rule.most {
            self.reserve(1);
            self.firsts[self.len] = i;
            self.seconds[self.len] = j;
            self.len += 1;
        } else {
            self.more += 1;
        }
    }

    /// Memory for so many more pairs.
    #[inline]
    fn reserve(&mut self, more: usize) {
        if self.len + more > self.firsts.len() {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let size = (self.len + more).max(2 * self.len).max(64);
        self.firsts.resize(size, 0);
        self.seconds.resize(size, 0);
    }

    /// A writer at the end of the list; see [`Writer::finish`].
    #[inline(always)]
    pub(super) fn writer(&mut self) -> Writer<'_> {
        Writer {
            len: self.len,
            firsts: self.firsts.as_mut_ptr(),
            seconds: self.seconds.as_mut_ptr(),
            size: self.firsts.len().min(self.seconds.len()),
            list: self,
        }
    }

    /// Applies the rule to the pairs from `from` on, which were appended without.
    pub(super) fn apply(&mut self, rule: Rule, from: usize, ghosts: bool) {
        if ghosts {
            let mut kept = from;
            for i in from..self.len {
                let (a, b) = (self.firsts[i], self.seconds[i]);
                (self.firsts[kept], self.seconds[kept]) = (a, b);
                kept += usize::from(a.min(b) < rule.items);
            }
            self.len = kept;
        }
        let most = rule.most.min(self.len);
        self.more += self.len - most;
        self.len = most;
    }
}

/// Appends pairs by eights, of which some count: everything that changes is in
/// registers.
pub(super) struct Writer<'a> {
    len: usize,
    /// Where the memory of the list's two arrays begins.
    firsts: *mut u32,
    seconds: *mut u32,
    /// How long both are, at least.
    size: usize,
    list: &'a mut List,
}

impl Writer<'_> {
    /// Appends the pairs of `i` with those of eight whose bits are set.
    #[inline(always)]
    pub(super) fn write<V: Vector>(&mut self, i: u32, eight: &[u32; 8], bits: u32) {
        if self.len + 8 > self.size {
            self.list.len = self.len;
            self.list.grow(8);
            self.firsts = self.list.firsts.as_mut_ptr();
            self.seconds = self.list.seconds.as_mut_ptr();
            self.size = self.list.firsts.len().min(self.list.seconds.len());
        }
        // SAFETY: the list, which this borrows, has at least `size` numbers in both
        // arrays, and `len + 8 <= size`.
        let (firsts, seconds): (&mut [u32; 8], &mut [u32; 8]) = unsafe {
            (
                &mut *self.firsts.add(self.len).cast(),
                &mut *self.seconds.add(self.len).cast(),
            )
        };
        *firsts = [i; 8];
        V::select(bits, eight, seconds);
        self.len += (bits & 0xff).count_ones() as usize;
    }

    /// Makes what was written part of the list.
    #[inline(always)]
    pub(super) fn finish(self) {
        self.list.len = self.len;
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
            list.len = 0;
            list.more = 0;
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

    /// Every pair, in any order.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        self.all().iter().flat_map(|list| {
            let firsts = list.firsts[..list.len].iter();
            firsts.zip(&list.seconds).map(|(&i, &j)| [i, j])
        })
    }

    /// How many pairs were found, kept or not.
    pub(super) fn count(&self) -> usize {
        self.all().iter().map(|list| list.len + list.more).sum()
    }
}
