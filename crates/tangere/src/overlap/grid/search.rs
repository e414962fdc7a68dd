//! Cell search of the hierarchical grid: finds the candidates of query spheres in the cells of a
//! level.
//!
//! Query spheres are culled against the AABB of the level in f32, eight at a time. The others are
//! moved to the frame of the level in f64, again eight at a time. Then each of them visits the rows
//! of cells that it reaches.
//!
//! **Margins.** Let `u = 2^-24`. The scaled coordinates of a packing are at most 1 in size, and
//! rounded to `u`. A centre `p` that is moved in f64 and rounded to f32 has an error of at most
//! `u |p|` along each axis, and differences are rounded once more. So distances have an error below
//! `√3 u (1 + |p|)`, plus a relative error of `4 u`; both margins below are at least twice as
//! large. A centre that is moved in f32, by a matrix with entries up to the ratio `q` of both
//! scales and by an offset `t`, has an error below `2^-20 (1.1 q + 0.25 |t|)` along each axis.

use super::level::{Level, last_bits};
use super::narrow_phase::Sink;
use super::plan::Task;
use super::{Block, Grid};
use crate::overlap::relative_pose::RelativePose;
use crate::simd::{
    Kernel, LANES, Lanes, RealKernel, Reals, Vector, prefetch, run_reals, run_widest, splat_all,
};

/// The maximum number of query spheres of a task. `MOST + LANES` is a power of two.
pub(super) const MOST: usize = 504;
/// The capacity of the buffer of blocks (of eight spheres) that wait to be tested against a query
/// sphere.
const BLOCKS: usize = 256;
/// The fraction by which the radii of query spheres and of the spheres of the searched level are
/// enlarged, to cover rounding.
const MARGIN: f32 = 1.0 / (1 << 20) as f32;
/// The radius of a query sphere is enlarged, besides [`MARGIN`], by this length times 1 plus the
/// largest magnitude of its coordinates, to cover rounding. All lengths are in scaled coordinates.
const NEAR: f32 = 1.0 / (1 << 22) as f32;
/// The length, in scaled coordinates, by which a query sphere is enlarged when its distance from
/// cells is tested, to cover rounding.
const BORDER: f32 = 1.0 / (1 << 19) as f32;
/// The largest ratio of the scales of two packings for which f32 coordinates are accurate enough.
const MOST_RATIO: f64 = (1_u64 << 50) as f64;

/// The transform from the frame of the query spheres to that of the searched packing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transform {
    matrix: [[f64; 3]; 3],
    offset: [f64; 3],
    /// The factor from lengths to the scaled f32 coordinates of the searched packing.
    scale: f64,
    /// The matrix from the scaled coordinates of the query spheres to those of the searched
    /// packing. The next fields are the offset that belongs to it, the ratio of both scales, and
    /// the error bound of a centre that is moved in f32.
    scaled: [[f32; 3]; 3],
    scaled_offset: [f32; 3],
    ratio: f32,
    margin: f32,
}

/// How two packings lie relative to each other, with the transforms between them.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "made once a query, on the stack")]
pub(super) enum Placement {
    /// The bounding volumes of the two packings are disjoint.
    Apart,
    /// The sizes of the two packings differ too much for f32 coordinates.
    ScalesDiffer,
    /// The two packings may overlap: the transforms from `a` to `b` and from `b` to `a`.
    Near([Transform; 2]),
}

impl Placement {
    /// Prepares the cell search of two grids at a relative pose: finds whether the packings are
    /// apart, and computes the transforms between them.
    pub(super) fn new([a, b]: [&Grid; 2], relative_pose: &RelativePose) -> Self {
        let (m, t) = (&relative_pose.matrix, &relative_pose.offset);
        let back = std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]));
        let back_offset =
            std::array::from_fn(|i| -(m[0][i] * t[0] + m[1][i] * t[1] + m[2][i] * t[2]));
        let ratio = b.frame.scale / a.frame.scale;
        let far = (0..3).fold(0.0_f64, |far, k| far.max(t[k].abs())) * b.frame.scale;
        // Scaled boxes span -1 to 1; a rotated one stays within √3 of its middle.
        if far > 1.001 + 1.8 * ratio {
            return Placement::Apart;
        }
        if !(1.0 / MOST_RATIO..MOST_RATIO).contains(&ratio) {
            return Placement::ScalesDiffer;
        }
        let way = |matrix: [[f64; 3]; 3], offset: [f64; 3], scale: f64, ratio: f64| {
            let scaled_offset = offset.map(|x| (x * scale) as f32);
            let far = scaled_offset
                .iter()
                .fold(0.0_f32, |far, x| far.max(x.abs()));
            Transform {
                matrix,
                offset,
                scale,
                scaled: matrix.map(|row| row.map(|x| (x * ratio) as f32)),
                scaled_offset,
                ratio: ratio as f32,
                margin: MARGIN * (2.0 * ratio as f32 + far + 1.0),
            }
        };
        Placement::Near([
            way(*m, *t, b.frame.scale, ratio),
            way(back, back_offset, a.frame.scale, 1.0 / ratio),
        ])
    }
}

/// The query spheres of a task in the frame of the searched packing: scratch memory of a thread.
#[derive(Clone, Debug)]
pub(super) struct QuerySpheres {
    /// The index of each query sphere in the order of its grid (sorted by level, then by cell).
    indices: [u32; MOST + LANES],
    len: usize,
    /// Rows of the x, y and z coordinates of the query spheres and of their radii, in the scaled
    /// f32 frame of the searched packing. Radii are enlarged to cover rounding.
    rows: [[f32; MOST + LANES]; 4],
    waiting: Blocks,
}

/// A buffer of blocks that wait to be tested. An entry has the index of the block of eight spheres,
/// the index of the query sphere and the mask of the lanes to be tested.
#[derive(Clone, Debug)]
struct Blocks {
    list: [[u32; 2]; BLOCKS],
    len: usize,
}

impl Blocks {
    /// Adds the blocks that contain the spheres `from..to`, to be tested against query sphere
    /// `querying`, to the buffer of the grid's cell search. Returns the number of blocks, which
    /// must fit into the buffer.
    #[inline(always)]
    fn push(&mut self, querying: usize, from: u32, to: u32) -> usize {
        const LAST: u32 = LANES as u32 - 1;
        let (first, end) = (from / LANES as u32, (to + LAST) / LANES as u32);
        let count = if from < to { (end - first) as usize } else { 0 };
        let head = 0xff << (from & LAST) & 0xff;
        let tail = 0xff >> (to.wrapping_neg() & LAST);
        let querying = (querying as u32) << LANES;
        // There are mostly one or two blocks: they are written without a branch, which would be
        // mispredicted.
        let Some(room) = self.list[self.len..].first_chunk_mut::<2>() else {
            return 0;
        };
        *room = [
            [
                first,
                querying | if count == 1 { head & tail } else { head },
            ],
            [first + 1, querying | if count == 2 { tail } else { 0xff }],
        ];
        if count > 2 {
            let rest = self.list[self.len..].iter_mut().take(count).skip(2);
            for (block, waiting) in (first + 2..).zip(rest) {
                let lanes = if block + 1 == end { tail } else { 0xff };
                *waiting = [block, querying | lanes];
            }
        }
        self.len += count;
        count
    }
}

impl QuerySpheres {
    /// Returns memory for the query spheres of a cell search.
    pub(super) const fn new() -> Self {
        Self {
            indices: [0; MOST + LANES],
            len: 0,
            rows: [[0.0; MOST + LANES]; 4],
            waiting: Blocks {
                list: [[0; 2]; BLOCKS],
                len: 0,
            },
        }
    }
}

impl QuerySpheres {
    /// Returns the centre and the enlarged radius of query sphere `number` in the cell search of a
    /// packing's grid, in scaled f32 coordinates.
    #[inline(always)]
    fn center_and_reach(&self, number: usize) -> [f32; 4] {
        let i = number % (MOST + LANES);
        let [x, y, z, reach] = &self.rows;
        [x[i], y[i], z[i], reach[i]]
    }
}

/// Searches the cells of a level of a packing's grid for candidates of the query spheres of a task,
/// and passes them to `sink`. Returns the work done, in units of `Budget::Work`.
pub(super) fn search(
    querying: &Grid,
    target: &Grid,
    way: &Transform,
    task: &Task,
    moved: &mut QuerySpheres,
    sink: &mut impl Sink,
) -> u64 {
    let Some(level) = target.levels.get(task.level as usize) else {
        return 0;
    };
    moved.len = 0;
    run_widest(Cull {
        grid: querying,
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
        grid: querying,
        way,
        moved,
    });
    let part = task.rows(level.counts[2] as u32);
    let share = task.share(level.len() as u32).map(|i| level.first + i);
    let len = moved.len as u64;
    let found = run_widest(VisitCells {
        target,
        level,
        part,
        share,
        moved,
        sink,
    });
    culled + len + found
}

/// The kernel that drops query spheres which cannot reach the AABB of a level.
struct Cull<'a> {
    grid: &'a Grid,
    way: &'a Transform,
    level: &'a Level,
    task: &'a Task,
    moved: &'a mut QuerySpheres,
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
            let x = V::load(&block.0[0]);
            let y = V::load(&block.0[1]);
            let z = V::load(&block.0[2]);
            let r = V::load(&block.0[3]);
            let reach = r.mul(ratio).add(radius);
            let at = (i * LANES) as u32;
            let mut bits = among(at, from, to);
            for k in 0..3 {
                let [m0, m1, m2] = way.scaled[k];
                let p = x.mul(V::splat(m0)).add(y.mul(V::splat(m1)));
                let p = p.add(z.mul(V::splat(m2)));
                let p = p.add(V::splat(way.scaled_offset[k]));
                bits &= p.sub(reach).at_most(V::splat(class.high[k]));
                bits &= V::splat(class.low[k]).at_most(p.add(reach));
            }
            let len = self.moved.len.min(MOST);
            if let Some(out) = self.moved.indices[len..].first_chunk_mut() {
                select::<V>(bits, at, out);
            }
            self.moved.len = len + bits.count_ones() as usize;
        }
    }
}

/// Writes `at + lane` for each lane whose bit in `bits` is set to the front of `out`: the indices
/// of candidates of the grid's cell search.
#[inline(always)]
pub(super) fn select<V: Vector>(bits: u32, at: u32, out: &mut [u32; LANES]) {
    const LANE: [u32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7];
    V::select(bits, &LANE, out);
    for place in out {
        *place = place.wrapping_add(at);
    }
}

/// Returns the mask of those lanes in a block of eight spheres whose index `at + lane` lies in
/// `from..to`, for the grid's cell search.
#[inline(always)]
fn among(at: u32, from: u32, to: u32) -> u32 {
    let head = 0xff << from.saturating_sub(at);
    head & 0xff >> (at + LANES as u32).saturating_sub(to)
}

/// The kernel that moves the query spheres left after culling to the frame of the searched packing.
struct Move<'a> {
    grid: &'a Grid,
    way: &'a Transform,
    moved: &'a mut QuerySpheres,
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
                let place = moved.indices[at + lane] as usize;
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
                let (x, y) = (lanes[0][lane] as f32, lanes[1][lane] as f32);
                let (z, r) = (lanes[2][lane] as f32, lanes[3][lane] as f32);
                let far = x.abs().max(y.abs()).max(z.abs());
                (xs[at + lane], ys[at + lane], zs[at + lane]) = (x, y, z);
                reaches[at + lane] = r * (1.0 + MARGIN) + NEAR * (1.0 + far);
            }
        }
    }
}

/// The kernel that visits the cells within reach of each query sphere and tests their spheres.
struct VisitCells<'a, S> {
    target: &'a Grid,
    level: &'a Level,
    /// The first and the last layer of cells, along the last axis, that this task visits.
    part: [u32; 2],
    /// The range of the level's spheres that this task tests if cells are hashed and a query sphere
    /// reaches more cells than the level has blocks of eight spheres.
    share: [u32; 2],
    moved: &'a mut QuerySpheres,
    sink: &'a mut S,
}

/// A query sphere and the range of cells within its reach, from `low` to `high`.
#[derive(Clone, Copy)]
struct QuerySphere {
    /// The index of the sphere among the query spheres of the task.
    number: usize,
    low: [u32; 3],
    high: [u32; 3],
}

impl<S: Sink> Kernel for VisitCells<'_, S> {
    type Output = u64;

    #[inline(always)]
    fn run<V: Vector>(mut self) -> u64 {
        let level = self.level;
        let radius = V::splat(level.class.radius * (1.0 + MARGIN));
        let mut work = 0;
        for at in (0..self.moved.len).step_by(LANES) {
            let mut rows = [V::splat(0.0); 4];
            for k in 0..4 {
                if let Some(row) = self.moved.rows[k][at..].first_chunk() {
                    rows[k] = V::load(row);
                }
            }
            let reach = rows[3].add(radius);
            let mut ends = [[[0.0; LANES]; 3]; 2];
            for k in 0..3 {
                let x = rows[k];
                level.cells::<V>(k, x.sub(reach)).store(&mut ends[0][k]);
                level.cells::<V>(k, x.add(reach)).store(&mut ends[1][k]);
            }
            for lane in 0..LANES.min(self.moved.len - at) {
                let end = |end: usize, k: usize| last_bits(ends[end][k][lane]);
                let query = QuerySphere {
                    number: at + lane,
                    low: [end(0, 0), end(0, 1), end(0, 2).max(self.part[0])],
                    high: [end(1, 0), end(1, 1), end(1, 2).min(self.part[1])],
                };
                let along = |k: usize| u64::from(end(1, k) - end(0, k)) + 1;
                // Decided for all parts together, so that they agree.
                let is_wide = || along(0) * along(1) * along(2) > level.blocks();
                work += if level.hashed && is_wide() {
                    let [from, to] = self.share;
                    self.spheres::<V>(&query, from, to)
                } else if level.hashed {
                    self.buckets::<V>(&query)
                } else if query.high[1] > query.low[1] + 2 || query.high[2] > query.low[2] + 2 {
                    self.round_rows::<V>(&query)
                } else {
                    self.rows::<V>(&query)
                };
            }
        }
        self.test::<V>();
        work
    }
}

impl<S: Sink> VisitCells<'_, S> {
    /// Searches all rows of grid cells between the first and the last cell within reach of a query
    /// sphere. Returns the work done.
    #[inline(always)]
    fn rows<V: Vector>(&mut self, query: &QuerySphere) -> u64 {
        let [x0, y0, z0] = query.low;
        let [x1, y1, z1] = query.high;
        let along = (x1 - x0) as usize;
        let mut work = 0;
        for z in z0..z1 + 1 {
            let mut first = self.level.cell_index([x0, y0, z]);
            for _ in y0..y1 + 1 {
                work += self.stretch::<V>(query, first, first + along);
                first += self.level.counts[0];
            }
        }
        work
    }

    /// Searches in each row only those grid cells that the query sphere itself reaches, not all
    /// that its AABB reaches: the corners of the AABB are far from the sphere. Returns the work
    /// done.
    #[inline(always)]
    fn round_rows<V: Vector>(&mut self, query: &QuerySphere) -> u64 {
        let level = self.level;
        let [x, y, z, reach] = self.moved.center_and_reach(query.number);
        let widths = level.inverse.map(|x| 1.0 / x);
        // The distance from a coordinate to a cell along axis `k`.
        let gap = |k: usize, x: f32, cell: u32| {
            let low = level.class.low[k] + cell as f32 * widths[k];
            (low - x).max(x - (low + widths[k])).max(0.0)
        };
        // The error of the difference of squares is below what the relative margin adds.
        let reach = reach + level.class.radius * (1.0 + MARGIN);
        let reach = reach * (1.0 + MARGIN) + BORDER;
        let mut work = 0;
        for layer in query.low[2]..query.high[2] + 1 {
            let dz = gap(2, z, layer);
            let left = reach * reach - dz * dz;
            for row in query.low[1]..query.high[1] + 1 {
                let dy = gap(1, y, row);
                let left = left - dy * dy;
                if left < 0.0 {
                    continue;
                }
                let half = left.sqrt() * (1.0 + MARGIN);
                let (x0, x1) = (level.cell(0, x - half), level.cell(0, x + half));
                let first = level.cell_index([x0, row, layer]);
                work += self.stretch::<V>(query, first, first + (x1 - x0) as usize);
            }
        }
        work
    }

    /// Searches the adjacent cells of a packing's grid from index `first` to `last`, in one row,
    /// for a query sphere. Returns the work done.
    #[inline(always)]
    fn stretch<V: Vector>(&mut self, query: &QuerySphere, first: usize, last: usize) -> u64 {
        let starts = &self.target.starts;
        self.spheres::<V>(query, starts[first], starts[last + 1])
    }

    /// Buffers the blocks that contain the spheres `from..to`, for the grid's cell search. Returns
    /// the work done.
    #[inline(always)]
    fn spheres<V: Vector>(&mut self, query: &QuerySphere, mut from: u32, to: u32) -> u64 {
        let mut work = 1;
        // The range is cut into parts that fit into the buffer.
        const FITTING: u32 = (BLOCKS / 2 * LANES) as u32;
        while to - from > FITTING - LANES as u32 {
            let next = from - from % LANES as u32 + FITTING - LANES as u32;
            work += self.wait::<V>(query, from, next);
            from = next;
        }
        work + self.wait::<V>(query, from, to)
    }

    /// Buffers the blocks that contain the spheres `from..to`, which must fit into half of the
    /// buffer of the grid's cell search. Tests the buffered blocks if the buffer is then more than
    /// half full. Returns the number of blocks.
    #[inline(always)]
    fn wait<V: Vector>(&mut self, query: &QuerySphere, from: u32, to: u32) -> u64 {
        prefetch(&self.target.blocks, from as usize / LANES);
        let count = self.moved.waiting.push(query.number, from, to);
        if self.moved.waiting.len > BLOCKS / 2 {
            self.test::<V>();
        }
        count as u64
    }

    /// Tests the buffered blocks of the grid's cell search against their query spheres, and passes
    /// candidate pairs to the sink.
    #[inline(always)]
    fn test<V: Vector>(&mut self) {
        let waiting = &self.moved.waiting;
        for &[block, querying] in &waiting.list[..waiting.len.min(BLOCKS)] {
            let number = (querying >> LANES) as usize;
            if let Some(spheres) = self.target.blocks.get(block as usize) {
                let bits =
                    near::<V>(self.moved.center_and_reach(number), spheres) & querying & 0xff;
                let querying = self.moved.indices[number % (MOST + LANES)];
                self.sink.take::<V>(querying, bits, block * LANES as u32);
            }
        }
        self.moved.waiting.len = 0;
    }

    /// Searches the hashed cells of a packing's grid within reach of a query sphere, at most as
    /// many as the level has blocks of eight spheres. Several cells may share a bucket; a sphere of
    /// the bucket is tested only for the cell that contains its centre. Returns the work done.
    #[inline(always)]
    fn buckets<V: Vector>(&mut self, query: &QuerySphere) -> u64 {
        let mut work = 0;
        for z in query.low[2]..query.high[2] + 1 {
            for y in query.low[1]..query.high[1] + 1 {
                for x in query.low[0]..query.high[0] + 1 {
                    work += self.bucket::<V>(query, [x, y, z]);
                }
            }
        }
        work
    }

    /// Searches one hashed cell of a packing's grid: tests the spheres of its bucket against a
    /// query sphere. Returns the work done.
    #[inline(always)]
    fn bucket<V: Vector>(&mut self, query: &QuerySphere, cell: [u32; 3]) -> u64 {
        let (level, starts) = (self.level, &self.target.starts);
        let bucket = level.bucket(cell);
        let (from, to) = (starts[bucket], starts[bucket + 1]);
        if from == to {
            return 1;
        }
        let blocks = from as usize / LANES..(to as usize).div_ceil(LANES);
        let work = 1 + blocks.len() as u64;
        let first = blocks.start;
        let who = self.moved.center_and_reach(query.number);
        for (i, block) in (first..).zip(self.target.blocks.get(blocks).unwrap_or_default()) {
            let at = (i * LANES) as u32;
            let mut bits = near::<V>(who, block) & among(at, from, to);
            for lane in Lanes(bits) {
                if level.cell_of(block.center(lane)) != cell {
                    bits &= !(1 << lane);
                }
            }
            let querying = self.moved.indices[query.number % (MOST + LANES)];
            self.sink.take::<V>(querying, bits, at);
        }
        work
    }
}

/// Returns the mask of the spheres of a block that overlap a query sphere with its enlarged radius,
/// in the grid's cell search.
#[inline(always)]
fn near<V: Vector>([x, y, z, reach]: [f32; 4], block: &Block) -> u32 {
    let x = V::load(&block.0[0]).sub(V::splat(x));
    let y = V::load(&block.0[1]).sub(V::splat(y));
    let z = V::load(&block.0[2]).sub(V::splat(z));
    let reach = V::load(&block.0[3]).add(V::splat(reach));
    let squared = x.mul(x).add(y.mul(y)).add(z.mul(z));
    squared.at_most(reach.mul(reach))
}
