//! Bottom-up construction of a BVH: the two nodes with the smallest joint ball, or with the joint
//! box of least surface area, are merged, until one is left (`aragon2013`, 3.2; `omohundro1989`).
//!
//! As in the paper, a priority queue holds the best partner of each node. The first node of the
//! queue is merged with its partner; if the partner was merged with another node before, a new
//! partner is searched.
//!
//! A joint volume contains its parts, so it is no better a partner for any other node than its
//! parts were. Hence the best partner of a node does not change until that partner is merged with
//! another node. The key of a node in the queue is its joint size with the best partner at the time
//! of the search: the radius of the ball, or half the surface area of the box, around both. It is
//! then a lower bound of the joint size of the node with any node that is left. So the first node
//! of the queue, if its partner is still unmerged, is in the best pair of all.
//!
//! O(n log n) for `n` faces that are much smaller than the body. Among pairs of equal joint volume
//! the one with the node of least index is merged first, with the partner that its search finds
//! first.
//!
//! *Deviates:*
//! - In place of the paper's online insertion tree there is a balanced tree of groups
//!   ([`partner_search`]), rebuilt whenever half of its nodes have been merged. It finds the same
//!   best pairs.
//! - The paper searches a partner again even if the one found before is still unmerged. Here that
//!   one is taken without a search, since it is still the best.
//! - Boxes are merged by least surface area, not volume, since flat boxes have volume 0. This
//!   mostly leaves less total volume as well. So that lengths matter where surface areas vanish,
//!   boxes are enlarged on every side by `r / ∛n`, where half of the `n` items are within `r` of
//!   their median: about the spacing of `n` items in a cube of the size of the body.

mod joint_volume;
mod partner_search;

use super::normalized_items::NormalizedItems;
use super::{Node, Volume};
use crate::error::{Error, Result};
use crate::geometry::{Aabb, Ball};
use crate::stop;
pub(super) use joint_volume::JointVolume;
use partner_search::PartnerSearch;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Number of partner searches of bottom-up construction between two checks of whether it is to
/// stop.
const LONG: usize = 1000;

/// Builds the nodes of a binary hierarchy over items bottom-up; their boxes and balls are fitted
/// later.
pub(super) fn nodes(frame: &NormalizedItems, volume: Volume) -> Result<Vec<Node>> {
    let items = &frame.items;
    let pairs = match volume {
        Volume::Ball => {
            let balls: Vec<Ball<3>> = items.iter().map(|item| item.ball).collect();
            pairs(&balls)?
        }
        Volume::Box => pairs(&merged_volumes(frame))?,
    };
    let root = items.len() + pairs.len() - 1;
    Ok(laid_out(items.len(), &pairs, root as u32))
}

/// The boxes of all items, enlarged so that lengths matter where surface areas vanish.
pub(super) fn merged_volumes(frame: &NormalizedItems) -> Vec<Aabb<3>> {
    let margin = frame.spread / (frame.items.len() as f64).cbrt();
    let larger = frame.items.iter().map(|item| item.bounds.expanded(margin));
    larger.collect()
}

/// Merges nodes bottom-up and returns the merged pairs in order. For `n` items, `pairs[i]` are the
/// children of inner node `n + i`.
fn pairs<B: JointVolume>(volumes: &[B]) -> Result<Vec<[u32; 2]>> {
    let n = volumes.len();
    let mut search = PartnerSearch::new(volumes, 2 * n - 1);
    // Sizes are not negative, so their bits sort like the floats.
    let entry = |search: &PartnerSearch<B>, name: u32| {
        let (size, other) = search.best(name)?;
        Some(Reverse((size.to_bits(), name, other)))
    };
    let all: Vec<_> = (0..n as u32)
        .into_par_iter()
        .filter_map(|name| entry(&search, name))
        .collect();
    let mut queue = BinaryHeap::from(all);
    let mut pairs = Vec::with_capacity(n - 1);
    let mut is_joined = vec![false; 2 * n - 1];
    let mut searches = 0;
    while let Some(Reverse((_, a, b))) = queue.pop() {
        if is_joined[a as usize] {
            continue;
        }
        let searching = match is_joined[b as usize] {
            true => a,
            false => {
                let name = (n + pairs.len()) as u32;
                search.join(a, b, name);
                pairs.push([a, b]);
                (is_joined[a as usize], is_joined[b as usize]) = (true, true);
                name
            }
        };
        queue.extend(entry(&search, searching));
        searches += 1;
        if searches % LONG == 0 && stop::is_requested() {
            return Err(Error::Stopped);
        }
    }
    Ok(pairs)
}

/// Lays out the nodes of a binary hierarchy built by merging, without volumes, in the order of
/// [`Hierarchy::nodes`](super::Hierarchy::nodes).
///
/// `pairs[i]` are the indices of the children of inner node `n + i`; an index below `n` is an item.
/// `root` is the index of the root.
pub(super) fn laid_out(n: usize, pairs: &[[u32; 2]], root: u32) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(n + pairs.len());
    nodes.push(Node::EMPTY);
    let mut open = vec![(0, root)];
    while let Some((place, name)) = open.pop() {
        let Some(&[a, b]) = (name as usize).checked_sub(n).map(|i| &pairs[i]) else {
            nodes[place].first = name;
            continue;
        };
        let first = nodes.len();
        nodes[place].first = first as u32;
        nodes[place].count = 2;
        nodes.extend([Node::EMPTY; 2]);
        open.extend([(first + 1, b), (first, a)]);
    }
    nodes
}
