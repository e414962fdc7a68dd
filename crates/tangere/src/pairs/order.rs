//! Pairs in their fixed order: by the first item, then by the second.
//!
//! Time and memory are linear in pairs and items: pairs are dealt by ranges of
//! first items, and each range is counted out by its own, within the cache.

use super::deal::{Deal, count_out};
use super::found::{Block, Found};
use crate::parallel::parts;
use std::ops::Range;

/// Blocks of pairs in a chunk, at most.
const BLOCKS: usize = 8;
/// Pairs in a bucket, on average, at most: they stay within the cache.
const BUCKET: usize = 1 << 12;
/// Pairs in a chunk of [`Order::chunk`], unless one bucket has more.
const CHUNK: usize = 1 << 16;
/// The most first items of a bucket, as a power of two.
const BITS: u32 = 12;
/// Pairs with the same first item that are sorted by insertion.
const FEW: usize = 24;
/// Rounds of exchanges before that: most pairs are in their places then, and what is
/// left is guessed well.
const ROUNDS: u32 = 2;

/// Memory for [`Order::sort`], kept from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    /// Pairs as one number each, the first item in its upper half.
    deal: Deal<u64>,
    /// Chunks: a list and the block with which they begin.
    chunks: Vec<(usize, usize)>,
    /// First items in a bucket: two to the power of this.
    bits: u32,
}

impl Order {
    /// Writes what was found to `out` in its order, ghosts replaced by the items
    /// below `items` that they are of; duplicates stay.
    pub(super) fn sort(
        &mut self,
        found: &Found,
        item: impl Fn(u32) -> u32 + Sync,
        items: usize,
        out: &mut Vec<[u32; 2]>,
    ) {
        self.deal(found, item, items);
        self.in_order(0..self.deal.joined().len() - 1, out);
    }

    /// Writes to `out`, in the order of [`Order::sort`], the pairs of some of the buckets
    /// that were dealt, from first item `first` on; all pairs with the same first item
    /// are together. The item with which to go on.
    pub(super) fn chunk(&self, first: u32, out: &mut Vec<[u32; 2]>) -> Option<u32> {
        let joined = self.deal.joined();
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

    /// Deals what was found into buckets, as [`Order::sort`] does at first.
    pub(super) fn deal(&mut self, found: &Found, item: impl Fn(u32) -> u32 + Sync, items: usize) {
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
        let buckets = items.div_ceil(1 << bits).max(1);
        let chunk = |c: usize| {
            let (list, from) = self.chunks[c];
            let blocks = &found.all()[list].blocks()[from..];
            &blocks[..blocks.len().min(BLOCKS)]
        };
        let lengths = (0..self.chunks.len()).map(|c| chunk(c).iter().map(Block::len).sum());
        self.deal.deal(lengths, buckets, |c, buckets, out| {
            let mut pairs = [0; BLOCKS * Block::MOST];
            let mut len = 0;
            for block in chunk(c) {
                let slots = &mut pairs[len..len + block.len()];
                for (slot, [i, j]) in slots.iter_mut().zip(block.pairs()) {
                    let [a, b] = [item(i), item(j)];
                    *slot = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
                }
                len += block.len();
            }
            let first = |pair: &u64| (pair >> 32) as u32 >> bits;
            count_out(&pairs[..len], first, |_, &pair| pair, buckets, out);
        });
    }

    /// Writes the pairs of buckets to `out`, in order.
    fn in_order(&self, buckets: Range<usize>, out: &mut Vec<[u32; 2]>) {
        let (deal, bits, first) = (&self.deal, self.bits, buckets.start);
        let from = deal.joined()[first];
        out.resize(deal.joined()[buckets.end] - from, [0; 2]);
        parts(
            buckets.len(),
            (&mut out[..], &|b| deal.joined()[first + b + 1] - from),
            (&mut [][..], &|_| 0),
            &|b, out: &mut [[u32; 2]], _: &mut [()]| in_bucket(deal, first + b, bits, out),
        );
    }
}

/// Sorts the pairs of a bucket.
fn in_bucket(deal: &Deal<u64>, bucket: usize, bits: u32, out: &mut [[u32; 2]]) {
    let width = 1usize << bits;
    let mut counts = [0u32; (1 << BITS) + 1];
    let counts = &mut counts[..=width];
    let low = |pair: u64| (pair >> 32) as usize & (width - 1);
    for segment in deal.segments(bucket) {
        for &pair in segment {
            counts[low(pair) + 1] += 1;
        }
    }
    let most = counts.iter().fold(0, |most: u32, &count| most.max(count));
    for i in 0..width {
        counts[i + 1] += counts[i];
    }
    // The second item first, so that a pair is one number until it is in its place.
    for segment in deal.segments(bucket) {
        for &pair in segment {
            let slot = &mut counts[low(pair)];
            out[*slot as usize] = [pair as u32, (pair >> 32) as u32];
            *slot += 1;
        }
    }
    if most as usize > FEW {
        for same in out.chunk_by_mut(|x, y| x[1] == y[1]) {
            same.sort_unstable();
        }
    } else {
        for _ in 0..(most / 2).min(ROUNDS) {
            exchange(out);
            exchange(&mut out[1..]);
        }
        insertion_sort(out);
    }
    for pair in out {
        pair.swap(0, 1);
    }
}

/// A pair as a number, the second item first.
#[inline(always)]
fn key([b, a]: [u32; 2]) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

/// Sorts every two neighbours: a step of a sort without guesses.
fn exchange(pairs: &mut [[u32; 2]]) {
    let (twos, _) = pairs.as_chunks_mut::<2>();
    for two in twos {
        let [x, y] = *two;
        *two = if key(x) <= key(y) { [x, y] } else { [y, x] };
    }
}

/// Sorts pairs of which none is far from its place.
fn insertion_sort(pairs: &mut [[u32; 2]]) {
    for i in 1..pairs.len() {
        let pair = pairs[i];
        let mut j = i;
        while j > 0 && key(pairs[j - 1]) > key(pair) {
            pairs[j] = pairs[j - 1];
            j -= 1;
        }
        if j < i {
            pairs[j] = pair;
        }
    }
}
