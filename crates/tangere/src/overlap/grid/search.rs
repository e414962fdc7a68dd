//! Spheres that look into the cells of a level.
//!
//! First eight at a time against the box of the level, in f32; those left are moved in f64, again eight at
//! a time; then each of them through the rows of cells that it reaches.
//!
//! **Margins.** Let `u = 2^-24`; scaled coordinates of a packing are at most 1 in size, and rounded to
//! `u`. A centre moved in f64 and rounded to f32 is wrong by `u |p|` at most along each axis, differences are
//! rounded once more: distances are wrong by less than `√3 u (1 + |p|)` and a relative `4 u`, and both
//! margins below are at least twice as large. A centre moved in f32, by a matrix of entries up to the ratio `q`
//! of both scales and an offset `t`, is wrong by less than `2^-20 (1.1 q + 0.25 |t|)` along each axis.

use super::level::{Level, WHOLE, whole};
use super::measure::Sink;
use super::plan::Task;
use super::{Block, Grid};
use crate::overlap::moved::Motion;
use crate::simd::{
    Kernel, LANES, Lanes, RealKernel, Reals, Vector, run_reals, run_widest, splat_all,
};

/// The most spheres that look at once.
pub(super) const MOST: usize = 512;
/// Relative and absolute margins of reaches.
const MARGIN: f32 = 1.0 / (1 << 20) as f32;
const NEAR: f32 = 1.0 / (1 << 22) as f32;
/// How far a cell may seem to reach beyond its borders.
const BORDER: f32 = 1.0 / (1 << 19) as f32;
/// Scales of two packings differ by less.
const MOST_RATIO: f64 = (1_u64 << 50) as f64;

/// The way from the frame of those who look to that of those who are looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    matrix: [[f64; 3]; 3],
    offset: [f64; 3],
    /// The scale of the latter.
    scale: f64,
    /// The same for scaled coordinates, the ratio of scales and the margin of what is moved so.
    scaled: [[f32; 3]; 3],
    scaled_offset: [f32; 3],
    ratio: f32,
    margin: f32,
}

/// How two packings lie.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ways {
    /// Apart.
    Apart,
    /// Of sizes that f32 has no numbers for.
    Unlike,
    /// From a to b, and from b to a.
    Near([Way; 2]),
}

impl Ways {
    pub(super) fn new([a, b]: [&Grid; 2], motion: &Motion) -> Self {
        let (m, t) = (&motion.matrix, &motion.offset);
        let back = std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]));
        let back_offset =
            std::array::from_fn(|i| -(m[0][i] * t[0] + m[1][i] * t[1] + m[2][i] * t[2]));
        let ratio = b.frame.scale / a.frame.scale;
        let far = (0..3).fold(0.0_f64, |far, k| far.max(t[k].abs())) * b.frame.scale;
        // Scaled boxes are from -1 to 1, and what is turned is within √3 of its middle.
        if far > 1.001 + 1.8 * ratio {
            return Ways::Apart;
        }
        if !(1.0 / MOST_RATIO..MOST_RATIO).contains(&ratio) {
            return Ways::Unlike;
        }
        let way = |matrix: [[f64; 3]; 3], offset: [f64; 3], scale: f64, ratio: f64| {
            let scaled_offset = offset.map(|x| (x * scale) as f32);
            let far = scaled_offset
                .iter()
                .fold(0.0_f32, |far, x| far.max(x.abs()));
            Way {
                matrix,
                offset,
                scale,
                scaled: matrix.map(|row| row.map(|x| (x * ratio) as f32)),
                scaled_offset,
                ratio: ratio as f32,
                margin: MARGIN * (2.0 * ratio as f32 + far + 1.0),
            }
        };
        Ways::Near([
            way(*m, *t, b.frame.scale, ratio),
            way(back, back_offset, a.frame.scale, 1.0 / ratio),
        ])
    }
}

/// Spheres that look, in the frame of those who are looked for. Scratch memory of a thread.
#[derive(Clone, Debug)]
pub(super) struct Moved {
    /// Their places.
    places: [u32; MOST + LANES],
    len: usize,
    /// Centres, scaled, in f32, and radii with margins.
    rows: [[f32; MOST + LANES]; 4],
}

impl Moved {
    pub(super) const fn new() -> Self {
        Self {
            places: [0; MOST + LANES],
            len: 0,
            rows: [[0.0; MOST + LANES]; 4],
        }
    }
}

/// Lets the spheres of a task look, and tells how much work it was.
pub(super) fn search(
    looking: &Grid,
    target: &Grid,
    way: &Way,
    task: &Task,
    moved: &mut Moved,
    sink: &mut impl Sink,
) -> u64 {
    let Some(level) = target.levels.get(task.level as usize) else {
        return 0;
    };
    moved.len = 0;
    run_widest(Cull {
        grid: looking,
        way,
        level,
        task,
        moved,
    });
    let culled = task.len() as u64 / LANES as u64 + 1;
    if moved.len == 0 {
        return culled;
    }
    run_reals(Move {
        grid: looking,
        way,
        moved,
    });
    let part = task.rows(level.counts[2] as u32);
    let found = run_widest(Look {
        target,
        level,
        part,
        moved,
        sink,
    });
    culled + moved.len as u64 + found
}

/// Those that may reach the box of a level.
struct Cull<'a> {
    grid: &'a Grid,
    way: &'a Way,
    level: &'a Level,
    task: &'a Task,
    moved: &'a mut Moved,
}

impl Kernel for Cull<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let (way, class) = (self.way, &self.level.class);
        let ratio = V::splat(way.ratio * (1.0 + MARGIN));
        let radius = V::splat(class.radius * (1.0 + MARGIN) + way.margin);
        let (from, to) = (self.task.from, self.task.to);
        let blocks = from as usize / LANES..(to as usize).div_ceil(LANES);
        let first = blocks.start;
        for (i, block) in (first..).zip(self.grid.blocks.get(blocks).unwrap_or_default()) {
            let [x, y, z, r] = [0, 1, 2, 3].map(|row| V::load(&block.0[row]));
            let reach = r.mul(ratio).add(radius);
            let at = (i * LANES) as u32;
            let mut bits = among(at, from, to);
            for k in 0..3 {
                let [m0, m1, m2] = way.scaled[k].map(|m| V::splat(m));
                let p = x.mul(m0).add(y.mul(m1)).add(z.mul(m2));
                let p = p.add(V::splat(way.scaled_offset[k]));
                bits &= p.sub(reach).at_most(V::splat(class.high[k]));
                bits &= V::splat(class.low[k]).at_most(p.add(reach));
            }
            let len = self.moved.len.min(MOST);
            if let Some(out) = self.moved.places[len..].first_chunk_mut() {
                V::select(bits, &places(at), out);
            }
            self.moved.len = len + bits.count_ones() as usize;
        }
    }
}

/// Eight places from one on.
#[inline(always)]
pub(super) fn places(at: u32) -> [u32; LANES] {
    [at, at + 1, at + 2, at + 3, at + 4, at + 5, at + 6, at + 7]
}

/// Which of eight places from one on are among others.
#[inline(always)]
fn among(at: u32, from: u32, to: u32) -> u32 {
    let head = 0xff << from.saturating_sub(at);
    head & 0xff >> (at + LANES as u32).saturating_sub(to)
}

/// Moves those left.
struct Move<'a> {
    grid: &'a Grid,
    way: &'a Way,
    moved: &'a mut Moved,
}

impl RealKernel for Move<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let (way, moved) = (self.way, self.moved);
        let Some(none) = self.grid.records.first() else {
            return;
        };
        let [m0, m1, m2] = way.matrix;
        let matrix = [
            splat_all::<V, 3>(m0),
            splat_all::<V, 3>(m1),
            splat_all::<V, 3>(m2),
        ];
        let offset = splat_all::<V, 3>(way.offset);
        let scale = V::splat(way.scale);
        for at in (0..moved.len).step_by(LANES) {
            let mut records = [&none.0; LANES];
            for lane in 0..LANES {
                let place = moved.places[at + lane] as usize;
                records[lane] = &self.grid.records.get(place).unwrap_or(none).0;
            }
            let [x, y, z, r, ..] = V::transposed(records);
            let mut lanes = [[0.0; LANES]; 4];
            for k in 0..3 {
                let p = matrix[k][0] * x + matrix[k][1] * y + matrix[k][2] * z + offset[k];
                (p * scale).store(&mut lanes[k]);
            }
            (r * scale).store(&mut lanes[3]);
            let [xs, ys, zs, reaches] = &mut moved.rows;
            for lane in 0..LANES {
                let [x, y, z, r] = [0, 1, 2, 3].map(|row: usize| lanes[row][lane] as f32);
                let far = x.abs().max(y.abs()).max(z.abs());
                (xs[at + lane], ys[at + lane], zs[at + lane]) = (x, y, z);
                reaches[at + lane] = r * (1.0 + MARGIN) + NEAR * (1.0 + far);
            }
        }
    }
}

/// Goes through the cells that they reach.
struct Look<'a, S> {
    target: &'a Grid,
    level: &'a Level,
    /// The cells along the last axis that are looked into.
    part: [u32; 2],
    moved: &'a Moved,
    sink: &'a mut S,
}

/// A sphere that looks, and the cells within its reach.
#[derive(Clone, Copy)]
struct Asked {
    place: u32,
    center: [f32; 3],
    /// Its radius with margins.
    reach: f32,
    low: [u32; 3],
    high: [u32; 3],
}

impl<S: Sink> Kernel for Look<'_, S> {
    type Output = u64;

    #[inline(always)]
    fn run<V: Vector>(mut self) -> u64 {
        let (level, moved) = (self.level, self.moved);
        let radius = V::splat(level.class.radius * (1.0 + MARGIN));
        let mut work = 0;
        for at in (0..moved.len).step_by(LANES) {
            let mut rows = [[0.0; LANES]; 4];
            for k in 0..4 {
                if let Some(row) = moved.rows[k][at..].first_chunk() {
                    rows[k] = *row;
                }
            }
            let reach = V::load(&rows[3]).add(radius);
            let mut ends = [[[0.0; LANES]; 3]; 2];
            for k in 0..3 {
                let x = V::load(&rows[k]);
                for (end, x) in [x.sub(reach), x.add(reach)].into_iter().enumerate() {
                    // As `Level::cell`.
                    let cell = x
                        .sub(V::splat(level.class.low[k]))
                        .mul(V::splat(level.inverse[k]))
                        .sub(V::splat(0.5));
                    cell.max(V::splat(0.0))
                        .min(V::splat(level.last[k]))
                        .add(V::splat(WHOLE))
                        .store(&mut ends[end][k]);
                }
            }
            for lane in 0..LANES.min(moved.len - at) {
                let end = |end: usize, k: usize| whole(ends[end][k][lane]);
                let asked = Asked {
                    place: moved.places[at + lane],
                    center: [rows[0][lane], rows[1][lane], rows[2][lane]],
                    reach: rows[3][lane],
                    low: [end(0, 0), end(0, 1), end(0, 2).max(self.part[0])],
                    high: [end(1, 0), end(1, 1), end(1, 2).min(self.part[1])],
                };
                work += if level.hashed {
                    self.buckets::<V>(&asked)
                } else if asked.high[1] > asked.low[1] + 2 || asked.high[2] > asked.low[2] + 2 {
                    self.round_rows::<V>(&asked)
                } else {
                    self.rows::<V>(&asked)
                };
            }
        }
        work
    }
}

impl<S: Sink> Look<'_, S> {
    /// Through rows of cells.
    #[inline(always)]
    fn rows<V: Vector>(&mut self, asked: &Asked) -> u64 {
        let [x0, y0, z0] = asked.low;
        let [x1, y1, z1] = asked.high;
        let along = (x1 - x0) as usize;
        let mut work = 0;
        for z in z0..z1 + 1 {
            let mut first = self.level.place([x0, y0, z]);
            for _ in y0..y1 + 1 {
                work += self.stretch::<V>(asked, first, first + along);
                first += self.level.counts[0];
            }
        }
        work
    }

    /// Through rows of cells, of each the part that is within reach: corners of a box are far from a ball in it.
    #[inline(always)]
    fn round_rows<V: Vector>(&mut self, asked: &Asked) -> u64 {
        let level = self.level;
        let widths = level.inverse.map(|x| 1.0 / x);
        // From a coordinate to what is nearest of a cell.
        let gap = |k: usize, cell: u32| {
            let low = level.class.low[k] + cell as f32 * widths[k];
            let x = asked.center[k];
            (low - x).max(x - (low + widths[k])).max(0.0)
        };
        // The difference of squares is wrong by less than what the relative margin adds.
        let reach = asked.reach + level.class.radius * (1.0 + MARGIN);
        let reach = reach * (1.0 + MARGIN) + BORDER;
        let mut work = 0;
        for z in asked.low[2]..=asked.high[2] {
            let dz = gap(2, z);
            let left = reach * reach - dz * dz;
            for y in asked.low[1]..=asked.high[1] {
                let dy = gap(1, y);
                let left = left - dy * dy;
                if left < 0.0 {
                    continue;
                }
                let half = left.sqrt() * (1.0 + MARGIN);
                let x0 = level.cell(0, asked.center[0] - half);
                let x1 = level.cell(0, asked.center[0] + half);
                let first = level.place([x0, y, z]);
                work += self.stretch::<V>(asked, first, first + (x1 - x0) as usize);
            }
        }
        work
    }

    /// Through cells that lie side by side.
    #[inline(always)]
    fn stretch<V: Vector>(&mut self, asked: &Asked, first: usize, last: usize) -> u64 {
        let starts = &self.target.starts;
        let (from, to) = (starts[first], starts[last + 1]);
        if from == to {
            return 1;
        }
        let blocks = from as usize / LANES..(to as usize).div_ceil(LANES);
        let work = 1 + blocks.len() as u64;
        let mut at = from & !(LANES as u32 - 1);
        let mut head = 0xff << (from - at);
        for block in self.target.blocks.get(blocks).unwrap_or_default() {
            let bits = near::<V>(asked, block) & head & ((1 << (to - at).min(LANES as u32)) - 1);
            if bits != 0 {
                self.sink.take::<V>(asked.place, bits, at);
            }
            at += LANES as u32;
            head = 0xff;
        }
        work
    }

    /// Through hashed cells. A bucket may hold spheres of several of them, and be that of several: what
    /// is found counts in its own cell.
    #[inline(always)]
    fn buckets<V: Vector>(&mut self, asked: &Asked) -> u64 {
        let mut work = 0;
        for z in asked.low[2]..=asked.high[2] {
            for y in asked.low[1]..=asked.high[1] {
                for x in asked.low[0]..=asked.high[0] {
                    work += self.bucket::<V>(asked, [x, y, z]);
                }
            }
        }
        work
    }

    #[inline(always)]
    fn bucket<V: Vector>(&mut self, asked: &Asked, cell: [u32; 3]) -> u64 {
        let (level, starts) = (self.level, &self.target.starts);
        let bucket = level.bucket(cell);
        let (from, to) = (starts[bucket], starts[bucket + 1]);
        if from == to {
            return 1;
        }
        let blocks = from as usize / LANES..(to as usize).div_ceil(LANES);
        let work = 1 + blocks.len() as u64;
        let first = blocks.start;
        for (i, block) in (first..).zip(self.target.blocks.get(blocks).unwrap_or_default()) {
            let at = (i * LANES) as u32;
            let mut bits = near::<V>(asked, block) & among(at, from, to);
            for lane in Lanes(bits) {
                if level.cell_of(block.center(lane)) != cell {
                    bits &= !(1 << lane);
                }
            }
            if bits != 0 {
                self.sink.take::<V>(asked.place, bits, at);
            }
        }
        work
    }
}

/// Which of eight spheres may be met.
#[inline(always)]
fn near<V: Vector>(asked: &Asked, block: &Block) -> u32 {
    let [x, y, z] = asked.center;
    let x = V::load(&block.0[0]).sub(V::splat(x));
    let y = V::load(&block.0[1]).sub(V::splat(y));
    let z = V::load(&block.0[2]).sub(V::splat(z));
    let reach = V::load(&block.0[3]).add(V::splat(asked.reach));
    let squared = x.mul(x).add(y.mul(y)).add(z.mul(z));
    squared.at_most(reach.mul(reach))
}
