//! The scene: bodies in motion, and the contacts between them.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use rayon::prelude::*;

use super::batches::PairsByKind;
use super::block::{Block, BlockContacts, BlockScratch, Update};
use super::bodies::Bodies;
use super::body::Motion;
use super::candidates::Candidates;
use super::carry_over::CarryOver;
use super::history::Histories;
use super::identity::Located;
use super::pair_evaluation::PairEvaluation;
use super::scene_contact::SceneContact;
use super::shape::Element;
use super::state_hash::state_hash;
use super::{Body, BodyId, Queries, Shape};
use crate::closest::SparePolytopes;
use crate::error::{Argument, Error, Result, number};
use crate::geometry::Pose;
use crate::geometry::vector::dot;
use crate::pairs::{PairSettings, Periodic};
use crate::settings::builders;

/// Settings of a [`Scene`].
#[derive(Clone, Copy, Debug, Default)]
pub struct SceneSettings {
    /// The largest gap of a contact; not negative. Of a bracketed contact, whose search ended with bounds,
    /// it is the largest lower bound of the gap.
    pub margin: f64,
    /// The periodic cell in which bodies repeat; `None` for open space.
    pub periodic: Option<Periodic<3>>,
    /// The number of vectors of history that travel with each contact ([`Scene::history`]).
    pub history: usize,
}

builders!(SceneSettings {
    /// Sets the largest gap of a contact.
    with_margin(margin: f64),
    /// Sets the periodic cell in which bodies repeat.
    with_periodic(periodic: impl Into<Option<Periodic<3>>>),
    /// Sets the number of vectors of history of a contact.
    with_history(history: usize),
});

/// The largest cosine of the angle between a half-space's normal and a periodic edge that counts as a
/// right angle: rounding of a pose.
const ORTHOGONAL: f64 = 1e-12;

/// The number of tracked pairs for which a polytope is kept ready: it takes as much memory as 200 tracks.
const TRACKS_PER_SPARE: usize = 256;

/// Bodies of any shape and the contacts between them.
#[derive(Debug)]
pub struct Scene {
    pub(super) settings: SceneSettings,
    pub(super) bodies: Bodies,
    pub(super) candidates: Candidates,
    /// The candidates by kind, once they were asked for.
    pub(super) batches: OnceLock<PairsByKind>,
    blocks: Vec<Block>,
    carry_over: CarryOver,
    /// One for each thread.
    scratches: Vec<Mutex<BlockScratch>>,
    /// Polytopes on their way from one thread to others.
    spare: SparePolytopes,
    pub(super) contacts: Vec<SceneContact>,
    pub(super) located: Vec<Located>,
    pub(super) ended: Vec<SceneContact>,
    pub(super) histories: Histories,
    /// Memory for the next contacts.
    next: BlockContacts,
}

impl Scene {
    /// A scene without bodies.
    ///
    /// # Errors
    /// When the margin is negative or not finite.
    pub fn new(settings: SceneSettings) -> Result<Self> {
        let pairs = PairSettings {
            margin: settings.margin,
            periodic: settings.periodic,
            ..PairSettings::default()
        };
        Ok(Self {
            settings,
            bodies: Bodies::default(),
            candidates: Candidates::new(pairs)?,
            batches: OnceLock::new(),
            blocks: Vec::new(),
            carry_over: CarryOver::default(),
            scratches: Vec::new(),
            spare: SparePolytopes::default(),
            contacts: Vec::new(),
            located: Vec::new(),
            ended: Vec::new(),
            histories: Histories {
                each: settings.history,
                ..Histories::default()
            },
            next: BlockContacts::default(),
        })
    }

    /// The settings of the scene.
    pub fn settings(&self) -> &SceneSettings {
        &self.settings
    }

    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether the scene has no bodies.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a body and returns its id. It has contacts from the next update on.
    ///
    /// # Errors
    /// When the id is in use, or was; when none is given and none is left to count, after 2^64 - 2; or when
    /// the body could touch another one in a pair of shapes whose contacts are not supported yet (two
    /// meshes, or a mesh and a half-space).
    pub fn add(&mut self, body: Body) -> Result<BodyId> {
        self.bodies.add(body)
    }

    /// Adds bodies and returns their ids: all of them, or none.
    ///
    /// # Errors
    /// As [`add`](Self::add); the error has the number of the body.
    pub fn add_all(&mut self, bodies: Vec<Body>) -> Result<Vec<BodyId>> {
        self.bodies.add_all(bodies)
    }

    /// Removes a body. Its contacts end at the next update.
    ///
    /// # Errors
    /// When there is no body with this id.
    pub fn remove(&mut self, id: BodyId) -> Result<()> {
        self.bodies.remove(id)
    }

    /// The ids of all bodies, in ascending order.
    pub fn ids(&self) -> Vec<BodyId> {
        let present = self.bodies.present();
        let mut ids: Vec<BodyId> = present.map(|slot| self.bodies.ids[slot]).collect();
        ids.sort_unstable();
        ids
    }

    /// The pose of a body.
    ///
    /// # Errors
    /// When there is no body with this id.
    pub fn pose(&self, id: BodyId) -> Result<Pose> {
        Ok(self.bodies.pose(self.bodies.slot(id)?))
    }

    /// The shape of a body.
    ///
    /// # Errors
    /// When there is no body with this id.
    pub fn shape(&self, id: BodyId) -> Result<&Shape> {
        Ok(&self.bodies.shapes[self.bodies.slot(id)?])
    }

    /// How a body moves.
    ///
    /// # Errors
    /// When there is no body with this id.
    pub fn motion(&self, id: BodyId) -> Result<Motion> {
        Ok(self.bodies.motions[self.bodies.slot(id)?])
    }

    /// Sets the poses of bodies, one for each id.
    ///
    /// # Errors
    /// When there is not one pose for each id, or an id is unknown or twice in the list; no pose changes
    /// then.
    pub fn set_poses(&mut self, ids: &[BodyId], poses: &[Pose]) -> Result<()> {
        if ids.len() != poses.len() {
            let expected = format!("one for each of {} bodies", ids.len());
            let found = format!("{} poses", poses.len());
            return Err(Error::argument(Argument::Poses, found, expected));
        }
        self.bodies.set_poses(ids, poses)
    }

    /// Sets the positions of bodies, one for each id: the origins of their frames. They keep their
    /// rotations. For spheres this is faster than [`set_poses`](Self::set_poses).
    ///
    /// # Errors
    /// When there is not one position for each id, an id is unknown or twice in the list, or a coordinate is
    /// not finite or its magnitude exceeds [`COORDINATE_MAX`](crate::geometry::COORDINATE_MAX); no body moves
    /// then.
    pub fn set_positions(&mut self, ids: &[BodyId], positions: &[[f64; 3]]) -> Result<()> {
        if ids.len() != positions.len() {
            let expected = format!("one for each of {} bodies", ids.len());
            let found = format!("{} positions", positions.len());
            return Err(Error::argument(Argument::Positions, found, expected));
        }
        self.bodies.set_positions(ids, positions)
    }

    /// Finds the contacts of all bodies in their present poses.
    ///
    /// # Errors
    /// When the periodic cell is too small for a body or has edges that a half-space is not parallel
    /// to, or memory runs out. Contacts, candidates and the slots of bodies stay those of the last update
    /// then.
    pub fn update(&mut self) -> Result<()> {
        self.check_half_spaces()?;
        let (is_changed, before) = self.bodies.settle();
        if is_changed {
            self.candidates.invalidate();
        }
        self.scratches
            .resize_with(rayon::current_num_threads().max(1), Mutex::default);
        let is_listed = self.candidates.is_valid(&self.bodies);
        if !is_listed {
            let found = self.candidates.find(&self.bodies, self.settings.margin);
            if found.is_err() && is_changed {
                // The candidates of the last update refer to the slots of its bodies.
                self.bodies.unsettle(before);
            }
            found?;
            self.batches = OnceLock::new();
        }
        self.ended.clear();
        if !is_listed {
            let mut scratch = scratch_of(&self.scratches);
            self.carry_over.refill(
                (&self.bodies, &self.candidates.list),
                &self.contacts,
                &mut self.blocks,
                &mut self.ended,
                &mut scratch.narrow_phase.tracker,
            );
        }
        self.find_contacts();
        if !is_listed {
            self.make_room();
        }
        Ok(())
    }

    /// Makes room for more contacts and for more pairs that penetrate, once there is a new list, so that updates
    /// up to the next one allocate nothing.
    fn make_room(&mut self) {
        /// Reserves half as many again as `count`, where less than an eighth is left: rarely.
        fn room<T>(list: &mut Vec<T>, count: usize) {
            if list.capacity() < count + count / 8 + 1 {
                list.reserve((count + count / 2 + 8).saturating_sub(list.len()));
            }
        }
        let (contacts, located) = (self.contacts.len(), self.located.len());
        room(&mut self.contacts, contacts);
        room(&mut self.located, located);
        room(&mut self.ended, contacts / 16);
        room(&mut self.next.contacts, contacts);
        room(&mut self.next.located, located);
        room(&mut self.next.ended, contacts / 16);
        room(&mut self.next.bonds, located);
        if self.scratches.len() > 1 {
            for found in self.blocks.iter_mut().map(|block| &mut block.found) {
                let (contacts, located) = (found.contacts.len(), found.located.len());
                // A block has few, so that their number varies more.
                room(&mut found.contacts, 2 * contacts);
                room(&mut found.ended, contacts / 4);
                room(&mut found.located, 2 * located);
                room(&mut found.bonds, 2 * located);
            }
        }
        let tracks = || self.blocks.iter().flat_map(|block| &block.tracks);
        let deep = tracks().filter(|track| track.is_deep()).count();
        let spare = tracks().count() / TRACKS_PER_SPARE + deep / 4;
        let trackers = self.scratches.len();
        let all = &mut self.spare;
        for scratch in &mut self.scratches {
            let scratch = scratch.get_mut().unwrap_or_else(PoisonError::into_inner);
            scratch.narrow_phase.tracker.give_spare(all);
        }
        // Each thread may need all of them.
        let share = all.fill(spare.max(1) * trackers) / trackers;
        for scratch in &mut self.scratches {
            let scratch = scratch.get_mut().unwrap_or_else(PoisonError::into_inner);
            scratch.narrow_phase.tracker.take_spare(all, share);
        }
    }

    /// The narrow phase of all blocks, then all contacts in one list.
    fn find_contacts(&mut self) {
        let update = Update {
            pairs: PairEvaluation {
                bodies: &self.bodies,
                settings: &self.settings,
            },
            before: &self.contacts,
            located: &self.located,
        };
        let (scratches, next) = (&self.scratches, &mut self.next);
        if rayon::current_num_threads() == 1 {
            next.clear();
            let scratch = &mut scratch_of(scratches);
            for block in &mut self.blocks {
                block.update(&update, scratch, next);
            }
        } else {
            // One by one: pairs with meshes, which take longest, are neighbours in the list.
            let blocks = self.blocks.par_iter_mut().with_max_len(1);
            blocks.for_each(|block| block.update_own(&update, &mut scratch_of(scratches)));
            next.join(&mut self.blocks);
        }
        let histories = &mut self.histories;
        histories.carry(&self.contacts, &next.contacts, &next.bonds);
        self.ended.extend_from_slice(&next.ended);
        self.ended
            .sort_unstable_by_key(|contact| (contact.pair(), contact.slot));
        std::mem::swap(&mut next.contacts, &mut self.contacts);
        std::mem::swap(&mut next.located, &mut self.located);
    }

    /// The contacts of the last update, sorted by bodies, image and slot.
    pub fn contacts(&self) -> &[SceneContact] {
        &self.contacts
    }

    /// The number of pairs of bodies that the broad phase listed for the narrow phase of the last
    /// update.
    pub fn candidate_count(&self) -> usize {
        self.candidates.list.len()
    }

    /// The history of all contacts, in their order: [`SceneSettings::history`] vectors of each, in the
    /// axes of the world. They are 0 when a contact begins, turn with its normal, are shared where a
    /// contact splits and added where two merge.
    pub fn history(&self) -> &[[f64; 3]] {
        &self.histories.values
    }

    /// The history of all contacts, to be changed by the caller.
    pub fn history_mut(&mut self) -> &mut [[f64; 3]] {
        &mut self.histories.values
    }

    /// The contacts that ended in the last update, as they were before it. A contact that began in the same
    /// update may have the [`id`](SceneContact::id) of one of them.
    pub fn ended(&self) -> &[SceneContact] {
        &self.ended
    }

    /// The contacts of one body in the last update, in the order of all contacts.
    pub fn contacts_of(&self, id: BodyId) -> impl Iterator<Item = &SceneContact> {
        let contacts = self.contacts.iter();
        contacts.filter(move |contact| contact.a == id || contact.b == id)
    }

    /// Queries of the scene in its present poses: rays, nearest bodies, bodies in boxes and at points.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn queries(&self) -> Result<Queries<'_>> {
        Queries::new(self)
    }

    /// A hash of bodies and contacts: equal for equal content, in whatever order bodies were added
    /// and on any number of threads.
    pub fn state_hash(&self) -> u64 {
        state_hash(&self.bodies, &self.contacts, &self.histories.values)
    }

    /// Checks that half-spaces are parallel to all edges along which space repeats.
    fn check_half_spaces(&self) -> Result<()> {
        let Some(cell) = self.settings.periodic else {
            return Ok(());
        };
        for slot in self.bodies.present() {
            for part in self.bodies.shapes[slot].parts() {
                let Element::HalfSpace(normal) = &part.element else {
                    continue;
                };
                let normal = part.placed(&self.bodies.pose(slot)).rotate(*normal);
                for k in (0..3).filter(|&k| cell.repeats(k)) {
                    let mut image = [0; 3];
                    image[k] = 1;
                    let edge = cell.shift(image);
                    let cosine = dot(normal, edge) / dot(edge, edge).sqrt();
                    if cosine.abs() > ORTHOGONAL {
                        let id = self.bodies.ids[slot];
                        let found = format!(
                            "a half-space (body {id}) with cosine {} between its normal and edge {k}",
                            number(cosine)
                        );
                        let expected =
                            "half-spaces parallel to every edge along which space repeats";
                        return Err(Error::argument(Argument::PeriodicCell, found, expected));
                    }
                }
            }
        }
        Ok(())
    }
}

/// The scratch memory of this thread of the pool.
fn scratch_of(scratches: &[Mutex<BlockScratch>]) -> MutexGuard<'_, BlockScratch> {
    let thread = rayon::current_thread_index().unwrap_or(0);
    let scratch = &scratches[thread % scratches.len()];
    // Whatever a thread that panicked left there is memory, not state.
    scratch.lock().unwrap_or_else(PoisonError::into_inner)
}
