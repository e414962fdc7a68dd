//! Event queue: an indexed 4-ary heap of the next event of each sphere.
//!
//! Every sphere is in the heap once, with the time of its next event (infinite if there is none).
//! The first entry has the least time and, among equal times, the least index of a sphere; it does
//! not depend on the order in which entries were changed. A node has four children: half as many
//! levels as with two, and the four are adjacent in memory (64 bytes).

/// An entry of the event queue: a sphere and the time of its next event.
#[derive(Clone, Copy, Debug)]
struct Entry {
    time: f64,
    sphere: u32,
}

impl Entry {
    /// Whether this entry of the event queue precedes another: by time, then by the index of the
    /// sphere.
    #[inline]
    fn is_before(&self, other: &Entry) -> bool {
        self.time < other.time || (self.time == other.time && self.sphere < other.sphere)
    }
}

/// Number of children of a node of the heap of the event queue.
const CHILDREN: usize = 4;

/// Event queue of a gas: a heap of the next event of every sphere, the earliest on top.
#[derive(Clone, Debug, Default)]
pub(super) struct EventQueue {
    heap: Vec<Entry>,
    /// For each sphere, the index of its entry in the heap.
    indices: Vec<u32>,
}

impl EventQueue {
    /// Fills the event queue with the next event of each sphere, in place of all former entries.
    pub fn fill(&mut self, times: impl ExactSizeIterator<Item = f64>) {
        self.indices.clear();
        self.indices.extend(0..times.len() as u32);
        self.heap.clear();
        let entries = (0u32..).zip(times);
        self.heap
            .extend(entries.map(|(sphere, time)| Entry { time, sphere }));
        for index in (0..self.heap.len().div_ceil(CHILDREN)).rev() {
            self.sink(index, self.heap[index]);
        }
    }

    /// The time of the earliest event in the queue, and the index of its sphere.
    #[inline]
    pub fn first(&self) -> Option<(f64, u32)> {
        self.heap.first().map(|entry| (entry.time, entry.sphere))
    }

    /// Changes the time of the next event of a sphere in the event queue.
    #[inline]
    pub fn set(&mut self, sphere: u32, time: f64) {
        let index = self.indices[sphere as usize] as usize;
        let entry = Entry { time, sphere };
        match entry.is_before(&self.heap[index]) {
            true => self.rise(index, entry),
            false => self.sink(index, entry),
        }
    }

    /// Stores an entry at an index of the heap of the event queue.
    #[inline]
    fn put(&mut self, index: usize, entry: Entry) {
        self.heap[index] = entry;
        self.indices[entry.sphere as usize] = index as u32;
    }

    /// Moves an entry of the event queue from an index of the heap toward the root, past all
    /// ancestors with later events.
    fn rise(&mut self, mut index: usize, entry: Entry) {
        while index > 0 {
            let parent = (index - 1) / CHILDREN;
            let above = self.heap[parent];
            if !entry.is_before(&above) {
                break;
            }
            self.put(index, above);
            index = parent;
        }
        self.put(index, entry);
    }

    /// Moves an entry of the event queue from an index of the heap toward the leaves, until no
    /// child has an earlier event.
    fn sink(&mut self, mut index: usize, entry: Entry) {
        loop {
            let from = CHILDREN * index + 1;
            let to = (from + CHILDREN).min(self.heap.len());
            if from >= to {
                break;
            }
            let mut least = from;
            for child in from + 1..to {
                if self.heap[child].is_before(&self.heap[least]) {
                    least = child;
                }
            }
            let below = self.heap[least];
            if !below.is_before(&entry) {
                break;
            }
            self.put(index, below);
            index = least;
        }
        self.put(index, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::Random;

    #[test]
    fn the_first_is_the_least_time_and_then_the_least_sphere() {
        let mut random = Random::new(5);
        for count in [0usize, 1, 2, 5, 17, 300] {
            let mut times: Vec<f64> = (0..count).map(|_| random.below(40) as f64).collect();
            let mut queue = EventQueue::default();
            queue.fill(times.iter().copied());
            for _ in 0..2000 {
                let least = (0..count)
                    .map(|i| (times[i], i as u32))
                    .min_by(|a, b| a.partial_cmp(b).unwrap());
                assert_eq!(queue.first(), least);
                let Some((_, first)) = least else { break };
                let sphere = match random.below(3) {
                    0 => random.below(count) as u32,
                    _ => first,
                };
                let time = match random.below(9) {
                    0 => f64::INFINITY,
                    n => times[first as usize].min(1e6) + n as f64 - 2.0,
                };
                times[sphere as usize] = time;
                queue.set(sphere, time);
            }
        }
    }
}
