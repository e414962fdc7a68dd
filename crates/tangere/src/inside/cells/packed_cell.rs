//! Record of a cell crossed by the surface, packed in 32 bits.

use super::CROWDED;
use std::ops::Range;

/// The value that stands for an unknown winding number of a cell. It is unknown if the centre of
/// the cell lies on the surface, or if the cell has too many triangles.
pub(super) const UNKNOWN: i32 = i32::MIN;

/// The record of a crossed cell (one that triangles overlap), or of a slice of such a cell. It has
/// the start of its triangles in the list of the brick, their number, at most [`CROWDED`], and the
/// winding number at its reference point (for a cell, the centre). A cell that is cut into slices
/// has the index of its slices instead.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell(pub(super) u32);

const _: () = assert!(64 * CROWDED < 1 << Cell::LEN && CROWDED < 1 << 8);

impl Cell {
    const LEN: u32 = 14;
    const WINDING: u32 = 22;
    /// Winding numbers of this magnitude or more do not fit into the record of a cell and count as
    /// unknown.
    const WINDING_MAX: u32 = (1 << 9) - 1;
    /// The ten-bit code of an unknown winding number in the record of a cell.
    const UNKNOWN: u32 = 1 << 9;
    const SLICED: u32 = Self::UNKNOWN + 1;
    /// The start of a cell's triangles in the list of its brick must be below this limit: it has 14
    /// bits in the record.
    pub(super) const START_MAX: u32 = 1 << Self::LEN;
    /// The index of a cell's slices among the stored slices of the slab must be below this limit:
    /// it has 22 bits in the record.
    pub(super) const SLICES_MAX: u32 = 1 << Self::WINDING;

    /// The packed record of a cell that has no triangles so far. Its triangles will begin at
    /// `start` in the list of the brick.
    #[inline(always)]
    pub(super) fn at(start: u32) -> Self {
        Cell(start)
    }

    /// The packed record of a cell: its `len` triangles begin at `start` in the list of the brick,
    /// and `winding` is the winding number at its reference point.
    #[inline(always)]
    pub(super) fn new(start: u32, len: u32, winding: i32) -> Self {
        let mut cell = Cell(start | len << Self::LEN);
        cell.set_winding(winding);
        cell
    }

    /// The packed record of a cell that is cut into slices. `number` is the index of these slices
    /// among the stored slices of the slab; it must be below [`Self::SLICES_MAX`].
    #[inline(always)]
    pub(super) fn sliced(number: u32) -> Self {
        Cell(number | Self::SLICED << Self::WINDING)
    }

    /// Whether the packed cell is cut into slices, which hold the triangles and winding numbers.
    #[inline(always)]
    pub(super) fn is_sliced(self) -> bool {
        self.0 >> Self::WINDING == Self::SLICED
    }

    /// The index of the slices of the packed cell among the stored slices of the slab. The cell
    /// must be cut into slices.
    #[inline(always)]
    pub(super) fn slices(self) -> u32 {
        self.0 & (Self::SLICES_MAX - 1)
    }

    /// The number of triangles of the packed cell.
    #[inline(always)]
    pub(super) fn len(self) -> u32 {
        self.0 >> Self::LEN & 0xff
    }

    /// The range of the packed cell's triangles in the slab's list of triangles, where those of the
    /// cell's brick begin at `first`. For a slice it is their range in the stored slices of the
    /// slab, where those of the sliced cell begin at `first`.
    #[inline(always)]
    pub(super) fn range(self, first: u32) -> Range<usize> {
        let start = first + (self.0 & ((1 << Self::LEN) - 1));
        start as usize..(start + self.len()) as usize
    }

    /// Adds one triangle to the number of triangles of the packed cell.
    #[inline(always)]
    pub(super) fn grow(&mut self) {
        self.0 += 1 << Self::LEN;
    }

    /// The winding number at the reference point of the packed cell. It is [`UNKNOWN`] if the point
    /// lies on the surface, the number is too large, or the cell has too many triangles or is cut
    /// into slices.
    #[inline(always)]
    pub(super) fn winding(self) -> i32 {
        match self.0 >> Self::WINDING {
            Self::UNKNOWN | Self::SLICED => UNKNOWN,
            bits => ((bits << 22) as i32) >> 22,
        }
    }

    /// Stores the winding number at the reference point in the packed cell.
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
