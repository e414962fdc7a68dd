//! Points that are asked about.

use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::pairs::is_empty_text;
use std::path::Path;
use tangere::geometry::Pose;
use tangere::inside::Grid;
use tangere::shape::TriMesh;
use tangere_io::{Error, Fault, MeshFormat, Place, Shape, ShapeFormat, read_shape, read_table};

/// Points of a part of a large grid: what methods need goes with it.
pub const PART: usize = 1 << 21;

/// Points of a file, or those of a grid with so many along an axis.
pub enum Asked {
    Points(Vec<[f64; 3]>),
    Grid(usize),
}

impl Asked {
    /// How many points there are.
    pub fn len(&self) -> usize {
        match self {
            Asked::Points(points) => points.len(),
            Asked::Grid(n) => n * n * n,
        }
    }

    /// The points, those of a grid about the mesh.
    pub fn points(self, mesh: &TriMesh) -> Result<Vec<[f64; 3]>, Failure> {
        Ok(match self {
            Asked::Points(points) => points,
            Asked::Grid(n) => Grid::around(&mesh.bounds(), n)?.points(),
        })
    }

    /// Asks about all points in turn, those of a large grid part by part.
    pub fn in_parts(
        &self,
        mesh: &TriMesh,
        mut ask: impl FnMut(&[[f64; 3]]) -> tangere::Result<()>,
    ) -> tangere::Result<()> {
        match self {
            Asked::Points(points) => ask(points),
            Asked::Grid(n) => {
                let grid = Grid::around(&mesh.bounds(), *n)?;
                grid.slabs(PART).try_for_each(|slab| ask(&slab.points()))
            }
        }
    }
}

/// Reads points, or takes the vertices of a surface.
pub fn read(path: &Path) -> Result<Vec<[f64; 3]>, Failure> {
    let format = ShapeFormat::of_path(path).map_err(Failure::reading)?;
    let is_surface = match format {
        // These hold points as well as surfaces.
        ShapeFormat::Mesh(MeshFormat::Vtp | MeshFormat::Vtu) | ShapeFormat::Table(_) => false,
        ShapeFormat::Mesh(_) => true,
    };
    if is_surface {
        let shape = read_shape(path).map_err(Failure::reading)?;
        if let Shape::Surface(loaded) = shape {
            return Ok(loaded.mesh.into_parts().0);
        }
    }
    if is_empty_text(path) {
        return Ok(Vec::new());
    }
    let table = read_table(path).map_err(Failure::reading)?;
    let named = ["x", "y", "z"].map(|name| table.column_named(name));
    let columns = match (named, table.columns) {
        ([Some(x), Some(y), Some(z)], _) => [x, y, z],
        (_, 3) if table.names.is_none() => [0, 1, 2],
        // An empty array has lost its columns.
        _ if table.is_empty() => [0; 3],
        (_, columns) => {
            let found = match &table.names {
                Some(names) => names.join(", "),
                None => columns.to_string(),
            };
            return Err(Failure::reading(Error::Content {
                path: path.to_owned(),
                fault: Fault::new(
                    Place::Part("columns"),
                    found,
                    "3 (x, y, z), or columns with these names",
                ),
            }));
        }
    };
    Ok(table.rows().map(|row| columns.map(|k| row[k])).collect())
}

/// Reads a surface; gives the seconds it took as well.
pub fn surface(
    path: &Path,
    format: Option<ShapeFormat>,
    console: &Console,
) -> Result<(TriMesh, f64), Failure> {
    let (shape, seconds) = files::read(path, format, console)?;
    match shape {
        Shape::Surface(loaded) => Ok((loaded.mesh, seconds)),
        _ => Err(Failure::Input(format!(
            "{}: found particles, expected a surface",
            files::input_name(path)
        ))),
    }
}

/// Reads poses, a row for each of so many bodies, step by step.
pub fn poses(path: &Path, bodies: usize) -> Result<Vec<Pose>, Failure> {
    let table = read_table(path).map_err(Failure::reading)?;
    let fault = |place, found: String, expected: String| {
        Failure::reading(Error::Content {
            path: path.to_owned(),
            fault: Fault::new(place, found, expected),
        })
    };
    if ![3, 7].contains(&table.columns) {
        let expected = "3 or 7: tx, ty, tz and perhaps qw, qx, qy, qz".to_owned();
        return Err(fault(
            Place::Part("columns"),
            table.columns.to_string(),
            expected,
        ));
    }
    if table.is_empty() || table.len() % bodies != 0 {
        let expected = format!("{bodies} for each step, one a body");
        return Err(fault(
            Place::Part("rows"),
            table.len().to_string(),
            expected,
        ));
    }
    let name = files::input_name(path);
    let pose = |(i, row): (usize, &[f64])| {
        let pose = Pose::from_numbers(row);
        pose.map_err(|error| Failure::Input(format!("{name}: row {i}: {error}")))
    };
    table.rows().enumerate().map(pose).collect()
}
