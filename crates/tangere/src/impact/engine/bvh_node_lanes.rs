//! BVH nodes in SIMD lanes: the boxes of eight nodes in the frame of a pair of bodies.

use super::gap_bound::U;
use super::lane_vectors::{across, length, turned};
use super::mover::Mover;
use super::relative_frame::Side;
use crate::simd::{LANES, Reals};

/// The boxes of eight BVH nodes of a body, in the frame of a pair of bodies.
pub(super) struct BvhNodeLanes<V> {
    /// Centres of the boxes of the eight nodes relative to the centre of the body, in world
    /// directions. The next field has their velocities relative to the centre of the body.
    pub(super) middle: [V; 3],
    pub(super) velocity: [V; 3],
    pub(super) half: [V; 3],
    /// Rates at which the half sizes of the boxes of the eight nodes grow; 0 if the body is rigid.
    pub(super) growth: [V; 3],
    /// Radii of the boxes of the eight nodes: the largest distance of a point of a box from the
    /// centre of that box.
    pub(super) radius: V,
    /// Upper bounds, one for each of the eight nodes, of the distance of a point of the body in
    /// the box from the centre of the body; 0 if the body does not rotate.
    pub(super) reach: V,
}

impl<V: Reals> BvhNodeLanes<V> {
    /// The boxes of eight BVH nodes of a body in SIMD lanes.
    #[inline(always)]
    pub(super) fn new(mover: &Mover, side: &Side, parts: [u32; LANES]) -> Self {
        let inner = &*mover.body.shape.inner;
        let mut rows = [&inner.parts[0].row; LANES];
        for i in 0..LANES {
            rows[i] = &inner.parts[parts[i] as usize].row;
        }
        let [x, y, z, i, j, k, radius, _] = V::transposed(rows);
        let center = side.center;
        let mut arm = [x, y, z];
        for k in 0..3 {
            arm[k] = arm[k] - V::splat(center[k]);
        }
        let (mut half, mut radius) = ([i, j, k], radius);
        let margin = inner.radius;
        if margin > 0.0 {
            for half in &mut half {
                *half = *half + V::splat(margin);
            }
            radius = radius + V::splat(margin);
        }
        let zero = V::splat(0.0);
        let (mut velocity, mut growth) = ([zero; 3], [zero; 3]);
        if let Some(deformation) = &mover.body.deformation {
            let mut rows = [&deformation.parts[0].row; LANES];
            for i in 0..LANES {
                rows[i] = &deformation.parts[parts[i] as usize].row;
            }
            let rates: [V; LANES] = V::transposed(rows);
            let elapsed = V::splat(side.elapsed);
            for k in 0..3 {
                (velocity[k], growth[k]) = (rates[k], rates[3 + k]);
                arm[k] = velocity[k].mul_add(elapsed, arm[k]);
                half[k] = growth[k].mul_add(elapsed, half[k]);
            }
            radius = length(&half);
        }
        let middle = turned(&side.axes, &arm);
        let mut reach = zero;
        if side.turning > 0.0 {
            velocity = across(&side.spin, &middle);
            // The corners of the box may be farther than any point of the body.
            let farthest = (length(&arm) + radius) * V::splat(1.0 + 4.0 * U);
            reach = farthest.min(V::splat(mover.reach));
        }
        BvhNodeLanes {
            middle,
            velocity,
            half,
            growth,
            radius,
            reach,
        }
    }
}
