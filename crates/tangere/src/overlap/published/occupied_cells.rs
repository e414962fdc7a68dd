//! The cells of a packing that hold spheres, sorted, with their spheres: what the perfect hash and
//! the Morton table index. The cost is `O(n log n)`; the content is deterministic for any number of
//! threads.

use super::cells::{Cells, Key, between};
use crate::shape::Packing;
use rayon::prelude::*;

/// Cells that hold spheres, in ascending order of a sort key, and the spheres of each in ascending
/// order.
#[derive(Clone, Debug)]
pub(super) struct OccupiedCells {
    pub keys: Vec<Key>,
    /// For each cell the index of its first sphere in `spheres`; as the last element, the number of
    /// entries.
    starts: Vec<u32>,
    spheres: Vec<u32>,
}

impl OccupiedCells {
    /// Returns the cells that hold spheres of a packing, sorted by `order` of their key.
    pub fn new<O: Ord + Copy + Send>(
        packing: &Packing,
        cells: &Cells,
        order: impl Fn(&Key) -> O + Sync,
    ) -> Self {
        let entries = (0..packing.len()).into_par_iter().flat_map_iter(|i| {
            let (level, ends) = cells.of_sphere(packing, i);
            between(ends).map(move |cell| ((level, cell), i as u32))
        });
        let mut entries: Vec<(Key, u32)> = entries.collect();
        entries.par_sort_unstable_by_key(|(key, sphere)| (order(key), *key, *sphere));
        let mut occupied = Self {
            keys: Vec::new(),
            starts: Vec::new(),
            spheres: Vec::with_capacity(entries.len()),
        };
        for (key, sphere) in entries {
            if occupied.keys.last() != Some(&key) {
                occupied.keys.push(key);
                occupied.starts.push(occupied.spheres.len() as u32);
            }
            occupied.spheres.push(sphere);
        }
        occupied.starts.push(occupied.spheres.len() as u32);
        occupied
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The number of entries: a sphere counts once for each of its cells.
    pub fn entries(&self) -> usize {
        self.spheres.len()
    }

    /// The spheres of a cell.
    #[inline(always)]
    pub fn spheres(&self, cell: usize) -> &[u32] {
        &self.spheres[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// The largest number of spheres of a cell.
    pub fn fullest(&self) -> usize {
        let counts = (0..self.len()).map(|cell| self.spheres(cell).len());
        counts.max().unwrap_or(0)
    }

    /// The memory of the cells and their spheres in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.keys[..]) + size_of_val(&self.starts[..]) + size_of_val(&self.spheres[..])
    }
}
