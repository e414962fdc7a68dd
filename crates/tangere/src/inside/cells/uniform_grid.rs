//! Uniform grid around a body: cells of equal size, and the cell of a point.
//!
//! The cell of a coordinate is the integer nearest to `(x - origin) / edge`, computed by a
//! subtraction, a product, clamping and a rounding. All steps are monotonic, so whatever the
//! rounding, all coordinates between two of the same cell are in it, and a triangle's cells
//! along an axis are those from the cell of its least coordinate to that of its greatest.
//! Clamping puts points beyond the grid into its outermost cells, which no triangle overlaps.

use super::super::grid_columns::{greater, lesser};
use super::voxelise::Span;
use crate::geometry::{Aabb, COORDINATE_MIN, flushed};

/// Cells along the edge of a brick.
pub(super) const BRICK: usize = 4;

/// Adding this leaves the nearest integer in the last bits.
pub(super) const ROUNDING: f64 = 1.5 * (1u64 << 52) as f64;

/// The most cells along an axis.
const ALONG: f64 = 4088.0;

/// The least edge of cells in units in the last place of the body's coordinates, so that their
/// centres are accurate.
const PLACES: f64 = 64.0;

/// The least edge of a cell, so that centres are valid coordinates.
const EDGE_MIN: f64 = 1024.0 * COORDINATE_MIN;

/// Centres are rounded to this part of a cell, or finer.
const QUANTUM: f64 = 1.0 / (1 << 20) as f64;

/// How far the centre of the first cell lies before the body's box, in cells: between 1 and 1.5,
/// so that the first cell is empty. Odd numbers, because bodies have round coordinates, and
/// surfaces through cell centres are to be avoided.
const MARGINS: [[f64; 3]; 3] = [
    [
        1.207_106_781_186_547,
        1.232_050_807_568_877,
        1.118_033_988_749_894,
    ],
    [
        1.141_592_653_589_793,
        1.318_281_828_459_045,
        1.277_215_664_901_532,
    ],
    [
        1.380_277_563_773_199,
        1.061_803_398_874_989,
        1.432_050_807_568_877,
    ],
];

/// The number of alternative grids.
pub(super) const GRID_CHOICES: usize = MARGINS.len();

/// Cells of equal size.
#[derive(Clone, Debug, Default)]
pub(super) struct UniformGrid {
    /// The centre of the first cell.
    pub(super) origin: [f64; 3],
    /// The edge of cells, and one over it.
    pub(super) edge: f64,
    pub(super) inverse: f64,
    /// The number of the last cell along each axis.
    pub(super) last: [f64; 3],
    /// Centres are multiples of this with few bits, so that exact arithmetic with them is cheap.
    quantum: f64,
    /// The centres along each axis.
    pub(super) centers: [Vec<f64>; 3],
    /// Bricks along each axis.
    pub(super) bricks: [usize; 3],
}

impl UniformGrid {
    /// Cells over a box, of about the given edge, or larger if there would be too many bricks.
    pub(super) fn new(bounds: &Aabb<3>, edge: f64, bricks_max: f64, choice: usize) -> Self {
        let extent = bounds.extent();
        let most = (0..3)
            .map(|k| bounds.min[k].abs().max(bounds.max[k].abs()))
            .fold(0.0, f64::max);
        let longest = extent.into_iter().fold(0.0, f64::max);
        let mut edge = edge
            .max(longest / (ALONG - 8.0))
            .max(PLACES * f64::EPSILON * most)
            .max(EDGE_MIN);
        let bricks = |edge: f64| extent.map(|x| ((x / edge + 4.0) / BRICK as f64).ceil());
        while bricks(edge).iter().product::<f64>() > bricks_max {
            edge *= 1.0625;
        }
        let margins = MARGINS[choice % GRID_CHOICES];
        let origin = std::array::from_fn(|k| bounds.min[k] - margins[k] * edge);
        let counts = bricks(edge).map(|n| n as usize);
        let power_of_two = f64::from_bits(edge.to_bits() & 0x7ff << 52);
        let mut lattice = UniformGrid {
            origin,
            edge,
            inverse: 1.0 / edge,
            last: counts.map(|n| (BRICK * n - 1) as f64),
            quantum: QUANTUM * power_of_two,
            centers: Default::default(),
            bricks: counts,
        };
        lattice.centers = std::array::from_fn(|k| {
            let center = |i: usize| lattice.rounded(origin[k] + edge * i as f64);
            (0..BRICK * counts[k]).map(center).collect()
        });
        lattice
    }

    /// A nearby coordinate of few bits, for a reference point.
    #[inline(always)]
    pub(super) fn rounded(&self, x: f64) -> f64 {
        flushed([(x / self.quantum).round() * self.quantum])[0]
    }

    /// The position of a coordinate in cells, whose centres are at integers.
    #[inline(always)]
    pub(super) fn place(&self, x: f64, axis: usize) -> f64 {
        (x - self.origin[axis]) * self.inverse
    }

    /// The cell of a position.
    #[inline(always)]
    pub(super) fn cell(&self, place: f64, axis: usize) -> u32 {
        let bounded = if place > 0.0 { place } else { 0.0 };
        let bounded = if bounded < self.last[axis] {
            bounded
        } else {
            self.last[axis]
        };
        (bounded + ROUNDING).to_bits() as u32
    }

    /// The cell of a point.
    #[inline(always)]
    pub(super) fn cell_of(&self, p: [f64; 3]) -> [u32; 3] {
        let cell = |k: usize| self.cell(self.place(p[k], k), k);
        [cell(0), cell(1), cell(2)]
    }

    /// The positions of a triangle's corners and the cells of its box.
    #[inline(always)]
    pub(super) fn places(&self, triangle: &[[f64; 3]; 3]) -> ([[f64; 3]; 3], Span) {
        let mut places = [[0.0; 3]; 3];
        let mut span = [[0; 3]; 2];
        for k in 0..3 {
            let u = self.place(triangle[0][k], k);
            let v = self.place(triangle[1][k], k);
            let w = self.place(triangle[2][k], k);
            (places[0][k], places[1][k], places[2][k]) = (u, v, w);
            span[0][k] = self.cell(lesser(lesser(u, v), w), k) as i32;
            span[1][k] = self.cell(greater(greater(u, v), w), k) as i32;
        }
        (places, span)
    }

    /// The centre of a cell.
    #[inline(always)]
    pub(super) fn center(&self, [x, y, z]: [u32; 3]) -> [f64; 3] {
        let [xs, ys, zs] = &self.centers;
        [xs[x as usize], ys[y as usize], zs[z as usize]]
    }
}
