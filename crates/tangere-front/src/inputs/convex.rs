//! Reader of convex bodies: convex hulls of points, or convex surfaces.

use super::points::PointSource;
use std::path::Path;
use tangere::shape::{ConvexPolyhedron, TriMesh};
use tangere_io::{Error, Result, Shape, read_shape};

/// What a convex body is made from: points or a surface.
pub enum ConvexSource {
    /// Points; the body is their convex hull.
    Points(Vec<[f64; 3]>),
    /// A convex surface, used without taking its hull.
    Surface(TriMesh),
}

impl ConvexSource {
    /// Reads from a file what a convex body is made from. With `as_is` that is the surface,
    /// otherwise the points of a point cloud or the vertices of a surface.
    ///
    /// # Errors
    /// When the file cannot be read, or has particles where a surface is needed.
    pub fn read(path: &Path, as_is: bool) -> Result<Self> {
        if !as_is {
            return PointSource::of(path).points().map(Self::Points);
        }
        match read_shape(path)? {
            Shape::Surface(loaded) => Ok(Self::Surface(loaded.mesh)),
            Shape::Particles(_) | Shape::Points(_) => Err(Error::Kind {
                path: path.to_owned(),
                found: "particles".into(),
                expected: "a surface, to be taken as it is".into(),
            }),
        }
    }

    /// Returns the convex body; `path` names the file in errors.
    ///
    /// # Errors
    /// When there are no points, or the surface is not convex.
    pub fn body(&self, path: &Path) -> Result<ConvexPolyhedron> {
        let body = match self {
            Self::Points(points) => ConvexPolyhedron::hull(points),
            Self::Surface(mesh) => ConvexPolyhedron::from_mesh(mesh),
        };
        body.map_err(|source| Error::Shape {
            path: path.to_owned(),
            source,
        })
    }
}
