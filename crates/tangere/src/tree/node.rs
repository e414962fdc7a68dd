//! Node of the AABB tree: eight child boxes side by side, tested at once.

use super::STACK;
use super::packed_frame::PackedBox;
use crate::simd::{F32x8, Lanes, Mask};

/// Maximum number of children of a tree node.
pub(super) const WIDTH: usize = 8;

/// The bit of the 32-bit entry for a child of a tree node that is set if the child is an item, not
/// a node.
const ITEM: u32 = 1 << 31;

/// The child in a lane of a tree node: another node, an item, or nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Child(u32);

impl Child {
    /// Maximum number of nodes or items of a tree.
    pub(super) const LIMIT: usize = ITEM as usize - 1;
    /// The mark of an empty lane of a tree node, one that holds no child. The box in such a lane is
    /// empty and overlaps nothing.
    pub(super) const NONE: Child = Child(u32::MAX);

    /// A child of a tree node that is itself a node: the one with this index.
    pub(super) fn node(index: usize) -> Self {
        Child(index as u32)
    }

    /// A child of a tree node that is an item: the one with this index.
    pub(super) fn item(id: u32) -> Self {
        Child(ITEM | id)
    }

    /// Whether the child of a tree node is an item; also true for an unused lane.
    #[inline]
    pub(super) fn is_item(self) -> bool {
        self.0 & ITEM != 0
    }

    /// Adds `offset` to the index of the child of a tree node if this child is a node. Used when
    /// the nodes of a subtree are appended to those of the tree.
    pub(super) fn shift(&mut self, offset: usize) {
        if !self.is_item() {
            self.0 += offset as u32;
        }
    }

    /// The index of the item or node that is the child of a tree node.
    #[inline]
    pub(super) fn index(self) -> u32 {
        self.0 & !ITEM
    }
}

/// A node of the AABB tree: up to eight children and their boxes. The boxes are stored coordinate
/// by coordinate, with a lane for each child.
#[derive(Clone, Debug)]
#[repr(C, align(32))]
pub(super) struct Node<const D: usize> {
    pub(super) lo: [F32x8; D],
    pub(super) hi: [F32x8; D],
    pub(super) children: [Child; WIDTH],
}

impl<const D: usize> Node<D> {
    pub(super) const EMPTY: Self = Node {
        lo: [F32x8::splat(f32::INFINITY); D],
        hi: [F32x8::splat(f32::NEG_INFINITY); D],
        children: [Child::NONE; WIDTH],
    };

    /// Sets the box in a lane of the tree node.
    #[inline]
    pub(super) fn set(&mut self, lane: usize, bounds: &PackedBox<D>) {
        for k in 0..D {
            self.lo[k].0[lane] = bounds.lo[k];
            self.hi[k].0[lane] = bounds.hi[k];
        }
    }

    /// The box in a lane of the tree node.
    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> PackedBox<D> {
        PackedBox {
            lo: std::array::from_fn(|k| self.lo[k].0[lane]),
            hi: std::array::from_fn(|k| self.hi[k].0[lane]),
        }
    }

    /// The number of children of the tree node. They are in its first lanes.
    #[inline]
    pub(super) fn lanes(&self) -> usize {
        self.children
            .iter()
            .position(|&child| child == Child::NONE)
            .unwrap_or(WIDTH)
    }

    /// The children of the tree node as 32-bit integers, whose highest bit is set for items and
    /// unused lanes and whose other bits are the index.
    #[inline(always)]
    pub(super) fn numbers(&self) -> [u32; WIDTH] {
        let mut numbers = [0; WIDTH];
        for i in 0..WIDTH {
            numbers[i] = self.children[i].0;
        }
        numbers
    }

    /// The bounding box of the boxes in all lanes of the tree node.
    #[inline]
    pub(super) fn bounds(&self) -> PackedBox<D> {
        PackedBox {
            lo: std::array::from_fn(|k| self.lo[k].least()),
            hi: std::array::from_fn(|k| self.hi[k].greatest()),
        }
    }

    /// The mask of the lanes of the tree node whose boxes overlap the box `query`.
    #[inline(always)]
    pub(super) fn overlapping(&self, query: &PackedBox<D>) -> Mask {
        let mut mask = Mask::ALL;
        for k in 0..D {
            mask = mask
                .and(self.lo[k].at_most(F32x8::splat(query.hi[k])))
                .and(self.hi[k].at_least(F32x8::splat(query.lo[k])));
        }
        mask
    }
}

/// Pushes those children of a tree node whose bits in `hits` are set onto the stack of a traversal,
/// so that the child with the least key in `keys` is popped first. Ties are ordered by lane.
#[inline(always)]
pub(super) fn push_sorted(
    stack: &mut [(f32, Child); STACK],
    top: &mut usize,
    hits: u32,
    keys: &[f32; WIDTH],
    children: &[Child; WIDTH],
) {
    let bottom = *top;
    for lane in Lanes(hits) {
        let entry = (keys[lane], children[lane]);
        let mut at = *top;
        *top += 1;
        while at > bottom && stack[at - 1].0 <= entry.0 {
            stack[at] = stack[at - 1];
            at -= 1;
        }
        stack[at] = entry;
    }
}
