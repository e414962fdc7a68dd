//! What happens when bodies meet.

use crate::contact::Feature;

/// How sure a time of contact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Certificate {
    /// Corners move straight, or balls on parabolas: that they touch is the truth for the numbers given, and the time is between `early` and
    /// `late`.
    Exact = 0,
    /// They do not touch before `early`. There the gap is no more than rounding, and it closes: by `late` the nearest points have
    /// passed each other.
    Bracket = 1,
    /// They do not touch before `early`, where the gap is no more than rounding but does not close: they graze, slide, rest or
    /// just miss each other. So do curved faces that fit each other too closely to be told apart, whose `gap` may be more than
    /// rounding. `late` is infinite.
    Touching = 2,
    /// They overlap already.
    Overlap = 3,
    /// The work that was allowed for the search is used up. Nothing touches before `early`; `late` is infinite, and there
    /// are no contacts.
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

/// Where two bodies touch first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactContact {
    /// They do not touch here before.
    pub early: f64,
    /// They have touched by then.
    pub late: f64,
    /// How sure that is.
    pub certificate: Certificate,
    /// The bodies, `a <= b`; equal where a body touches itself.
    pub a: u32,
    /// The second body.
    pub b: u32,
    /// What of a touches.
    pub feature_a: Feature,
    /// What of b touches.
    pub feature_b: Feature,
    /// A face of a that has the feature; `xi_a` are coordinates on it.
    pub face_a: u32,
    /// A face of b that has the feature.
    pub face_b: u32,
    /// Where the point is on the face of a: of a triangle the weights of its second and third corner, of a finite element
    /// face the coordinates of its reference domain, as [`crate::closest`] has them.
    pub xi_a: [f64; 2],
    /// The same of b.
    pub xi_b: [f64; 2],
    /// The point of a at `early`.
    pub point_a: [f64; 3],
    /// The point of b at `early`.
    pub point_b: [f64; 3],
    /// Of unit length, from a to b.
    pub normal: [f64; 3],
    /// The distance of the points at `early`, which rounding hides as a rule.
    pub gap: f64,
}

/// The next contact, and all that happen at the same time as far as can be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    /// Nothing touches before.
    pub early: f64,
    /// Something has touched by then; infinite if that is not certain.
    pub late: f64,
    /// How sure the first contact is.
    pub certificate: Certificate,
    /// In the order of bodies and features.
    pub contacts: Vec<ImpactContact>,
}

/// How much work was done (`aragon2013`, eq. 19).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Predicted meetings of whole bodies.
    pub trajectory: u64,
    /// Bodies that were moved to another time, or refitted.
    pub update: u64,
    /// Pairs of volumes.
    pub volume: u64,
    /// Distances of faces.
    pub primitive: u64,
}
