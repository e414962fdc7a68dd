//! Results of the engine: impacts, their contacts and certificates, and counts of work.

use crate::contact::Feature;

/// How certain a time of impact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Certificate {
    /// Corners move linearly, or balls on parabolas: the contact is exact for the given numbers,
    /// and its time is between `early` and `late`.
    Exact = 0,
    /// They do not touch before `early`. There the gap is within rounding, and it closes: by `late`
    /// the nearest points have passed each other.
    Bracket = 1,
    /// They do not touch before `early`, where the gap is within rounding but does not close: they
    /// graze, slide, rest or just miss each other. Also curved faces that fit each other too
    /// closely to be separated, whose `gap` may exceed rounding. `late` is infinite.
    Touching = 2,
    /// They overlap at the start.
    Overlap = 3,
    /// The search reached its work limit. Nothing touches before `early`; `late` is infinite, and
    /// there are no contacts.
    Unresolved = 4,
}

impl Certificate {
    /// Every certificate, in the order of their numbers.
    pub const ALL: [Self; 5] = [
        Self::Exact,
        Self::Bracket,
        Self::Touching,
        Self::Overlap,
        Self::Unresolved,
    ];

    /// `"exact"`, `"bracket"`, `"touching"`, `"overlap"` or `"unresolved"`.
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
    /// Lower bound of the time of impact.
    pub early: f64,
    /// Upper bound of the time of impact.
    pub late: f64,
    /// How certain these bounds are.
    pub certificate: Certificate,
    /// The bodies, `a <= b`; equal where a body touches itself.
    pub a: u32,
    /// The second body.
    pub b: u32,
    /// The touching feature of a.
    pub feature_a: Feature,
    /// The touching feature of b.
    pub feature_b: Feature,
    /// A face of a that has the feature; `xi_a` are coordinates on it.
    pub face_a: u32,
    /// A face of b that has the feature.
    pub face_b: u32,
    /// Coordinates of the contact point on the face of a: for a triangle the barycentric weights of
    /// its second and third corner, for a finite element face those of its reference domain, as in
    /// [`crate::closest`].
    pub xi_a: [f64; 2],
    /// The same on the face of b.
    pub xi_b: [f64; 2],
    /// The contact point of a at `early`.
    pub point_a: [f64; 3],
    /// The contact point of b at `early`.
    pub point_b: [f64; 3],
    /// The unit contact normal, from a to b.
    pub normal: [f64; 3],
    /// The distance of the points at `early`, as a rule within rounding.
    pub gap: f64,
}

/// The next contact, and all that may be simultaneous.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    /// Lower bound of the time of impact: nothing touches before.
    pub early: f64,
    /// Upper bound of the time of impact; infinite if contact is not certain.
    pub late: f64,
    /// How certain the first contact is.
    pub certificate: Certificate,
    /// In the order of bodies and features.
    pub contacts: Vec<ImpactContact>,
}

/// Work done (`aragon2013`, eq. 19).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Predictions of pairs of whole bodies.
    pub trajectory: u64,
    /// Bodies moved to another time, or refitted.
    pub update: u64,
    /// Tests of pairs of volumes.
    pub volume: u64,
    /// Tests of pairs of faces.
    pub primitive: u64,
}
