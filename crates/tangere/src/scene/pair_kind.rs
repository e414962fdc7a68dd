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

    /// The kind of a pair of shapes.
    pub(super) fn of(a: &Shape, b: &Shape) -> Self {
        let (Some(a), Some(b)) = (a.only_element(), b.only_element()) else {
            return Self::Many;
        };
        let is_sphere = |element: &Element| matches!(element, Element::Rounded(x) if x.kind() == RoundedKind::Sphere);
        match (a, b) {
            (Element::Rounded(_), Element::Rounded(_)) => match is_sphere(a) && is_sphere(b) {
                true => Self::SphereSphere,
                false => Self::RoundedRounded,
            },
            (Element::Rounded(_), Element::HalfSpace(_))
            | (Element::HalfSpace(_), Element::Rounded(_)) => match is_sphere(a) || is_sphere(b) {
                true => Self::SphereHalfSpace,
                false => Self::RoundedHalfSpace,
            },
            _ => Self::Many,
        }
    }
}
