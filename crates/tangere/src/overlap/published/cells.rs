//! Cells of the hierarchy of grids of weller2014, section 4.1, which the published tables store.
//!
//! Cells of the finest level are as wide as the smallest sphere, or narrower by a factor of the
//! table, and their width doubles from level to level. A sphere is stored in all cells of its level
//! that its AABB meets.
//!
//! A pair whose boxes meet in several cells is reported once: in the cell that holds the lower
//! corner of the intersection of the boxes. Along each axis that is the greater of the two cells of
//! their lower corners. Cells are integers, so the comparison is exact, also in a bucket that two
//! cells share.
//!
//! *Deviates:*
//! - cells are at least as wide as the spheres that they hold, before that factor (see the head of
//!   [`overlap`](crate::overlap));
//! - cells are no narrower than 2^-40 of the packing, so that their indices fit integers.

use crate::shape::Packing;
use rayon::prelude::*;

/// The least width of cells, in units of half the longest side of the packing's AABB.
const NARROWEST: f64 = 1.0 / (1_u64 << 40) as f64;

/// The integer coordinates of a cell on a level of the published hierarchy of grids.
pub(super) type Cell = [i64; 3];

/// A cell with its level.
pub(super) type Key = (u32, Cell);

/// The hierarchy of grids over a packing, as published in weller2014.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    /// Half the extent of the packing's AABB along each axis.
    pub(super) half: [f64; 3],
    /// The least diameter of spheres that has a level of its own.
    finest: f64,
    /// The width of the cells of a level, relative to the largest sphere that it holds.
    share: f64,
    pub(super) levels: u32,
    /// For each sphere, its level and the cell that contains the lower corner of its box.
    pub(super) homes: Vec<Key>,
}

/// Iterates over all cells between the corner cells `low` and `high`, both included.
pub(super) fn between([low, high]: [Cell; 2]) -> impl Iterator<Item = Cell> {
    (low[2]..=high[2]).flat_map(move |z| {
        (low[1]..=high[1]).flat_map(move |y| (low[0]..=high[0]).map(move |x| [x, y, z]))
    })
}

impl Cells {
    /// Returns the hierarchy of grids of a packing, with cells as wide as the largest sphere of
    /// their level times `share`, a power of two.
    pub(super) fn new(packing: &Packing, share: f64) -> Self {
        let bounds = packing.bounds();
        let middle = bounds.center();
        let half: [f64; 3] = std::array::from_fn(|k| bounds.max[k] - middle[k]);
        let radii = packing.radii().iter();
        let [least, most] = radii.fold([f64::INFINITY, 0.0], |[least, most], &r| {
            [f64::min(least, r), f64::max(most, r)]
        });
        let extent = half.iter().fold(0.0, |extent: f64, &x| extent.max(x));
        let mut cells = Self {
            half,
            finest: (2.0 * least).max(extent * NARROWEST),
            share,
            levels: 0,
            homes: Vec::new(),
        };
        cells.levels = cells.level(most) + 1;
        let home = |i| {
            let (level, [low, _]) = cells.of_sphere(packing, i);
            (level, low)
        };
        cells.homes = (0..packing.len()).into_par_iter().map(home).collect();
        cells
    }

    /// Returns the level of a sphere of the packing, and the first and the last of its cells.
    pub(super) fn of_sphere(&self, packing: &Packing, i: usize) -> (u32, [Cell; 2]) {
        let (center, radius) = (packing.centers()[i], packing.radii()[i]);
        let middle = packing.bounds().center();
        let at = std::array::from_fn(|k| center[k] - middle[k]);
        let level = self.level(radius);
        (level, self.range(at, radius, level))
    }

    /// Returns the finest level that holds spheres of this radius.
    pub(super) fn level(&self, radius: f64) -> u32 {
        let ratio = 2.0 * radius / self.finest;
        if ratio <= 1.0 {
            return 0;
        }
        // The exponent is rounded up; it is exact for powers of two.
        let bits = ratio.to_bits();
        let exponent = (bits >> 52) as u32 - 1023;
        exponent + u32::from(bits << 12 != 0)
    }

    /// Returns the first and the last cell, on a level of the published hierarchy of grids, that
    /// the box of a sphere overlaps.
    #[inline(always)]
    pub(super) fn range(&self, center: [f64; 3], radius: f64, level: u32) -> [Cell; 2] {
        let width = self.share * self.finest * f64::from_bits(u64::from(level + 1023) << 52);
        // Coordinates are clamped to the packing. Every step is monotone, so cells keep the order
        // of coordinates.
        let cell = |k: usize, x: f64| {
            let inside = x.clamp(-self.half[k], self.half[k]);
            (inside / width).floor() as i64
        };
        [
            std::array::from_fn(|k| cell(k, center[k] - radius)),
            std::array::from_fn(|k| cell(k, center[k] + radius)),
        ]
    }

    /// The bytes of the levels and corner cells of the spheres.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.homes[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_hold_what_fits_into_their_cells() {
        let packing = Packing::new(
            vec![[0.0; 3], [10.0, 0.0, 0.0], [30.0, 0.0, 0.0]],
            vec![1.0, 2.0, 5.0],
        );
        let packing = packing.unwrap();
        let cells = Cells::new(&packing, 1.0);
        let levels = [0.5, 1.0, 1.01, 2.0, 2.01, 4.0, 5.0].map(|r| cells.level(r));
        assert_eq!(levels, [0, 0, 1, 1, 2, 2, 3]);
        assert_eq!(cells.levels, 4);
        // A sphere meets at most two cells along an axis; three if they are half as wide.
        for (share, most) in [(1.0, 1), (0.5, 2)] {
            let cells = Cells::new(&packing, share);
            for i in 0..3 {
                let (_, [low, high]) = cells.of_sphere(&packing, i);
                assert!((0..3).all(|k| high[k] - low[k] <= most), "{share} {i}");
            }
        }
    }
}
