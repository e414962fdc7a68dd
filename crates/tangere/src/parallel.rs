//! Parallel loops that are deterministic for any number of threads, bit for bit.
//!
//! Input is cut into chunks of fixed size, whatever the number of threads; results of chunks are
//! joined in order. The threads are those of the current rayon pool.

mod limited_rows;

pub use limited_rows::Overfull;

use rayon::prelude::*;
use std::alloc::{Layout, handle_alloc_error};

/// Items in a chunk: enough to hide the cost of scheduling, few enough to balance.
const CHUNK: usize = 4096;

/// Rows in a chunk: fewer, because a row costs more than a term, and some much more.
const ROW_CHUNK: usize = 256;

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

/// The number of indices in `0..count` that satisfy a condition.
pub fn count(count: usize, condition: impl Fn(usize) -> bool + Sync + Send) -> usize {
    (0..count)
        .into_par_iter()
        .with_min_len(CHUNK)
        .filter(|&i| condition(i))
        .count()
}

/// The smallest index in `0..count` that satisfies a condition.
pub fn first(count: usize, condition: impl Fn(usize) -> bool + Sync + Send) -> Option<usize> {
    (0..count)
        .into_par_iter()
        .with_min_len(CHUNK)
        .find_first(|&i| condition(i))
}

/// Lists of different lengths in one array (compressed rows): row `i` is
/// `values[offsets[i]..offsets[i + 1]]`.
///
/// It keeps its memory, that of the threads included, so that filling it again allocates nothing
/// unless it grows.
///
/// ```
/// use tangere::parallel::Rows;
///
/// let mut divisors = Rows::default();
/// divisors.fill(13, |n, row| (1..=n).filter(|d| n % d == 0).for_each(|d| row.push(d)));
/// assert_eq!(divisors.row(12), [1, 2, 3, 4, 6, 12]);
/// assert!(divisors.row(0).is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Rows<T> {
    offsets: Vec<usize>,
    values: Vec<T>,
    chunks: Vec<Vec<T>>,
}

/// A row while it is written. Dereferences to the values pushed so far.
#[derive(Debug)]
pub struct Row<'a, T> {
    chunk: &'a mut Vec<T>,
    start: usize,
    /// Whether no allocation failed.
    is_whole: bool,
    is_counted: bool,
}

/// [`Rows`] of `visit(i, row)` for `i` in `0..count`, as offsets and values.
pub fn rows<T: Copy + Send>(
    count: usize,
    visit: impl Fn(usize, &mut Row<'_, T>) + Sync,
) -> (Vec<usize>, Vec<T>) {
    let mut rows = Rows::default();
    rows.fill(count, visit);
    rows.into_parts()
}

impl<T: Copy + Send> Rows<T> {
    /// Replaces all rows by `count` new ones: `visit(i, row)` is called once for
    /// each `i`, and row `i` has what it pushes, in that order.
    ///
    /// Count, scan, fill, with the values of a chunk kept from the count:
    /// copying them is cheaper than a second visit.
    pub fn fill(&mut self, count: usize, visit: impl Fn(usize, &mut Row<'_, T>) + Sync) {
        self.offsets.clear();
        self.offsets.resize(count + 1, 0);
        let used = count.div_ceil(ROW_CHUNK);
        if self.chunks.len() < used {
            self.chunks.resize_with(used, Vec::new);
        }
        self.write(used, |first, ends, chunk| {
            for (i, end) in (first..).zip(ends) {
                let mut row = Row::of(chunk);
                visit(i, &mut row);
                if !row.is_whole {
                    handle_alloc_error(Layout::new::<T>());
                }
                *end = chunk.len();
            }
        });
        self.values.clear();
        let total = self.chunks[..used].iter().map(Vec::len).sum();
        self.values.reserve(total);
        self.join(used);
    }

    /// Writes the chunks in use, each from its first row on: the ends of its rows, and their values.
    fn write(&mut self, used: usize, fill: impl Fn(usize, &mut [usize], &mut Vec<T>) + Sync) {
        self.offsets[1..]
            .par_chunks_mut(ROW_CHUNK)
            .zip(self.chunks[..used].par_iter_mut())
            .enumerate()
            .for_each(|(c, (ends, chunk))| {
                chunk.clear();
                fill(c * ROW_CHUNK, ends, chunk);
            });
    }

    /// Joins the values of chunks, in which rows have their ends; capacity is reserved before.
    fn join(&mut self, used: usize) {
        let ends = self.offsets[1..].chunks_mut(ROW_CHUNK);
        for (ends, chunk) in ends.zip(&self.chunks[..used]) {
            for end in ends {
                *end += self.values.len();
            }
            self.values.extend_from_slice(chunk);
        }
    }
}

impl<T> Rows<T> {
    /// Offsets of rows in the values, with the end of the last row.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The values of all rows, one row after the other.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The values of one row. Panics if the index is out of range.
    pub fn row(&self, i: usize) -> &[T] {
        &self.values[self.offsets[i]..self.offsets[i + 1]]
    }

    /// The offsets and the values.
    pub fn into_parts(self) -> (Vec<usize>, Vec<T>) {
        (self.offsets, self.values)
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self {
            offsets: vec![0],
            values: Vec::new(),
            chunks: Vec::new(),
        }
    }
}

impl<'a, T> Row<'a, T> {
    /// A new row at the end of a chunk.
    fn of(chunk: &'a mut Vec<T>) -> Self {
        Row {
            start: chunk.len(),
            chunk,
            is_whole: true,
            is_counted: false,
        }
    }

    /// Whether values are only counted, so that their order does not matter yet
    /// ([`Rows::try_fill`]).
    pub fn is_counted(&self) -> bool {
        self.is_counted
    }

    /// Appends a value.
    #[inline]
    pub fn push(&mut self, value: T) {
        if self.chunk.len() == self.chunk.capacity() && self.chunk.try_reserve(1).is_err() {
            self.is_whole = false;
            return;
        }
        self.chunk.push(value);
    }
}

impl<T> std::ops::Deref for Row<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.chunk[self.start..]
    }
}

impl<T> std::ops::DerefMut for Row<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.chunk[self.start..]
    }
}

/// A mutable view that can be split in two, such as a slice.
pub(crate) trait Cut: Send + Sized {
    /// Splits at an index.
    fn cut(self, at: usize) -> (Self, Self);
}

impl<T: Send> Cut for &mut [T] {
    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

impl<A: Cut, B: Cut> Cut for (A, B) {
    fn cut(self, at: usize) -> (Self, Self) {
        let (a, b) = (self.0.cut(at), self.1.cut(at));
        ((a.0, b.0), (a.1, b.1))
    }
}

impl<T: Send, const N: usize> Cut for [&mut [T]; N] {
    fn cut(self, at: usize) -> (Self, Self) {
        let mut parts = self.map(|slice| slice.split_at_mut(at));
        let first = parts.each_mut().map(|(first, _)| std::mem::take(first));
        (first, parts.map(|(_, rest)| rest))
    }
}

/// Calls `work(i, part of a, part of b)` for `i` in `0..count`, in parallel and without allocation:
/// part `i` of `a` ends at `a_ends(i)` and begins where part `i - 1` ends, and the same for `b`.
pub(crate) fn parts<A: Cut, B: Cut>(
    count: usize,
    (a, a_ends): (A, &(impl Fn(usize) -> usize + Sync)),
    (b, b_ends): (B, &(impl Fn(usize) -> usize + Sync)),
    work: &(impl Fn(usize, A, B) + Sync),
) {
    fn halve<A: Cut, B: Cut>(
        range: std::ops::Range<usize>,
        (a, a_from, a_ends): (A, usize, &(impl Fn(usize) -> usize + Sync)),
        (b, b_from, b_ends): (B, usize, &(impl Fn(usize) -> usize + Sync)),
        work: &(impl Fn(usize, A, B) + Sync),
    ) {
        if range.len() == 1 {
            return work(range.start, a, b);
        }
        let middle = range.start + range.len() / 2;
        let (a_cut, b_cut) = (a_ends(middle - 1), b_ends(middle - 1));
        let (a, a_rest) = a.cut(a_cut - a_from);
        let (b, b_rest) = b.cut(b_cut - b_from);
        rayon::join(
            || {
                halve(
                    range.start..middle,
                    (a, a_from, a_ends),
                    (b, b_from, b_ends),
                    work,
                )
            },
            || {
                halve(
                    middle..range.end,
                    (a_rest, a_cut, a_ends),
                    (b_rest, b_cut, b_ends),
                    work,
                )
            },
        );
    }
    if count > 0 {
        halve(0..count, (a, 0, a_ends), (b, 0, b_ends), work);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::ThreadPoolBuilder;

    /// Rows of 0 to 6 values, with some of thousands among them.
    fn written(i: usize, row: &mut Row<'_, [u32; 2]>) {
        let length = if i % 701 == 700 { 5000 } else { i * i % 7 };
        for k in 0..length {
            row.push([i as u32, (length - k) as u32]);
        }
        row.sort_unstable();
    }

    fn in_order(count: usize) -> (Vec<usize>, Vec<[u32; 2]>) {
        let (mut offsets, mut values) = (vec![0], Vec::new());
        for i in 0..count {
            let mut chunk = Vec::new();
            written(i, &mut Row::of(&mut chunk));
            values.extend(chunk);
            offsets.push(values.len());
        }
        (offsets, values)
    }

    #[test]
    fn rows_are_the_same_on_any_number_of_threads() {
        for count in [0, 1, 2, 255, 256, 257, 512, 3000] {
            let expected = in_order(count);
            for threads in 1..=16 {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build();
                let found = pool.unwrap().install(|| rows(count, written));
                assert!(found == expected, "{count} rows on {threads} threads");
            }
        }
    }

    #[test]
    fn rows_are_replaced_by_fewer_and_by_more() {
        let mut reused = Rows::default();
        for count in [3000, 10, 0, 1000, 256] {
            reused.fill(count, written);
            let (offsets, values) = in_order(count);
            assert_eq!((reused.len(), reused.is_empty()), (count, count == 0));
            assert_eq!(
                (reused.offsets(), reused.values()),
                (&offsets[..], &values[..])
            );
            for i in 0..count {
                assert_eq!(reused.row(i), &values[offsets[i]..offsets[i + 1]]);
            }
        }
    }

    #[test]
    fn a_row_sees_itself_only() {
        let (offsets, values) = rows(600, |i, row| {
            assert!(row.is_empty());
            row.push(i);
            row.push(0);
            row.reverse();
            assert_eq!(row[..], [0, i]);
        });
        assert_eq!(offsets[600], 1200);
        assert!((0..600).all(|i| values[2 * i..2 * i + 2] == [0, i]));
    }

    #[test]
    fn there_are_no_rows_before_the_first_fill() {
        let rows = Rows::<u8>::default();
        assert_eq!((rows.len(), rows.offsets()), (0, &[0][..]));
    }

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
