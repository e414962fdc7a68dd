//! Tree search: a bounding volume hierarchy (BVH) traversed against itself. O(n log n) to build,
//! O(n) to refit.
//!
//! The tree is refitted when items move, and rebuilt when its cost by the surface area heuristic
//! ([`Tree::cost`]) has grown by half.

use super::pair_lists::PairLists;
use super::pair_search::PairSearch;
use super::scene::Scene;
use crate::tree::Tree;
use rayon::prelude::*;
use std::cell::Cell;

/// The factor by which the cost of the tree ([`Tree::cost`]) may grow before the tree is rebuilt.
/// Refitting is some ten times cheaper than building, and queries slow down in proportion to the
/// cost.
const WORN: f64 = 1.5;
/// The number of query items in a chunk that one task tests against the tree.
const QUERY_CHUNK: usize = 256;

/// The tree search: the search of the tree method, through a BVH.
#[derive(Clone, Debug, Default)]
pub struct TreeSearch<const D: usize> {
    tree: Option<Tree<D>>,
    /// The tree's cost ([`Tree::cost`]) when it was built.
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
        let (list, shared) = found.list();
        if let Some(tree) = &self.tree {
            let more = Cell::new(true);
            let (items, mut dropped) = (scene.items() as u32, 0);
            let visit = |i: u32, j: u32| {
                if i.min(j) >= items {
                    // A crowd of ghosts may hide that of the items.
                    dropped += 1;
                    if shared.are_too_many(dropped) {
                        list.stop();
                        more.set(false);
                    }
                    return;
                }
                if scene.touch(i as usize, j as usize) {
                    list.push(shared, i, j);
                    if list.is_full(shared) {
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
        let (lists, shared) = found.lists(others.len().div_ceil(QUERY_CHUNK));
        (others.par_chunks(QUERY_CHUNK).zip(lists)).for_each(|(others, list)| {
            for &i in others {
                if list.is_full(shared) {
                    list.stop();
                    break;
                }
                tree.overlapping(&scene.bounds(i as usize), |j| {
                    if scene.touch(i as usize, j as usize) {
                        list.push(shared, i, j);
                    }
                });
            }
        });
    }
}
