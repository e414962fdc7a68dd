//! Pairs among the items of a [`Lattice`]. A part of other methods.
//!
//! Each item meets those after it in its own row of cells and in the rows of one
//! half of the neighbouring ones (one in the plane, four in space).

use super::found::{List, Rule};
use super::lattice::Lattice;
use super::near::Near;
use super::packing::Packing;
use super::scene::Scene;
use crate::simd::{Kernel, Lanes, Vector};
use std::marker::PhantomData;
use std::ops::Range;

/// The reach of items, in cells, below which they reach few rows.
const SPARSE: f32 = 0.6;
/// Items whose windows are found at once.
const BATCH: usize = 64;

/// The pairs of the items of a band of cells with those after them.
pub(super) struct Among<'a, const D: usize, const N: usize, P> {
    pub(super) lattice: &'a Lattice<D, N>,
    pub(super) scene: &'a Scene<D>,
    pub(super) band: Range<usize>,
    pub(super) room: f32,
    pub(super) rule: Rule,
    pub(super) list: &'a mut List,
    pub(super) packing: PhantomData<P>,
}

impl<const D: usize, const N: usize, P: Packing<D, N>> Kernel for Among<'_, D, N, P> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Among { lattice, band, .. } = self;
        let (cells, starts) = (&lattice.cells, &lattice.starts[..]);
        let counts = cells.counts;
        let (columns, rows) = (counts[0], counts[1]);
        let slabs = if D == 3 { counts[2] } else { 1 };
        // Both coordinates may be off.
        let more = (4.0 * cells.error) as f32;
        let near = Near::<D, N, V>::new(
            &lattice.packed,
            &lattice.index,
            lattice.count,
            self.room,
            self.scene,
        );
        // Where cells are much larger than items it pays to ask which rows an item
        // reaches; elsewhere the answers would be guessed wrong too often.
        let widest = cells.largest.into_iter().fold(0.0, f32::max);
        let sparse = P::REACH as f32 * widest < SPARSE;
        let mut writer = self.list.writer(self.rule);
        for row in band.start / columns..band.end.div_ceil(columns) {
            let (y, z) = (row % rows, row / rows);
            let at = |y: usize, z: usize| {
                let first = (z * rows + y) * columns;
                &starts[first..=first + columns]
            };
            // This row, and those of the half stencil after it.
            let own = at(y, z);
            let mut after = [own; 4];
            // Where they are, seen from this one: below, beside, above in the next slab; above here.
            let mut sides = [0usize; 4];
            let mut count = 0;
            if z + 1 < slabs {
                for next in y.saturating_sub(1)..(y + 2).min(rows) {
                    after[count] = at(next, z + 1);
                    sides[count] = next + 1 - y;
                    count += 1;
                }
            }
            if y + 1 < rows {
                after[count] = at(y + 1, z);
                sides[count] = 3;
                count += 1;
            }
            let all = (1u32 << count) - 1;
            // The rows that an item reaches.
            let reached = |packed: &[f32; N]| {
                let reach = |k: usize| {
                    let [below, above] = P::window(packed, k, cells.largest[k]);
                    [packed[k] - (below + more), packed[k] + (above + more)]
                };
                let [below, above] = reach(1);
                let up = cells.along(above, 1) > y;
                let down = cells.along(below, 1) < y;
                let next = D == 3 && cells.along(reach(D - 1)[1], D - 1) > z;
                let sides_reached = [next && down, next, next && up, up];
                let reached = |(s, &side): (usize, &usize)| u32::from(sides_reached[side]) << s;
                sides[..count].iter().enumerate().map(reached).sum()
            };
            let first = row * columns;
            let from = starts[first.max(band.start)] as usize;
            let to = starts[(first + columns).min(band.end)] as usize;
            // Windows first, for many items: what follows from them takes so long to
            // compute that the processor would see less than two items at a time.
            let mut windows = [[0u32; 3]; BATCH];
            let mut batch = from;
            while batch < to {
                let end = to.min(batch + BATCH);
                for (window, i) in windows.iter_mut().zip(batch..end) {
                    let packed = near.packed(i);
                    let [below, above] = P::window(&packed, 0, cells.largest[0]);
                    let left = cells.along(packed[0] - (below + more), 0);
                    let right = cells.along(packed[0] + (above + more), 0) + 1;
                    let rows = if sparse { reached(&packed) } else { all };
                    *window = [left as u32, right as u32, rows];
                }
                for (&[left, right, rows], i) in windows.iter().zip(batch..end) {
                    let (left, right) = (left as usize, right as usize);
                    let one = near.one(i, near.packed(i));
                    near.meet(
                        &mut writer,
                        near.index[i],
                        #[inline(always)]
                        |writer, closest, care| {
                            // SAFETY: `left < right <= columns`, one less than the length of rows.
                            // Starts ascend up to the number of items, and item `i` is in a cell
                            // of its row before `right`.
                            unsafe {
                                let start = |row: &[u32], cell| *row.get_unchecked(cell) as usize;
                                let range = (i + 1, start(own, right));
                                near.visit::<P>(&one, range, writer, closest, care);
                                // The same twice, as the number of rows is no guess in the first.
                                if rows == all {
                                    for row in &after[..count] {
                                        let range = (start(row, left), start(row, right));
                                        near.visit::<P>(&one, range, writer, closest, care);
                                    }
                                } else {
                                    for row in Lanes(rows) {
                                        let row = after[row & 3];
                                        let range = (start(row, left), start(row, right));
                                        near.visit::<P>(&one, range, writer, closest, care);
                                    }
                                }
                            }
                        },
                    );
                }
                batch = end;
            }
        }
        writer.finish(!self.scene.is_open());
    }
}
