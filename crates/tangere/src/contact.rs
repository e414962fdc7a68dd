//! Contact: gap, points, normal and features of two bodies, one type for all shapes.

mod conversions;

use std::fmt;

/// The kind of a feature of a body: vertex, edge or face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum FeatureKind {
    /// The feature is a vertex of its body.
    Vertex,
    /// The feature is an edge of its body.
    Edge,
    /// The feature is a face of its body.
    Face,
}

impl FeatureKind {
    /// All kinds of features, in the order of their numbers in files and arrays: 0, 1, 2.
    pub const ALL: [Self; 3] = [Self::Vertex, Self::Edge, Self::Face];

    /// The name of the kind of a contact feature: `"vertex"`, `"edge"` or `"face"`.
    pub fn name(self) -> &'static str {
        match self {
            FeatureKind::Vertex => "vertex",
            FeatureKind::Edge => "edge",
            FeatureKind::Face => "face",
        }
    }
}

/// A feature of a body: a vertex, an edge or a face, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Feature {
    /// The kind of the feature.
    pub kind: FeatureKind,
    /// The index of the feature among the features of its kind in its body.
    pub index: u32,
}

impl Feature {
    /// The contact feature that is the vertex with this index.
    pub const fn vertex(index: u32) -> Self {
        Self {
            kind: FeatureKind::Vertex,
            index,
        }
    }

    /// The contact feature that is the edge with this index.
    pub const fn edge(index: u32) -> Self {
        Self {
            kind: FeatureKind::Edge,
            index,
        }
    }

    /// The contact feature that is the face with this index.
    pub const fn face(index: u32) -> Self {
        Self {
            kind: FeatureKind::Face,
            index,
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.name(), self.index)
    }
}

/// The status of a contact of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContactStatus {
    /// The bodies are apart: the gap is positive.
    Separated,
    /// The bodies touch: their distance or penetration depth is at most the rounding error.
    Touching,
    /// The bodies overlap by more than the rounding error. In a contact that was converted from the
    /// distance of two surfaces: the surfaces have a common point, or one encloses the other.
    Penetrating,
    /// The search ended before the lower and upper bound of the gap met. The gap lies between
    /// `lower` and `upper`.
    Bracketed,
}

impl ContactStatus {
    /// All statuses of a contact, in the order of their numbers in files and arrays: 0 to 3.
    pub const ALL: [Self; 4] = [
        Self::Separated,
        Self::Touching,
        Self::Penetrating,
        Self::Bracketed,
    ];

    /// The name of the status of a contact: `"separated"`, `"touching"`, `"penetrating"` or
    /// `"bracketed"`.
    pub fn name(self) -> &'static str {
        match self {
            ContactStatus::Separated => "separated",
            ContactStatus::Touching => "touching",
            ContactStatus::Penetrating => "penetrating",
            ContactStatus::Bracketed => "bracketed",
        }
    }
}

/// The contact of two bodies, `a` and `b`: distance or penetration depth, points, normal and
/// features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The distance of the bodies. If they penetrate, it is minus the penetration depth, the length
    /// of the shortest translation that separates them: moving `b` by that length along `normal`
    /// leaves the bodies touching.
    pub gap: f64,
    /// Lower bound of the true gap of the bodies: minus infinity where the penetration depth is not
    /// computed.
    pub lower: f64,
    /// Upper bound of the true gap of the bodies.
    pub upper: f64,
    /// The point of `a` that is nearest to `b`, or deepest in `b`.
    pub point_a: [f64; 3],
    /// The point of `b` that is nearest to `a`, or deepest in `a`: `point_b - point_a = gap *
    /// normal`, up to rounding.
    pub point_b: [f64; 3],
    /// The contact normal: a unit vector from `a` to `b`, or the zero vector where no normal is
    /// defined.
    pub normal: [f64; 3],
    /// The feature of `a` on which `point_a` lies.
    pub feature_a: Feature,
    /// The feature of `b` on which `point_b` lies.
    pub feature_b: Feature,
    /// Whether the bodies are separated, touching or penetrating, or the gap is only bracketed.
    pub status: ContactStatus,
    /// The number of steps of the search for the closest features: the pairs of features that it
    /// tested, plus the steps of GJK and EPA. It is 1 if the search started with the closest pair.
    /// It is 0 if there was no such search, because all pairs of features were tested or the
    /// contact was converted from the result of another query.
    pub steps: u32,
}

impl Contact {
    /// Whether the gap may be within a margin: of a bracketed contact the lower bound decides, so that
    /// no contact is lost for a search that failed.
    #[inline(always)]
    pub(crate) fn is_within(&self, margin: f64) -> bool {
        self.gap <= margin || (self.status == ContactStatus::Bracketed && self.lower <= margin)
    }

    /// This contact, with the bodies `a` and `b` exchanged if `mirrored` is set.
    pub(crate) fn mirrored_if(self, mirrored: bool) -> Self {
        if mirrored { self.mirrored() } else { self }
    }

    /// This contact with the bodies `a` and `b` exchanged.
    pub fn mirrored(&self) -> Self {
        Self {
            point_a: self.point_b,
            point_b: self.point_a,
            normal: self.normal.map(|x| 0.0 - x),
            feature_a: self.feature_b,
            feature_b: self.feature_a,
            ..*self
        }
    }
}
