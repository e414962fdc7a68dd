//! Online insertion (`omohundro1989`; the tree in which `aragon2013`, 3.2, keeps the nodes of its
//! bottom-up construction): items are inserted one after the other, each where it increases the
//! total volume of all nodes least.
//!
//! An item becomes the sibling of a node: their parent is new, and all ancestors of the node grow to
//! contain the item. The increase is the volume of the new parent and the growth of the ancestors.
//! The search goes from the root down, to the nodes with the least growth of ancestors first. Below a
//! node the increase is at least the growth of the node and of its ancestors, and the volume of the
//! item; the search ends when that is no less than the best increase found.
//!
//! O(n log n) for `n` faces that are much smaller than the body; O(n^2) at worst, where all places
//! are alike. The tree depends on the order of the items. Volumes are nested: that of a node
//! contains those of its children. Among places of equal increase the first found is taken.
//!
//! *Deviates:* the volume of boxes is half their surface area, and boxes are enlarged, as in
//! bottom-up construction.

use super::bottom_up::{JointVolume, laid_out, merged_volumes};
use super::normalized_items::NormalizedItems;
use super::{Node, Volume};
use crate::error::{Error, Result};
use crate::stop;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Number of insertions between two checks of whether the construction is to stop.
const LONG: usize = 100;

/// Builds the nodes of a binary hierarchy over items by online insertion; their boxes and balls are
/// fitted later.
pub(super) fn nodes(frame: &NormalizedItems, volume: Volume) -> Result<Vec<Node>> {
    let (pairs, root) = match volume {
        Volume::Ball => {
            let balls: Vec<_> = frame.items.iter().map(|item| item.ball).collect();
            inserted(&balls)?
        }
        Volume::Box => inserted(&merged_volumes(frame))?,
    };
    Ok(laid_out(frame.items.len(), &pairs, root))
}

/// Inserts all volumes in their order. Returns the children of the inner nodes, of which the first
/// has as many before it as there are volumes, and the root.
fn inserted<B: JointVolume>(volumes: &[B]) -> Result<(Vec<[u32; 2]>, u32)> {
    let mut tree = InsertionTree::new(volumes);
    for item in 1..volumes.len() as u32 {
        let place = tree.best_place(item).1;
        tree.insert(item, place);
        if (item as usize).is_multiple_of(LONG) && stop::is_requested() {
            return Err(Error::Stopped);
        }
    }
    Ok((tree.pairs, tree.root))
}

/// A tree to which items are added, each at its best place.
struct InsertionTree<B> {
    /// The number of items, which are the first nodes.
    items: usize,
    /// The volumes of all items and of the inner nodes so far.
    volumes: Vec<B>,
    /// The children of the inner nodes.
    pairs: Vec<[u32; 2]>,
    /// The parents of all nodes; that of the root is not used.
    parents: Vec<u32>,
    root: u32,
    /// Scratch memory of the search: the growth of a node and its ancestors, as bits, and the node.
    open: BinaryHeap<Reverse<(u64, u32)>>,
}

impl<B: JointVolume> InsertionTree<B> {
    /// The tree of the first item.
    fn new(volumes: &[B]) -> Self {
        let count = volumes.len();
        let mut all = Vec::with_capacity(2 * count - 1);
        all.extend_from_slice(volumes);
        Self {
            items: count,
            volumes: all,
            pairs: Vec::with_capacity(count - 1),
            parents: vec![0; 2 * count - 1],
            root: 0,
            open: BinaryHeap::new(),
        }
    }

    /// The total volume that a node adds: its own.
    fn cost(&self, node: u32) -> f64 {
        self.volumes[node as usize].cost()
    }

    /// The volume of the node around a node and an item.
    fn joint_cost(&self, node: u32, item: u32) -> f64 {
        let [a, b] = [node, item].map(|i| &self.volumes[i as usize]);
        B::cost_of(a.joint_size(b))
    }

    /// The increase of the total volume at the best place for an item, and the node there.
    fn best_place(&mut self, item: u32) -> (f64, u32) {
        let own = self.cost(item);
        let mut best = (self.joint_cost(self.root, item), self.root);
        // Growths are not negative, so their bits sort like the floats.
        let grown = best.0 - self.cost(self.root);
        self.open.clear();
        self.open.push(Reverse((grown.to_bits(), self.root)));
        while let Some(Reverse((bits, node))) = self.open.pop() {
            let growth = f64::from_bits(bits);
            if growth + own >= best.0 {
                break;
            }
            let Some(inner) = (node as usize).checked_sub(self.items) else {
                continue;
            };
            for child in self.pairs[inner] {
                let joint = self.joint_cost(child, item);
                if growth + joint < best.0 {
                    best = (growth + joint, child);
                }
                let below = growth + (joint - self.cost(child));
                if below + own < best.0 {
                    self.open.push(Reverse((below.to_bits(), child)));
                }
            }
        }
        best
    }

    /// Inserts an item as the sibling of a node.
    fn insert(&mut self, item: u32, place: u32) {
        let name = (self.items + self.pairs.len()) as u32;
        let volume = self.volumes[item as usize];
        let parent = self.parents[place as usize];
        self.volumes
            .push(self.volumes[place as usize].joint(&volume));
        self.pairs.push([place, item]);
        self.parents[place as usize] = name;
        self.parents[item as usize] = name;
        if place == self.root {
            self.root = name;
            return;
        }
        self.parents[name as usize] = parent;
        let children = &mut self.pairs[parent as usize - self.items];
        children[usize::from(children[1] == place)] = name;
        let mut ancestor = parent;
        loop {
            let grown = self.volumes[ancestor as usize].joint(&volume);
            self.volumes[ancestor as usize] = grown;
            if ancestor == self.root {
                return;
            }
            ancestor = self.parents[ancestor as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::geometry::{Aabb, Ball};

    /// The increase of the total volume if an item becomes the sibling of a node, by its definition.
    fn increase<B: JointVolume>(tree: &InsertionTree<B>, item: u32, place: u32) -> f64 {
        let mut sum = tree.joint_cost(place, item);
        let mut node = place;
        while node != tree.root {
            node = tree.parents[node as usize];
            sum += tree.joint_cost(node, item) - tree.cost(node);
        }
        sum
    }

    fn check<B: JointVolume>(volumes: &[B]) {
        let mut tree = InsertionTree::new(volumes);
        for item in 1..volumes.len() as u32 {
            let (found, place) = tree.best_place(item);
            let inner = volumes.len()..volumes.len() + tree.pairs.len();
            let all = (0..item).chain(inner.map(|node| node as u32));
            let least = all.map(|node| increase(&tree, item, node));
            let least = least.fold(f64::INFINITY, f64::min);
            let close = 1e-12 * (least + tree.cost(tree.root));
            assert!((found - least).abs() <= close, "{item}: {found} {least}");
            assert!((increase(&tree, item, place) - least).abs() <= close);
            tree.insert(item, place);
        }
    }

    #[test]
    fn every_place_is_the_best_of_all() {
        for seed in 0..6 {
            let mut random = Random::new(seed);
            let mut number = || match seed % 2 {
                0 => random.unit(),
                // A lattice has many ties.
                _ => (4.0 * random.unit()).floor(),
            };
            let balls: Vec<Ball<3>> = (0..80)
                .map(|_| Ball {
                    center: [number(), number(), number()],
                    radius: 0.1 * number(),
                })
                .collect();
            check(&balls);
            let boxes: Vec<Aabb<3>> = (0..80)
                .map(|_| Aabb::of_points([0, 1].map(|_| [number(), number(), number()])))
                .collect();
            check(&boxes);
        }
    }
}
