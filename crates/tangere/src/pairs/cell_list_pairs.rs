//! Pairs within a cell list ([`CellList`]): half-stencil traversal, used by the grid methods.
//!
//! Each item is tested against the later items of its own row of cells and against the rows within
//! reach in half of the neighbourhood (one row in the plane, four in space). The ranges to test are
//! listed first for a batch of items and tested afterwards, so that a varying number of rows costs
//! no mispredicted branch.

use super::cell_list::CellList;
use super::f32_packing::Packing;
use super::lane_test::{LaneTest, Visit};
use super::pair_lists::{PairList, PairLists, SharedLimits};
use super::scene::Scene;
use crate::simd::{Kernel, Vector, run_widest};
use rayon::prelude::*;
use std::marker::PhantomData;
use std::ops::Range;

/// The number of items of a cell list whose ranges of items to test are listed in one batch.
const BATCH: usize = 64;
/// Maximum number of rows of cells that an item is tested against: its own row and half of those
/// around it.
const ROWS: usize = 5;

impl<const D: usize, const N: usize> CellList<D, N> {
    /// Finds the pairs within a cell list: appends all touching pairs of its items, in any order.
    pub(super) fn pairs<P: Packing<D, N>>(
        &self,
        items: P,
        scene: &Scene<D>,
        found: &mut PairLists,
    ) {
        if self.count == 0 {
            return;
        }
        let total = self.starts.len() - 1;
        let bands = total.div_ceil(1 << self.bits);
        let gap_error = self.gap_error(items);
        let (lists, shared) = found.lists(bands);
        lists.par_iter_mut().enumerate().for_each(|(b, list)| {
            run_widest(PairsWithin::<D, N, P> {
                cell_list: self,
                scene,
                band: b << self.bits..((b + 1) << self.bits).min(total),
                gap_error,
                shared,
                list,
                packing: PhantomData,
            });
        });
    }
}

/// Kernel that finds the touching pairs of an item in the cells `band` of a cell list and an item
/// that comes later in the list.
struct PairsWithin<'a, const D: usize, const N: usize, P> {
    cell_list: &'a CellList<D, N>,
    scene: &'a Scene<D>,
    band: Range<usize>,
    gap_error: f32,
    shared: SharedLimits<'a>,
    list: &'a mut PairList,
    packing: PhantomData<P>,
}

impl<const D: usize, const N: usize, P: Packing<D, N>> Kernel for PairsWithin<'_, D, N, P> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let PairsWithin {
            cell_list, band, ..
        } = self;
        let (cells, starts) = (&cell_list.cells, &cell_list.starts[..]);
        let counts = cells.counts;
        let (columns, rows) = (counts[0], counts[1]);
        let slabs = if D == 3 { counts[2] } else { 1 };
        // Both coordinates have a rounding error.
        let more = (8.0 * cells.error) as f32;
        let lane_test = LaneTest::<D, N>::new(
            &cell_list.packed,
            &cell_list.index,
            cell_list.count,
            self.gap_error,
            self.scene,
        );
        let mut writer = self.list.writer(self.shared);
        let mut left = [0u32; BATCH];
        let mut right = [0u32; BATCH];
        let mut reached = [0u32; BATCH];
        let mut visits = [Visit::default(); ROWS * BATCH + 1];
        'rows: for row in band.start / columns..band.end.div_ceil(columns) {
            let (y, z) = (row % rows, row / rows);
            let (own_y, own_z) = (y as u32, z as u32);
            let at = |y: usize, z: usize| {
                let first = (z * rows + y) * columns;
                &starts[first..=first + columns]
            };
            let own = at(y, z);
            // The rows of the half stencil: in the next slab above, beside and below; in this
            // slab above.
            let next = z + 1 < slabs;
            let (above, below) = (y + 1 < rows, y > 0);
            let mut after = [own; 4];
            let exists = [above, next && above, next && below, next];
            let places = [
                (y + 1, z),
                (y + 1, z + 1),
                (y.wrapping_sub(1), z + 1),
                (y, z + 1),
            ];
            for s in 0..4 {
                if exists[s] {
                    after[s] = at(places[s].0, places[s].1);
                }
            }
            let exists = exists
                .iter()
                .rev()
                .fold(0, |bits, &b| bits << 1 | u32::from(b));
            let first = row * columns;
            let from = starts[first.max(band.start)] as usize;
            let to = starts[(first + columns).min(band.end)] as usize;
            let mut batch = from;
            while batch < to {
                if self.shared.is_exceeded() {
                    break 'rows;
                }
                let end = to.min(batch + BATCH);
                let items = lane_test.range(batch, end);
                let len = end - batch;
                for w in 0..len {
                    let packed: [f32; N] = std::array::from_fn(
                        #[inline(always)]
                        |k| items[k][w],
                    );
                    let reach = |k: usize| {
                        let [below, above] = P::window(&packed, k, cells.largest[k]);
                        [packed[k] - (below + more), packed[k] + (above + more)]
                    };
                    let [below, above] = reach(0);
                    left[w] = cells.along(below, 0);
                    right[w] = cells.along(above, 0) + 1;
                    let [below, above] = reach(1);
                    let up = u32::from(cells.along(above, 1) > own_y);
                    let down = u32::from(cells.along(below, 1) < own_y);
                    let mut bits = up;
                    if D == 3 {
                        let next = u32::from(cells.along(reach(D - 1)[1], D - 1) > own_z);
                        bits |= (next & up) << 1 | (next & down) << 2 | next << 3;
                    }
                    reached[w] = bits & exists;
                }
                let mut count = 0;
                for w in 0..len {
                    let item = (batch + w) as u32;
                    let (left, right) = (left[w] as usize, right[w] as usize);
                    let mut bits = reached[w];
                    // SAFETY: `left < right <= columns`, one less than the length of rows.
                    // Starts ascend up to the number of items. At most `ROWS` visits are listed
                    // for an item.
                    unsafe {
                        let start = |row: &[u32], cell| *row.get_unchecked(cell);
                        let visit = Visit {
                            item,
                            from: item + 1,
                            to: start(own, right),
                        };
                        *visits.get_unchecked_mut(count) = visit;
                        count += usize::from(visit.from < visit.to);
                        for row in &after[..if D == 3 { 4 } else { 1 }] {
                            let visit = Visit {
                                item,
                                from: start(row, left),
                                to: start(row, right),
                            };
                            *visits.get_unchecked_mut(count) = visit;
                            count += usize::from(visit.from < visit.to) & (bits & 1) as usize;
                            bits >>= 1;
                        }
                    }
                }
                // SAFETY: listed visits are not empty, and as above.
                unsafe {
                    lane_test.run::<V, P>(
                        &visits[..count],
                        #[inline(always)]
                        |item| lane_test.one(item as usize),
                        &mut writer,
                    );
                }
                batch = end;
            }
        }
        writer.finish(!self.scene.is_open());
    }
}
