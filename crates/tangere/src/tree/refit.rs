//! Refit of the AABB tree: new boxes of moved items, with the nodes of the old tree.
//!
//! O(n). Nodes are stored before their descendants, so a backward pass visits every child before
//! its parent. Queries stay complete however far items move; the tree loses quality as neighbours
//! separate, which [`Tree::cost`] shows.

use super::Tree;
use super::node::Child;
use super::packed_frame::fitted_frame;
use crate::error::{Argument, Error, Result};
use crate::geometry::Aabb;

impl<const D: usize> Tree<D> {
    /// Refits the AABB tree to the new box of every item; the number of items stays.
    ///
    /// A box that is not finite or has `min > max` is an error, and the tree is unchanged.
    pub fn refit(&mut self, boxes: &[Aabb<D>]) -> Result<()> {
        if boxes.len() != self.len() {
            return Err(Error::argument(
                Argument::Boxes,
                boxes.len(),
                format!("{}, one for each item of the tree", self.len()),
            ));
        }
        self.refit_with(|i| boxes[i])
    }

    /// Refits the AABB tree as [`Tree::refit`] does; item `i` has the box `bounds(i)`.
    pub fn refit_with(&mut self, bounds: impl Fn(usize) -> Aabb<D> + Sync) -> Result<()> {
        let frame = fitted_frame(self.len(), &bounds)?;
        self.frame = frame;
        for n in (0..self.nodes.len()).rev() {
            let (before, after) = self.nodes.split_at_mut(n + 1);
            let node = &mut before[n];
            for lane in 0..node.children.len() {
                let child = node.children[lane];
                if child == Child::NONE {
                    break;
                }
                let index = child.index() as usize;
                let packed = if child.is_item() {
                    frame.pack(&bounds(index))
                } else {
                    after[index - n - 1].bounds()
                };
                node.set(lane, &packed);
            }
        }
        Ok(())
    }
}
