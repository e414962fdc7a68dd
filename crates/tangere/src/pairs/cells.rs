//! Cells as large as the largest item; only items of neighbouring cells meet.
//!
//! O(n + pairs) when sizes are alike. leszczynski2004, section 2.1 (the linked
//! cell method).
//!
//! Deviates: no header and list arrays. Items are sorted into the order of
//! their cells, so that those of a row of cells lie side by side and eight are
//! tested at once, in f32 with room for rounding; survivors are tested in f64.
//! Sorting goes by slabs of cells first, so that it stays within the cache.
//! Each pair of cells is met once (half of the stencil).

use super::Search;
use super::scene::{Scene, Shapes, spheres_touch};
use crate::geometry::Aabb;
use crate::simd::{F32x8, Lanes, widest};

/// Cells must not outnumber items by more than this.
const CELLS_PER_ITEM: f64 = 1.0;
/// What f32 may be off, relative to the largest coordinate: four half units.
const SLACK: f64 = 1.0 / (1 << 22) as f64;

/// An item in the order of cells.
#[derive(Clone, Copy, Debug)]
struct Entry<const D: usize> {
    center: [f64; D],
    radius: f64,
    index: u32,
    /// Its cell within the slab.
    cell: u32,
}

/// The search through cells.
#[derive(Clone, Debug, Default)]
pub struct CellSearch<const D: usize> {
    grid: Grid<D>,
    dealt: Vec<Entry<D>>,
    entries: Vec<Entry<D>>,
    slabs: Vec<u32>,
    starts: Vec<u32>,
    /// Centres and radii in f32, relative to the grid.
    packed: [Vec<f32>; 4],
    /// What f32 may be off in a squared distance.
    slack: f32,
}

/// Cells of equal size, the first axis fastest.
#[derive(Clone, Copy, Debug)]
struct Grid<const D: usize> {
    origin: [f64; D],
    inverse: [f64; D],
    counts: [usize; D],
}

impl<const D: usize> Default for Grid<D> {
    fn default() -> Self {
        Grid {
            origin: [0.0; D],
            inverse: [0.0; D],
            counts: [1; D],
        }
    }
}

impl<const D: usize> Grid<D> {
    /// Cells of at least `reach` over all centres, not many more than there are.
    fn new(bounds: &Aabb<D>, reach: [f64; D], items: usize) -> Self {
        let extent = bounds.extent();
        let most = CELLS_PER_ITEM * items as f64 + 1.0;
        // Points need cells, too: no more along an axis than there are items.
        let mut size: [f64; D] = std::array::from_fn(|k| reach[k].max(extent[k] / most));
        for k in 0..D {
            if size[k] == 0.0 {
                size[k] = 1.0;
            }
        }
        loop {
            let cells: [f64; D] = std::array::from_fn(|k| (extent[k] / size[k]).floor() + 1.0);
            let total: f64 = cells.iter().product();
            if total <= most {
                return Grid {
                    origin: bounds.min,
                    inverse: size.map(|x| 1.0 / x),
                    counts: cells.map(|x| x as usize),
                };
            }
            // Larger along every axis that still has several cells.
            let several = cells.iter().filter(|&&x| x > 1.0).count().max(1);
            let factor = (total / most).powf(1.0 / several as f64).max(1.001);
            for k in (0..D).filter(|&k| cells[k] > 1.0) {
                size[k] *= factor;
            }
        }
    }

    #[inline(always)]
    fn cell(&self, p: [f64; D], k: usize) -> usize {
        // Rounding may carry a point on the upper border over it.
        (((p[k] - self.origin[k]) * self.inverse[k]) as i32 as usize).min(self.counts[k] - 1)
    }
}

impl<const D: usize> Search<D> for CellSearch<D> {
    fn update(&mut self, scene: &Scene<D>) {
        if scene.len() == 0 {
            *self = CellSearch::default();
            self.starts.resize(2, 0);
            return;
        }
        let (bounds, reach) = measures(scene);
        // Cell numbers are rounded: a millionth more keeps neighbours neighbours.
        self.grid = Grid::new(&bounds, reach.map(|x| x * (1.0 + 1e-6)), scene.len());
        match &scene.shapes {
            Shapes::Spheres { centers, radii } => {
                self.sort(scene.len(), |i| (centers[i], radii[i]));
                self.pack(&bounds, scene.margin);
            }
            Shapes::Boxes { lower, upper } => self.sort(scene.len(), |i| {
                let (min, max) = (lower[i], upper[i]);
                (Aabb { min, max }.center(), 0.0)
            }),
        }
    }

    fn method(&self) -> &'static str {
        "cells"
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut Vec<[u32; 2]>) {
        let spheres = matches!(scene.shapes, Shapes::Spheres { .. });
        if spheres && scene.is_open() {
            widest(
                #[inline(always)]
                || {
                    self.rows(
                        #[inline(always)]
                        |range, i| self.meet_spheres(range, i, scene.margin, found),
                    );
                },
            );
        } else if spheres {
            self.rows(|range, i| {
                self.meet_packed(range, i, |j| {
                    let (i, j) = (self.entries[i].index, self.entries[j].index);
                    if scene.touch(i as usize, j as usize) {
                        found.push([i, j]);
                    }
                });
            });
        } else {
            self.rows(|range, i| {
                let i = self.entries[i].index;
                for entry in &self.entries[range] {
                    if scene.touch(i as usize, entry.index as usize) {
                        found.push([i, entry.index]);
                    }
                }
            });
        }
    }
}

/// The box of all middles, and how far apart the middles of a pair can be.
fn measures<const D: usize>(scene: &Scene<D>) -> (Aabb<D>, [f64; D]) {
    let mut bounds = Aabb::EMPTY;
    let mut reach = [0.0f64; D];
    match &scene.shapes {
        Shapes::Spheres { centers, radii } => {
            for &p in centers {
                bounds.include(p);
            }
            let largest = radii.iter().fold(0.0f64, |m, &r| if r > m { r } else { m });
            reach = [2.0 * largest; D];
        }
        Shapes::Boxes { lower, upper } => {
            for (&min, &max) in lower.iter().zip(upper) {
                let item = Aabb { min, max };
                bounds.include(item.center());
                for k in 0..D {
                    reach[k] = reach[k].max(max[k] - min[k]);
                }
            }
        }
    }
    (bounds, reach.map(|x| x + scene.margin))
}

impl<const D: usize> CellSearch<D> {
    /// Sorts items into the order of their cells.
    fn sort(&mut self, len: usize, item: impl Fn(usize) -> ([f64; D], f64)) {
        let grid = self.grid;
        let slabs = grid.counts[D - 1];
        let cells_per_slab: usize = grid.counts[..D - 1].iter().product();
        self.slabs.clear();
        self.slabs.resize(slabs + 1, 0);
        for i in 0..len {
            self.slabs[grid.cell(item(i).0, D - 1) + 1] += 1;
        }
        for s in 0..slabs {
            self.slabs[s + 1] += self.slabs[s];
        }
        let empty = Entry {
            center: [0.0; D],
            radius: 0.0,
            index: 0,
            cell: 0,
        };
        self.dealt.resize(len, empty);
        self.entries.resize(len, empty);
        for i in 0..len {
            let (center, radius) = item(i);
            let mut cell = 0;
            for k in (0..D - 1).rev() {
                cell = cell * grid.counts[k] + grid.cell(center, k);
            }
            let slot = &mut self.slabs[grid.cell(center, D - 1)];
            self.dealt[*slot as usize] = Entry {
                center,
                radius,
                index: i as u32,
                cell: cell as u32,
            };
            *slot += 1;
        }
        // Every slab's start has moved to its end.
        self.starts.clear();
        self.starts.resize(slabs * cells_per_slab + 1, 0);
        let mut from = 0;
        for s in 0..slabs {
            let to = self.slabs[s] as usize;
            let starts = &mut self.starts[s * cells_per_slab..(s + 1) * cells_per_slab];
            let dealt = &self.dealt[from..to];
            for entry in dealt {
                starts[entry.cell as usize] += 1;
            }
            let mut sum = from as u32;
            for start in starts.iter_mut() {
                sum += *start;
                *start = sum;
            }
            // Backward from the ends, so that ends become starts.
            for entry in dealt.iter().rev() {
                let start = &mut starts[entry.cell as usize];
                *start -= 1;
                self.entries[*start as usize] = *entry;
            }
            from = to;
        }
        if let Some(last) = self.starts.last_mut() {
            *last = len as u32;
        }
    }

    /// Packs sorted spheres in f32.
    fn pack(&mut self, bounds: &Aabb<D>, margin: f64) {
        let padded = self.entries.len() + 8;
        for k in 0..D {
            self.packed[k].clear();
            let origin = self.grid.origin[k];
            let packed = self.entries.iter().map(|e| (e.center[k] - origin) as f32);
            self.packed[k].extend(packed);
            self.packed[k].resize(padded, f32::NAN);
        }
        // Half of the margin goes with each of a pair.
        let half = 0.5 * margin;
        self.packed[D].clear();
        let radii = self.entries.iter().map(|e| (e.radius + half) as f32);
        self.packed[D].extend(radii);
        self.packed[D].resize(padded, f32::NAN);
        let largest = self.packed[D]
            .iter()
            .fold(0.0f32, |m, &r| if r > m { r } else { m });
        let reach = 2.0 * f64::from(largest);
        let size = bounds.extent().into_iter().fold(reach, f64::max);
        // Each coordinate is off by SLACK * size; so is a difference (twice), whose
        // square near `reach` is off by 2 * reach times that, on D axes and for the radii.
        let slack = SLACK * size;
        self.slack = (f64::from(D as u32 + 1) * (4.0 * reach * slack + 4.0 * slack * slack)) as f32;
        self.slack = self.slack * 1.001 + f32::MIN_POSITIVE;
    }

    /// Calls `meet(range, i)` so that every two entries in the same or in
    /// neighbouring cells are met once, `i` with each of `range`.
    #[inline(always)]
    fn rows(&self, mut meet: impl FnMut(std::ops::Range<usize>, usize)) {
        let counts = self.grid.counts;
        let (columns, rows) = (counts[0], counts[1]);
        let slabs = if D == 3 { counts[2] } else { 1 };
        for z in 0..slabs {
            for y in 0..rows {
                let row = (z * rows + y) * columns;
                // The rows of the half stencil after this one.
                let mut after = [0usize; 4];
                let mut count = 0;
                if y + 1 < rows {
                    after[0] = row + columns;
                    count = 1;
                }
                if z + 1 < slabs {
                    for next in y.saturating_sub(1)..(y + 2).min(rows) {
                        after[count] = ((z + 1) * rows + next) * columns;
                        count += 1;
                    }
                }
                for x in 0..columns {
                    let start = |cell: usize| self.starts[cell] as usize;
                    let (first, end) = (start(row + x), start(row + x + 1));
                    if first == end {
                        continue;
                    }
                    let (left, right) = (x.saturating_sub(1), (x + 2).min(columns));
                    let own = start(row + right);
                    let ranges = after.map(|row| match count {
                        0 => 0..0,
                        _ => start(row + left)..start(row + right),
                    });
                    for i in first..end {
                        meet(i + 1..own, i);
                        for range in &ranges[..count] {
                            meet(range.clone(), i);
                        }
                    }
                }
            }
        }
    }

    /// Calls `visit` with the entries of a range that may touch entry `i`.
    #[inline(always)]
    fn meet_packed(&self, range: std::ops::Range<usize>, i: usize, mut visit: impl FnMut(usize)) {
        let probe: [f32; 4] = std::array::from_fn(|k| if k <= D { self.packed[k][i] } else { 0.0 });
        let mut j = range.start;
        while j < range.end {
            let lanes = |k: usize| match self.packed[k][j..].first_chunk::<8>() {
                Some(chunk) => F32x8(*chunk),
                None => F32x8::splat(f32::NAN),
            };
            let mut square = F32x8::splat(0.0);
            for k in 0..D {
                let d = lanes(k) - F32x8::splat(probe[k]);
                square = square + d * d;
            }
            let reach = lanes(D) + F32x8::splat(probe[D]);
            let limit = reach * reach + F32x8::splat(self.slack);
            let mut near = square.at_most(limit).bits();
            if range.end - j < 8 {
                near &= (1 << (range.end - j)) - 1;
            }
            for lane in Lanes(near) {
                visit(j + lane);
            }
            j += 8;
        }
    }

    /// Reports the spheres of a range that touch entry `i`.
    #[inline(always)]
    fn meet_spheres(
        &self,
        range: std::ops::Range<usize>,
        i: usize,
        margin: f64,
        found: &mut Vec<[u32; 2]>,
    ) {
        let a = &self.entries[i];
        self.meet_packed(
            range,
            i,
            #[inline(always)]
            |j| {
                let b = &self.entries[j];
                let offset: [f64; D] = std::array::from_fn(|k| b.center[k] - a.center[k]);
                if spheres_touch(offset, a.radius + b.radius + margin) {
                    found.push([a.index, b.index]);
                }
            },
        );
    }
}
