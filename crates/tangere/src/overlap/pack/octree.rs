//! Octree of the branch and bound for sphere packing. Its cells are cubes that may hold the centre
//! of a sphere.

use super::sphere_index::{SphereIndex, nearer};
use crate::geometry::{Aabb, flushed};

/// The number of levels of the octree below its root. Cells of the last level are smaller than any
/// sphere that is packed.
pub(super) const LEVELS: usize = 30;

/// Half the diagonal of a cube with edge 1, rounded up.
const HALF_DIAGONAL: f64 = 0.866_025_5;

/// A cell of the octree: a cube that may hold the centre of a sphere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    at: [u32; 3],
    level: u8,
    /// A lower bound of the distance from the centre of the cell to the surface.
    pub clearance: f64,
    /// An upper bound of the distance from the centre of the cell to the nearest of the surface and
    /// the packed spheres.
    pub bound: f64,
}

/// The local maximum, of the distance to the surface and the packed spheres, that the search from
/// the centre of an octree cell found.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalMaximum {
    pub cell: Cell,
    pub place: [f64; 3],
    /// An upper bound of the distance from the local maximum to the nearest of the surface and the
    /// packed spheres.
    pub radius: f64,
    /// A lower bound of the distance from the local maximum to the surface.
    pub clearance: f64,
    /// The radius predicted at the local maximum, if the search stopped before it reached the
    /// maximum; otherwise `None`.
    pub ahead: Option<f64>,
}

/// An octree for branch and bound: its root cube, and the edges and half diagonals of its cells on
/// each level.
#[derive(Clone, Debug)]
pub(super) struct Octree {
    pub low: [f64; 3],
    pub edge: f64,
    edges: [f64; LEVELS + 1],
    halves: [f64; LEVELS + 1],
}

impl Octree {
    /// Returns the octree whose root is a cube around the box of a container. `slack` is an upper
    /// bound of the rounding error of a distance; cells are enlarged by it.
    pub fn around(bounds: &Aabb<3>, slack: f64) -> Self {
        let extent = bounds.extent();
        let edge = extent[0].max(extent[1]).max(extent[2]) + 4.0 * slack;
        let edges = std::array::from_fn(|level| edge / (1u64 << level) as f64);
        Octree {
            low: bounds.center().map(|x| x - 0.5 * edge),
            edge,
            edges,
            halves: edges.map(|edge| HALF_DIAGONAL * edge + slack),
        }
    }

    /// Returns the root of the octree, the cell that contains all others.
    pub fn root(&self) -> Cell {
        Cell {
            at: [0; 3],
            level: 0,
            clearance: f64::NEG_INFINITY,
            bound: 0.5 * self.edge,
        }
    }

    /// Returns half the diagonal of a cell of the octree, with a margin for rounding.
    #[inline]
    pub fn half(&self, cell: &Cell) -> f64 {
        self.halves[cell.level as usize]
    }

    /// Returns an upper bound of the radius of a sphere that fits with its centre in a cell of the
    /// octree.
    #[inline]
    pub fn upper(&self, cell: &Cell) -> f64 {
        cell.bound + self.half(cell)
    }

    /// Returns the centre of a cell of the octree.
    #[inline]
    pub fn center(&self, cell: &Cell) -> [f64; 3] {
        let edge = self.edges[cell.level as usize];
        flushed(std::array::from_fn(|k| {
            self.low[k] + (f64::from(cell.at[k]) + 0.5) * edge
        }))
    }

    /// Returns whether a cell of the octree can be subdivided, that is, is not on the last level.
    pub fn is_coarse(&self, cell: &Cell) -> bool {
        (cell.level as usize) < LEVELS
    }

    /// Returns the eight children of a cell of the octree. The upper bound of each child follows
    /// from that of the cell and from the distances of the packed spheres in `index`.
    pub fn parts(&self, cell: &Cell, index: &SphereIndex) -> [Cell; 8] {
        let quarter = 0.5 * self.half(cell);
        let parts: [Cell; 8] = std::array::from_fn(|i| Cell {
            at: std::array::from_fn(|k| 2 * cell.at[k] + (i >> k & 1) as u32),
            level: cell.level + 1,
            clearance: cell.clearance - quarter,
            bound: cell.bound + quarter,
        });
        let centers = parts.map(|part| self.center(&part));
        let mut bounds = parts.map(|part| part.bound);
        // A sphere that is nearer to the centre of a child than the bound of the cell lies within
        // this reach of the centre of the cell.
        let reach = cell.bound + 2.0 * quarter;
        if reach > 0.0 {
            index.near(self.center(cell), reach, |sphere| {
                for (bound, &center) in bounds.iter_mut().zip(&centers) {
                    *bound = nearer(*bound, sphere, center);
                }
            });
        }
        std::array::from_fn(|i| Cell {
            bound: bounds[i],
            ..parts[i]
        })
    }
}
