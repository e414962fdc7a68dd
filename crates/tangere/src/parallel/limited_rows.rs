//! Limited rows: [`Rows`], lists of different lengths in one array, with a limit on the number of
//! their values, and an error when out of memory.
//!
//! Few values are stored as they are found. Beyond a limit they are counted first and found again,
//! so that memory for all is allocated at once: the system can then refuse it, and no more is used
//! than needed (a list that grows exists twice for a while).

use super::parts::parts;
use super::rows::{ROW_CHUNK, Row, Rows};
use crate::memory::{try_reserve, try_reserve_exact};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// If the values of limited rows take at most this number of bytes, they are stored as they are
/// found, without counting them first.
const KEPT: usize = 1 << 28;

/// The number of values that a thread finds before it adds them to the total of all threads. It is
/// small enough that the search of limited rows ends soon once there are too many values, and large
/// enough to cost nothing.
const REPORTED: usize = 1 << 14;

/// The reason why limited rows were not filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overfull {
    /// The rows have more values than the limit allows.
    TooMany,
    /// Memory for the rows ran out after this many values were found.
    NoMemory(usize),
}

/// The number of values of limited rows that all threads together have found so far.
struct Tally {
    most: usize,
    total: AtomicUsize,
    starved: AtomicBool,
}

impl Tally {
    /// Starts to count the values of limited rows, of which at most `most` are allowed.
    fn new(most: usize) -> Self {
        Self {
            most,
            total: AtomicUsize::new(0),
            starved: AtomicBool::new(false),
        }
    }

    /// Finds the values of a chunk of limited rows until there are too many. `find(i, end)` sets
    /// `end`, the entry of row `i` in `ends`: to the end of the row in its chunk, or to the number
    /// of its values if they are only counted. It returns the number of values of the row and
    /// whether there was memory for them.
    fn rows(
        &self,
        first: usize,
        ends: &mut [usize],
        mut find: impl FnMut(usize, &mut usize) -> (usize, bool),
    ) {
        let mut unreported = 0;
        for (i, end) in (first..).zip(ends) {
            if self.is_over() {
                break;
            }
            let (found, is_whole) = find(i, end);
            if !is_whole {
                self.starve();
            }
            unreported += found;
            if unreported >= REPORTED {
                self.report(&mut unreported);
            }
        }
        self.report(&mut unreported);
    }

    /// Adds the values that a thread has found to the total of the limited rows.
    fn report(&self, unreported: &mut usize) {
        self.total.fetch_add(std::mem::take(unreported), Relaxed);
    }

    /// Records that memory for the limited rows ran out.
    fn starve(&self) {
        self.starved.store(true, Relaxed);
    }

    /// Whether memory ran out or the limited rows have too many values.
    fn is_over(&self) -> bool {
        self.starved.load(Relaxed) || self.total.load(Relaxed) > self.most
    }

    /// The total number of values of the limited rows after all threads have reported. Otherwise
    /// the reason why rows cannot be filled: too many values, or too little memory.
    fn checked(&self) -> Result<usize, Overfull> {
        let total = self.total.load(Relaxed);
        match (self.starved.load(Relaxed), total > self.most) {
            (true, _) => Err(Overfull::NoMemory(total)),
            (false, true) => Err(Overfull::TooMany),
            (false, false) => Ok(total),
        }
    }
}

impl<T: Copy + Default + Send> Rows<T> {
    /// Fills limited rows: replaces all rows as [`Rows::fill`] does, but with at most `most`
    /// values, and with an error when out of memory. After an error there are no rows. If there are
    /// very many values, `visit` is called two or three times for a row and must push the same
    /// values each time. In the call in which [`Row::is_counted`] holds, values are only counted
    /// and their order does not matter.
    ///
    /// ```
    /// use tangere::parallel::{Overfull, Rows};
    ///
    /// let mut rows = Rows::default();
    /// assert_eq!(rows.try_fill(9, 36, |i, row| (0..i).for_each(|k| row.push(k))), Ok(()));
    /// assert_eq!(rows.row(8).len(), 8);
    /// let filled = rows.try_fill(9, 35, |i, row| (0..i).for_each(|k| row.push(k)));
    /// assert_eq!(filled, Err(Overfull::TooMany));
    /// assert!(rows.is_empty());
    /// ```
    ///
    /// # Errors
    /// When there are more values than `most`, or memory for them cannot be allocated.
    pub fn try_fill(
        &mut self,
        count: usize,
        most: usize,
        visit: impl Fn(usize, &mut Row<'_, T>) + Sync,
    ) -> Result<(), Overfull> {
        self.limited(count, most, KEPT / size_of::<T>().max(1), visit)
    }

    /// Fills limited rows as [`Rows::try_fill`] does; up to `kept` values are stored without
    /// counting.
    fn limited(
        &mut self,
        count: usize,
        most: usize,
        kept: usize,
        visit: impl Fn(usize, &mut Row<'_, T>) + Sync,
    ) -> Result<(), Overfull> {
        let mut filled = self.collected(count, &Tally::new(most.min(kept)), &visit);
        if filled == Err(Overfull::TooMany) && most > kept {
            // Frees what was stored before as much is allocated again.
            *self = Self::default();
            filled = self.counted(count, &Tally::new(most), &visit);
        }
        filled.inspect_err(|_| *self = Self::default())
    }

    /// Replaces all limited rows by `count` empty ones.
    fn start(&mut self, count: usize) -> Result<(), Overfull> {
        self.offsets.clear();
        self.values.clear();
        let reserved = try_reserve(&mut self.offsets, count.saturating_add(1));
        reserved.map_err(|_| Overfull::NoMemory(0))?;
        self.offsets.resize(count + 1, 0);
        Ok(())
    }

    /// Fills limited rows in one pass: values are stored as they are found.
    fn collected(
        &mut self,
        count: usize,
        tally: &Tally,
        visit: &(impl Fn(usize, &mut Row<'_, T>) + Sync),
    ) -> Result<(), Overfull> {
        self.start(count)?;
        let used = count.div_ceil(ROW_CHUNK);
        if let more @ 1.. = used.saturating_sub(self.chunks.len()) {
            let reserved = try_reserve(&mut self.chunks, more);
            reserved.map_err(|_| Overfull::NoMemory(0))?;
            self.chunks.resize_with(used, Vec::new);
        }
        self.write(used, |first, ends, chunk| {
            tally.rows(first, ends, |i, end| {
                let start = chunk.len();
                let is_whole = written(i, chunk, visit);
                *end = chunk.len();
                (*end - start, is_whole)
            });
        });
        let total = tally.checked()?;
        let reserved = try_reserve(&mut self.values, total);
        reserved.map_err(|_| Overfull::NoMemory(total))?;
        self.join(used);
        Ok(())
    }

    /// Fills limited rows in two passes: counts the values of all rows, then allocates memory for
    /// them and finds them again.
    fn counted(
        &mut self,
        count: usize,
        tally: &Tally,
        visit: &(impl Fn(usize, &mut Row<'_, T>) + Sync),
    ) -> Result<(), Overfull> {
        self.start(count)?;
        let ends = &mut self.offsets[1..];
        ends.par_chunks_mut(ROW_CHUNK)
            .enumerate()
            .for_each(|(c, ends)| {
                let mut row = Vec::new();
                tally.rows(c * ROW_CHUNK, ends, |i, end| {
                    row.clear();
                    let mut counted = Row {
                        is_counted: true,
                        ..Row::of(&mut row)
                    };
                    visit(i, &mut counted);
                    let is_whole = counted.is_whole;
                    *end = row.len();
                    (*end, is_whole)
                });
                let found = tally.total.load(Relaxed);
                if try_reserve_exact(&mut Vec::<T>::new(), found).is_err() {
                    tally.starve();
                }
            });
        let total = tally.checked()?;
        let mut start = 0;
        for end in ends {
            start += *end;
            *end = start;
        }
        let reserved = try_reserve_exact(&mut self.values, total);
        reserved.map_err(|_| Overfull::NoMemory(total))?;
        self.values.resize(total, T::default());
        let offsets = &self.offsets;
        let rows = |c: usize| c * ROW_CHUNK..((c + 1) * ROW_CHUNK).min(count);
        parts(
            count.div_ceil(ROW_CHUNK),
            (&mut self.values[..], &|c| offsets[rows(c).end]),
            (&mut [(); 0][..], &|_| 0),
            &|c, values: &mut [T], _: &mut [()]| {
                let first = offsets[rows(c).start];
                let mut row = Vec::new();
                for i in rows(c) {
                    row.clear();
                    if !written(i, &mut row, visit) {
                        tally.starve();
                    }
                    let place = &mut values[offsets[i] - first..offsets[i + 1] - first];
                    // A stop between both calls leaves fewer values.
                    let same = place.len().min(row.len());
                    place[..same].copy_from_slice(&row[..same]);
                }
            },
        );
        tally.checked().map(|_| ())
    }
}

/// Appends the values of limited row `i` to a chunk; returns whether no allocation failed.
fn written<T>(i: usize, chunk: &mut Vec<T>, visit: &impl Fn(usize, &mut Row<'_, T>)) -> bool {
    let mut row = Row::of(chunk);
    visit(i, &mut row);
    row.is_whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::ThreadPoolBuilder;

    /// Pushes the values of row `i` of the limited rows: 0 to 12 values, for some rows thousands.
    fn rising(i: usize, row: &mut Row<'_, u32>) {
        let length = if i % 300 == 299 { 20_000 } else { i % 13 };
        (0..length).for_each(|k| row.push((i * k) as u32));
        if !row.is_counted() {
            row.reverse();
        }
    }

    #[test]
    fn few_are_collected_and_many_are_counted_with_the_same_result() {
        for count in [0, 1, 255, 256, 257, 1000, 3000] {
            let mut expected = Rows::default();
            expected.fill(count, rising);
            let total = expected.values().len();
            for threads in [1, 2, 3, 16] {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build();
                let pool = pool.unwrap();
                for kept in [0, 1, total / 2, total, usize::MAX] {
                    let mut rows = Rows::default();
                    let mut fill = |most| pool.install(|| rows.limited(count, most, kept, rising));
                    assert_eq!(fill(usize::MAX), Ok(()), "{count} {kept}");
                    assert_eq!(fill(total), Ok(()), "{count} {kept}");
                    assert_eq!(rows.offsets(), expected.offsets(), "{count} {kept}");
                    assert_eq!(rows.values(), expected.values(), "{count} {kept}");
                    if total > 0 {
                        let filled = pool.install(|| rows.limited(count, total - 1, kept, rising));
                        assert_eq!(filled, Err(Overfull::TooMany), "{count} {kept}");
                        assert_eq!((rows.len(), rows.values().len()), (0, 0));
                    }
                }
            }
        }
    }

    /// Checks that limited rows for which there is not enough memory are an error, and that no rows
    /// are left.
    #[test]
    fn more_than_there_is_memory_for() {
        let mut rows = Rows::<u32>::default();
        let filled = rows.try_fill(usize::MAX, usize::MAX, |_, row| row.push(0));
        assert_eq!(filled, Err(Overfull::NoMemory(0)));
        assert!(rows.is_empty());
    }
}
