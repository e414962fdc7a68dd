//! Parallel work on consecutive parts of two mutable slices, without allocation.

/// A mutable view that can be cut in two, such as a slice.
pub(crate) trait Cut: Send + Sized {
    /// Cuts a mutable view for parallel work in two: the elements before index `at`, and those from
    /// it on.
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

/// Calls `work(i, part of a, part of b)` for the parts `0..count` of two slices, in parallel and
/// without allocation. Part `i` of `a` ends at `a_ends(i)` and begins where part `i - 1` ends; part
/// `i` of `b` likewise ends at `b_ends(i)`.
pub(crate) fn parts<A: Cut, B: Cut>(
    count: usize,
    (a, a_ends): (A, &(impl Fn(usize) -> usize + Sync)),
    (b, b_ends): (B, &(impl Fn(usize) -> usize + Sync)),
    work: &(impl Fn(usize, A, B) + Sync),
) {
    type Ends<'a> = &'a (dyn Fn(usize) -> usize + Sync);
    /// Halves a range of parts until each task has one part. The functions are trait objects: a part
    /// is much longer than a call, and rayon's code is compiled once for all of them.
    fn halve<A: Cut, B: Cut>(
        range: std::ops::Range<usize>,
        (a, a_from, a_ends): (A, usize, Ends<'_>),
        (b, b_from, b_ends): (B, usize, Ends<'_>),
        work: &(dyn Fn(usize, A, B) + Sync),
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
