//! AABB tree: one bounding volume hierarchy (BVH) of axis-aligned boxes for all queries.
//!
//! Finds the items near a box, a ray, a point, each other or the items of another tree. A traversal
//! visits every item whose packed box qualifies, and the caller decides in f64: no item is missed,
//! and few false positives are visited. Building takes O(n log n), refitting O(n), a query O(log n
//! + answers) on typical input.
//!
//! Nodes have eight children whose boxes are stored side by side in f32, rounded outward, in
//! coordinates that are finest where most items are (see `packed_frame`). There are no leaf nodes:
//! an item is a child of a node, in one of its eight lanes, so that the boxes of items are also
//! tested eight at a time. A NaN never hides an item: in the box of an item it is rejected, in a
//! query it means unbounded.

mod box_query;
mod branches;
mod build;
mod lane_pairs;
mod motion;
mod nearest;
mod node;
mod normal_slabs;
mod packed_frame;
mod quality;
mod ray_query;
mod refit;
mod renumber;
mod self_pairs;
mod two_tree_pairs;

pub(crate) use branches::Branch;
pub(crate) use normal_slabs::Slabs;
pub use ray_query::Ray;

use node::Node;
use packed_frame::PackedFrame;

/// Bound on the number of levels of nodes of a tree. It is the sum of 24 levels split by the
/// surface area heuristic, at most eleven levels that each divide the number of items by eight,
/// from 2^31 down to 1, and some to spare.
pub(crate) const MAX_HEIGHT: usize = 40;
/// The maximum number of entries on the stack of a depth-first traversal of a tree: at most seven
/// siblings wait on each level.
pub(crate) const STACK: usize = MAX_HEIGHT * (node::WIDTH - 1) + 1;

/// An AABB tree: a bounding volume hierarchy over the boxes of items `0..len`.
///
/// ```
/// use tangere::geometry::Aabb;
/// use tangere::tree::Tree;
///
/// let boxes: Vec<Aabb<2>> = (0..100)
///     .map(|i| Aabb { min: [f64::from(i), 0.0], max: [f64::from(i) + 0.5, 1.0] })
///     .collect();
/// let tree = Tree::of_boxes(&boxes)?;
/// let query = Aabb { min: [10.2, 0.3], max: [12.1, 0.4] };
/// let mut found = Vec::new();
/// tree.overlapping(&query, |i| {
///     if boxes[i as usize].overlaps(&query) {
///         found.push(i);
///     }
/// });
/// found.sort();
/// assert_eq!(found, [10, 11, 12]);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree<const D: usize> {
    nodes: Vec<Node<D>>,
    frame: PackedFrame<D>,
    len: usize,
}

impl<const D: usize> Tree<D> {
    /// The number of items in the AABB tree.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the AABB tree has no items.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}
