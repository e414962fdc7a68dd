//! Search of ghosts among items, for periodic cells so small that ghosts (periodic images) far
//! outnumber items. Ghosts query the cell list of the items and are never tested against each
//! other. Used by all methods.
//!
//! O(n + g + pairs) for `n` items of similar sizes and `g` ghosts. Methods that search items and
//! ghosts alike would find `g / n` times as many pairs, only to drop those of two ghosts.

use super::cell_list::CellList;
use super::f32_packing::{Packed, Packing};
use super::item_bounds::ItemBounds;
use super::pair_lists::PairLists;
use super::scene::{Scene, Shapes};
use crate::geometry::Aabb;

/// The least number of ghosts in a chunk of the ghost search. A chunk is the part of the search
/// that tests some of the ghosts against the items.
const PORTION: usize = 1 << 14;

/// The search of touching pairs of a ghost (periodic image) and an item, and of two items.
#[derive(Clone, Debug, Default)]
pub(super) struct GhostSearch<const D: usize> {
    balls: CellList<D, 4>,
    boxes: CellList<D, 6>,
    /// The indices of the ghosts in the scene.
    ghosts: Vec<u32>,
    /// The number of ghosts in a chunk of the ghost search, which are tested against the items in
    /// one call.
    portion: usize,
}

impl<const D: usize> GhostSearch<D> {
    /// Prepares the ghost search: builds the cell list of the items of a scene and lists its
    /// ghosts.
    pub(super) fn update(&mut self, scene: &Scene<D>) {
        let items = scene.items();
        let positions = match &scene.shapes {
            Shapes::Spheres { centers, .. } => centers,
            Shapes::Boxes { lower, .. } => lower,
        };
        let item_bounds = ItemBounds {
            bounds: Aabb::of_points(positions[..items].iter().copied()),
            largest: scene.item_bounds().largest,
            count: items,
        };
        match Packed::new(scene) {
            Packed::Balls(packing) => self.balls.update(packing, scene, &item_bounds, |i| i),
            Packed::Boxes(packing) => self.boxes.update(packing, scene, &item_bounds, |i| i),
        }
        self.ghosts.clear();
        self.ghosts.extend(items as u32..scene.len() as u32);
        self.portion = items.max(PORTION);
    }

    /// The number of parts into which the ghost search is divided: one for the pairs of two items,
    /// and one for each chunk of ghosts.
    pub(super) fn parts(&self) -> usize {
        1 + self.ghosts.len().div_ceil(self.portion.max(1))
    }

    /// Appends the touching pairs that one part of the ghost search finds: the first part finds
    /// pairs of two items, the others pairs of an item and a ghost.
    pub(super) fn search(&self, part: usize, scene: &Scene<D>, found: &mut PairLists) {
        match Packed::new(scene) {
            Packed::Balls(packing) => self.through(&self.balls, packing, part, scene, found),
            Packed::Boxes(packing) => self.through(&self.boxes, packing, part, scene, found),
        }
    }

    /// Appends the touching pairs of one part of the ghost search, found in the cell list of the
    /// items.
    fn through<const N: usize, P: Packing<D, N>>(
        &self,
        cell_list: &CellList<D, N>,
        packing: P,
        part: usize,
        scene: &Scene<D>,
        found: &mut PairLists,
    ) {
        match part.checked_sub(1) {
            None => cell_list.pairs(packing, scene, found),
            Some(part) => {
                if let Some(ghosts) = self.ghosts.chunks(self.portion.max(1)).nth(part) {
                    cell_list.pairs_with(packing, ghosts, scene, found);
                }
            }
        }
    }
}
