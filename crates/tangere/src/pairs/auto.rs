//! Automatic choice of the fastest broad-phase method.
//!
//! A cost model predicts the nanoseconds of each method from the number of items, their sizes
//! ([`super::grid_levels`]), their density and the number of touching pairs; the cheapest method is
//! used. Costs that all methods share, such as sorting pairs, are left out. The constants were
//! measured on one machine; only their ratios matter.

use super::brute::BruteSearch;
use super::hierarchical_grid::GridSearch;
use super::pair_lists::PairLists;
use super::pair_search::PairSearch;
use super::scene::Scene;
use super::tree_search::TreeSearch;
use crate::geometry::Aabb;
use std::fmt::Write;

/// The broad-phase methods among which `auto` chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Choice {
    Brute,
    Cells,
    Grid,
    Tree,
}

impl Choice {
    const ALL: [Choice; 4] = [Choice::Brute, Choice::Cells, Choice::Grid, Choice::Tree];

    /// The name of the method that the automatic choice selects.
    fn name(self) -> &'static str {
        match self {
            Choice::Brute => "brute",
            Choice::Cells => "cells",
            Choice::Grid => "grid",
            Choice::Tree => "tree",
        }
    }
}

/// The properties of the items from which `auto` chooses a method.
#[derive(Clone, Copy, Debug, Default)]
struct Statistics {
    items: f64,
    /// The number of ghosts (periodic images of items) among the items of the scene.
    ghosts: usize,
    levels: usize,
    /// The predicted nanoseconds of each method, in the order of [`Choice::ALL`].
    costs: [f64; 4],
}

impl Statistics {
    /// The nanoseconds that the automatic choice predicts for a method.
    fn cost(&self, choice: Choice) -> f64 {
        self.costs[choice as usize]
    }

    /// The automatic choice: the method with the least predicted cost.
    fn best(&self) -> Choice {
        let cheaper = |a: &Choice, b: &Choice| self.cost(*a).total_cmp(&self.cost(*b));
        Choice::ALL
            .into_iter()
            .min_by(cheaper)
            .unwrap_or(Choice::Tree)
    }
}

/// Cost model of the automatic choice: predicted nanoseconds of brute force over `items` items and
/// ghosts.
fn brute_cost(items: f64) -> f64 {
    300.0 + 1.6 * items * items
}

/// The largest ratio of the longest edge of the box around all items to that of the box around most
/// items, without outliers, at which `auto` uses a tree. Beyond it, the f32 boxes of a tree do not
/// resolve most items.
const SPREAD: f64 = 1e30;

/// Whether the automatic choice rules out the tree: outliers are so far away that the f32 boxes of
/// a tree do not resolve the other items. `core` is the box around these others.
fn exceeds_tree_resolution<const D: usize>(scene: &Scene<D>, core: &Aabb<D>) -> bool {
    let longest = |extent: [f64; D]| extent.into_iter().fold(0.0, f64::max);
    let all = longest(scene.item_bounds().bounds.extent());
    all > SPREAD * longest(core.extent())
}

/// Cost model of the automatic choice: predicted nanoseconds of the tree method. `pairs` is the
/// expected number of touching pairs. If `coherent`, the tree of the last update is only refitted,
/// at about half the cost of a build.
fn tree_cost(items: f64, pairs: f64, coherent: bool) -> f64 {
    /// Nanoseconds to find and test a touching pair in the tree.
    const PAIR: f64 = 15.0;
    let build = items * (100.0 + 10.0 * items.max(2.0).log2());
    build * if coherent { 0.5 } else { 1.0 } + PAIR * pairs
}

/// The search of the automatic choice, which delegates to the method predicted to be fastest.
#[derive(Clone, Debug, Default)]
pub struct AutoSearch<const D: usize> {
    choice: Option<(Choice, Statistics)>,
    brute: BruteSearch,
    grid: GridSearch<D>,
    tree: TreeSearch<D>,
}

impl<const D: usize> PairSearch<D> for AutoSearch<D> {
    const ANSWERS_QUERIES: bool = true;

    fn update(&mut self, scene: &Scene<D>) {
        let levels = self.grid.plan(scene);
        let items = scene.len() as f64;
        let last = self.choice.filter(|(_, last)| last.items == items);
        let coherent = last.is_some_and(|(choice, _)| choice == Choice::Tree);
        let blind = exceeds_tree_resolution(scene, levels.core());
        let tree_cost = |pairs: f64| match blind {
            true => 2.0 * brute_cost(items),
            false => tree_cost(items, pairs, coherent),
        };
        let mut statistics = Statistics {
            items,
            ghosts: scene.len() - scene.items(),
            levels: levels.len(),
            costs: [
                brute_cost(items),
                levels.single(),
                // With one level the grid equals the cells, which are simpler.
                levels.cost() * if levels.len() > 1 { 1.0 } else { 1.01 },
                tree_cost(levels.pairs()),
            ],
        };
        let mut best = statistics.best();
        match best {
            Choice::Cells => {
                self.grid.join_levels();
                self.grid.follow_plan(scene);
            }
            Choice::Grid => self.grid.follow_plan(scene),
            Choice::Brute | Choice::Tree => {}
        }
        if matches!(best, Choice::Cells | Choice::Grid) {
            // Clusters show only once items are in their cells.
            let (tests, pairs) = self.grid.sample_density(scene);
            for choice in [Choice::Cells, Choice::Grid] {
                // A method that is not prepared yet must be better by 1%.
                let more = if choice == best { 1.0 } else { 1.01 };
                let cost = &mut statistics.costs[choice as usize];
                *cost = cost.max(tests * more);
            }
            statistics.costs[Choice::Tree as usize] = tree_cost(pairs);
            best = statistics.best();
        }
        // Without items, the update empties the tree.
        if best == Choice::Tree || items == 0.0 {
            self.tree.update(scene);
        }
        self.choice = Some((best, statistics));
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        match self.choice.map(|(choice, _)| choice) {
            None | Some(Choice::Brute) => self.brute.search(scene, found),
            Some(Choice::Cells | Choice::Grid) => self.grid.search(scene, found),
            Some(Choice::Tree) => self.tree.search(scene, found),
        }
    }

    fn query(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        match self.choice.map(|(choice, _)| choice) {
            None | Some(Choice::Brute) => self.brute.query(scene, found),
            Some(Choice::Cells | Choice::Grid) => self.grid.query(scene, found),
            Some(Choice::Tree) => self.tree.query(scene, found),
        }
    }

    fn method(&self) -> &'static str {
        self.choice.map_or("auto", |(choice, _)| choice.name())
    }

    fn reason(&self) -> String {
        let Some((choice, statistics)) = self.choice else {
            return "there are no items yet".into();
        };
        if statistics.items == 0.0 {
            return "there are no items".into();
        }
        let items = match statistics.items as usize - statistics.ghosts {
            1 => "1 item".into(),
            items => format!("{items} items"),
        };
        let images = match statistics.ghosts {
            0 => String::new(),
            1 => " and 1 image".into(),
            ghosts => format!(" and {ghosts} images"),
        };
        let levels = match statistics.levels {
            1 => "on one level of sizes".into(),
            levels => format!("on {levels} levels of sizes"),
        };
        let mut reason = format!(
            "{} is predicted to be the fastest for {items}{images} {levels} (ms:",
            choice.name(),
        );
        for (i, candidate) in Choice::ALL.into_iter().enumerate() {
            let separator = if i == 0 { " " } else { ", " };
            let cost = statistics.cost(candidate) * 1e-6;
            let digits = match cost {
                _ if cost >= 100.0 => 0,
                _ if cost >= 1.0 => 1,
                _ => 3,
            };
            // Writing to a string cannot fail.
            let _ = write!(reason, "{separator}{} {cost:.digits$}", candidate.name());
        }
        reason.push(')');
        reason
    }
}
