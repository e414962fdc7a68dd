//! Parallel loops whose results are the same bits for any number of threads.
//!
//! Input is cut into chunks of fixed size, whatever the number of threads, and the results of
//! chunks are joined in order. The threads are those of the current rayon pool.

mod limited_rows;
mod parts;
mod rows;

pub use limited_rows::Overfull;
pub(crate) use parts::parts;
pub use rows::{Row, Rows, rows};

use rayon::prelude::*;

/// The number of indices in a chunk of a parallel loop: enough to hide the cost of scheduling, few
/// enough to balance the load.
const CHUNK: usize = 4096;

/// Parallel sums of the `K` components of `term(i)` over `i` in `0..count`.
///
/// Terms are added in order within a chunk, and the sums of chunks are added in order, so that the
/// rounding is the same on any number of threads.
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

/// Parallel count of the indices in `0..count` that satisfy a condition.
pub fn count(count: usize, condition: impl Fn(usize) -> bool + Sync + Send) -> usize {
    (0..count)
        .into_par_iter()
        .with_min_len(CHUNK)
        .filter(|&i| condition(i))
        .count()
}

/// Parallel search for the smallest index in `0..count` that satisfies a condition.
pub fn first(count: usize, condition: impl Fn(usize) -> bool + Sync + Send) -> Option<usize> {
    (0..count)
        .into_par_iter()
        .with_min_len(CHUNK)
        .find_first(|&i| condition(i))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::ThreadPoolBuilder;

    #[test]
    fn sums_counts_and_searches_do_not_depend_on_threads() {
        let results = [1, 2, 3, 8, 16].map(|threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| {
                let [sum] = sums(100_000, |i| [1.0 / (1.0 + i as f64)]);
                let rare = |i: usize| i % 9973 == 9972;
                (sum.to_bits(), count(100_000, rare), first(100_000, rare))
            })
        });
        assert_eq!(results[0].1, 10);
        assert_eq!(results[0].2, Some(9972));
        assert!(results.iter().all(|result| *result == results[0]));
    }
}
