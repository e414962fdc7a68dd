//! Bounding volume hierarchy (BVH): one tree of AABBs for all queries.
//!
//! Finds the items near a box, a ray, a point, each other or the items of another tree. A traversal
//! visits every item whose packed box qualifies, and the caller decides in f64: no item is missed,
//! and few false positives are visited. Building takes O(n log n), refitting O(n), a query O(log n
//! + answers) on typical input.
//!
//! Nodes have eight children whose boxes are stored side by side in f32, rounded outward, in
//! coordinates that are finest where most items are (see `packed_frame`). Items are lanes of nodes
//! themselves, so that their own boxes are also tested eight at a time. A NaN never hides an item:
//! in the box of an item it is rejected, in a query it means unbounded.

mod box_query;
mod branches;
mod build;
mod lane_pairs;
mod motion;
mod nearest;
mod nearest_pairs;
mod node;
mod normal_slabs;
mod packed_frame;
mod quality;
mod ray_query;
mod refit;
mod self_pairs;
mod two_tree_pairs;

pub(crate) use branches::Branch;
pub(crate) use normal_slabs::Slabs;
pub use ray_query::Ray;

use crate::error::{Argument, Error, Result};
use crate::geometry::Aabb;
use crate::shape::{Spheres, TriMesh};
use node::{Child, Node};
use packed_frame::PackedFrame;
use rayon::prelude::*;

/// The most levels of nodes of a tree: 24 levels split by the surface area heuristic, then at most
/// eleven levels of eighths, until 2^31 items are single.
pub(crate) const MAX_HEIGHT: usize = 40;
/// The stack size of a depth-first traversal: the siblings on each level.
pub(crate) const STACK: usize = MAX_HEIGHT * (node::WIDTH - 1) + 1;

/// A bounding volume hierarchy over the boxes of items `0..len`.
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
    /// The tree over the given boxes.
    pub fn of_boxes(boxes: &[Aabb<D>]) -> Result<Self> {
        Self::new(boxes.len(), |i| boxes[i])
    }

    /// The tree over discs or spheres. Their boxes are rounded outward, so that the boxes of
    /// touching spheres always overlap.
    ///
    /// ```
    /// use tangere::shape::Spheres;
    /// use tangere::tree::Tree;
    ///
    /// let centers = vec![[0.0, 0.0], [1.0, 0.0], [5.0, 0.0]];
    /// let discs = Spheres::new(centers, vec![0.5; 3])?;
    /// let mut pairs = Vec::new();
    /// Tree::of_spheres(&discs)?.self_pairs(|a, b| pairs.push((a.min(b), a.max(b))));
    /// assert_eq!(pairs, [(0, 1)]);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    ///
    /// # Errors
    /// When there are more spheres than a tree can number, about 2^31.
    pub fn of_spheres(spheres: &Spheres<D>) -> Result<Self> {
        Self::new(spheres.len(), |i| spheres.bounds(i))
    }

    /// The tree over `len` items with boxes `bounds(0)`, `bounds(1)`, ...
    ///
    /// A box that is not finite or has `min > max` is an error.
    pub fn new(len: usize, bounds: impl Fn(usize) -> Aabb<D> + Sync) -> Result<Self> {
        const { assert!(D == 2 || D == 3, "trees have two or three dimensions") };
        if len > Child::LIMIT {
            return Err(Error::too_many(Argument::Items, len, Child::LIMIT));
        }
        let frame = fitted_frame(len, &bounds)?;
        let mut items: Vec<build::Reference> = (0..len)
            .into_par_iter()
            .with_min_len(1 << 12)
            .map(|i| build::Reference::new(i as u32, &frame.pack(&bounds(i))))
            .collect();
        let mut scratch = items.clone();
        let mut nodes = Vec::with_capacity(len / 4 + 1);
        build::build(&mut items, &mut scratch, &mut nodes);
        Ok(Tree { nodes, frame, len })
    }

    /// Renumbers the items in the order of the nodes, so that neighbours in the tree are neighbours
    /// in memory. Returns the old index of each item.
    pub(crate) fn renumbered(&mut self) -> Vec<u32> {
        let mut old = Vec::with_capacity(self.len);
        for child in self.nodes.iter_mut().flat_map(|node| &mut node.children) {
            if child.is_item() && *child != Child::NONE {
                let number = old.len() as u32;
                old.push(child.index());
                *child = Child::item(number);
            }
        }
        old
    }

    /// The number of items in the tree.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the tree has no items.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Tree<3> {
    /// The tree over the triangles of a surface.
    pub fn of_mesh(mesh: &TriMesh) -> Self {
        let (vertices, faces) = (mesh.vertices(), mesh.faces());
        let bounds = |i: usize| Aabb::of_points(faces[i].map(|v| vertices[v as usize]));
        Self::new(faces.len(), bounds).expect("a mesh has finite vertices and few enough triangles")
    }
}

/// The packed frame of the tree over all items, whose boxes are validated on the way.
fn fitted_frame<const D: usize>(
    len: usize,
    bounds: &(impl Fn(usize) -> Aabb<D> + Sync),
) -> Result<PackedFrame<D>> {
    let all = checked_bounds(len, bounds)?;
    // The median of a few items: the centre of the bounding box would follow any outlier.
    const SAMPLES: usize = 255;
    let step = len.div_ceil(SAMPLES).max(1);
    let mut sample = [0.0; SAMPLES];
    let center = std::array::from_fn(|k| {
        let mut count = 0;
        for (i, middle) in (0..len).step_by(step).zip(&mut sample) {
            *middle = bounds(i).center()[k];
            count += 1;
        }
        match sample[..count].len() {
            0 => 0.0,
            n => *sample[..n].select_nth_unstable_by(n / 2, f64::total_cmp).1,
        }
    });
    Ok(PackedFrame::new(&all, center))
}

/// The bounding box of all items, whose boxes are validated on the way.
fn checked_bounds<const D: usize>(
    len: usize,
    bounds: &(impl Fn(usize) -> Aabb<D> + Sync),
) -> Result<Aabb<D>> {
    let valid = |b: &Aabb<D>| {
        (0..D).all(|k| b.min[k] >= -f64::MAX && b.min[k] <= b.max[k] && b.max[k] <= f64::MAX)
    };
    const CHUNK: usize = 1 << 12;
    // Reduced, not collected: refitting a tree allocates nothing.
    let (all, invalid) = (0..len.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut union = Aabb::EMPTY;
            let mut all_valid = true;
            let mut range = chunk * CHUNK..((chunk + 1) * CHUNK).min(len);
            for i in range.clone() {
                let b = bounds(i);
                all_valid &= valid(&b);
                union = union.union(&b);
            }
            let invalid = match all_valid {
                true => None,
                false => range.find(|&i| !valid(&bounds(i))),
            };
            (union, invalid)
        })
        .reduce(
            || (Aabb::EMPTY, None),
            |(union, invalid), (other, later)| (union.union(&other), invalid.or(later)),
        );
    match invalid {
        None => Ok(all),
        Some(i) => Err(Error::item(
            Argument::Box,
            i,
            format!("{:?}", bounds(i)),
            "finite corners with min <= max",
        )),
    }
}
