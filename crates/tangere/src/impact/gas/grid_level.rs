//! One level of the hierarchical grid of a gas: cells for bounding spheres of similar size.
//!
//! Along a periodic axis a whole number of cells fits into a period, and the cell after the last is
//! the first cell of the next image. Along other axes the first and the last cell extend to
//! infinity. A level with many more cells than bounding spheres hashes cell numbers to buckets.

use super::domain::{Axis, Domain};

/// Number of cells on either side of the origin along an axis without a period, in a level that
/// hashes its cells. Along a periodic axis, the maximum number of cells in a period.
const END: i64 = 1 << 20;
/// The width of the cells of a level, in units of the radius of its largest bounding sphere.
const WIDTH: f64 = 2.0;
/// If a grid level has at most this many cells per bounding sphere, it has a linked list of
/// bounding spheres for each cell. Otherwise its cells are hashed to fewer lists.
const SPARSE: usize = 16;
/// Index that marks the end of a linked list of bounding spheres.
pub(super) const NONE: u32 = u32::MAX;

/// A level of the hierarchical grid of a gas: the cells of bounding spheres of similar size.
#[derive(Clone, Debug, Default)]
pub(super) struct GridLevel {
    /// The largest radius of a bounding sphere of this grid level.
    pub reach: f64,
    /// Whether the spheres of this grid level are points, of radius 0, which never meet each other.
    pub is_points: bool,
    origin: [f64; 3],
    width: [f64; 3],
    /// Indices of the first and the last cell of this grid level along each axis. Along an axis
    /// without a period both cells extend to infinity.
    ends: [[i64; 2]; 3],
    is_periodic: [bool; 3],
    /// Strides of cell numbers along the axes. A cell number is the sum over the axes of the stride
    /// times the cell index, which is counted from the first cell.
    strides: [u64; 3],
    /// Whether this grid level has a list for each cell, so that cell numbers are bucket numbers.
    /// Otherwise cell numbers are hashed to bucket numbers.
    is_dense: bool,
    /// For each bucket, the index of the first bounding sphere in its linked list.
    pub heads: Vec<u32>,
    /// Indices of the bounding spheres of this grid level.
    pub members: Vec<u32>,
}

/// A range of cells of a grid level along an axis.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub axis: usize,
    from: i64,
    to: i64,
}

impl Range {
    /// The number of cells in a range of a grid level of the gas.
    pub fn len(self) -> f64 {
        (self.to - self.from) as f64 + 1.0
    }
}

/// One layer of cells of a range of a grid level, orthogonal to the axis of the range.
#[derive(Clone, Copy, Default)]
pub(super) struct Slice {
    /// The contribution of the layer to the cell numbers of its cells: the stride along the axis
    /// times the cell index, counted from the first cell.
    pub part: u64,
    /// The squared distance, along the axis, of the layer from the centre of the bounding sphere
    /// whose neighbours are searched.
    pub square: f64,
    pub image: i8,
}

impl GridLevel {
    /// The cell number, in this grid level of the gas, of the cell that contains a point.
    pub fn cell(&self, center: [f64; 3]) -> u64 {
        let [x, y, z] = [0, 1, 2].map(|k| {
            // Rounding may put a point just before the end of a period after it.
            let [first, last] = self.ends[k];
            self.part(k, self.index(k, center[k]).clamp(first, last))
        });
        x.wrapping_add(y).wrapping_add(z)
    }

    /// The contribution of cell index `index` along an axis to a cell number of this grid level of
    /// the gas: the stride along the axis times the index, counted from the first cell.
    #[inline]
    fn part(&self, axis: usize, index: i64) -> u64 {
        (index.wrapping_sub(self.ends[axis][0]) as u64).wrapping_mul(self.strides[axis])
    }

    /// The index of the cell of this grid level of the gas along axis `k` that contains coordinate
    /// `x`.
    #[inline]
    fn index(&self, k: usize, x: f64) -> i64 {
        let position = (x - self.origin[k]) / self.width[k];
        let toward_zero = position as i64;
        let index = toward_zero.saturating_sub(i64::from(position < toward_zero as f64));
        match self.is_periodic[k] {
            true => index,
            false => index.clamp(self.ends[k][0], self.ends[k][1]),
        }
    }

    /// The bucket number of a cell of this grid level of the gas: the cell number itself if the
    /// level is dense, otherwise a hash of it.
    #[inline]
    pub fn bucket(&self, cell: u64) -> usize {
        match self.is_dense {
            true => cell as usize,
            false => {
                let mixed = cell.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (mixed >> 32) as usize & (self.heads.len() - 1)
            }
        }
    }

    /// For each axis, the range of cells of this grid level of the gas within a distance of
    /// `center`.
    #[inline]
    pub fn ranges(&self, center: [f64; 3], distance: f64) -> [Range; 3] {
        [0, 1, 2].map(|axis| Range {
            axis,
            from: self.index(axis, center[axis] - distance),
            to: self.index(axis, center[axis] + distance),
        })
    }

    /// The layers of a range of cells of this grid level of the gas, with their squared distances
    /// from coordinate `center` along the axis.
    #[inline]
    pub fn slices(&self, range: Range, center: f64) -> impl Iterator<Item = Slice> {
        let Range { axis, from, to } = range;
        let (width, [first, last]) = (self.width[axis], self.ends[axis]);
        let is_periodic = self.is_periodic[axis];
        let (mut index, mut image) = (from, 0);
        if is_periodic {
            let count = last + 1;
            (index, image) = (from.rem_euclid(count), from.div_euclid(count) as i8);
        }
        let begin = self.origin[axis] - center;
        (from..=to).map(move |n| {
            let begin = begin + n as f64 * width;
            let mut away = begin.max(-(begin + width));
            if away < 0.0 || !is_periodic && (n == first || n == last) {
                away = 0.0;
            }
            let slice = Slice {
                part: self.part(axis, index),
                square: away * away,
                image,
            };
            index += 1;
            if is_periodic && index > last {
                (index, image) = (0, image + 1);
            }
            slice
        })
    }

    /// Chooses origin, width and number of the cells of this grid level of the gas for its bounding
    /// spheres, of which the largest has radius `reach`.
    pub fn lay_out(&mut self, centers: impl Fn(u32) -> [f64; 3], reach: f64, domain: &Domain) {
        self.reach = reach;
        // A single sphere has a bounding sphere of infinite radius.
        let width = (WIDTH * reach).clamp(f64::MIN_POSITIVE, f64::MAX);
        let mut cells = 1.0;
        let mut counts = [0.0; 3];
        for k in 0..3 {
            if let Axis::Periodic { lower, length } = domain.axes()[k] {
                let count = (length / width).floor().clamp(1.0, END as f64);
                (self.origin[k], self.width[k]) = (lower, length / count);
                (counts[k], self.is_periodic[k]) = (count, true);
            } else {
                let along = self.members.iter().map(|&i| centers(i)[k]);
                let lower = along.clone().fold(f64::INFINITY, f64::min);
                let upper = along.fold(f64::NEG_INFINITY, f64::max);
                (self.origin[k], self.width[k]) = (lower, width);
                (counts[k], self.is_periodic[k]) = (((upper - lower) / width).floor() + 1.0, false);
            }
            cells *= counts[k];
        }
        // A dense level needs no hash.
        self.is_dense = cells <= (SPARSE * self.members.len()) as f64;
        let buckets = match self.is_dense {
            true => cells as usize,
            false => (4 * self.members.len()).next_power_of_two(),
        };
        for k in 0..3 {
            self.ends[k] = match self.is_dense || self.is_periodic[k] {
                true => [0, counts[k] as i64 - 1],
                false => [-END, END - 1],
            };
        }
        self.strides = match self.is_dense {
            true => [1, counts[0] as u64, counts[0] as u64 * counts[1] as u64],
            false => [1, 1 << 21, 1 << 42],
        };
        self.heads.clear();
        self.heads.resize(buckets, NONE);
    }
}
