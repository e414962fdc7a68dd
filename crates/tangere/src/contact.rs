//! Contact: gap, points, normal and features of two bodies, one record for all shapes.

mod conversions;

use std::fmt;

/// The kind of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum FeatureKind {
    /// A vertex.
    Vertex,
    /// An edge.
    Edge,
    /// A face.
    Face,
}

impl FeatureKind {
    /// `"vertex"`, `"edge"` or `"face"`.
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
    /// Its kind.
    pub kind: FeatureKind,
    /// Its index among the features of its kind.
    pub index: u32,
}

impl Feature {
    /// A vertex.
    pub const fn vertex(index: u32) -> Self {
        Self {
            kind: FeatureKind::Vertex,
            index,
        }
    }

    /// An edge.
    pub const fn edge(index: u32) -> Self {
        Self {
            kind: FeatureKind::Edge,
            index,
        }
    }

    /// A face.
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

/// The status of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContactStatus {
    /// A plane separates them.
    Separated,
    /// Their distance or penetration depth is 0 up to rounding.
    Touching,
    /// They have points in common.
    Penetrating,
    /// The search ended before its bounds met; `lower` and `upper` are valid bounds.
    Bracketed,
}

impl ContactStatus {
    /// `"separated"`, `"touching"`, `"penetrating"` or `"bracketed"`.
    pub fn name(self) -> &'static str {
        match self {
            ContactStatus::Separated => "separated",
            ContactStatus::Touching => "touching",
            ContactStatus::Penetrating => "penetrating",
            ContactStatus::Bracketed => "bracketed",
        }
    }
}

/// The contact of two bodies, `a` and `b`: their distance or penetration depth, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The distance of the bodies; if they penetrate, minus the penetration depth, the length of
    /// the shortest translation that separates them: moving `b` by it along `normal` leaves them
    /// touching.
    pub gap: f64,
    /// Lower bound of the gap.
    pub lower: f64,
    /// Upper bound of the gap.
    pub upper: f64,
    /// The point of `a` that is nearest to `b`, or deepest in it.
    pub point_a: [f64; 3],
    /// The point of `b`: `point_b - point_a = gap * normal`, up to rounding.
    pub point_b: [f64; 3],
    /// The contact normal: a unit vector from `a` to `b`.
    pub normal: [f64; 3],
    /// The feature of `a` on which `point_a` lies.
    pub feature_a: Feature,
    /// The feature of `b` on which `point_b` lies.
    pub feature_b: Feature,
    /// Separated, touching, penetrating or bracketed.
    pub status: ContactStatus,
    /// The number of pairs of features that the search tested; 1 if it started with the closest
    /// ones.
    pub steps: u32,
}

impl Contact {
    /// This contact, or the mirrored one.
    pub(crate) fn mirrored_if(self, mirrored: bool) -> Self {
        if mirrored { self.mirrored() } else { self }
    }

    /// The same contact with `a` and `b` exchanged.
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
