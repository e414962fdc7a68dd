//! Many pairs in one array, which becomes the answer: millions of pairs take little more memory
//! than their answer, 8 bytes each.
//!
//! Pair lists that grow long move their pairs here. The array is sorted in place: by ranges of
//! first items (American flag sort), then each range by itself. Pairs come in any order, which
//! depends on the threads; the sorted array does not.

use crate::memory::try_reserve_exact;
use crate::parallel::parts;
use rayon::prelude::*;
use std::collections::TryReserveError;
use std::sync::{Mutex, PoisonError};

/// The binary logarithm of the maximum number of ranges of first items.
const RANGE_BITS: u32 = 11;
/// The number of pairs from which on a range is sorted by several threads.
const LARGE: usize = 1 << 20;
/// The least number of pairs by which the array grows.
const GROWTH: usize = 1 << 20;
/// The number of pairs of a chunk that one task maps.
const CHUNK: usize = 1 << 16;

/// The array of many pairs.
#[derive(Debug, Default)]
pub(super) struct Spilled(Mutex<Vec<[u32; 2]>>);

impl Spilled {
    /// Appends pairs, at most `room`.
    pub(super) fn append(
        &self,
        pairs: impl Iterator<Item = [u32; 2]>,
        room: usize,
    ) -> Result<(), TryReserveError> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.capacity() - all.len() < room {
            // By a quarter: beyond that, doubling would reserve much that is never used.
            let more = room.max(GROWTH).max(all.len() / 4);
            try_reserve_exact(&mut all, more)?;
        }
        all.extend(pairs);
        Ok(())
    }

    fn all(&self) -> std::sync::MutexGuard<'_, Vec<[u32; 2]>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of pairs in the array.
    pub(super) fn len(&self) -> usize {
        self.all().len()
    }

    /// Whether the array has no pairs.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all pairs.
    pub(super) fn clear(&mut self) {
        self.pairs().clear();
    }

    /// Removes all pairs and frees their memory: they are too many.
    pub(super) fn free(&mut self) {
        *self.pairs() = Vec::new();
    }

    /// The array of pairs.
    pub(super) fn pairs(&mut self) -> &mut Vec<[u32; 2]> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the pairs for which `keep` does not hold.
    pub(super) fn retain(&mut self, keep: &impl Fn(u32, u32) -> bool) {
        self.pairs().retain(|&[i, j]| keep(i, j));
    }
}

/// Sorts pairs in place: by the lower item, then by the other. `item` maps the index of a ghost to
/// that of its item, and that of an item to itself. The lower item of each pair must be below
/// `items`.
pub(super) fn sort_in_place(
    pairs: &mut [[u32; 2]],
    item: impl Fn(u32) -> u32 + Sync,
    items: usize,
) {
    pairs.par_chunks_mut(CHUNK).for_each(|chunk| {
        for pair in chunk {
            let [a, b] = pair.map(&item);
            *pair = [a.min(b), a.max(b)];
        }
    });
    let bits = usize::BITS - items.leading_zeros();
    let shift = bits.saturating_sub(RANGE_BITS);
    let ends = group(pairs, (items >> shift) + 1, |pair| {
        (pair[0] >> shift) as usize
    });
    let key = |pair: &[u32; 2]| u64::from(pair[0]) << 32 | u64::from(pair[1]);
    parts(
        ends.len(),
        (pairs, &|range| ends[range]),
        (&mut [][..], &|_| 0),
        &|_, range: &mut [[u32; 2]], _: &mut [()]| match range.len() {
            LARGE.. => range.par_sort_unstable_by_key(key),
            _ => range.sort_unstable_by_key(key),
        },
    );
}

/// Groups values in place by `range(value)`, which is below `count` (American flag sort): each value
/// is swapped to the end of its group until the one that belongs here is found. Returns the end of
/// each group.
fn group<T: Copy>(values: &mut [T], count: usize, range: impl Fn(&T) -> usize) -> Vec<usize> {
    let mut ends = vec![0; count];
    for value in &*values {
        ends[range(value)] += 1;
    }
    let mut sum = 0;
    let mut starts: Vec<usize> = Vec::with_capacity(count);
    for end in &mut ends {
        starts.push(sum);
        sum += *end;
        *end = sum;
    }
    for group in 0..count {
        while starts[group] < ends[group] {
            let mut value = values[starts[group]];
            loop {
                let other = range(&value);
                std::mem::swap(&mut value, &mut values[starts[other]]);
                starts[other] += 1;
                if other == group {
                    break;
                }
            }
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_sorted_in_place() {
        let mut seed = 7u64;
        let mut random = |below: u64| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            ((seed >> 33) % below) as u32
        };
        for (count, items) in [(0, 5), (1, 1), (3000, 7), (20_000, 5000), (50_000, 1 << 20)] {
            let mut pairs: Vec<[u32; 2]> = (0..count)
                .map(|_| [random(items), random(2 * items)])
                .collect();
            // Indices beyond the items are ghosts, each of an item.
            let item = |i: u32| i % items as u32;
            let mut expected: Vec<[u32; 2]> = (pairs.iter())
                .map(|pair| pair.map(item))
                .map(|[a, b]| [a.min(b), a.max(b)])
                .collect();
            expected.sort();
            sort_in_place(&mut pairs, item, items as usize);
            assert_eq!(pairs, expected);
        }
    }
}
