//! Kinds of candidate pairs, by the narrow phase that they take.

use super::rounded::RoundedKind;
use super::shape::{Element, Shape};
use crate::names::names;

/// The kind of a candidate pair: what its narrow phase is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PairKind {
    /// Two spheres: one contact in closed form.
    SphereSphere,
    /// A sphere and a half-space: one contact in closed form.
    SphereHalfSpace,
    /// Two rounded solids, at least one of them no sphere: one contact by tracked features.
    RoundedRounded,
    /// A rounded solid other than a sphere and a half-space: one contact at the lowest vertex.
    RoundedHalfSpace,
    /// At least one mesh or compound: any number of contacts.
    Many,
}

names! {
    PairKind, Kind {
        SphereSphere = "sphere-sphere",
        SphereHalfSpace = "sphere-half-space",
        RoundedRounded = "rounded-rounded",
        RoundedHalfSpace = "rounded-half-space",
        Many = "many",
    }
}

impl PairKind {
    /// Whether something is kept of such a pair from update to update.
    pub(super) fn is_tracked(self) -> bool {
        matches!(self, Self::RoundedRounded | Self::Many)
    }

    /// The kind of a pair of shapes of these kinds.
    #[inline]
    pub(super) fn of(a: ShapeKind, b: ShapeKind) -> Self {
        use ShapeKind::{HalfSpace, Many, Rounded, Sphere};
        match (a, b) {
            (Many, _) | (_, Many) | (HalfSpace, HalfSpace) => Self::Many,
            (Sphere, Sphere) => Self::SphereSphere,
            (Sphere, HalfSpace) | (HalfSpace, Sphere) => Self::SphereHalfSpace,
            (Rounded, HalfSpace) | (HalfSpace, Rounded) => Self::RoundedHalfSpace,
            (Rounded, _) | (_, Rounded) => Self::RoundedRounded,
        }
    }
}

/// The kind of a shape, as far as the kind of its pairs depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShapeKind {
    Sphere,
    /// Another rounded solid.
    Rounded,
    HalfSpace,
    /// A mesh or compound.
    Many,
}

impl ShapeKind {
    pub fn of(shape: &Shape) -> Self {
        match shape.only_element() {
            Some(Element::Rounded(x)) if x.kind() == RoundedKind::Sphere => Self::Sphere,
            Some(Element::Rounded(_)) => Self::Rounded,
            Some(Element::HalfSpace(_)) => Self::HalfSpace,
            _ => Self::Many,
        }
    }
}
