//! Geometry of one finite element face: points, tangents, second derivatives and normals. All are
//! functions of the reference coordinates `xi`; `x(xi)` is the point of the face.

use super::FaceKind;
use super::shape_functions::{Basis, with_basis};
use crate::error::{Argument, Error, Result};
use crate::geometry::check_points;
use crate::geometry::vector::{cross, direction};

/// The second tangent of segments, the unit vector of `z`. The cross product with it makes the
/// normal of a segment point to the right of its direction: outward if a boundary runs
/// counterclockwise.
const UPWARD: [f64; 3] = [0.0, 0.0, 1.0];

/// A finite element face, given by the coordinates of its nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    kind: FaceKind,
    nodes: [[f64; 3]; FaceKind::NODES_MAX],
}

/// Returns the sum of the nodes of a face times their weights, added from the first node to the
/// last.
#[inline]
fn combined<const N: usize>(nodes: &[[f64; 3]], weights: &[f64; N]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (node, weight) in nodes.iter().zip(weights) {
        for k in 0..3 {
            sum[k] += weight * node[k];
        }
    }
    sum
}

/// Returns component `k` of the weights of each node of a face: for instance the derivative of its
/// shape function along axis `k`.
#[inline]
fn column<const N: usize, const K: usize>(weights: &[[f64; K]; N], k: usize) -> [f64; N] {
    std::array::from_fn(|i| weights[i][k])
}

impl Face {
    /// Returns a finite element face from the coordinates of its nodes.
    ///
    /// # Errors
    /// When there are not as many nodes as the kind has, or a coordinate is not valid.
    pub fn new(kind: FaceKind, nodes: &[[f64; 3]]) -> Result<Self> {
        if nodes.len() != kind.nodes() {
            return Err(Error::argument(
                Argument::Face,
                format!("a {kind} with {} nodes", nodes.len()),
                format!("{} nodes", kind.nodes()),
            ));
        }
        check_points(Argument::Node, nodes)?;
        Ok(Self::from_valid(kind, nodes))
    }

    /// Returns a finite element face from valid nodes, as many as the kind has.
    #[inline]
    pub(crate) fn from_valid(kind: FaceKind, nodes: &[[f64; 3]]) -> Self {
        let mut all = [[0.0; 3]; FaceKind::NODES_MAX];
        all[..nodes.len()].copy_from_slice(nodes);
        Face { kind, nodes: all }
    }

    /// The kind of the finite element face.
    #[inline]
    pub fn kind(&self) -> FaceKind {
        self.kind
    }

    /// The coordinates of the nodes of the finite element face.
    #[inline]
    pub fn nodes(&self) -> &[[f64; 3]] {
        &self.nodes[..self.kind.nodes()]
    }

    /// Returns the point of the finite element face at the reference coordinates `xi`.
    #[inline]
    pub fn point(&self, xi: [f64; 2]) -> [f64; 3] {
        with_basis!(self.kind, B => combined(&self.nodes, &B::values(xi)))
    }

    /// Returns the tangents of the face: the derivatives of `x` along both coordinates of `xi`. The
    /// second one of a segment is the unit vector of `z`.
    #[inline]
    pub fn tangents(&self, xi: [f64; 2]) -> [[f64; 3]; 2] {
        with_basis!(self.kind, B => {
            let gradients = B::gradients(xi);
            let along = |axis| combined(&self.nodes, &column(&gradients, axis));
            let second = if self.kind.dimension() == 1 { UPWARD } else { along(1) };
            [along(0), second]
        })
    }

    /// Returns the second derivatives of the points `x` of the face: twice along the first
    /// coordinate of `xi`, along both, twice along the second.
    #[inline]
    pub fn second_derivatives(&self, xi: [f64; 2]) -> [[f64; 3]; 3] {
        with_basis!(self.kind, B => {
            let hessians = B::hessians(xi);
            std::array::from_fn(|k| combined(&self.nodes, &column(&hessians, k)))
        })
    }

    /// Returns the cross product of both tangents of the face: the normal times the ratio of areas
    /// on the face and in the reference domain.
    #[inline]
    pub fn area_normal(&self, xi: [f64; 2]) -> [f64; 3] {
        let [u, v] = self.tangents(xi);
        cross(u, v)
    }

    /// Returns the unit normal of the face; none where it has no tangent plane.
    #[inline]
    pub fn normal(&self, xi: [f64; 2]) -> Option<[f64; 3]> {
        let [u, v] = self.tangents(xi);
        direction(cross(direction(u)?, direction(v)?))
    }
}
