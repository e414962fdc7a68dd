//! Grids of query points around a body: the centres of equal cells.

use tangere::geometry::Aabb;
use tangere::inside::Grid;

/// How many cells a grid of query points has along each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GridCells {
    /// A grid of N³ cells over the cube around the bounding box of the body: this many cells along
    /// each axis.
    Cube(usize),
    /// A grid over the bounding box of the body, with these numbers of cells along x, y and z.
    Box([usize; 3]),
}

impl GridCells {
    /// Returns the grid of query points, which are the centres of the cells. `bounds` is the
    /// bounding box of the body.
    ///
    /// # Errors
    /// When a number of cells is 0 or too large, or more than 1 along an axis in which the body is
    /// flat.
    pub fn grid(self, bounds: &Aabb<3>) -> tangere::Result<Grid> {
        match self {
            GridCells::Cube(n) => Grid::around(bounds, n),
            GridCells::Box(cells) => Grid::over(bounds, cells),
        }
    }

    /// Returns the edge lengths of a cell, the spacing of the grid. Along an axis in which the
    /// bounding box of the body is flat, the edge is as long as the longest other edge of the cell.
    pub fn edges(self, bounds: &Aabb<3>) -> [f64; 3] {
        let extent = bounds.extent();
        let longest = extent.into_iter().fold(0.0, f64::max);
        let edges = match self {
            GridCells::Cube(n) => [longest / n as f64; 3],
            GridCells::Box(cells) => std::array::from_fn(|k| extent[k] / cells[k] as f64),
        };
        let thickest = edges.into_iter().fold(0.0, f64::max);
        edges.map(|edge| if edge > 0.0 { edge } else { thickest })
    }

    /// Returns the lower corner of the first cell of the grid.
    pub fn origin(self, bounds: &Aabb<3>, grid: &Grid) -> [f64; 3] {
        let (edges, axes) = (self.edges(bounds), grid.axes());
        std::array::from_fn(|k| axes[k][0] - 0.5 * edges[k])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_never_flat() {
        let bounds = Aabb {
            min: [0.0; 3],
            max: [6.0, 2.0, 0.0],
        };
        assert_eq!(GridCells::Box([3, 4, 1]).edges(&bounds), [2.0, 0.5, 2.0]);
        assert_eq!(GridCells::Cube(3).edges(&bounds), [2.0; 3]);
        let cells = GridCells::Box([3, 4, 1]);
        let grid = cells.grid(&bounds).expect("a grid");
        assert_eq!(cells.origin(&bounds, &grid), [0.0, 0.0, -1.0]);
    }
}
