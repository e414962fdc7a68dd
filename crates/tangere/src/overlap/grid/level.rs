//! One level of a packing's hierarchical grid: the spheres of one class of radii, or of several if
//! a class has few spheres, sorted by the cells of their centres.
//!
//! Radii double from class to class, beginning at the smallest radius of the packing: the finest
//! class, which has most spheres, then spans a full factor of two. Cells are wider than the largest
//! diameter of the class. They are stored in rows along the first axis, so the spheres within reach
//! of a query sphere are a few contiguous ranges. Where most cells of the box would be empty, cells
//! are hashed into buckets instead. If a query reaches more hashed cells than the level has blocks
//! of eight spheres, it tests all spheres of the level: the number of cells in reach has no bound,
//! as a query sphere a million times as large reaches 10^18 of them.
//!
//! The map from coordinates to cells is monotone, also when rounded. So the centres with
//! coordinates from `x` to `x'` lie in the cells from that of `x` to that of `x'`.

use crate::simd::{LANES, Vector};

/// The widths of cells along each axis, in units of the smallest radius of the class.
const WIDTHS: [f32; 3] = [4.0, 12.0, 12.0];
/// The width of hashed cells, in units of the smallest radius of the class.
const HASHED_WIDTH: f32 = 8.0;
/// The largest factor by which cells are widened to reduce their number.
const WIDER: f32 = 2.0;
/// The largest number of cells along an axis: f32 coordinates resolve a fraction of such a cell.
const ALONG: f32 = (1 << 20) as f32;
/// A level of at most this number of spheres has no cells.
pub(super) const FEW: usize = 32;
/// The largest number of cells of a level: the first number for each sphere, plus the second.
const SPARE: [u64; 2] = [8, 64];

/// A number from 0 to 2^22, added to this one, has its nearest integer in its last bits. Rounding
/// so is monotone and takes few instructions.
const ROUNDING: f32 = (1 << 23) as f32;

/// Returns the index of a cell in a level of a packing's grid: the integer in the last bits of a
/// number to which [`ROUNDING`] was added.
#[inline(always)]
pub(super) fn last_bits(sum: f32) -> u32 {
    sum.to_bits() & 0x7f_ffff
}

/// A summary of the spheres of one class of radii.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    pub(super) count: u32,
    /// The AABB of the centres in scaled coordinates, which are relative to the middle of the
    /// packing and from -1 to 1: its lower corner, then its upper one.
    pub(super) low: [f32; 3],
    pub(super) high: [f32; 3],
    /// The largest radius, scaled.
    pub(super) radius: f32,
    /// The sum of the cubes of all radii.
    pub(super) cubes: f64,
}

impl Class {
    /// The class without spheres.
    pub(super) const NONE: Self = Self {
        count: 0,
        low: [f32::INFINITY; 3],
        high: [f32::NEG_INFINITY; 3],
        radius: 0.0,
        cubes: 0.0,
    };

    /// Adds a sphere to the class of radii of a level of a packing's grid.
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

    /// Adds the spheres of another class of radii to that of a level of a packing's grid.
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
    /// The lower limit of the class of radii that determines the width of cells. Spheres of a finer
    /// class that joined the level are smaller.
    pub(super) least: f64,
    /// The range of the spheres of this level in the order of the grid: its start, then its end.
    pub(super) first: u32,
    pub(super) end: u32,
    pub(super) class: Class,
    /// The number of cells per unit of scaled length.
    pub(super) inverse: [f32; 3],
    /// The index of the last cell along each axis.
    pub(super) last: [f32; 3],
    /// The number of cells along each axis.
    pub(super) counts: [usize; 3],
    /// The index of the first cell or bucket of this level among those of all levels.
    pub(super) base: usize,
    /// The number of cells or buckets of this level.
    pub(super) slots: usize,
    /// Whether cells are hashed into buckets.
    pub(super) hashed: bool,
}

impl Level {
    /// Returns the level of a packing's grid for a class of radii from `least` on. `scale` is that
    /// of the packing's f32 coordinates; `first` and `base` are the indices of its first sphere and
    /// cell.
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

    /// Chooses cells of these widths for a level of a packing's grid, or wider ones where there
    /// would be too many; returns the number of cells in the box of the level.
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

    /// Returns the cell of a coordinate along axis `k` in a level of a packing's grid; the nearest
    /// cell if the coordinate lies outside.
    #[inline(always)]
    pub(super) fn cell(&self, k: usize, x: f32) -> u32 {
        last_bits(
            ((x - self.class.low[k]) * self.inverse[k] - 0.5)
                .max(0.0)
                .min(self.last[k])
                + ROUNDING,
        )
    }

    /// Returns the cells of eight coordinates along axis `k` in a level of a packing's grid, as
    /// numbers for [`last_bits`]; the steps are those of [`Level::cell`].
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
