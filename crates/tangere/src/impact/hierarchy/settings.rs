//! How hierarchies are made.

use crate::error::{Argument, Error, Result};
use crate::names::names;
use crate::settings::builders;
use crate::simd::LANES;

/// The volume that a construction keeps small. Nodes have both, whichever it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Volume {
    /// Balls, as in Fig. 3 of `aragon2013`.
    Ball,
    /// Boxes along the axes, as in its Fig. 4.
    #[default]
    Box,
}

names! {
    Volume, Volume {
        Ball = "ball",
        Box = "box",
    }
}

/// From which end a hierarchy is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Construction {
    /// Items are split in two again and again: fast.
    #[default]
    TopDown,
    /// The two volumes whose joint volume (of boxes: surface) is least are joined again and again, as in 3.2 of
    /// `aragon2013`.
    BottomUp,
}

names! {
    Construction, Construction {
        TopDown = "top-down",
        BottomUp = "bottom-up",
    }
}

/// How a hierarchy is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HierarchySettings {
    /// From which end.
    pub construction: Construction,
    /// The volume that is kept small.
    pub volume: Volume,
    /// The most children of a node, from 2 to [`HierarchySettings::MAX_BRANCHING`].
    pub branching: usize,
}

builders! {
    HierarchySettings {
        /// From which end it is made.
        with_construction(construction: Construction),
        /// The volume that is kept small.
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
            // As many as are looked at together.
            branching: LANES,
        }
    }
}
