//! Pseudonormals: the sign of the distance to a closed triangle mesh, from the nearest point.
//!
//! If the nearest point is inside a triangle, the plane of the triangle gives the sign, exactly. On
//! an edge or at a vertex the angle-weighted pseudonormal gives it: the sum of the normals of the
//! faces there, each weighted by its angle (J. A. Bærentzen, H. Aanæs, *Signed distance computation
//! using the angle weighted pseudonormal*, 2005). The triangles must bound a solid; see
//! [`super::surface_sign`].

use super::surface_sign::Nearest;
use crate::geometry::triangle::unit_normal;
use crate::geometry::vector::{cross, dot, largest, minus};
use crate::geometry::{Sign, TriangleFeature, orient3d};
use crate::shape::{Edges, TriMesh};
use libm::atan2;

/// The share of the length of a way, and of one and the size of the pseudonormal, above which the
/// sign of their product is certain: 2^-20. The way has an error of up to 2^-22 of its length where
/// it is as short as callers allow; that of the pseudonormal, a sum of unit vectors, is far smaller.
const CLEAR: f64 = f64::from_bits((1023 - 20) << 52);

/// The angle-weighted pseudonormals of all edges and vertices of a triangle mesh, not normalised.
#[derive(Clone, Debug)]
pub(super) struct Pseudonormals {
    /// For each face the pseudonormals of its three edges. Edge `k` goes from corner `k` to the
    /// next.
    edges: Vec<[[f64; 3]; 3]>,
    /// The pseudonormal of each vertex.
    vertices: Vec<[f64; 3]>,
}

/// The edge vector `way` scaled to a largest coordinate of 1, so that the angles of pseudonormals
/// neither overflow nor underflow; 0 if it is 0.
fn scaled(way: [f64; 3]) -> [f64; 3] {
    let size = largest(way);
    if size > 0.0 {
        way.map(|x| x / size)
    } else {
        way
    }
}

impl Pseudonormals {
    /// The angle-weighted pseudonormals of a triangle mesh.
    pub fn new(mesh: &TriMesh) -> Self {
        let faces = mesh.faces();
        let normals: Vec<[f64; 3]> = (0..faces.len())
            .map(|f| unit_normal(mesh.triangle(f)).unwrap_or_default())
            .collect();
        let mut vertices = vec![[0.0; 3]; mesh.vertices().len()];
        for (f, face) in faces.iter().enumerate() {
            let corners = mesh.triangle(f);
            for k in 0..3 {
                let [p, q, r] = [0, 1, 2].map(|i| corners[(k + i) % 3]);
                let (u, v) = (scaled(minus(q, p)), scaled(minus(r, p)));
                let n = cross(u, v);
                let angle = atan2(dot(n, n).sqrt(), dot(u, v));
                let sum = &mut vertices[face[k] as usize];
                *sum = std::array::from_fn(|i| sum[i] + angle * normals[f][i]);
            }
        }
        let mut edges = vec![[[0.0; 3]; 3]; faces.len()];
        Edges::new(mesh.vertices().len(), faces).for_each(|_, _, around| {
            let mut sum = [0.0; 3];
            for &half_edge in around {
                let n = normals[half_edge as usize / 3];
                sum = std::array::from_fn(|k| sum[k] + n[k]);
            }
            for &half_edge in around {
                edges[half_edge as usize / 3][half_edge as usize % 3] = sum;
            }
        });
        Self { edges, vertices }
    }

    /// The sign of the distance of a point `p` to a triangle mesh, by pseudonormals: positive
    /// outside, negative inside, 0 on the surface. `way` is the vector from the point of the mesh
    /// nearest to `p` to `p`. `None` if rounding errors may change the sign.
    #[inline]
    pub fn sign(&self, p: [f64; 3], way: [f64; 3], nearest: &Nearest<'_>) -> Option<f64> {
        let face = nearest.face as usize;
        let normal = match nearest.closest.feature {
            TriangleFeature::Face => {
                let [a, b, c] = nearest.triangle;
                return Some(match orient3d(a, b, c, p) {
                    Sign::Positive => 1.0,
                    Sign::Negative => -1.0,
                    Sign::Zero => 0.0,
                });
            }
            TriangleFeature::Edge(k) => self.edges[face][usize::from(k)],
            TriangleFeature::Vertex(k) => self.vertices[nearest.vertices[usize::from(k)] as usize],
        };
        let height = dot(normal, way);
        let is_clear = height.abs() > CLEAR * nearest.distance * (1.0 + largest(normal));
        is_clear.then(|| if height > 0.0 { 1.0 } else { -1.0 })
    }
}
