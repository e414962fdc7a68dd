//! How two bodies touch: one record for all shapes.

use std::fmt;

/// What part of a surface something is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum FeatureKind {
    /// A corner.
    Vertex,
    /// A side of faces.
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

/// A vertex, an edge or a face of a body, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Feature {
    /// What it is.
    pub kind: FeatureKind,
    /// Its number among those of its kind.
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

/// What is known of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContactStatus {
    /// There is a plane between them.
    Separated,
    /// Their distance or depth cannot be told from 0.
    Touching,
    /// They have points in common.
    Penetrating,
    /// The search ended before its bounds met; `lower` and `upper` hold all the same.
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

/// How two bodies, `a` and `b`, touch or how far apart they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The distance of the bodies; negative when they penetrate: the least way by which
    /// `b` must be moved along `normal` for the bodies only to touch.
    pub gap: f64,
    /// The gap is not less than this.
    pub lower: f64,
    /// The gap is not more than this.
    pub upper: f64,
    /// The point of `a` that is nearest to `b`, or deepest in it.
    pub point_a: [f64; 3],
    /// The point of `b`: `point_b - point_a = gap * normal`, up to rounding.
    pub point_b: [f64; 3],
    /// Of unit length, from `a` to `b`.
    pub normal: [f64; 3],
    /// Where `point_a` lies.
    pub feature_a: Feature,
    /// Where `point_b` lies.
    pub feature_b: Feature,
    /// What is known.
    pub status: ContactStatus,
    /// How many pairs of features the search looked at; 1 if it began with the right ones.
    pub steps: u32,
}

impl Contact {
    /// This contact, or the mirrored one.
    pub(crate) fn mirrored_if(self, mirrored: bool) -> Self {
        if mirrored { self.mirrored() } else { self }
    }

    /// The same contact, seen from the other body.
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
