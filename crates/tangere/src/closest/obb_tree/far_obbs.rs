//! Bounds of the distance of two OBBs that are far apart compared to the sizes of their trees, so that
//! f32 does not resolve their distance.
//!
//! With `d` the vector between the centers of the boxes and `w` the unit vector along it, no two
//! points of the boxes are nearer than `|d|` minus the half extents of both boxes along `w`. The
//! length `|d|` is computed in f64, relative to the distance of the two origins, and the half extents
//! do not depend on the distance, so f32 is accurate for them. From afar every shortest way is almost
//! parallel to `w`, so the bound is tight.

use super::obb::Obb;
use super::obb_lanes::ObbLanes;
use super::tree::{BEYOND, ObbTree};
use super::{MARGIN, TINY};
use crate::geometry::Pose;
use crate::geometry::vector::{dot, length, minus};

/// Bound of the relative rounding error of a distance in f64.
const ROUNDED: f64 = 64.0 * f64::EPSILON;

/// The placement of two OBB trees that are far apart, of which a pose moves the second one.
pub(in crate::closest) struct FarObbs<'a> {
    pose: &'a Pose,
    origins: [[f64; 3]; 2],
    scales: [f64; 2],
    /// The distance of the two origins after the pose, from which keys are measured.
    base: f64,
    /// Bound of the rounding error of all distances.
    error: f64,
}

impl<'a> FarObbs<'a> {
    /// The placement of two OBB trees, `None` if they are not far apart.
    pub fn new(first: &ObbTree, second: &ObbTree, pose: &'a Pose) -> Option<Self> {
        let origins = [first.origin, pose.apply(second.origin)];
        let base = length(minus(origins[1], origins[0]));
        let size: f64 = origins.as_flattened().iter().map(|x| x.abs()).sum();
        (base * first.scale.min(second.scale) > BEYOND && base < f64::MAX).then_some(FarObbs {
            pose,
            origins,
            scales: [first.scale, second.scale],
            base,
            error: ROUNDED * (base + size),
        })
    }

    /// The key of a squared distance: its root minus the distance of the origins, in the unit of the
    /// first tree, rounded up.
    #[inline(always)]
    pub fn reach(&self, square: f64) -> f32 {
        let reach = (square.sqrt() - self.base + self.error) * self.scales[0];
        let reach = reach as f32 + reach.abs() as f32 * MARGIN + TINY;
        if reach <= f32::MAX { reach } else { f32::MAX }
    }

    /// The keys of lower bounds of the distances between an OBB of one tree and the OBBs of a node of
    /// the other tree, the second one if `opens_second`.
    pub fn keys(&self, node: &ObbLanes, other: &Obb, opens_second: bool) -> [f32; 8] {
        let (of, from) = (usize::from(opens_second), usize::from(!opens_second));
        let placed = self.placed(other, from);
        let mut keys = [0.0; 8];
        for (lane, key) in keys.iter_mut().enumerate() {
            if node.used() >> lane & 1 == 0 {
                continue;
            }
            let bounds = self.placed(&node.get(lane), of);
            let away = minus(bounds.center, placed.center);
            let distance = length(away);
            let way = away.map(|x| x / distance);
            let near = distance - bounds.half_along(way) - placed.half_along(way);
            let least = (near - self.base - self.error) * self.scales[0];
            let least = least as f32 - least.abs() as f32 * MARGIN - TINY;
            // NaN is unbounded.
            *key = if least >= -f32::MAX { least } else { -f32::MAX };
        }
        keys
    }

    /// An OBB of one of the trees, the second one if `tree` is 1, in space after the pose.
    fn placed(&self, bounds: &Obb, tree: usize) -> SpaceObb {
        let turned = |v: [f64; 3]| match tree {
            0 => v,
            _ => self.pose.rotate(v),
        };
        let unit = 1.0 / self.scales[tree];
        let axes = bounds.axes.map(|axis| turned(axis.map(f64::from)));
        let middle = bounds.middle.map(|m| f64::from(m) * unit);
        let origin = self.origins[tree];
        SpaceObb {
            center: std::array::from_fn(|k| {
                origin[k]
                    + (middle[0] * axes[0][k] + middle[1] * axes[1][k] + middle[2] * axes[2][k])
            }),
            axes,
            half: bounds.half.map(|h| f64::from(h) * unit),
        }
    }
}

/// An OBB in space.
struct SpaceObb {
    axes: [[f64; 3]; 3],
    center: [f64; 3],
    half: [f64; 3],
}

impl SpaceObb {
    /// Half the extent of the box along a unit vector. It is too large by more than the rounding of
    /// the axes in f32, by which the half extents are enlarged.
    fn half_along(&self, way: [f64; 3]) -> f64 {
        (0..3)
            .map(|k| dot(self.axes[k], way).abs() * self.half[k])
            .sum()
    }
}
