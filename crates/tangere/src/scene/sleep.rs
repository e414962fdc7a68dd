//! Sleep: until when bodies that are apart cannot touch, by their declared velocities.
//!
//! For two bodies with a gap of at least `g` along the unit vector `n` from one to the other, the planes
//! across `n` through their nearest points separate them. Their distance shrinks by at most
//! `c t + A t^2 / 2`: `c` is the relative velocity against `n` plus the speeds of rotation at the outermost
//! points, and `A` the sum of the bounds of all accelerations of points of both bodies. So they do not
//! touch before `t = 2 g / (c + sqrt(c^2 + 2 A g))`: the first step of conservative advancement
//! ([`impact`](crate::impact)).
//!
//! Pairs that can touch before the horizon are found by a broad phase over the boxes that bodies sweep
//! until then. Cost: that of the broad phase, and of the distance of each pair that it lists.
//!
//! Updates need no declaration: they bound the paths of bodies themselves, so that a pair that is apart
//! costs an addition until its bodies have moved far enough, whatever moved them.

use rayon::prelude::*;

use super::bodies::Bodies;
use super::candidate::Candidate;
use super::candidates::naming_largest;
use super::narrow_phase::Scratch;
use super::pair_evaluation::{FoundContact, PairEvaluation};
use super::{BodyId, PairKind, Scene, SceneSettings};
use crate::error::{Argument, Error, Result};
use crate::geometry::Aabb;
use crate::geometry::vector::{dot, length, minus};
use crate::pairs::{BroadPhase, Image, Items, PairFinder, PairSettings};

/// Bounds of the accelerations of all bodies until the next declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accelerations {
    /// The largest magnitude of the acceleration of the position of a body; not negative.
    pub linear: f64,
    /// The largest magnitude of the angular acceleration of a body; not negative.
    pub angular: f64,
}

/// Until when two bodies that are apart cannot touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairSleep {
    /// The body of lower id.
    pub a: BodyId,
    /// The body of higher id.
    pub b: BodyId,
    /// The periodic image of `b`.
    pub image: Image<3>,
    /// The time from now before which the gap stays above the margin.
    pub until: f64,
}

impl Scene {
    /// Declares the velocities of bodies, one for each id, and the velocities of their rotation about
    /// the origins of their frames, in radians per unit of time. Bodies are at rest until then. For
    /// [`sleep_until`](Self::sleep_until); contacts do not depend on them.
    ///
    /// # Errors
    /// When there is not one velocity and one spin for each id, an id is unknown, or a number is not
    /// finite; nothing changes then.
    pub fn set_velocities(
        &mut self,
        ids: &[BodyId],
        velocities: &[[f64; 3]],
        spins: &[[f64; 3]],
    ) -> Result<()> {
        for (what, list) in [(Argument::Velocities, velocities), (Argument::Spin, spins)] {
            if list.len() != ids.len() {
                let expected = format!("one for each of {} bodies", ids.len());
                return Err(Error::argument(
                    what,
                    format!("{} vectors", list.len()),
                    expected,
                ));
            }
            let is_finite = |vector: &[f64; 3]| vector.iter().all(|x| x.is_finite());
            if let Some(i) = list.iter().position(|vector| !is_finite(vector)) {
                let found = format!("{:?}", list[i]);
                return Err(Error::item(what, i, found, "finite numbers"));
            }
        }
        let slots = ids.iter().map(|&id| self.bodies.slot(id));
        let slots: Vec<usize> = slots.collect::<Result<_>>()?;
        for (slot, own) in slots.into_iter().zip(velocities.iter().zip(spins)) {
            self.bodies.velocities[slot] = [*own.0, *own.1];
        }
        Ok(())
    }

    /// The velocities of a body and of its rotation, as they were declared.
    ///
    /// # Errors
    /// When there is no body with this id.
    pub fn velocities(&self, id: BodyId) -> Result<[[f64; 3]; 2]> {
        Ok(self.bodies.velocities[self.bodies.slot(id)?])
    }

    /// Until when pairs of bodies that are apart by more than the margin cannot come within it, if they
    /// move on from their present poses with the declared velocities and accelerations up to the given
    /// bounds. Lists the pairs that may do so before `horizon`, by time; all others sleep at least as
    /// long as that. Pairs within the margin are contacts, and not in the list.
    ///
    /// # Errors
    /// When the horizon or a bound is negative or not finite, a mesh and a half-space or two meshes can
    /// touch, the periodic cell is too small for the boxes that bodies sweep, or memory runs out.
    pub fn sleep_until(
        &self,
        horizon: f64,
        accelerations: Accelerations,
    ) -> Result<Vec<PairSleep>> {
        let Accelerations { linear, angular } = accelerations;
        for (what, number) in [
            (Argument::Horizon, horizon),
            (Argument::Acceleration, linear),
            (Argument::Acceleration, angular),
        ] {
            if !(number >= 0.0 && number.is_finite()) {
                let found = crate::error::number(number);
                return Err(Error::argument(what, found, "a finite number, 0 or more"));
            }
        }
        let bodies = DeclaredMotion {
            bodies: &self.bodies,
            settings: &self.settings,
            horizon,
            accelerations,
        };
        let candidates = bodies.swept_pairs()?;
        let found = candidates.par_iter().map_init(
            || (Scratch::default(), Vec::new()),
            |(scratch, contacts), candidate| {
                let gap = bodies.gap(candidate, scratch, contacts)?;
                let [a, b] = candidate.slots.map(|slot| bodies.bodies.ids[slot as usize]);
                Some(PairSleep {
                    a,
                    b,
                    image: candidate.image,
                    until: bodies.free_time(candidate, gap),
                })
            },
        );
        let found = found.flatten();
        let mut found: Vec<PairSleep> = found.filter(|pair| pair.until < horizon).collect();
        found.sort_unstable_by(|x, y| {
            let key = |pair: &PairSleep| (pair.a, pair.b, pair.image);
            x.until.total_cmp(&y.until).then(key(x).cmp(&key(y)))
        });
        Ok(found)
    }
}

/// Bodies with their declared velocities, and bounds of their accelerations until the horizon.
struct DeclaredMotion<'s> {
    bodies: &'s Bodies,
    settings: &'s SceneSettings,
    horizon: f64,
    accelerations: Accelerations,
}

impl DeclaredMotion<'_> {
    /// A lower bound of how far the gap of two bodies exceeds the margin, with the normal along which
    /// it is measured; `None` if they are within the margin. The normal is zero for meshes and
    /// compounds, whose gap has no one direction.
    fn gap(
        &self,
        candidate: &Candidate,
        scratch: &mut Scratch,
        contacts: &mut Vec<FoundContact>,
    ) -> Option<(f64, [f64; 3])> {
        let margin = self.settings.margin;
        let is_one = candidate.kind != PairKind::Many;
        // Contacts of bodies that are apart are left out, so that one asks for all.
        let settings = SceneSettings {
            margin: if is_one { f64::INFINITY } else { margin },
            ..*self.settings
        };
        let pairs = PairEvaluation {
            bodies: self.bodies,
            settings: &settings,
        };
        contacts.clear();
        pairs.contacts(candidate, scratch, contacts);
        match (is_one, contacts.first()) {
            (true, Some(found)) if !found.contact.is_within(margin) => {
                Some((found.contact.lower - margin, found.contact.normal))
            }
            (false, None) => Some((scratch.apart - margin, [0.0; 3])),
            _ => None,
        }
    }

    /// The speed of the outermost point of a body by its rotation, and a bound of the acceleration of
    /// any of its points. A body with both changes of velocity for a time `t` turns by up to
    /// `w + angular t`, so that the bound holds until the horizon.
    fn point_motion(&self, slot: usize) -> [f64; 2] {
        let reach = self.bodies.shapes[slot].reach();
        let is_moving = self.bodies.motions[slot] != super::Motion::Fixed;
        let spin = length(self.bodies.velocities[slot][1]);
        let (linear, angular) = match is_moving {
            true => (self.accelerations.linear, self.accelerations.angular),
            false => (0.0, 0.0),
        };
        // A half-space has no outermost point: it must not turn.
        let at_reach = |x: f64| if x == 0.0 { 0.0 } else { x * reach };
        let fastest = spin + angular * self.horizon;
        [
            at_reach(spin),
            linear + at_reach(angular) + at_reach(fastest * fastest),
        ]
    }

    /// The time for which two bodies with a gap along a unit normal stay apart.
    fn free_time(&self, candidate: &Candidate, (gap, normal): (f64, [f64; 3])) -> f64 {
        // Also minus infinity, where no bound is known.
        if gap <= 0.0 {
            return 0.0;
        }
        let [a, b] = candidate.slots.map(|slot| slot as usize);
        let [va, vb] = [a, b].map(|slot| self.bodies.velocities[slot][0]);
        let [pa, pb] = [a, b].map(|slot| self.point_motion(slot));
        let relative = minus(vb, va);
        let along = match normal == [0.0; 3] {
            true => length(relative),
            false => 0.0 - dot(normal, relative),
        };
        let closing = pa[0] + pb[0] + along;
        let change = pa[1] + pb[1];
        let root = (closing * closing + 2.0 * change * gap).sqrt();
        // Both are the same root; each cancels no digits for its sign.
        let time = match closing < 0.0 {
            true => (root - closing) / change,
            false => 2.0 * gap / (closing + root),
        };
        // Bodies that do not approach and do not accelerate divide by 0. Downward, by more than the
        // rounding of a few operations.
        match time.is_nan() {
            true => f64::INFINITY,
            false => (1.0 - 1e-12) * time,
        }
    }

    /// The pairs of bodies whose boxes, swept until the horizon, are within the margin.
    fn swept_pairs(&self) -> Result<Vec<Candidate>> {
        let horizon = self.horizon;
        let (mut lower, mut upper, mut boxed) = (Vec::new(), Vec::new(), Vec::new());
        let mut unbounded = Vec::new();
        for slot in self.bodies.present() {
            let own = self.bodies.bounds(slot);
            if !own.min[0].is_finite() {
                unbounded.push(slot);
                continue;
            }
            let [spin, change] = self.point_motion(slot);
            let turned = spin * horizon + 0.5 * change * horizon * horizon;
            let way = self.bodies.velocities[slot][0].map(|v| v * horizon);
            let swept = Aabb {
                min: std::array::from_fn(|k| own.min[k] + way[k].min(0.0)),
                max: std::array::from_fn(|k| own.max[k] + way[k].max(0.0)),
            };
            let swept = swept.expanded(turned);
            lower.push(swept.min);
            upper.push(swept.max);
            boxed.push(slot);
        }
        let mut finder = BroadPhase::new(PairSettings {
            margin: self.settings.margin,
            periodic: self.settings.periodic,
            ..PairSettings::default()
        })?;
        let mut contacts = Vec::new();
        let boxes = Items::Boxes {
            lower: &lower,
            upper: &upper,
        };
        let found = finder.update(boxes);
        let found = found.and_then(|()| finder.contacts(&mut contacts));
        found.map_err(|error| {
            let ids = boxed.iter().map(|&slot| self.bodies.ids[slot]);
            let swept = "what the two largest bodies sweep until the horizon";
            naming_largest(error, ids, &lower, &upper, swept)
        })?;
        let mut list = Vec::new();
        let mut push = |slots: [usize; 2], image: Image<3>| {
            let [a, b] = slots;
            if !self.bodies.may_touch(a, b) {
                return;
            }
            let [a, b] = slots.map(|slot| slot as u32);
            list.push(
                match self.bodies.ids[slots[0]] < self.bodies.ids[slots[1]] {
                    true => Candidate::new(self.bodies, [a, b], image),
                    false => Candidate::new(self.bodies, [b, a], image.map(|n| -n)),
                },
            );
        };
        for found in &contacts {
            push(found.pair.map(|i| boxed[i as usize]), found.image);
        }
        for &slot in &unbounded {
            boxed.iter().for_each(|&other| push([slot, other], [0; 3]));
        }
        Ok(list)
    }
}
