//! Settings of hierarchies: construction, volume and branching.

use crate::error::{Argument, Error, Result};
use crate::names::names;
use crate::settings::builders;
use crate::simd::LANES;

/// The kind of bounding volume whose size the construction of a hierarchy minimises. Nodes always
/// have both a box and a ball.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Volume {
    /// Bounding spheres, as in Fig. 3 of `aragon2013`.
    Ball,
    /// Axis-aligned boxes, as in Fig. 4 of `aragon2013`.
    #[default]
    Box,
}

names! {
    Volume, Volume {
        Ball = "ball",
        Box = "box",
    }
}

/// How a hierarchy is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Construction {
    /// Top-down: items are split in two recursively. Fast.
    #[default]
    TopDown,
    /// Bottom-up: the two nodes with the smallest joint ball, or with the joint box of least
    /// surface area, are merged repeatedly (`aragon2013`, 3.2).
    BottomUp,
    /// Online insertion: items are inserted one after the other, each where the total volume grows
    /// least (Omohundro, cited in `aragon2013`, 3.2). To check the paper or to teach.
    Online,
}

names! {
    Construction, Construction {
        TopDown = "top-down",
        BottomUp = "bottom-up",
        Online = "online",
    }
}

/// Settings of a [`Hierarchy`](super::Hierarchy).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HierarchySettings {
    /// Whether the hierarchy is built top-down, bottom-up or by insertion.
    pub construction: Construction,
    /// The kind of bounding volume whose size the construction of the hierarchy minimises.
    pub volume: Volume,
    /// Maximum number of children of a node, from 2 to [`HierarchySettings::MAX_BRANCHING`].
    pub branching: usize,
}

builders! {
    HierarchySettings {
        /// Whether the hierarchy is built top-down, bottom-up or by insertion.
        with_construction(construction: Construction),
        /// The kind of bounding volume whose size the construction of the hierarchy minimises.
        with_volume(volume: Volume),
        /// Maximum number of children of a node, from 2 to [`HierarchySettings::MAX_BRANCHING`].
        with_branching(branching: usize),
    }
}

impl HierarchySettings {
    /// The largest valid [`branching`](Self::branching) of a hierarchy: the maximum number of
    /// children of a node.
    pub const MAX_BRANCHING: usize = 16;

    /// An error unless the settings of the hierarchy are valid: a branching in range.
    pub(super) fn checked(&self) -> Result<()> {
        if (2..=Self::MAX_BRANCHING).contains(&self.branching) {
            return Ok(());
        }
        let expected = format!("a number of children from 2 to {}", Self::MAX_BRANCHING);
        Err(Error::argument(
            Argument::Branching,
            self.branching,
            expected,
        ))
    }
}

/// A hierarchy that is built top-down, minimises boxes, and has up to eight children a node.
impl Default for HierarchySettings {
    fn default() -> Self {
        Self {
            construction: Construction::default(),
            volume: Volume::default(),
            // As many children as are tested at once.
            branching: LANES,
        }
    }
}
