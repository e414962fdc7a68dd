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

use super::Grid;
use super::level::Level;
use super::measure::Sink;
use super::plan::Task;
use crate::overlap::moved::Motion;
use crate::simd::{Kernel, LANES, RealKernel, Reals, Vector, run_reals, run_widest, splat_all};

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

/// Spheres that look, in the frame of those who are looked for.
struct Moved {
    /// Their places.
    places: [u32; MOST + LANES],
    len: usize,
    /// Scaled, in f32.
    centers: [[f32; MOST + LANES]; 3],
    /// Radii with margins.
    reaches: [f32; MOST + LANES],
}

/// Lets the spheres of a task look, and tells how much work it was.
pub(super) fn search(
    looking: &Grid,
    target: &Grid,
    way: &Way,
    task: &Task,
    sink: &mut impl Sink,
) -> u64 {
    let mut moved = Moved {
        places: [0; MOST + LANES],
        len: 0,
        centers: [[0.0; MOST + LANES]; 3],
        reaches: [0.0; MOST + LANES],
    };
    let Some(level) = target.levels.get(task.level as usize) else {
        return 0;
    };
    run_widest(Cull {
        grid: looking,
        way,
        level,
        task,
        moved: &mut moved,
    });
    if moved.len == 0 {
        return task.len() as u64 / LANES as u64 + 1;
    }
    run_reals(Move {
        grid: looking,
        way,
        moved: &mut moved,
    });
    let found = run_widest(Look {
        target,
        level,
        moved: &moved,
        sink,
    });
    (task.len() + LANES * moved.len) as u64 / LANES as u64 + 1 + found
}

/// Eight numbers from a place on; zeros where there are fewer.
#[inline(always)]
fn eight(values: &[f32], from: usize) -> &[f32; LANES] {
    const NONE: [f32; LANES] = [0.0; LANES];
    match values.get(from..from + LANES).and_then(|v| v.first_chunk()) {
        Some(eight) => eight,
        None => &NONE,
    }
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
        let [xs, ys, zs, rs] = &self.grid.lanes;
        let (way, class) = (self.way, &self.level.class);
        let ratio = V::splat(way.ratio * (1.0 + MARGIN));
        let radius = V::splat(class.radius * (1.0 + MARGIN) + way.margin);
        let (from, to) = (self.task.from as usize, self.task.to as usize);
        for at in (from..to).step_by(LANES) {
            let [x, y, z, r] = [xs, ys, zs, rs].map(|lane| V::load(eight(lane, at)));
            let reach = r.mul(ratio).add(radius);
            let mut bits = 0xff_u32 >> (LANES - (to - at).min(LANES));
            for k in 0..3 {
                let [m0, m1, m2] = way.scaled[k].map(|m| V::splat(m));
                let p = x.mul(m0).add(y.mul(m1)).add(z.mul(m2));
                let p = p.add(V::splat(way.scaled_offset[k]));
                bits &= p.sub(reach).at_most(V::splat(class.high[k]));
                bits &= V::splat(class.low[k]).at_most(p.add(reach));
            }
            let mut places = [0; LANES];
            for (lane, place) in (0..).zip(&mut places) {
                *place = at as u32 + lane;
            }
            let len = self.moved.len.min(MOST);
            if let Some(out) = self.moved.places[len..].first_chunk_mut() {
                V::select(bits, &places, out);
            }
            self.moved.len = len + bits.count_ones() as usize;
        }
    }
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
            for lane in 0..LANES {
                let p = [
                    lanes[0][lane] as f32,
                    lanes[1][lane] as f32,
                    lanes[2][lane] as f32,
                ];
                for k in 0..3 {
                    moved.centers[k][at + lane] = p[k];
                }
                let far = p[0].abs().max(p[1].abs()).max(p[2].abs());
                moved.reaches[at + lane] =
                    lanes[3][lane] as f32 * (1.0 + MARGIN) + NEAR * (1.0 + far);
            }
        }
    }
}

/// Goes through the cells that they reach.
struct Look<'a, S> {
    target: &'a Grid,
    level: &'a Level,
    moved: &'a Moved,
    sink: &'a mut S,
}

impl<S: Sink> Kernel for Look<'_, S> {
    type Output = u64;

    #[inline(always)]
    fn run<V: Vector>(mut self) -> u64 {
        let mut work = 0;
        for i in 0..self.moved.len {
            let [xs, ys, zs] = &self.moved.centers;
            let asked = Asked {
                place: self.moved.places[i],
                center: [xs[i], ys[i], zs[i]],
                reach: self.moved.reaches[i],
            };
            work += if self.level.hashed {
                self.buckets::<V>(&asked)
            } else {
                self.rows::<V>(&asked)
            };
        }
        work
    }
}

/// A sphere that looks.
struct Asked {
    place: u32,
    center: [f32; 3],
    reach: f32,
}

impl<S: Sink> Look<'_, S> {
    /// The first and the last cell along an axis within a distance.
    #[inline(always)]
    fn range(&self, k: usize, center: f32, reach: f32) -> [i32; 2] {
        [
            self.level.cell(k, center - reach),
            self.level.cell(k, center + reach),
        ]
    }

    /// Through rows of cells.
    #[inline(always)]
    fn rows<V: Vector>(&mut self, asked: &Asked) -> u64 {
        let level = self.level;
        let reach = asked.reach + level.class.radius * (1.0 + MARGIN);
        let [x0, x1] = self.range(0, asked.center[0], reach);
        let [y0, y1] = self.range(1, asked.center[1], reach);
        let [z0, z1] = self.range(2, asked.center[2], reach);
        // Corners of a box are far from a ball in it.
        if y1 - y0 > 2 || z1 - z0 > 2 {
            return self.round_rows::<V>(asked, reach, [[y0, y1], [z0, z1]]);
        }
        let mut work = 0;
        for z in z0..=z1 {
            for y in y0..=y1 {
                let first = level.place([x0, y, z]);
                work += self.stretch::<V>(asked, first, first + (x1 - x0) as usize);
            }
        }
        work
    }

    /// Through rows of cells, of each the part that is within reach.
    #[inline(always)]
    fn round_rows<V: Vector>(&mut self, asked: &Asked, reach: f32, range: [[i32; 2]; 2]) -> u64 {
        let level = self.level;
        let [[y0, y1], [z0, z1]] = range;
        let widths = level.inverse.map(|x| 1.0 / x);
        // From a coordinate to what is nearest of a cell.
        let gap = |k: usize, cell: i32| {
            let low = level.class.low[k] + cell as f32 * widths[k];
            let x = asked.center[k];
            (low - x).max(x - (low + widths[k])).max(0.0)
        };
        // The difference of squares is wrong by less than what the relative margin adds.
        let reach = reach * (1.0 + MARGIN) + BORDER;
        let mut work = 0;
        for z in z0..=z1 {
            let dz = gap(2, z);
            let left = reach * reach - dz * dz;
            for y in y0..=y1 {
                let dy = gap(1, y);
                let left = left - dy * dy;
                if left < 0.0 {
                    continue;
                }
                let [x0, x1] = self.range(0, asked.center[0], left.sqrt() * (1.0 + MARGIN));
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
        let mut at = from;
        while at < to {
            let bits = self.near::<V>(asked, at, to);
            if bits != 0 {
                self.sink.take::<V>(asked.place, bits, at);
            }
            at += LANES as u32;
        }
        1 + u64::from((to - from).div_ceil(LANES as u32))
    }

    /// Which of eight spheres may be met.
    #[inline(always)]
    fn near<V: Vector>(&self, asked: &Asked, at: u32, to: u32) -> u32 {
        let [xs, ys, zs, rs] = &self.target.lanes;
        let lane = |lane: &[f32]| V::load(eight(lane, at as usize));
        let x = lane(xs).sub(V::splat(asked.center[0]));
        let y = lane(ys).sub(V::splat(asked.center[1]));
        let z = lane(zs).sub(V::splat(asked.center[2]));
        let reach = lane(rs).add(V::splat(asked.reach));
        let squared = x.mul(x).add(y.mul(y)).add(z.mul(z));
        let bits = squared.at_most(reach.mul(reach));
        bits & (0xff >> (LANES as u32 - (to - at).min(LANES as u32)))
    }

    /// Through hashed cells. A bucket may hold spheres of several of them, and be that of several: what
    /// is found counts in its own cell.
    #[inline(always)]
    fn buckets<V: Vector>(&mut self, asked: &Asked) -> u64 {
        let level = self.level;
        let reach = asked.reach + level.class.radius * (1.0 + MARGIN);
        let [x0, x1] = self.range(0, asked.center[0], reach);
        let [y0, y1] = self.range(1, asked.center[1], reach);
        let [z0, z1] = self.range(2, asked.center[2], reach);
        let mut work = 0;
        for z in z0..=z1 {
            for y in y0..=y1 {
                for x in x0..=x1 {
                    work += self.bucket::<V>(asked, [x, y, z]);
                }
            }
        }
        work
    }

    #[inline(always)]
    fn bucket<V: Vector>(&mut self, asked: &Asked, cell: [i32; 3]) -> u64 {
        let (level, starts) = (self.level, &self.target.starts);
        let bucket = level.bucket(cell);
        let (from, to) = (starts[bucket], starts[bucket + 1]);
        let [xs, ys, zs, _] = &self.target.lanes;
        let mut at = from;
        while at < to {
            let mut bits = self.near::<V>(asked, at, to);
            for lane in crate::simd::Lanes(bits) {
                let i = at as usize + lane;
                if level.cell_of([xs[i], ys[i], zs[i]]) != cell {
                    bits &= !(1 << lane);
                }
            }
            if bits != 0 {
                self.sink.take::<V>(asked.place, bits, at);
            }
            at += LANES as u32;
        }
        1 + u64::from((to - from).div_ceil(LANES as u32))
    }
}
