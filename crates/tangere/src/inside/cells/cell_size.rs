//! Choice of the cell size: the edge length of the cubic grid cells that point containment labels
//! as inside or outside. It follows from the number, perimeter and area of the triangles.
//!
//! Crossed cells are those that triangles overlap; all others are labelled inside or outside.

use crate::geometry::Aabb;
use crate::geometry::vector::minus;
use crate::parallel::sums;
use crate::shape::TriMesh;

/// The mean number of cells that a triangle should overlap, from which the cell size follows. More
/// (smaller) cells take more time to set up and more memory. Fewer leave more points in crossed
/// cells, which triangles overlap, so that these points need tests of triangles.
const CELLS_A_TRIANGLE: f64 = 9.0;
/// The fraction of the body's box in crossed cells (cells that triangles overlap) at which
/// [`CELLS_A_TRIANGLE`] is used unchanged. If the fraction is `f` instead, that number is
/// multiplied by the cube root of `f` over this constant, within [`FACTORS`]: if more of the box is
/// crossed, then cells are smaller.
const DOUBTFUL: f64 = 0.024;
/// The least and the largest factor by which [`CELLS_A_TRIANGLE`], the mean number of cells that a
/// triangle should overlap, is multiplied.
const FACTORS: [f64; 2] = [0.65, 2.0];
/// If the mean number of triangles in a crossed cell (one that triangles overlap) would exceed this
/// limit, then cells are made smaller: their size follows from [`CROWDED_CELLS`]. Slivers and thin
/// plates cause such crowds.
const CROWD: f64 = 12.0;
/// The wanted number of pairs of a triangle and a cell that it overlaps, from which the cell size
/// follows if the cells that triangles overlap would have more than [`CROWD`] triangles on average.
const CROWDED_CELLS: f64 = (1 << 21) as f64;
/// The wanted number of pairs of a triangle and a cell that it overlaps, from which the cell size
/// follows. It is used in place of [`CROWDED_CELLS`] if with that number triangles would overlap
/// more than one cell in [`FILLED`]. Most points are then in cells with triangles. Cutting these
/// cells into slices serves better than smaller cells.
const SLICED_CELLS: f64 = (3 << 18) as f64;
/// If triangles overlap more than one in this many cells, then most points are expected to be in
/// cells with triangles.
const FILLED: f64 = 4.0;
/// The wanted number of pairs of a triangle and a cell that it overlaps, from which the cell size
/// follows, is at least this, however few triangles there are.
const CELLS_MIN: f64 = (1 << 15) as f64;
/// The maximum number of triangles sampled to estimate their total perimeter and area.
const SAMPLE: usize = 1 << 15;

/// The number, total perimeter and total area of the triangles, and the volume of their box, from
/// which the size of cells is chosen. Cells are axis-aligned, so lengths and areas are measured in
/// the 1-norm: the length of an edge is the sum of the magnitudes of its three components, and the
/// area of a triangle is the sum of the magnitudes of the three components of its area vector.
pub(super) struct Sizes {
    count: f64,
    perimeter: f64,
    area: f64,
    volume: f64,
}

impl Sizes {
    /// The sizes from which the cell size is chosen: number, total perimeter and total area of the
    /// triangles of a surface, and the volume of its box `bounds`. If there are many triangles,
    /// then perimeter and area are estimated from a sample.
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

    /// The cell size (the edge of labelled cells), and whether most points are expected to be in
    /// cells with many triangles. If so, then cells should be cut into slices already if they have
    /// few triangles.
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

    /// The cell size at which the number of pairs of a triangle and a cell that it overlaps is
    /// about `wanted`; 0 if there is no such size.
    ///
    /// A convex piece of a plane with perimeter `P` and area `A`, at a random position among cells
    /// of edge `h`, overlaps `1 + P / (2 h) + A / h^2` of them on average. Here `P` and `A` are
    /// measured in the 1-norm, the sum of the magnitudes of components along the axes. For random
    /// orientations they are 3/2 of the Euclidean perimeter and area.
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
