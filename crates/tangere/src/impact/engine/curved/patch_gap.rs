//! Bounds of the gap of two patches at a time: how long they stay separated, along which axis, and
//! where they are nearest.
//!
//! Convex hulls of control points come first. Where these overlap or nearly do, the nearest points
//! are improved by Newton steps, and the bound of second order is taken about them, with its axis
//! improved a few times.

use super::super::conservative_advancement::direction;
use super::bezier_patch::{Jet, Net, Patch};
use super::expansion::Expansion;
use super::face_pair::FacePair;
use super::gjk::{self, SeparatedHulls};
use super::polygon_minimum::least;
use super::second_order::Model;
use crate::geometry::vector::{dot, minus};

/// Improvements of the axis of a bound of second order.
const TURNS: u32 = 5;

/// Points farther apart than this, in units of rounding, define an axis.
const SEEN: f64 = 256.0;

/// Newton steps toward the nearest point of a patch.
const STEPS: u32 = 4;

/// Rounds of alternating projection.
const ROUNDS: u32 = 6;

/// Bounds of the gap of two patches.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatchGap {
    /// How long they stay separated.
    pub(super) apart: f64,
    pub(super) normal: [f64; 3],
    pub(super) places: [[f64; 2]; 2],
    /// Distance of the points at these places minus the margin: an upper bound of the gap.
    pub(super) distance: f64,
    /// Proven lower bound of the gap.
    pub(super) gap: f64,
}

/// A separating axis of the convex hulls (GJK).
pub(super) fn hulls_apart(
    pair: &FacePair,
    patches: [&Patch; 2],
    nets: &[Net; 2],
    from: [f64; 3],
) -> Option<SeparatedHulls> {
    let world = |of: usize| std::array::from_fn(|i| pair.control(of, &nets[of], i));
    let forms = [patches[0].form, patches[1].form];
    gjk::separating_axis([&world(0), &world(1)], forms, from)
}

impl PatchGap {
    /// From an initial axis and places; times are capped at `most`.
    pub(super) fn new(
        pair: &FacePair,
        patches: [&Patch; 2],
        nets: &[Net; 2],
        (normal, places): ([f64; 3], [[f64; 2]; 2]),
        bulge: f64,
        most: f64,
        allow: f64,
    ) -> Self {
        let slab = pair.slab(patches, nets, normal);
        let mut patch_gap = PatchGap {
            apart: slab.separated_for(allow),
            normal,
            places,
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
                (patch_gap.gap, patch_gap.normal, patch_gap.places) =
                    (gap, apart.normal, apart.places);
            }
            patch_gap.apart = patch_gap.apart.max(slab.separated_for(allow));
            if patch_gap.apart >= most || gap > bulge {
                return patch_gap;
            }
        }
        patch_gap.second_order(pair, patches, nets, most, allow);
        patch_gap
    }

    /// Improves the bounds to second order.
    fn second_order(
        &mut self,
        pair: &FacePair,
        patches: [&Patch; 2],
        nets: &[Net; 2],
        most: f64,
        allow: f64,
    ) {
        let mut n = self.normal;
        let mut at = self.places;
        for of in [1, 0] {
            at[of] = nearest_place(pair, patches, nets, at, of);
        }
        let [a, b] = [0, 1].map(|i| point(pair, i, patches[i], &nets[i], at[i]));
        let away = minus(b, a);
        if dot(away, away).sqrt() > SEEN * pair.closed.slack {
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
            let steps = bound.places.map(|p| p.place);
            let moved = [0, 1].map(|i| {
                let place = std::array::from_fn(|k| at[i][k] + steps[i][k]);
                patches[i].form.clamped(place)
            });
            for (steps, places) in [([[0.0; 2]; 2], at), (steps, moved)] {
                let [a, b] = model.points(steps);
                let away = minus(b, a);
                let distance = dot(away, away).sqrt() - pair.closed.margin;
                if distance < self.distance {
                    (self.distance, self.places) = (distance, places);
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

    /// Moves the points of both patches toward each other by alternating projection.
    pub(super) fn approach_points(
        &mut self,
        pair: &FacePair,
        patches: [&Patch; 2],
        nets: &[Net; 2],
    ) {
        let touching = 4.0 * pair.closed.slack;
        let corners = pair.nearest(patches, nets).2;
        for from in [self.places, corners] {
            let mut places = from;
            let mut distance = distance(pair, patches, nets, places);
            for round in 0..ROUNDS {
                let of = 1 - (round as usize % 2);
                let mut moved = places;
                moved[of] = nearest_place(pair, patches, nets, places, of);
                let nearer = self::distance(pair, patches, nets, moved);
                let is_still = nearer >= distance - 0.25 * pair.closed.slack;
                if nearer < distance {
                    (places, distance) = (moved, nearer);
                }
                if distance <= touching || (is_still && round > 0) {
                    break;
                }
            }
            if distance < self.distance {
                (self.distance, self.places) = (distance, places);
            }
            if self.distance <= touching {
                break;
            }
        }
    }
}

/// World position of a point of a patch.
fn point(pair: &FacePair, of: usize, patch: &Patch, net: &Net, place: [f64; 2]) -> [f64; 3] {
    let view = &pair.views[of];
    let turned = view.outward(Jet::new(patch.form, net, place).x);
    std::array::from_fn(|k| view.away[k] + turned[k])
}

fn distance(pair: &FacePair, patches: [&Patch; 2], nets: &[Net; 2], places: [[f64; 2]; 2]) -> f64 {
    let [a, b] = [0, 1].map(|i| point(pair, i, patches[i], &nets[i], places[i]));
    let away = minus(b, a);
    dot(away, away).sqrt() - pair.closed.margin
}

/// The place of patch `of` that is nearest to the point of the other.
pub(super) fn nearest_place(
    pair: &FacePair,
    patches: [&Patch; 2],
    nets: &[Net; 2],
    places: [[f64; 2]; 2],
    of: usize,
) -> [f64; 2] {
    let other = 1 - of;
    let x = point(pair, other, patches[other], &nets[other], places[other]);
    let y = pair.views[of].inward(minus(x, pair.views[of].away));
    newton_projection(patches[of], &nets[of], y, places[of])
}

/// The nearest place of a patch to a point, by Newton steps from an initial place.
fn newton_projection(patch: &Patch, net: &Net, y: [f64; 3], from: [f64; 2]) -> [f64; 2] {
    let form = patch.form;
    let corners = form.corners();
    let mut place = from;
    let mut jet = Jet::new(form, net, place);
    let mut away = minus(jet.x, y);
    for _ in 0..STEPS {
        let [u, v] = jet.first;
        let gradient = [dot(u, away), dot(v, away)];
        let plain = [dot(u, u), dot(u, v), dot(v, v)];
        let full: [f64; 3] = std::array::from_fn(|k| plain[k] + dot(away, jet.second[k]));
        let is_convex = full[0] > 0.0 && full[0] * full[2] > full[1] * full[1];
        let square = if is_convex { full } else { plain };
        let mut domain = [[0.0; 2]; 4];
        for (at, corner) in domain.iter_mut().zip(corners) {
            *at = minus(*corner, place);
        }
        let step = least(&domain[..corners.len()], gradient, square).place;
        let next = form.clamped([place[0] + step[0], place[1] + step[1]]);
        let moved = Jet::new(form, net, next);
        let further = minus(moved.x, y);
        if next == place || dot(further, further) >= dot(away, away) {
            break;
        }
        (place, jet, away) = (next, moved, further);
    }
    place
}
