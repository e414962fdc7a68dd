//! Bodies and motions from files.

use crate::failure::Failure;
use crate::files::PointSource;
use std::path::Path;
use tangere::shape::{ConvexPolyhedron, TriMesh};
use tangere_io::{Shape, read_shape};

/// What a body is made of.
pub enum Given {
    Points(Vec<[f64; 3]>),
    Surface(TriMesh),
}

/// Reads points, or a surface if it is to be taken as it is.
pub fn read(path: &Path, faces: bool) -> Result<Given, Failure> {
    if !faces {
        let source = PointSource {
            path,
            format: None,
            is_planar: false,
        };
        return source.points().map(Given::Points).map_err(Failure::reading);
    }
    match read_shape(path).map_err(Failure::reading)? {
        Shape::Surface(loaded) => Ok(Given::Surface(loaded.mesh)),
        Shape::Particles(_) => Err(Failure::Input(format!(
            "{}: found particles, expected a surface, as --faces is given",
            path.display()
        ))),
    }
}

impl Given {
    /// The convex body, or why there is none.
    pub fn body(&self, path: &Path) -> Result<ConvexPolyhedron, Failure> {
        let body = match self {
            Given::Points(points) => ConvexPolyhedron::hull(points),
            Given::Surface(mesh) => ConvexPolyhedron::from_mesh(mesh),
        };
        body.map_err(|error| Failure::Input(format!("{}: {error}", path.display())))
    }
}
