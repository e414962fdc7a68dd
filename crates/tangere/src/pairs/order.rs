//! Pairs in their fixed order: by the first item, then by the second.
//!
//! Time and memory are linear in pairs and items: pairs are dealt into buckets
//! of 4096 first items, few enough that a bucket is then counted out within the
//! cache nearest to the processor.

const BITS: u32 = 12;
const WIDTH: usize = 1 << BITS;

/// Memory for [`Order::sort`], kept from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    dealt: Vec<[u32; 2]>,
    starts: Vec<usize>,
    counts: Vec<u32>,
}

impl Order {
    /// Writes pairs of items below `items` to `out` in their order; duplicates stay.
    pub(super) fn sort(&mut self, pairs: &[[u32; 2]], items: usize, out: &mut Vec<[u32; 2]>) {
        let bucket = |pair: &[u32; 2]| (pair[0] >> BITS) as usize;
        let buckets = items.div_ceil(WIDTH);
        self.starts.clear();
        self.starts.resize(buckets + 1, 0);
        for pair in pairs {
            self.starts[bucket(pair) + 1] += 1;
        }
        for b in 0..buckets {
            self.starts[b + 1] += self.starts[b];
        }
        self.dealt.resize(pairs.len(), [0; 2]);
        for pair in pairs {
            let slot = &mut self.starts[bucket(pair)];
            self.dealt[*slot] = *pair;
            *slot += 1;
        }
        // Every start has moved to where its bucket ends.
        out.clear();
        out.resize(pairs.len(), [0; 2]);
        let mut from = 0;
        for b in 0..buckets {
            let to = self.starts[b];
            count_out(&self.dealt[from..to], &mut self.counts, &mut out[from..to]);
            from = to;
        }
    }
}

/// Sorts pairs whose first items differ in their last bits only.
fn count_out(pairs: &[[u32; 2]], counts: &mut Vec<u32>, out: &mut [[u32; 2]]) {
    let low = |pair: &[u32; 2]| pair[0] as usize & (WIDTH - 1);
    if pairs.len() < 64 {
        out.copy_from_slice(pairs);
        out.sort_unstable();
        return;
    }
    counts.clear();
    counts.resize(WIDTH, 0);
    for pair in pairs {
        counts[low(pair)] += 1;
    }
    let mut sum = 0;
    for count in counts.iter_mut() {
        sum += std::mem::replace(count, sum);
    }
    for pair in pairs {
        let slot = &mut counts[low(pair)];
        out[*slot as usize] = *pair;
        *slot += 1;
    }
    for same in out.chunk_by_mut(|a, b| a[0] == b[0]) {
        if same.len() > 1 {
            same.sort_unstable();
        }
    }
}
