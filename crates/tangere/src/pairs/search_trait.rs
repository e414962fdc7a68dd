//! What a method adds to what all share: the search itself.

use super::pair_lists::PairLists;
use super::scene::Scene;

/// A search prepared for a scene, which reports pairs in any order. Only this
/// module has searches.
pub trait Search<const D: usize>: Default + Send {
    /// Whether others can look into what is prepared; else cells are made for them.
    const ANSWERS_QUERIES: bool = false;

    /// Prepares for a scene.
    fn update(&mut self, scene: &Scene<D>);

    /// Appends every two of items and ghosts that touch, each once, either first; or tells
    /// that it has stopped, once they are too many to be kept.
    fn search(&mut self, scene: &Scene<D>, found: &mut PairLists);

    /// Appends every two of an item and one of the others in the scene that touch, each
    /// once, either first; pairs with ghosts of items are left out. The search was
    /// prepared before they came. Asked only if [`Search::ANSWERS_QUERIES`].
    fn query(&mut self, _scene: &Scene<D>, _found: &mut PairLists) {}

    /// The name of the method.
    fn method(&self) -> &'static str;

    /// In one sentence, why it answers.
    fn reason(&self) -> String {
        format!("{} was asked for", self.method())
    }

    /// Whether it searches for no pairs of ghosts.
    fn skips_ghosts(&self) -> bool {
        false
    }
}
