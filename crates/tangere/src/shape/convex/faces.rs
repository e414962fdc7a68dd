//! Convex bodies and surfaces of triangles.

use super::ConvexPolyhedron;
use crate::error::Result;
use crate::shape::TriMesh;

impl ConvexPolyhedron {
    /// The surface as triangles: each face is a fan from its vertex of lowest
    /// number. Vertices keep their numbers.
    ///
    /// # Errors
    /// If the polyhedron is a point or a segment, or its coordinates are beyond
    /// the range of [`TriMesh`].
    pub fn to_mesh(&self) -> Result<TriMesh> {
        TriMesh::new(self.vertices.clone(), self.triangles().collect())
    }
}
