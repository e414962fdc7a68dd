//! BVH nodes of a body as the search for contacts stores them: each has a box, whose centre and
//! half sizes load into SIMD lanes, and a ball.

use super::super::hierarchy::Hierarchy;
use crate::geometry::vector::dot;
use crate::simd::LANES;

/// A BVH node as the search for contacts stores it: a box, a ball, and its children or its face.
#[derive(Clone, Copy, Debug)]
pub(super) struct BvhNode {
    /// The box of the node: centre in elements 0 to 2, half sizes in 3 to 5, radius in 6; half
    /// sizes and radius are rounded up. They are in one row, so that the rows of eight nodes are
    /// transposed into SIMD lanes.
    pub(super) row: [f64; LANES],
    pub(super) ball_center: [f64; 3],
    pub(super) ball_radius: f64,
    /// Index of the first child of the node; if the node is a leaf, index of its face.
    pub(super) first: u32,
    pub(super) count: u32,
}

impl BvhNode {
    /// The centre of the box of a BVH node.
    pub(super) fn center(&self) -> [f64; 3] {
        [self.row[0], self.row[1], self.row[2]]
    }

    /// The half sizes of the box of a BVH node, rounded up.
    pub(super) fn half(&self) -> [f64; 3] {
        [self.row[3], self.row[4], self.row[5]]
    }

    /// The radius of the box of a BVH node about its centre: half its diagonal.
    #[inline]
    pub(super) fn radius(&self) -> f64 {
        self.row[6]
    }

    /// Whether a BVH node is a leaf.
    #[inline]
    pub(super) fn is_leaf(&self) -> bool {
        self.count == 0
    }
}

/// Converts the nodes of a hierarchy to BVH nodes as the search for contacts stores them. Half
/// sizes of boxes and radii of balls are enlarged by `margin`.
pub(super) fn bvh_nodes_of(hierarchy: &Hierarchy, margin: f64, parts: &mut Vec<BvhNode>) {
    let outward = |x: f64| x * (1.0 + 4.0 * f64::EPSILON);
    let part = |node: &super::super::hierarchy::Node| {
        let (min, max) = (node.bounds.min, node.bounds.max);
        let center: [f64; 3] = std::array::from_fn(|k| 0.5 * min[k] + 0.5 * max[k]);
        let half: [f64; 3] =
            std::array::from_fn(|k| outward((max[k] - center[k]).max(center[k] - min[k]) + margin));
        let ([x, y, z], [i, j, k]) = (center, half);
        BvhNode {
            row: [x, y, z, i, j, k, outward(dot(half, half).sqrt()), 0.0],
            ball_center: node.ball.center,
            ball_radius: match margin > 0.0 {
                true => outward(node.ball.radius + margin),
                false => node.ball.radius,
            },
            first: node.first,
            count: node.count,
        }
    };
    parts.clear();
    parts.extend(hierarchy.nodes().iter().map(part));
}
