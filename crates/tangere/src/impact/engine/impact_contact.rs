//! Results of the engine: an impact, its contacts, how certain they are, and counts of work.

use crate::contact::Feature;

/// How certain the time of an impact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Certificate {
    /// Corners move linearly, or balls on parabolas: the contact is exact for the given numbers,
    /// and its time is between `early` and `late`.
    Exact = 0,
    /// The bodies do not touch before `early`. At `early` the gap is within rounding, and it
    /// closes: by `late` the nearest points have passed each other.
    Bracket = 1,
    /// The bodies do not touch before `early`. At `early` the gap is within rounding but does not
    /// close: they graze, slide, rest or just miss each other. Also curved faces that fit each
    /// other too closely to be separated, whose `gap` may exceed rounding. `late` is infinite.
    Touching = 2,
    /// The bodies overlap at the start.
    Overlap = 3,
    /// The search reached its work limit. Nothing touches before `early`; `late` is infinite, and
    /// there are no contacts.
    Unresolved = 4,
}

impl Certificate {
    /// All five grades of certainty, in the order of their codes 0 to 4.
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
    /// The first body, `a <= b`; equal to `b` where a body touches itself.
    pub a: u32,
    /// The second body.
    pub b: u32,
    /// The touching feature of body `a`.
    pub feature_a: Feature,
    /// The touching feature of body `b`.
    pub feature_b: Feature,
    /// A face of body `a` that has the feature; `xi_a` are coordinates on it.
    pub face_a: u32,
    /// A face of body `b` that has the feature; `xi_b` are coordinates on it.
    pub face_b: u32,
    /// Coordinates of the contact point on the face of body `a`: for a triangle the barycentric
    /// weights of its second and third corner, for a finite element face those of its reference
    /// domain, as in [`crate::closest`].
    pub xi_a: [f64; 2],
    /// Coordinates of the contact point on the face of body `b`, as `xi_a`.
    pub xi_b: [f64; 2],
    /// The contact point of body `a` at `early`.
    pub point_a: [f64; 3],
    /// The contact point of body `b` at `early`.
    pub point_b: [f64; 3],
    /// The unit contact normal, from body `a` to body `b`.
    pub normal: [f64; 3],
    /// The distance of the two contact points at `early`, usually within rounding.
    pub gap: f64,
}

/// The next impact: the first contact, and all contacts that may be simultaneous.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    /// Lower bound of the time of impact: nothing touches before it.
    pub early: f64,
    /// Upper bound of the time of impact; infinite if contact is not certain.
    pub late: f64,
    /// How certain the first contact is.
    pub certificate: Certificate,
    /// The contacts, in the order of bodies and features.
    pub contacts: Vec<ImpactContact>,
}

/// Work done by the engine, by kind (`aragon2013`, eq. 19).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Predictions of pairs of bodies.
    pub trajectory: u64,
    /// Bodies moved to another time, or refitted.
    pub update: u64,
    /// Tests of pairs of bounding volumes.
    pub volume: u64,
    /// Tests of pairs of faces.
    pub primitive: u64,
}
