//! The method that promises to be fastest for the items at hand.
//!
//! A small cost model predicts nanoseconds for the candidates from the number of
//! items, their sizes ([`super::levels`]) and how they fill cells; the least wins.
//! The constants were read off one machine; only their ratios matter.

use super::Search;
use super::brute::BruteSearch;
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
    levels: usize,
    /// Predicted nanoseconds, in the order of [`Choice::ALL`].
    costs: [f64; 4],
}

impl Statistics {
    fn cost(&self, choice: Choice) -> f64 {
        self.costs[choice as usize]
    }

    /// The cheapest choice.
    fn best(&self) -> Choice {
        let cheaper = |a: &Choice, b: &Choice| self.cost(*a).total_cmp(&self.cost(*b));
        Choice::ALL
            .into_iter()
            .min_by(cheaper)
            .unwrap_or(Choice::Tree)
    }
}

/// The search that picks another.
#[derive(Clone, Debug, Default)]
pub struct AutoSearch<const D: usize> {
    choice: Option<(Choice, Statistics)>,
    brute: BruteSearch,
    grid: GridSearch<D>,
    tree: TreeSearch<D>,
}

impl<const D: usize> Search<D> for AutoSearch<D> {
    const BETWEEN: bool = true;

    fn update(&mut self, scene: &Scene<D>) {
        let levels = self.grid.plan(scene);
        let items = scene.len() as f64;
        let last = self.choice.filter(|(_, last)| last.items == items);
        let coherent = last.is_some_and(|(choice, _)| choice == Choice::Tree);
        let mut statistics = Statistics {
            items,
            levels: levels.len(),
            costs: [
                300.0 + 0.6 * items * items,
                levels.single(),
                // The same as cells where one level is best; they are simpler.
                levels.cost() * if levels.len() > 1 { 1.0 } else { 1.01 },
                // A tree that is only refitted costs about half.
                items * (100.0 + 10.0 * items.max(2.0).log2()) * if coherent { 0.5 } else { 1.0 },
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
            // Nobody knows about clusters before items are in their cells.
            let crowding = self.grid.crowding_cost(scene);
            for choice in [Choice::Cells, Choice::Grid] {
                let cost = &mut statistics.costs[choice as usize];
                *cost = cost.max(crowding);
            }
            best = match statistics.best() {
                Choice::Tree => Choice::Tree,
                _ => best,
            };
        }
        // Without items there is nothing to remember.
        if best == Choice::Tree || items == 0.0 {
            self.tree.update(scene);
        }
        self.choice = Some((best, statistics));
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut Found) {
        match self.choice.map(|(choice, _)| choice) {
            None | Some(Choice::Brute) => self.brute.search(scene, found),
            Some(Choice::Cells | Choice::Grid) => self.grid.search(scene, found),
            Some(Choice::Tree) => self.tree.search(scene, found),
        }
    }

    fn between(&mut self, scene: &Scene<D>, found: &mut Found) {
        match self.choice.map(|(choice, _)| choice) {
            None | Some(Choice::Brute) => self.brute.between(scene, found),
            Some(Choice::Cells | Choice::Grid) => self.grid.between(scene, found),
            Some(Choice::Tree) => self.tree.between(scene, found),
        }
    }

    fn method(&self) -> &'static str {
        self.choice.map_or("auto", |(choice, _)| choice.name())
    }

    fn reason(&self) -> String {
        let Some((choice, statistics)) = self.choice else {
            return "there are no items yet".into();
        };
        let levels = match statistics.levels {
            1 => "similar size",
            _ => "several sizes",
        };
        let mut reason = format!(
            "{} is predicted to be the fastest for {} items of {levels} (ms:",
            choice.name(),
            statistics.items,
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
