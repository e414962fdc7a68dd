//! Polygon mesh as read from a file, before triangulation, welding and validation.

use crate::triangulate::Triangulation;
use tangere::Argument;
use tangere::shape::{TriMesh, distinct_points};

/// Vertices and polygons of a mesh file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygons {
    /// The coordinates of the vertices.
    pub vertices: Vec<[f64; 3]>,
    /// The vertex indices of all polygons, one polygon after another.
    pub indices: Vec<u32>,
    /// For each polygon the position in `indices` after its last vertex.
    pub ends: Vec<usize>,
    /// Names of the content of the file that a mesh does not keep: fields, normals, colours and so
    /// on.
    pub unkept: Vec<String>,
    /// Names of elements of the file that are not read, such as `edge` in a PLY file.
    pub unread: Vec<String>,
    /// The number of curved (quadratic) faces that were split at their nodes into polygons.
    pub curved: usize,
}

/// Splits an array of indices into consecutive lists; `ends` has the position after the last entry
/// of each. A list is empty if its end is before its start or out of range.
pub(crate) fn lists<'a>(indices: &'a [u32], ends: &'a [usize]) -> impl Iterator<Item = &'a [u32]> {
    let mut start = 0;
    ends.iter().map(move |&end| {
        let list = indices.get(start..end).unwrap_or_default();
        start = end;
        list
    })
}

impl Polygons {
    /// Returns the number of polygons.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no polygons.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the vertex indices of each polygon. A polygon has no vertices if its end is before
    /// its start or out of range.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        lists(&self.indices, &self.ends)
    }

    /// Triangulates the polygons. A polygon of `n` vertices becomes `n - 2` triangles of the same
    /// orientation; one of fewer than 3 vertices becomes none.
    ///
    /// A strictly convex polygon becomes a fan around its first vertex, any other is triangulated
    /// by ear clipping. No vertex is added. A non-planar polygon is triangulated in its projection
    /// along the coordinate axis nearest to its normal.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let only_triangles = self.indices.len() == 3 * self.ends.len()
            && self.ends.iter().zip(1..).all(|(&end, i)| end == 3 * i);
        if only_triangles {
            return self.indices.as_chunks().0.to_vec();
        }
        let mut triangles = Vec::with_capacity(self.indices.len());
        let mut triangulation = Triangulation::default();
        for polygon in self.iter() {
            triangulation.append(&self.vertices, polygon, &mut triangles);
        }
        triangles
    }

    /// Triangulates the polygons and merges coincident vertices. Returns the triangle mesh, and the
    /// number of vertices that were merged into others.
    pub fn into_mesh(self) -> tangere::Result<(TriMesh, usize)> {
        let mut faces = self.triangles();
        let count = self.vertices.len();
        // The mesh refuses indices out of range, so they are not welded.
        if count > u32::MAX as usize || faces.as_flattened().iter().any(|&v| v as usize >= count) {
            return Ok((TriMesh::new(self.vertices, faces)?, 0));
        }
        let (vertices, representative) = distinct_points(&self.vertices);
        drop(self.vertices);
        let welded = count - vertices.len();
        if welded > 0 {
            for vertex in faces.as_flattened_mut() {
                *vertex = representative[*vertex as usize];
            }
        }
        let mesh = TriMesh::new(vertices, faces).map_err(|mut error| {
            // The error names the vertex by its first index in the file.
            if let tangere::Error::Item { what, index, .. } = &mut error
                && *what == Argument::Vertex
            {
                let mut all = representative.iter();
                let first = all.position(|&other| other as usize == *index);
                *index = first.unwrap_or(*index);
            }
            error
        })?;
        Ok((mesh, welded))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Polygons {
        Polygons {
            vertices: vec![
                [0., 0., 0.],
                [1., 0., 0.],
                [-0., 0., 0.],
                [1., 1., 0.],
                [0., 1., 0.],
            ],
            indices: vec![0, 1, 3, 2, 3, 4],
            ends: vec![3, 6],
            ..Polygons::default()
        }
    }

    #[test]
    fn equal_vertices_become_one_and_nothing_else_changes() {
        let (mesh, welded) = square().into_mesh().unwrap();
        assert_eq!(welded, 1);
        assert_eq!(
            mesh.vertices(),
            [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]]
        );
        assert_eq!(mesh.faces(), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn errors_count_the_vertices_of_the_file() {
        let mut polygons = square();
        polygons.vertices[3][2] = 1e100;
        let error = polygons.into_mesh().unwrap_err().to_string();
        assert!(
            error.starts_with("vertex 3: found [1.0, 1.0, 1e100]"),
            "{error}"
        );
    }

    #[test]
    fn indices_and_ends_that_lie_are_errors_or_nothing() {
        let mut polygons = square();
        polygons.indices[5] = 9;
        let error = polygons.into_mesh().unwrap_err().to_string();
        assert!(error.starts_with("face 1"), "{error}");
        let mut polygons = square();
        polygons.ends = vec![3, usize::MAX, 1, 6];
        assert_eq!(
            polygons.iter().map(<[u32]>::len).collect::<Vec<_>>(),
            [3, 0, 0, 5]
        );
        assert!(polygons.into_mesh().is_ok());
    }
}
