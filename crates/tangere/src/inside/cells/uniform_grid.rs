//! Uniform grid around a body: cells of equal size, and the cell of a point.
//!
//! The cell of a coordinate is the integer nearest to `(x - origin) / edge`, computed by a
//! subtraction, a product, a clamp and rounding. All steps are monotonic. So, whatever the
//! rounding, all coordinates between two of the same cell are in that cell, and a triangle's cells
//! along an axis are those from the cell of its least coordinate to that of its greatest. Clamping
//! puts points beyond the grid into its outermost cells, which no triangle overlaps.

use super::super::min_max::{greater, lesser};
use super::voxelise::Span;
use crate::geometry::{Aabb, COORDINATE_MIN, flushed};

/// The number of cells along each edge of a brick, a cubic block of cells.
pub(super) const BRICK: usize = 4;

/// The number that is added to a small float to round it: the last bits of the sum are the integer
/// nearest to the float.
pub(super) const ROUNDING: f64 = 1.5 * (1u64 << 52) as f64;

/// The maximum number of cells of the grid along an axis.
const ALONG: f64 = 4088.0;

/// The least edge of a cell, in units in the last place (ulps) of the body's largest coordinate, so
/// that rounding errors of cell centres are small against the edge.
const EDGE_ULPS: f64 = 64.0;

/// The least edge of a cell, so that the coordinates of cell centres are not too small to be valid.
const EDGE_MIN: f64 = 1024.0 * COORDINATE_MIN;

/// The coordinates of cell centres are multiples of a rounding step, which is at most this fraction
/// of a cell edge.
const QUANTUM: f64 = 1.0 / (1 << 20) as f64;

/// For each alternative grid and each axis, how far the centre of the first cell lies before the
/// body's box, in cells. The distance is between 1 and 1.5, so that the first cell is empty. The
/// numbers are far from round, because bodies often have round coordinates, and surfaces through
/// cell centres are to be avoided.
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

/// The number of alternative grids around a body. They differ in their [`MARGINS`].
pub(super) const GRID_CHOICES: usize = MARGINS.len();

/// A uniform grid of cells of equal size.
#[derive(Clone, Debug, Default)]
pub(super) struct UniformGrid {
    /// The centre of the first cell of the uniform grid.
    pub(super) origin: [f64; 3],
    /// The edge length of the cells of the uniform grid.
    pub(super) edge: f64,
    pub(super) inverse: f64,
    /// The index of the last cell of the uniform grid along each axis.
    pub(super) last: [f64; 3],
    /// The rounding step of the coordinates of cell centres. Multiples of it have few bits, so that
    /// exact arithmetic with them is cheap.
    quantum: f64,
    /// The coordinates of the centres of cells along each axis of the uniform grid.
    pub(super) centers: [Vec<f64>; 3],
    /// The number of bricks (blocks of 4 x 4 x 4 cells) of the uniform grid along each axis.
    pub(super) bricks: [usize; 3],
}

impl UniformGrid {
    /// A uniform grid over the box of a body. Cells have about the given edge, or a larger one if
    /// there would otherwise be more than `bricks_max` bricks (blocks of 4 x 4 x 4 cells). `choice`
    /// selects one of the alternative grids, by the index of its margins in [`MARGINS`].
    pub(super) fn new(bounds: &Aabb<3>, edge: f64, bricks_max: f64, choice: usize) -> Self {
        let extent = bounds.extent();
        let most = (0..3)
            .map(|k| bounds.min[k].abs().max(bounds.max[k].abs()))
            .fold(0.0, f64::max);
        let longest = extent.into_iter().fold(0.0, f64::max);
        let mut edge = edge
            .max(longest / (ALONG - 8.0))
            .max(EDGE_ULPS * f64::EPSILON * most)
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

    /// A coordinate of a reference point of the uniform grid: `x` rounded to a multiple of the
    /// grid's rounding step, so that it has few bits.
    #[inline(always)]
    pub(super) fn rounded(&self, x: f64) -> f64 {
        flushed([(x / self.quantum).round() * self.quantum])[0]
    }

    /// The position of a coordinate in the uniform grid, in units of the cell edge, so that the
    /// centres of cells are at integers.
    #[inline(always)]
    pub(super) fn position(&self, x: f64, axis: usize) -> f64 {
        (x - self.origin[axis]) * self.inverse
    }

    /// The index along an axis of the uniform grid's cell at a position, which is given in units of
    /// the cell edge.
    #[inline(always)]
    pub(super) fn cell(&self, position: f64, axis: usize) -> u32 {
        let bounded = if position > 0.0 { position } else { 0.0 };
        let bounded = if bounded < self.last[axis] {
            bounded
        } else {
            self.last[axis]
        };
        (bounded + ROUNDING).to_bits() as u32
    }

    /// The indices, along the three axes, of the cell of the uniform grid that contains a point.
    #[inline(always)]
    pub(super) fn cell_of(&self, p: [f64; 3]) -> [u32; 3] {
        let cell = |k: usize| self.cell(self.position(p[k], k), k);
        [cell(0), cell(1), cell(2)]
    }

    /// The positions of a triangle's corners in the uniform grid, in units of the cell edge, and
    /// the range of cells that the triangle's box overlaps.
    #[inline(always)]
    pub(super) fn positions(&self, triangle: &[[f64; 3]; 3]) -> ([[f64; 3]; 3], Span) {
        let mut positions = [[0.0; 3]; 3];
        let mut span = [[0; 3]; 2];
        for k in 0..3 {
            let u = self.position(triangle[0][k], k);
            let v = self.position(triangle[1][k], k);
            let w = self.position(triangle[2][k], k);
            (positions[0][k], positions[1][k], positions[2][k]) = (u, v, w);
            span[0][k] = self.cell(lesser(lesser(u, v), w), k) as i32;
            span[1][k] = self.cell(greater(greater(u, v), w), k) as i32;
        }
        (positions, span)
    }

    /// The centre of a cell of the uniform grid.
    #[inline(always)]
    pub(super) fn center(&self, [x, y, z]: [u32; 3]) -> [f64; 3] {
        let [xs, ys, zs] = &self.centers;
        [xs[x as usize], ys[y as usize], zs[z as usize]]
    }
}
