//! Meshes with fields: named arrays on vertices and faces, for viewers.

use crate::error::{Error, Result};
use crate::faces::write_faces;
use crate::format::{MeshFormat, extension};
use crate::mesh::write_mesh;
use crate::vtk::{Field, PolyData, UnstructuredGrid, write_vtp, write_vtu};
use std::path::Path;
use tangere::shape::{FaceMesh, TriMesh};

/// Fields of a mesh: named arrays with a value for each vertex or face.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshFields {
    /// Fields with a value for each vertex.
    pub point_data: Vec<Field>,
    /// Fields with a value for each face.
    pub cell_data: Vec<Field>,
}

impl MeshFields {
    /// Whether there are no fields.
    pub fn is_empty(&self) -> bool {
        self.point_data.is_empty() && self.cell_data.is_empty()
    }
}

/// Writes a mesh as [`write_mesh`] does, with fields on its vertices and triangles, which `vtp` and
/// `vtu` can hold.
///
/// ```
/// use tangere_io::vtk::{Field, read_points};
/// use tangere_io::{MeshFields, write_mesh_with};
///
/// let sphere = tangere::generate::sphere(2)?;
/// let heights: Vec<f64> = sphere.vertices().iter().map(|v| v[2]).collect();
/// let fields = MeshFields {
///     point_data: vec![Field::scalar("height", heights.clone())],
///     ..MeshFields::default()
/// };
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("sphere.vtu");
/// write_mesh_with(&path, &sphere, fields)?;
/// assert_eq!(read_points(&path)?.scalars("height")?, heights);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the format cannot hold fields, the length of a field does not fit, or the file cannot be
/// written.
pub fn write_mesh_with(path: impl AsRef<Path>, mesh: &TriMesh, fields: MeshFields) -> Result<()> {
    let path = path.as_ref();
    if fields.is_empty() {
        return write_mesh(path, mesh);
    }
    match MeshFormat::of_target(path)? {
        MeshFormat::Vtp => write_vtp(
            path,
            &PolyData {
                point_data: fields.point_data,
                cell_data: fields.cell_data,
                ..PolyData::from(mesh)
            },
        ),
        MeshFormat::Vtu => write_vtu(path, &with_fields(mesh.into(), fields)),
        _ => Err(unfit(path)),
    }
}

/// Writes finite element faces as [`write_faces`] does, with fields on nodes and faces.
///
/// # Errors
/// As [`write_faces`], and when the length of a field does not fit.
pub fn write_faces_with(path: impl AsRef<Path>, mesh: &FaceMesh, fields: MeshFields) -> Result<()> {
    let path = path.as_ref();
    if fields.is_empty() || extension(path) != "vtu" {
        return write_faces(path, mesh);
    }
    write_vtu(path, &with_fields(mesh.into(), fields))
}

fn with_fields(grid: UnstructuredGrid, fields: MeshFields) -> UnstructuredGrid {
    UnstructuredGrid {
        point_data: fields.point_data,
        cell_data: fields.cell_data,
        ..grid
    }
}

fn unfit(path: &Path) -> Error {
    Error::Unfit {
        path: path.to_owned(),
        format: extension(path),
        reason: "has no place for fields; use vtp or vtu",
    }
}
