//! Batches: the candidate pairs of each kind, for whoever computes forces.
//!
//! A simulation fuses the closed form of two spheres with its law of contact, and keeps histories in
//! columns of its own. It takes candidates and columns from here, instead of contact records: the
//! candidates of the last update contain every pair of bodies within the margin, now and until the
//! next update that makes the list anew ([`Scene::list_age`]).

use super::bodies::Bodies;
use super::candidate::Candidate;
use super::pair_kind::PairKind;
use super::{BodyId, Scene, Shape};
use crate::geometry::Pose;
use crate::pairs::Image;

/// A candidate pair of bodies, by their slots in the columns ([`Scene::columns`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CandidatePair {
    /// The slots of the two bodies; the first has the lower id.
    pub slots: [u32; 2],
    /// The periodic image of the second body.
    pub image: Image<3>,
}

/// The candidate pairs of one kind, sorted by ids and image.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'s> {
    /// The kind of all pairs of the batch.
    pub kind: PairKind,
    /// The pairs of bodies that may touch.
    pub pairs: &'s [CandidatePair],
}

/// Columns of bodies, one entry for each slot. Slots are in ascending order of ids.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'s> {
    /// The ids of bodies.
    pub ids: &'s [BodyId],
    /// The shapes of bodies.
    pub shapes: &'s [Shape],
    /// Centre and radius of spheres; NaN for other shapes.
    pub balls: &'s [[f64; 4]],
    bodies: &'s Bodies,
}

impl Columns<'_> {
    /// The pose of a body, by its slot.
    pub fn pose(&self, slot: usize) -> Pose {
        self.bodies.pose(slot)
    }
}

/// The candidate pairs of a list, by kind.
pub(super) type PairsByKind = [Vec<CandidatePair>; PairKind::ALL.len()];

fn by_kind(list: &[Candidate]) -> PairsByKind {
    let mut pairs = PairsByKind::default();
    for candidate in list {
        pairs[candidate.kind as usize].push(CandidatePair {
            slots: candidate.slots,
            image: candidate.image,
        });
    }
    pairs
}

impl Scene {
    /// The candidate pairs of the last update, a batch for each kind. Every pair of bodies with a
    /// contact is among them.
    ///
    /// ```
    /// use tangere::geometry::Pose;
    /// use tangere::scene::{Body, PairKind, Scene, SceneSettings, Shape};
    ///
    /// let mut scene = Scene::new(SceneSettings::default())?;
    /// let ball = Shape::sphere(0.5)?;
    /// for x in [0.0, 0.9, 5.0] {
    ///     scene.add(Body::new(ball.clone()).at(Pose::from_translation([x, 0.0, 0.0])?))?;
    /// }
    /// scene.update()?;
    /// let spheres = scene.batches().find(|batch| batch.kind == PairKind::SphereSphere).unwrap();
    /// let pair = spheres.pairs[0].slots.map(|slot| slot as usize);
    /// let [a, b] = pair.map(|slot| scene.columns().balls[slot]);
    /// assert_eq!(b[0] - a[0] - (a[3] + b[3]), scene.contacts()[0].contact.gap);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    pub fn batches(&self) -> impl Iterator<Item = Batch<'_>> {
        let pairs = self.batches.get_or_init(|| by_kind(&self.candidates.list));
        PairKind::ALL.into_iter().map(|kind| Batch {
            kind,
            pairs: &pairs[kind as usize],
        })
    }

    /// The columns of bodies to which the slots of candidates refer, as of the last update.
    pub fn columns(&self) -> Columns<'_> {
        let bodies = &self.bodies;
        Columns {
            ids: &bodies.ids,
            shapes: &bodies.shapes,
            balls: &bodies.balls,
            bodies,
        }
    }

    /// The number of updates since the list of candidates was made; 0 in the update that made it, in
    /// which slots and candidates may have changed.
    pub fn list_age(&self) -> u32 {
        self.candidates.age()
    }
}
