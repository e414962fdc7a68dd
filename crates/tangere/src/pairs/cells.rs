//! Cells as large as the largest item; only items of neighbouring cells meet.
//!
//! O(n + pairs) when sizes are alike. leszczynski2004, section 2.1 (the linked
//! cell method); as in the paper: [`super::linked_cells`].
//!
//! Deviates: no header and list arrays. Items are sorted into the order of
//! their cells ([`super::cell_list`]), so that those of a row of cells lie side by side
//! and eight are tested at once, in f32 with room for rounding; what is too close to
//! call is decided in f64. Each pair of cells is met once (half of the stencil).
//! This is [`super::hierarchical_grid`] with a single level, and one for what is lost far away.

use super::Search;
use super::hierarchical_grid::GridSearch;
use super::pair_lists::PairLists;
use super::scene::Scene;

/// The search through cells.
#[derive(Clone, Debug, Default)]
pub struct CellSearch<const D: usize>(GridSearch<D>);

impl<const D: usize> Search<D> for CellSearch<D> {
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
