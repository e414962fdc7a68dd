//! Reading and writing surfaces of finite element faces.

use crate::atomic::write_atomically;
use crate::elements::Elements;
use crate::error::{Error, Fault, Result};
use crate::format::{MeshFormat, extension, unfit};
use crate::mesh::{file_bytes, parse_mesh};
use crate::text::check_utf8_mark;
use crate::vtk::{self, Grid, UnstructuredGrid};
use crate::{abaqus, medit, msh};
use std::path::Path;
use tangere::shape::FaceMesh;

/// Finite element faces read from a file, and what was changed or left out on reading.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LoadedFaces {
    /// The finite element faces, with the nodes that they use.
    pub mesh: FaceMesh,
    /// The format of the file that the faces were read from.
    pub format: MeshFormat,
    /// The number of volume elements that the faces bound; 0 if they are not the boundary of volume
    /// elements.
    pub volumes: usize,
    /// The number of volume elements whose nodes are numbered inside out, or which have no volume.
    pub inverted: usize,
    /// The names of the named surfaces of the file, which [`read_named_faces`] reads.
    pub surfaces: Vec<String>,
    /// Names of the content of the file that was not read.
    pub unkept: Vec<String>,
}

/// Reads the surface of a file as finite element faces. The file extension selects
/// the format, which may be any that [`read_mesh`](crate::read_mesh) reads.
///
/// The surface is the boundary of the volume elements, or a closed surface of triangles and
/// quadrilaterals inside them. Without volume elements it consists of the triangles and
/// quadrilaterals, and without those of the segments. Quadratic faces stay quadratic. Polygons of
/// more than four corners become triangles. Coincident nodes are not merged, except in STL, whose
/// triangles share no nodes. Nodes that no face uses are left out.
pub fn read_faces(path: impl AsRef<Path>) -> Result<LoadedFaces> {
    let path = path.as_ref();
    let (bytes, format) = file_bytes(path, MeshFormat::of_path)?;
    let elements = parse_elements(&bytes, format).map_err(|fault| Error::content(path, fault))?;
    drop(bytes);
    let names = elements.surfaces.iter().map(|s| s.name.clone()).collect();
    let surface = elements
        .into_surface()
        .map_err(|source| Error::shape(path, source))?;
    Ok(LoadedFaces {
        mesh: surface.mesh,
        format,
        volumes: surface.volumes,
        inverted: surface.inverted,
        surfaces: names,
        unkept: surface.unkept,
    })
}

/// Reads a named surface of a file as finite element faces. Names are case-insensitive. Only Abaqus
/// input has named surfaces.
pub fn read_named_faces(path: impl AsRef<Path>, name: &str) -> Result<FaceMesh> {
    let path = path.as_ref();
    let (bytes, format) = file_bytes(path, MeshFormat::of_path)?;
    let elements = parse_elements(&bytes, format).map_err(|fault| Error::content(path, fault))?;
    elements
        .named_surface(name)
        .map_err(|source| Error::shape(path, source))
}

/// Parses the nodes and elements of a finite element mesh from the content of a file.
///
/// It is a fault if a coordinate is not finite or an element refers to a node that does not exist.
pub fn parse_elements(bytes: &[u8], format: MeshFormat) -> std::result::Result<Elements, Fault> {
    if format != MeshFormat::Stl {
        check_utf8_mark(bytes)?;
    }
    match format {
        MeshFormat::Msh => msh::parse(bytes),
        MeshFormat::Mesh => medit::parse(bytes),
        MeshFormat::Inp => abaqus::parse(bytes),
        MeshFormat::Vtk => Ok(vtk::legacy::grid(bytes)?.into_elements()),
        MeshFormat::Vtp | MeshFormat::Vtu => Ok(vtk::xml::grid(bytes)?.into_elements()),
        MeshFormat::Stl => {
            let mut surface = parse_mesh(bytes, format)?;
            let (vertices, places) = tangere::shape::distinct_points(&surface.vertices);
            for vertex in &mut surface.indices {
                *vertex = places[*vertex as usize];
            }
            surface.vertices = vertices;
            Ok(Grid::of(surface).into_elements())
        }
        MeshFormat::Obj | MeshFormat::Ply | MeshFormat::Off => {
            Ok(Grid::of(parse_mesh(bytes, format)?).into_elements())
        }
    }
}

/// Writes finite element faces as a VTU file; quadratic faces stay quadratic.
///
/// # Errors
/// When the name does not end in `vtu`, or the file cannot be written.
pub fn write_faces(path: impl AsRef<Path>, mesh: &FaceMesh) -> Result<()> {
    let path = path.as_ref();
    match extension(path).as_str() {
        "vtu" => write_atomically(path, |out| {
            vtk::xml::write_vtu(&UnstructuredGrid::from(mesh), out)
        }),
        known if MeshFormat::named(known).is_some() => Err(unfit(
            path,
            "is not written for finite element faces; use vtu",
        )),
        other => Err(Error::Format {
            path: path.to_owned(),
            found: other.to_owned(),
            expected: "vtu".into(),
        }),
    }
}
