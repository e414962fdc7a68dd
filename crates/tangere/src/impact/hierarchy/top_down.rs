//! Top-down construction of a BVH: items are split in two recursively, by a binned surface area
//! heuristic.
//!
//! A range of items is split at one of several planes orthogonal to an axis. For each side of a
//! plane, a measure of the side is multiplied by its number of items, and the plane with the least
//! sum of both products is taken. The measure is the surface area of the box of a side plus a small
//! multiple of its squared diagonal, or for balls the cube of the diagonal. Ranges whose centres
//! are all equal, and ranges at great depth, are halved by number of items. O(n log n) for `n`
//! items.
//!
//! *Deviates:* `omohundro1989` sorts along each axis and minimises the sum of volumes. Bins of
//! fixed width cost less. The numbers of items are included in the sum because otherwise single
//! items are cut off and trees become deep.

use super::normalized_items::Item;
use super::{Node, Volume};
use crate::error::{Error, Result};
use crate::geometry::Aabb;
use crate::stop;

/// Maximum number of bins along an axis, into which the centres of items are sorted before a split.
const BINS: usize = 16;
/// From this depth of the tree on, a range of items is split into halves with equal numbers of
/// items, so that time is bounded on any input.
const HEURISTIC_LEVELS: u32 = 48;
/// Before it splits a range of more items than this, the construction checks whether it is to stop.
const LONG: usize = 1000;

/// Builds the nodes of a binary hierarchy over items top-down; their boxes and balls are fitted
/// later.
pub(super) fn nodes(mut items: Vec<Item>, volume: Volume) -> Result<Vec<Node>> {
    let mut nodes = Vec::with_capacity(2 * items.len() - 1);
    nodes.push(Node::EMPTY);
    let mut open = vec![(0, 0..items.len(), 0)];
    while let Some((index, range, level)) = open.pop() {
        let part = &mut items[range.clone()];
        if let [item] = part {
            nodes[index].first = item.number;
            continue;
        }
        if part.len() > LONG && stop::is_requested() {
            return Err(Error::Stopped);
        }
        let middle = range.start + split(part, volume, level);
        let first = nodes.len();
        nodes[index].first = first as u32;
        nodes[index].count = 2;
        nodes.extend([Node::EMPTY; 2]);
        open.push((first + 1, middle..range.end, level + 1));
        open.push((first, range.start..middle, level + 1));
    }
    Ok(nodes)
}

/// Twice the centre of the box of an item. Top-down construction splits items by it.
#[inline]
fn center(item: &Item) -> [f64; 3] {
    std::array::from_fn(|k| item.bounds.min[k] + item.bounds.max[k])
}

/// The cost per item of a side of a top-down split. For boxes it is half the surface area of the
/// box of the side, plus 1/16 of its squared diagonal, since the area is 0 for a box that is a
/// segment. For balls it is the volume of the ball around the box, up to a constant factor.
#[inline]
fn measure(bounds: &Aabb<3>, volume: Volume) -> f64 {
    let e = bounds.extent();
    let square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    match volume {
        Volume::Box => e[0] * e[1] + e[1] * e[2] + e[2] * e[0] + square / 16.0,
        Volume::Ball => square * square.sqrt(),
    }
}

/// Top-down split of at least two items, the items below a node of depth `level`, into two sides.
/// Moves those on the first side to the front, and returns their number.
fn split(items: &mut [Item], volume: Volume, level: u32) -> usize {
    let centers = Aabb::of_points(items.iter().map(center));
    let extent = centers.extent();
    let widest = (1..3).fold(0, |best, k| if extent[k] > extent[best] { k } else { best });
    if level >= HEURISTIC_LEVELS || extent[widest] == 0.0 {
        return halved(items, widest);
    }
    let bins = match items.len() {
        ..=8 => 4,
        9..=32 => 8,
        _ => BINS,
    };
    let mut best = (f64::INFINITY, 0, 0);
    for axis in 0..3 {
        // The scale is not finite if the extent is 0 or tiny.
        let scale = bins as f64 / extent[axis];
        if !scale.is_finite() {
            continue;
        }
        if let Some((cost, plane)) = best_plane(items, volume, bins, |item| {
            bin(item, axis, centers.min[axis], scale, bins)
        }) && cost < best.0
        {
            best = (cost, axis, plane);
        }
    }
    let (_, axis, plane) = best;
    if plane == 0 {
        return halved(items, widest);
    }
    let scale = bins as f64 / extent[axis];
    partition(items, |item| {
        bin(item, axis, centers.min[axis], scale, bins) < plane
    })
}

/// The index of the bin of an item along an axis, for the binned surface area heuristic of top-down
/// construction. It is `(c - origin) * scale`, rounded down and at most `bins - 1`, where `c` is
/// twice the centre of the box of the item.
#[inline]
fn bin(item: &Item, axis: usize, origin: f64, scale: f64, bins: usize) -> usize {
    let index = (item.bounds.min[axis] + item.bounds.max[axis] - origin) * scale;
    (index as usize).min(bins - 1)
}

/// The least cost of a top-down split between two neighbouring bins, and the index of the first bin
/// of the second side; `None` if all items are in one bin.
fn best_plane(
    items: &[Item],
    volume: Volume,
    bins: usize,
    bin: impl Fn(&Item) -> usize,
) -> Option<(f64, usize)> {
    let mut sides = [(Aabb::EMPTY, 0u32); BINS];
    for item in items {
        let (bounds, count) = &mut sides[bin(item)];
        *bounds = bounds.union(&item.bounds);
        *count += 1;
    }
    let cost = |bounds: &Aabb<3>, count: u32| measure(bounds, volume) * f64::from(count);
    let mut after = [f64::INFINITY; BINS];
    let (mut bounds, mut count) = (Aabb::EMPTY, 0);
    for i in (1..bins).rev() {
        if sides[i].1 > 0 {
            bounds = bounds.union(&sides[i].0);
            count += sides[i].1;
        }
        if count > 0 {
            after[i] = cost(&bounds, count);
        }
    }
    let (mut bounds, mut count) = (Aabb::EMPTY, 0);
    let mut best = None;
    for i in 1..bins {
        if sides[i - 1].1 == 0 {
            continue;
        }
        bounds = bounds.union(&sides[i - 1].0);
        count += sides[i - 1].1;
        let total = cost(&bounds, count) + after[i];
        if total < best.map_or(f64::INFINITY, |(least, _)| least) {
            best = Some((total, i));
        }
    }
    best
}

/// Moves the items on the first side of a top-down split to the front; returns their number.
fn partition(items: &mut [Item], is_first: impl Fn(&Item) -> bool) -> usize {
    let mut count = 0;
    for i in 0..items.len() {
        if is_first(&items[i]) {
            items.swap(count, i);
            count += 1;
        }
    }
    count
}

/// Top-down split of items into two halves, ordered by their centres along an axis, then by item
/// index. Returns the number of items in the first half.
fn halved(items: &mut [Item], axis: usize) -> usize {
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        let order = center(a)[axis].total_cmp(&center(b)[axis]);
        order.then(a.number.cmp(&b.number))
    });
    middle
}
