//! Order of pairs: sorts pairs by the first item, then by the second.
//!
//! A bucket sort, linear in pairs and items: pairs are distributed by ranges of first items, and
//! each range is sorted within the cache.

use super::bucket_sort::Buckets;
use super::pair_limit::{no_memory, reserve};
use super::pair_lists::{Block, PairLists};
use crate::error::{Count, Result};
use crate::parallel::parts;
use crate::simd::widest;
use std::ops::Range;

/// Maximum number of blocks of a pair list that one task distributes into buckets.
const BLOCKS: usize = 8;
/// The largest mean number of pairs in a bucket, so that a bucket fits in the cache.
const BUCKET: usize = 1 << 12;
/// Maximum number of pairs that a call of [`PairOrder::chunk`] writes, unless a single bucket has
/// more.
const CHUNK: usize = 1 << 16;
/// The binary logarithm of the maximum number of first items whose pairs share a bucket.
const BITS: u32 = 12;
/// A bucket of pairs is sorted by odd-even transposition only if no first item has more pairs in it
/// than this. Otherwise the pairs of each first item are sorted by the standard library.
const FEW: u32 = 12;
/// A bucket of pairs is sorted by odd-even transposition only if it has at most this number of
/// pairs. It is twice the largest mean, because buckets of lower items have more pairs.
const ROOM: usize = 2 * BUCKET;

/// The sort of pairs by their first, then their second item. Its memory is kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct PairOrder {
    /// The pairs, distributed into buckets by ranges of first items. A pair is one number: the
    /// first item in the upper 32 bits, the second in the lower.
    buckets: Buckets<u64>,
    /// The chunks of pairs that are distributed into buckets, each by the index of its pair list
    /// and of its first block in that list.
    chunks: Vec<(usize, usize)>,
    /// The binary logarithm of the number of first items whose pairs share a bucket.
    bits: u32,
}

impl PairOrder {
    /// Sorts the found pairs: writes them to `out` in order. `item` maps the index of a ghost to
    /// that of its item, and that of an item to itself. The lower item of each pair must be below
    /// `items`. Duplicates stay. Running out of memory is an error.
    pub(super) fn sort(
        &mut self,
        found: &PairLists,
        item: impl Fn(u32) -> u32 + Sync,
        items: usize,
        out: &mut Vec<[u32; 2]>,
    ) -> Result<()> {
        self.distribute(found, item, items)?;
        let total = self.buckets.joined().last().map_or(0, |&end| end);
        reserve(out, total.saturating_sub(out.len()), total)?;
        self.in_order(0..self.buckets.joined().len() - 1, out);
        Ok(())
    }

    /// Sorts a chunk of the distributed pairs: writes those whose first item is `first` or later to
    /// `out`, in the order of [`PairOrder::sort`], up to the end of some bucket. All pairs with the
    /// same first item are in one chunk. Returns the `first` of the next call, or `None` after the
    /// last chunk.
    pub(super) fn chunk(&self, first: u32, out: &mut Vec<[u32; 2]>) -> Option<u32> {
        let joined = self.buckets.joined();
        let from = first as usize >> self.bits;
        if from + 1 >= joined.len() {
            out.clear();
            return None;
        }
        // At least one bucket.
        let more = joined[from + 2..].partition_point(|&end| end - joined[from] <= CHUNK);
        let to = from + 1 + more;
        self.in_order(from..to, out);
        if first as usize != from << self.bits {
            out.retain(|pair| pair[0] >= first);
        }
        (to + 1 < joined.len()).then_some((to << self.bits) as u32)
    }

    /// Distributes pairs into buckets by ranges of first items, which is the first step of
    /// [`PairOrder::sort`].
    pub(super) fn distribute(
        &mut self,
        found: &PairLists,
        item: impl Fn(u32) -> u32 + Sync,
        items: usize,
    ) -> Result<()> {
        self.chunks.clear();
        let mut total = 0;
        for (l, list) in found.all().iter().enumerate() {
            total += list.blocks().iter().map(Block::len).sum::<usize>();
            let chunks = (0..list.blocks().len()).step_by(BLOCKS);
            self.chunks.extend(chunks.map(|from| (l, from)));
        }
        let width = (items * BUCKET / total.max(1)).clamp(1, 1 << BITS);
        let bits = width.ilog2();
        self.bits = bits;
        let count = items.div_ceil(1 << bits).max(1);
        let chunk = |c: usize| {
            let (list, from) = self.chunks[c];
            let blocks = &found.all()[list].blocks()[from..];
            &blocks[..blocks.len().min(BLOCKS)]
        };
        if self.buckets.reserve(total).is_err() {
            return Err(no_memory(Count::Exactly(total as u64)));
        }
        let lengths = (0..self.chunks.len()).map(|c| chunk(c).iter().map(Block::len).sum());
        self.buckets.distribute(lengths, count, |c, buckets, out| {
            let pair = |[i, j]: [u32; 2]| {
                let [a, b] = [item(i), item(j)];
                (a.min(b), a.max(b))
            };
            // As `counting_sort`, which compiled to slower code here.
            let ends = &mut buckets[1..];
            for block in chunk(c) {
                for two in block.pairs() {
                    ends[(pair(two).0 >> bits) as usize] += 1;
                }
            }
            let mut sum = 0;
            for end in ends.iter_mut() {
                sum += std::mem::replace(end, sum);
            }
            for block in chunk(c) {
                for two in block.pairs() {
                    let (a, b) = pair(two);
                    let end = &mut ends[(a >> bits) as usize];
                    out[*end as usize] = u64::from(a) << 32 | u64::from(b);
                    *end += 1;
                }
            }
        });
        Ok(())
    }

    /// Sorts the pairs of a range of buckets: writes them to `out` in the order of pairs.
    fn in_order(&self, range: Range<usize>, out: &mut Vec<[u32; 2]>) {
        let (buckets, bits, first) = (&self.buckets, self.bits, range.start);
        let from = buckets.joined()[first];
        out.resize(buckets.joined()[range.end] - from, [0; 2]);
        parts(
            range.len(),
            (&mut out[..], &|b| buckets.joined()[first + b + 1] - from),
            (&mut [][..], &|_| 0),
            &|b, out: &mut [[u32; 2]], _: &mut [()]| {
                widest(
                    #[inline(always)]
                    || in_bucket(buckets, first + b, bits, out),
                );
            },
        );
    }
}

/// Sorts the pairs of one bucket: writes them to `out` in the order of pairs.
#[inline(always)]
fn in_bucket(buckets: &Buckets<u64>, bucket: usize, bits: u32, out: &mut [[u32; 2]]) {
    let width = 1usize << bits;
    let mut counts = [0u32; (1 << BITS) + 1];
    let counts = &mut counts[..=width];
    let low = |pair: u64| (pair >> 32) as usize & (width - 1);
    for segment in buckets.segments(bucket) {
        for &pair in segment {
            counts[low(pair) + 1] += 1;
        }
    }
    let most = counts.iter().fold(0, |most: u32, &count| most.max(count));
    for i in 0..width {
        counts[i + 1] += counts[i];
    }
    if most <= FEW && out.len() <= ROOM {
        // Keys relative to the first possible pair of the bucket: not negative.
        let base = ((bucket << bits) as u64) << 32;
        let mut keys = [0i64; ROOM];
        let keys = &mut keys[..out.len()];
        for segment in buckets.segments(bucket) {
            for &pair in segment {
                let slot = &mut counts[low(pair)];
                keys[*slot as usize] = (pair - base) as i64;
                *slot += 1;
            }
        }
        // Any `m` neighbours are sorted after `m` steps.
        for _ in 0..most.div_ceil(2) {
            transposition_step(keys);
            transposition_step(keys.get_mut(1..).unwrap_or_default());
        }
        for (pair, &mut key) in out.iter_mut().zip(keys) {
            let key = key as u64 + base;
            *pair = [(key >> 32) as u32, key as u32];
        }
    } else {
        for segment in buckets.segments(bucket) {
            for &pair in segment {
                let slot = &mut counts[low(pair)];
                out[*slot as usize] = [(pair >> 32) as u32, pair as u32];
                *slot += 1;
            }
        }
        for same in out.chunk_by_mut(|x, y| x[0] == y[0]) {
            same.sort_unstable();
        }
    }
}

/// One step of the odd-even transposition sort of pairs, without branches: orders the two keys at
/// each even position and the position after it.
#[inline(always)]
fn transposition_step(keys: &mut [i64]) {
    for two in keys.as_chunks_mut::<2>().0 {
        let [x, y] = *two;
        *two = [x.min(y), x.max(y)];
    }
}

/// Removes duplicates from pairs in order, in which they are adjacent, and pairs of an item with
/// itself.
pub(super) fn keep_one_of_each(pairs: &mut Vec<[u32; 2]>) {
    let mut last = [0; 2];
    pairs.retain(|&pair| pair[0] != pair[1] && std::mem::replace(&mut last, pair) != pair);
}
