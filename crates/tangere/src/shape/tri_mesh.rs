//! Triangle mesh: vertices and triangles, validated.

use crate::error::{Argument, Error, Result};
use crate::geometry::{Aabb, Similarity, check_points, flushed};
use rayon::prelude::*;

/// A triangle mesh, validated: predicates are exact on its coordinates, indices are in range, there
/// is at least one triangle, and the AABB of the vertices is not a single point. Other defects of
/// the surface are reported ([`TriMesh::report`]), not rejected.
#[derive(Clone, Debug, PartialEq)]
pub struct TriMesh {
    vertices: Vec<[f64; 3]>,
    faces: Vec<[u32; 3]>,
}

impl TriMesh {
    /// Returns a triangle mesh exactly as given: nothing is welded, dropped or reoriented.
    pub fn new(vertices: Vec<[f64; 3]>, faces: Vec<[u32; 3]>) -> Result<Self> {
        if vertices.len() > u32::MAX as usize || faces.len() > (u32::MAX / 3) as usize {
            return Err(Error::argument(
                Argument::Mesh,
                format!("{} vertices and {} faces", vertices.len(), faces.len()),
                "at most 4294967295 vertices and 1431655765 faces",
            ));
        }
        check_points(Argument::Vertex, &vertices)?;
        let count = vertices.len() as u32;
        if let Some(i) = faces.iter().position(|f| f.iter().any(|&v| v >= count)) {
            return Err(Error::item(
                Argument::Face,
                i,
                format!("vertices {:?}", faces[i]),
                format!("indices below {count}, the number of vertices"),
            ));
        }
        if faces.is_empty() {
            return Err(Error::argument(
                Argument::Mesh,
                "no triangles",
                "at least one triangle",
            ));
        }
        let mesh = Self { vertices, faces };
        let bounds = mesh.bounds();
        if bounds.min == bounds.max {
            return Err(Error::argument(
                Argument::Mesh,
                format!("all corners of triangles at {:?}", bounds.min),
                "a surface that has an extent",
            ));
        }
        Ok(mesh)
    }

    /// The vertices of the triangle mesh.
    pub fn vertices(&self) -> &[[f64; 3]] {
        &self.vertices
    }

    /// The triangles of the triangle mesh, three vertex indices each.
    pub fn faces(&self) -> &[[u32; 3]] {
        &self.faces
    }

    /// The coordinates of the corners of triangle `face` of the triangle mesh.
    #[inline]
    pub fn triangle(&self, face: usize) -> [[f64; 3]; 3] {
        let [a, b, c] = self.faces[face];
        let vertex = |v: u32| self.vertices[v as usize];
        [vertex(a), vertex(b), vertex(c)]
    }

    /// The AABB of the vertices of the triangle mesh that triangles use.
    pub fn bounds(&self) -> Aabb<3> {
        let corners = self.faces.as_flattened();
        Aabb::of_points(corners.iter().map(|&v| self.vertices[v as usize]))
    }

    /// Returns the triangle mesh moved by a similarity. If the similarity is a reflection, the
    /// triangles are reversed, so that normals still point outward. Coordinates too small for exact
    /// predicates become 0.
    pub fn transformed(&self, motion: &Similarity) -> Result<Self> {
        let moved = |&p: &[f64; 3]| flushed(motion.apply(p));
        let turned = |&[a, b, c]: &[u32; 3]| [a, c, b];
        let faces = match motion.mirrors() {
            true => self.faces.iter().map(turned).collect(),
            false => self.faces.clone(),
        };
        Self::new(self.vertices.par_iter().map(moved).collect(), faces)
    }

    /// Returns the vertices and the triangles of the triangle mesh.
    pub fn into_parts(self) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        (self.vertices, self.faces)
    }
}
