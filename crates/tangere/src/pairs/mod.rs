//! Broad phase: the pairs of spheres or boxes that touch, among many.
//!
//! A method is a [`Finder`] around its own [`Search`]. All return the same pairs as [`Brute`],
//! which tests every item against every other:
//!
//! | method | cost of `n` items | good for |
//! |---|---|---|
//! | [`Brute`] | n^2 | few items; the oracle |
//! | [`Shells`] (sorted distances) | n in 2D, n^(4/3) in 3D | up to some ten thousand items |
//! | [`Cells`] (uniform grid) | n | similar sizes |
//! | [`Sweep`] (sweep and prune) | n + swaps | items that hardly move between updates |
//! | [`GridPairs`] (hierarchical grid) | n | widely different sizes |
//! | [`TreePairs`] (BVH) | n log n | any sizes and shapes |
//! | [`LinkedCells`] (as published) | n | checking a paper, teaching |
//! | [`PublishedShells`] (as published) | n^(3/2) in 2D, n^(5/3) in 3D | checking a paper, teaching |
//!
//! Spheres touch when `dx*dx + dy*dy + dz*dz <= (ri + rj)*(ri + rj)`, evaluated in this order and
//! without fused multiply-add. Boxes touch when their closed intervals overlap on every axis. With
//! a margin, spheres form a pair up to a distance of `ri + rj + margin` of their centres, boxes up
//! to a gap of `margin` along each axis. In a [`Periodic`] space the differences are `(x_b - x_a) +
//! shift`, with the shift of the periodic image.
//!
//! Pairs are sorted, the lower item comes first, and each pair is listed once. The result does not
//! depend on the method, the number of threads or the machine.
//!
//! Items that move little need no search at every step: [`Candidates`] is a Verlet list with a skin
//! on top of any method, and finds the same pairs.
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
mod candidate_list;
mod cell_list;
mod cell_list_pairs;
mod cell_list_query;
mod exclusions;
mod f32_packing;
mod ghost_search;
mod grid_levels;
mod hierarchical_grid;
mod item_bounds;
mod lane_test;
mod method;
mod neighbors;
mod pair_contact;
mod pair_finder;
mod pair_limit;
mod pair_lists;
mod pair_order;
mod pair_search;
mod pair_settings;
mod pairs_by_item;
mod periodic_cell;
mod periodic_images;
mod published;
mod scene;
mod shared_finder;
mod shells;
mod skin_check;
mod spilled_pairs;
mod strip_sweep;
mod sweep_and_prune;
mod tree_search;
mod uniform_grid;
mod validated_copy;
mod verlet_list;

pub use broad_phase::{BroadPhase, Dimension, Space};
pub use exclusions::Mask;
pub use method::Method;
pub use neighbors::neighbors;
pub use pair_contact::PairContact;
pub use pair_finder::{PairFinder, Uses};
pub use pair_search::Search;
pub use pair_settings::PairSettings;
pub use periodic_cell::{Image, Periodic};
pub use scene::{Items, Shapes};
pub use shared_finder::Finder;
pub use verlet_list::Candidates;

/// The automatic choice: predicts the cost of each method for the items and runs the fastest.
pub type Auto<const D: usize> = Finder<D, auto::AutoSearch<D>>;
/// Brute force: tests every pair.
pub type Brute<const D: usize> = Finder<D, brute::BruteSearch>;
/// Sorted distances: items sorted by their distance from reference points.
pub type Shells<const D: usize> = Finder<D, shells::ShellSearch<D>>;
/// Uniform grid: items sorted into cells as large as the largest item.
pub type Cells<const D: usize> = Finder<D, uniform_grid::CellSearch<D>>;
/// Linked cells with header and list arrays, as published: [`Cells`] is faster.
pub type LinkedCells<const D: usize> = Finder<D, published::linked_cells::LinkedSearch<D>>;
/// Sorted distances from one reference point, as published: [`Shells`] are faster.
pub type PublishedShells<const D: usize> =
    Finder<D, published::sorted_distances::SortedDistances<D>>;
/// Sweep and prune: interval endpoints kept sorted along every axis.
pub type Sweep<const D: usize> = Finder<D, sweep_and_prune::SweepSearch<D>>;
/// Hierarchical grid: items are stored at the level of their size.
pub type GridPairs<const D: usize> = Finder<D, hierarchical_grid::GridSearch<D>>;
/// Bounding volume hierarchy (BVH) traversed against itself.
pub type TreePairs<const D: usize> = Finder<D, tree_search::TreeSearch<D>>;

/// The [`Search`] types of all methods, so that the type aliases above can be written out.
pub mod searches {
    pub use super::auto::AutoSearch;
    pub use super::brute::BruteSearch;
    pub use super::hierarchical_grid::GridSearch;
    pub use super::published::linked_cells::LinkedSearch;
    pub use super::published::sorted_distances::SortedDistances;
    pub use super::shells::ShellSearch;
    pub use super::sweep_and_prune::SweepSearch;
    pub use super::tree_search::TreeSearch;
    pub use super::uniform_grid::CellSearch;
}
