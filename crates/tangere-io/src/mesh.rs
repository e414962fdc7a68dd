//! Meshes from files and to files.

use crate::atomic::write_atomically;
use crate::error::{Error, Fault, Result};
use crate::format::MeshFormat;
use crate::polygons::Polygons;
use crate::{obj, off, ply, stl, vtk};
use std::fs;
use std::path::Path;
use tangere::shape::TriMesh;

/// A mesh and what became of the file's content on the way to it.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedMesh {
    /// The mesh.
    pub mesh: TriMesh,
    /// The format of the file.
    pub format: MeshFormat,
    /// How many polygons the file has; the mesh has their triangles.
    pub polygons: usize,
    /// How many vertices of the file were at the place of another, so that the
    /// mesh has as many fewer.
    pub welded: usize,
}

/// Reads a mesh; the ending of the name tells the format.
///
/// Polygons are cut into triangles, and vertices whose coordinates are equal bit
/// for bit become one (`-0.0` counts as `0.0`). Nothing else is changed.
pub fn read_mesh(path: impl AsRef<Path>) -> Result<LoadedMesh> {
    let path = path.as_ref();
    let format = MeshFormat::of_path(path)?;
    let bytes = fs::read(path).map_err(|source| Error::file(path, source))?;
    let polygons = parse_mesh(&bytes, format).map_err(|fault| Error::content(path, fault))?;
    drop(bytes);
    let count = polygons.len();
    let (mesh, welded) = polygons
        .into_mesh()
        .map_err(|source| Error::shape(path, source))?;
    Ok(LoadedMesh {
        mesh,
        format,
        polygons: count,
        welded,
    })
}

/// The polygons in the content of a file.
///
/// Coordinates are finite and indices in range. There may be no polygons at all.
pub fn parse_mesh(bytes: &[u8], format: MeshFormat) -> std::result::Result<Polygons, Fault> {
    match format {
        MeshFormat::Stl => stl::parse(bytes),
        MeshFormat::Obj => obj::parse(bytes),
        MeshFormat::Ply => ply::parse(bytes),
        MeshFormat::Off => off::parse(bytes),
        MeshFormat::Vtk => vtk::legacy::polygons(bytes),
        MeshFormat::Vtp | MeshFormat::Vtu => vtk::xml::polygons(bytes),
    }
}

/// How numbers are stored, where a format leaves the choice (STL and PLY).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// As their bits, little endian; STL rounds to f32.
    #[default]
    Binary,
    /// As text that reads back as the same numbers.
    Text,
}

/// Writes a mesh; the ending of the name tells the format: `stl`, `ply`, `obj`,
/// `off`, `vtp` or `vtu`. STL and PLY are binary.
///
/// Coordinates are kept bit for bit, except that binary STL rounds them to f32
/// and refuses what f32 cannot hold.
pub fn write_mesh(path: impl AsRef<Path>, mesh: &TriMesh) -> Result<()> {
    write_mesh_as(path, mesh, Encoding::default())
}

/// Writes a mesh with a chosen encoding; formats that have only one ignore it.
pub fn write_mesh_as(path: impl AsRef<Path>, mesh: &TriMesh, encoding: Encoding) -> Result<()> {
    let path = path.as_ref();
    let format = MeshFormat::of_path(path)?;
    match (format, encoding) {
        (MeshFormat::Stl, Encoding::Binary) => {
            if let Some(i) = stl::first_too_large(mesh) {
                let source = tangere::Error::item(
                    "vertex",
                    i,
                    format!("{:?}", mesh.vertices()[i]),
                    "coordinates below 3.4e38, the largest of binary STL",
                );
                return Err(Error::shape(path, source));
            }
            write_atomically(path, |out| stl::write_binary(out, mesh))
        }
        (MeshFormat::Stl, Encoding::Text) => {
            write_atomically(path, |out| stl::write_text(out, mesh))
        }
        (MeshFormat::Ply, Encoding::Binary) => {
            write_atomically(path, |out| ply::write_binary(out, mesh))
        }
        (MeshFormat::Ply, Encoding::Text) => {
            write_atomically(path, |out| ply::write_text(out, mesh))
        }
        (MeshFormat::Obj, _) => write_atomically(path, |out| obj::write(out, mesh)),
        (MeshFormat::Off, _) => write_atomically(path, |out| off::write(out, mesh)),
        (MeshFormat::Vtp, _) => {
            write_atomically(path, |out| vtk::xml::write_vtp(&mesh.into(), out))
        }
        (MeshFormat::Vtu, _) => {
            write_atomically(path, |out| vtk::xml::write_vtu(&mesh.into(), out))
        }
        // The legacy format is read only: what reads it reads the XML formats too.
        (MeshFormat::Vtk, _) => Err(Error::Format {
            path: path.to_owned(),
            found: format.to_string(),
            expected: "stl, ply, obj, off, vtp or vtu",
        }),
    }
}
