//! Build of labelled cells, slab by slab: the cells that the surface crosses, their triangles, and
//! the winding number at the centres of cells.
//!
//! A slab is some layers of bricks, and a brick 4 x 4 x 4 cells. A brick is stored if a triangle
//! overlaps one of its cells. Lists of triangles are made by counting sort: the overlapped cells of
//! each triangle are recorded, a row of four cells in one number; then the triangles of each cell
//! are counted; then the lists are filled. Columns (lines along x) through the centres of cells
//! give the winding numbers there. In a cell without triangles all points have the winding number
//! of the centre, so it is a label. In a crossed cell, one with triangles, queries start from the
//! winding number of the centre and test the segment from it to the point. Time and memory are
//! linear in the number of crossed cells.

use super::super::column_events::{packed, sort_by_columns};
use super::super::grid_columns::{Raster, Triangle};
use super::super::min_max::{greater, lesser};
use super::super::{InsideRule, Side};
use super::CROWDED;
use super::packed_cell::{Cell, UNKNOWN};
use super::slices::{Crowd, Slicer};
use super::uniform_grid::{BRICK, UniformGrid};
use super::voxelise;
use crate::simd::{Kernel, Vector};
use std::ops::Range;

/// The coarse grid has an entry for each brick (block of 4 x 4 x 4 cells). Entries below this
/// number are labels of bricks; the others are indices of bricks, plus this number. A label is the
/// winding number in a brick that no triangle crosses, plus [`ZERO`].
pub(super) const LABELS: u32 = 1 << 16;
/// The label of a brick with winding number 0. It is even, so that labels have the parity of the
/// winding number.
pub(super) const ZERO: u32 = LABELS / 2;
/// Winding numbers of a magnitude below this have a label of their own. All larger ones of the same
/// sign and parity share a label.
pub(super) const LABEL_MAX: u32 = ZERO - 4;
/// The entry in the coarse grid of a brick that has no label yet.
const EMPTY: u32 = 0;
/// Bound on the rounding error of the position of a triangle's corner in the grid, as a fraction of
/// the cell edge. It follows from the least cell edge, `EDGE_ULPS` of the uniform grid.
const NEARLY: f64 = 1.0 / 16.0;
/// The maximum number of triangles of a cell that is cut into slices. A cell with more triangles
/// has no list and no slices: the BVH serves its points.
const THRONG_MAX: u32 = 1 << 12;
/// The bit that marks a triangle index in [`Scratch::rows`]. The entries after a triangle index are
/// the rows of cells that the triangle overlaps. A row entry has the index of the brick, the index
/// of the row in the brick and one bit for each of the four cells of the row. A brick index has 23
/// bits: a grid has at most 1022 bricks along an axis, a slab at most 4 layers of them.
const TRIANGLE: u32 = 1 << 31;

/// A brick that triangles cross: a block of 4 x 4 x 4 cells. In its masks a cell has the bit `x + 4
/// y + 16 z`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Brick {
    /// The mask of the brick's crossed cells, those that triangles overlap.
    pub(super) crossed: u64,
    /// The mask of the brick's cells that no triangle overlaps and that are inside.
    pub(super) inside: u64,
    /// The index of the brick's first crossed cell in [`Slab::cells`].
    pub(super) first: u32,
    /// The start of the brick's triangles in [`Slab::list`].
    pub(super) list: u32,
}

/// A slab of the grid: some layers of bricks (blocks of 4 x 4 x 4 cells) with their cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Slab {
    pub(super) bricks: Vec<Brick>,
    /// The records of the slab's crossed cells (those that triangles overlap), sorted by brick.
    pub(super) cells: Vec<Cell>,
    /// The indices of the triangles of the slab's crossed cells, cell by cell.
    pub(super) list: Vec<u32>,
    /// The slices of those cells of the slab that have many triangles, one cell after the other, as
    /// 32-bit words in the format of [`Slices`](super::slices::Slices).
    pub(super) slices: Vec<u32>,
    /// Whether the slab has cells or slices with triangles but without a winding number. The BVH is
    /// needed for points in them.
    pub(super) has_unknown: bool,
}

/// A cell with too many triangles for the list of a crossed cell, which is to be cut into slices:
/// the range of its triangles in [`Scratch::throng_list`], and the winding number at its centre.
#[derive(Clone, Copy, Debug, Default)]
struct Throng {
    start: usize,
    len: usize,
    winding: i32,
}

/// Scratch memory for building a slab, reused for the next one.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    rows: Vec<u32>,
    events: Vec<u64>,
    sorted: Vec<u64>,
    ends: Vec<usize>,
    throngs: Vec<Throng>,
    throng_list: Vec<u32>,
    list: Vec<u32>,
    slicer: Slicer,
}

/// A chunk of triangles, sorted by the slabs of the grid that they overlap. A triangle that
/// overlaps several slabs is listed for each.
#[derive(Clone, Debug, Default)]
pub(super) struct Share {
    faces: Vec<u32>,
    /// For each slab of the grid, the end of its triangles in `faces`.
    ends: Vec<u32>,
}

impl Share {
    /// The indices of those triangles of the chunk that reach slab `slab` of the grid.
    #[inline(always)]
    fn of(&self, slab: usize) -> &[u32] {
        let start = slab.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.faces[start as usize..self.ends[slab] as usize]
    }

    /// Sorts a chunk of triangles by the slabs of the grid that they reach. The chunk begins with
    /// triangle `first`; `reach` has the first and the last slab of each of its triangles.
    pub(super) fn deal(&mut self, slabs: usize, first: usize, reach: &[[u16; 2]]) {
        let Share { faces, ends } = self;
        ends.clear();
        ends.resize(slabs, 0);
        for &[low, high] in reach {
            for slab in low..=high {
                ends[slab as usize] += 1;
            }
        }
        let mut total = 0;
        for end in ends.iter_mut() {
            (*end, total) = (total, total + *end);
        }
        faces.clear();
        faces.resize(total as usize, 0);
        for (face, &[low, high]) in (first as u32..).zip(reach) {
            for slab in low..=high {
                let end = &mut ends[slab as usize];
                faces[*end as usize] = face;
                *end += 1;
            }
        }
    }
}

/// The entry in the coarse grid of a brick of a slab in which all points have the winding number
/// `winding`: its label, `winding` plus [`ZERO`]. A very large winding number is replaced by one of
/// the same sign and parity.
#[inline(always)]
fn label_of(winding: i32) -> u32 {
    let most = LABEL_MAX as i32;
    let label = match winding.unsigned_abs() {
        0..LABEL_MAX => winding,
        _ => winding.signum() * (most + (winding & 1)),
    };
    (ZERO as i32 + label) as u32
}

/// Kernel that builds one slab of the labelled cells.
pub(super) struct Build<'a> {
    pub(super) lattice: &'a UniformGrid,
    pub(super) rule: InsideRule,
    pub(super) triangles: &'a [Triangle],
    /// The minimum number of triangles of a cell that is cut into slices.
    pub(super) sliced_from: u32,
    /// The indices of all triangles, in chunks, each sorted by the slabs that its triangles reach.
    pub(super) shares: &'a [Share],
    pub(super) number: usize,
    /// The range of the slab's layers of bricks among all layers of the grid.
    pub(super) layers: Range<usize>,
    /// The slab's part of the coarse grid, one entry for each brick; initially zeros.
    pub(super) coarse: &'a mut [u32],
    pub(super) scratch: &'a mut Scratch,
    pub(super) slab: &'a mut Slab,
}

impl Kernel for Build<'_> {
    /// The number of cell centres of the slab that lie on the surface.
    type Output = usize;

    #[inline(always)]
    fn run<V: Vector>(mut self) -> usize {
        self.cross::<V>();
        self.deal();
        let unknown = self.label();
        self.slice::<V>();
        unknown
    }
}

impl Build<'_> {
    /// Finds the crossed bricks and cells of a slab (those that triangles overlap), and the events
    /// on its columns, the lines along x through cell centres. An event is a crossing of the
    /// surface, or a cell centre that lies on it.
    #[inline(always)]
    fn cross<V: Vector>(&mut self) {
        let lattice = self.lattice;
        let [width, height, _] = lattice.bricks;
        let below = (BRICK * self.layers.start) as i32;
        let above = (BRICK * self.layers.end) as i32 - 1;
        let [xs, ys, zs] = &lattice.centers;
        let raster = Raster::new([xs, ys, &zs[below as usize..=above as usize]]);
        let columns = ys.len();
        let Scratch { rows, events, .. } = &mut *self.scratch;
        rows.clear();
        events.clear();
        let bricks = &mut self.slab.bricks;
        bricks.clear();
        let coarse = &mut *self.coarse;
        let number = self.number;
        for share in self.shares {
            for &face in share.of(number) {
                let triangle = &self.triangles[face as usize];
                let (positions, [mut low, mut high]) = lattice.positions(triangle);
                low[2] = low[2].max(below);
                high[2] = high[2].min(above);
                rows.push(TRIANGLE | face);
                voxelise::rows::<V>(positions, [low, high], &mut |x, y, z, bits| {
                    let (y, z) = (y as usize, (z - below) as usize);
                    let mut brick_x = x as usize / BRICK;
                    let mut bits = bits << (x as usize % BRICK);
                    let line = (y % BRICK + BRICK * (z % BRICK)) as u32;
                    let row = width * (y / BRICK + height * (z / BRICK));
                    while bits != 0 {
                        let four = bits & 15;
                        if four != 0 {
                            let entry = &mut coarse[row + brick_x];
                            if *entry == EMPTY {
                                *entry = LABELS + bricks.len() as u32;
                                bricks.push(Brick::default());
                            }
                            let brick = *entry - LABELS;
                            bricks[brick as usize].crossed |= u64::from(four) << (4 * line);
                            rows.push(brick << 8 | line << 4 | four);
                        }
                        bits >>= 4;
                        brick_x += 1;
                    }
                });
                let [rows, lines] = [2, 1].map(|axis| centers_within(&positions, axis));
                let rows = rows.start.max(below)..rows.end.min(above + 1);
                if rows.is_empty() || lines.is_empty() {
                    continue;
                }
                let rows = (rows.start - below) as usize..(rows.end - below) as usize;
                let lines = lines.start as usize..lines.end as usize;
                raster.events_among(triangle, rows, lines, &mut |j, k, event| {
                    events.push(packed::of(j + columns * k, event));
                });
            }
        }
    }

    /// Fills the lists of triangles of a slab's crossed cells, by counting sort.
    #[inline(always)]
    fn deal(&mut self) {
        let Slab {
            bricks,
            cells,
            list,
            ..
        } = &mut *self.slab;
        let mut count = 0;
        for brick in bricks.iter_mut() {
            brick.first = count;
            count += brick.crossed.count_ones();
        }
        cells.clear();
        cells.resize(count as usize, Cell::default());
        let first_of = |brick: &Brick, row: u32| {
            let line = row >> 4 & 15;
            let before = brick.crossed & ((1u64 << (4 * line)) - 1);
            let four = brick.crossed >> (4 * line) & 15;
            (brick.first + before.count_ones(), four as u32)
        };
        let Scratch {
            rows,
            throngs,
            throng_list,
            ..
        } = &mut *self.scratch;
        throngs.clear();
        for &row in rows.iter().filter(|&row| row & TRIANGLE == 0) {
            let (first, four) = first_of(&bricks[(row >> 8) as usize], row);
            let mut bits = row & 15;
            while bits != 0 {
                let lower = bits.wrapping_neg() & bits;
                cells[(first + (four & (lower - 1)).count_ones()) as usize].0 += 1;
                bits ^= lower;
            }
        }
        let (mut total, mut rest) = (0, &mut cells[..]);
        let mut in_throngs = 0;
        for brick in bricks.iter_mut() {
            let (cells, others) = rest.split_at_mut(brick.crossed.count_ones() as usize);
            rest = others;
            brick.list = total;
            for cell in cells {
                let count = cell.0;
                *cell = Cell::at(total - brick.list);
                if count <= CROWDED {
                    total += count;
                } else if count <= THRONG_MAX {
                    *cell = Cell::sliced(throngs.len() as u32);
                    throngs.push(Throng {
                        start: in_throngs,
                        ..Throng::default()
                    });
                    in_throngs += count as usize;
                } else {
                    cell.set_winding(UNKNOWN);
                }
            }
        }
        list.clear();
        list.resize(total as usize, 0);
        throng_list.clear();
        throng_list.resize(in_throngs, 0);
        let mut triangle = 0;
        for &row in rows.iter() {
            if row & TRIANGLE != 0 {
                triangle = row ^ TRIANGLE;
                continue;
            }
            let brick = &bricks[(row >> 8) as usize];
            let (first, four) = first_of(brick, row);
            let mut bits = row & 15;
            while bits != 0 {
                let lower = bits.wrapping_neg() & bits;
                bits ^= lower;
                let cell = &mut cells[(first + (four & (lower - 1)).count_ones()) as usize];
                // Nothing else is unknown yet.
                if cell.winding() != UNKNOWN {
                    list[cell.range(brick.list).end] = triangle;
                    cell.grow();
                } else if cell.is_sliced() {
                    let throng = &mut throngs[cell.slices() as usize];
                    throng_list[throng.start + throng.len] = triangle;
                    throng.len += 1;
                }
            }
        }
    }

    /// Labels the cells and bricks of a slab with the winding numbers along columns, the lines
    /// along x through cell centres. Returns how many centres of cells with triangles lie on the
    /// surface.
    #[inline(always)]
    fn label(&mut self) -> usize {
        let [width, height, _] = self.lattice.bricks;
        let columns = BRICK * height;
        let Scratch {
            events,
            sorted,
            ends,
            throngs,
            ..
        } = &mut *self.scratch;
        let chunks = std::iter::once(&events[..]);
        sort_by_columns(columns * BRICK * self.layers.len(), chunks, ends, sorted);
        let Slab { bricks, cells, .. } = &mut *self.slab;
        let rule = self.rule;
        let is_inside = |winding: i32| rule.side(i64::from(winding)) == Side::Inside;
        let mut unknown = 0;
        for (row, coarse) in self.coarse.chunks_exact_mut(width).enumerate() {
            let (y, z) = (BRICK * (row % height), BRICK * (row / height));
            let mut lines = [Line::default(); BRICK * BRICK];
            for n in 0..BRICK * BRICK {
                let column = y + n % BRICK + columns * (z + n / BRICK);
                let start = if column > 0 { ends[column - 1] } else { 0 };
                lines[n].events = &sorted[start..ends[column]];
            }
            let mut next_brick = 0;
            while next_brick < width {
                let x = next_brick;
                next_brick += 1;
                let entry = &mut coarse[x];
                if *entry == EMPTY {
                    let label = label_of(lines[0].at(BRICK * x).0);
                    *entry = label;
                    // Constant up to the next event or brick.
                    let end = lines[0].next_event().div_ceil(BRICK).min(width);
                    while next_brick < end && coarse[next_brick] == EMPTY {
                        coarse[next_brick] = label;
                        next_brick += 1;
                    }
                    continue;
                }
                let brick = &mut bricks[(*entry - LABELS) as usize];
                let mut next = brick.first as usize;
                for (n, line) in lines.iter_mut().enumerate() {
                    let crossed = brick.crossed >> (4 * n) & 15;
                    if crossed == 0 && !line.has_before(BRICK * (x + 1)) {
                        if is_inside(line.winding) {
                            brick.inside |= 15 << (4 * n);
                        }
                        continue;
                    }
                    for i in 0..BRICK {
                        let (winding, on) = line.at(BRICK * x + i);
                        if crossed >> i & 1 == 1 {
                            let cell = &mut cells[next];
                            let winding = if on { UNKNOWN } else { winding };
                            if cell.is_sliced() {
                                throngs[cell.slices() as usize].winding = winding;
                                unknown += usize::from(on);
                            } else if cell.winding() != UNKNOWN {
                                cell.set_winding(winding);
                                unknown += usize::from(on);
                            }
                            next += 1;
                        } else if is_inside(winding) {
                            brick.inside |= 1 << (4 * n + i);
                        }
                    }
                }
            }
        }
        unknown
    }

    /// Cuts those cells of a slab that have many triangles into slices.
    #[inline(always)]
    fn slice<V: Vector>(&mut self) {
        let [width, height, _] = self.lattice.bricks;
        let Slab {
            bricks,
            cells,
            list,
            slices,
            has_unknown,
        } = &mut *self.slab;
        slices.clear();
        let is_known = |cell: &Cell| cell.winding() != UNKNOWN;
        let is_lost = |cell: &Cell| !is_known(cell) && !cell.is_sliced();
        *has_unknown = cells.iter().any(is_lost);
        let from = self.sliced_from;
        let is_crowded = |cell: &Cell| cell.is_sliced() || is_known(cell) && cell.len() >= from;
        if !cells.iter().any(is_crowded) {
            return;
        }
        let Scratch {
            throngs,
            throng_list,
            slicer,
            ..
        } = &mut *self.scratch;
        slicer.reset();
        let mut listed = 0;
        for (position, &entry) in self.coarse.iter().enumerate() {
            if entry < LABELS {
                continue;
            }
            let brick = bricks[(entry - LABELS) as usize];
            let corner = [
                position % width,
                position / width % height,
                position / (width * height) + self.layers.start,
            ];
            let mut bits = brick.crossed;
            let count = bits.count_ones() as usize;
            for cell in &mut cells[brick.first as usize..][..count] {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                if !is_crowded(cell) {
                    listed += cell.len() as usize;
                    continue;
                }
                let throng = match cell.is_sliced() {
                    true => throngs[cell.slices() as usize],
                    false => Throng::default(),
                };
                let (faces, winding) = match cell.is_sliced() {
                    true => (&throng_list[throng.start..][..throng.len], throng.winding),
                    false => (&list[cell.range(brick.list)], cell.winding()),
                };
                let within = [bit % 4, bit / 4 % 4, bit / 16];
                let crowd = Crowd {
                    lattice: self.lattice,
                    triangles: self.triangles,
                    rule: self.rule,
                    cell: [0, 1, 2].map(|k| (BRICK * corner[k]) as u32 + within[k]),
                    winding,
                    faces,
                };
                match slicer.slice::<V::Doubles>(&crowd, slices) {
                    Some((start, all_known)) => {
                        *has_unknown |= !all_known;
                        *cell = Cell::sliced(start);
                    }
                    None if cell.is_sliced() => {
                        *has_unknown = true;
                        *cell = Cell::new(0, 0, UNKNOWN);
                    }
                    None => listed += cell.len() as usize,
                }
            }
        }
        slices.shrink_to_fit();
        // Lists of sliced cells are not needed any more.
        if 4 * listed < 3 * list.len() {
            let out = &mut self.scratch.list;
            out.clear();
            for brick in bricks {
                let (before, first) = (brick.list, out.len() as u32);
                brick.list = first;
                let count = brick.crossed.count_ones() as usize;
                for cell in &mut cells[brick.first as usize..][..count] {
                    if !cell.is_sliced() {
                        let range = cell.range(before);
                        let start = out.len() as u32 - first;
                        *cell = Cell::new(start, cell.len(), cell.winding());
                        out.extend_from_slice(&list[range]);
                    }
                }
            }
            list.clear();
            list.extend_from_slice(out);
            list.shrink_to_fit();
        }
    }
}

/// The indices, along an axis, of the cells of a slab whose centres lie between the least and the
/// greatest coordinate of a triangle's three corners. `positions` are the corners in units of the
/// cell edge. The range is slightly larger to cover rounding, but never includes the outermost
/// cells.
#[inline(always)]
fn centers_within(positions: &[[f64; 3]; 3], axis: usize) -> Range<i32> {
    let (u, v, w) = (positions[0][axis], positions[1][axis], positions[2][axis]);
    let low = lesser(lesser(u, v), w) - NEARLY;
    let high = greater(greater(u, v), w) + NEARLY;
    // Positions are positive, so casts round down.
    low as i32 + 1..high as i32 + 1
}

/// A traversal of a column of the slab (a line along x through cell centres), event by event. An
/// event is a crossing of the surface, or a cell centre that lies on it.
#[derive(Clone, Copy, Default)]
struct Line<'a> {
    /// The events of the column that the traversal has not reached yet.
    events: &'a [u64],
    winding: i32,
}

impl Line<'_> {
    /// The index along x of the cell at the next event (crossing of the surface, or centre on it)
    /// on a column through the slab's cell centres; `usize::MAX` if there is none.
    #[inline(always)]
    fn next_event(&self) -> usize {
        self.events
            .first()
            .map_or(usize::MAX, |&event| packed::at(event))
    }

    /// Whether the next event (crossing of the surface, or centre on it) on a column through the
    /// slab's cell centres comes before cell `x`.
    #[inline(always)]
    fn has_before(&self, x: usize) -> bool {
        self.events
            .first()
            .is_some_and(|&event| packed::at(event) < x)
    }

    /// The winding number at the centre of cell `x` on a column of the slab, and whether the centre
    /// lies on the surface. From call to call `x` must not decrease.
    #[inline(always)]
    fn at(&mut self, x: usize) -> (i32, bool) {
        let mut on = false;
        while let Some((&event, rest)) = self.events.split_first() {
            let at = packed::at(event);
            if at > x {
                break;
            }
            match packed::step(event) {
                Some(step) => self.winding += step,
                None => on |= at == x,
            }
            self.events = rest;
        }
        (self.winding, on)
    }
}
