//! Surfaces that points are projected on.

use crate::failure::Failure;
use crate::files;
use std::path::Path;
use tangere::shape::{FaceKind, FaceMesh, TriMesh};
use tangere_io::{MeshFormat, Shape, ShapeFormat, read_faces, read_named_faces, read_shape};

/// A surface of triangles, or of other finite element faces.
pub enum Given {
    Triangles(TriMesh),
    Faces(FaceMesh),
}

impl Given {
    /// The number of faces.
    pub fn len(&self) -> usize {
        match self {
            Given::Triangles(mesh) => mesh.faces().len(),
            Given::Faces(mesh) => mesh.len(),
        }
    }
}

/// Reads a surface. Files of finite elements are read as the faces that they are, unless all are
/// flat triangles; others as triangles.
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
            .map(Given::from)
            .map_err(Failure::reading);
    }
    use MeshFormat as M;
    match format {
        M::Vtk | M::Vtu | M::Msh | M::Mesh | M::Inp => {
            let loaded = read_faces(path).map_err(Failure::reading)?;
            Ok(Given::from(loaded.mesh))
        }
        _ => match read_shape(path).map_err(Failure::reading)? {
            Shape::Surface(loaded) => Ok(Given::Triangles(loaded.mesh)),
            Shape::Particles(_) => Err(refused("particles")),
        },
    }
}

impl From<FaceMesh> for Given {
    fn from(mesh: FaceMesh) -> Self {
        if mesh.kinds().iter().any(|&kind| kind != FaceKind::Tri3) {
            return Given::Faces(mesh);
        }
        let triangles = mesh.indices().as_chunks().0.to_vec();
        match TriMesh::new(mesh.nodes().to_vec(), triangles) {
            Ok(triangles) => Given::Triangles(triangles),
            Err(_) => Given::Faces(mesh),
        }
    }
}
