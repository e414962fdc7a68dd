//! Near features: the vertices, edges and faces of a convex body near one of its support planes.

use crate::geometry::vector::{dot, minus};
use crate::shape::ConvexPolyhedron;

/// The vertices, edges and faces of a body near one of its support planes, by their indices.
#[derive(Clone, Debug, Default)]
pub(super) struct NearFeatures {
    pub vertices: Vec<u32>,
    pub edges: Vec<u32>,
    pub faces: Vec<u32>,
}

impl NearFeatures {
    /// Replaces the near features by the vertex `v` and all edges and faces at it.
    pub fn find_next_to(&mut self, shape: &ConvexPolyhedron, v: u32) {
        self.vertices.clear();
        self.edges.clear();
        self.faces.clear();
        self.vertices.push(v);
        for &h in shape.outgoing(v) {
            let half_edge = shape.half_edge(h);
            self.edges.push(half_edge.edge);
            if half_edge.face != ConvexPolyhedron::NO_FACE {
                self.faces.push(half_edge.face);
            }
        }
        self.edges.sort_unstable();
        self.faces.sort_unstable();
    }

    /// Replaces the near features by those within `band` of the support plane in the direction
    /// `way`. Only features count that a path over such vertices and edges connects to `v`, the
    /// farthest vertex in that direction.
    pub fn find(&mut self, shape: &ConvexPolyhedron, v: u32, way: [f64; 3], band: f64) {
        self.vertices.clear();
        self.edges.clear();
        self.faces.clear();
        let top = shape.local(v);
        let near = |k: u32| dot(way, minus(top, shape.local(k))) <= band;
        self.vertices.push(v);
        let mut at = 0;
        while at < self.vertices.len() {
            for &k in shape.neighbours(self.vertices[at]) {
                if near(k) && !self.vertices.contains(&k) {
                    self.vertices.push(k);
                }
            }
            at += 1;
        }
        // The order must not depend on where hill climbing ended.
        self.vertices.sort_unstable();
        for &k in &self.vertices {
            for (&l, &h) in shape.neighbours(k).iter().zip(shape.outgoing(k)) {
                let half_edge = shape.half_edge(h);
                if k < l && near(l) {
                    self.edges.push(half_edge.edge);
                }
                let face = half_edge.face;
                if face != ConvexPolyhedron::NO_FACE
                    && near(l)
                    && !self.faces.contains(&face)
                    && shape.face_vertices(face).all(near)
                    && dot(way, shape.normal(face)) > 0.0
                {
                    self.faces.push(face);
                }
            }
        }
        self.edges.sort_unstable();
        self.faces.sort_unstable();
    }
}
