//! Bernstein form of finite element faces: control points, whose convex hull contains the face.
//!
//! The hull of the nodes does not contain a curved face: a parabola leaves the hull of three of its
//! points. The hull of its control points does, since Bernstein polynomials are positive and add up
//! to 1. Control points have the order of the nodes: control point `k` belongs to the corner, edge
//! or centre of node `k`. They are linear in the nodes, with dyadic coefficients, so only sums
//! round. With the corners `c_i`, the midside nodes `m_i` (between `c_i` and `c_(i+1)`) and the
//! centre node `z`, the control points `C_i`, `M_i` and `Z` of corners, edges and centre are
//!
//! ```text
//! corner       C_i = c_i
//! edge         M_i = 2 m_i - (c_i + c_(i+1)) / 2
//! Quad9        Z   = 4 z - sum m_i + sum c_i / 4
//! Quad8        Z   = sum m_i - 3/4 sum c_i
//! ```
//!
//! The middle of an edge is `(C_i + 2 M_i + C_(i+1)) / 4 = m_i`, and that of a quadrilateral
//! `sum C_i / 16 + sum M_i / 8 + Z / 4 = z`, which give the rows. `Quad8` is the biquadratic face
//! with `z = sum m_i / 2 - sum c_i / 4`. Linear kinds have their nodes as control points.

use super::{Face, FaceKind};
use crate::geometry::vector::largest;
use crate::geometry::{Aabb, Ball};

/// A bound of the rounding error of a control point, and of bounds computed from it, relative to
/// the largest coordinate of the nodes. The coefficients of the central control point have
/// magnitudes of sum 9 for `Quad9` and 7 for `Quad8`, those of other control points less, and none
/// takes more than ten operations: errors are below `90 u`, with `u` half an epsilon. Twice that,
/// `90 * EPSILON`, also covers the rounding when the margin itself is added.
const MARGIN: f64 = 90.0 * f64::EPSILON;

/// The control points of the Bernstein form of a face, in the order of its nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControlPoints {
    pub(super) points: [[f64; 3]; FaceKind::NODES_MAX],
    pub(super) count: usize,
}

impl ControlPoints {
    /// Returns the control points of the Bernstein form as a slice; those of [`FaceKind::Quad8`]
    /// are nine.
    #[inline]
    pub fn as_slice(&self) -> &[[f64; 3]] {
        &self.points[..self.count]
    }
}

impl Face {
    /// Returns the control points of the Bernstein form of the face, rounded: the error of each
    /// coordinate is that of a few additions.
    #[inline]
    pub fn control_points(&self) -> ControlPoints {
        let kind = self.kind();
        let nodes = self.nodes();
        let mut points = [[0.0; 3]; FaceKind::NODES_MAX];
        points[..nodes.len()].copy_from_slice(nodes);
        let mut count = nodes.len();
        if kind.degree() == 2 {
            let n = kind.corners();
            if n == 2 {
                points[2] = on_edge(nodes[0], nodes[2], nodes[1]);
            } else {
                for i in 0..n {
                    points[n + i] = on_edge(nodes[i], nodes[n + i], nodes[(i + 1) % n]);
                }
            }
            if n == 4 {
                count = 9;
                points[8] = std::array::from_fn(|k| {
                    let sum = |from: usize| {
                        (nodes[from][k] + nodes[from + 2][k])
                            + (nodes[from + 1][k] + nodes[from + 3][k])
                    };
                    let (corners, middles) = (sum(0), sum(4));
                    match kind {
                        FaceKind::Quad9 => 4.0 * nodes[8][k] - middles + 0.25 * corners,
                        _ => middles - 0.75 * corners,
                    }
                });
            }
        }
        ControlPoints { points, count }
    }

    /// Returns an AABB of the face: that of its Bernstein control points, rounded outward; for
    /// linear kinds exactly that of the nodes.
    #[inline]
    pub fn bounds(&self) -> Aabb<3> {
        let mut bounds = Aabb::of_points(self.control_points().as_slice().iter().copied());
        if self.kind().degree() == 2 {
            for k in 0..3 {
                let size = self.nodes().iter().fold(0.0, |m: f64, p| m.max(p[k].abs()));
                let margin = MARGIN * size;
                bounds.min[k] -= margin;
                bounds.max[k] += margin;
            }
        }
        bounds
    }

    /// Returns a bounding sphere of the face: one of its Bernstein control points, with the radius
    /// rounded outward.
    pub fn ball(&self) -> Ball<3> {
        let points = self.control_points();
        let mut ball = Ball::of_points(points.as_slice()).unwrap_or(Ball {
            center: [0.0; 3],
            radius: f64::INFINITY,
        });
        if self.kind().degree() == 2 {
            let size = self
                .nodes()
                .iter()
                .fold(0.0, |m: f64, &p| m.max(largest(p)));
            // The error of a point is at most sqrt(3) times that of a coordinate.
            ball.radius = (ball.radius + 2.0 * MARGIN * size).next_up();
        }
        ball
    }
}

/// Returns the middle control point of the Bernstein form of an edge, the parabola from `a` through
/// `middle` to `b`.
#[inline]
fn on_edge(a: [f64; 3], middle: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| 2.0 * middle[k] - 0.5 * (a[k] + b[k]))
}
