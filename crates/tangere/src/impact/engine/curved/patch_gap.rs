//! Bounds of the gap of two Bézier patches at one instant: how long they stay separated, along
//! which axis, and where they are nearest.
//!
//! First the convex hulls of the control points are tested. Where these overlap or nearly do, the
//! nearest points are improved by Newton steps, and the bound of second order is computed from the
//! Taylor expansions about these points. The separating axis of this bound is improved a few times.

use super::bezier_patch::{Net, Patch};
use super::expansion::Expansion;
use super::face_pair::FacePair;
use super::gjk::hulls_apart;
use super::nearest_points::{distance, nearest_uv, point};
use super::second_order::Model;
use crate::geometry::vector::{direction, dot, minus};

/// Maximum number of iterations that turn the separating axis to improve the second-order lower
/// bound of the gap of two patches.
const TURNS: u32 = 5;

/// The nearest points of two patches define a separating axis only if their distance exceeds this
/// number times the rounding error of a distance.
const DISTINCT: f64 = 256.0;

/// Maximum number of steps of alternating projection toward the nearest points of two patches. In
/// each step the point of one patch is replaced by the point of that patch nearest to the point of
/// the other patch.
const ROUNDS: u32 = 6;

/// Bounds of the gap of two patches at one instant, and of the time for which they stay separated.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatchGap {
    /// Lower bound of how long the two patches stay separated.
    pub(super) apart: f64,
    pub(super) normal: [f64; 3],
    pub(super) uvs: [[f64; 2]; 2],
    /// Upper bound of the gap of the two patches: the distance of their points with the parameters
    /// `uvs`, minus the margin, the distance at which the faces touch.
    pub(super) distance: f64,
    /// Proven lower bound of the gap of the two patches.
    pub(super) gap: f64,
}

impl PatchGap {
    /// The bounds of the gap of two Bézier patches, starting from a separating axis and a point of
    /// each patch. The bound of second order is not computed if the hulls stay separated for the
    /// time `most`, or if their gap exceeds `bulge`, the sum of the bulges of both patches. Patches
    /// that overlap by at most `allow` and separate count as separated.
    pub(super) fn new(
        pair: &FacePair,
        patches: [&Patch; 2],
        nets: &[Net; 2],
        (normal, uvs): ([f64; 3], [[f64; 2]; 2]),
        bulge: f64,
        most: f64,
        allow: f64,
    ) -> Self {
        let slab = pair.slab(patches, nets, normal);
        let mut patch_gap = PatchGap {
            apart: slab.separated_for(allow),
            normal,
            uvs,
            distance: f64::INFINITY,
            gap: slab.gap(),
        };
        if patch_gap.apart >= most {
            return patch_gap;
        }
        if let Some(apart) = hulls_apart(pair, patches, nets, normal) {
            let slab = pair.slab(patches, nets, apart.normal);
            let gap = slab.gap();
            if gap > patch_gap.gap {
                (patch_gap.gap, patch_gap.normal, patch_gap.uvs) = (gap, apart.normal, apart.uvs);
            }
            patch_gap.apart = patch_gap.apart.max(slab.separated_for(allow));
            if patch_gap.apart >= most || gap > bulge {
                return patch_gap;
            }
        }
        patch_gap.second_order(pair, patches, nets, most, allow);
        patch_gap
    }

    /// Improves the bounds of the gap of two patches by the bound of second order.
    fn second_order(
        &mut self,
        pair: &FacePair,
        patches: [&Patch; 2],
        nets: &[Net; 2],
        most: f64,
        allow: f64,
    ) {
        let mut n = self.normal;
        let mut at = self.uvs;
        for of in [1, 0] {
            at[of] = nearest_uv(pair, patches, nets, at, of);
        }
        let [a, b] = [0, 1].map(|i| point(pair, i, patches[i], &nets[i], at[i]));
        let away = minus(b, a);
        if dot(away, away).sqrt() > DISTINCT * pair.closed.slack {
            n = direction(away).unwrap_or(n);
        }
        let mut best: Option<(f64, Model)> = None;
        let mut worse = 0;
        let mut is_tight = false;
        let mut expansions =
            [0, 1].map(|i| Expansion::new(&pair.views[i], patches[i], &nets[i], at[i]));
        for _ in 0..TURNS {
            let model = Model::new(expansions, &pair.closed, n);
            let bound = model.bound();
            let steps = bound.minima.map(|p| p.uv);
            let moved = [0, 1].map(|i| {
                let uv = std::array::from_fn(|k| at[i][k] + steps[i][k]);
                patches[i].form.clamped(uv)
            });
            for (steps, uvs) in [([[0.0; 2]; 2], at), (steps, moved)] {
                let [a, b] = model.points(steps);
                let away = minus(b, a);
                let distance = dot(away, away).sqrt() - pair.closed.margin;
                if distance < self.distance {
                    (self.distance, self.uvs) = (distance, uvs);
                }
            }
            let is_better = best.as_ref().is_none_or(|(gap, _)| bound.gap > *gap);
            if is_better {
                best = Some((bound.gap, model));
            }
            is_tight = self.distance - bound.gap <= 0.25 * bound.gap.max(pair.closed.slack);
            worse += u32::from(!is_better);
            if worse > 1 || is_tight {
                break;
            }
            let Some(turned) = model.turned(&bound) else {
                break;
            };
            (n, at) = (turned, moved);
            expansions =
                [0, 1].map(|i| Expansion::new(&pair.views[i], patches[i], &nets[i], at[i]));
        }
        if !is_tight {
            // Along lines and areas of contact only the surface normal is a tight axis.
            for i in 0..2 {
                let Some(normal) = expansions[i].normal() else {
                    continue;
                };
                let sign = 1.0_f64.copysign(dot(normal, n));
                let model = Model::new(expansions, &pair.closed, normal.map(|x| sign * x));
                let gap = model.bound().gap;
                if best.as_ref().is_none_or(|(most, _)| gap > *most) {
                    best = Some((gap, model));
                }
            }
        }
        let Some((gap, model)) = best else {
            return;
        };
        let apart = model.separated_for(most, allow);
        self.apart = self.apart.max(apart);
        if gap > self.gap {
            (self.gap, self.normal) = (gap, model.normal);
        }
        if self.apart < most {
            let slab = pair.slab(patches, nets, model.normal);
            if slab.gap() > self.gap {
                (self.gap, self.normal) = (slab.gap(), model.normal);
            }
            self.apart = self.apart.max(slab.separated_for(allow));
        }
    }

    /// Improves the bounds of the gap of two flat patches along their normals and the cross
    /// products of their sides.
    pub(super) fn bound_flat(
        &mut self,
        pair: &FacePair,
        patches: [&Patch; 2],
        nets: &[Net; 2],
        allow: f64,
    ) {
        let between = match pair.closed.margin > 0.0 {
            true => pair.nearest(patches, nets).1,
            false => None,
        };
        for n in pair.directions(patches, nets).chain(between) {
            let slab = pair.slab(patches, nets, n);
            let (gap, apart) = (slab.gap(), slab.separated_for(allow));
            if apart > self.apart {
                (self.apart, self.normal) = (apart, n);
            }
            self.gap = self.gap.max(gap);
        }
    }

    /// Improves the upper bound of the gap of two patches: moves the point of each patch toward the
    /// point of the other by alternating projection.
    pub(super) fn approach_points(
        &mut self,
        pair: &FacePair,
        patches: [&Patch; 2],
        nets: &[Net; 2],
    ) {
        let touching = 4.0 * pair.closed.slack;
        let corners = pair.nearest(patches, nets).2;
        for from in [self.uvs, corners] {
            let mut uvs = from;
            let mut distance = distance(pair, patches, nets, uvs);
            for round in 0..ROUNDS {
                let of = 1 - (round as usize % 2);
                let mut moved = uvs;
                moved[of] = nearest_uv(pair, patches, nets, uvs, of);
                let nearer = self::distance(pair, patches, nets, moved);
                let is_still = nearer >= distance - 0.25 * pair.closed.slack;
                if nearer < distance {
                    (uvs, distance) = (moved, nearer);
                }
                if distance <= touching || (is_still && round > 0) {
                    break;
                }
            }
            if distance < self.distance {
                (self.distance, self.uvs) = (distance, uvs);
            }
            if self.distance <= touching {
                break;
            }
        }
    }
}
