//! VTK drawings of point containment: the query points, or the grid cells whose centres they are,
//! with the side of each point (inside, on the surface or outside).

use super::input::{Cells, QueryPoints};
use crate::output::Drawing;
use tangere::geometry::Aabb;
use tangere_front::answer::{Format, Table};
use tangere_front::answers::inside::PointSide;
use tangere_io::vtk::{ImageData, PolyData, UnstructuredGrid};

/// Draws the query points. A VTI image shows the grid cells whose centres they are. The columns of
/// `table` become fields of the points or cells.
pub fn answers(
    format: Format,
    points: Vec<[f64; 3]>,
    table: &Table<PointSide>,
    cells: Option<Cells>,
    (queries, bounds): (&QueryPoints, &Aabb<3>),
) -> Drawing {
    match (format, queries, cells) {
        (Format::Vti, QueryPoints::Grid(grid), Some(cells)) => {
            let spacing = cells.edges(bounds);
            let axes = grid.axes();
            Drawing::Image(ImageData {
                cells: axes.each_ref().map(Vec::len),
                origin: std::array::from_fn(|k| axes[k][0] - 0.5 * spacing[k]),
                spacing,
                cell_data: table.fields(),
            })
        }
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
