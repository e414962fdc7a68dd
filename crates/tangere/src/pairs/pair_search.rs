//! Pair search: the trait that each broad-phase method implements for its own search. All methods
//! share everything else, in [`Finder`](super::Finder).

use super::PairSettings;
use super::pair_lists::PairLists;
use super::scene::Scene;
use crate::error::Result;

/// The search of a broad-phase method. Sealed: [`searches`](super::searches) lists all of them.
pub trait Search<const D: usize>: PairSearch<D> {}

impl<const D: usize, S: PairSearch<D>> Search<D> for S {}

/// The search of a broad-phase method over a scene; it reports pairs in any order.
pub trait PairSearch<const D: usize>: Default + Send {
    /// Whether the search answers queries itself; otherwise query items are tested against a
    /// hierarchical grid of the items.
    const ANSWERS_QUERIES: bool = false;

    /// Takes the settings of the pair search that its method alone has.
    ///
    /// # Errors
    /// When one of them is invalid.
    fn configure(&mut self, _settings: &PairSettings<D>) -> Result<()> {
        Ok(())
    }

    /// Builds or updates the structure of the pair search for a scene.
    fn update(&mut self, scene: &Scene<D>);

    /// Pair search of a scene: appends all touching pairs of items and ghosts, each once, either
    /// item first. Once there are too many pairs to store, the search may end early and mark the
    /// pair lists as stopped.
    fn search(&mut self, scene: &Scene<D>, found: &mut PairLists);

    /// Pair search with query items: appends all touching pairs of an item and a query item of the
    /// scene, each once, either first; pairs with ghosts of items are dropped later. The search was
    /// prepared before the query items were added. Called only if [`PairSearch::ANSWERS_QUERIES`].
    fn query(&mut self, _scene: &Scene<D>, _found: &mut PairLists) {}

    /// The name of the method of the pair search.
    fn method(&self) -> &'static str;

    /// Why this pair search is in use, in one sentence.
    fn reason(&self) -> String {
        format!("{} was requested", self.method())
    }

    /// Returns whether the pair search never reports pairs of two ghosts.
    fn skips_ghosts(&self) -> bool {
        false
    }
}
