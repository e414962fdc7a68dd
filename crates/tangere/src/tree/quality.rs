//! Quality of an AABB tree: number of nodes, memory, height and SAH cost.

use super::Tree;
use super::node::Child;
use super::packed_frame::PackedBox;

impl<const D: usize> Tree<D> {
    /// Tree quality: the number of nodes of the AABB tree.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Tree quality: the memory of the AABB tree's nodes in bytes.
    pub fn bytes(&self) -> usize {
        std::mem::size_of_val(self.nodes.as_slice())
    }

    /// Tree quality: the height of the AABB tree, its number of levels of nodes.
    pub fn height(&self) -> usize {
        let mut heights = vec![0; self.nodes.len()];
        for (n, node) in self.nodes.iter().enumerate().rev() {
            let below = |child: &Child| match child.is_item() {
                true => 0,
                false => heights[child.index() as usize],
            };
            heights[n] = 1 + node.children.iter().map(below).max().unwrap_or(0);
        }
        heights.first().copied().unwrap_or(0)
    }

    /// Tree quality: the cost of the AABB tree by the surface area heuristic (SAH). It is the sum
    /// of the surface areas of the boxes of all nodes, divided by that of the root. This is the
    /// expected number of nodes whose boxes a random line through the box of the root intersects.
    /// It grows as moving items degrade the tree.
    pub fn cost(&self) -> f64 {
        let half_area = |b: PackedBox<D>| {
            let e: [f64; D] = std::array::from_fn(|k| f64::from(b.hi[k]) - f64::from(b.lo[k]));
            if D == 3 {
                e[0] * e[1] + e[1] * e[2] + e[2] * e[0]
            } else {
                e.iter().sum()
            }
        };
        let areas = self.nodes.iter().map(|node| half_area(node.bounds()));
        let total: f64 = areas.clone().sum();
        match areas.into_iter().next() {
            Some(root) if root > 0.0 => total / root,
            _ => self.nodes.len() as f64,
        }
    }
}
