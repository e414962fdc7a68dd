//! Uniform grid: cells as large as the largest item; only items of neighbouring cells are
//! tested.
//!
//! O(n + pairs) for similar sizes. leszczynski2004, section 2.1 (the linked cell method); its
//! original form is [`super::published::linked_cells`].
//!
//! Deviates: no header and list arrays. Items are sorted by cell ([`super::cell_list`]), so that a
//! row of cells is contiguous in memory and eight items are tested at once, in f32 with a bound on
//! rounding; near ties are decided in f64. Each pair of cells is visited once (half stencil). Along
//! a row, cells may be shorter than the largest item. The search is [`super::hierarchical_grid`]
//! with a single level, and one more for distant outliers.

use super::hierarchical_grid::GridSearch;
use super::pair_lists::PairLists;
use super::pair_search::PairSearch;
use super::scene::Scene;

/// The search of the uniform grid.
#[derive(Clone, Debug, Default)]
pub struct CellSearch<const D: usize>(GridSearch<D>);

impl<const D: usize> PairSearch<D> for CellSearch<D> {
    const ANSWERS_QUERIES: bool = true;

    fn update(&mut self, scene: &Scene<D>) {
        self.0.plan(scene);
        self.0.join_levels();
        self.0.follow_plan(scene);
    }

    fn method(&self) -> &'static str {
        "cells"
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        self.0.search(scene, found);
    }

    fn query(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        self.0.query(scene, found);
    }
}
