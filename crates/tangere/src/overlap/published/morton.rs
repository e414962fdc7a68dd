//! Morton order with closed hashing and a reduced cell size (method `morton`): what weller2014,
//! section 5.1, suggests as a hash that preserves locality.
//!
//! Cells are half as wide as those of the other published tables, so that they hold fewer spheres
//! and a sphere lies in up to 27 of them. They are sorted by level and Morton code, which interleaves
//! the bits of their coordinates; the spheres of neighbouring cells are then near each other in
//! memory. The hash of a cell is its Morton code modulo the number of buckets, a power of two and
//! at least twice the number of cells, so that neighbouring cells lie in neighbouring buckets; levels
//! are shifted against each other. A cell whose bucket is taken goes to the next free one (closed
//! hashing with linear probing). The cost of the build is `O(n log n)`.
//!
//! *Deviates:* the paper gives no details.

use super::cells::{Cell, Cells, Key};
use super::occupied_cells::OccupiedCells;
use super::report::TableReport;
use super::search::CellTable;
use crate::shape::Packing;

/// The width of cells relative to the largest sphere of their level.
const REDUCED: f64 = 0.5;
/// A bucket without a cell.
const FREE: u32 = u32::MAX;
/// The shift between the hashes of two levels: an odd number of about half the range, so that
/// coarse levels do not begin where fine ones do.
const LEVEL: u64 = 0x9e37_79b9_7f4a_7c15;

/// A closed hash of the cells of a packing by their Morton code.
#[derive(Clone, Debug)]
pub(crate) struct MortonTable {
    cells: Cells,
    occupied: OccupiedCells,
    /// For each bucket the index of its cell, or [`FREE`]; a power of two of them.
    buckets: Vec<u32>,
}

/// Returns the 21 lowest bits of a number with two zeros before each.
#[inline(always)]
fn spread(x: i64) -> u64 {
    let mut x = x as u64 & 0x1f_ffff;
    x = (x | x << 32) & 0x001f_0000_0000_ffff;
    x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

/// Returns the Morton code of a cell from the 21 lowest bits of its coordinates.
#[inline(always)]
fn morton([x, y, z]: Cell) -> u64 {
    spread(x) | spread(y) << 1 | spread(z) << 2
}

/// Returns the hash of a cell; buckets are its lowest bits.
#[inline(always)]
fn hash((level, cell): Key) -> u64 {
    morton(cell).wrapping_add(u64::from(level).wrapping_mul(LEVEL))
}

impl MortonTable {
    /// Builds the table of a packing.
    pub(crate) fn new(packing: &Packing) -> Self {
        let cells = Cells::new(packing, REDUCED);
        let occupied = OccupiedCells::new(packing, &cells, |&(level, cell)| (level, morton(cell)));
        let count = (2 * occupied.len()).next_power_of_two();
        let mut buckets = vec![FREE; count];
        for (i, &key) in (0..).zip(&occupied.keys) {
            let mut place = hash(key) as usize & (count - 1);
            while buckets[place] != FREE {
                place = (place + 1) & (count - 1);
            }
            buckets[place] = i;
        }
        Self {
            cells,
            occupied,
            buckets,
        }
    }

    /// Returns the index of a cell among the occupied ones, if spheres are in it, and the number of
    /// buckets read.
    #[inline(always)]
    fn find(&self, key: Key) -> (Option<usize>, usize) {
        let mask = self.buckets.len() - 1;
        let mut place = hash(key) as usize & mask;
        // Half of the buckets are free, so the search ends.
        for probes in 1.. {
            match self.buckets[place] {
                FREE => return (None, probes),
                cell if self.occupied.keys[cell as usize] == key => {
                    return (Some(cell as usize), probes);
                }
                _ => place = (place + 1) & mask,
            }
        }
        (None, 0)
    }
}

impl CellTable for MortonTable {
    fn of(packing: &Packing) -> &Self {
        packing.tables().morton(packing)
    }

    fn cells(&self) -> &Cells {
        &self.cells
    }

    #[inline(always)]
    fn visit(&self, key: Key, visit: impl FnMut(u32)) {
        if let (Some(cell), _) = self.find(key) {
            self.occupied.spheres(cell).iter().copied().for_each(visit);
        }
    }

    fn report(&self, _: &Packing) -> TableReport {
        let probes = |key: &Key| self.find(*key).1;
        let all = || self.occupied.keys.iter().map(probes);
        TableReport {
            buckets: self.buckets.len(),
            capacity: None,
            cells: self.occupied.len(),
            entries: self.occupied.entries(),
            fullest_cell: self.occupied.fullest(),
            fullest_bucket: self.occupied.fullest(),
            colliding: all().filter(|&probes| probes > 1).count(),
            overflowing: 0,
            probes: all().max().unwrap_or(0),
            bytes: self.cells.bytes() + self.occupied.bytes() + size_of_val(&self.buckets[..]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_interleave_bits() {
        assert_eq!(morton([1, 0, 0]), 1);
        assert_eq!(morton([0, 1, 0]), 2);
        assert_eq!(morton([0, 0, 1]), 4);
        assert_eq!(morton([3, 3, 3]), 63);
        assert_eq!(morton([0x1f_ffff; 3]), (1 << 63) - 1);
        // The bits of -1 are all set.
        assert_eq!(morton([-1; 3]), (1 << 63) - 1);
    }

    #[test]
    fn every_cell_is_found() {
        let centers: Vec<[f64; 3]> = (0..1000)
            .map(|i| [i % 10, i / 10 % 10, i / 100].map(|x| f64::from(x) * 1.01))
            .collect();
        let radii = (0..centers.len())
            .map(|i| 0.5 / (1 + i % 5) as f64)
            .collect();
        let table = MortonTable::new(&Packing::new(centers, radii).unwrap());
        for (i, &key) in table.occupied.keys.iter().enumerate() {
            assert_eq!(table.find(key).0, Some(i));
        }
        let (level, [x, y, z]) = table.occupied.keys[0];
        assert_eq!(table.find((level, [x - 100, y, z])).0, None);
    }
}
