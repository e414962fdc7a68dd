//! Query of a cell list ([`CellList`]) with items of any size, used by the grid methods.
//!
//! Every query item is tested against the cells within its reach, row by row. A query sphere is
//! tested only against the part of each row that lies within its reach.

use super::cell_list::{CellList, FAR};
use super::f32_packing::{Packing, UNIT};
use super::lane_test::{LaneTest, Probe, Visit};
use super::pair_lists::{PairList, PairLists, SharedLimits};
use super::scene::Scene;
use crate::simd::{Kernel, Vector, run_widest};
use rayon::prelude::*;

/// The number of query items in a chunk that one task tests against the cell list.
const QUERY_CHUNK: usize = 256;

/// The expected number of items, in the part of a row of cells that the box around a query sphere
/// covers, above which each row is clipped to the sphere itself. Clipping costs a square root for
/// each row and saves tests.
const LONG: f32 = 12.0;

/// Maximum number of ranges of items of a cell list that are listed before they are tested.
const BATCH: usize = 64;

impl<const D: usize, const N: usize> CellList<D, N> {
    /// Queries the cell list: appends all touching pairs of its items with query items of the
    /// scene, in any order.
    pub(super) fn pairs_with<P: Packing<D, N>>(
        &self,
        items: P,
        query_items: &[u32],
        scene: &Scene<D>,
        found: &mut PairLists,
    ) {
        if self.count == 0 {
            return;
        }
        let (lists, shared) = found.lists(query_items.len().div_ceil(QUERY_CHUNK));
        (query_items.par_chunks(QUERY_CHUNK).zip(lists)).for_each(|(query_items, list)| {
            run_widest(PairsWithQuery {
                cell_list: self,
                items,
                scene,
                query_items,
                shared,
                list,
            });
        });
    }
}

/// Kernel that finds the touching pairs of an item of a cell list and a query item.
struct PairsWithQuery<'a, const D: usize, const N: usize, P> {
    cell_list: &'a CellList<D, N>,
    items: P,
    scene: &'a Scene<D>,
    query_items: &'a [u32],
    shared: SharedLimits<'a>,
    list: &'a mut PairList,
}

impl<const D: usize, const N: usize, P: Packing<D, N>> Kernel for PairsWithQuery<'_, D, N, P> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let PairsWithQuery {
            cell_list, scene, ..
        } = self;
        let (cells, starts) = (&cell_list.cells, &cell_list.starts[..]);
        let (columns, rows) = (cells.counts[0], cells.counts[1]);
        let occupancy = cell_list.occupancy();
        // Query items may have larger rounding errors than the items of the cell list.
        let inverse = cells.frame.inverse.into_iter().fold(0.0, f64::max);
        let rounding = cells.rounding.max(scene.rounding() * inverse);
        let cell_list_error = cells.error + (rounding - cells.rounding);
        let mut writer = self.list.writer(self.shared);
        let mut visits = [Visit::default(); BATCH];
        for &i in self.query_items {
            if self.shared.is_exceeded() {
                break;
            }
            let one = self.items.pack(i as usize, &cells.frame);
            // Position and reach of the query item bound its rounding error.
            let windows: [[f32; 2]; D] =
                std::array::from_fn(|k| P::window(&one, k, cells.largest[k]));
            let reach = windows
                .as_flattened()
                .iter()
                .fold(0.0, |a: f32, &b| a.max(b));
            // Query items beyond all cells touch nothing; both sides of the comparison have a
            // relative error below one millionth.
            let outside = |k: usize| {
                let [below, above] = windows[k].map(|w| w * (1.0 + 1e-6) + 1.0);
                let x = one[k] * (1.0 - 1e-6);
                x - below > cells.counts[k] as f32 * cells.edge[k] || x + above < 0.0
            };
            if (0..D).any(outside) {
                continue;
            }
            let far = one[..D].iter().fold(reach, |a: f32, &b| a.max(b.abs()));
            let error = cell_list_error.max(UNIT * 1.01 * f64::from(far) + rounding);
            let gap_error = (self.items.gap_error(f64::from(reach), error) as f32).next_up();
            let more = (8.0 * error) as f32;
            if far >= FAR {
                // Too far away for f32: every item is tested in f64.
                for &j in cell_list.index() {
                    let touching = u32::from(scene.touch(i as usize, j as usize));
                    writer.reserve_lanes();
                    // SAFETY: lanes have just been reserved.
                    unsafe { writer.write::<V>(i, &[j; 8], touching) };
                }
                continue;
            }
            let lane_test = LaneTest::<D, N>::new(
                &cell_list.packed,
                &cell_list.index,
                cell_list.count,
                gap_error,
                scene,
            );
            let first: [usize; D] =
                std::array::from_fn(|k| cells.along(one[k] - (windows[k][0] + more), k) as usize);
            let last: [usize; D] =
                std::array::from_fn(|k| cells.along(one[k] + (windows[k][1] + more), k) as usize);
            let probe = Probe {
                packed: one,
                index: i,
            };
            let slabs = if D == 3 { first[2]..=last[2] } else { 0..=0 };
            // Clip long rows to the sphere.
            let long = P::ROUND && (last[0] - first[0]) as f32 * occupancy > LONG;
            let square = reach * reach * (1.0 + 1e-6);
            let mut count = 0;
            for z in slabs {
                let aside = if D == 3 {
                    cells.squared_distance_to_cell(2, one[2], z, more)
                } else {
                    0.0
                };
                for y in first[1]..=last[1] {
                    let (mut left, mut right) = (first[0], last[0]);
                    if long {
                        let rest =
                            square - (aside + cells.squared_distance_to_cell(1, one[1], y, more));
                        let half = (if rest > 0.0 { rest } else { 0.0 }).sqrt() + more;
                        left = left.max(cells.along(one[0] - half, 0) as usize);
                        right = right.min(cells.along(one[0] + half, 0) as usize);
                    }
                    let row = (z * rows + y) * columns;
                    let (from, to) = (starts[row + left], starts[row + right + 1]);
                    visits[count] = Visit { item: i, from, to };
                    count += usize::from(from < to);
                    if count == BATCH {
                        // SAFETY: starts ascend up to the number of items.
                        unsafe { lane_test.run::<V, P>(&visits, |_| probe, &mut writer) };
                        count = 0;
                    }
                }
            }
            // SAFETY: as above.
            unsafe { lane_test.run::<V, P>(&visits[..count], |_| probe, &mut writer) };
        }
        writer.finish(!scene.is_open());
    }
}
