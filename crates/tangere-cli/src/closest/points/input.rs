//! Surfaces that points are projected on.

use crate::failure::Failure;
use crate::files;
use std::path::Path;
use tangere::shape::{FaceMesh, TriMesh};
use tangere_io::{MeshFormat, Shape, ShapeFormat, read_faces, read_named_faces, read_shape};

/// A surface of triangles, or of other finite element faces.
pub enum Given {
    Triangles(TriMesh),
    Faces(FaceMesh),
}

impl Given {
    /// Whether all faces are segments, so that all lies in a plane as a rule.
    pub fn is_curve(&self) -> bool {
        match self {
            Given::Triangles(_) => false,
            Given::Faces(mesh) => mesh.kinds().iter().all(|kind| kind.dimension() == 1),
        }
    }

    /// The number of faces.
    pub fn len(&self) -> usize {
        match self {
            Given::Triangles(mesh) => mesh.faces().len(),
            Given::Faces(mesh) => mesh.len(),
        }
    }
}

/// Reads a surface. Files of finite elements are read as the faces that they are, flat triangles
/// too, so that all have the same columns; others as triangles.
pub fn read(path: &Path, surface: Option<&str>) -> Result<Given, Failure> {
    let refused = |found: &str| {
        let name = files::input_name(path);
        let expected = "expected the surface of a body: MESH, then --points POINTS";
        Failure::Input(format!("{name}: found {found}, {expected}"))
    };
    if files::is_standard(path) {
        return Err(refused("standard input"));
    }
    let format = match ShapeFormat::of_path(path).map_err(Failure::reading)? {
        ShapeFormat::Mesh(format) => format,
        ShapeFormat::Table(_) => return Err(refused("points")),
    };
    if let Some(name) = surface {
        return read_named_faces(path, name)
            .map(Given::Faces)
            .map_err(Failure::reading);
    }
    use MeshFormat as M;
    match format {
        M::Vtk | M::Vtu | M::Msh | M::Mesh | M::Inp => {
            let loaded = read_faces(path).map_err(Failure::reading)?;
            Ok(Given::Faces(loaded.mesh))
        }
        _ => match read_shape(path).map_err(Failure::reading)? {
            Shape::Surface(loaded) => Ok(Given::Triangles(loaded.mesh)),
            Shape::Particles(_) => Err(refused("points")),
        },
    }
}
