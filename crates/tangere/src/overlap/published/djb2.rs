//! Hierarchical spatial hash as published in weller2014, section 4 (method `djb2`).
//!
//! Cells ([`super::cells`]) are hashed by DJB2 (algorithm 3) into a table of 16 MiB, with buckets
//! for 24 spheres. All threads fill the table at once: a bucket's count, an atomic integer, gives a
//! sphere its place in the bucket, so that writes are exclusive. Then buckets are sorted, so that
//! the content does not depend on the order of the writes.
//!
//! *Deviates:* spheres that find their bucket full go to an overflow list sorted by bucket.

use super::cells::{Cell, Cells, Key, between};
use super::occupied_cells::OccupiedCells;
use super::report::TableReport;
use super::search::CellTable;
use crate::shape::Packing;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of spheres that fit into a bucket of the hash table; more overflow.
const BUCKET: usize = 24;
/// The number of buckets of the hash table, which has 16 MiB.
const BUCKETS: usize = (16 << 20) / (4 * BUCKET);
/// The number of spheres or buckets in a chunk of parallel work.
const CHUNK: usize = 256;

/// The spatial hash, as published in weller2014, of the spheres of a packing.
#[derive(Clone, Debug)]
pub(crate) struct Djb2Table {
    cells: Cells,
    /// For each bucket, the number of spheres assigned to it. `buckets` has the first of them, up
    /// to its capacity, and `rest` those that overflow.
    counts: Vec<u32>,
    buckets: Vec<[u32; BUCKET]>,
    /// The spheres that overflow their bucket: the index of the bucket and that of the sphere,
    /// sorted.
    rest: Vec<(u32, u32)>,
}

/// Returns the index of the bucket of a cell in the published hash grid, by the DJB2 hash
/// (weller2014, algorithm 3).
#[inline(always)]
fn djb2([x, y, z]: Cell, level: u32) -> usize {
    let hash = [x as u32, y as u32, z as u32, level]
        .into_iter()
        .fold(5381_u32, |hash, term| {
            hash.wrapping_mul(33).wrapping_add(term)
        });
    hash as usize % BUCKETS
}

impl Djb2Table {
    /// Builds the published hash grid of a packing, in parallel.
    pub(crate) fn new(packing: &Packing) -> Self {
        let cells = Cells::new(packing, 1.0);
        let counts: Vec<AtomicU32> = (0..BUCKETS).map(|_| AtomicU32::new(0)).collect();
        let buckets: Vec<[AtomicU32; BUCKET]> = (0..BUCKETS)
            .map(|_| [const { AtomicU32::new(0) }; BUCKET])
            .collect();
        let chunks = (0..packing.len().div_ceil(CHUNK)).into_par_iter();
        let mut rest: Vec<(u32, u32)> = chunks
            .flat_map_iter(|chunk| {
                let mut rest = Vec::new();
                for i in chunk * CHUNK..((chunk + 1) * CHUNK).min(packing.len()) {
                    let (level, ends) = cells.of_sphere(packing, i);
                    for cell in between(ends) {
                        let bucket = djb2(cell, level);
                        let place = counts[bucket].fetch_add(1, Ordering::Relaxed) as usize;
                        match buckets[bucket].get(place) {
                            Some(room) => room.store(i as u32, Ordering::Relaxed),
                            None => rest.push((bucket as u32, i as u32)),
                        }
                    }
                }
                rest
            })
            .collect();
        let counts: Vec<u32> = counts.into_iter().map(AtomicU32::into_inner).collect();
        let mut buckets: Vec<[u32; BUCKET]> = buckets
            .into_iter()
            .map(|bucket| bucket.map(AtomicU32::into_inner))
            .collect();
        rest.par_sort_unstable();
        exchange(&mut buckets, &mut rest);
        buckets
            .par_iter_mut()
            .zip(&counts)
            .with_min_len(CHUNK)
            .for_each(|(bucket, &count)| {
                bucket[..(count as usize).min(BUCKET)].sort_unstable();
            });
        Self {
            cells,
            counts,
            buckets,
            rest,
        }
    }

    /// Returns the spheres that overflow a bucket, if any do.
    fn overflow(&self, bucket: usize) -> impl Iterator<Item = u32> {
        let from = self.rest.partition_point(|rest| rest.0 < bucket as u32);
        let rest = self.rest[from..].iter();
        let own = rest.take_while(move |rest| rest.0 == bucket as u32);
        own.map(|rest| rest.1)
    }
}

/// Moves the smallest of the spheres of a bucket that overflows into the bucket, the others to
/// `rest`, which is sorted by bucket. Which of them overflow first depends on the threads.
fn exchange(buckets: &mut [[u32; BUCKET]], rest: &mut [(u32, u32)]) {
    for rest in rest.chunk_by_mut(|a, b| a.0 == b.0) {
        let bucket = &mut buckets[rest[0].0 as usize];
        let mut all: Vec<u32> = bucket.to_vec();
        all.extend(rest.iter().map(|rest| rest.1));
        all.sort_unstable();
        bucket.copy_from_slice(&all[..BUCKET]);
        for (rest, &sphere) in rest.iter_mut().zip(&all[BUCKET..]) {
            rest.1 = sphere;
        }
    }
}

impl CellTable for Djb2Table {
    fn of(packing: &Packing) -> &Self {
        packing.tables().djb2(packing)
    }

    fn cells(&self) -> &Cells {
        &self.cells
    }

    #[inline(always)]
    fn visit(&self, (level, cell): Key, mut visit: impl FnMut(u32)) {
        let bucket = djb2(cell, level);
        let count = self.counts[bucket] as usize;
        for &sphere in &self.buckets[bucket][..count.min(BUCKET)] {
            visit(sphere);
        }
        if count > BUCKET {
            self.overflow(bucket).for_each(visit);
        }
    }

    fn report(&self, packing: &Packing) -> TableReport {
        let occupied = OccupiedCells::new(packing, &self.cells, |key| *key);
        let mut cells_of = vec![0_u32; BUCKETS];
        for &(level, cell) in &occupied.keys {
            cells_of[djb2(cell, level)] += 1;
        }
        let shared = cells_of.iter().filter(|&&cells| cells > 1);
        let fullest = self.counts.iter().copied().max().unwrap_or(0);
        TableReport {
            buckets: BUCKETS,
            capacity: Some(BUCKET),
            cells: occupied.len(),
            entries: occupied.entries(),
            fullest_cell: occupied.fullest(),
            fullest_bucket: fullest as usize,
            colliding: shared.map(|&cells| cells as usize).sum(),
            overflowing: self.rest.len(),
            probes: 1,
            bytes: self.cells.bytes()
                + size_of_val(&self.counts[..])
                + size_of_val(&self.buckets[..])
                + size_of_val(&self.rest[..]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lattice of touching spheres: eight in a cell. Cells that are 33 apart along one axis and one
    /// along another share a bucket.
    fn lattice(side: usize) -> Packing {
        let centers = (0..side * side * side)
            .map(|i| [i % side, i / side % side, i / side / side].map(|x| x as f64))
            .collect();
        let radii = vec![0.5; side * side * side];
        Packing::new(centers, radii).unwrap()
    }

    #[test]
    fn no_bucket_overflows_silently() {
        let side = 48;
        let packing = lattice(side);
        let table = Djb2Table::new(&packing);
        let given: usize = table.counts.iter().map(|&count| count as usize).sum();
        assert_eq!(given, 8 * side * side * side);
        let full: usize = table
            .counts
            .iter()
            .map(|&count| (count as usize).saturating_sub(BUCKET))
            .sum();
        let report = table.report(&packing);
        assert_eq!((report.overflowing, report.entries), (full, given));
        assert!(full > 0 && report.colliding > 0);
        assert_eq!(report.fullest_cell, 8);
        // Every sphere finds itself, once.
        let middle = 0.5 * (side - 1) as f64;
        for i in (0..side * side * side).step_by(97) {
            let at = [i % side, i / side % side, i / side / side].map(|x| x as f64);
            let at = at.map(|x| x - middle);
            let mut times = 0;
            table.search(at, 0.1, 0.0, |j| times += usize::from(i == j));
            assert_eq!(times, 1, "{i}");
        }
    }

    #[test]
    fn the_content_is_the_same_for_any_number_of_threads() {
        let packing = lattice(48);
        let of = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let table = pool.unwrap().install(|| Djb2Table::new(&packing));
            (table.counts, table.buckets, table.rest)
        };
        let one = of(1);
        for threads in [2, 5, 16] {
            assert!(of(threads) == one, "{threads} threads");
        }
    }
}
