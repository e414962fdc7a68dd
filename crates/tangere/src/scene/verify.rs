//! Verification of a scene by brute force: every pair of bodies, every image, every triangle.

use std::fmt;

use super::candidate::Candidate;
use super::narrow_phase::Scratch;
use super::pair_evaluation::{FoundContact, PairEvaluation};
use super::queries::images_around;
use super::scene_contact::Event;
use super::shape::Element;
use super::{BodyId, Scene, SceneContact};
use crate::closest::{Tracker, certificate};
use crate::contact::{Contact, Feature};
use crate::error::{Result, number};
use crate::pairs::Image;
use crate::shape::ConvexPolyhedron;

/// A difference between the contacts of a scene and those by brute force.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The bodies of the pair, the lower id first.
    pub pair: [BodyId; 2],
    /// What differs.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.pair;
        write!(f, "bodies {a} and {b}: {}", self.what)
    }
}

impl Scene {
    /// Finds the contacts of the present poses anew, by brute force, and lists each difference from
    /// those of the last update: contacts that are missing, too many, or differ in a bit. It belongs
    /// after an update: of bodies that moved, came or went since then it lists what the next update
    /// will change. Contacts of two convex solids are checked by their [`certificate`], too, also those
    /// of a mesh that is convex and penetrated. Cost: the square of the number of bodies.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn verify(&self) -> Result<Vec<Difference>> {
        let mut differences = Vec::new();
        let mut expected = self.by_brute_force();
        let mut found: Vec<SceneContact> = self.contacts().to_vec();
        // Slots come from the past; features decide which contact is which. Facets that meet at a vertex
        // may have contacts of equal features there, in any order, so that contacts that are equal in all
        // bits are taken out first.
        let order = |contact: &SceneContact| (key(contact), bits(contact));
        for list in [&mut expected, &mut found] {
            list.sort_by_cached_key(order);
        }
        let mut left = expected.into_iter().peekable();
        let (mut expected_left, mut found_left) = (Vec::new(), Vec::new());
        for contact in found {
            while let Some(other) = left.next_if(|other| order(other) < order(&contact)) {
                expected_left.push(other);
            }
            if left
                .next_if(|other| order(other) == order(&contact))
                .is_none()
            {
                found_left.push(contact);
            }
        }
        expected_left.extend(left);
        let mut left = &found_left[..];
        for contact in &expected_left {
            let before = left.partition_point(|x| key(x) < key(contact));
            differences.extend(
                left[..before]
                    .iter()
                    .map(|x| difference(x, "not a contact")),
            );
            left = &left[before..];
            match left.first() {
                Some(same) if key(same) == key(contact) => {
                    let what = differing_fields(&same.contact, &contact.contact);
                    differences.push(difference(same, &what));
                    left = &left[1..];
                }
                _ => differences.push(difference(contact, "a contact is missing")),
            }
        }
        differences.extend(left.iter().map(|x| difference(x, "not a contact")));
        self.check_certificates(&mut differences);
        Ok(differences)
    }

    fn by_brute_force(&self) -> Vec<SceneContact> {
        let mut scratch = Scratch {
            every_face: true,
            ..Scratch::default()
        };
        let pairs = PairEvaluation {
            bodies: &self.bodies,
            settings: &self.settings,
        };
        let mut found: Vec<FoundContact> = Vec::new();
        let mut contacts = Vec::new();
        let ids = &self.bodies.ids;
        let mut order: Vec<usize> = self.bodies.present().collect();
        order.sort_unstable_by_key(|&slot| ids[slot]);
        for (i, &a) in order.iter().enumerate() {
            for &b in &order[i + 1..] {
                if !self.bodies.may_touch(a, b) {
                    continue;
                }
                for image in self.images([a, b]) {
                    let slots = [a, b].map(|slot| slot as u32);
                    let candidate = Candidate::new(&self.bodies, slots, image);
                    found.clear();
                    pairs.contacts(&candidate, &mut scratch, &mut found);
                    contacts.extend(found.iter().map(|new| SceneContact {
                        a: ids[a],
                        b: ids[b],
                        image,
                        slot: 0,
                        parts: new.parts,
                        contact: new.contact,
                        event: Event::Began,
                    }));
                }
            }
        }
        contacts
    }

    /// The images of a body in which another may touch it: those next to the nearest one.
    pub(super) fn images(&self, [a, b]: [usize; 2]) -> Vec<Image<3>> {
        let is_unbounded = [a, b].map(|slot| self.bodies.shapes[slot].is_unbounded());
        let Some(cell) = self
            .settings
            .periodic
            .filter(|_| is_unbounded == [false; 2])
        else {
            return vec![[0; 3]];
        };
        let [ta, tb] = [a, b].map(|slot| self.bodies.pose(slot).translation());
        let nearest = cell.nearest_image(std::array::from_fn(|k| tb[k] - ta[k]));
        images_around(nearest, |k| cell.repeats(k)).collect()
    }

    fn check_certificates(&self, differences: &mut Vec<Difference>) {
        for contact in self.contacts() {
            let slots = [contact.a, contact.b].map(|id| self.bodies.slot(id));
            let [Ok(a), Ok(b)] = slots else {
                // A body was removed after the update.
                continue;
            };
            let slots = [a, b];
            let part = |side: usize| {
                let parts = self.bodies.shapes[slots[side]].parts();
                &parts[contact.parts[side] as usize]
            };
            let cores = [&part(0).element, &part(1).element].map(core);
            let [Some(x), Some(y)] = cores else {
                continue;
            };
            let is_mesh = |side: usize| matches!(part(side).element, Element::Mesh(_));
            // The distance of a mesh is that of its triangles, and the depth of a centre too.
            let depth = contact.contact.gap + x.1 + y.1;
            let is_point = x.0.dimension() == 0 || y.0.dimension() == 0;
            if (is_mesh(0) || is_mesh(1)) && (depth > 0.0 || is_point) {
                continue;
            }
            let fault = self.certificate_fault(contact, slots, [x, y]);
            differences.extend(fault.map(|what| difference(contact, &what)));
        }
    }

    /// What is wrong with a contact of two convex cores with radii, by the certificate of the cores.
    fn certificate_fault(
        &self,
        contact: &SceneContact,
        [a, b]: [usize; 2],
        [(x, radius_x), (y, radius_y)]: [(&ConvexPolyhedron, f64); 2],
    ) -> Option<String> {
        let parts = |slot: usize, side: usize| {
            &self.bodies.shapes[slot].parts()[contact.parts[side] as usize]
        };
        let poses = [a, b].map(|slot| self.bodies.pose(slot));
        let shift = self.settings.periodic.map(|cell| cell.shift(contact.image));
        let shift = shift.unwrap_or([0.0; 3]);
        let [ta, tb] = [0, 1].map(|i| poses[i].translation());
        let between = std::array::from_fn(|k| (tb[k] - ta[k]) + shift[k]);
        let placed_a = parts(a, 0).placed(&poses[0].at([0.0; 3]));
        let placed_b = parts(b, 1).placed(&poses[1].at(between));
        let cores = Tracker::new().contact(x, &placed_a, y, &placed_b);
        if let Err(violation) = certificate(x, &placed_a, y, &placed_b, &cores) {
            return Some(format!("certificate of the cores: {violation}"));
        }
        let gap = cores.gap - (radius_x + radius_y);
        let is_within = contact.contact.lower <= gap && gap <= contact.contact.upper;
        let found = contact.contact.gap;
        (!is_within).then(|| {
            let [found, gap] = [found, gap].map(number);
            format!("gap {found}, expected {gap} by that of the cores")
        })
    }
}

/// The convex core of a part and its radius; `None` for half-spaces and meshes that are not convex.
fn core(element: &Element) -> Option<(&ConvexPolyhedron, f64)> {
    match element {
        Element::Rounded(rounded) => Some((rounded.core(), rounded.radius())),
        Element::HalfSpace(_) => None,
        Element::Mesh(mesh) => Some((mesh.convex()?, 0.0)),
    }
}

type Key = (BodyId, BodyId, Image<3>, [u32; 2], [Feature; 2]);

fn key(contact: &SceneContact) -> Key {
    let features = [contact.contact.feature_a, contact.contact.feature_b];
    (contact.a, contact.b, contact.image, contact.parts, features)
}

/// An order of contacts of equal keys: that of the bits of all that [`differing_fields`] compares.
fn bits(contact: &SceneContact) -> ([u64; 3], [[u64; 3]; 3], u32) {
    let c = &contact.contact;
    (
        [c.gap, c.lower, c.upper].map(f64::to_bits),
        [c.point_a, c.point_b, c.normal].map(|v| v.map(f64::to_bits)),
        c.status as u32,
    )
}

/// The fields of a contact that differ in a bit from those expected, but for what the search keeps of
/// its own work; empty if none does.
fn differing_fields(found: &Contact, expected: &Contact) -> String {
    let numbers = |c: &Contact| [("gap", c.gap), ("lower", c.lower), ("upper", c.upper)];
    let vectors = |c: &Contact| {
        [
            ("point_a", c.point_a),
            ("point_b", c.point_b),
            ("normal", c.normal),
        ]
    };
    let mut fields = Vec::new();
    for ((name, x), (_, y)) in numbers(found).into_iter().zip(numbers(expected)) {
        if x.to_bits() != y.to_bits() {
            fields.push(format!("{name} {}, expected {}", number(x), number(y)));
        }
    }
    for ((name, x), (_, y)) in vectors(found).into_iter().zip(vectors(expected)) {
        if x.map(f64::to_bits) != y.map(f64::to_bits) {
            let [x, y] = [x, y].map(|v| v.map(number).join(", "));
            fields.push(format!("{name} ({x}), expected ({y})"));
        }
    }
    if found.status != expected.status {
        let [x, y] = [found.status, expected.status].map(|status| status.name());
        fields.push(format!("status {x}, expected {y}"));
    }
    fields.join("; ")
}

fn difference(contact: &SceneContact, what: &str) -> Difference {
    Difference {
        pair: [contact.a, contact.b],
        what: what.to_owned(),
    }
}
