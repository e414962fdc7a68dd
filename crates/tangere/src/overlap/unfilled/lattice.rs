//! Lattice of cubic cells over the AABB of a body, for its unfilled volume.

use super::ball_box_volume::unit_ball_in_box;
use crate::geometry::Aabb;

/// A lattice of equal cubic cells, with the lower corner of the first cell at `origin`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lattice {
    pub(super) origin: [f64; 3],
    pub(super) side: f64,
    pub(super) counts: [usize; 3],
}

impl Lattice {
    /// Returns a lattice over the box of a body. Its cells have about the volume `volume`, or a
    /// larger one, so that there are at most `most` cells.
    pub(super) fn over(bounds: &Aabb<3>, volume: f64, most: usize) -> Self {
        let extent: [f64; 3] = std::array::from_fn(|k| bounds.max[k] - bounds.min[k]);
        let mut side = volume.cbrt();
        loop {
            // There is one cell more than fits, so that nothing lies on the last side.
            let counts = extent.map(|x| (x / side) as usize + 1);
            let cells = counts.iter().map(|&n| n as f64).product::<f64>();
            if cells <= most as f64 {
                return Self {
                    origin: bounds.min,
                    side,
                    counts,
                };
            }
            side *= 1.25;
        }
    }

    /// The number of cells of the lattice.
    pub(super) fn cells(&self) -> usize {
        self.counts.iter().product()
    }

    /// The number of corners of the lattice's cells.
    pub(super) fn nodes(&self) -> usize {
        self.counts.iter().map(|n| n + 1).product()
    }

    /// Returns the index of a cell of the lattice from its integer coordinates.
    #[inline(always)]
    pub(super) fn cell(&self, [i, j, k]: [usize; 3]) -> usize {
        (i * self.counts[1] + j) * self.counts[2] + k
    }

    /// Returns the integer coordinates of a cell of the lattice.
    pub(super) fn indices(&self, cell: usize) -> [usize; 3] {
        let (row, k) = (cell / self.counts[2], cell % self.counts[2]);
        [row / self.counts[1], row % self.counts[1], k]
    }

    /// Returns the middle of a cell of the lattice.
    pub(super) fn middle(&self, cell: usize) -> [f64; 3] {
        let place = self.indices(cell);
        std::array::from_fn(|k| self.origin[k] + (place[k] as f64 + 0.5) * self.side)
    }

    /// Returns the index of a corner of the lattice's cells from its integer coordinates.
    #[inline(always)]
    pub(super) fn node(&self, [i, j, k]: [usize; 3]) -> usize {
        (i * (self.counts[1] + 1) + j) * (self.counts[2] + 1) + k
    }

    /// Returns the position of a corner of the lattice's cells.
    pub(super) fn point(&self, node: usize) -> [f64; 3] {
        let (row, k) = (node / (self.counts[2] + 1), node % (self.counts[2] + 1));
        let place = [row / (self.counts[1] + 1), row % (self.counts[1] + 1), k];
        std::array::from_fn(|a| self.origin[a] + place[a] as f64 * self.side)
    }

    /// Returns the range of indices, along an axis, of the lattice's cells that contain the given
    /// points. The coordinates of the points are relative to the lattice's origin and in units of
    /// cells.
    pub(super) fn range<const N: usize>(
        &self,
        points: &[[f64; 3]; N],
        axis: usize,
    ) -> std::ops::RangeInclusive<usize> {
        let last = self.counts[axis] - 1;
        let low = points.iter().fold(f64::INFINITY, |m, p| m.min(p[axis]));
        let high = points.iter().fold(0.0, |m: f64, p| m.max(p[axis]));
        (low.max(0.0) as usize).min(last)..=(high as usize).min(last)
    }

    /// Calls `visit` with the index of each cell of the lattice that a ball overlaps, and the
    /// volume of the ball in that cell.
    pub(super) fn ball(&self, center: [f64; 3], radius: f64, mut visit: impl FnMut(usize, f64)) {
        let at: [f64; 3] = std::array::from_fn(|k| (center[k] - self.origin[k]) / self.side);
        let size = radius / self.side;
        let corners = [at.map(|x| x - size), at.map(|x| x + size)];
        let [x, y, z] = [0, 1, 2].map(|axis| self.range(&corners, axis));
        let unit = radius * radius * radius;
        for i in x {
            for j in y.clone() {
                for k in z.clone() {
                    let place = [i, j, k];
                    let low = std::array::from_fn(|a| (place[a] as f64 - at[a]) / size);
                    let high = std::array::from_fn(|a| ((place[a] + 1) as f64 - at[a]) / size);
                    let volume = unit_ball_in_box(low, high);
                    if volume > 0.0 {
                        visit(self.cell(place), volume * unit);
                    }
                }
            }
        }
    }
}
