//! Bounding volume hierarchy (BVH) traversed against itself. O(n log n) to build, O(n) to refit.
//!
//! The tree is refitted when items move, and rebuilt when its cost has grown by half.

use super::pair_lists::PairLists;
use super::scene::Scene;
use super::search_trait::PairSearch;
use crate::tree::Tree;
use rayon::prelude::*;
use std::cell::Cell;

/// A tree whose cost has grown by this factor is rebuilt: refitting is some ten times cheaper
/// than building, and queries slow down in proportion to the cost.
const WORN: f64 = 1.5;
/// Query items in a chunk.
const LOOKS: usize = 256;

/// The search through a BVH.
#[derive(Clone, Debug, Default)]
pub struct TreeSearch<const D: usize> {
    tree: Option<Tree<D>>,
    /// The tree's cost when it was built.
    fresh: f64,
}

impl<const D: usize> PairSearch<D> for TreeSearch<D> {
    const ANSWERS_QUERIES: bool = true;

    fn update(&mut self, scene: &Scene<D>) {
        let bounds = |i: usize| scene.bounds(i);
        if let Some(tree) = &mut self.tree
            && tree.len() == scene.len()
            && tree.refit_with(bounds).is_ok()
            && tree.cost() <= WORN * self.fresh
        {
            return;
        }
        self.tree = Tree::new(scene.len(), bounds).ok();
        self.fresh = self.tree.as_ref().map_or(0.0, Tree::cost);
    }

    fn method(&self) -> &'static str {
        "tree"
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        let (list, rule) = found.list();
        if let Some(tree) = &self.tree {
            let more = Cell::new(true);
            let visit = |i: u32, j: u32| {
                if scene.touch(i as usize, j as usize) {
                    list.push(rule, i, j);
                    if list.is_full() {
                        list.stop();
                        more.set(false);
                    }
                }
            };
            tree.self_pairs_while(visit, &more);
        }
    }

    fn query(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        let Some(tree) = &self.tree else {
            return;
        };
        let others = scene.query_items();
        let (lists, rule) = found.lists(others.len().div_ceil(LOOKS));
        (others.par_chunks(LOOKS).zip(lists)).for_each(|(others, list)| {
            for &i in others {
                if list.is_full() {
                    list.stop();
                    break;
                }
                tree.overlapping(&scene.bounds(i as usize), |j| {
                    if scene.touch(i as usize, j as usize) {
                        list.push(rule, i, j);
                    }
                });
            }
        });
    }
}
