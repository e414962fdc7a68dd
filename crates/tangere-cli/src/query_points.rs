//! Query points of fields: points of a file, or centres of the cells of a grid; and their drawings.

use crate::arguments::whole;
use crate::output::Drawing;
use std::borrow::Cow;
use tangere::geometry::Aabb;
use tangere::inside::Grid;
use tangere_front::answer::{Format, Table};
use tangere_front::inputs::GridCells;
use tangere_io::vtk::{ImageData, PolyData, UnstructuredGrid};

/// Number of points in a part of a large grid. A grid is queried part by part, so that methods need
/// less working memory.
pub const PART: usize = 1 << 21;

/// Query points: the points of a file, or the centres of the cells of a grid.
pub enum QueryPoints {
    Points(Vec<[f64; 3]>),
    Grid(Grid),
}

impl QueryPoints {
    /// Returns the number of query points.
    pub fn len(&self) -> usize {
        match self {
            QueryPoints::Points(points) => points.len(),
            QueryPoints::Grid(grid) => grid.len(),
        }
    }

    /// Returns the coordinates of the query points; those of a grid are computed.
    pub fn points(&self) -> Cow<'_, [[f64; 3]]> {
        match self {
            QueryPoints::Points(points) => points.into(),
            QueryPoints::Grid(grid) => grid.points().into(),
        }
    }

    /// Calls `query` with all query points: once with the points of a file, or part by part with
    /// those of a grid.
    pub fn in_parts(
        &self,
        mut query: impl FnMut(&[[f64; 3]]) -> tangere::Result<()>,
    ) -> tangere::Result<()> {
        match self {
            QueryPoints::Points(points) => query(points),
            QueryPoints::Grid(grid) => grid.slabs(PART).try_for_each(|slab| query(&slab.points())),
        }
    }
}

/// Parses the value of `--grid`: one number of cells for all axes, or three separated by commas.
pub fn cells(text: &str) -> Result<GridCells, String> {
    let most = Grid::AXIS_MAX as u64;
    match text.split(',').collect::<Vec<_>>()[..] {
        [n] => Ok(GridCells::Cube(whole(n, 1, 1000)?)),
        [x, y, z] => {
            let cells = [whole(x, 1, most)?, whole(y, 1, most)?, whole(z, 1, most)?];
            Ok(GridCells::Box(cells))
        }
        _ => Err("expected a whole number, or three separated by commas".into()),
    }
}

/// Draws the query points. A VTI image shows the grid cells whose centres they are. The columns of
/// `table` become fields of the points or cells.
pub fn drawn<T>(
    format: Format,
    points: Vec<[f64; 3]>,
    table: &Table<T>,
    cells: Option<GridCells>,
    (queries, bounds): (&QueryPoints, &Aabb<3>),
) -> Drawing {
    match (format, queries, cells) {
        (Format::Vti, QueryPoints::Grid(grid), Some(cells)) => Drawing::Image(ImageData {
            cells: grid.axes().each_ref().map(Vec::len),
            origin: cells.origin(bounds, grid),
            spacing: cells.edges(bounds),
            point_data: Vec::new(),
            cell_data: table.fields(),
        }),
        (Format::Vtu, ..) => {
            let mut data = UnstructuredGrid::from_points(points);
            data.point_data = table.fields();
            Drawing::Grid(data)
        }
        _ => {
            let mut data = PolyData::from_points(points);
            data.point_data = table.fields();
            Drawing::Poly(data)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_of_cells_or_three() {
        assert_eq!(cells("80"), Ok(GridCells::Cube(80)));
        assert_eq!(cells("1,2000,3"), Ok(GridCells::Box([1, 2000, 3])));
        for bad in [
            "", "0", "1001", "1,2", "1,2,3,4", "1,0,2", "1,2,1e7", "1,,2", "a",
        ] {
            assert!(cells(bad).is_err(), "{bad}");
        }
    }
}
