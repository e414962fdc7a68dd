//! Snapshot: the state of a scene as bytes, from which it goes on bit for bit.
//!
//! Layout, little-endian: the words of [`MAGIC`] and [`VERSION`], settings, shapes (each once), bodies in
//! the order of ids, removed ids, contacts with their histories; at the end a hash of all that is
//! before it. Answers do not depend on candidates and trackers, so these are not in it.

use std::collections::HashMap;

use super::body::Motion;
use super::candidate::Candidate;
use super::identity::Located;
use super::scene_contact::{Event, SceneContact};
use super::shape::{Element, Part, Shape};
use super::state_hash::Hash;
use super::{Body, BodyId, PairKind, Rounded, RoundedKind, Scene, SceneSettings};
use crate::contact::{Contact, ContactStatus, Feature, FeatureKind};
use crate::error::{Argument, Error, Result};
use crate::geometry::Pose;
use crate::geometry::vector::dot;
use crate::pairs::{Mask, Periodic};
use crate::shape::{ConvexPolyhedron, TriMesh};

/// The first word of a snapshot: `"tangscen"`.
const MAGIC: u64 = u64::from_le_bytes(*b"tangscen");

/// The version of the layout.
const VERSION: u64 = 3;

/// The oldest version that is read: it has no facets of contacts, which is as if none was known.
const OLDEST: u64 = 2;

impl Scene {
    /// The state of the scene as bytes: [`restore`](Self::restore) makes a scene of them that goes on
    /// with the same bits.
    pub fn snapshot(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.word(MAGIC);
        out.word(VERSION);
        out.settings(&self.settings);
        let bodies = &self.bodies;
        let mut order: Vec<usize> = bodies.present().collect();
        order.sort_unstable_by_key(|&slot| bodies.ids[slot]);
        let mut numbers: HashMap<*const Part, u64> = HashMap::new();
        let mut shapes: Vec<&Shape> = Vec::new();
        for &slot in &order {
            let shape = &bodies.shapes[slot];
            numbers.entry(shape.parts().as_ptr()).or_insert_with(|| {
                shapes.push(shape);
                shapes.len() as u64 - 1
            });
        }
        out.word(shapes.len() as u64);
        for shape in shapes {
            out.shape(shape);
        }
        out.word(order.len() as u64);
        for &slot in &order {
            out.word(bodies.ids[slot]);
            out.word(numbers[&bodies.shapes[slot].parts().as_ptr()]);
            out.numbers(&bodies.pose(slot).to_numbers());
            out.numbers(bodies.velocities[slot].as_flattened());
            out.word(bodies.motions[slot] as u64);
            out.word(u64::from(bodies.groups[slot]));
            let mask = bodies.masks[slot];
            out.word(u64::from(mask.member) << 32 | u64::from(mask.meets));
        }
        let (mut removed, next) = bodies.given_ids();
        removed.sort_unstable();
        out.words(&removed);
        out.word(next);
        for list in [&self.contacts, &self.ended] {
            out.word(list.len() as u64);
            for contact in list {
                out.contact(contact);
            }
        }
        out.word(self.located.len() as u64);
        for place in &self.located {
            let facet = place.facet.map_or(0, |facet| u64::from(facet) + 1);
            out.word(facet << 32 | u64::from(place.slot));
            out.pair(place.pair);
            out.numbers(&place.local);
        }
        out.word(self.histories.values.len() as u64);
        out.numbers(self.histories.values.as_flattened());
        out.finished()
    }

    /// A scene from the bytes of a [`snapshot`](Self::snapshot).
    ///
    /// # Errors
    /// When the bytes are not those of a snapshot of this version, are cut off or damaged, or name what
    /// their bodies do not have.
    pub fn restore(bytes: &[u8]) -> Result<Self> {
        let mut from = Reader::new(bytes)?;
        let mut scene = Scene::new(from.settings()?)?;
        let count = from.count(16)?;
        let shapes: Vec<Shape> = (0..count).map(|_| from.shape()).collect::<Result<_>>()?;
        for _ in 0..from.count(144)? {
            let id = from.word()?;
            let shape = from.word()?;
            let shape = usize::try_from(shape).ok().and_then(|i| shapes.get(i));
            let shape = shape.ok_or_else(|| from.fault("a body of a shape that is not in it"))?;
            let pose = from.pose()?;
            let (velocity, spin) = (from.vector()?, from.vector()?);
            let motion = from.word()?;
            let motions = [Motion::Free, Motion::Prescribed, Motion::Fixed];
            let motion = motions.into_iter().find(|m| *m as u64 == motion);
            let motion = motion.ok_or_else(|| from.fault("an unknown motion"))?;
            let group = from.index()?;
            let mask = from.word()?;
            scene.add(Body {
                shape: shape.clone(),
                pose,
                id: Some(id),
                motion,
                group,
                mask: Mask {
                    member: (mask >> 32) as u32,
                    meets: mask as u32,
                },
            })?;
            scene.set_velocities(&[id], &[velocity], &[spin])?;
        }
        let removed = (0..from.count(8)?)
            .map(|_| from.word())
            .collect::<Result<Vec<BodyId>>>()?;
        let next = from.word()?;
        if !are_given(&scene, &removed, next) {
            return Err(from.fault("removed ids and a next id that do not fit those of the bodies"));
        }
        scene.bodies.set_given_ids(removed, next);
        scene.contacts = from.contacts()?;
        scene.ended = from.contacts()?;
        for list in [&scene.contacts, &scene.ended] {
            if !list.is_sorted_by(|x, y| (x.pair(), x.slot) < (y.pair(), y.slot)) {
                return Err(from.fault("contacts out of order"));
            }
            for contact in list {
                if let Some(what) = contact_fault(&scene, contact) {
                    let [a, b] = [contact.a, contact.b];
                    return Err(from.fault(&format!("a contact of bodies {a} and {b} {what}")));
                }
            }
        }
        for _ in 0..from.count(72)? {
            let word = from.word()?;
            scene.located.push(Located {
                pair: from.pair()?,
                slot: word as u32,
                local: from.vector()?,
                facet: ((word >> 32) as u32).checked_sub(1),
            });
        }
        if !are_located(&scene) {
            return Err(from.fault("places that do not belong to the contacts"));
        }
        let count = from.count(24)?;
        if count != scene.contacts.len() * scene.settings.history {
            return Err(from.fault("histories that do not belong to the contacts"));
        }
        scene.histories.values = (0..count).map(|_| from.vector()).collect::<Result<_>>()?;
        from.end()?;
        Ok(scene)
    }
}

/// Whether the removed ids and the next one may be those of a scene: no body has a removed id again, and
/// what is counted on from is beyond all of them. Of 2^64 - 1, which says that none is left, it is so only
/// after the last one.
fn are_given(scene: &Scene, removed: &[BodyId], next: BodyId) -> bool {
    let bodies = &scene.bodies;
    let has_no_body = |&id: &BodyId| id != BodyId::MAX && bodies.slot(id).is_err();
    let all = bodies.ids.iter().chain(removed);
    let least = all.map(|id| id.saturating_add(1)).max().unwrap_or(0);
    removed.iter().all(has_no_body) && next >= least && (next < BodyId::MAX || next == least)
}

/// What is wrong with a contact for the bodies of a scene. Of a body that was removed after the last
/// update nothing is known, and nothing is asked.
fn contact_fault(scene: &Scene, contact: &SceneContact) -> Option<String> {
    let c = &contact.contact;
    let vectors = [c.point_a, c.point_b, c.normal];
    if contact.a >= contact.b {
        return Some("in this order".into());
    }
    if !vectors.as_flattened().iter().all(|x| x.is_finite()) || c.gap.is_nan() {
        return Some("with points that are not finite".into());
    }
    let sides = [contact.a, contact.b].into_iter().zip(contact.parts);
    for ((id, part), feature) in sides.zip([c.feature_a, c.feature_b]) {
        let slot = match scene.bodies.slot(id) {
            Ok(slot) => slot,
            Err(_) if scene.bodies.was_removed(id) => continue,
            Err(_) => return Some(format!("of which body {id} is not in it")),
        };
        let Some(part) = scene.bodies.shapes[slot].parts().get(part as usize) else {
            return Some(format!("with part {part}, which body {id} does not have"));
        };
        if feature.index as usize >= part.element.feature_count(feature.kind) {
            return Some(format!("with {feature}, which body {id} does not have"));
        }
    }
    None
}

/// Whether each contact of a pair that may have several has its place, and no other contact has one.
fn are_located(scene: &Scene) -> bool {
    let mut places = scene.located.iter().peekable();
    for contact in &scene.contacts {
        let has_place = places
            .next_if(|place| (place.pair, place.slot) == (contact.pair(), contact.slot))
            .is_some();
        let slots = [contact.a, contact.b].map(|id| scene.bodies.slot(id));
        // The kind of a pair is unknown once one of its bodies was removed.
        if let [Ok(a), Ok(b)] = slots {
            let slots = [a, b].map(|slot| slot as u32);
            let kind = Candidate::new(&scene.bodies, slots, contact.image).kind;
            if has_place != (kind == PairKind::Many) {
                return false;
            }
        }
    }
    places.next().is_none()
}

/// Bytes that are written.
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn word(&mut self, word: u64) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    /// A list of words with its length.
    fn words(&mut self, words: &[u64]) {
        self.word(words.len() as u64);
        words.iter().for_each(|&word| self.word(word));
    }

    fn numbers(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|x| self.word(x.to_bits()));
    }

    fn settings(&mut self, settings: &SceneSettings) {
        self.numbers(&[settings.margin]);
        self.word(settings.history as u64);
        self.word(u64::from(settings.periodic.is_some()));
        if let Some(cell) = settings.periodic {
            self.numbers(&cell.lengths());
            self.numbers(&cell.tilts());
            self.numbers(&cell.origin());
        }
    }

    fn shape(&mut self, shape: &Shape) {
        self.word(shape.parts().len() as u64);
        for part in shape.parts() {
            self.numbers(&part.pose.to_numbers());
            match &part.element {
                Element::Rounded(rounded) => {
                    self.word(rounded.kind() as u64);
                    self.numbers(&[rounded.radius()]);
                    self.points(rounded.core().vertices());
                }
                Element::HalfSpace(normal) => {
                    self.word(HALF_SPACE);
                    self.numbers(normal);
                }
                Element::Mesh(mesh) => {
                    self.word(if mesh.is_solid() { SOLID } else { WALL });
                    self.points(mesh.mesh().vertices());
                    self.word(mesh.mesh().faces().len() as u64);
                    let corners = mesh.mesh().faces().as_flattened().iter();
                    corners.for_each(|&v| self.word(u64::from(v)));
                }
            }
        }
    }

    fn points(&mut self, points: &[[f64; 3]]) {
        self.word(points.len() as u64);
        self.numbers(points.as_flattened());
    }

    fn pair(&mut self, (a, b, image): super::scene_contact::PairKey) {
        self.word(a);
        self.word(b);
        image.iter().for_each(|&n| self.word(n as u32 as u64));
    }

    fn contact(&mut self, contact: &SceneContact) {
        self.pair(contact.pair());
        self.word(u64::from(contact.slot));
        contact
            .parts
            .iter()
            .for_each(|&part| self.word(u64::from(part)));
        self.word(contact.event as u64);
        let c = &contact.contact;
        self.numbers(&[c.gap, c.lower, c.upper]);
        for vector in [c.point_a, c.point_b, c.normal] {
            self.numbers(&vector);
        }
        for feature in [c.feature_a, c.feature_b] {
            self.word((feature.kind as u64) << 32 | u64::from(feature.index));
        }
        self.word(c.status as u64);
        self.word(u64::from(c.steps));
    }

    /// The bytes with their hash at the end.
    fn finished(mut self) -> Vec<u8> {
        let hash = hash_of(&self.0);
        self.word(hash);
        self.0
    }
}

/// Numbers of kinds of parts after those of [`RoundedKind`].
const HALF_SPACE: u64 = 16;
const WALL: u64 = 17;
const SOLID: u64 = 18;

/// The hash of words. A layout of words only has no rest.
fn hash_of(bytes: &[u8]) -> u64 {
    let mut hash = Hash::new();
    for word in bytes.as_chunks::<8>().0 {
        hash.word(u64::from_le_bytes(*word));
    }
    hash.value()
}

/// Bytes that are read, all words of which are checked.
struct Reader<'b> {
    words: &'b [[u8; 8]],
    at: usize,
}

impl<'b> Reader<'b> {
    /// Checks length, hash, magic number and version.
    fn new(bytes: &'b [u8]) -> Result<Self> {
        let (words, rest) = bytes.as_chunks::<8>();
        let fault = |found: String| Error::argument(Argument::Snapshot, found, EXPECTED);
        if words.len() < 3 || u64::from_le_bytes(words[0]) != MAGIC {
            return Err(fault(format!("{} bytes of something else", bytes.len())));
        }
        let version = u64::from_le_bytes(words[1]);
        if !(OLDEST..=VERSION).contains(&version) {
            return Err(fault(format!("version {version}")));
        }
        let body = words.len() - 1;
        let is_whole = u64::from_le_bytes(words[body]) == hash_of(&bytes[..8 * body]);
        if !rest.is_empty() || !is_whole {
            return Err(fault("damaged or cut off bytes".into()));
        }
        Ok(Self {
            words: &words[..body],
            at: 2,
        })
    }

    fn fault(&self, what: &str) -> Error {
        let found = format!("{what}, at byte {}", 8 * self.at);
        Error::argument(Argument::Snapshot, found, EXPECTED)
    }

    fn word(&mut self) -> Result<u64> {
        let word = self.words.get(self.at);
        let word = word.ok_or_else(|| self.fault("an early end"))?;
        self.at += 1;
        Ok(u64::from_le_bytes(*word))
    }

    fn index(&mut self) -> Result<u32> {
        let word = self.word()?;
        u32::try_from(word).map_err(|_| self.fault("a number beyond 32 bits"))
    }

    /// A number of items of at least `bytes` bytes each, which the rest must have room for.
    fn count(&mut self, bytes: usize) -> Result<usize> {
        let count = self.word()?;
        let most = (self.words.len() - self.at) * 8 / bytes;
        match usize::try_from(count) {
            Ok(count) if count <= most => Ok(count),
            _ => Err(self.fault("more items than there are bytes")),
        }
    }

    fn number(&mut self) -> Result<f64> {
        Ok(f64::from_bits(self.word()?))
    }

    fn vector(&mut self) -> Result<[f64; 3]> {
        Ok([self.number()?, self.number()?, self.number()?])
    }

    fn points(&mut self) -> Result<Vec<[f64; 3]>> {
        let count = self.count(24)?;
        (0..count).map(|_| self.vector()).collect()
    }

    /// A pose with the very bits of its quaternion.
    fn pose(&mut self) -> Result<Pose> {
        let translation = self.vector()?;
        let mut quaternion = [0.0; 4];
        for x in &mut quaternion {
            *x = self.number()?;
        }
        let ([x, y, z], [w, i, j, k]) = (translation, quaternion);
        Pose::from_numbers(&[x, y, z, w, i, j, k])?;
        let squared: f64 = quaternion.iter().map(|x| x * x).sum();
        // Also infinity fails.
        if (squared - 1.0).abs() < 1e-9 {
            Ok(Pose::from_unit(quaternion, translation))
        } else {
            Err(self.fault("a rotation that is no unit quaternion"))
        }
    }

    fn settings(&mut self) -> Result<SceneSettings> {
        let margin = self.number()?;
        let history = self.index()? as usize;
        let periodic = match self.word()? {
            0 => None,
            _ => {
                let (lengths, tilts) = (self.vector()?, self.vector()?);
                Some(Periodic::tilted(lengths, &tilts)?.at(self.vector()?)?)
            }
        };
        Ok(SceneSettings {
            margin,
            periodic,
            history,
        })
    }

    fn shape(&mut self) -> Result<Shape> {
        let mut parts = Vec::new();
        for _ in 0..self.count(80)? {
            let pose = self.pose()?;
            let element = match self.word()? {
                HALF_SPACE => {
                    let normal = self.vector()?;
                    // Also NaN fails.
                    if (dot(normal, normal) - 1.0).abs() < 1e-9 {
                        Element::HalfSpace(normal)
                    } else {
                        return Err(self.fault("a normal that is no unit vector"));
                    }
                }
                kind @ (WALL | SOLID) => {
                    let vertices = self.points()?;
                    let faces = (0..self.count(24)?)
                        .map(|_| Ok([self.index()?, self.index()?, self.index()?]))
                        .collect::<Result<_>>()?;
                    let mesh = TriMesh::new(vertices, faces)?;
                    let shape = match kind {
                        SOLID => Shape::solid(&mesh)?,
                        _ => Shape::wall(&mesh),
                    };
                    shape.parts()[0].element.clone()
                }
                kind => {
                    let kinds = [
                        RoundedKind::Sphere,
                        RoundedKind::Capsule,
                        RoundedKind::Cuboid,
                        RoundedKind::Convex,
                    ];
                    let kind = kinds.into_iter().find(|k| *k as u64 == kind);
                    let kind = kind.ok_or_else(|| self.fault("an unknown kind of shape"))?;
                    let radius = self.number()?;
                    let core = ConvexPolyhedron::hull(&self.points()?)?;
                    let rounded = Rounded::from_parts(kind, core, radius);
                    let rounded = rounded.ok_or_else(|| self.fault("an impossible shape"))?;
                    Element::Rounded(rounded)
                }
            };
            parts.push(Part { pose, element });
        }
        if parts.is_empty() {
            return Err(self.fault("a shape without parts"));
        }
        Ok(Shape::with_parts(parts.into()))
    }

    fn pair(&mut self) -> Result<super::scene_contact::PairKey> {
        let (a, b) = (self.word()?, self.word()?);
        let image = [self.index()?, self.index()?, self.index()?];
        Ok((a, b, image.map(|n| n as i32)))
    }

    fn contacts(&mut self) -> Result<Vec<SceneContact>> {
        (0..self.count(200)?).map(|_| self.contact()).collect()
    }

    fn contact(&mut self) -> Result<SceneContact> {
        let (a, b, image) = self.pair()?;
        let slot = self.index()?;
        let parts = [self.index()?, self.index()?];
        let event = self.one_of(&Event::ALL)?;
        let (gap, lower, upper) = (self.number()?, self.number()?, self.number()?);
        let (point_a, point_b, normal) = (self.vector()?, self.vector()?, self.vector()?);
        let mut feature = || {
            let word = self.word()?;
            let kind = FeatureKind::ALL.get((word >> 32) as usize);
            let kind = *kind.ok_or_else(|| self.fault("an unknown kind of feature"))?;
            let index = word as u32;
            Ok::<_, Error>(Feature { kind, index })
        };
        let (feature_a, feature_b) = (feature()?, feature()?);
        let status = self.one_of(&ContactStatus::ALL)?;
        let steps = self.index()?;
        Ok(SceneContact {
            a,
            b,
            image,
            slot,
            parts,
            event,
            contact: Contact {
                gap,
                lower,
                upper,
                point_a,
                point_b,
                normal,
                feature_a,
                feature_b,
                status,
                steps,
            },
        })
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> Result<T> {
        let word = self.word()?;
        let found = usize::try_from(word).ok().and_then(|i| all.get(i));
        found.copied().ok_or_else(|| self.fault("an unknown word"))
    }

    fn end(&self) -> Result<()> {
        match self.at == self.words.len() {
            true => Ok(()),
            false => Err(self.fault("more bytes than belong to it")),
        }
    }
}

const EXPECTED: &str = "the bytes of a snapshot of version 2 or 3";
