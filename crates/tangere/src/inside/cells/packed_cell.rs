//! What is noted of a crossed cell, in 32 bits.

use super::CROWDED;
use std::ops::Range;

/// A winding number that is not known, as the centre lies on the surface.
pub(super) const UNKNOWN: i32 = i32::MIN;

/// A cell that triangles meet, or a slice of one: where its triangles begin among those
/// of the brick, how many there are, at most [`CROWDED`], and the winding number at its
/// reference. Or where the slices of the cell are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell(pub(super) u32);

const _: () = assert!(64 * CROWDED < 1 << Cell::LEN && CROWDED < 1 << 8);

impl Cell {
    const LEN: u32 = 14;
    const WINDING: u32 = 22;
    /// Windings that are not below this are not noted.
    const WINDING_MAX: u32 = (1 << 9) - 1;
    /// Numbers of ten bits that stand for none.
    const UNKNOWN: u32 = 1 << 9;
    const SLICED: u32 = Self::UNKNOWN + 1;
    /// What the place of a list, and the number of slices, must be below.
    pub(super) const START_MAX: u32 = 1 << Self::LEN;
    pub(super) const SLICES_MAX: u32 = 1 << Self::WINDING;

    /// Without triangles.
    #[inline(always)]
    pub(super) fn at(start: u32) -> Self {
        Cell(start)
    }

    /// With all its triangles.
    #[inline(always)]
    pub(super) fn new(start: u32, len: u32, winding: i32) -> Self {
        let mut cell = Cell(start | len << Self::LEN);
        cell.set_winding(winding);
        cell
    }

    /// Cut in slices of some number, which must be below [`Self::SLICES_MAX`].
    #[inline(always)]
    pub(super) fn sliced(number: u32) -> Self {
        Cell(number | Self::SLICED << Self::WINDING)
    }

    /// Whether it is cut in slices, which have the triangles and winding numbers.
    #[inline(always)]
    pub(super) fn is_sliced(self) -> bool {
        self.0 >> Self::WINDING == Self::SLICED
    }

    /// The number of its slices.
    #[inline(always)]
    pub(super) fn slices(self) -> u32 {
        self.0 & (Self::SLICES_MAX - 1)
    }

    #[inline(always)]
    pub(super) fn len(self) -> u32 {
        self.0 >> Self::LEN & 0xff
    }

    /// Its part of the list, of a brick whose triangles begin at `first`.
    #[inline(always)]
    pub(super) fn range(self, first: u32) -> Range<usize> {
        let start = first + (self.0 & ((1 << Self::LEN) - 1));
        start as usize..(start + self.len()) as usize
    }

    /// One more triangle.
    #[inline(always)]
    pub(super) fn grow(&mut self) {
        self.0 += 1 << Self::LEN;
    }

    /// The winding number at its reference; unknown also if there are too many
    /// triangles, or slices.
    #[inline(always)]
    pub(super) fn winding(self) -> i32 {
        match self.0 >> Self::WINDING {
            Self::UNKNOWN | Self::SLICED => UNKNOWN,
            bits => ((bits << 22) as i32) >> 22,
        }
    }

    #[inline(always)]
    pub(super) fn set_winding(&mut self, winding: i32) {
        let bits = match winding.unsigned_abs() < Self::WINDING_MAX {
            true => winding as u32 & 0x3ff,
            false => Self::UNKNOWN,
        };
        self.0 = self.0 & !(0x3ff << Self::WINDING) | bits << Self::WINDING;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_read() {
        for winding in [0, 1, -1, 300, 510, -510] {
            let cell = Cell::new(16_000, CROWDED, winding);
            assert_eq!((cell.winding(), cell.is_sliced()), (winding, false));
            assert_eq!(cell.range(5), 16_005..16_005 + CROWDED as usize);
        }
        for winding in [511, -511, 512, -512, 513, UNKNOWN, i32::MAX] {
            let cell = Cell::new(3, 7, winding);
            assert_eq!((cell.winding(), cell.is_sliced()), (UNKNOWN, false));
            assert_eq!(cell.range(0), 3..10);
        }
        for number in [0, 1, Cell::SLICES_MAX - 1] {
            let cell = Cell::sliced(number);
            assert!(cell.is_sliced() && cell.winding() == UNKNOWN);
            assert_eq!(cell.slices(), number);
        }
    }
}
