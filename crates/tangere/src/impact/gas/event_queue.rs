//! Event queue: an indexed heap of the next event of each sphere.
//!
//! Every sphere is in it once, with the time of its next event, infinite if there is none. The
//! first is that of least time, of equal times that of least number, regardless of earlier queries.
//! Four children a node: half as many levels as with two, and the four lie in one cache line.

/// A sphere and the time of its next event.
#[derive(Clone, Copy, Debug)]
struct Entry {
    time: f64,
    sphere: u32,
}

impl Entry {
    #[inline]
    fn is_before(&self, other: &Entry) -> bool {
        self.time < other.time || (self.time == other.time && self.sphere < other.sphere)
    }
}

/// Children of a heap node.
const CHILDREN: usize = 4;

/// All spheres, the one with the first event on top.
#[derive(Clone, Debug, Default)]
pub(super) struct EventQueue {
    heap: Vec<Entry>,
    /// Index of each sphere in the heap.
    places: Vec<u32>,
}

impl EventQueue {
    /// Replaces all entries by the next event of each sphere.
    pub fn fill(&mut self, times: impl ExactSizeIterator<Item = f64>) {
        self.places.clear();
        self.places.extend(0..times.len() as u32);
        self.heap.clear();
        let entries = (0u32..).zip(times);
        self.heap
            .extend(entries.map(|(sphere, time)| Entry { time, sphere }));
        for place in (0..self.heap.len().div_ceil(CHILDREN)).rev() {
            self.sink(place, self.heap[place]);
        }
    }

    /// The first event and its sphere.
    #[inline]
    pub fn first(&self) -> Option<(f64, u32)> {
        self.heap.first().map(|entry| (entry.time, entry.sphere))
    }

    /// Changes the time of the next event of a sphere.
    #[inline]
    pub fn set(&mut self, sphere: u32, time: f64) {
        let place = self.places[sphere as usize] as usize;
        let entry = Entry { time, sphere };
        match entry.is_before(&self.heap[place]) {
            true => self.rise(place, entry),
            false => self.sink(place, entry),
        }
    }

    #[inline]
    fn put(&mut self, place: usize, entry: Entry) {
        self.heap[place] = entry;
        self.places[entry.sphere as usize] = place as u32;
    }

    fn rise(&mut self, mut place: usize, entry: Entry) {
        while place > 0 {
            let parent = (place - 1) / CHILDREN;
            let above = self.heap[parent];
            if !entry.is_before(&above) {
                break;
            }
            self.put(place, above);
            place = parent;
        }
        self.put(place, entry);
    }

    fn sink(&mut self, mut place: usize, entry: Entry) {
        loop {
            let from = CHILDREN * place + 1;
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
            self.put(place, below);
            place = least;
        }
        self.put(place, entry);
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
