//! Brute force: every pair is tested, O(n^2). All other methods are compared with this one.

use super::pair_lists::PairLists;
use super::pair_search::PairSearch;
use super::scene::Scene;

/// The brute-force search.
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
        let (list, shared) = found.list();
        // Pairs of two ghosts are skipped.
        for i in 0..scene.items() {
            if list.is_full(shared) {
                list.stop();
                break;
            }
            for j in i + 1..scene.len() {
                if scene.touch(i, j) {
                    list.push(shared, i as u32, j as u32);
                }
            }
        }
    }

    fn query(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        let (list, shared) = found.list();
        for i in 0..scene.items() {
            if list.is_full(shared) {
                list.stop();
                break;
            }
            for &j in scene.query_items() {
                if scene.touch(i, j as usize) {
                    list.push(shared, i as u32, j);
                }
            }
        }
    }
}
