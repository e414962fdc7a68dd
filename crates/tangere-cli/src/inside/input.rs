//! Points that are asked about.

use crate::failure::Failure;
use crate::pairs::is_empty_text;
use std::path::Path;
use tangere::inside::Grid;
use tangere::shape::TriMesh;
use tangere_io::{Error, Fault, MeshFormat, Place, Shape, ShapeFormat, read_shape, read_table};

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
