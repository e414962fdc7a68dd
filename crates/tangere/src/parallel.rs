//! Work on several threads that gives the same bits on any number of them.
//!
//! Input is cut into chunks of a fixed size, whatever the number of threads;
//! results of chunks are joined in their order. The threads are those of the
//! current rayon pool.

use rayon::prelude::*;

/// Items in a chunk: enough to hide the cost of handing it out, few enough to balance.
const CHUNK: usize = 4096;

/// The sum of `term(i)` over `0..count`, `K` sums at once.
///
/// Terms are added in order within a chunk and chunk sums in order, so the
/// rounding, too, is the same on any number of threads.
pub fn sums<const K: usize>(
    count: usize,
    term: impl Fn(usize) -> [f64; K] + Sync + Send,
) -> [f64; K] {
    let add = |mut sum: [f64; K], x: [f64; K]| {
        for k in 0..K {
            sum[k] += x[k];
        }
        sum
    };
    let chunks: Vec<[f64; K]> = (0..count.div_ceil(CHUNK))
        .into_par_iter()
        .map(|c| {
            (c * CHUNK..((c + 1) * CHUNK).min(count))
                .map(&term)
                .fold([0.0; K], add)
        })
        .collect();
    chunks.into_iter().fold([0.0; K], add)
}

/// How many of `0..count` satisfy a condition.
pub fn count(count: usize, condition: impl Fn(usize) -> bool + Sync + Send) -> usize {
    (0..count)
        .into_par_iter()
        .with_min_len(CHUNK)
        .filter(|&i| condition(i))
        .count()
}

/// The smallest of `0..count` that satisfies a condition.
pub fn first(count: usize, condition: impl Fn(usize) -> bool + Sync + Send) -> Option<usize> {
    (0..count)
        .into_par_iter()
        .with_min_len(CHUNK)
        .find_first(|&i| condition(i))
}
