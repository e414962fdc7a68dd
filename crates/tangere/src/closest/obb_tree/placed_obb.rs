//! Placed OBB: an oriented bounding box of one OBB tree in the coordinates of another one, enlarged
//! by the rounding errors of the distances between them.

use super::obb::Obb;
use super::tree::ObbTree;
use super::{MARGIN, TINY};
use crate::geometry::Pose;

/// The magnitude that the coordinates of a placed OBB must not reach, so that sums of their products
/// do not overflow f32.
const HUGE: f32 = 1e15;

/// Bound of the rounding error of a point that is moved by a pose in f64, relative to the largest of
/// the numbers that enter. It covers three products, three sums and the offset, and a rotation
/// matrix that is orthogonal up to rounding.
const MOVED: f64 = 64.0 * f64::EPSILON;

/// How the OBBs of one tree are placed among those of another one.
pub(in crate::closest) struct ObbPlacement {
    /// The rotation from the axes of the first tree to those of the second one.
    rotation: [[f32; 3]; 3],
    /// The place of the origin of the first tree in the coordinates of the second one.
    offset: [f32; 3],
    /// The length of the unit of the first tree in the unit of the second one.
    pub ratio: f32,
    /// Bound of the rounding errors of all placed points, apart from those that are proportional to
    /// the coordinates of the OBB.
    error: f32,
}

impl ObbPlacement {
    /// The placements of the OBBs of two trees among each other if `pose` moves the second one:
    /// those of the second among the first, and those of the first among the second.
    pub fn both(first: &ObbTree, second: &ObbTree, pose: &Pose) -> [Self; 2] {
        let rotation = pose.rotation_matrix();
        let length = |v: [f64; 3]| v[0].abs() + v[1].abs() + v[2].abs();
        let size = length(first.origin)
            + length(second.origin)
            + length(pose.translation())
            + 3.0 / first.scale
            + 3.0 / second.scale;
        let at = pose.apply(second.origin);
        let away: [f64; 3] = std::array::from_fn(|k| at[k] - first.origin[k]);
        let forth = Self::new(rotation, away, [second.scale, first.scale], size);
        let reverse: [[f64; 3]; 3] =
            std::array::from_fn(|k| std::array::from_fn(|j| rotation[j][k]));
        let back = pose.rotate_back(away).map(|x| -x);
        [
            forth,
            Self::new(reverse, back, [first.scale, second.scale], size),
        ]
    }

    /// The placement with a rotation and an offset in space, from a tree with the first of the
    /// `scales` to one with the second. Points in space have coordinates of at most `size`.
    fn new(rotation: [[f64; 3]; 3], offset: [f64; 3], scales: [f64; 2], size: f64) -> Self {
        let offset = offset.map(|x| (x * scales[1]) as f32);
        let reach = offset[0].abs() + offset[1].abs() + offset[2].abs();
        ObbPlacement {
            rotation: rotation.map(|row| row.map(|x| x as f32)),
            offset,
            ratio: (scales[1] / scales[0]) as f32,
            error: (MOVED * size * scales[1]) as f32 + reach * MARGIN + TINY,
        }
    }

    /// An OBB of the first tree in the coordinates of the second one. `None` if its coordinates are
    /// so large that distances from it may overflow f32.
    #[inline(always)]
    pub fn place(&self, bounds: &Obb) -> Option<PlacedObb> {
        let axes = bounds.axes.map(|axis| self.turned(axis));
        let half = bounds.half.map(|h| h * self.ratio);
        let place = bounds.middle.map(|m| m * self.ratio);
        let center: [f32; 3] = std::array::from_fn(|k| {
            place[0] * axes[0][k] + place[1] * axes[1][k] + place[2] * axes[2][k] + self.offset[k]
        });
        let size = place.iter().chain(&half).fold(0.0, |sum, x| sum + x.abs());
        // The sum of the components of a unit vector is at least 1, so a longer half extent along
        // each axis brings the box nearer by as much, in all directions.
        let error = self.error + size * MARGIN;
        (size + error / MARGIN < HUGE).then(|| PlacedObb {
            axes,
            center,
            half: half.map(|h| h + error),
        })
    }

    /// A vector turned by the rotation of the placement.
    #[inline(always)]
    fn turned(&self, v: [f32; 3]) -> [f32; 3] {
        self.rotation
            .map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
    }
}

/// An OBB in the coordinates of another OBB tree: orthogonal axes, the center, and the half extent
/// along each axis.
pub(in crate::closest) struct PlacedObb {
    pub axes: [[f32; 3]; 3],
    pub center: [f32; 3],
    pub half: [f32; 3],
}
