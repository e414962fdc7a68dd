//! Sleep: until when bodies that are apart cannot touch, by their declared velocities.
//!
//! For two bodies with a gap of at least `g` along the unit vector `n` from one to the other, the planes
//! across `n` through their nearest points separate them. Their distance shrinks by translation by at
//! most `c t + L t^2 / 2`: `c` is the relative velocity against `n`, and `L` the sum of the bounds of
//! both linear accelerations. A body turns by an angle of at most `w t + a t^2 / 2`, for its spin `w` and
//! the bound `a` of its angular acceleration. By that a point at a distance `r` from the centre of
//! rotation moves by at most `r` times the angle, as the chord is no longer than the arc, and by at most
//! `2 r`. What is within a radius of a core moves no farther than the core, so that `r` is that of the
//! outermost point of the core, and 0 of a sphere about its centre.
//!
//! So for either choice of each body, the angle or the diameter, the bodies do not touch before
//! `t = 2 g / (c + sqrt(c^2 + 2 A g))`: the angle adds `w r` to `c` and `a r` to `A`, the diameter takes
//! `2 r` from `g`. The latest of these times is the answer: the first step of conservative advancement
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
use crate::error::{Argument, Error, Result, number};
use crate::geometry::vector::{dot, length, minus};
use crate::geometry::{Aabb, COORDINATE_MAX};
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
    /// When there is not one velocity and one spin for each id, an id is unknown or twice in the list, or a
    /// number is not finite; nothing changes then.
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
        self.bodies.set_velocities(ids, velocities, spins)
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
    /// touch, a body leaves the range of coordinates until then, the periodic cell is too small for the
    /// boxes that bodies sweep, or memory runs out.
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

/// The rotation of a body about the origin of its frame.
#[derive(Clone, Copy)]
struct Turning {
    /// The distance of the outermost point of a core from the origin.
    reach: f64,
    spin: f64,
    /// A bound of the angular acceleration.
    angular: f64,
}

/// A bound of the way of a point by rotation: `diameter + speed t + change t^2 / 2`.
#[derive(Clone, Copy)]
struct TurningBound {
    diameter: f64,
    speed: f64,
    change: f64,
}

impl Turning {
    /// The bound by the arc, and that by the diameter.
    fn bounds(self) -> [TurningBound; 2] {
        [
            TurningBound {
                diameter: 0.0,
                speed: self.at_reach(self.spin),
                change: self.at_reach(self.angular),
            },
            TurningBound {
                diameter: 2.0 * self.reach,
                speed: 0.0,
                change: 0.0,
            },
        ]
    }

    /// A bound of the way of a point until a time.
    fn farthest(self, time: f64) -> f64 {
        let angle = self.spin * time + 0.5 * self.angular * time * time;
        self.at_reach(angle.min(2.0))
    }

    /// A half-space has no outermost point: it must not turn.
    fn at_reach(self, x: f64) -> f64 {
        if x == 0.0 { 0.0 } else { x * self.reach }
    }
}

/// The time at which a gap that shrinks by `closing t + change t^2 / 2` is 0; 0 if there is no gap.
fn free_time(gap: f64, closing: f64, change: f64) -> f64 {
    // Also minus infinity, where no bound is known.
    if !(gap > 0.0 && closing < f64::INFINITY && change < f64::INFINITY) {
        return 0.0;
    }
    // Bodies that do not approach and do not accelerate.
    if closing <= 0.0 && change == 0.0 {
        return f64::INFINITY;
    }
    let root = (closing * closing + 2.0 * change * gap).sqrt();
    // Both are the same root; each cancels no digits for its sign.
    match closing < 0.0 {
        true => (root - closing) / change,
        false => 2.0 * gap / (closing + root),
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

    /// The rotation of a body, and the bound of its linear acceleration.
    fn turning(&self, slot: usize) -> (Turning, f64) {
        let is_moving = self.bodies.motions[slot] != super::Motion::Fixed;
        let (linear, angular) = match is_moving {
            true => (self.accelerations.linear, self.accelerations.angular),
            false => (0.0, 0.0),
        };
        let turning = Turning {
            reach: self.bodies.shapes[slot].turning_reach(),
            spin: length(self.bodies.velocities[slot][1]),
            angular,
        };
        (turning, linear)
    }

    /// The time for which two bodies with a gap along a unit normal stay apart.
    fn free_time(&self, candidate: &Candidate, (gap, normal): (f64, [f64; 3])) -> f64 {
        let [a, b] = candidate.slots.map(|slot| slot as usize);
        let [va, vb] = [a, b].map(|slot| self.bodies.velocities[slot][0]);
        let [(turn_a, linear_a), (turn_b, linear_b)] = [a, b].map(|slot| self.turning(slot));
        let relative = minus(vb, va);
        let along = match normal == [0.0; 3] {
            true => length(relative),
            false => 0.0 - dot(normal, relative),
        };
        let mut longest = 0.0f64;
        for x in turn_a.bounds() {
            for y in turn_b.bounds() {
                let left = gap - (x.diameter + y.diameter);
                let closing = along + (x.speed + y.speed);
                let change = linear_a + linear_b + (x.change + y.change);
                longest = longest.max(free_time(left, closing, change));
            }
        }
        // Downward, by more than the rounding of a few operations.
        (1.0 - 1e-12) * longest
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
            let (turning, linear) = self.turning(slot);
            let turned = turning.farthest(horizon);
            let way = self.bodies.velocities[slot][0].map(|v| v * horizon);
            // However it turns, the body stays in the ball of its reach around its position.
            let center = self.bodies.pose(slot).translation();
            let reach = (1.0 + 1e-12) * self.bodies.shapes[slot].reach();
            let low = |k: usize| (own.min[k] - turned).max((center[k] - reach).min(own.min[k]));
            let high = |k: usize| (own.max[k] + turned).min((center[k] + reach).max(own.max[k]));
            let swept = Aabb {
                min: std::array::from_fn(|k| low(k) + way[k].min(0.0)),
                max: std::array::from_fn(|k| high(k) + way[k].max(0.0)),
            };
            let swept = swept.expanded(0.5 * linear * horizon * horizon);
            let mut corners = swept.min.iter().chain(&swept.max);
            // Also NaN fails.
            if !corners.all(|x| x.abs() <= COORDINATE_MAX) {
                let id = self.bodies.ids[slot];
                let numbers = |v: [f64; 3]| v.map(number).join(", ");
                let [velocity, spin] = self.bodies.velocities[slot].map(numbers);
                let found = format!("velocity ({velocity}) and spin ({spin}) of body {id}");
                let expected = format!(
                    "a body that stays within 1.6e60 of the origin until the horizon, {}",
                    number(horizon)
                );
                return Err(Error::argument(Argument::Velocities, found, expected));
            }
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
