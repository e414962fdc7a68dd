//! Finite element faces of a body: nodes, edges, and control points whose convex hull contains each
//! face.
//!
//! A face lies in the convex hull of its Bernstein control points, which are linear in its nodes:
//! if nodes move linearly, so do control points. So a hierarchy over control points contains the
//! faces, rigid or deforming.

use crate::contact::Feature;
use crate::geometry::vector::{largest, minus};
use crate::geometry::{TriangleFeature, flushed};
use crate::shape::{Face, FaceKind, FaceMesh};

use super::gap_bound::U;

/// Upper bound of the rounding error of the control points of a face, relative to its size. A
/// control point of a biquadratic face is a weighted sum over nine nodes, in ten operations; the
/// magnitudes of the weights sum to 9.
const ROUNDING: f64 = 128.0 * U;

/// The finite element faces of a body.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    kinds: Vec<FaceKind>,
    starts: Vec<u32>,
    indices: Vec<u32>,
    /// For each finite element face, the indices in the mesh of its three or four edges; the fourth
    /// is 0 if there are three. Edge `k` goes from corner `k` of the face to the next corner.
    edges: Vec<[u32; 4]>,
}

/// The control points of a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Controls {
    points: [[f64; 3]; FaceKind::NODES_MAX],
    count: usize,
}

impl AsRef<[[f64; 3]]> for Controls {
    fn as_ref(&self) -> &[[f64; 3]] {
        &self.points[..self.count]
    }
}

impl Elements {
    /// The finite element faces of a body, from their mesh. Each edge gets an index.
    pub(super) fn new(mesh: &FaceMesh) -> Self {
        let topology = mesh.topology();
        let edges_of = |face: usize| {
            let corners = mesh.kind(face).corners();
            std::array::from_fn(|k| match k < corners {
                true => topology.edge_of(face, k) as u32,
                false => 0,
            })
        };
        Elements {
            kinds: mesh.kinds().to_vec(),
            starts: mesh.starts().to_vec(),
            indices: mesh.indices().to_vec(),
            edges: (0..mesh.len()).map(edges_of).collect(),
        }
    }

    /// The number of finite element faces of a body.
    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The kinds of all finite element faces of a body.
    pub(super) fn kinds(&self) -> &[FaceKind] {
        &self.kinds
    }

    /// The node indices of all finite element faces of a body, one face after the other.
    pub(super) fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// The kind of a finite element face of a body.
    #[inline]
    pub(super) fn kind(&self, face: u32) -> FaceKind {
        self.kinds[face as usize]
    }

    /// The node indices of a finite element face of a body.
    #[inline]
    pub(super) fn nodes_of(&self, face: u32) -> &[u32] {
        let face = face as usize;
        &self.indices[self.starts[face] as usize..self.starts[face + 1] as usize]
    }

    /// Whether two finite element faces of a body have a node in common.
    pub(super) fn are_neighbors(&self, faces: [u32; 2]) -> bool {
        let [a, b] = faces.map(|f| self.nodes_of(f));
        a.iter().any(|node| b.contains(node))
    }

    /// The node indices of the first three corners of each finite element face of a body.
    pub(super) fn corners(&self) -> Vec<[u32; 3]> {
        let of = |f: u32| {
            let nodes = self.nodes_of(f);
            [nodes[0], nodes[1], nodes[2]]
        };
        (0..self.len() as u32).map(of).collect()
    }

    /// The control points of a finite element face of a body. `value` returns the position or the
    /// velocity of a node; the control points are then positions or velocities too.
    pub(super) fn controls(&self, face: u32, value: impl Fn(u32) -> [f64; 3]) -> Controls {
        let nodes = self.nodes_of(face);
        // Values are relative to the first node, to keep digits far from the origin.
        let origin = value(nodes[0]);
        let mut moved = [[0.0; 3]; FaceKind::NODES_MAX];
        for (point, &node) in moved.iter_mut().zip(nodes) {
            *point = minus(value(node), origin);
        }
        let about = Face::from_valid(self.kind(face), &moved[..nodes.len()]).control_points();
        let mut controls = Controls {
            points: [[0.0; 3]; FaceKind::NODES_MAX],
            count: about.as_slice().len(),
        };
        for (point, p) in controls.points.iter_mut().zip(about.as_slice()) {
            *point = flushed(std::array::from_fn(|k| origin[k] + p[k]));
        }
        controls
    }

    /// Upper bound of the rounding error of the control points of all finite element faces of a
    /// body. `value` returns the position or the velocity of a node.
    pub(super) fn margin(&self, value: impl Fn(u32) -> [f64; 3]) -> f64 {
        let mut margin: f64 = 0.0;
        for face in 0..self.len() as u32 {
            let nodes = self.nodes_of(face);
            let origin = value(nodes[0]);
            let (mut size, mut far) = (0.0_f64, 0.0_f64);
            for &node in nodes {
                let p = value(node);
                size = size.max(largest(minus(p, origin)));
                far = far.max(largest(p));
            }
            margin = margin.max(ROUNDING * size + 16.0 * U * far);
        }
        margin
    }

    /// Converts feature `on` of a finite element face of a body (a corner, an edge or the interior)
    /// to a feature of the mesh: a vertex, edge or face with its index in the mesh.
    pub(super) fn feature(&self, face: u32, on: TriangleFeature) -> Feature {
        match on {
            TriangleFeature::Vertex(k) => Feature::vertex(self.nodes_of(face)[usize::from(k)]),
            TriangleFeature::Edge(k) => Feature::edge(self.edges[face as usize][usize::from(k)]),
            TriangleFeature::Face => Feature::face(face),
        }
    }
}
