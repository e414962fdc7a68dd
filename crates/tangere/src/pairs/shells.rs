//! Sorted distances: items are sorted by their distance from reference points; two items whose
//! distance intervals (shells) do not overlap cannot touch. After leszczynski2004, section 2.2,
//! whose own form is [`PublishedShells`](super::PublishedShells).
//!
//! There are two reference points, both at infinity along the two least crowded axes: shells become
//! slabs and distances become coordinates, which need no square root and no allowance for rounding.
//! Items are distributed to strips by the second distance, then sorted and searched in each strip by
//! the first ([`super::strip_sweep`]). So an item of a cube is tested against n^(1/3) others instead
//! of n^(2/3) (a constant number in a square), eight at once in f32. The order is kept from step to
//! step and repaired by insertion sort.

use super::pair_lists::PairLists;
use super::pair_search::PairSearch;
use super::published::sorted_distances::SortedDistances;
use super::scene::Scene;
use super::strip_sweep::Strips;
use super::{Finder, PairSettings, Shells};
use crate::error::Result;
use std::cell::Cell;

/// The search of the sorted distances, through strips.
#[derive(Clone, Debug, Default)]
pub struct ShellSearch<const D: usize> {
    /// The search as published, if it replaces that through strips.
    published: Option<SortedDistances<D>>,
    strips: Strips<D>,
    /// The number of pairs of items that the last search by sorted distances tested.
    tests: usize,
}

impl<const D: usize> Shells<D> {
    /// A finder of sorted distances (shells) with the single reference point of leszczynski2004,
    /// the lower corner of the bounds: slower, for comparison. The same search is
    /// [`PublishedShells`](super::PublishedShells), which may have another reference point.
    ///
    /// # Errors
    /// When the margin is negative or not finite.
    pub fn from_corner(settings: PairSettings<D>) -> Result<Self> {
        let mut finder: Self = Finder::new(settings)?;
        finder.search.published = Some(SortedDistances::default());
        Ok(finder)
    }

    /// The number of pairs that the search of shells tested for the last answer.
    pub fn tests(&self) -> usize {
        match &self.search.published {
            Some(published) => published.tests(),
            None => self.search.tests,
        }
    }
}

impl<const D: usize> PairSearch<D> for ShellSearch<D> {
    fn update(&mut self, scene: &Scene<D>) {
        match &mut self.published {
            Some(published) => published.update(scene),
            None => self.strips.update(scene),
        }
    }

    fn method(&self) -> &'static str {
        "shells"
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        if let Some(published) = &mut self.published {
            return published.search(scene, found);
        }
        let (list, shared) = found.list();
        let more = Cell::new(true);
        let meet = |i: u32, j: u32| {
            if scene.touch(i as usize, j as usize) {
                list.push(shared, i, j);
                if list.is_full(shared) {
                    list.stop();
                    more.set(false);
                }
            }
        };
        self.tests = self.strips.overlaps(meet, &more);
    }
}
