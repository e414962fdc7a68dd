//! One level of a packing's hierarchical grid: the spheres of one class of radii, or of several if
//! a class has few spheres, sorted by the cells of their centres.
//!
//! Radii double from class to class, beginning at the smallest radius of the packing: the finest
//! class, which has most spheres, then spans a full factor of two. Cells are wider than the largest
//! diameter of the class. They are stored in rows along the first axis, so the spheres within reach
//! of a query sphere are a few contiguous ranges. If most cells of the box would be empty, then
//! cells are hashed into buckets instead. If a query sphere reaches more hashed cells than the
//! level has blocks of eight spheres, then it is tested against all spheres of the level. This is
//! necessary because the number of cells in reach has no bound: a query sphere a million times as
//! large reaches 10^18 of them.
//!
//! The map from coordinates to cells is monotone, also when rounded. So the centres with
//! coordinates from `x` to `x'` lie in the cells from that of `x` to that of `x'`.

use crate::simd::{LANES, Vector};

/// The widths of a level's cells along the three axes, in units of the smallest radius of its
/// class.
const WIDTHS: [f32; 3] = [4.0, 12.0, 12.0];
/// The width of a level's cells if they are hashed, in units of the smallest radius of its class.
const HASHED_WIDTH: f32 = 8.0;
/// The factor by which cells are widened if a level would have too many of them. If there are still
/// too many, then cells are hashed.
const WIDER: f32 = 2.0;
/// The maximum number of cells along an axis: f32 coordinates still resolve a fraction of such a
/// cell.
const ALONG: f32 = (1 << 20) as f32;
/// A level of at most this many spheres is not divided into cells.
pub(super) const FEW: usize = 32;
/// A level has at most `SPARE[0]` cells for each of its spheres, plus `SPARE[1]`; otherwise its
/// cells are hashed.
const SPARE: [u64; 2] = [8, 64];

/// The number that is added to a float from 0 to 2^22 to round it: the last bits of the sum are the
/// integer nearest to the float. This rounding is monotone and takes few instructions.
const ROUNDING: f32 = (1 << 23) as f32;

/// Returns the integer in the last bits of `sum`, a number to which [`ROUNDING`] was added: the
/// index along an axis of a cell in a level of a packing's grid.
#[inline(always)]
pub(super) fn last_bits(sum: f32) -> u32 {
    sum.to_bits() & 0x7f_ffff
}

/// A summary of the spheres of one class of radii: their number, extent and volume.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    pub(super) count: u32,
    /// The lower corner of the AABB of the centres of the class's spheres; `high` is the upper
    /// corner. Coordinates are relative to the middle of the packing's box and scaled to the range
    /// from -1 to 1.
    pub(super) low: [f32; 3],
    pub(super) high: [f32; 3],
    /// The largest radius of the class, in scaled coordinates.
    pub(super) radius: f32,
    /// The sum of the cubes of all radii of the class, not scaled; the volume of the spheres is
    /// `4/3 π` times it.
    pub(super) cubes: f64,
}

impl Class {
    /// The summary of a class of radii that has no spheres.
    pub(super) const NONE: Self = Self {
        count: 0,
        low: [f32::INFINITY; 3],
        high: [f32::NEG_INFINITY; 3],
        radius: 0.0,
        cubes: 0.0,
    };

    /// Adds a sphere to the summary of a class of radii, for a level of a packing's grid. `scaled`
    /// has its centre and its radius in scaled coordinates; `radius` is not scaled.
    #[inline(always)]
    pub(super) fn add(&mut self, scaled: [f32; 4], radius: f64) {
        // There is no NaN: a comparison is one instruction, `f32::min` takes three.
        let least = |a: f32, b: f32| if b < a { b } else { a };
        let most = |a: f32, b: f32| if b > a { b } else { a };
        self.count += 1;
        for k in 0..3 {
            self.low[k] = least(self.low[k], scaled[k]);
            self.high[k] = most(self.high[k], scaled[k]);
        }
        self.radius = most(self.radius, scaled[3]);
        self.cubes += radius * radius * radius;
    }

    /// Adds the spheres of another class of radii to the summary of this one, for a level of a
    /// packing's grid.
    pub(super) fn join(&mut self, other: &Self) {
        self.count += other.count;
        for k in 0..3 {
            self.low[k] = self.low[k].min(other.low[k]);
            self.high[k] = self.high[k].max(other.high[k]);
        }
        self.radius = self.radius.max(other.radius);
        self.cubes += other.cubes;
    }
}

/// One level of the hierarchical grid: the spheres of one class of radii, or of several if a class
/// has few spheres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// The least radius of the class that determines the width of the level's cells. Spheres of a
    /// finer class that joined the level are smaller.
    pub(super) least: f64,
    /// The start of the range of this level's spheres among all spheres of the grid, which are
    /// sorted by level, then by cell; `end` is its end.
    pub(super) first: u32,
    pub(super) end: u32,
    pub(super) class: Class,
    /// The number of cells of this level per unit of scaled length, along each axis.
    pub(super) inverse: [f32; 3],
    /// The index of the last cell of this level along each axis.
    pub(super) last: [f32; 3],
    /// The number of cells of this level along each axis.
    pub(super) counts: [usize; 3],
    /// The index of the first cell or bucket of this level among those of all levels.
    pub(super) base: usize,
    /// The number of cells or buckets of this level.
    pub(super) slots: usize,
    /// Whether the cells of this level are hashed into buckets.
    pub(super) hashed: bool,
}

impl Level {
    /// Returns the level of a packing's grid for a class of radii from `least` on. `scale` is the
    /// factor from lengths to the packing's scaled f32 coordinates. `first` is the index of the
    /// level's first sphere, `base` that of its first cell.
    pub(super) fn new(least: f64, class: Class, scale: f64, first: u32, base: usize) -> Self {
        let mut level = Self {
            least,
            first,
            end: first + class.count,
            class,
            inverse: [0.0; 3],
            last: [0.0; 3],
            counts: [1; 3],
            base,
            slots: 0,
            hashed: false,
        };
        if class.count as usize <= FEW {
            level.slots = 1;
            return level;
        }
        let least = (least * scale) as f32;
        let most = SPARE[0] * u64::from(class.count) + SPARE[1];
        for wider in [1.0, WIDER] {
            let cells = level.divide(WIDTHS.map(|w| w * wider * least));
            if cells <= most {
                level.slots = cells as usize;
                return level;
            }
        }
        level.divide([HASHED_WIDTH * least; 3]);
        level.hashed = true;
        level.slots = (class.count as usize).next_power_of_two();
        level
    }

    /// Divides the box of a level of a packing's grid into cells of the widths `widths`, or of
    /// larger ones along an axis that would have more than [`ALONG`] cells. Returns the number of
    /// cells.
    fn divide(&mut self, widths: [f32; 3]) -> u64 {
        let mut cells = 1;
        for k in 0..3 {
            let extent = self.class.high[k] - self.class.low[k];
            // A class without extent has one cell of any width; subnormal widths are avoided.
            let width = widths[k].max(extent / ALONG).max(f32::MIN_POSITIVE * 4.0);
            self.inverse[k] = 1.0 / width;
            self.last[k] = (extent * self.inverse[k]).floor();
            self.counts[k] = self.last[k] as usize + 1;
            cells *= self.counts[k] as u64;
        }
        cells
    }

    /// The number of spheres in a level of a packing's grid.
    pub(super) fn len(&self) -> usize {
        (self.end - self.first) as usize
    }

    /// The approximate number of blocks of eight spheres in a level of a packing's grid: the cost
    /// of testing all its spheres.
    #[inline(always)]
    pub(super) fn blocks(&self) -> u64 {
        u64::from((self.end - self.first) / LANES as u32 + 1)
    }

    /// Returns the index of the cell along axis `k` that contains the coordinate `x`, in a level of
    /// a packing's grid. If `x` lies outside, it is the nearest cell.
    #[inline(always)]
    pub(super) fn cell(&self, k: usize, x: f32) -> u32 {
        last_bits(
            ((x - self.class.low[k]) * self.inverse[k] - 0.5)
                .max(0.0)
                .min(self.last[k])
                + ROUNDING,
        )
    }

    /// Returns the cells along axis `k` that contain eight coordinates, in a level of a packing's
    /// grid. [`last_bits`] turns each result into an index. The steps are those of [`Level::cell`].
    #[inline(always)]
    pub(super) fn cells<V: Vector>(&self, k: usize, x: V) -> V {
        let cell = x.sub(V::splat(self.class.low[k]));
        let cell = cell.mul(V::splat(self.inverse[k])).sub(V::splat(0.5));
        let cell = cell.max(V::splat(0.0)).min(V::splat(self.last[k]));
        cell.add(V::splat(ROUNDING))
    }

    /// Returns the indices along each axis of the cell that holds a centre, in a level of a
    /// packing's grid.
    #[inline(always)]
    pub(super) fn cell_of(&self, center: [f32; 3]) -> [u32; 3] {
        [
            self.cell(0, center[0]),
            self.cell(1, center[1]),
            self.cell(2, center[2]),
        ]
    }

    /// Returns the index of a cell of a packing's grid level that is not hashed, among the cells of
    /// all levels.
    #[inline(always)]
    pub(super) fn cell_index(&self, [x, y, z]: [u32; 3]) -> usize {
        let [along_x, along_y, _] = self.counts;
        self.base + (z as usize * along_y + y as usize) * along_x + x as usize
    }

    /// Returns the index of the bucket of a hashed cell of a packing's grid level, among the
    /// buckets of all levels.
    #[inline(always)]
    pub(super) fn bucket(&self, [x, y, z]: [u32; 3]) -> usize {
        // Each index has 21 bits; the high bits of a product depend on all of them.
        let key = u64::from(z) << 42 | u64::from(y) << 21 | u64::from(x);
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.base + ((mixed >> 32) as usize & (self.slots - 1))
    }

    /// Returns the index of the cell or bucket of a packing's grid level that holds a centre, among
    /// those of all levels.
    #[inline(always)]
    pub(super) fn home(&self, center: [f32; 3]) -> usize {
        let cell = self.cell_of(center);
        if self.hashed {
            self.bucket(cell)
        } else {
            self.cell_index(cell)
        }
    }
}
