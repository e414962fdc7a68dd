//! Choice of the cell size: the edge of labelled cells, from the sizes of the triangles.
//!
//! Crossed cells are those that triangles overlap; all others are labelled inside or outside.

use crate::geometry::Aabb;
use crate::geometry::vector::minus;
use crate::parallel::sums;
use crate::shape::TriMesh;

/// The mean number of cells that a triangle should overlap. More cells take more time to set up and
/// more memory, fewer leave more points in crossed cells.
const CELLS_A_TRIANGLE: f64 = 9.0;
/// The fraction of the body's box in crossed cells at which [`CELLS_A_TRIANGLE`] is used unchanged.
/// At another fraction it is multiplied by the cube root of that fraction over this one, within
/// [`FACTORS`]: if more of the box is crossed, cells are smaller.
const DOUBTFUL: f64 = 0.024;
/// The least and the largest factor by which [`CELLS_A_TRIANGLE`] is multiplied.
const FACTORS: [f64; 2] = [0.65, 2.0];
/// The mean number of triangles in a crossed cell above which cells are made smaller (slivers and
/// plates crowd cells), until all triangles together overlap [`CROWDED_CELLS`] cells.
const CROWD: f64 = 12.0;
/// The number of cells that all triangles together overlap if crowded cells are made smaller.
const CROWDED_CELLS: f64 = (1 << 21) as f64;
/// The number of cells that all triangles together overlap, in place of [`CROWDED_CELLS`], if with
/// the latter the surface would cross more than one cell in [`FILLED`]. Most points are in crossed
/// cells then, and slices of cells do what smaller cells would.
const SLICED_CELLS: f64 = (3 << 18) as f64;
/// Most points are taken to be in crossed cells if the surface crosses more than one in this many
/// cells.
const FILLED: f64 = 4.0;
/// The fewest cells that all triangles together should overlap, however few triangles there are.
const CELLS_MIN: f64 = (1 << 15) as f64;
/// The most triangles sampled to estimate sizes.
const SAMPLE: usize = 1 << 15;

/// The total perimeter and area of the triangles, from which the size of cells is chosen. Cells are
/// axis-aligned, so lengths and areas are measured along the axes: the length of an edge is the sum
/// of the magnitudes of its three components, the area of a triangle that of the components of its
/// area vector.
pub(super) struct Sizes {
    count: f64,
    perimeter: f64,
    area: f64,
    volume: f64,
}

impl Sizes {
    /// The sizes of the triangles of a surface, from which the cell size is chosen; estimated from
    /// a sample if there are many.
    pub(super) fn of(mesh: &TriMesh, bounds: &Aabb<3>) -> Self {
        let count = mesh.faces().len();
        let step = count.div_ceil(SAMPLE);
        let [perimeter, area] = sums(count / step, |n| {
            let [a, b, c] = mesh.triangle(n * step);
            let (u, v, w) = (minus(b, a), minus(c, a), minus(c, b));
            let size = |v: [f64; 3]| v[0].abs() + v[1].abs() + v[2].abs();
            let minor = |j: usize, k: usize| u[j] * v[k] - u[k] * v[j];
            let normal = [minor(1, 2), minor(2, 0), minor(0, 1)];
            [size(u) + size(v) + size(w), 0.5 * size(normal)]
        });
        Sizes {
            count: count as f64,
            perimeter: perimeter * step as f64,
            area: area * step as f64,
            volume: bounds.extent().iter().product(),
        }
    }

    /// The cell size (the edge of labelled cells), and whether most points will be in crowded
    /// cells. If so, cells should be cut into slices from fewer triangles on.
    pub(super) fn edge(&self) -> (f64, bool) {
        let wanted = CELLS_A_TRIANGLE * self.count;
        // A surface of area A crosses A / h^2 cells of edge h, see `edge_for`.
        let crossed = |edge: f64| self.area / (edge * edge);
        let all = |edge: f64| self.volume / (edge * edge * edge);
        let edge = self.edge_for(wanted);
        let doubtful = crossed(edge) / all(edge);
        let factor = libm::cbrt(doubtful / DOUBTFUL).clamp(FACTORS[0], FACTORS[1]);
        let wanted = (factor * wanted).max(CELLS_MIN);
        let edge = self.edge_for(wanted);
        if wanted <= CROWD * crossed(edge).min(all(edge)) {
            return (edge, false);
        }
        let finer = self.edge_for(wanted.max(CROWDED_CELLS));
        match FILLED * crossed(finer) > all(finer) {
            true => (self.edge_for(wanted.max(SLICED_CELLS)), true),
            false => (finer, false),
        }
    }

    /// The cell size at which triangles overlap about `wanted` cells in all; 0 if there is none.
    ///
    /// A convex piece of a plane with perimeter `P` and area `A`, at a random position among cells
    /// of edge `h`, overlaps `1 + P / (2 h) + A / h^2` of them on average. Here `P` and `A` are
    /// sums over the axes, which for random orientations are 3/2 of the plain perimeter and area.
    fn edge_for(&self, wanted: f64) -> f64 {
        let (b, c) = (0.5 * self.perimeter, wanted - self.count);
        // The positive root of A x^2 + P x / 2 = c, in a form that needs no area.
        let inverse = 2.0 * c / (b + (b * b + 4.0 * self.area * c).sqrt());
        if inverse.is_finite() && inverse > 0.0 {
            1.0 / inverse
        } else {
            0.0
        }
    }
}
