//! Rows: lists of different lengths in one array, filled in parallel.

use crate::memory::try_reserve;
use rayon::prelude::*;

/// The number of rows that one task fills. It is smaller than the number of terms in a chunk of a
/// parallel sum, because a row costs more than a term, and some rows much more.
pub(super) const ROW_CHUNK: usize = 256;

/// Lists of different lengths in one array (compressed rows): row `i` is
/// `values[offsets[i]..offsets[i + 1]]`.
///
/// The memory is kept, so that filling the rows again allocates nothing unless they grow.
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
    pub(super) offsets: Vec<usize>,
    pub(super) values: Vec<T>,
    pub(super) chunks: Vec<Vec<T>>,
}

/// A row while it is written. Dereferences to the values pushed so far.
#[derive(Debug)]
pub struct Row<'a, T> {
    pub(super) chunk: &'a mut Vec<T>,
    pub(super) start: usize,
    /// Whether every allocation for the values of the row has succeeded so far.
    pub(super) is_whole: bool,
    pub(super) is_counted: bool,
    /// Whether a failed allocation ends the row. Otherwise it ends the process, as that of any list
    /// does.
    pub(super) is_fallible: bool,
}

/// Fills [`Rows`] in parallel by `visit(i, row)` for `i` in `0..count`, and returns their offsets
/// and values.
pub fn rows<T: Copy + Send>(
    count: usize,
    visit: impl Fn(usize, &mut Row<'_, T>) + Sync,
) -> (Vec<usize>, Vec<T>) {
    let mut rows = Rows::default();
    rows.fill(count, visit);
    rows.into_parts()
}

impl<T: Copy + Send> Rows<T> {
    /// Fills the rows in parallel, in place of all old ones. `visit(i, row)` is called once for
    /// each `i` in `0..count`, and row `i` has the values that the call pushes, in the order of the
    /// pushes.
    ///
    /// Each task stores the values of a chunk of rows as they are found. Once the number of values
    /// of all rows is known, the chunks are copied into one array, which is cheaper than a second
    /// call of `visit`.
    pub fn fill(&mut self, count: usize, visit: impl Fn(usize, &mut Row<'_, T>) + Sync) {
        self.offsets.clear();
        self.offsets.resize(count + 1, 0);
        let used = count.div_ceil(ROW_CHUNK);
        if self.chunks.len() < used {
            self.chunks.resize_with(used, Vec::new);
        }
        self.write(used, |first, ends, chunk| {
            for (i, end) in (first..).zip(ends) {
                let mut row = Row {
                    is_fallible: false,
                    ..Row::of(chunk)
                };
                visit(i, &mut row);
                *end = chunk.len();
            }
        });
        self.values.clear();
        let total = self.chunks[..used].iter().map(Vec::len).sum();
        self.values.reserve(total);
        self.join(used);
    }

    /// Fills the first `used` chunks of rows in parallel. `fill(first, ends, values)` fills the
    /// chunk that begins with row `first`: it appends the values of its rows to `values` and writes
    /// the end of each row in `values` to `ends`.
    pub(super) fn write(
        &mut self,
        used: usize,
        fill: impl Fn(usize, &mut [usize], &mut Vec<T>) + Sync,
    ) {
        self.offsets[1..]
            .par_chunks_mut(ROW_CHUNK)
            .zip(self.chunks[..used].par_iter_mut())
            .enumerate()
            .for_each(|(c, (ends, chunk))| {
                chunk.clear();
                fill(c * ROW_CHUNK, ends, chunk);
            });
    }

    /// Joins the first `used` chunks of rows: copies their values into one array, whose capacity
    /// was reserved before, and turns the ends of rows within chunks into offsets.
    pub(super) fn join(&mut self, used: usize) {
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
    /// The offsets of the rows in the values, and the end of the last row.
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

    /// Returns the offsets and the values of the rows.
    pub fn into_parts(self) -> (Vec<usize>, Vec<T>) {
        (self.offsets, self.values)
    }

    /// The number of rows (lists).
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
    /// Returns a new, empty row whose values are appended to `chunk`, after those of earlier rows.
    pub(super) fn of(chunk: &'a mut Vec<T>) -> Self {
        Row {
            start: chunk.len(),
            chunk,
            is_whole: true,
            is_counted: false,
            is_fallible: true,
        }
    }

    /// Whether the values of the row are only counted, so that their order does not matter yet
    /// ([`Rows::try_fill`]).
    pub fn is_counted(&self) -> bool {
        self.is_counted
    }

    /// Appends a value to the row.
    #[inline]
    pub fn push(&mut self, value: T) {
        if self.chunk.len() == self.chunk.capacity() && !self.grow() {
            self.is_whole = false;
            return;
        }
        self.chunk.push(value);
    }

    /// Reserves memory for another value of the row. Returns whether it could be allocated.
    #[cold]
    fn grow(&mut self) -> bool {
        if self.is_fallible {
            return try_reserve(self.chunk, 1).is_ok();
        }
        self.chunk.reserve(1);
        true
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

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::ThreadPoolBuilder;

    /// Pushes the values of row `i` in the tests of rows: 0 to 6 values, for some rows thousands.
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
}
