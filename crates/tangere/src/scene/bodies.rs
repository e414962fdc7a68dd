//! Columns of bodies, and the slot in them that an id has.
//!
//! A slot is an index into the columns. At every update slots are in ascending order of ids: removed
//! bodies leave their slots and added ones get theirs there ([`Bodies::settle`]). Ids never change.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use rayon::prelude::*;

use super::body::Motion;
use super::narrow_phase::is_supported;
use super::pair_kind::ShapeKind;
use super::shape::way;
use super::{Body, BodyId, Shape};
use crate::error::{Argument, Error, Result};
use crate::geometry::vector::largest;
use crate::geometry::{Aabb, COORDINATE_MAX, Pose};
use crate::pairs::Mask;
use crate::simd::prefetch;

/// The columns of bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    pub ids: Vec<BodyId>,
    pub shapes: Vec<Shape>,
    /// The poses of bodies; of spheres those with which they were added: `balls` and `turns` have
    /// theirs in half the memory.
    poses: Vec<Pose>,
    /// The rotations of spheres, as quaternions.
    turns: Vec<[f64; 4]>,
    pub motions: Vec<Motion>,
    pub groups: Vec<u32>,
    pub masks: Vec<Mask>,
    /// Upper bounds of the lengths of the paths of all points of each body so far.
    pub paths: Vec<f64>,
    /// Declared velocities of bodies, and of their rotation about the origins of their frames.
    pub velocities: Vec<[[f64; 3]; 2]>,
    /// The kinds of shapes, in a byte each.
    pub kinds: Vec<ShapeKind>,
    /// Whether bodies are in a group, have a mask, or are not free, so that they may not touch some
    /// others.
    is_choosy: Vec<bool>,
    /// Centre and radius of spheres in 32 bytes, for their closed forms; NaN for other shapes.
    pub balls: Vec<[f64; 4]>,
    /// Whether a body was removed and its slot waits to be settled.
    is_removed: Vec<bool>,
    slots: HashMap<BodyId, u32>,
    /// Ids of removed bodies, which are not given again.
    removed: HashSet<BodyId>,
    /// One more than the largest id so far; 2^64 - 1, which is no id, when none is left to count.
    next: BodyId,
    /// Whether bodies were added or removed since the last [`settle`](Self::settle).
    is_unsettled: bool,
    /// Memory for the slots of ids that a caller lists.
    listed: Vec<u32>,
    /// For each slot whether it is in `listed`; all false between calls.
    is_listed: Vec<bool>,
}

impl Bodies {
    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// The slots of bodies that are not removed.
    pub fn present(&self) -> impl Iterator<Item = usize> {
        (0..self.ids.len()).filter(|&slot| !self.is_removed[slot])
    }

    /// The slot of a body.
    ///
    /// # Errors
    /// When there is no body with this id.
    pub fn slot(&self, id: BodyId) -> Result<usize> {
        // Ids that were counted are slots, once removed bodies left none in between.
        if let Some(&first) = self.ids.first()
            && let Ok(guess) = usize::try_from(id.wrapping_sub(first))
            && self.ids.get(guess) == Some(&id)
            && !self.is_removed[guess]
        {
            return Ok(guess);
        }
        let slot = self.slots.get(&id).map(|&slot| slot as usize);
        slot.ok_or_else(|| {
            let found = match self.removed.contains(&id) {
                true => format!("{id}, which was removed"),
                false => format!("{id}"),
            };
            Error::argument(Argument::Body, found, "the id of a body of the scene")
        })
    }

    /// The pose of a body.
    #[inline]
    pub fn pose(&self, slot: usize) -> Pose {
        match self.kinds[slot] {
            ShapeKind::Sphere => {
                let [x, y, z, _] = self.balls[slot];
                Pose::from_unit(self.turns[slot], [x, y, z])
            }
            _ => self.poses[slot],
        }
    }

    /// Fetches the pose of a body that is no sphere into the cache.
    #[inline]
    pub fn prefetch_pose(&self, slot: usize) {
        prefetch(&self.poses, slot);
    }

    /// Adds a body and returns its id.
    ///
    /// # Errors
    /// When the id is in use or was, none is left to count, or the body could touch another in a pair
    /// of kinds that has no narrow phase.
    pub fn add(&mut self, body: Body) -> Result<BodyId> {
        let id = match body.id {
            None if self.next == BodyId::MAX => {
                let found = format!("no id left to count after {}", self.next - 1);
                let expected = "an id below it, given with the body";
                return Err(Error::argument(Argument::Id, found, expected));
            }
            None => self.next,
            Some(id) => {
                let fault = match (self.slots.contains_key(&id), self.removed.contains(&id)) {
                    (true, _) => Some(format!("{id}, which another body has")),
                    (_, true) => Some(format!("{id}, which a removed body had")),
                    _ => None,
                };
                let fault = match id {
                    BodyId::MAX => Some(format!("{id}")),
                    _ => fault,
                };
                if let Some(found) = fault {
                    let expected = "an id below 2^64 - 1 that no body has or had";
                    return Err(Error::argument(Argument::Id, found, expected));
                }
                id
            }
        };
        let slot = self.ids.len();
        if slot >= u32::MAX as usize {
            return Err(Error::too_many(
                Argument::Bodies,
                slot,
                u32::MAX as usize - 1,
            ));
        }
        if let Some(other) = self.unsupported(&body) {
            let (kind, other_kind) = (body.shape.name(), self.shapes[other].name());
            let found = format!(
                "a {kind} that can touch the {other_kind} of body {}",
                self.ids[other]
            );
            let expected = "two fixed bodies, or groups or masks that keep them apart: \
                contacts of these kinds are not supported yet";
            return Err(Error::argument(Argument::Shape, found, expected));
        }
        self.ids.push(id);
        self.balls.push(ball(&body.shape, &body.pose));
        self.kinds.push(ShapeKind::of(&body.shape));
        let is_plain = body.group == 0 && body.mask == Mask::ALL && body.motion == Motion::Free;
        self.is_choosy.push(!is_plain);
        self.shapes.push(body.shape);
        self.turns.push(body.pose.quaternion());
        self.poses.push(body.pose);
        self.motions.push(body.motion);
        self.groups.push(body.group);
        self.masks.push(body.mask);
        self.paths.push(0.0);
        self.velocities.push([[0.0; 3]; 2]);
        self.is_removed.push(false);
        self.slots.insert(id, slot as u32);
        self.next = self.next.max(id + 1);
        self.is_unsettled = true;
        Ok(id)
    }

    /// Adds bodies and returns their ids: all of them, or none.
    ///
    /// # Errors
    /// As [`add`](Self::add); the error has the number of the body.
    pub fn add_all(&mut self, bodies: Vec<Body>) -> Result<Vec<BodyId>> {
        let (count, next, was_unsettled) = (self.ids.len(), self.next, self.is_unsettled);
        let mut ids = Vec::with_capacity(bodies.len());
        for (i, body) in bodies.into_iter().enumerate() {
            match self.add(body) {
                Ok(id) => ids.push(id),
                Err(error) => {
                    ids.iter().for_each(|id| {
                        self.slots.remove(id);
                    });
                    self.ids.truncate(count);
                    self.balls.truncate(count);
                    self.kinds.truncate(count);
                    self.is_choosy.truncate(count);
                    self.shapes.truncate(count);
                    self.poses.truncate(count);
                    self.turns.truncate(count);
                    self.motions.truncate(count);
                    self.groups.truncate(count);
                    self.masks.truncate(count);
                    self.paths.truncate(count);
                    self.velocities.truncate(count);
                    self.is_removed.truncate(count);
                    (self.next, self.is_unsettled) = (next, was_unsettled);
                    return Err(match error {
                        Error::Argument {
                            what,
                            found,
                            expected,
                        } => Error::item(what, i, found, expected),
                        other => other,
                    });
                }
            }
        }
        Ok(ids)
    }

    /// The first body that a new body could touch in a pair of kinds without narrow phase.
    fn unsupported(&self, body: &Body) -> Option<usize> {
        if body.shape.is_rounded() {
            return None;
        }
        self.present().find(|&other| {
            let motions = [body.motion, self.motions[other]];
            let groups = [body.group, self.groups[other]];
            let parts = body.shape.parts();
            !self.shapes[other].is_rounded()
                && may_touch(motions, groups, [body.mask, self.masks[other]])
                && parts.iter().any(|x| {
                    let mut others = self.shapes[other].parts().iter();
                    others.any(|y| !is_supported(&x.element, &y.element))
                })
        })
    }

    /// The ids of removed bodies, in any order, and one more than the largest id so far.
    pub fn given_ids(&self) -> (Vec<BodyId>, BodyId) {
        (self.removed.iter().copied().collect(), self.next)
    }

    /// Whether a body had this id and was removed.
    pub fn was_removed(&self, id: BodyId) -> bool {
        self.removed.contains(&id)
    }

    /// Sets the ids that are not given again, of a scene that is restored.
    pub fn set_given_ids(&mut self, removed: Vec<BodyId>, next: BodyId) {
        self.removed.extend(removed);
        self.next = self.next.max(next);
    }

    /// Whether motion, groups and masks of two bodies let them touch.
    pub fn may_touch(&self, a: usize, b: usize) -> bool {
        let slots = [a, b];
        if !self.is_choosy[a] && !self.is_choosy[b] {
            return true;
        }
        may_touch(
            slots.map(|slot| self.motions[slot]),
            slots.map(|slot| self.groups[slot]),
            slots.map(|slot| self.masks[slot]),
        )
    }

    /// Removes a body. Its slot stays until the next [`settle`](Self::settle).
    ///
    /// # Errors
    /// When there is no body with this id.
    pub fn remove(&mut self, id: BodyId) -> Result<()> {
        let slot = self.slot(id)?;
        self.slots.remove(&id);
        self.removed.insert(id);
        self.is_removed[slot] = true;
        self.is_unsettled = true;
        Ok(())
    }

    /// Sets the poses of bodies, one for each id.
    ///
    /// # Errors
    /// When an id is unknown or twice in the list; no pose changes then.
    pub fn set_poses(&mut self, ids: &[BodyId], poses: &[Pose]) -> Result<()> {
        let Some(&first) = ids.first() else {
            return Ok(());
        };
        if let Some(range) = self.neighbours(first, ids)? {
            let columns = self.paths[range.clone()]
                .par_chunks_mut(MOVED_AT_ONCE)
                .zip(self.balls[range.clone()].par_chunks_mut(MOVED_AT_ONCE))
                .zip(self.turns[range.clone()].par_chunks_mut(MOVED_AT_ONCE))
                .zip(self.poses[range.clone()].par_chunks_mut(MOVED_AT_ONCE));
            let moves = columns
                .zip(self.shapes[range].par_chunks(MOVED_AT_ONCE))
                .zip(poses.par_chunks(MOVED_AT_ONCE));
            moves.for_each(|(((((paths, balls), turns), olds), shapes), poses)| {
                for i in 0..paths.len() {
                    let placed = Placed {
                        path: &mut paths[i],
                        ball: &mut balls[i],
                        turn: &mut turns[i],
                        pose: &mut olds[i],
                    };
                    placed.set_pose(&shapes[i], &poses[i]);
                }
            });
            return Ok(());
        }
        self.list(ids)?;
        for (&slot, pose) in self.listed.iter().zip(poses) {
            let slot = slot as usize;
            let placed = Placed {
                path: &mut self.paths[slot],
                ball: &mut self.balls[slot],
                turn: &mut self.turns[slot],
                pose: &mut self.poses[slot],
            };
            placed.set_pose(&self.shapes[slot], pose);
        }
        Ok(())
    }

    /// Sets the positions of bodies, one for each id; they keep their rotations.
    ///
    /// # Errors
    /// When an id is unknown or twice in the list, or a coordinate is not valid; no body moves then.
    pub fn set_positions(&mut self, ids: &[BodyId], positions: &[[f64; 3]]) -> Result<()> {
        let Some(&first) = ids.first() else {
            return Ok(());
        };
        let is_valid = |p: &[f64; 3]| p.iter().all(|x| x.abs() <= COORDINATE_MAX);
        if let Some(i) = positions.iter().position(|p| !is_valid(p)) {
            let found = format!("{:?}", positions[i]);
            let expected = "finite numbers of magnitude at most 1.6e60";
            return Err(Error::item(Argument::Position, i, found, expected));
        }
        if let Some(range) = self.neighbours(first, ids)? {
            let columns = self.paths[range.clone()]
                .par_iter_mut()
                .zip(&mut self.balls[range.clone()])
                .zip(&mut self.poses[range]);
            columns.zip(positions).with_min_len(MOVED_AT_ONCE).for_each(
                |(((path, ball), pose), position)| {
                    set_position(path, ball, pose, *position);
                },
            );
            return Ok(());
        }
        self.list(ids)?;
        for (&slot, position) in self.listed.iter().zip(positions) {
            let slot = slot as usize;
            let (path, ball) = (&mut self.paths[slot], &mut self.balls[slot]);
            set_position(path, ball, &mut self.poses[slot], *position);
        }
        Ok(())
    }

    /// The slots of bodies that are neighbours in the columns, as all of them are: they need no table.
    fn neighbours(&self, first: BodyId, ids: &[BodyId]) -> Result<Option<Range<usize>>> {
        let first = self.slot(first)?;
        let range = first..first + ids.len();
        let is_range = self.ids.get(range.clone()) == Some(ids)
            && !self.is_removed[range.clone()].contains(&true);
        Ok(is_range.then_some(range))
    }

    /// Declares the velocities and spins of bodies, one of each for each id.
    ///
    /// # Errors
    /// When an id is unknown or twice in the list; nothing changes then.
    pub fn set_velocities(
        &mut self,
        ids: &[BodyId],
        velocities: &[[f64; 3]],
        spins: &[[f64; 3]],
    ) -> Result<()> {
        self.list(ids)?;
        for (&slot, own) in self.listed.iter().zip(velocities.iter().zip(spins)) {
            self.velocities[slot as usize] = [*own.0, *own.1];
        }
        Ok(())
    }

    /// Lists the slots of bodies in `listed`.
    ///
    /// # Errors
    /// When an id is unknown, or twice in the list: what is last would win, which depends on the order.
    fn list(&mut self, ids: &[BodyId]) -> Result<()> {
        self.listed.clear();
        self.is_listed.resize(self.ids.len(), false);
        let mut fault = None;
        for &id in ids {
            let slot = match self.slot(id) {
                Ok(slot) => slot,
                Err(unknown) => {
                    fault = Some(unknown);
                    break;
                }
            };
            if std::mem::replace(&mut self.is_listed[slot], true) {
                let found = format!("{id} twice");
                let expected = "each id once";
                fault = Some(Error::argument(Argument::Body, found, expected));
                break;
            }
            self.listed.push(slot as u32);
        }
        for &slot in &self.listed {
            self.is_listed[slot as usize] = false;
        }
        fault.map_or(Ok(()), Err)
    }

    /// Gives slots in the order of ids to all bodies and drops those of removed ones. Returns whether
    /// bodies were added or removed since the last call, and the columns before if slots changed, for
    /// [`unsettle`](Self::unsettle).
    pub fn settle(&mut self) -> (bool, Option<Box<Self>>) {
        if !std::mem::take(&mut self.is_unsettled) {
            return (false, None);
        }
        if self.ids.is_sorted() && self.ids.len() == self.slots.len() {
            return (true, None);
        }
        let mut order: Vec<usize> = self.present().collect();
        order.sort_unstable_by_key(|&slot| self.ids[slot]);
        fn reordered<T: Clone>(column: &[T], order: &[usize]) -> Vec<T> {
            order.iter().map(|&slot| column[slot].clone()).collect()
        }
        let ids = reordered(&self.ids, &order);
        let settled = Self {
            slots: ids.iter().copied().zip(0..).collect(),
            ids,
            shapes: reordered(&self.shapes, &order),
            poses: reordered(&self.poses, &order),
            turns: reordered(&self.turns, &order),
            motions: reordered(&self.motions, &order),
            groups: reordered(&self.groups, &order),
            masks: reordered(&self.masks, &order),
            paths: reordered(&self.paths, &order),
            velocities: reordered(&self.velocities, &order),
            kinds: reordered(&self.kinds, &order),
            is_choosy: reordered(&self.is_choosy, &order),
            balls: reordered(&self.balls, &order),
            is_removed: vec![false; order.len()],
            removed: std::mem::take(&mut self.removed),
            next: self.next,
            is_unsettled: false,
            listed: Vec::new(),
            is_listed: Vec::new(),
        };
        (true, Some(Box::new(std::mem::replace(self, settled))))
    }

    /// Undoes a [`settle`](Self::settle) that returned these columns: slots that others keep stay valid.
    pub fn unsettle(&mut self, before: Option<Box<Self>>) {
        if let Some(mut before) = before {
            before.removed = std::mem::take(&mut self.removed);
            *self = *before;
        }
        self.is_unsettled = true;
    }

    /// The tight box of a body in its pose, rounded outward; infinite if its shape is unbounded.
    pub fn bounds(&self, slot: usize) -> Aabb<3> {
        let [x, y, z, radius] = self.balls[slot];
        if radius.is_nan() {
            return self.shapes[slot].bounds(&self.poses[slot]);
        }
        let center = [x, y, z];
        let error = BALL_ROUNDING * (largest(center) + radius);
        Aabb {
            min: center.map(|c| c - (radius + error)),
            max: center.map(|c| c + (radius + error)),
        }
    }
}

/// The rounding error of a side of the box of a sphere, relative to the magnitudes that enter it: three
/// roundings, and as much to spare.
const BALL_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The number of bodies that are moved in a parallel task.
const MOVED_AT_ONCE: usize = 4096;

/// What the columns have of the place of a body.
struct Placed<'a> {
    path: &'a mut f64,
    ball: &'a mut [f64; 4],
    turn: &'a mut [f64; 4],
    pose: &'a mut Pose,
}

impl Placed<'_> {
    /// Moves a body of this shape.
    #[inline]
    fn set_pose(self, shape: &Shape, pose: &Pose) {
        let moved = match self.ball[3].is_nan() {
            true if self.pose == pose => return,
            true => {
                let moved = shape.motion_bound(&self.pose.to_numbers(), &pose.to_numbers());
                *self.pose = *pose;
                moved
            }
            false => {
                *self.turn = pose.quaternion();
                move_ball(self.ball, pose.translation())
            }
        };
        add_to_path(self.path, moved);
    }
}

/// Moves a body without turning it.
#[inline]
fn set_position(path: &mut f64, ball: &mut [f64; 4], old: &mut Pose, position: [f64; 3]) {
    let moved = match ball[3].is_nan() {
        true => {
            let moved = way(&old.translation(), &position);
            *old = old.moved_to(position);
            moved
        }
        false => move_ball(ball, position),
    };
    add_to_path(path, moved);
}

/// Moves the centre of a sphere and returns how far.
#[inline]
fn move_ball(ball: &mut [f64; 4], [x, y, z]: [f64; 3]) -> f64 {
    let moved = way(&ball[..3], &[x, y, z]);
    *ball = [x, y, z, ball[3]];
    moved
}

#[inline]
fn add_to_path(path: &mut f64, moved: f64) {
    if moved > 0.0 {
        // Upward, so that the sum stays a bound.
        *path = (*path + moved).next_up();
    }
}

/// Whether motions, groups and masks of two bodies let them touch.
fn may_touch(motions: [Motion; 2], groups: [u32; 2], masks: [Mask; 2]) -> bool {
    motions.contains(&Motion::Free)
        && (groups[0] == 0 || groups[0] != groups[1])
        && masks[0].allows(masks[1])
}

/// Centre and radius of a sphere; NaN for other shapes.
fn ball(shape: &Shape, pose: &Pose) -> [f64; 4] {
    match shape.sphere_radius() {
        Some(radius) => {
            let [x, y, z] = pose.translation();
            [x, y, z, radius]
        }
        None => [f64::NAN; 4],
    }
}
