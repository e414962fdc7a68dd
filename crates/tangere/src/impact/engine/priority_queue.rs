//! What may touch, in the order of the times before which it cannot.
//!
//! What is known to be the first of all when it is found goes past the heap: as a rule one after the other does.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Parts of two bodies that cannot touch before a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) time: f64,
    pub(super) bodies: [u32; 2],
    pub(super) parts: [u32; 2],
    /// Leaves that were refined already.
    pub(super) refined: bool,
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By time, then by what it is about, so that ties do not depend on what was asked before.
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |e: &Self| (e.bodies, e.parts);
        (self.time.total_cmp(&other.time)).then_with(|| key(self).cmp(&key(other)))
    }
}

/// Entries in the order of their times.
#[derive(Clone, Debug, Default)]
pub(super) struct PriorityQueue {
    sorted: BinaryHeap<Reverse<Entry>>,
    /// What is before all of these, the last first; empty between searches.
    ready: Vec<Entry>,
}

/// Entries for which there is room from the start.
const ENTRIES: usize = 256;

impl PriorityQueue {
    /// Puts an entry in, unless its time never comes.
    pub(super) fn push(&mut self, entry: Entry) {
        if entry.time < f64::INFINITY {
            if self.sorted.capacity() == 0 {
                self.sorted.reserve(ENTRIES);
            }
            self.sorted.push(Reverse(entry));
        }
    }

    /// Puts an entry in that is known to be before all others but those that were put in like this.
    pub(super) fn push_ready(&mut self, entry: Entry) {
        self.ready.push(entry);
    }

    /// Whether something was put in as the first.
    pub(super) fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// The time of the first entry that is not ready.
    pub(super) fn next_time(&self) -> f64 {
        self.sorted.peek().map_or(f64::INFINITY, |e| e.0.time)
    }

    /// Takes the first entry out: what is ready, or whose time is not after a limit.
    pub(super) fn pop(&mut self, limit: f64) -> Option<Entry> {
        if let Some(entry) = self.ready.pop() {
            return Some(entry);
        }
        match self.next_time() <= limit {
            true => self.sorted.pop().map(|Reverse(entry)| entry),
            false => None,
        }
    }

    /// Puts what is ready back among all others.
    pub(super) fn settle(&mut self) {
        while let Some(entry) = self.ready.pop() {
            self.push(entry);
        }
    }

    /// Forgets what is about certain pairs of bodies.
    pub(super) fn forget(&mut self, is_gone: impl Fn([u32; 2]) -> bool) {
        self.sorted.retain(|e| !is_gone(e.0.bodies));
    }
}
