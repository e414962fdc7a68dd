//! Relative pose of two packings: moves the spheres of packing `a` into the frame of packing `b`.
//!
//! Coordinates are taken relative to the middle of each packing's box, so that bodies far from the
//! origin keep their digits. With rotations `R`, translations `t` and middles `m`, a point
//! `m_a + p` of `a` lies at `R_a (m_a + p) + t_a` in the world and at
//!
//! ```text
//! R_b^T R_a p + T,   T = R_b^T (R_a m_a + (t_a - t_b)) - m_b
//! ```
//!
//! relative to the middle of `b`.

use crate::geometry::Pose;
use crate::shape::Packing;

/// The transform from the frame of `a` to that of `b`.
#[derive(Clone, Copy, Debug)]
pub(super) struct RelativePose {
    /// The rotation `R_b^T R_a`.
    pub(super) matrix: [[f64; 3]; 3],
    /// The translation `T` after the rotation, between coordinates relative to the middles of `a`
    /// and of `b`.
    pub(super) offset: [f64; 3],
    /// The middles of the boxes of `a` and `b`.
    pub(super) middles: [[f64; 3]; 2],
}

impl RelativePose {
    /// Returns the relative pose of two packings at their poses.
    pub(super) fn new(a: &Packing, pose_a: &Pose, b: &Packing, pose_b: &Pose) -> Self {
        let middles = [a, b].map(|p| p.bounds().center());
        let [of_a, of_b] = [pose_a, pose_b].map(Pose::rotation_matrix);
        let matrix = std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..3).map(|k| of_b[k][i] * of_a[k][j]).sum())
        });
        let (t, u) = (pose_a.translation(), pose_b.translation());
        let middle = pose_a.rotate(middles[0]);
        let offset = pose_b.rotate_back(std::array::from_fn(|k| middle[k] + (t[k] - u[k])));
        Self {
            matrix,
            offset: std::array::from_fn(|k| offset[k] - middles[1][k]),
            middles,
        }
    }

    /// Returns the identity as the relative pose, for a packing against itself.
    pub(super) fn none(middle: [f64; 3]) -> Self {
        Self {
            matrix: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            offset: [0.0; 3],
            middles: [middle; 2],
        }
    }

    /// Maps a centre of `a` by the relative pose to the frame of `b`, relative to the middle of
    /// `b`.
    #[inline(always)]
    pub(super) fn of_a(&self, center: [f64; 3]) -> [f64; 3] {
        self.of_relative(std::array::from_fn(|k| center[k] - self.middles[0][k]))
    }

    /// Maps a centre that is given relative to the middle of `a` by the relative pose to the frame
    /// of `b`, relative to the middle of `b`.
    #[inline(always)]
    pub(super) fn of_relative(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|i| {
            let m = &self.matrix[i];
            m[0] * x + m[1] * y + m[2] * z + self.offset[i]
        })
    }

    /// Maps a point that is given relative to the middle of `b` by the inverse relative pose back
    /// to the frame of `a`, relative to the middle of `a`.
    pub(super) fn back(&self, point: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = std::array::from_fn(|k| point[k] - self.offset[k]);
        let m = &self.matrix;
        std::array::from_fn(|i| m[0][i] * x + m[1][i] * y + m[2][i] * z)
    }

    /// Returns a centre of `b` relative to the middle of `b`, the coordinates in which the relative
    /// pose gives centres of `a`.
    #[inline(always)]
    pub(super) fn of_b(&self, center: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|k| center[k] - self.middles[1][k])
    }

    /// Returns the relative pose and its inverse, from the frame of `a` to that of `b` and back,
    /// each as matrix and offset, for coordinates that are not relative to the middles.
    pub(super) fn transforms(&self) -> [([[f64; 3]; 3], [f64; 3]); 2] {
        let (m, [a, b]) = (&self.matrix, &self.middles);
        let there = std::array::from_fn(|i| {
            self.offset[i] + b[i] - (m[i][0] * a[0] + m[i][1] * a[1] + m[i][2] * a[2])
        });
        let from: [f64; 3] = std::array::from_fn(|k| b[k] + self.offset[k]);
        let back = std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]));
        let here = std::array::from_fn(|i| {
            a[i] - (m[0][i] * from[0] + m[1][i] * from[1] + m[2][i] * from[2])
        });
        [(*m, there), (back, here)]
    }
}
