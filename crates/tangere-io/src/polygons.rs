//! What every mesh reader produces: vertices and polygons, before they are
//! triangulated, welded and validated.

use crate::triangulate::Triangulation;
use tangere::shape::{TriMesh, distinct_points};

/// Vertices and polygons as a file has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygons {
    /// The vertices.
    pub vertices: Vec<[f64; 3]>,
    /// The vertex indices of all polygons, one polygon after another.
    pub indices: Vec<u32>,
    /// Where each polygon ends in `indices`; its length is the number of polygons.
    pub ends: Vec<usize>,
}

impl Polygons {
    /// The number of polygons.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The vertex indices of each polygon. Ends that decrease or lie beyond the
    /// indices give a polygon without vertices.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let polygon = self.indices.get(start..end).unwrap_or_default();
            start = end;
            polygon
        })
    }

    /// The polygons as triangles, `n - 2` for a polygon of `n` vertices and none
    /// for one of fewer than 3, with the orientation of the polygon.
    ///
    /// A strictly convex polygon is cut from its first vertex, any other at its
    /// ears. No vertex is added, so a polygon that is not flat becomes the
    /// surface over the triangulation of its projection.
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

    /// The mesh of the triangles, in which vertices at the same place are one,
    /// and how many vertices that saved.
    pub fn into_mesh(self) -> tangere::Result<(TriMesh, usize)> {
        let mut faces = self.triangles();
        let count = self.vertices.len();
        // The mesh refuses what follows; a weld would have to number it first.
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
        Ok((TriMesh::new(vertices, faces)?, welded))
    }
}
