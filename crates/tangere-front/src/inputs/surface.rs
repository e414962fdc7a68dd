//! Reader of surfaces of triangles or of finite element faces.

use super::paths::{input_name, is_standard};
use std::path::Path;
use tangere::shape::{FaceKind, FaceMesh, TriMesh};
use tangere_io::{
    Error, MeshFormat, Result, Shape, ShapeFormat, read_faces, read_named_faces, read_shape,
};

/// A surface of triangles, or of finite element faces.
pub enum Surface {
    /// A surface of triangles.
    Triangles(TriMesh),
    /// A surface of finite element faces, which may be flat triangles too.
    Faces(FaceMesh),
}

impl Surface {
    /// Reads a surface; `name` selects a named surface of an Abaqus file. Files of finite elements
    /// are read as faces, others as triangles. If the file contains points, the error says what is
    /// `expected` instead.
    ///
    /// # Errors
    /// When the file cannot be read, or has points where a surface is needed.
    pub fn read(path: &Path, name: Option<&str>, expected: &str) -> Result<Self> {
        let refused = |found: &str| Error::Kind {
            path: input_name(path).into_owned().into(),
            found: found.into(),
            expected: expected.into(),
        };
        if is_standard(path) {
            return Err(refused("standard input"));
        }
        let ShapeFormat::Mesh(format) = ShapeFormat::of_path(path)? else {
            return Err(refused("points"));
        };
        if let Some(name) = name {
            return read_named_faces(path, name).map(Surface::Faces);
        }
        use MeshFormat as M;
        match format {
            M::Vtk | M::Vtu | M::Msh | M::Mesh | M::Inp => {
                Ok(Surface::Faces(read_faces(path)?.mesh))
            }
            _ => match read_shape(path)? {
                Shape::Surface(loaded) => Ok(Surface::Triangles(loaded.mesh)),
                Shape::Particles(_) | Shape::Points(_) => Err(refused("points")),
            },
        }
    }

    /// Whether all faces are segments, so that the surface is the boundary of a body in the plane.
    pub fn is_curve(&self) -> bool {
        match self {
            Surface::Triangles(_) => false,
            Surface::Faces(mesh) => mesh.kinds().iter().all(|kind| kind.dimension() == 1),
        }
    }

    /// Returns each kind of face that occurs, with the number of its faces.
    pub fn kinds(&self) -> Vec<(FaceKind, usize)> {
        match self {
            Surface::Triangles(mesh) => vec![(FaceKind::Tri3, mesh.faces().len())],
            Surface::Faces(mesh) => {
                let count = |kind| mesh.kinds().iter().filter(|&&k| k == kind).count();
                let all = FaceKind::ALL.map(|kind| (kind, count(kind)));
                all.into_iter().filter(|(_, count)| *count > 0).collect()
            }
        }
    }

    /// Returns the number of faces.
    pub fn len(&self) -> usize {
        match self {
            Surface::Triangles(mesh) => mesh.faces().len(),
            Surface::Faces(mesh) => mesh.len(),
        }
    }

    /// Whether there are no faces.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
