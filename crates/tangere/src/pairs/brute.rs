//! Brute force: every pair is tested. The oracle of all other methods; O(n^2).

use super::pair_lists::PairLists;
use super::scene::Scene;
use super::search_trait::PairSearch;

/// The search that tests all pairs.
#[derive(Clone, Debug, Default)]
pub struct BruteSearch;

impl<const D: usize> PairSearch<D> for BruteSearch {
    const ANSWERS_QUERIES: bool = true;

    fn update(&mut self, _: &Scene<D>) {}

    fn method(&self) -> &'static str {
        "brute"
    }

    fn skips_ghosts(&self) -> bool {
        true
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        let (list, rule) = found.list();
        // Pairs of two ghosts do not count.
        for i in 0..scene.items() {
            for j in i + 1..scene.len() {
                if scene.touch(i, j) {
                    list.push(rule, i as u32, j as u32);
                }
            }
        }
    }

    fn query(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        let (list, rule) = found.list();
        for i in 0..scene.items() {
            for &j in scene.query_items() {
                if scene.touch(i, j as usize) {
                    list.push(rule, i as u32, j);
                }
            }
        }
    }
}
