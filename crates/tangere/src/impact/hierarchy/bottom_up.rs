//! Bottom-up construction: the two volumes whose joint volume is least are joined again and again
//! (`aragon2013`, 3.2; Omohundro, Five balltree construction algorithms, 1989).

use super::frame::Item;
use super::{Node, Volume, laid_out};
use crate::geometry::{Aabb, Ball};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is joined.
trait Bound: Copy {
    /// Grows with the joint volume.
    fn joint_size(&self, other: &Self) -> f64;
    fn joint(&self, other: &Self) -> Self;
}

impl Bound for Aabb<3> {
    fn joint_size(&self, other: &Self) -> f64 {
        let e = self.union(other).extent();
        e[0] * e[1] * e[2]
    }

    fn joint(&self, other: &Self) -> Self {
        self.union(other)
    }
}

impl Bound for Ball<3> {
    fn joint_size(&self, other: &Self) -> f64 {
        let d: [f64; 3] = std::array::from_fn(|k| self.center[k] - other.center[k]);
        let apart = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
        let across = 0.5 * (apart + self.radius + other.radius);
        across.max(self.radius).max(other.radius)
    }

    fn joint(&self, other: &Self) -> Self {
        self.union(other)
    }
}

/// The nodes over items, not yet bounded.
pub(super) fn nodes(items: Vec<Item>, volume: Volume) -> Vec<Node> {
    let boxes = items.iter().map(|item| item.bounds);
    let pairs = match volume {
        Volume::Box => {
            let mean = boxes
                .clone()
                .map(|b| b.extent().iter().sum::<f64>())
                .sum::<f64>()
                / (3 * items.len()) as f64;
            let margin = if mean > 0.0 { mean / 1024.0 } else { 1.0 };
            pairs(boxes.map(|b| b.expanded(margin)).collect())
        }
        Volume::Ball => pairs(
            boxes
                .map(|b| Ball::about(b.center(), &[b.min, b.max]))
                .collect(),
        ),
    };
    laid_out(items.len(), &pairs)
}

/// Who joins whom, in order: inner node `n + i` has the children `pairs[i]`.
fn pairs<B: Bound>(mut bounds: Vec<B>) -> Vec<[u32; 2]> {
    let n = bounds.len();
    let mut lives = vec![true; n];
    let best = |bounds: &[B], lives: &[bool], i: usize| {
        let mut best = (f64::INFINITY, usize::MAX);
        for j in (0..bounds.len()).filter(|&j| lives[j] && j != i) {
            let size = bounds[i].joint_size(&bounds[j]);
            if size < best.0 {
                best = (size, j);
            }
        }
        Reverse((best.0.to_bits(), i, best.1))
    };
    let mut queue: BinaryHeap<_> = (0..n).map(|i| best(&bounds, &lives, i)).collect();
    let mut pairs = Vec::with_capacity(n - 1);
    while pairs.len() < n - 1 {
        let Some(Reverse((_, a, b))) = queue.pop() else {
            break;
        };
        if !lives[a] {
            continue;
        }
        if !lives[b] {
            queue.push(best(&bounds, &lives, a));
            continue;
        }
        pairs.push([a as u32, b as u32]);
        (lives[a], lives[b]) = (false, false);
        bounds.push(bounds[a].joint(&bounds[b]));
        lives.push(true);
        queue.push(best(&bounds, &lives, bounds.len() - 1));
    }
    pairs
}
