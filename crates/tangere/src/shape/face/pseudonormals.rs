//! Angle-weighted pseudonormals on edges and nodes of a mesh of finite element faces.
//!
//! Where faces meet at an angle, the closest point to a query point may lie on an edge or a node.
//! The sign of the distance then follows not from the normal of one face but from the sum of the
//! normals of all faces there, each weighted by its angle (J. A. Bærentzen, H. Aanæs, *Signed
//! distance computation using the angle weighted pseudonormal*, 2005). Only the tangent cones at
//! the closest point matter, so the theorem holds for curved faces with tangents and normals taken
//! at that point: on an edge each face has the angle π; at a corner it is the angle between its two
//! edges.

use super::{FaceMesh, FaceTopology};
use crate::geometry::vector::{cross, direction, dot};
use libm::atan2;
use rayon::prelude::*;

impl FaceMesh {
    /// Returns the angle-weighted pseudonormal of each node of the mesh: the direction of the sum
    /// of the normals of the faces around the node, each times the angle of the face at the node.
    /// It is zero if no face around the node has a normal, or if the sum is zero.
    pub fn node_normals(&self, topology: &FaceTopology) -> Vec<[f64; 3]> {
        let nodes = (0..self.nodes().len()).into_par_iter();
        nodes.map(|node| self.node_normal(topology, node)).collect()
    }

    /// Returns the angle-weighted pseudonormal of one node, as [`FaceMesh::node_normals`] does for
    /// all.
    pub fn node_normal(&self, topology: &FaceTopology, node: usize) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for &face in topology.faces_around(node) {
            let face = face as usize;
            let nodes = self.nodes_of(face);
            let Some(k) = nodes.iter().position(|&other| other as usize == node) else {
                continue;
            };
            let (weight, normal) = self.weighted_normal(face, k);
            for axis in 0..3 {
                sum[axis] += weight * normal[axis];
            }
        }
        direction(sum).unwrap_or([0.0; 3])
    }

    /// Returns the pseudonormal at a point on an edge of a face: the direction of the sum of the
    /// normals of all faces around the edge. It is zero if the sum is zero or no face has a normal
    /// there. `place` is the parameter of the point along the edge, from 0 at its first corner to 1
    /// at the next. Faces that share both corners of the edge but not its midside node count too,
    /// at the same parameter.
    pub fn edge_normal(
        &self,
        topology: &FaceTopology,
        face: usize,
        edge: usize,
        place: f64,
    ) -> [f64; 3] {
        let here = self.kind(face).edge(edge).0.map(|k| self.nodes_of(face)[k]);
        let around = topology.edge(topology.edge_of(face, edge));
        let mut sum = [0.0; 3];
        for side in around.sides {
            let (other, edge) = (side.face as usize, side.edge as usize);
            let kind = self.kind(other);
            let start = self.nodes_of(other)[kind.edge(edge).0[0]];
            let place = if start == here[0] { place } else { 1.0 - place };
            let normal = self.face(other).normal(kind.on_edge(edge, place));
            for (axis, x) in normal.unwrap_or_default().into_iter().enumerate() {
                sum[axis] += x;
            }
        }
        direction(sum).unwrap_or([0.0; 3])
    }

    /// Returns the contribution of a face to the pseudonormal at its node `k`: the angle of the
    /// face there (π if the node is not a corner), and its normal.
    fn weighted_normal(&self, face: usize, k: usize) -> (f64, [f64; 3]) {
        let kind = self.kind(face);
        let face = self.face(face);
        let xi = kind.node_coordinates()[k];
        let Some(normal) = face.normal(xi) else {
            return (0.0, [0.0; 3]);
        };
        // Ends of segments and nodes that are not corners have the angle of half planes; the centre
        // node belongs to no other face.
        if kind.dimension() == 1 || k >= kind.corners() {
            return (std::f64::consts::PI, normal);
        }
        let corners = kind.node_coordinates();
        let n = kind.corners();
        let [u, v] = face.tangents(xi);
        // Returns the direction of an edge that leaves the corner.
        let along = |other: usize| {
            let d: [f64; 2] = std::array::from_fn(|i| corners[other][i] - xi[i]);
            direction(std::array::from_fn(|axis| d[0] * u[axis] + d[1] * v[axis]))
        };
        let (Some(a), Some(b)) = (along((k + 1) % n), along((k + n - 1) % n)) else {
            return (0.0, normal);
        };
        let product = cross(a, b);
        (atan2(dot(product, product).sqrt(), dot(a, b)), normal)
    }
}
