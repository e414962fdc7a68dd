//! Priority queue of pairs of BVH nodes, keyed by a lower bound of their time of impact.
//!
//! Most entries are known, when they are inserted, to be no later than any entry of the heap. They
//! are kept beside the heap and popped before it.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A pair of BVH nodes of two bodies, and a lower bound of its time of impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) time: f64,
    pub(super) bodies: [u32; 2],
    pub(super) parts: [u32; 2],
    /// Whether the nodes are leaves and the tighter bounding volumes of their faces were compared
    /// already.
    pub(super) refined: bool,
    /// Number of steps of conservative advancement that the two leaves have taken, up to 255.
    pub(super) steps: u8,
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Entries are ordered by time, then by bodies and BVH nodes, so that ties do not depend on earlier
/// queries.
impl Ord for Entry {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |e: &Self| (e.bodies, e.parts);
        (self.time.total_cmp(&other.time)).then_with(|| key(self).cmp(&key(other)))
    }
}

/// Pairs of BVH nodes in order of time.
#[derive(Clone, Debug, Default)]
pub(super) struct PriorityQueue {
    sorted: BinaryHeap<Reverse<Entry>>,
    /// Entries that bypass the heap, since none of them is later than an entry of the heap. The
    /// last one is popped first. Empty between searches.
    ready: Vec<Entry>,
}

/// Initial capacity of the heap of the priority queue, in entries.
const ENTRIES: usize = 256;

impl PriorityQueue {
    /// Inserts an entry into the priority queue unless its time is infinite.
    pub(super) fn push(&mut self, entry: Entry) {
        if entry.time < f64::INFINITY {
            if self.sorted.capacity() == 0 {
                self.sorted.reserve(ENTRIES);
            }
            self.sorted.push(Reverse(entry));
        }
    }

    /// Inserts an entry into the priority queue that bypasses the heap: it is not later than any
    /// entry of the heap. The last one inserted is popped first.
    pub(super) fn push_ready(&mut self, entry: Entry) {
        self.ready.push(entry);
    }

    /// Whether the priority queue has entries that bypass the heap.
    pub(super) fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// The earliest time in the heap of the priority queue; infinite if it is empty.
    pub(super) fn next_time(&self) -> f64 {
        self.sorted.peek().map_or(f64::INFINITY, |e| e.0.time)
    }

    /// Removes and returns the first entry of the priority queue, unless it comes from the heap and
    /// is after the limit.
    pub(super) fn pop(&mut self, limit: f64) -> Option<Entry> {
        if let Some(entry) = self.ready.pop() {
            return Some(entry);
        }
        match self.next_time() <= limit {
            true => self.sorted.pop().map(|Reverse(entry)| entry),
            false => None,
        }
    }

    /// Moves the entries of the priority queue that bypass the heap into the heap.
    pub(super) fn flush_ready(&mut self) {
        while let Some(entry) = self.ready.pop() {
            self.push(entry);
        }
    }

    /// Removes from the priority queue, also while it is searched, all pairs of BVH nodes of a pair
    /// of bodies.
    pub(super) fn forget_pair(&mut self, bodies: [u32; 2]) {
        self.forget(|of| of == bodies);
        self.ready.retain(|e| e.bodies != bodies);
    }

    /// Removes from the priority queue all pairs of BVH nodes of those pairs of bodies for which
    /// `is_gone` is true.
    pub(super) fn forget(&mut self, is_gone: impl Fn([u32; 2]) -> bool) {
        self.sorted.retain(|e| !is_gone(e.0.bodies));
    }
}
