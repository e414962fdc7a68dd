//! Fields on grids: the Python class `GridField`, and the grids of query points around a body.

use numpy::{Element, PyArray1};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use tangere::geometry::Aabb;
use tangere::inside::Grid;
use tangere_front::inputs::GridCells;
use tangere_io::vtk::ImageData;

use crate::arguments::integer;
use crate::arrays::{from_numbers, vector};
use crate::errors::{What, of_arrays, refused, value_error};
use crate::fields::{Fields, field};

/// A grid of query points around a body.
pub struct QueryGrid {
    pub grid: Grid,
    cells: GridCells,
    bounds: Aabb<3>,
}

impl QueryGrid {
    /// Reads the argument `n`: one integer is the number of cells along each axis of the cube around
    /// the body, three integers are those along the axes of the bounding box of the body.
    pub fn new(n: &Bound<'_, PyAny>, bounds: Aabb<3>) -> PyResult<Self> {
        let cells = cells(n)?;
        let grid = cells.grid(&bounds);
        let grid = grid.map_err(|error| of_arrays(error, &[(What::Grid, "n")]))?;
        Ok(Self {
            grid,
            cells,
            bounds,
        })
    }

    /// Returns the values at the points of the grid as a Python object of class `GridField`.
    pub fn field<'py, T: Element>(
        py: Python<'py>,
        name: &str,
        values: Vec<T>,
        place: &FieldPlace,
    ) -> PyResult<Bound<'py, PyAny>> {
        let values: Bound<'py, PyArray1<T>> = from_numbers(py, values);
        let axes = place.axes.clone().map(|axis| from_numbers(py, axis));
        let counts = place.axes.each_ref().map(Vec::len);
        let (origin, spacing) = (place.origin, place.spacing);
        class(py)?.call1((values, origin, spacing, counts, name, axes))
    }

    /// Returns where the values of a field on the grid are.
    pub fn place(&self) -> FieldPlace {
        FieldPlace {
            axes: self.grid.axes().clone(),
            origin: self.cells.origin(&self.bounds, &self.grid),
            spacing: self.cells.edges(&self.bounds),
        }
    }
}

/// Where the values of a field on a grid are.
pub struct FieldPlace {
    axes: [Vec<f64>; 3],
    origin: [f64; 3],
    spacing: [f64; 3],
}

fn cells(n: &Bound<'_, PyAny>) -> PyResult<GridCells> {
    let Ok(items) = n.try_iter() else {
        return Ok(GridCells::Cube(integer(n, "n", 1..=1000)? as usize));
    };
    let mut cells = Vec::new();
    for (k, item) in items.enumerate() {
        let most = Grid::AXIS_MAX as u64;
        cells.push(integer(&item?, &format!("n[{k}]"), 1..=most)? as usize);
    }
    match cells.try_into() {
        Ok(cells) => Ok(GridCells::Box(cells)),
        Err(cells) => {
            let found = format!("{} numbers", cells.len());
            Err(refused("n", found, "one integer or three"))
        }
    }
}

/// Returns the class `GridField`.
fn class(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("tangere._grid")?.getattr("GridField")
}

/// Returns the content of a VTI file with a `GridField` and more fields; `None` if `value` is
/// another object.
pub fn image(value: &Bound<'_, PyAny>, fields: &Fields<'_, '_>) -> PyResult<Option<ImageData>> {
    let py = value.py();
    if !value.is_instance(&class(py)?)? {
        return Ok(None);
    }
    let cells: Option<[usize; 3]> = value.getattr("cells")?.extract()?;
    let Some(cells) = cells else {
        let found = "a part or another shape of a GridField";
        return Err(refused("mesh", found, "a whole one, which has its place"));
    };
    let name: String = value.getattr("name")?.extract()?;
    let values = value.getattr("values")?.into_bound_py_any(py)?;
    let corners = cells.map(|n| n.saturating_add(1));
    let product = |counts: [usize; 3]| counts.into_iter().fold(1, usize::saturating_mul);
    let more = fields.fitting(product(corners), product(cells))?;
    let mut cell_data = vec![field(&values, &name, "values")?];
    cell_data.extend(more.cell_data);
    let image = ImageData {
        cells,
        origin: vector(&value.getattr("origin")?, "origin")?,
        spacing: vector(&value.getattr("spacing")?, "spacing")?,
        point_data: more.point_data,
        cell_data,
    };
    image.check().map_err(value_error)?;
    Ok(Some(image))
}
