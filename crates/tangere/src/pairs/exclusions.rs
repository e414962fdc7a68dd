//! Pairs that do not count: those within a group, and those of kinds that do
//! not meet. Two lookups for each pair that touches.

use crate::error::{Argument, Error, Result};

/// The kinds an item is of and the kinds it meets, one bit for each kind. Two
/// items are a pair only if each meets a kind of the other.
///
/// ```
/// use tangere::pairs::Mask;
///
/// let grain = Mask { member: 0b01, meets: 0b11 };
/// let wall = Mask { member: 0b10, meets: 0b01 };
/// assert!(grain.allows(wall) && wall.allows(grain) && grain.allows(grain));
/// assert!(!wall.allows(wall));
/// assert!(Mask::default().allows(wall));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mask {
    /// The kinds that it is of.
    pub member: u32,
    /// The kinds that it meets.
    pub meets: u32,
}

impl Mask {
    /// Of every kind, and meets every kind.
    pub const ALL: Self = Mask {
        member: u32::MAX,
        meets: u32::MAX,
    };

    /// Whether two items with these masks are a pair; the same for both.
    #[inline]
    pub fn allows(self, other: Self) -> bool {
        self.member & other.meets != 0 && other.member & self.meets != 0
    }
}

impl Default for Mask {
    fn default() -> Self {
        Self::ALL
    }
}

/// Which pairs of items are left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Exclusions {
    /// For each item its group, or nothing.
    groups: Vec<u32>,
    /// For each item its mask, or nothing.
    masks: Vec<Mask>,
}

impl Exclusions {
    /// Becomes a copy, in the same memory.
    pub(super) fn copy(&mut self, groups: &[u32], masks: &[Mask]) {
        self.groups.clear();
        self.groups.extend_from_slice(groups);
        self.masks.clear();
        self.masks.extend_from_slice(masks);
    }

    /// Whether every pair counts.
    pub(super) fn is_nothing(&self) -> bool {
        self.groups.is_empty() && self.masks.is_empty()
    }

    /// Refuses other than one group and one mask for each of so many items.
    pub(super) fn check(&self, items: usize) -> Result<()> {
        let lengths = [
            (Argument::Groups, self.groups.len()),
            (Argument::Masks, self.masks.len()),
        ];
        match lengths.into_iter().find(|&(_, n)| n != 0 && n != items) {
            None => Ok(()),
            Some((what, found)) => Err(Error::argument(
                what,
                format!("{found} rows"),
                format!("{items}, one for each item, or none"),
            )),
        }
    }

    /// Whether a pair of items counts.
    #[inline]
    pub(super) fn keeps(&self, a: usize, b: usize) -> bool {
        (self.groups.is_empty() || self.groups[a] != self.groups[b])
            && (self.masks.is_empty() || self.masks[a].allows(self.masks[b]))
    }

    /// Whether pairs of an item with those that have no group, and are of and
    /// meet every kind, count.
    #[inline]
    pub(super) fn keeps_any(&self, a: usize) -> bool {
        self.masks.is_empty() || self.masks[a].allows(Mask::ALL)
    }
}
