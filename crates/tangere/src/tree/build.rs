//! Build of the AABB tree: binned surface area heuristic (SAH), top down, eight children at a time.
//!
//! O(n log n). A range of items is split in two at the best of fifteen planes across the longest
//! axis of the box of their centres. A node splits the child with the largest surface until there
//! are eight children or no child has more than eight items. Subtrees are built in parallel; every
//! split depends on its range alone, so the tree is the same for any number of threads.

use super::Tree;
use super::node::{Child, Node, WIDTH};
use super::packed_frame::{PackedBox, fitted_frame};
use crate::error::{Argument, Error, Result};
use crate::geometry::Aabb;
use crate::shape::{Spheres, TriMesh};
use rayon::prelude::*;

/// The number of bins of the surface area heuristic of the tree build. The planes between
/// neighbouring bins are tried as splits. More bins cost time and gain less than a percent.
const BINS: usize = 16;
/// If a subtree of the AABB tree has at least this number of items, the build makes it a parallel
/// task of its own.
const TASK: usize = 1 << 14;
/// The number of levels of the tree that are split by the surface area heuristic. Below, ranges of
/// items are split at the median, so that no input, however lopsided, makes the tree deeper than
/// [`super::MAX_HEIGHT`].
const HEURISTIC_LEVELS: usize = 24;

impl<const D: usize> Tree<D> {
    /// Builds the AABB tree over the given boxes.
    pub fn of_boxes(boxes: &[Aabb<D>]) -> Result<Self> {
        Self::new(boxes.len(), |i| boxes[i])
    }

    /// Builds the AABB tree over discs or spheres. Their boxes are rounded outward, so that the
    /// boxes of touching spheres always overlap.
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

    /// Builds the AABB tree over `len` items with boxes `bounds(0)`, `bounds(1)`, ...
    ///
    /// A box that is not finite or has `min > max` is an error.
    pub fn new(len: usize, bounds: impl Fn(usize) -> Aabb<D> + Sync) -> Result<Self> {
        const { assert!(D == 2 || D == 3, "trees have two or three dimensions") };
        if len > Child::LIMIT {
            return Err(Error::too_many(Argument::Items, len, Child::LIMIT));
        }
        let frame = fitted_frame(len, &bounds)?;
        let mut items: Vec<Reference> = (0..len)
            .into_par_iter()
            .with_min_len(1 << 12)
            .map(|i| Reference::new(i as u32, &frame.pack(&bounds(i))))
            .collect();
        let mut scratch = items.clone();
        let mut nodes = Vec::with_capacity(len / 4 + 1);
        build(&mut items, &mut scratch, &mut nodes);
        Ok(Tree { nodes, frame, len })
    }
}

impl Tree<3> {
    /// Builds the AABB tree over the triangles of a surface.
    pub fn of_mesh(mesh: &TriMesh) -> Self {
        let (vertices, faces) = (mesh.vertices(), mesh.faces());
        let bounds = |i: usize| Aabb::of_points(faces[i].map(|v| vertices[v as usize]));
        Self::new(faces.len(), bounds).expect("a mesh has finite vertices and few enough triangles")
    }
}

/// An item during the build of the tree. Boxes have four lanes so that a minimum or maximum is one
/// instruction. The fourth lanes hold the item's index, as the fraction bits of floats with the
/// exponent of 1.0: the index alone would be the bits of a subnormal number, with which arithmetic
/// is a hundred times slower.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct Reference {
    lo: [f32; 4],
    hi: [f32; 4],
}

const ONE: u32 = 1.0f32.to_bits();
const FRACTION_BITS: u32 = f32::MANTISSA_DIGITS - 1;
const FRACTION: u32 = (1 << FRACTION_BITS) - 1;

impl Reference {
    /// Returns the record of item `id` with its packed box, for the tree build.
    fn new<const D: usize>(id: u32, bounds: &PackedBox<D>) -> Self {
        let mut reference = Reference {
            lo: [0.0; 4],
            hi: [0.0; 4],
        };
        reference.lo[..D].copy_from_slice(&bounds.lo);
        reference.hi[..D].copy_from_slice(&bounds.hi);
        reference.lo[3] = f32::from_bits(ONE | id & FRACTION);
        reference.hi[3] = f32::from_bits(ONE | id >> FRACTION_BITS);
        reference
    }

    /// The index of the item of this record of the tree build.
    fn id(&self) -> u32 {
        self.lo[3].to_bits() & FRACTION | (self.hi[3].to_bits() & FRACTION) << FRACTION_BITS
    }

    /// Twice the centre of an item's box, by which the tree build splits ranges.
    #[inline(always)]
    fn center(&self) -> [f32; 4] {
        std::array::from_fn(|k| self.lo[k] + self.hi[k])
    }
}

/// The minimum of two box corners of the tree build in each of four lanes.
#[inline(always)]
fn min4(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|k| if a[k] < b[k] { a[k] } else { b[k] })
}

/// The maximum of two box corners of the tree build in each of four lanes.
#[inline(always)]
fn max4(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|k| if a[k] > b[k] { a[k] } else { b[k] })
}

/// A box with four lanes for each corner, during the build of the tree.
#[derive(Clone, Copy)]
struct Box4 {
    lo: [f32; 4],
    hi: [f32; 4],
}

impl Box4 {
    const EMPTY: Self = Box4 {
        lo: [f32::INFINITY; 4],
        hi: [f32::NEG_INFINITY; 4],
    };

    /// Extends a box of the tree build so that it contains the box from `lo` to `hi`.
    #[inline(always)]
    fn include(&mut self, lo: [f32; 4], hi: [f32; 4]) {
        self.lo = min4(lo, self.lo);
        self.hi = max4(hi, self.hi);
    }

    /// Half the surface of a box, for the surface area heuristic of the tree build (in two
    /// dimensions, half the circumference).
    #[inline(always)]
    fn half_area<const D: usize>(&self) -> f32 {
        let e: [f32; 4] = std::array::from_fn(|k| self.hi[k] - self.lo[k]);
        if D == 3 {
            e[0] * e[1] + e[1] * e[2] + e[2] * e[0]
        } else {
            e[..D].iter().sum()
        }
    }
}

/// A range of items of the tree build that becomes one child of a node. `bounds` is the box around
/// them, and `scratch` is memory of the same length as `items`.
struct Range<'a> {
    items: &'a mut [Reference],
    scratch: &'a mut [Reference],
    bounds: Box4,
}

/// Builds the nodes of the AABB tree over items: the root first, every node before its descendants.
/// `scratch` must be as long as `items`.
fn build<const D: usize>(
    items: &mut [Reference],
    scratch: &mut [Reference],
    nodes: &mut Vec<Node<D>>,
) {
    if items.is_empty() {
        return;
    }
    let mut bounds = Box4::EMPTY;
    for item in items.iter() {
        bounds.include(item.lo, item.hi);
    }
    subtree(
        Range {
            items,
            scratch,
            bounds,
        },
        0,
        nodes,
    );
}

/// Builds the subtree of the AABB tree over a range of items and appends it to `nodes`, its root
/// first.
fn subtree<const D: usize>(range: Range<'_>, level: usize, nodes: &mut Vec<Node<D>>) {
    let root = nodes.len();
    nodes.push(Node::EMPTY);
    if range.items.len() <= WIDTH {
        for (lane, item) in range.items.iter().enumerate() {
            nodes[root].set(lane, &packed(item.lo, item.hi));
            nodes[root].children[lane] = Child::item(item.id());
        }
        return;
    }
    let children = children::<D>(range, level);
    for (lane, child) in children.iter().enumerate() {
        nodes[root].set(lane, &packed(child.bounds.lo, child.bounds.hi));
    }
    let mut tasks = Vec::new();
    for (lane, child) in children.into_iter().enumerate() {
        if child.items.len() == 1 {
            nodes[root].children[lane] = Child::item(child.items[0].id());
        } else if child.items.len() < TASK {
            nodes[root].children[lane] = Child::node(nodes.len());
            subtree(child, level + 1, nodes);
        } else {
            tasks.push((lane, child));
        }
    }
    if rayon::current_num_threads() == 1 {
        for (lane, child) in tasks {
            nodes[root].children[lane] = Child::node(nodes.len());
            subtree(child, level + 1, nodes);
        }
        return;
    }
    let subtrees: Vec<(usize, Vec<Node<D>>)> = tasks
        .into_par_iter()
        .map(|(lane, child)| {
            let mut nodes = Vec::with_capacity(child.items.len() / 4);
            subtree(child, level + 1, &mut nodes);
            (lane, nodes)
        })
        .collect();
    for (lane, subtree) in subtrees {
        let offset = nodes.len();
        nodes[root].children[lane] = Child::node(offset);
        nodes.extend(subtree.into_iter().map(|mut node| {
            for child in &mut node.children {
                child.shift(offset);
            }
            node
        }));
    }
}

/// The packed box with the corners `lo` and `hi` of the tree build: their first `D` lanes.
fn packed<const D: usize>(lo: [f32; 4], hi: [f32; 4]) -> PackedBox<D> {
    PackedBox {
        lo: std::array::from_fn(|k| lo[k]),
        hi: std::array::from_fn(|k| hi[k]),
    }
}

/// Splits a range of items into the children of one node, during the tree build.
fn children<const D: usize>(range: Range<'_>, level: usize) -> Vec<Range<'_>> {
    let mut children = Vec::with_capacity(WIDTH);
    children.push(range);
    while children.len() < WIDTH {
        // Deep in the tree the count decides, so that every child has at most an eighth.
        let weight = |child: &Range<'_>| {
            let area = if level < HEURISTIC_LEVELS {
                child.bounds.half_area::<D>()
            } else {
                0.0
            };
            (area, child.items.len())
        };
        let mut largest = None;
        for (i, child) in children.iter().enumerate() {
            if child.items.len() > WIDTH && largest.is_none_or(|(_, most)| weight(child) > most) {
                largest = Some((i, weight(child)));
            }
        }
        let Some((i, _)) = largest else { break };
        let (left, right) = split::<D>(children.swap_remove(i), level);
        children.push(left);
        children.push(right);
    }
    children
}

/// The bin of the tree build for the scaled centre `x` of an item: the integer nearest to `x`,
/// which is from 0 to 2^22. Floats from 2^23 on are integers, so after 2^23 is added, the last bits
/// of the float are that integer. This is much cheaper than a checked cast.
#[inline(always)]
fn nearest_integer(x: f32) -> usize {
    ((x + 8_388_608.0).to_bits() & FRACTION) as usize
}

/// Splits a range of at least two items into two nonempty ones, by the surface area heuristic of
/// the tree build.
fn split<const D: usize>(range: Range<'_>, level: usize) -> (Range<'_>, Range<'_>) {
    let mut centers = Box4::EMPTY;
    for item in range.items.iter() {
        let center = item.center();
        centers.include(center, center);
    }
    let extent = |k: usize| centers.hi[k] - centers.lo[k];
    let axis = (1..D).fold(0, |best, k| if extent(k) > extent(best) { k } else { best });
    let scale = (BINS - 1) as f32 / extent(axis);
    // Not finite when the centres coincide or are so close that the inverse overflows.
    if level >= HEURISTIC_LEVELS || !scale.is_finite() {
        return halve(range, axis);
    }
    let origin = centers.lo[axis];
    let bin_of =
        |item: &Reference| nearest_integer((item.lo[axis] + item.hi[axis] - origin) * scale) % BINS;

    let mut bins = [(Box4::EMPTY, 0u32); BINS];
    for item in range.items.iter() {
        let (bounds, count) = &mut bins[bin_of(item)];
        bounds.include(item.lo, item.hi);
        *count += 1;
    }

    // The cost of a side is its surface times the nodes it needs.
    let cost =
        |bounds: &Box4, count: u32| bounds.half_area::<D>() * count.div_ceil(WIDTH as u32) as f32;
    let mut right_costs = [0.0; BINS];
    let (mut bounds, mut count) = (Box4::EMPTY, 0);
    for i in (1..BINS).rev() {
        bounds.include(bins[i].0.lo, bins[i].0.hi);
        count += bins[i].1;
        right_costs[i] = if count == 0 {
            f32::INFINITY
        } else {
            cost(&bounds, count)
        };
    }
    let (mut bounds, mut count) = (Box4::EMPTY, 0);
    let mut best = (f32::INFINITY, 0, Box4::EMPTY, 0);
    for i in 1..BINS {
        bounds.include(bins[i - 1].0.lo, bins[i - 1].0.hi);
        count += bins[i - 1].1;
        let total = cost(&bounds, count) + right_costs[i];
        if count > 0 && total < best.0 {
            best = (total, i, bounds, count as usize);
        }
    }
    let (_, plane, left_bounds, left_count) = best;
    if plane == 0 {
        return halve(range, axis);
    }
    let mut right_bounds = Box4::EMPTY;
    for (bounds, _) in &bins[plane..] {
        right_bounds.include(bounds.lo, bounds.hi);
    }

    let Range { items, scratch, .. } = range;
    let (mut left, mut right) = (0, left_count);
    for item in items.iter() {
        let goes_left = bin_of(item) < plane;
        let to = if goes_left { left } else { right };
        scratch[to] = *item;
        left += usize::from(goes_left);
        right += usize::from(!goes_left);
    }
    parts(scratch, items, left_count, left_bounds, right_bounds)
}

/// Splits a range of items of the tree build at the median of their centres along an axis.
fn halve(range: Range<'_>, axis: usize) -> (Range<'_>, Range<'_>) {
    let Range { items, scratch, .. } = range;
    let middle = items.len() / 2;
    // Ids break ties, so that the halves are deterministic.
    let key = |item: &Reference| (item.lo[axis] + item.hi[axis], item.id());
    items.select_nth_unstable_by(middle, |a, b| {
        let ((a, i), (b, j)) = (key(a), key(b));
        a.total_cmp(&b).then(i.cmp(&j))
    });
    let bounds = |items: &[Reference]| {
        let mut bounds = Box4::EMPTY;
        items
            .iter()
            .for_each(|item| bounds.include(item.lo, item.hi));
        bounds
    };
    let (left, right) = (bounds(&items[..middle]), bounds(&items[middle..]));
    parts(items, scratch, middle, left, right)
}

/// Divides the items of the tree build into two ranges, those before index `at` and those from it
/// on, with the boxes `left` and `right`.
fn parts<'a>(
    items: &'a mut [Reference],
    scratch: &'a mut [Reference],
    at: usize,
    left: Box4,
    right: Box4,
) -> (Range<'a>, Range<'a>) {
    let (left_items, right_items) = items.split_at_mut(at);
    let (left_scratch, right_scratch) = scratch.split_at_mut(at);
    (
        Range {
            items: left_items,
            scratch: left_scratch,
            bounds: left,
        },
        Range {
            items: right_items,
            scratch: right_scratch,
            bounds: right,
        },
    )
}
