//! Orthographic projection onto a grid of samples.

use super::Vec3;
use nalgebra::Matrix3;

/// Projection of points to a grid of samples: x to the right and y down, both counted in samples,
/// and a height toward the viewer in the unit of length of the scene.
pub(super) struct Projection {
    /// Rotation matrix of the projection. Its rows are the directions to the right, upward, and
    /// toward the viewer, in the coordinates of the scene.
    axes: Matrix3<f32>,
    scale: f32,
    shift: [f32; 2],
    pub(super) size: [usize; 2],
}

impl Projection {
    /// Returns the projection that fits the balls `extent` (centres and radii) into a grid of
    /// `size` samples. `toward` is the direction to the viewer, z is upward. At each side `margin`
    /// is left free, as a fraction of the width (left and right) and of the height (top and
    /// bottom).
    pub(super) fn fitted(
        toward: Vec3,
        extent: impl Iterator<Item = (Vec3, f32)>,
        size: [usize; 2],
        margin: f32,
    ) -> Self {
        let toward = toward
            .try_normalize(f32::MIN_POSITIVE)
            .unwrap_or_else(Vec3::z);
        // In a view straight down, y is upward in the picture.
        let right = Vec3::z()
            .cross(&toward)
            .try_normalize(1e-3)
            .unwrap_or_else(Vec3::x);
        let up = toward.cross(&right);
        let axes = Matrix3::from_rows(&[right.transpose(), up.transpose(), toward.transpose()]);
        let mut low = [f32::INFINITY; 2];
        let mut high = [f32::NEG_INFINITY; 2];
        for (p, r) in extent {
            let q = axes * p;
            for k in 0..2 {
                low[k] = low[k].min(q[k] - r);
                high[k] = high[k].max(q[k] + r);
            }
        }
        if low[0] > high[0] {
            (low, high) = ([-1.0; 2], [1.0; 2]);
        }
        let room = |k: usize| size[k] as f32 * (1.0 - 2.0 * margin);
        let needed = |k: usize| (high[k] - low[k]).max(f32::MIN_POSITIVE);
        let scale = (room(0) / needed(0)).min(room(1) / needed(1));
        let middle = |k: usize| 0.5 * size[k] as f32;
        Self {
            axes,
            scale,
            shift: [
                middle(0) - scale * 0.5 * (low[0] + high[0]),
                middle(1) + scale * 0.5 * (low[1] + high[1]),
            ],
            size,
        }
    }

    /// Returns the number of samples per unit of length.
    pub(super) fn scale(&self) -> f32 {
        self.scale
    }

    /// Returns the direction to the viewer.
    pub(super) fn toward(&self) -> Vec3 {
        self.axes.row(2).transpose()
    }

    /// Projects a point of the scene to the grid.
    pub(super) fn apply(&self, p: Vec3) -> Vec3 {
        let q = self.axes * p;
        Vec3::new(
            self.scale * q.x + self.shift[0],
            self.shift[1] - self.scale * q.y,
            q.z,
        )
    }

    /// Returns the point of the scene that is projected to a point of the grid.
    pub(super) fn invert(&self, q: Vec3) -> Vec3 {
        let x = (q.x - self.shift[0]) / self.scale;
        let y = (self.shift[1] - q.y) / self.scale;
        self.axes.transpose() * Vec3::new(x, y, q.z)
    }

    /// Returns a direction of the scene from its components to the right, upward and toward the
    /// viewer.
    pub(super) fn direction(&self, right_up_toward: Vec3) -> Vec3 {
        self.axes.transpose() * right_up_toward
    }
}
