//! Records dealt into buckets: the first half of a sort by two digits, the
//! second of which is left to the buckets. A part of other methods.
//!
//! Records come in chunks. Each chunk is dealt by itself, within the cache and
//! on any thread, into a stretch of memory of its own; a bucket then is one
//! segment of every chunk. Nothing depends on the number of threads.

use crate::parallel::parts;
use std::collections::TryReserveError;

/// Chunks, dealt.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets<T> {
    distributed: Vec<T>,
    /// Where chunks begin, and at last where the last one ends.
    chunks: Vec<usize>,
    /// For every chunk where its buckets begin in it, and where the last one ends.
    starts: Vec<u32>,
    /// Where buckets begin when all are joined, and where the last one ends.
    joined: Vec<usize>,
}

impl<T: Copy + Default + Send + Sync> Buckets<T> {
    /// Makes room for so many records, if there is memory for them.
    pub(crate) fn reserve(&mut self, total: usize) -> Result<(), TryReserveError> {
        let more = total.saturating_sub(self.distributed.len());
        self.distributed.try_reserve(more)
    }

    /// Deals chunks of the given lengths, each less than 2^32, into buckets.
    /// `one(chunk, buckets, out)` deals one: it fills `out`, sorted by bucket, and
    /// `buckets[b + 1]`, 0 at first, with where bucket `b` ends, as [`counting_sort`] does.
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
        self.starts.clear();
        self.starts.resize(chunks * (buckets + 1), 0);
        let ends = |c: usize| self.chunks[c + 1];
        parts(
            chunks,
            (&mut self.distributed[..], &ends),
            (&mut self.starts[..], &|c| (c + 1) * (buckets + 1)),
            &|c, out: &mut [T], starts: &mut [u32]| one(c, starts, out),
        );
        self.joined.clear();
        self.joined.resize(buckets + 1, 0);
        for starts in self.starts.chunks_exact(buckets + 1) {
            for b in 0..buckets {
                self.joined[b + 1] += (starts[b + 1] - starts[b]) as usize;
            }
        }
        for b in 0..buckets {
            self.joined[b + 1] += self.joined[b];
        }
    }

    /// Where buckets begin when all are joined, and where the last one ends.
    pub(crate) fn joined(&self) -> &[usize] {
        &self.joined
    }

    /// The segments of a bucket, in the order of chunks.
    #[inline]
    pub(crate) fn segments(&self, bucket: usize) -> impl Iterator<Item = &[T]> {
        self.placed_segments(bucket).map(|(_, segment)| segment)
    }

    /// A record by its place.
    #[inline(always)]
    pub(crate) fn record(&self, place: u32) -> &T {
        &self.distributed[place as usize]
    }

    /// The segments of a bucket, in the order of chunks, with the place of the first
    /// record of each.
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

/// Writes the records of keys to `out` sorted by bucket; `buckets[b + 1]`, 0 at
/// first, becomes where bucket `b` ends.
#[inline(always)]
pub(crate) fn counting_sort<K, T>(
    keys: &[K],
    bucket: impl Fn(&K) -> u32,
    record: impl Fn(usize, &K) -> T,
    buckets: &mut [u32],
    out: &mut [T],
) {
    // Bucket `b` is counted at `b + 1`; when starts move up to ends, there too.
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
