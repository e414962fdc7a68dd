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

/// The transform from the frame of packing `a` to that of packing `b`.
#[derive(Clone, Copy, Debug)]
pub(super) struct RelativePose {
    /// The rotation `R_b^T R_a` from the frame of `a` to that of `b`.
    pub(super) matrix: [[f64; 3]; 3],
    /// The translation `T`, applied after the rotation. It holds for coordinates that are relative
    /// to the middles of the boxes of `a` and of `b`.
    pub(super) offset: [f64; 3],
    /// The middle of the box of `a` and that of `b`, each in the frame of its packing.
    pub(super) middles: [[f64; 3]; 2],
}

impl RelativePose {
    /// Returns the relative pose of two packings, given the pose of each in the world.
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

    /// Returns the relative pose of a packing and itself, the identity. `middle` is the middle of
    /// its box.
    pub(super) fn none(middle: [f64; 3]) -> Self {
        Self {
            matrix: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            offset: [0.0; 3],
            middles: [middle; 2],
        }
    }

    /// Maps the centre of a sphere of `a` by the relative pose to the frame of `b`, relative to the middle of the
    /// box of `b`.
    #[inline(always)]
    pub(super) fn of_a(&self, center: [f64; 3]) -> [f64; 3] {
        self.of_relative(std::array::from_fn(|k| center[k] - self.middles[0][k]))
    }

    /// Maps a centre by the relative pose from the frame of `a` to that of `b`. The centre is given
    /// relative to the middle of the box of `a`, the result is relative to the middle of the box of
    /// `b`.
    #[inline(always)]
    pub(super) fn of_relative(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|i| {
            let m = &self.matrix[i];
            m[0] * x + m[1] * y + m[2] * z + self.offset[i]
        })
    }

    /// Maps a point by the inverse relative pose from the frame of `b` to that of `a`. The point is
    /// given relative to the middle of the box of `b`, the result is relative to the middle of the
    /// box of `a`.
    pub(super) fn back(&self, point: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = std::array::from_fn(|k| point[k] - self.offset[k]);
        let m = &self.matrix;
        std::array::from_fn(|i| m[0][i] * x + m[1][i] * y + m[2][i] * z)
    }

    /// Returns a centre of `b` relative to the middle of the box of `b`. The relative pose maps
    /// centres of `a` to the same coordinates.
    #[inline(always)]
    pub(super) fn of_b(&self, center: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|k| center[k] - self.middles[1][k])
    }

    /// Returns the relative pose, from the frame of `a` to that of `b`, and its inverse, each as
    /// matrix and offset. They hold for coordinates in these frames themselves, not relative to the
    /// middles of the boxes.
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
