//! Parallel bucket sort: distributes records into buckets, which is the first pass of a two-digit
//! radix sort. The second pass, within each bucket, is left to callers.
//!
//! Each chunk of records is distributed by itself, within the cache and on any thread, into its own
//! range of memory. A bucket then consists of one segment of every chunk. Deterministic for any
//! number of threads.

use crate::memory::{refill, try_reserve};
use crate::parallel::parts;
use std::collections::TryReserveError;

/// The result of a bucket sort: records in chunks, each chunk sorted by bucket.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets<T> {
    distributed: Vec<T>,
    /// The position of the first record of each chunk in `distributed`, then the end of the last
    /// chunk.
    chunks: Vec<usize>,
    /// For each chunk, the start of each bucket relative to the start of the chunk, then the end of
    /// the last bucket.
    starts: Vec<u32>,
    /// The start of each bucket in the array that all buckets would form one after the other, then
    /// the end of the last bucket.
    joined: Vec<usize>,
}

impl<T: Copy + Default + Send + Sync> Buckets<T> {
    /// Reserves memory for the bucket sort of `total` records.
    pub(crate) fn reserve(&mut self, total: usize) -> Result<(), TryReserveError> {
        let more = total.saturating_sub(self.distributed.len());
        try_reserve(&mut self.distributed, more)
    }

    /// Bucket sort: distributes chunks of the given lengths, each less than 2^32, into buckets.
    /// `one(chunk, buckets, out)` distributes one chunk as [`counting_sort`] does: it fills `out`,
    /// sorted by bucket, and sets `buckets[b + 1]`, initially 0, to the end of bucket `b`.
    pub(crate) fn distribute(
        &mut self,
        lengths: impl Iterator<Item = usize>,
        buckets: usize,
        one: impl Fn(usize, &mut [u32], &mut [T]) + Sync,
    ) {
        self.chunks.clear();
        self.chunks.push(0);
        let mut total = 0;
        for length in lengths {
            total += length;
            self.chunks.push(total);
        }
        let chunks = self.chunks.len() - 1;
        self.distributed.resize(total, T::default());
        refill(&mut self.starts, chunks * (buckets + 1), 0);
        let ends = |c: usize| self.chunks[c + 1];
        parts(
            chunks,
            (&mut self.distributed[..], &ends),
            (&mut self.starts[..], &|c| (c + 1) * (buckets + 1)),
            &|c, out: &mut [T], starts: &mut [u32]| one(c, starts, out),
        );
        refill(&mut self.joined, buckets + 1, 0);
        for starts in self.starts.chunks_exact(buckets + 1) {
            for b in 0..buckets {
                self.joined[b + 1] += (starts[b + 1] - starts[b]) as usize;
            }
        }
        for b in 0..buckets {
            self.joined[b + 1] += self.joined[b];
        }
    }

    /// The start of each sorted bucket in the array that all buckets would form one after the
    /// other, then the end of the last bucket.
    pub(crate) fn joined(&self) -> &[usize] {
        &self.joined
    }

    /// The segments of a sorted bucket, one of each chunk, in the order of chunks.
    #[inline]
    pub(crate) fn segments(&self, bucket: usize) -> impl Iterator<Item = &[T]> {
        self.placed_segments(bucket).map(|(_, segment)| segment)
    }

    /// Counts the records of each cell within a sorted bucket; `cell` returns the cell of a record,
    /// which is the second digit of the radix sort. Fills `starts` with the position in the bucket
    /// at which the records of each cell begin once the caller sorts the bucket by cell.
    #[inline(always)]
    pub(crate) fn count_out(&self, bucket: usize, starts: &mut [u32], cell: impl Fn(&T) -> usize) {
        starts.fill(0);
        for segment in self.segments(bucket) {
            for record in segment {
                starts[cell(record)] += 1;
            }
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += std::mem::replace(start, sum);
        }
    }

    /// The record at a position in the array of all chunks that the bucket sort has filled.
    #[inline(always)]
    pub(crate) fn record(&self, position: u32) -> &T {
        &self.distributed[position as usize]
    }

    /// The segments of a sorted bucket in the order of chunks, each with the position of its first
    /// record in the array of all chunks.
    #[inline]
    pub(crate) fn placed_segments(&self, bucket: usize) -> impl Iterator<Item = (usize, &[T])> {
        let stride = self.joined.len();
        self.chunks
            .iter()
            .zip(self.starts.chunks_exact(stride))
            .map(move |(&chunk, starts)| {
                let (from, to) = (starts[bucket] as usize, starts[bucket + 1] as usize);
                (chunk + from, &self.distributed[chunk + from..chunk + to])
            })
    }
}

/// Counting sort of one chunk of a bucket sort: writes `record(i, key)` for key `i` of `keys` to
/// `out`, sorted by `bucket(key)`; `buckets[b + 1]`, initially 0, becomes the end of bucket `b`.
#[inline(always)]
pub(crate) fn counting_sort<K, T>(
    keys: &[K],
    bucket: impl Fn(&K) -> u32,
    record: impl Fn(usize, &K) -> T,
    buckets: &mut [u32],
    out: &mut [T],
) {
    // Bucket `b` is counted at `b + 1`: writing the records moves each start up to the end.
    let ends = &mut buckets[1..];
    for key in keys {
        ends[bucket(key) as usize] += 1;
    }
    let mut sum = 0;
    for end in ends.iter_mut() {
        sum += std::mem::replace(end, sum);
    }
    for (i, key) in keys.iter().enumerate() {
        let end = &mut ends[bucket(key) as usize];
        out[*end as usize] = record(i, key);
        *end += 1;
    }
}
