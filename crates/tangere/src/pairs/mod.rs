//! Broad phase: the pairs of particles or boxes that touch or may touch, among many.
//!
//! A method is a [`Finder`] around its own [`Search`]. All return the same pairs as [`Brute`],
//! which tests every item against every other:
//!
//! | method | cost | good for |
//! |---|---|---|
//! | [`Brute`] | n^2 | few items; the oracle |
//! | [`Shells`] (sorted distances) | n^(1 + 1/D) | up to some ten thousand items |
//! | [`Cells`] (uniform grid) | n | similar sizes |
//! | [`Sweep`] (sweep and prune) | n + swaps | items that hardly move between updates |
//! | [`GridPairs`] (hierarchical grid) | n | widely different sizes |
//! | [`TreePairs`] (BVH) | n log n | any sizes and shapes |
//!
//! Spheres touch when `dx*dx + dy*dy + dz*dz <= (ri + rj)*(ri + rj)`, in this
//! order and without fused multiply-add; boxes when their closed intervals
//! overlap on every axis. With a margin, spheres count up to `ri + rj + margin`
//! apart, boxes up to `margin` along each axis. In a [`Periodic`] space the
//! differences are `(x_b - x_a) + shift`.
//!
//! Pairs are sorted, the lower item first, each once. They do not depend on the method, the
//! number of threads or the machine.
//!
//! Items that move little need no search at every step: [`Candidates`] is a Verlet list with a
//! skin on top of any method, with the same pairs.
//!
//! ```
//! use tangere::pairs::{Cells, PairFinder, PairSettings};
//!
//! let centers = [[0.0, 0.0], [1.0, 0.0], [3.0, 0.0], [3.5, 1.0]];
//! let radii = [0.5, 0.5, 1.0, 0.2];
//! let mut finder = Cells::new(PairSettings::default())?;
//! let mut pairs = Vec::new();
//! finder.update((&centers[..], &radii[..]).into())?;
//! finder.pairs(&mut pairs)?;
//! assert_eq!(pairs, [[0, 1], [2, 3]]);
//! # Ok::<(), tangere::Error>(())
//! ```

mod auto;
mod broad_phase;
mod brute;
pub(crate) mod bucket_sort;
mod candidate_test;
mod cell_list;
mod cell_list_pairs;
mod cell_list_query;
mod cells;
mod contact;
mod exclusions;
mod f32_packing;
mod finder;
mod ghost_search;
mod grid_levels;
mod hierarchical_grid;
mod item_bounds;
mod lane_test;
mod linked_cells;
mod method;
mod neighbors;
mod pair_finder;
mod pair_lists;
mod pair_order;
mod pairs_by_item;
mod periodic;
mod scene;
mod search_trait;
mod shells;
mod skin_check;
mod strip_sweep;
mod sweep_and_prune;
mod tree;
mod verlet_list;

pub use broad_phase::{BroadPhase, Dimension, Space};
pub use contact::PairContact;
pub use exclusions::Mask;
pub use finder::Finder;
pub use method::Method;
pub use neighbors::neighbors;
pub use pair_finder::{PairFinder, Uses};
pub use periodic::{Image, Periodic};
pub use scene::{Items, Shapes};
pub use search_trait::Search;
pub use verlet_list::Candidates;

use crate::error::{Argument, Count, Error, Result, number};
use crate::memory;
use crate::settings::builders;

/// Predicts the cost of each method for the items and picks the fastest.
pub type Auto<const D: usize> = Finder<D, auto::AutoSearch<D>>;
/// Brute force: tests every pair.
pub type Brute<const D: usize> = Finder<D, brute::BruteSearch>;
/// Items sorted by their distance from reference points.
pub type Shells<const D: usize> = Finder<D, shells::ShellSearch<D>>;
/// Uniform grid: items sorted into cells as large as the largest item.
pub type Cells<const D: usize> = Finder<D, cells::CellSearch<D>>;
/// Linked cells with header and list arrays, kept for comparison: [`Cells`] is faster.
pub type LinkedCells<const D: usize> = Finder<D, linked_cells::LinkedSearch<D>>;
/// Sweep and prune: interval endpoints kept sorted along every axis.
pub type Sweep<const D: usize> = Finder<D, sweep_and_prune::SweepSearch<D>>;
/// Hierarchical grid: items are stored at the level of their size.
pub type GridPairs<const D: usize> = Finder<D, hierarchical_grid::GridSearch<D>>;
/// Bounding volume hierarchy (BVH) traversed against itself.
pub type TreePairs<const D: usize> = Finder<D, tree::TreeSearch<D>>;

/// The searches of the methods, so that the aliases above can be spelled out.
pub mod searches {
    pub use super::auto::AutoSearch;
    pub use super::brute::BruteSearch;
    pub use super::cells::CellSearch;
    pub use super::hierarchical_grid::GridSearch;
    pub use super::linked_cells::LinkedSearch;
    pub use super::shells::ShellSearch;
    pub use super::sweep_and_prune::SweepSearch;
    pub use super::tree::TreeSearch;
}

/// Settings of all methods.
#[derive(Clone, Copy, Debug)]
pub struct PairSettings<const D: usize> {
    /// The largest gap at which items still form a pair; not negative.
    pub margin: f64,
    /// The periodic cell, if any.
    pub periodic: Option<Periodic<D>>,
    /// Whether all periodic images count. Items may then be of any size: a pair may touch in
    /// several images, and an item its own images ([`PairFinder::contacts`]). Otherwise items
    /// large enough to do so are an error.
    pub every_image: bool,
    /// More pairs than this are an error that reports their number. This bounds memory beyond
    /// that of the items: up to four times as many pairs, or a million, are kept meanwhile.
    pub most: usize,
    /// The method of [`BroadPhase`] and [`Candidates`]; types of one method do not look at it.
    pub method: Method,
    /// The skin of the Verlet list that [`BroadPhase`] keeps, if any; [`Candidates`] always keep one.
    pub skin: Option<f64>,
}

impl<const D: usize> Default for PairSettings<D> {
    fn default() -> Self {
        PairSettings {
            margin: 0.0,
            periodic: None,
            every_image: false,
            most: usize::MAX,
            method: Method::Auto,
            skin: None,
        }
    }
}

builders! {
    PairSettings<D> {
        /// The largest gap at which items still form a pair; not negative.
        with_margin(margin: f64),
        /// The periodic cell, if any.
        with_periodic(periodic: impl Into<Option<Periodic<D>>>),
        /// Whether all periodic images count.
        with_every_image(every_image: bool),
        /// More pairs than this are an error that reports their number.
        with_most(most: usize),
        /// The method of [`BroadPhase`] and [`Candidates`].
        with_method(method: Method),
        /// The skin of a Verlet list, if one is to be kept.
        with_skin(skin: impl Into<Option<f64>>),
    }
}

/// Rejects a margin that is negative or not finite.
fn check_margin(what: Argument, margin: f64) -> Result<()> {
    match margin >= 0.0 && crate::geometry::is_valid_coordinate(margin) {
        true => Ok(()),
        false => {
            let expected = "a finite number that is not negative";
            Err(Error::argument(what, number(margin), expected))
        }
    }
}

/// How many raw pairs (candidates, images, pairs yet to be excluded) are kept when the answer
/// may have `most`.
fn raw_pair_limit(most: usize) -> usize {
    most.saturating_mul(4).max(1 << 20)
}

/// Reserves memory for `more` entries of an answer of `pairs` pairs.
fn reserve<T>(out: &mut Vec<T>, more: usize, pairs: usize) -> Result<()> {
    out.try_reserve(more).map_err(|_| no_memory(pairs))
}

/// The error of running out of memory for `pairs` pairs.
fn no_memory(pairs: usize) -> Error {
    /// Bytes of a pair: in the pair lists, while sorting, and in the answer.
    const BYTES: usize = 24;
    memory::exhausted(Argument::Pairs, Count::Exactly(pairs as u64), BYTES)
}

fn too_many(found: usize, most: usize) -> Error {
    Error::too_many(Argument::Pairs, found, most)
}
