//! Results of the engine: an impact, its contacts, how certain they are, and counts of work.

use super::contact_geometry::{Touch, contact_of};
use super::found_contacts::{FoundContact, FoundContacts};
use super::mover::Mover;
use super::relative_frame::RelativeFrame;
use super::resting_contact;
use super::triangle_pair::TrianglePair;
use crate::contact::Feature;

/// How certain the time of an impact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Certificate {
    /// The contact is proven by an exact test, for corners that move linearly or balls that move on
    /// parabolas. It takes place at a time between `early` and `late`, exactly for the given
    /// floating-point coordinates.
    Exact = 0,
    /// The bodies do not touch before `early`. At `early` the gap (their distance minus the
    /// separation that the engine settings give) is 0 up to rounding, and it closes: by `late` the
    /// nearest points have passed each other.
    Bracket = 1,
    /// The bodies do not touch before `early`. At `early` the gap (their distance minus the
    /// separation that the engine settings give) is 0 up to rounding but does not close: they
    /// graze, slide, rest or just miss each other. `late` is infinite. Curved faces that fit each
    /// other so closely that the search cannot separate them have this certificate too; their gap
    /// may then exceed rounding.
    Touching = 2,
    /// The bodies overlap at the start of the search.
    Overlap = 3,
    /// The search reached its work limit, or rounding hides whether bodies touch: the positions of
    /// a body that has turned by more than 1e8 radians, or is as many times its size away, are known
    /// to 1e-6 of its size at best. Nothing touches before `early`; `late` is infinite, and there
    /// are no contacts.
    Unresolved = 4,
}

impl Certificate {
    /// All five certificates of an impact, in the order of their codes 0 to 4.
    pub const ALL: [Self; 5] = [
        Self::Exact,
        Self::Bracket,
        Self::Touching,
        Self::Overlap,
        Self::Unresolved,
    ];

    /// The name of a certificate of an impact: `"exact"`, `"bracket"`, `"touching"`, `"overlap"` or
    /// `"unresolved"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Bracket => "bracket",
            Self::Touching => "touching",
            Self::Overlap => "overlap",
            Self::Unresolved => "unresolved",
        }
    }
}

/// The first contact of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactContact {
    /// Lower bound of the time of impact of the two bodies.
    pub early: f64,
    /// Upper bound of the time of impact of the two bodies; infinite if contact is not certain.
    pub late: f64,
    /// How certain the time of impact of this contact is.
    pub certificate: Certificate,
    /// Index of the first body in contact, at most `b`; equal to `b` if a body touches itself.
    pub a: u32,
    /// Index of the second body in contact.
    pub b: u32,
    /// The touching feature of body `a`.
    pub feature_a: Feature,
    /// The touching feature of body `b`.
    pub feature_b: Feature,
    /// Index of a face of body `a` that contains the feature `feature_a`; `xi_a` are coordinates on
    /// this face.
    pub face_a: u32,
    /// Index of a face of body `b` that contains the feature `feature_b`; `xi_b` are coordinates on
    /// this face.
    pub face_b: u32,
    /// Coordinates of the contact point on the face of body `a`: for a triangle the barycentric
    /// weights of its second and third corner, for a finite element face its reference coordinates,
    /// which are those of [`crate::closest`].
    pub xi_a: [f64; 2],
    /// Coordinates of the contact point on the face of body `b`, of the same kind as `xi_a` on that
    /// of `a`.
    pub xi_b: [f64; 2],
    /// The contact point of body `a` at the time `early`, in world coordinates.
    pub point_a: [f64; 3],
    /// The contact point of body `b` at the time `early`, in world coordinates.
    pub point_b: [f64; 3],
    /// The unit contact normal at the time `early`, from body `a` to body `b`.
    pub normal: [f64; 3],
    /// The signed distance of the two contact points at `early`. It is usually the separation that
    /// the engine settings give, up to rounding. If a ball overlaps the other body, it is negative.
    pub gap: f64,
}

impl ImpactContact {
    /// Converts a contact found by the search to an impact contact, in world coordinates.
    fn new(movers: &[Mover], found: &FoundContact) -> Self {
        let [a, b] = found.entry.bodies;
        let [mover_a, mover_b] = [a, b].map(|i| &movers[i as usize]);
        let touch = &found.touch;
        // Points are relative to the centre of body a.
        let origin = mover_a.position_after(touch.early - mover_a.since);
        let world = |p: [f64; 3]| std::array::from_fn(|k| origin[k] + p[k]);
        let [face_a, face_b] = found.faces;
        let certificate = match (touch.overlaps, touch.late < f64::INFINITY, touch.is_exact) {
            (true, _, _) => Certificate::Overlap,
            (_, false, _) => Certificate::Touching,
            (_, _, true) => Certificate::Exact,
            (_, _, false) => Certificate::Bracket,
        };
        ImpactContact {
            early: touch.early,
            late: touch.late,
            certificate,
            a,
            b,
            feature_a: mover_a.body.shape.inner.feature(face_a, touch.on_a),
            feature_b: mover_b.body.shape.inner.feature(face_b, touch.on_b),
            face_a,
            face_b,
            xi_a: [touch.weights_a[1], touch.weights_a[2]],
            xi_b: [touch.weights_b[1], touch.weights_b[2]],
            point_a: world(touch.point_a),
            point_b: world(touch.point_b),
            normal: touch.normal,
            gap: touch.gap,
        }
    }
}

/// The contact of the first faces around the two features of a found contact, which depends on the
/// bodies only: of several pairs of faces at a vertex or an edge a search may find any. `None` if the
/// contact is already that of the first faces, is proven by an exact test or overlaps, or if rounding
/// puts it on other features.
fn first_faces(movers: &[Mover], found: &FoundContact, separation: f64) -> Option<FoundContact> {
    let touch = &found.touch;
    if touch.overlaps || touch.is_exact {
        return None;
    }
    let pair = found.entry.bodies.map(|i| &movers[i as usize]);
    let shape = |of: usize| &pair[of].body.shape.inner;
    let faces = [
        shape(0).first_face(found.faces[0], touch.on_a),
        shape(1).first_face(found.faces[1], touch.on_b),
    ];
    if faces == found.faces {
        return None;
    }
    let frame = RelativeFrame::new(pair, touch.early, separation);
    let first = contact_of(pair, &TrianglePair::new(&frame, pair, faces), faces, false);
    let features = |faces: [u32; 2], touch: &Touch| {
        [
            shape(0).feature(faces[0], touch.on_a),
            shape(1).feature(faces[1], touch.on_b),
        ]
    };
    let is_certain = |touch: &Touch| touch.late < f64::INFINITY;
    let is_same = features(faces, &first) == features(found.faces, touch)
        && is_certain(&first) == is_certain(touch);
    is_same.then_some(FoundContact {
        touch: first,
        faces,
        entry: found.entry,
    })
}

/// The next impact: the first contact, and all contacts that may be simultaneous.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    /// Lower bound of the time of impact: nothing touches before it.
    pub early: f64,
    /// Upper bound of the time of impact; infinite if contact is not certain.
    pub late: f64,
    /// How certain the time of the first contact of the impact is.
    pub certificate: Certificate,
    /// The contacts of the impact, ordered by bodies, then by features.
    pub contacts: Vec<ImpactContact>,
}

impl Impact {
    /// The impact of a search that did not find the first contact: nothing touches before `early`.
    pub(super) fn unresolved(early: f64) -> Self {
        Impact {
            early,
            late: f64::INFINITY,
            certificate: Certificate::Unresolved,
            contacts: Vec::new(),
        }
    }

    /// Makes an impact from the contacts found by the search. Each pair of features is reported
    /// once. Contacts are ordered by bodies, then by features.
    pub(super) fn new(movers: &[Mover], found: &FoundContacts, separation: f64) -> Self {
        let found = resting_contact::with_coincident_corners(movers, &found.contacts, separation);
        let contact = |f| (ImpactContact::new(movers, f), f);
        let mut reported: Vec<(ImpactContact, &FoundContact)> = found.iter().map(contact).collect();
        let features = |c: &ImpactContact| (c.a, c.b, c.feature_a, c.feature_b);
        // Of several contacts of the same two features the first pair of overlapping faces is kept,
        // else the first pair of faces, in whichever order they were found.
        reported.sort_by_key(|(c, f)| (features(c), !f.touch.overlaps, f.faces));
        reported.dedup_by_key(|(c, _)| features(c));
        for (contact, found) in &mut reported {
            if let Some(first) = first_faces(movers, found, separation) {
                *contact = ImpactContact::new(movers, &first);
            }
            if let Some(n) = resting_contact::normal(movers, contact, found, separation) {
                contact.normal = n;
            }
        }
        // Contacts after this time are reported in their turn.
        let limit = reported
            .iter()
            .map(|(_, f)| f.until())
            .fold(f64::INFINITY, f64::min);
        reported.retain(|(c, _)| c.early <= limit);
        let contacts: Vec<ImpactContact> = reported.into_iter().map(|(c, _)| c).collect();
        let early = contacts
            .iter()
            .map(|c| c.early)
            .fold(f64::INFINITY, f64::min);
        let late = contacts
            .iter()
            .map(|c| c.late)
            .fold(f64::INFINITY, f64::min);
        let first = contacts
            .iter()
            .filter(|c| c.early == early)
            .map(|c| c.certificate)
            .max();
        Impact {
            early,
            late,
            certificate: first.unwrap_or(Certificate::Touching),
            contacts,
        }
    }
}

/// Counts of the work done by the engine, by kind (`aragon2013`, eq. 19).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of predictions. In each, a lower bound of the time of impact of two entire bodies is
    /// computed.
    pub trajectory: u64,
    /// How often a body was moved to another time or refitted.
    pub update: u64,
    /// Number of tests of pairs of bounding volumes.
    pub volume: u64,
    /// Number of tests of pairs of faces.
    pub primitive: u64,
}
