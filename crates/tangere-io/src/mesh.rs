//! Reading and writing triangle meshes.

use crate::atomic::write_atomically;
use crate::elements::polygons_of;
use crate::error::{Error, Fault, Result};
use crate::format::{MeshFormat, READ_ONLY};
use crate::polygons::Polygons;
use crate::read_bytes::read_bytes;
use crate::text::check_utf8_mark;
use crate::{abaqus, f32_rounding, medit, msh, obj, off, ply, stl, vtk};
use std::io::{self, Write};
use std::path::Path;
use tangere::Argument;
use tangere::shape::TriMesh;

/// A triangle mesh read from a file, and what was changed or left out on reading.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedMesh {
    /// The triangle mesh.
    pub mesh: TriMesh,
    /// The format of the file that the mesh was read from.
    pub format: MeshFormat,
    /// The number of polygons in the file, before they were cut into triangles.
    pub polygons: usize,
    /// The number of vertices of the file that were merged with another one at the same position.
    pub welded: usize,
    /// Names of the content of the file that was not kept, see [`Polygons::unkept`].
    pub unkept: Vec<String>,
    /// Names of elements of the file that are not read, see [`Polygons::unread`].
    pub unread: Vec<String>,
    /// The number of curved (quadratic) faces in the file. They were split at their nodes.
    pub curved: usize,
}

/// Reads a triangle mesh; the file extension selects the format.
///
/// Polygons are triangulated, and vertices whose coordinates are equal bit for bit
/// are merged (`-0.0` counts as `0.0`). Nothing else is changed. Fields, normals,
/// textures and colours are not kept.
///
/// The surface of volume elements is their boundary. Quadratic faces are split at their nodes: the
/// triangles interpolate the nodes, not the curved face between them.
/// [`read_faces`](crate::read_faces) keeps quadratic faces.
pub fn read_mesh(path: impl AsRef<Path>) -> Result<LoadedMesh> {
    let path = path.as_ref();
    let (bytes, format) = file_bytes(path, MeshFormat::of_path)?;
    mesh_from_bytes(path, bytes, format)
}

/// Returns the content of a file and its format, which `format` finds from the path. If the path is
/// a folder, the error says so even if its extension is unknown.
pub(crate) fn file_bytes<'p, F>(
    path: &'p Path,
    format: impl FnOnce(&'p Path) -> Result<F>,
) -> Result<(Vec<u8>, F)> {
    if path.is_dir() {
        return Err(Error::file(path, io::ErrorKind::IsADirectory.into()));
    }
    let format = format(path)?;
    let bytes = read_bytes(path)?;
    Ok((bytes, format))
}

pub(crate) fn mesh_from_bytes(
    path: &Path,
    bytes: Vec<u8>,
    format: MeshFormat,
) -> Result<LoadedMesh> {
    let polygons = parse_mesh(&bytes, format).map_err(|fault| Error::content(path, fault))?;
    drop(bytes);
    mesh_from_polygons(path, polygons, format)
}

pub(crate) fn mesh_from_polygons(
    path: &Path,
    mut polygons: Polygons,
    format: MeshFormat,
) -> Result<LoadedMesh> {
    let count = polygons.len();
    let unkept = std::mem::take(&mut polygons.unkept);
    let unread = std::mem::take(&mut polygons.unread);
    let curved = polygons.curved;
    let (mesh, welded) = polygons
        .into_mesh()
        .map_err(|source| Error::shape(path, source))?;
    Ok(LoadedMesh {
        mesh,
        format,
        polygons: count,
        welded,
        unkept,
        unread,
        curved,
    })
}

/// Parses the vertices and polygons of a mesh from the content of a file.
///
/// It is a fault if a coordinate is not finite or an index is out of range. There may be no
/// polygons at all.
pub fn parse_mesh(bytes: &[u8], format: MeshFormat) -> std::result::Result<Polygons, Fault> {
    // The header of a binary STL may begin with anything.
    if format != MeshFormat::Stl {
        check_utf8_mark(bytes)?;
    }
    match format {
        MeshFormat::Stl => stl::parse(bytes),
        MeshFormat::Obj => obj::parse(bytes),
        MeshFormat::Ply => ply::parse(bytes),
        MeshFormat::Off => off::parse(bytes),
        MeshFormat::Vtk => vtk::legacy::polygons(bytes),
        MeshFormat::Vtp | MeshFormat::Vtu => vtk::xml::polygons(bytes),
        MeshFormat::Msh => polygons_of(msh::parse(bytes)?),
        MeshFormat::Mesh => polygons_of(medit::parse(bytes)?),
        MeshFormat::Inp => polygons_of(abaqus::parse(bytes)?),
    }
}

/// Encoding of the numbers in a mesh file, for formats that have two (STL and PLY).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Numbers are stored in binary, little-endian. STL rounds them to f32.
    #[default]
    Binary,
    /// Numbers are stored as text that reads back as the same numbers.
    Text,
}

/// Content of a mesh file to be written. The mesh has been checked to be representable in the
/// format.
#[derive(Clone, Copy, Debug)]
pub struct MeshContent<'a> {
    mesh: &'a TriMesh,
    format: MeshFormat,
    encoding: Encoding,
    rounding: f64,
}

impl<'a> MeshContent<'a> {
    /// Returns the content of a mesh file, and checks that the format can represent the mesh.
    /// Formats that have only one encoding ignore `encoding`.
    ///
    /// # Errors
    /// When the format is [not written](MeshFormat::is_written), or when it is
    /// binary STL and rounding to f32 merges distinct vertices, makes a triangle
    /// degenerate or overflows.
    pub fn new(mesh: &'a TriMesh, format: MeshFormat, encoding: Encoding) -> tangere::Result<Self> {
        let rounding = match (format, encoding) {
            (MeshFormat::Stl, Encoding::Binary) => f32_rounding::rounding(mesh)?,
            _ => 0.0,
        };
        if !format.is_written() {
            return Err(tangere::Error::argument(
                Argument::Other("format"),
                format,
                READ_ONLY,
            ));
        }
        Ok(MeshContent {
            mesh,
            format,
            encoding,
            rounding,
        })
    }

    /// Returns the largest change of a coordinate by rounding to the format; 0 if all keep their
    /// bits.
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// Writes the mesh in its format.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mesh = self.mesh;
        match (self.format, self.encoding) {
            (MeshFormat::Stl, Encoding::Binary) => stl::write_binary(out, mesh),
            (MeshFormat::Stl, Encoding::Text) => stl::write_text(out, mesh),
            (MeshFormat::Ply, Encoding::Binary) => ply::write_binary(out, mesh),
            (MeshFormat::Ply, Encoding::Text) => ply::write_text(out, mesh),
            (MeshFormat::Obj, _) => obj::write(out, mesh),
            (MeshFormat::Off, _) => off::write(out, mesh),
            (MeshFormat::Vtp, _) => vtk::xml::write_vtp(&mesh.into(), out),
            (MeshFormat::Vtu, _) => vtk::xml::write_vtu(&mesh.into(), out),
            // `new` refuses these formats.
            (MeshFormat::Vtk | MeshFormat::Msh | MeshFormat::Mesh | MeshFormat::Inp, _) => {
                Err(io::ErrorKind::Unsupported.into())
            }
        }
    }
}

/// Writes a mesh; the file extension selects the format: `stl`, `ply`, `obj`,
/// `off`, `vtp` or `vtu`. STL and PLY are binary.
///
/// Coordinates are kept bit for bit, except that binary STL rounds them to f32;
/// a mesh that this would damage is refused, see [`MeshContent::new`].
pub fn write_mesh(path: impl AsRef<Path>, mesh: &TriMesh) -> Result<()> {
    write_mesh_as(path, mesh, Encoding::default())
}

/// Writes a mesh with a chosen encoding; formats that have only one ignore it.
pub fn write_mesh_as(path: impl AsRef<Path>, mesh: &TriMesh, encoding: Encoding) -> Result<()> {
    let path = path.as_ref();
    let format = MeshFormat::of_target(path)?;
    let content =
        MeshContent::new(mesh, format, encoding).map_err(|source| Error::shape(path, source))?;
    write_atomically(path, |out| content.write(out))
}
