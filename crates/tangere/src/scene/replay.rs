//! Replay: the query of one pair of bodies as bytes, and what each method answers for it.
//!
//! The bytes are the snapshot of a scene of these two bodies alone, so that a contact that looks wrong
//! can be taken out of a large simulation and examined. Methods are the narrow phase as the scene runs
//! it, the same with the bodies exchanged, brute force over all triangles and, for two convex solids,
//! all pairs of features and Lin's walk as published.

use super::body::Body;
use super::candidate::Candidate;
use super::narrow_phase::{Scratch, part_contacts, rounded_rounded};
use super::pair_evaluation::PairEvaluation;
use super::pair_frame::PairFrame;
use super::rounded::Rounded;
use super::shape::{Element, Part};
use super::{BodyId, Scene, SceneContact};
use crate::closest::{LinWalk, certificate, exhaustive};
use crate::contact::Contact;
use crate::error::{Argument, Error, Result};
use crate::geometry::Pose;
use crate::names::names;
use crate::pairs::Image;

/// The largest number of pairs of features of two solids that are all tested: seconds of work.
const EXHAUSTIVE_MOST: usize = 50_000_000;

/// A method that answers the query of a pair of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PairMethod {
    /// The scene itself: broad phase, then tracked features or a BVH of triangles.
    Scene,
    /// The narrow phase of the scene with the bodies exchanged, mirrored back.
    Mirrored,
    /// Brute force: every image and every triangle.
    BruteForce,
    /// All pairs of features of two convex solids ([`exhaustive`]).
    Exhaustive,
    /// Lin's walk as published ([`LinWalk`]) between two convex solids.
    Lin,
}

names! {
    PairMethod, Method {
        Scene = "scene",
        Mirrored = "mirrored",
        BruteForce = "brute-force",
        Exhaustive = "exhaustive",
        Lin = "lin",
    }
}

/// What a method answers for a pair of bodies: one contact.
#[derive(Clone, Debug, PartialEq)]
pub struct PairAnswer {
    /// The method that found the contact.
    pub method: PairMethod,
    /// The periodic image of the body of higher id.
    pub image: Image<3>,
    /// The parts of the two bodies; 0 unless they are compounds.
    pub parts: [u32; 2],
    /// The contact in the world, from the body of lower id to the other.
    pub contact: Contact,
    /// Whether the contact agrees with those of the scene: the same bits for the narrow phase and
    /// brute force; for the other methods bounds of the gap that have a number in common.
    pub agrees: bool,
    /// What else the method reports, such as the certificate of the contact.
    pub remark: String,
}

impl Scene {
    /// The query of a pair of bodies as bytes: a snapshot of a scene of these two alone, with their
    /// contacts of the last update. [`restore`](Self::restore) reads them, and
    /// [`pair_answers`](Self::pair_answers) answers the query by every method.
    ///
    /// # Errors
    /// When there are no two bodies with these ids.
    pub fn replay(&self, pair: [BodyId; 2]) -> Result<Vec<u8>> {
        Ok(self.of_pair(pair)?.snapshot())
    }

    /// What each method answers for a pair of bodies in their present poses.
    ///
    /// # Errors
    /// When there are no two bodies with these ids, or as [`update`](Self::update).
    pub fn pair_answers(&self, pair: [BodyId; 2]) -> Result<Vec<PairAnswer>> {
        let mut scene = self.of_pair(pair)?;
        scene.update()?;
        let mut answers: Vec<PairAnswer> = (scene.contacts().iter())
            .map(|found| PairAnswer {
                method: PairMethod::Scene,
                image: found.image,
                parts: found.parts,
                contact: found.contact,
                agrees: true,
                remark: String::new(),
            })
            .collect();
        let own = answers.len();
        let slots = [0, 1];
        if scene.bodies.may_touch(slots[0], slots[1]) {
            for image in scene.images(slots) {
                scene.add_answers(slots, image, own, &mut answers);
            }
        }
        // Of the same method in the order of images and parts, as the scene lists its contacts.
        answers.sort_by_key(|answer| answer.method as usize);
        Ok(answers)
    }

    /// A scene of two bodies of this scene alone.
    fn of_pair(&self, [a, b]: [BodyId; 2]) -> Result<Self> {
        if a == b {
            let found = format!("{a} twice");
            return Err(Error::argument(Argument::Body, found, "two bodies"));
        }
        let pair = [a.min(b), a.max(b)];
        let mut scene = Scene::new(self.settings)?;
        for id in pair {
            let slot = self.bodies.slot(id)?;
            scene.add(Body {
                shape: self.bodies.shapes[slot].clone(),
                pose: self.bodies.pose(slot),
                id: Some(id),
                motion: self.bodies.motions[slot],
                group: self.bodies.groups[slot],
                mask: self.bodies.masks[slot],
            })?;
            let [velocity, spin] = self.bodies.velocities[slot];
            scene.set_velocities(&[id], &[velocity], &[spin])?;
        }
        let is_own = |contact: &SceneContact| [contact.a, contact.b] == pair;
        let each = self.settings.history;
        for (i, contact) in self.contacts.iter().enumerate() {
            if is_own(contact) {
                let history = &self.histories.values[i * each..(i + 1) * each];
                scene.contacts.push(*contact);
                scene.histories.values.extend_from_slice(history);
            }
        }
        let located = self.located.iter();
        scene
            .located
            .extend(located.filter(|place| [place.pair.0, place.pair.1] == pair));
        Ok(scene)
    }

    /// Appends what the methods other than the scene answer for an image. The first `own` answers are
    /// those of the scene.
    fn add_answers(
        &self,
        slots: [usize; 2],
        image: Image<3>,
        own: usize,
        answers: &mut Vec<PairAnswer>,
    ) {
        let candidate = Candidate::new(&self.bodies, slots.map(|slot| slot as u32), image);
        let frame = PairFrame::new(&self.bodies, &self.settings, &candidate);
        let [a, b] = slots.map(|slot| self.bodies.shapes[slot].parts());
        let pairs = PairEvaluation {
            bodies: &self.bodies,
            settings: &self.settings,
        };
        let mut scratch = Scratch {
            every_face: true,
            ..Scratch::default()
        };
        let mut found = Vec::new();
        pairs.contacts(&candidate, &mut scratch, &mut found);
        for new in &found {
            let answer = PairAnswer {
                method: PairMethod::BruteForce,
                image,
                parts: new.parts,
                contact: new.contact,
                agrees: false,
                remark: String::new(),
            };
            push(answers, own, answer);
        }
        let margin = self.settings.margin;
        let mut scratch = Scratch::default();
        for (x, i) in a.iter().zip(0u32..) {
            for (y, j) in b.iter().zip(0u32..) {
                let (pose_x, pose_y) = (x.placed(&frame.pose_a), y.placed(&frame.pose_b));
                let parts = [i, j];
                let answer = |method, contact: &Contact, remark: String| PairAnswer {
                    method,
                    image,
                    parts,
                    contact: frame.in_world(contact),
                    agrees: false,
                    remark,
                };
                let mut contacts = Vec::new();
                part_contacts(
                    (&y.element, &pose_y),
                    (&x.element, &pose_x),
                    margin,
                    &mut scratch,
                    &mut contacts,
                );
                for contact in &contacts {
                    let mirrored = answer(
                        PairMethod::Mirrored,
                        &contact.mirrored(),
                        certified([x, y], [&pose_x, &pose_y], &contact.mirrored()),
                    );
                    push(answers, own, mirrored);
                }
                let (Element::Rounded(x), Element::Rounded(y)) = (&x.element, &y.element) else {
                    continue;
                };
                for (method, contact, remark) in by_features([x, y], [&pose_x, &pose_y]) {
                    // Images that are far away are no answers.
                    if contact.is_within(margin) || image == [0; 3] {
                        push(answers, own, answer(method, &contact, remark));
                    }
                }
            }
        }
    }
}

/// Appends an answer and compares it with those of the scene, which are the first `own`.
fn push(answers: &mut Vec<PairAnswer>, own: usize, mut answer: PairAnswer) {
    let of_pair = |other: &&PairAnswer| (other.image, other.parts) == (answer.image, answer.parts);
    let mut same = answers[..own].iter().filter(of_pair).peekable();
    answer.agrees = match answer.method {
        PairMethod::Exhaustive | PairMethod::Lin => {
            // The scene has no contact of bodies that are farther apart than its margin.
            same.peek().is_none()
                || same.any(|other| {
                    let (x, y) = (&other.contact, &answer.contact);
                    x.lower <= y.upper && y.lower <= x.upper
                })
        }
        _ => same.any(|other| other.contact == answer.contact),
    };
    answers.push(answer);
}

/// What the certificate proves of a contact of two convex solids; empty for other parts.
fn certified([x, y]: [&Part; 2], [pose_x, pose_y]: [&Pose; 2], contact: &Contact) -> String {
    let (Element::Rounded(x), Element::Rounded(y)) = (&x.element, &y.element) else {
        return String::new();
    };
    if x.radius() + y.radius() > 0.0 {
        return String::new();
    }
    match certificate(x.core(), pose_x, y.core(), pose_y, contact) {
        Ok(()) => "proven by its certificate".into(),
        Err(violation) => format!("certificate: {violation}"),
    }
}

/// The contacts of two convex solids by all pairs of features and by Lin's walk.
fn by_features(
    [x, y]: [&Rounded; 2],
    [pose_x, pose_y]: [&Pose; 2],
) -> Vec<(PairMethod, Contact, String)> {
    let radii = [x.radius(), y.radius()];
    let mut found = Vec::new();
    let features = |solid: &Rounded| 3 * solid.core().vertex_count() + 1;
    if features(x).saturating_mul(features(y)) <= EXHAUSTIVE_MOST {
        let contact = exhaustive(x.core(), pose_x, y.core(), pose_y);
        let contact = rounded_rounded::moved_out(contact, radii);
        found.push((PairMethod::Exhaustive, contact, String::new()));
        let walk = LinWalk::new().contact(x.core(), pose_x, y.core(), pose_y);
        let remark = match walk.trapped {
            true => format!("{} iterations, trapped", walk.iterations),
            false => format!("{} iterations", walk.iterations),
        };
        let contact = rounded_rounded::moved_out(walk.contact, radii);
        found.push((PairMethod::Lin, contact, remark));
    }
    found
}
