//! Exclusions (collision filtering): no pairs within a group, and none whose masks do not allow
//! each other. Costs two table lookups for each touching pair.

use crate::error::{Argument, Error, Result};

/// Collision mask: the kinds to which an item belongs and the kinds that it meets, one bit each.
/// Two items form a pair only if each meets a kind of the other.
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
    /// The kinds that the item belongs to, one bit each.
    pub member: u32,
    /// The kinds that the item meets, one bit each.
    pub meets: u32,
}

impl Mask {
    /// The mask of an item that belongs to every kind and meets every kind.
    pub const ALL: Self = Mask {
        member: u32::MAX,
        meets: u32::MAX,
    };

    /// Whether items with the collision masks `self` and `other` may form a pair: each meets a kind
    /// of the other. Symmetric.
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

/// The groups and masks that exclude pairs of items.
#[derive(Clone, Debug, Default)]
pub(super) struct Exclusions {
    /// The group of each item; empty for no groups.
    groups: Vec<u32>,
    /// The mask of each item; empty for no masks.
    masks: Vec<Mask>,
}

impl Exclusions {
    /// Replaces the exclusions by copies of groups and masks, reusing memory.
    pub(super) fn copy(&mut self, groups: &[u32], masks: &[Mask]) {
        self.groups.clear();
        self.groups.extend_from_slice(groups);
        self.masks.clear();
        self.masks.extend_from_slice(masks);
    }

    /// Whether no pair is excluded: there are no groups and no masks.
    pub(super) fn excludes_nothing(&self) -> bool {
        self.groups.is_empty() && self.masks.is_empty()
    }

    /// Checks the lengths of the exclusions: as many groups as items, or none, and as many masks as
    /// items, or none.
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

    /// Whether no exclusion applies to the pair of items `a` and `b`.
    #[inline]
    pub(super) fn keeps(&self, a: usize, b: usize) -> bool {
        (self.groups.is_empty() || self.groups[a] != self.groups[b])
            && (self.masks.is_empty() || self.masks[a].allows(self.masks[b]))
    }

    /// Whether no exclusion applies to item `a` with a query item, which has no group and every
    /// mask bit set.
    #[inline]
    pub(super) fn keeps_query_pair(&self, a: usize) -> bool {
        self.masks.is_empty() || self.masks[a].allows(Mask::ALL)
    }
}
