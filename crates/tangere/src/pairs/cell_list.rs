//! Cell list: items sorted by cell. The position of an item, which determines its cell, is the
//! centre of a sphere or the lower corner of a box. The reach of a pair is the largest distance
//! along an axis between the positions of two touching items. Rows of cells run along the first
//! axis and are at least as wide as the reach of a pair.
//!
//! The items of a row of cells are contiguous and packed in f32, so that eight are tested at once.
//! Sorting by cell index is a two-pass radix sort: chunks of items are distributed by the first
//! digit (bands of cells), then each band is sorted by the second digit. Both passes stay within
//! the cache and run on any number of threads.
//!
//! Cell indices are computed from packed coordinates by monotonic steps. So all items within a
//! distance `d` of a coordinate `x` lie in the cells from that of `x - d` to that of `x + d`,
//! whatever the rounding.

use super::bucket_sort::{Buckets, counting_sort};

use super::f32_packing::{PackedUnits, Packing, UNIT};
use super::item_bounds::ItemBounds;
use super::lane_test::PADDING;

use super::scene::Scene;
use crate::parallel::parts;
use crate::simd::widest;

/// Maximum number of cells of a cell list along an axis. Packed f32 coordinates are then accurate
/// to 1/64 of a cell.
const CELLS_ALONG: f64 = (1 << 18) as f64;
/// The distance from the origin of packed coordinates, in packed units, from which on f32 is too
/// coarse. Query items that are so far away or so large are tested in f64.
pub(super) const FAR: f32 = (1 << 22) as f32;
/// Maximum number of items of a cell list that are sampled to estimate the number of tests and of
/// touching pairs.
const SAMPLE: usize = 64;

/// The number of items in a chunk of the sort by cell. The records of a chunk fit on the stack and
/// in the L2 cache.
const CHUNK: usize = 4096;

/// A packed item with its cell and its index in the scene, as the sort by cell moves it.
#[derive(Clone, Copy, Debug)]
struct Record<const N: usize> {
    packed: [f32; N],
    index: u32,
    cell: u32,
}

impl<const N: usize> Default for Record<N> {
    fn default() -> Self {
        Record {
            packed: [0.0; N],
            index: 0,
            cell: 0,
        }
    }
}

/// The layout of the cells of a cell list. Cell indices increase fastest along the first axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellLayout<const D: usize> {
    pub(super) frame: PackedUnits<D>,
    pub(super) counts: [usize; D],
    /// The index of the last cell of the cell list along each axis.
    limits: [f32; D],
    /// The number of cells of the cell list per unit of packed coordinates, along each axis.
    scale: [f32; D],
    /// The edge length of a cell of the cell list along each axis, in units of packed coordinates.
    pub(super) edge: [f32; D],
    /// The largest distance along each axis between the positions of two touching items of the cell
    /// list, in units of packed coordinates.
    reach: [f32; D],
    /// The largest extent of an item along each axis, in units of packed coordinates: the radius of
    /// a sphere or the edge length of a box, plus half of the margin for a sphere, and the whole
    /// margin for a box.
    pub(super) largest: [f32; D],
    /// The largest error of a packed f32 coordinate of an item of the cell list, in units of packed
    /// coordinates.
    pub(super) error: f64,
    /// The part of `error` that the f64 positions of items already have, because translations to
    /// periodic images are rounded. In units of packed coordinates; 0 in open space.
    pub(super) rounding: f64,
}

impl<const D: usize> Default for CellLayout<D> {
    fn default() -> Self {
        CellLayout {
            frame: PackedUnits {
                origin: [0.0; D],
                inverse: [1.0; D],
            },
            counts: [1; D],
            limits: [0.0; D],
            scale: [1.0; D],
            edge: [1.0; D],
            reach: [0.0; D],
            largest: [0.0; D],
            error: 0.0,
            rounding: 0.0,
        }
    }
}

impl<const D: usize> CellLayout<D> {
    /// Lays out the cells of a cell list over the positions of all items. Rows of cells are at
    /// least as wide as the largest distance along an axis between the positions of two touching
    /// items. Along a row, cells are as short as they can be without outnumbering the items.
    fn new<const N: usize, P: Packing<D, N>>(
        item_bounds: &ItemBounds<D>,
        scene: &Scene<D>,
    ) -> Self {
        let rounding = scene.rounding();
        let largest = item_bounds.largest.map(|x| x + scene.margin / P::REACH);
        let extent = item_bounds.bounds.extent();
        let mut size = item_bounds.cell(P::REACH, scene.margin);
        for k in 0..D {
            size[k] = size[k].max(extent[k] / (CELLS_ALONG - 1.0));
            // Cell numbers are rounded: a little more keeps neighbours adjacent.
            let cells = extent[k] / size[k];
            size[k] *= 1.0 + 1e-6 + 16.0 * UNIT * cells + 8.0 * rounding / size[k];
        }
        let along = |k: usize, size: f64| (extent[k] / size).floor() + 1.0;
        let counts: [f64; D] = std::array::from_fn(|k| along(k, size[k]));
        let mut unit = size;
        if P::ROUND {
            unit = [size.into_iter().fold(0.0, f64::max); D];
        }
        let inverse = unit.map(|x| 1.0 / x);
        let rounding = rounding * inverse.into_iter().fold(0.0, f64::max);
        let along = counts.iter().fold(0.0, |a: f64, &b| a.max(b));
        CellLayout {
            frame: PackedUnits {
                origin: item_bounds.bounds.min,
                inverse,
            },
            counts: counts.map(|x| x as usize),
            limits: counts.map(|x| (x - 1.0) as f32),
            scale: std::array::from_fn(|k| (unit[k] / size[k]) as f32),
            edge: std::array::from_fn(|k| (size[k] / unit[k]) as f32),
            reach: std::array::from_fn(|k| (P::REACH * largest[k] * inverse[k]) as f32),
            largest: std::array::from_fn(|k| {
                ((largest[k] * inverse[k]) * (1.0 + 4.0 * UNIT)) as f32
            }),
            error: 1.01 * UNIT * along + rounding,
            rounding,
        }
    }

    /// The index along axis `k` of the cell in the cell list that contains the packed coordinate
    /// `x`; monotonic in `x`.
    #[inline(always)]
    pub(super) fn along(&self, x: f32, k: usize) -> u32 {
        // Adding 2^23 leaves no bits for a fraction; shifting by half a cell makes rounding to
        // nearest round down.
        let shifted = x * self.scale[k] - 0.5;
        let shifted = if shifted > 0.0 { shifted } else { 0.0 };
        let limit = self.limits[k];
        let shifted = if shifted < limit { shifted } else { limit };
        (shifted + 8_388_608.0).to_bits() & 0x7f_ffff
    }

    /// A lower bound of the squared distance along axis `k` from a packed coordinate `x` to the
    /// items of a cell of the cell list. `cell` is the index of the cell along that axis, and `off`
    /// bounds the sum of the errors of both coordinates.
    #[inline(always)]
    pub(super) fn squared_distance_to_cell(&self, k: usize, x: f32, cell: usize, off: f32) -> f32 {
        let (cell, edge) = (cell as f32, self.edge[k]);
        let (below, above) = (cell * edge - x, x - (cell + 1.0) * edge);
        let aside = if below > above { below } else { above } - off;
        let aside = if aside > 0.0 { aside } else { 0.0 };
        aside * aside
    }

    /// The index of the cell of a packed item in the cell list.
    #[inline(always)]
    fn cell<const N: usize>(&self, packed: &[f32; N]) -> u32 {
        let mut cell = 0;
        for k in (0..D).rev() {
            cell = cell * self.counts[k] as u32 + self.along(packed[k], k);
        }
        cell
    }
}

/// Cell list: items sorted by cell.
#[derive(Clone, Debug)]
pub(super) struct CellList<const D: usize, const N: usize> {
    pub(super) cells: CellLayout<D>,
    /// The binary logarithm of the number of cells in a band: a range of consecutive cells of the
    /// cell list that one task sorts and searches.
    pub(super) bits: u32,
    /// The number of items in the cell list.
    pub(super) count: usize,
    buckets: Buckets<Record<N>>,
    /// For each cell of the cell list, the position of its first item in `packed` and `index`, then
    /// the end of the last cell.
    pub(super) starts: Vec<u32>,
    /// The `N` packed coordinates of the items, one array for each coordinate, sorted by cell.
    /// Eight padding lanes follow the last item.
    pub(super) packed: [Vec<f32>; N],
    pub(super) index: Vec<u32>,
}

impl<const D: usize, const N: usize> Default for CellList<D, N> {
    fn default() -> Self {
        CellList {
            cells: CellLayout::default(),
            bits: 0,
            count: 0,
            buckets: Buckets::default(),
            starts: vec![0; 2],
            packed: std::array::from_fn(|_| Vec::new()),
            index: Vec::new(),
        }
    }
}

impl<const D: usize, const N: usize> CellList<D, N> {
    /// Builds the cell list of the items of the scene with the indices `member(0)`, `member(1)` and
    /// so on. Their number is `item_bounds.count`.
    pub(super) fn update<P: Packing<D, N>>(
        &mut self,
        items: P,
        scene: &Scene<D>,
        item_bounds: &ItemBounds<D>,
        member: impl Fn(usize) -> usize + Sync,
    ) {
        let count = item_bounds.count;
        if count == 0 {
            self.count = 0;
            return;
        }
        self.count = count;
        let cells = CellLayout::new::<N, P>(item_bounds, scene);
        self.cells = cells;
        let total: usize = cells.counts.iter().product();
        // Bands of cells that fit in the cache, but not too many.
        let bits = (total / 64).max(1).ilog2().clamp(11, 15);
        self.bits = bits;
        let bands = total.div_ceil(1 << bits);
        let lengths = (0..count.div_ceil(CHUNK)).map(|c| (count - c * CHUNK).min(CHUNK));
        self.buckets.distribute(lengths, bands, |c, buckets, out| {
            widest(
                #[inline(always)]
                || {
                    let (items, cells, bits) = (items, cells, bits);
                    let mut keys = [0u32; CHUNK];
                    let keys = &mut keys[..out.len()];
                    let item = |i: usize| member(c * CHUNK + i);
                    for (i, key) in keys.iter_mut().enumerate() {
                        *key = cells.cell(&items.pack(item(i), &cells.frame));
                    }
                    // Packing again is cheaper than storing the packed items in between.
                    let record = |i: usize, &cell: &u32| Record {
                        packed: items.pack(item(i), &cells.frame),
                        index: item(i) as u32,
                        cell,
                    };
                    counting_sort(keys, |key| key >> bits, record, buckets, out);
                },
            );
        });
        self.starts.resize(total + 1, 0);
        self.index.resize(count + PADDING, 0);
        for values in &mut self.packed {
            values.resize(count + PADDING, f32::NAN);
            values[count..].fill(f32::NAN);
        }
        let buckets = &self.buckets;
        let joined = |b: usize| buckets.joined()[b + 1];
        let packed = self.packed.each_mut().map(|values| &mut values[..count]);
        parts(
            bands,
            ((&mut self.index[..count], packed), &joined),
            (&mut self.starts[..total], &|b| ((b + 1) << bits).min(total)),
            &|b, (index, packed): (&mut [u32], [&mut [f32]; N]), starts: &mut [u32]| {
                let low = |record: &Record<N>| (record.cell as usize) & ((1 << bits) - 1);
                buckets.count_out(b, starts, low);
                for (from, segment) in buckets.placed_segments(b) {
                    for (record, at) in segment.iter().zip(from as u32..) {
                        let slot = &mut starts[low(record)];
                        index[*slot as usize] = at;
                        *slot += 1;
                    }
                }
                // Scattered reads are cheaper than scattered writes.
                let packed = packed.map(|values| &mut values[..index.len()]);
                for i in 0..index.len() {
                    let record = buckets.record(index[i]);
                    index[i] = record.index;
                    for k in 0..P::USED {
                        packed[k][i] = record.packed[k];
                    }
                }
                // Starts have moved to ends, relative to the start of the band.
                let from = buckets.joined()[b] as u32;
                let mut start = from;
                for end in starts.iter_mut() {
                    start = from + std::mem::replace(end, start);
                }
            },
        );
        self.starts[total] = count as u32;
    }

    /// Estimates the numbers of tests, of touching pairs and of near ties (tests that f32 does not
    /// decide), in this order, from a sample of the items of the cell list. Clustered items have
    /// many more of each than evenly spread ones.
    pub(super) fn sample_density<P: Packing<D, N>>(&self, items: P, scene: &Scene<D>) -> [f64; 3] {
        if self.count == 0 {
            return [0.0; 3];
        }
        let gap_error = self.gap_error(items);
        let (cells, starts) = (&self.cells, &self.starts[..]);
        let (columns, rows) = (cells.counts[0], cells.counts[1]);
        let slabs = if D == 3 { cells.counts[2] } else { 1 };
        // Cells within reach on each side.
        let reach: [usize; D] = std::array::from_fn(|k| {
            let reach = (cells.reach[k] / cells.edge[k]).ceil();
            reach.min(cells.counts[k] as f32) as usize
        });
        let sample = (self.count / 16).clamp(8, SAMPLE).min(self.count);
        let (mut met, mut touched, mut doubted) = (0.0, 0.0, 0.0);
        for s in 0..sample {
            let i = s * self.count / sample;
            let at: [usize; D] =
                std::array::from_fn(|k| cells.along(self.packed[k][i], k) as usize);
            let (left, right) = (
                at[0].saturating_sub(reach[0]),
                (at[0] + reach[0] + 1).min(columns),
            );
            let slab = if D == 3 { at[D - 1] } else { 0 };
            for z in slab.saturating_sub(reach[D - 1])..(slab + reach[D - 1] + 1).min(slabs) {
                for y in at[1].saturating_sub(reach[1])..(at[1] + reach[1] + 1).min(rows) {
                    let row = (z * rows + y) * columns;
                    let (from, to) = (starts[row + left] as usize, starts[row + right] as usize);
                    if from == to {
                        continue;
                    }
                    // One item, a different one for each sample, stands for the row.
                    let other = from + s * 7919 % (to - from);
                    let [a, b] = [i, other].map(|i| self.index[i] as usize);
                    met += (to - from) as f64;
                    if a != b && scene.touch(a, b) {
                        touched += (to - from) as f64;
                    }
                    // As if both had the largest size.
                    let (mut square, mut longest) = (0.0, 0.0f32);
                    for k in 0..D {
                        let d = (self.packed[k][i] - self.packed[k][other]).abs();
                        square += d * d;
                        longest = longest.max(d - cells.reach[k]);
                    }
                    let signed_gap = match P::ROUND {
                        true => square - cells.reach[0].powi(2),
                        false => longest,
                    };
                    if signed_gap.abs() <= gap_error {
                        doubted += (to - from) as f64;
                    }
                }
            }
        }
        // Each pair is tested once.
        let all = 0.5 * self.count as f64 / sample as f64;
        [all * met, all * touched, all * doubted]
    }

    /// Bound of the rounding error of the signed gap that a test of two items of the cell list
    /// computes in f32.
    pub(super) fn gap_error<P: Packing<D, N>>(&self, items: P) -> f32 {
        let largest = self.cells.largest.into_iter().fold(0.0, f32::max);
        let gap_error = items.gap_error(P::REACH * f64::from(largest), self.cells.error);
        (gap_error as f32).next_up()
    }

    /// The mean number of items in a cell of the cell list.
    pub(super) fn occupancy(&self) -> f32 {
        self.count as f32 / (self.starts.len() - 1) as f32
    }

    /// The indices in the scene of the items of the cell list, sorted by cell.
    pub(super) fn index(&self) -> &[u32] {
        &self.index[..self.count]
    }
}
