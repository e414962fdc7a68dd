//! Grids of query points around a body: the centres of equal cells.

use tangere::geometry::Aabb;
use tangere::inside::Grid;
use tangere::{Argument, Error};

/// How many cells a grid of query points has along each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GridCells {
    /// A grid of N³ cells over the cube around a box: this many cells along each axis.
    Cube(usize),
    /// A grid over a box, with these numbers of cells along x, y and z.
    Box([usize; 3]),
    /// The fewest cubic cells with edges of this length that cover a box.
    Spacing(f64),
}

/// Where a grid of query points is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridPlace {
    /// The cells that cover the box.
    pub cells: GridCells,
    /// The box that the cells cover; the bounding box of the body if there is none.
    pub bounds: Option<Aabb<3>>,
    /// The number of cells that are added on every side.
    pub margin: usize,
}

/// A grid of query points, which are the centres of cells, with the place of its cells.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedGrid {
    /// The query points.
    pub grid: Grid,
    /// The lower corner of the first cell.
    pub origin: [f64; 3],
    /// The edge lengths of a cell.
    pub spacing: [f64; 3],
}

impl GridPlace {
    /// Returns the grid of query points. `body` is the bounding box of the body.
    ///
    /// # Errors
    /// When a number of cells is 0 or too large, or more than 1 along an axis in which the box is
    /// flat; when the box has no edge above 0.
    pub fn grid(&self, body: &Aabb<3>) -> tangere::Result<PlacedGrid> {
        let bounds = self.bounds.as_ref().unwrap_or(body);
        if self.bounds.is_some() && bounds.extent() == [0.0; 3] {
            let expected = "an edge above 0";
            return Err(Error::argument(Argument::Box, "a single point", expected));
        }
        let mut grid = match self.cells {
            GridCells::Cube(n) => Grid::around(bounds, n)?,
            GridCells::Box(cells) => Grid::over(bounds, cells)?,
            GridCells::Spacing(spacing) => Grid::spaced(bounds, spacing)?,
        };
        if self.margin > 0 {
            grid = grid.with_margin(self.margin)?;
        }
        Ok(PlacedGrid {
            origin: grid.origin(),
            spacing: grid.spacing(),
            grid,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: Aabb<3> = Aabb {
        min: [0.0; 3],
        max: [6.0, 2.0, 0.0],
    };

    fn place(cells: GridCells) -> GridPlace {
        GridPlace {
            cells,
            bounds: None,
            margin: 0,
        }
    }

    #[test]
    fn cells_are_never_flat() {
        let found = place(GridCells::Box([3, 4, 1])).grid(&FLAT).unwrap();
        assert_eq!(found.spacing, [2.0, 0.5, 2.0]);
        assert_eq!(found.origin, [0.0, 0.0, -1.0]);
        let found = place(GridCells::Cube(3)).grid(&FLAT).unwrap();
        assert_eq!(found.spacing, [2.0; 3]);
    }

    #[test]
    fn margins_add_cells_of_the_same_size() {
        let near = place(GridCells::Box([3, 4, 1]));
        let wide = GridPlace { margin: 2, ..near };
        let [near, wide] = [near, wide].map(|place| place.grid(&FLAT).unwrap());
        assert_eq!(near.spacing, wide.spacing);
        assert_eq!(wide.origin, [-4.0, -1.0, -5.0]);
        for (inner, outer) in near.grid.axes().iter().zip(wide.grid.axes()) {
            assert_eq!(inner[..], outer[2..outer.len() - 2]);
        }
    }

    #[test]
    fn bounds_replace_those_of_the_body() {
        let bounds = Some(Aabb {
            min: [-1.0; 3],
            max: [1.0; 3],
        });
        let cells = GridCells::Spacing(0.5);
        let placed = GridPlace {
            bounds,
            ..place(cells)
        };
        let found = placed.grid(&FLAT).unwrap();
        assert_eq!((found.origin, found.grid.len()), ([-1.0; 3], 64));
        let point = Some(Aabb {
            min: [1.0; 3],
            max: [1.0; 3],
        });
        let placed = GridPlace {
            bounds: point,
            ..place(cells)
        };
        let error = placed.grid(&FLAT).unwrap_err().to_string();
        assert!(error.contains("found a single point"), "{error}");
    }
}
