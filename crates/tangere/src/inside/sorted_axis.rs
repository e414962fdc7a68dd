//! Sorted coordinates of one axis of a grid, with a fast search for the position of a value among
//! them.

use std::ops::Range;

/// The coordinates of an axis, in nondecreasing order, with a fast search for the position of a
/// value among them.
#[derive(Clone, Copy, Debug)]
pub(super) struct SortedAxis<'a> {
    pub(super) values: &'a [f64],
    first: f64,
    inverse: f64,
}

impl<'a> SortedAxis<'a> {
    /// The sorted axis of a grid with the given nondecreasing coordinates.
    pub(super) fn new(values: &'a [f64]) -> Self {
        let (first, last) = match values {
            [first, .., last] => (*first, *last),
            _ => (0.0, 0.0),
        };
        let inverse = values.len().saturating_sub(1) as f64 / (last - first);
        SortedAxis {
            values,
            first,
            // Values that are all equal, or too far apart: any guess will do.
            inverse: if inverse.is_finite() { inverse } else { 0.0 },
        }
    }

    /// The number of coordinates of the sorted axis that are less than `x`. It is also the index of
    /// the first coordinate that is not less.
    #[inline(always)]
    pub(super) fn below(&self, x: f64) -> usize {
        let values = self.values;
        let guess = ((x - self.first) * self.inverse + 0.5) as i32;
        let mut i = (guess.max(0) as usize).min(values.len());
        // Equally spaced values are found in a step or two.
        for _ in 0..3 {
            if i > 0 && values[i - 1] >= x {
                i -= 1;
            } else if i < values.len() && values[i] < x {
                i += 1;
            } else {
                return i;
            }
        }
        values.partition_point(|&value| value < x)
    }

    /// The range of indices of those coordinates of the sorted axis that are from `low` to `high`,
    /// both included.
    #[inline(always)]
    pub(super) fn between(&self, low: f64, high: f64) -> Range<usize> {
        let start = self.below(low);
        let mut end = start;
        // Usually there are none, or few.
        while end < self.values.len() && self.values[end] <= high {
            end += 1;
            if end - start == 4 {
                return start..self.values.partition_point(|&value| value <= high);
            }
        }
        start..end
    }
}
