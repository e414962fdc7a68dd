//! Query points of fields: points of a file, or centres of the cells of a grid; and their drawings.

use crate::arguments::{number, numbers, separated, whole};
use crate::failure::Failure;
use crate::output::{Drawing, Target};
use clap::Args;
use serde_json::json;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use tangere::geometry::Aabb;
use tangere::inside::Grid;
use tangere_front::answer::{Format, Summary, Table};
use tangere_front::inputs::{GridCells, GridPlace, PlacedGrid};
use tangere_front::text;
use tangere_io::Error;
use tangere_io::vtk::{ImageData, PolyData, UnstructuredGrid};

/// Number of points in a part of a large grid. A grid is queried part by part, so that methods need
/// less working memory.
pub const PART: usize = 1 << 21;

/// The grid of query points: how many cells, and where.
#[derive(Args, Clone, Copy, Debug)]
pub struct GridOptions {
    /// Take the centres of the N^3 equal cells of the cube around the body's box, x fastest; with
    /// three numbers, NX,NY,NZ, those of as many cells of the box itself
    #[arg(long, value_name = "N", allow_hyphen_values = true, group = "cells", value_parser = cells)]
    grid: Option<GridCells>,
    /// Take the centres of cubic cells with edges of length H that cover the box
    #[arg(long, value_name = "H", allow_hyphen_values = true, group = "cells", value_parser = spacing)]
    spacing: Option<GridCells>,
    /// Take this box in place of the body's: X0,Y0,Z0,X1,Y1,Z1
    #[arg(long, value_name = "BOX", allow_hyphen_values = true, requires = "cells", value_parser = bounds)]
    bounds: Option<Aabb<3>>,
    /// Add M cells on every side, so that the surface does not end at the grid's
    #[arg(long, value_name = "M", allow_hyphen_values = true, default_value_t = 0, hide_default_value = true,
          requires = "cells", value_parser = margin)]
    margin: usize,
}

/// Parses the number of cells of a margin.
fn margin(text: &str) -> Result<usize, String> {
    whole(text, 0, 1000).map_err(|error| error.replace("a whole number", "a whole number of cells"))
}

impl GridOptions {
    /// Returns the place of the grid; `None` if no grid is requested.
    pub fn place(&self) -> Option<GridPlace> {
        let place = |cells| GridPlace {
            cells,
            bounds: self.bounds,
            margin: self.margin,
        };
        self.grid.or(self.spacing).map(place)
    }
}

/// Query points: the points of a file, or the centres of the cells of a grid.
pub enum QueryPoints {
    Points(Vec<[f64; 3]>),
    Grid(PlacedGrid),
}

impl QueryPoints {
    /// Returns the number of query points.
    pub fn len(&self) -> usize {
        match self {
            QueryPoints::Points(points) => points.len(),
            QueryPoints::Grid(placed) => placed.grid.len(),
        }
    }

    /// Returns the coordinates of the query points; those of a grid are computed.
    pub fn points(&self) -> Cow<'_, [[f64; 3]]> {
        match self {
            QueryPoints::Points(points) => points.into(),
            QueryPoints::Grid(placed) => placed.grid.points().into(),
        }
    }

    /// Adds the cells of a grid to the summary: their numbers along x, y and z, the lower corner of
    /// the first, and their edges. Points of a file have none: null in JSON.
    pub fn add_to(&self, summary: &mut Summary) {
        let QueryPoints::Grid(placed) = self else {
            summary.member("grid", serde_json::Value::Null);
            return;
        };
        let cells = placed.grid.axes().each_ref().map(Vec::len);
        let listed = |numbers: [f64; 3]| numbers.map(text::number).join(", ");
        summary
            .member(
                "grid",
                json!({ "cells": cells, "origin": placed.origin, "spacing": placed.spacing }),
            )
            .line(
                "cells of the grid",
                cells.map(|n| text::count(n as u64)).join(" x "),
            )
            .line("origin of the grid", listed(placed.origin))
            .line("spacing of the grid", listed(placed.spacing));
    }

    /// Returns the axes of the array of an NPY file for the values at the points: those of a grid
    /// are z, y and x, since x varies fastest; points of a file have none.
    pub fn axes(&self) -> Option<Vec<usize>> {
        match self {
            QueryPoints::Points(_) => None,
            QueryPoints::Grid(placed) => {
                Some(placed.grid.axes().iter().rev().map(Vec::len).collect())
            }
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
            QueryPoints::Grid(placed) => {
                let mut slabs = placed.grid.slabs(PART);
                slabs.try_for_each(|slab| query(&slab.points()))
            }
        }
    }
}

/// Parses the value of `--grid`: one number of cells for all axes, or three separated by commas.
fn cells(text: &str) -> Result<GridCells, String> {
    let most = Grid::AXIS_MAX as u64;
    if !text.contains(',') {
        return Ok(GridCells::Cube(whole(text, 1, 1000)?));
    }
    if text.split(',').count() != 3 {
        return Err("expected a whole number, or three separated by commas".into());
    }
    let expected = format!("expected whole numbers from 1 to {most}");
    let cells = separated(text, |word| whole(word, 1, most).ok(), &expected)?;
    cells.try_into().map(GridCells::Box).map_err(|_| expected)
}

/// Parses the value of `--spacing`.
fn spacing(text: &str) -> Result<GridCells, String> {
    let found = number(text).ok().filter(|x| *x > 0.0);
    let expected = || "expected a finite number above 0".into();
    found.map(GridCells::Spacing).ok_or_else(expected)
}

/// Parses the value of `--bounds`: the lower corner of a box, then the upper one.
fn bounds(text: &str) -> Result<Aabb<3>, String> {
    let [x0, y0, z0, x1, y1, z1] = numbers(text)?;
    Aabb::new([x0, y0, z0], [x1, y1, z1]).map_err(|error| error.to_string())
}

/// Returns the output file, or `None` without `--out`. A VTI image is an error without a grid.
pub fn target<'a>(
    out: Option<&Path>,
    formats: &[Format],
    json: bool,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    has_points: bool,
) -> Result<Option<Target>, Failure> {
    match Target::new(out, formats, json, inputs)? {
        Some(Target {
            path,
            format: Format::Vti,
        }) if has_points => Err(Failure::writing(Error::Unfit {
            path,
            format: "vti".into(),
            reason: "holds the cells of --grid, not --points; expected npy, csv, vtp or vtu",
        })),
        target => Ok(target),
    }
}

/// Draws the query points. A VTI image shows the grid cells whose centres they are. The columns of
/// `table` become fields of the points or cells.
pub fn drawn<T>(
    format: Format,
    points: Vec<[f64; 3]>,
    table: &Table<T>,
    queries: &QueryPoints,
) -> Drawing {
    match (format, queries) {
        (Format::Vti, QueryPoints::Grid(placed)) => Drawing::Image(ImageData {
            cells: placed.grid.axes().each_ref().map(Vec::len),
            origin: placed.origin,
            spacing: placed.spacing,
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
        let expected = "expected whole numbers from 1 to 1048576; number 2 of 3 is \"\"";
        assert_eq!(cells("1,,1"), Err(expected.into()));
    }

    #[test]
    fn spacings_and_bounds() {
        assert_eq!(spacing("0.5"), Ok(GridCells::Spacing(0.5)));
        for bad in ["0", "-1", "nan", "inf", "a"] {
            assert!(spacing(bad).is_err(), "{bad}");
        }
        let found = bounds("-1,0,0,1,2,3").map(|found| (found.min, found.max));
        assert_eq!(found, Ok(([-1.0, 0.0, 0.0], [1.0, 2.0, 3.0])));
        for bad in ["1,2,3", "0,0,0,1,-1,1", "0,0,0,1,1,nan", "0,0,0,1,1,1e61"] {
            assert!(bounds(bad).is_err(), "{bad}");
        }
    }
}
