//! Settings of hierarchies: construction, volume and branching.

use crate::error::{Argument, Error, Result};
use crate::names::names;
use crate::settings::builders;
use crate::simd::LANES;

/// The volume that a construction minimises. Nodes always have both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Volume {
    /// Bounding spheres, as in Fig. 3 of `aragon2013`.
    Ball,
    /// Axis-aligned boxes, as in its Fig. 4.
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
    /// Items are split in two recursively: fast.
    #[default]
    TopDown,
    /// The two nodes of least joint volume (boxes: surface) are merged repeatedly, as in 3.2 of
    /// `aragon2013`.
    BottomUp,
}

names! {
    Construction, Construction {
        TopDown = "top-down",
        BottomUp = "bottom-up",
    }
}

/// Settings of a [`Hierarchy`](super::Hierarchy).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HierarchySettings {
    /// Top-down or bottom-up.
    pub construction: Construction,
    /// The volume that is minimised.
    pub volume: Volume,
    /// The most children of a node, from 2 to [`HierarchySettings::MAX_BRANCHING`].
    pub branching: usize,
}

builders! {
    HierarchySettings {
        /// Top-down or bottom-up.
        with_construction(construction: Construction),
        /// The volume that is minimised.
        with_volume(volume: Volume),
        /// The most children of a node, from 2 to [`HierarchySettings::MAX_BRANCHING`].
        with_branching(branching: usize),
    }
}

impl HierarchySettings {
    /// The largest [`branching`](Self::branching).
    pub const MAX_BRANCHING: usize = 16;

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

/// Top-down, of boxes, with eight children a node.
impl Default for HierarchySettings {
    fn default() -> Self {
        Self {
            construction: Construction::default(),
            volume: Volume::default(),
            // As many as are tested at once.
            branching: LANES,
        }
    }
}
