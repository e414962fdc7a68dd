//! Relative frame: two convex bodies in the axes of the first.
//!
//! The origin is the center of the first body, so no digits are lost if a body is far from its own
//! origin, or both bodies are far from the origin of the world.

use super::posed::Posed;
use crate::geometry::Pose;
use crate::geometry::vector::dot;
use crate::shape::ConvexPolyhedron;

/// Bodies `a` and `b` in the axes of `a`, with the center of `a` as origin.
#[derive(Clone, Copy)]
pub(super) struct RelativeFrame<'s> {
    pub a: &'s ConvexPolyhedron,
    pub b: &'s ConvexPolyhedron,
    pub pose_a: &'s Pose,
    pub pose_b: &'s Pose,
    /// The rows of the rotation from the axes of `b` to those of `a`.
    pub rotation: [[f64; 3]; 3],
    /// The center of `b` in the axes of `a`, relative to the center of `a`.
    pub shift: [f64; 3],
    /// The scale to which rounding errors are relative: the radii of both bodies plus the distance
    /// of their centers ([`Posed::scale_with`]). No coordinate of a body in this frame is larger.
    pub scale: f64,
}

impl<'s> RelativeFrame<'s> {
    /// The relative frame of two convex bodies, in the axes of `a`.
    pub fn new(a: Posed<'s>, b: Posed<'s>) -> Self {
        let (ma, mb) = (a.pose.rotation_matrix(), b.pose.rotation_matrix());
        let between = a.way_to(&b, a.turned_center(), b.turned_center());
        let mut rotation = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                rotation[i][j] = ma[0][i] * mb[0][j] + ma[1][i] * mb[1][j] + ma[2][i] * mb[2][j];
            }
        }
        let shift = transposed_times(&ma, between);
        Self {
            a: a.shape,
            b: b.shape,
            pose_a: a.pose,
            pose_b: b.pose,
            rotation,
            shift,
            scale: a.scale_with(&b, between),
        }
    }

    /// Both convex bodies of the relative frame with their poses.
    #[inline]
    pub fn bodies(&self) -> [Posed<'s>; 2] {
        let (a, b) = (self.a, self.b);
        let (pose_a, pose_b) = (self.pose_a, self.pose_b);
        [
            Posed {
                shape: a,
                pose: pose_a,
            },
            Posed {
                shape: b,
                pose: pose_b,
            },
        ]
    }

    /// The relative frame of the two convex bodies in exchanged order, in the axes of `b`.
    pub fn swapped(&self) -> Self {
        let m = &self.rotation;
        let back = transposed_times(m, self.shift);
        Self {
            a: self.b,
            b: self.a,
            pose_a: self.pose_b,
            pose_b: self.pose_a,
            rotation: std::array::from_fn(|i| std::array::from_fn(|j| m[j][i])),
            shift: back.map(|x| 0.0 - x),
            scale: self.scale,
        }
    }

    /// The position of vertex `i` of the convex body `a` in the relative frame.
    #[inline]
    pub fn vertex_a(&self, i: u32) -> [f64; 3] {
        self.a.local(i)
    }

    /// The position of vertex `j` of the convex body `b` in the relative frame.
    #[inline]
    pub fn vertex_b(&self, j: u32) -> [f64; 3] {
        self.in_axes_of_a(self.b.local(j))
    }

    /// The position in the relative frame of a point of the convex body `b` that is given in the
    /// axes of `b`, relative to its center.
    #[inline]
    pub fn in_axes_of_a(&self, p: [f64; 3]) -> [f64; 3] {
        let turned = self.turned(p);
        std::array::from_fn(|k| turned[k] + self.shift[k])
    }

    /// Rotates a direction from the axes of the convex body `b` to those of `a`, the axes of the
    /// relative frame.
    #[inline]
    pub fn turned(&self, v: [f64; 3]) -> [f64; 3] {
        self.rotation.map(|row| dot(row, v))
    }

    /// Rotates a direction of the relative frame, in the axes of the convex body `a`, to the axes
    /// of `b`.
    #[inline]
    pub fn turned_back(&self, v: [f64; 3]) -> [f64; 3] {
        transposed_times(&self.rotation, v)
    }
}

/// The product of a vector and the transpose of the rotation of a relative frame of convex bodies,
/// which is given by its rows.
#[inline]
fn transposed_times(m: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| m[0][k] * v[0] + m[1][k] * v[1] + m[2][k] * v[2])
}
