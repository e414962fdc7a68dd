//! The method that promises to be fastest for the items at hand.
//!
//! A small cost model predicts nanoseconds an item for the candidates from the
//! number of items, their sizes and how they would fill cells; the least wins.
//! The constants were read off one machine; only their ratios matter.

use super::Search;
use super::brute::BruteSearch;
use super::cells::CellSearch;
use super::found::Found;
use super::grid::GridSearch;
use super::scene::Scene;
use super::tree::TreeSearch;
use std::fmt::Write;

/// Candidates, with what they cost.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Choice {
    Brute,
    Cells,
    Grid,
    Tree,
}

impl Choice {
    const ALL: [Choice; 4] = [Choice::Brute, Choice::Cells, Choice::Grid, Choice::Tree];

    fn name(self) -> &'static str {
        match self {
            Choice::Brute => "brute",
            Choice::Cells => "cells",
            Choice::Grid => "grid",
            Choice::Tree => "tree",
        }
    }
}

/// What the choice depends on.
#[derive(Clone, Copy, Debug, Default)]
struct Statistics {
    items: f64,
    /// Items in a cell as large as the largest item, on average.
    occupancy: f64,
    /// Size classes, each twice as large as the one before.
    classes: f64,
}

impl Statistics {
    fn new<const D: usize>(scene: &Scene<D>) -> Self {
        let n = scene.len();
        let mut bounds = crate::geometry::Aabb::EMPTY;
        let (mut largest, mut classes) = (0.0f64, 0u64);
        for i in 0..n {
            let item = scene.bounds(i);
            let size = item.extent().into_iter().fold(0.0, f64::max);
            largest = largest.max(size);
            // The exponent, folded into 64 classes.
            classes |= 1 << ((size.to_bits() >> 52) & 63);
            bounds = bounds.union(&item);
        }
        let items = n as f64;
        let along = |extent: f64| {
            let cells = (extent / largest).floor();
            if cells >= 1.0 { cells } else { 1.0 }
        };
        let cells: f64 = bounds.extent().into_iter().map(along).product();
        Statistics {
            items,
            // Cells do not outnumber items.
            occupancy: (items / cells).max(1.0),
            classes: f64::from(classes.count_ones()).max(1.0),
        }
    }

    /// Predicted nanoseconds an item.
    fn cost<const D: usize>(&self, choice: Choice) -> f64 {
        let stencil = if D == 3 { 13.5 } else { 4.5 };
        match choice {
            Choice::Brute => 2.0 + 0.6 * self.items,
            Choice::Cells => 60.0 + 0.6 * stencil * self.occupancy + 2.0 * stencil,
            Choice::Grid => 90.0 + 5.0 * stencil * (1.0 + 0.5 * self.classes),
            Choice::Tree => 100.0 + 10.0 * self.items.max(2.0).log2(),
        }
    }
}

/// The search that picks another.
#[derive(Clone, Debug, Default)]
pub struct AutoSearch<const D: usize> {
    choice: Option<(Choice, Statistics)>,
    brute: BruteSearch,
    cells: CellSearch<D>,
    grid: GridSearch<D>,
    tree: TreeSearch<D>,
}

impl<const D: usize> Search<D> for AutoSearch<D> {
    fn update(&mut self, scene: &Scene<D>) {
        let statistics = Statistics::new(scene);
        let cost = |choice: &Choice| statistics.cost::<D>(*choice);
        let best = Choice::ALL
            .into_iter()
            .min_by(|a, b| cost(a).total_cmp(&cost(b)))
            .unwrap_or(Choice::Tree);
        self.choice = Some((best, statistics));
        match best {
            Choice::Brute => Search::<D>::update(&mut self.brute, scene),
            Choice::Cells => self.cells.update(scene),
            Choice::Grid => self.grid.update(scene),
            Choice::Tree => self.tree.update(scene),
        }
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut Found) {
        match self.choice.map(|(choice, _)| choice) {
            None | Some(Choice::Brute) => self.brute.search(scene, found),
            Some(Choice::Cells) => self.cells.search(scene, found),
            Some(Choice::Grid) => self.grid.search(scene, found),
            Some(Choice::Tree) => self.tree.search(scene, found),
        }
    }

    fn method(&self) -> &'static str {
        self.choice.map_or("auto", |(choice, _)| choice.name())
    }

    fn reason(&self) -> String {
        let Some((choice, statistics)) = self.choice else {
            return "there are no items yet".into();
        };
        let mut reason = format!(
            "{} is predicted to be the fastest for {} items, {:.1} in a cell of the largest, {} size classes (ns an item:",
            choice.name(),
            statistics.items,
            statistics.occupancy,
            statistics.classes,
        );
        for (i, candidate) in Choice::ALL.into_iter().enumerate() {
            let separator = if i == 0 { " " } else { ", " };
            let cost = statistics.cost::<D>(candidate);
            // Writing to a string cannot fail.
            let _ = write!(reason, "{separator}{} {cost:.0}", candidate.name());
        }
        reason.push(')');
        reason
    }
}
