//! BVH node: eight child boxes side by side, tested at once.

use super::packed_frame::PackedBox;
use crate::simd::{F32x8, Mask};

/// The number of children of a node.
pub(super) const WIDTH: usize = 8;

/// The bit that marks a child as an item.
const ITEM: u32 = 1 << 31;

/// What a lane of a node holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Child(u32);

impl Child {
    /// The most nodes or items of a tree.
    pub(super) const LIMIT: usize = ITEM as usize - 1;
    /// An unused lane; its box is empty and overlaps nothing.
    pub(super) const NONE: Child = Child(u32::MAX);

    pub(super) fn node(index: usize) -> Self {
        Child(index as u32)
    }

    pub(super) fn item(id: u32) -> Self {
        Child(ITEM | id)
    }

    #[inline]
    pub(super) fn is_item(self) -> bool {
        self.0 & ITEM != 0
    }

    /// Shifts a node's index when nodes are appended to others.
    pub(super) fn shift(&mut self, offset: usize) {
        if !self.is_item() {
            self.0 += offset as u32;
        }
    }

    /// The index of the item or node.
    #[inline]
    pub(super) fn index(self) -> u32 {
        self.0 & !ITEM
    }
}

/// The boxes of up to eight children, coordinate by coordinate.
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

    #[inline]
    pub(super) fn set(&mut self, lane: usize, bounds: &PackedBox<D>) {
        for k in 0..D {
            self.lo[k].0[lane] = bounds.lo[k];
            self.hi[k].0[lane] = bounds.hi[k];
        }
    }

    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> PackedBox<D> {
        PackedBox {
            lo: std::array::from_fn(|k| self.lo[k].0[lane]),
            hi: std::array::from_fn(|k| self.hi[k].0[lane]),
        }
    }

    /// The lanes in use; they come first.
    #[inline]
    pub(super) fn lanes(&self) -> usize {
        self.children
            .iter()
            .position(|&child| child == Child::NONE)
            .unwrap_or(WIDTH)
    }

    /// The children as numbers: the highest bit is set for items and unused lanes.
    #[inline(always)]
    pub(super) fn numbers(&self) -> [u32; WIDTH] {
        let mut numbers = [0; WIDTH];
        for i in 0..WIDTH {
            numbers[i] = self.children[i].0;
        }
        numbers
    }

    /// The bounding box of all lanes.
    #[inline]
    pub(super) fn bounds(&self) -> PackedBox<D> {
        PackedBox {
            lo: std::array::from_fn(|k| self.lo[k].least()),
            hi: std::array::from_fn(|k| self.hi[k].greatest()),
        }
    }

    /// The mask of lanes whose boxes overlap a box.
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
