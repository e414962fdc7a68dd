//! The scene: bodies in motion, and the contacts between them.

use rayon::prelude::*;

use super::bodies::Bodies;
use super::body::Motion;
use super::candidates::{Candidate, Candidates};
use super::identity::{self, Tracked};
use super::narrow_phase::Scratch;
use super::pair_evaluation::PairEvaluation;
use super::scene_contact::SceneContact;
use super::shape::Element;
use super::state_hash::state_hash;
use super::{Body, BodyId, Shape};
use crate::error::{Argument, Error, Result, number};
use crate::geometry::vector::dot;
use crate::geometry::{Aabb, Pose};
use crate::pairs::{PairSettings, Periodic};
use crate::settings::builders;

/// Settings of a [`Scene`].
#[derive(Clone, Copy, Debug, Default)]
pub struct SceneSettings {
    /// The largest gap of a contact; not negative.
    pub margin: f64,
    /// The periodic cell in which bodies repeat; `None` for open space.
    pub periodic: Option<Periodic<3>>,
}

builders!(SceneSettings {
    /// Sets the largest gap of a contact.
    with_margin(margin: f64),
    /// Sets the periodic cell in which bodies repeat.
    with_periodic(periodic: impl Into<Option<Periodic<3>>>),
});

/// The number of candidates of a parallel task.
const CHUNK: usize = 256;

/// The largest cosine of the angle between a half-space's normal and a periodic edge that counts as a
/// right angle: rounding of a pose.
const ORTHOGONAL: f64 = 1e-12;

/// Bodies of any shape and the contacts between them.
#[derive(Debug)]
pub struct Scene {
    pub(super) settings: SceneSettings,
    pub(super) bodies: Bodies,
    candidates: Candidates,
    tracked: Vec<Tracked>,
    contacts: Vec<SceneContact>,
    ended: Vec<SceneContact>,
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
            tracked: Vec::new(),
            contacts: Vec::new(),
            ended: Vec::new(),
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
    /// When the id is in use, or was; or when the body could touch another one in a pair of shapes
    /// whose contacts are not supported yet (two meshes, or a mesh and a half-space).
    pub fn add(&mut self, body: Body) -> Result<BodyId> {
        self.bodies.add(body)
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
        let mut ids = self.bodies.ids.clone();
        ids.sort_unstable();
        ids
    }

    /// The pose of a body.
    ///
    /// # Errors
    /// When there is no body with this id.
    pub fn pose(&self, id: BodyId) -> Result<Pose> {
        Ok(self.bodies.poses[self.bodies.slot(id)?])
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
    /// When there is not one pose for each id, or an id is unknown; no pose changes then.
    pub fn set_poses(&mut self, ids: &[BodyId], poses: &[Pose]) -> Result<()> {
        if ids.len() != poses.len() {
            let expected = format!("one for each of {} bodies", ids.len());
            let found = format!("{} poses", poses.len());
            return Err(Error::argument(Argument::Poses, found, expected));
        }
        for &id in ids {
            self.bodies.slot(id)?;
        }
        for (&id, &pose) in ids.iter().zip(poses) {
            let slot = self.bodies.slot(id)?;
            self.bodies.poses[slot] = pose;
        }
        Ok(())
    }

    /// Finds the contacts of all bodies in their present poses.
    ///
    /// # Errors
    /// When the periodic cell is too small for a body or has edges that a half-space is not parallel
    /// to, or memory runs out. The contacts stay those of the last update then.
    pub fn update(&mut self) -> Result<()> {
        self.check_half_spaces()?;
        let boxes = self.boxes();
        let mut found = Vec::new();
        self.candidates.find(&self.bodies, &boxes, &mut found)?;
        let mut tracked = self.evaluate(&found, &boxes);
        self.ended.clear();
        identity::assign(&mut tracked, &self.tracked, &mut self.ended);
        self.tracked = tracked;
        self.contacts.clear();
        let current = self.tracked.iter().map(|tracked| tracked.contact);
        self.contacts.extend(current);
        Ok(())
    }

    /// The contacts of the last update, sorted by bodies, image and slot.
    pub fn contacts(&self) -> &[SceneContact] {
        &self.contacts
    }

    /// The contacts that ended in the last update, as they were before it.
    pub fn ended(&self) -> &[SceneContact] {
        &self.ended
    }

    /// The contacts of one body in the last update, in the order of all contacts.
    pub fn contacts_of(&self, id: BodyId) -> impl Iterator<Item = &SceneContact> {
        let contacts = self.contacts.iter();
        contacts.filter(move |contact| contact.a == id || contact.b == id)
    }

    /// A hash of bodies and contacts: equal for equal content, in whatever order bodies were added
    /// and on any number of threads.
    pub fn state_hash(&self) -> u64 {
        state_hash(&self.bodies, &self.tracked)
    }

    /// The tight boxes of all bodies, by slot.
    pub(super) fn boxes(&self) -> Vec<Aabb<3>> {
        let bodies = &self.bodies;
        let shapes = bodies.shapes.par_iter().zip(&bodies.poses);
        shapes
            .with_min_len(CHUNK)
            .map(|(shape, pose)| shape.bounds(pose))
            .collect()
    }

    pub(super) fn pair_evaluation<'a>(&'a self, boxes: &'a [Aabb<3>]) -> PairEvaluation<'a> {
        PairEvaluation {
            bodies: &self.bodies,
            settings: &self.settings,
            boxes,
        }
    }

    /// The contacts of candidates, in their order.
    fn evaluate(&self, candidates: &[Candidate], boxes: &[Aabb<3>]) -> Vec<Tracked> {
        let pairs = self.pair_evaluation(boxes);
        let chunks: Vec<Vec<Tracked>> = candidates
            .par_chunks(CHUNK)
            .map_init(Scratch::default, |scratch, chunk| {
                let mut found = Vec::new();
                for candidate in chunk {
                    pairs.contacts(candidate, scratch, &mut found);
                }
                found
            })
            .collect();
        chunks.concat()
    }

    /// Checks that half-spaces are parallel to all edges along which space repeats.
    fn check_half_spaces(&self) -> Result<()> {
        let Some(cell) = self.settings.periodic else {
            return Ok(());
        };
        for (slot, shape) in self.bodies.shapes.iter().enumerate() {
            for part in shape.parts() {
                let Element::HalfSpace(normal) = &part.element else {
                    continue;
                };
                let normal = part.placed(&self.bodies.poses[slot]).rotate(*normal);
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
