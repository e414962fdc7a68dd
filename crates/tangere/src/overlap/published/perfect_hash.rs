//! Perfect hash of the occupied cells of a packing (method `perfect-hash`): what weller2014,
//! section 4.3, names as possible for rigid objects, whose cells are known in advance. A search of a
//! cell reads one bucket, and no two cells share one. The cost of the build is `O(n log n)`.
//!
//! The function is found by hash and displace. A first hash puts cells into groups of four on
//! average. Groups are placed from the largest to the smallest: each gets the first seed of a second
//! hash that sends all of its cells to buckets that are still free. There is a quarter more buckets
//! than cells, so a few seeds suffice for the last groups, too.
//!
//! *Deviates:* the paper names no construction. A bucket refers to the spheres of its cell, however
//! many there are.

use super::cells::{Cells, Key};
use super::occupied_cells::OccupiedCells;
use super::report::TableReport;
use super::search::CellTable;
use crate::shape::Packing;
use std::cmp::Reverse;

/// The mean number of cells of a group that shares a seed.
const GROUP: usize = 4;
/// A bucket without a cell.
const FREE: u32 = u32::MAX;

/// A perfect hash of the cells of a packing.
#[derive(Clone, Debug)]
pub(crate) struct PerfectHash {
    cells: Cells,
    occupied: OccupiedCells,
    /// For each group of cells the seed of the second hash.
    seeds: Vec<u32>,
    /// For each bucket the index of its cell, or [`FREE`].
    buckets: Vec<u32>,
}

/// Returns the hash of a cell with a seed: each number is mixed in by a multiplication with an odd
/// constant and a shift (the finaliser of splitmix64).
#[inline(always)]
fn hash((level, [x, y, z]): Key, seed: u64) -> u64 {
    let mut hash = seed;
    // All numbers are mixed before the next one, so that no two cells collide for every seed.
    for term in [i64::from(level), x, y, z] {
        hash = (hash ^ term as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ (hash >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^= hash >> 32;
    }
    hash
}

/// Returns a hash reduced to a number below `count`, which is below 2^32.
#[inline(always)]
fn below(hash: u64, count: usize) -> usize {
    (((hash >> 32) * count as u64) >> 32) as usize
}

/// Returns the second hash of a cell, with the seed of its group.
#[inline(always)]
fn bucket(key: Key, seed: u32, buckets: usize) -> usize {
    below(hash(key, u64::from(seed) + 1), buckets)
}

impl PerfectHash {
    /// Builds a perfect hash of the cells of a packing.
    pub(crate) fn new(packing: &Packing) -> Self {
        let cells = Cells::new(packing, 1.0);
        let occupied = OccupiedCells::new(packing, &cells, |key| *key);
        let mut groups = vec![Vec::new(); occupied.len().div_ceil(GROUP)];
        for (i, &key) in (0..).zip(&occupied.keys) {
            groups[below(hash(key, 0), occupied.len().div_ceil(GROUP))].push(i);
        }
        let mut buckets: Vec<u32> = vec![FREE; occupied.len() + occupied.len() / 4 + 1];
        let mut seeds = vec![0; groups.len()];
        let mut order: Vec<usize> = (0..groups.len()).collect();
        order.sort_by_key(|&group| (Reverse(groups[group].len()), group));
        let mut taken = Vec::new();
        for group in order {
            // There are free buckets for every group, and hashes of different seeds are independent,
            // so the search ends.
            for seed in 0.. {
                taken.clear();
                for &cell in &groups[group] {
                    let place = bucket(occupied.keys[cell as usize], seed, buckets.len());
                    if buckets[place] != FREE || taken.contains(&place) {
                        break;
                    }
                    taken.push(place);
                }
                if taken.len() == groups[group].len() {
                    seeds[group] = seed;
                    break;
                }
            }
            for (&place, &cell) in taken.iter().zip(&groups[group]) {
                buckets[place] = cell;
            }
        }
        Self {
            cells,
            occupied,
            seeds,
            buckets,
        }
    }

    /// Returns the index of a cell among the occupied ones, if spheres are in it.
    #[inline(always)]
    fn find(&self, key: Key) -> Option<usize> {
        let seed = self.seeds[below(hash(key, 0), self.seeds.len())];
        let cell = self.buckets[bucket(key, seed, self.buckets.len())];
        (cell != FREE && self.occupied.keys[cell as usize] == key).then_some(cell as usize)
    }
}

impl CellTable for PerfectHash {
    fn of(packing: &Packing) -> &Self {
        packing.tables().perfect_hash(packing)
    }

    fn cells(&self) -> &Cells {
        &self.cells
    }

    #[inline(always)]
    fn visit(&self, key: Key, visit: impl FnMut(u32)) {
        if let Some(cell) = self.find(key) {
            self.occupied.spheres(cell).iter().copied().for_each(visit);
        }
    }

    fn report(&self, _: &Packing) -> TableReport {
        TableReport {
            buckets: self.buckets.len(),
            capacity: None,
            cells: self.occupied.len(),
            entries: self.occupied.entries(),
            fullest_cell: self.occupied.fullest(),
            fullest_bucket: self.occupied.fullest(),
            colliding: 0,
            overflowing: 0,
            probes: 1,
            bytes: self.cells.bytes()
                + self.occupied.bytes()
                + size_of_val(&self.seeds[..])
                + size_of_val(&self.buckets[..]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_a_bucket_of_its_own() {
        for side in [1, 3, 20] {
            let centers: Vec<[f64; 3]> = (0..side * side * side)
                .map(|i| [i % side, i / side % side, i / side / side].map(|x| f64::from(x) * 1.01))
                .collect();
            let radii = (0..centers.len())
                .map(|i| 0.5 / (1 + i % 5) as f64)
                .collect();
            let table = PerfectHash::new(&Packing::new(centers, radii).unwrap());
            let mut places = vec![false; table.buckets.len()];
            for (i, &key) in table.occupied.keys.iter().enumerate() {
                assert_eq!(table.find(key), Some(i));
                let seed = table.seeds[below(hash(key, 0), table.seeds.len())];
                let place = bucket(key, seed, table.buckets.len());
                assert!(!std::mem::replace(&mut places[place], true), "{key:?}");
            }
            let (level, [x, y, z]) = table.occupied.keys[0];
            assert_eq!(table.find((level, [x - 100, y, z])), None);
        }
    }
}
