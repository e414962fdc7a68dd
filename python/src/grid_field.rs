//! Fields on grids: the Python class `GridField`, and the grids of query points around a body.

use numpy::{Element, PyArray1};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use tangere::geometry::Aabb;
use tangere::inside::Grid;
use tangere_front::inputs::{GridCells, GridPlace, PlacedGrid};
use tangere_io::vtk::ImageData;

use crate::arguments::{Argument, Given, integer, number};
use crate::arrays::{from_numbers, two_points, vector};
use crate::errors::{What, of_arrays, refused, value_error};
use crate::fields::{Fields, field};

/// The arguments that place a grid of query points around a body.
pub struct GridArguments<'a, 'py> {
    pub n: Argument<'a, 'py>,
    pub spacing: Argument<'a, 'py>,
    pub bounds: Argument<'a, 'py>,
    pub margin: Given<'py>,
}

/// A grid of query points around a body.
pub struct QueryGrid {
    placed: PlacedGrid,
}

impl QueryGrid {
    /// Reads the arguments that place a grid. Of `n`, one integer is the number of cells along each
    /// axis of the cube around the box, three integers are those along the axes of the box; `spacing`
    /// is the edge of cubic cells in place of `n`. The box is `body`, that of the body, unless there
    /// are `bounds`.
    pub fn new(given: GridArguments<'_, '_>, body: &Aabb<3>) -> PyResult<Self> {
        let cells = match (given.n, given.spacing) {
            (Some(n), None) => cells(n)?,
            (None, Some(spacing)) => GridCells::Spacing(number(spacing, "spacing")?),
            (found, _) => {
                let found = match found {
                    Some(_) => "n and spacing",
                    None => "neither n nor spacing",
                };
                return Err(refused("n", found, "one of them"));
            }
        };
        let bounds = given.bounds.map(|bounds| -> PyResult<Aabb<3>> {
            let [min, max] = two_points(bounds, "bounds", "the lower corner, the upper one")?;
            Aabb::new(min, max).map_err(named)
        });
        let within = |value: &Bound<'_, PyAny>, name: &str| integer(value, name, 0..=1000);
        let place = GridPlace {
            cells,
            bounds: bounds.transpose()?,
            margin: given.margin.or(0, "margin", within)? as usize,
        };
        let placed = place.grid(body).map_err(named)?;
        Ok(Self { placed })
    }

    /// Returns the query points.
    pub fn grid(&self) -> &Grid {
        &self.placed.grid
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
            axes: self.placed.grid.axes().clone(),
            origin: self.placed.origin,
            spacing: self.placed.spacing,
        }
    }
}

/// Where the values of a field on a grid are.
pub struct FieldPlace {
    axes: [Vec<f64>; 3],
    origin: [f64; 3],
    spacing: [f64; 3],
}

/// Returns an error about a grid, with the names of Python's arguments.
fn named(error: tangere::Error) -> PyErr {
    of_arrays(error, &[(What::Grid, "n"), (What::Box, "bounds")])
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
