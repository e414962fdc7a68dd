//! Pairs of lanes of two nodes: the overlap test of all 64 pairs of their child boxes, as a mask. A
//! lane is one of the eight places of a node for a child and its box.

use super::node::Node;
use crate::simd::Vector;

/// A mask of the lanes of a node.
pub(super) type Bits = u32;

/// A mask of the 64 pairs of lanes of nodes `a` and `b`: bit `8 j + i` is the pair of lane `i` of
/// `a` and lane `j` of `b`.
pub(super) type Hits = u64;

/// The mask of all pairs of a lane in the mask `lanes_a` of one tree node and a lane in the mask
/// `lanes_b` of another.
#[inline(always)]
pub(super) fn among(lanes_a: u8, lanes_b: u8) -> Hits {
    // Bit j of `lanes_b` goes to byte j: the product puts a copy into each byte, of which one
    // bit is kept; adding 0x7f carries it to the top of the byte.
    const ONES: u64 = 0x0101_0101_0101_0101;
    let spread = (u64::from(lanes_b) * ONES) & 0x8040_2010_0804_0201;
    let tops = (((spread & !(ONES << 7)) + ONES * 0x7f) | spread) & (ONES << 7);
    (tops >> 7) * u64::from(lanes_a)
}

/// Iterator over the pairs of lanes in a mask, by the lane of `b`, then by the lane of `a`.
pub(super) struct Pairs(pub(super) Hits);

impl Iterator for Pairs {
    type Item = (usize, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, usize)> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some((bit & 7, bit >> 3))
    }
}

/// The mask of the pairs of lanes of tree nodes `a` and `b` whose boxes overlap.
///
/// All pairs are compared, needed or not: a mispredicted branch costs more than a comparison.
#[inline(always)]
pub(super) fn all_hits<V: Vector>(a: &Boxes<V>, b: &Node<3>) -> Hits {
    let mut hits = 0;
    for j in 0..8 {
        hits |= Hits::from(meeting(a, b, j)) << (8 * j);
    }
    hits
}

/// The corners of the eight boxes of a node, the lower ones first.
pub(super) type Boxes<V> = [[V; 3]; 2];

/// Loads the boxes of a tree node into vectors, for the overlap test of pairs of lanes.
#[inline(always)]
pub(super) fn load<V: Vector>(node: &Node<3>) -> Boxes<V> {
    let mut boxes = [[V::splat(0.0); 3]; 2];
    for k in 0..3 {
        boxes[0][k] = V::load(&node.lo[k].0);
        boxes[1][k] = V::load(&node.hi[k].0);
    }
    boxes
}

/// The overlap test of pairs of lanes: the mask of the boxes of one tree node that overlap the box
/// in lane `j` of another. The sign of a difference is exact however it is rounded; lanes without
/// a child, whose boxes are infinite or NaN, overlap nothing.
#[inline(always)]
pub(super) fn meeting<V: Vector>([low, high]: &Boxes<V>, node: &Node<3>, j: usize) -> Bits {
    let mut gap = low[0].sub(V::splat(node.hi[0].0[j]));
    gap = gap.max(V::splat(node.lo[0].0[j]).sub(high[0]));
    for k in 1..3 {
        gap = gap.max(low[k].sub(V::splat(node.hi[k].0[j])));
        gap = gap.max(V::splat(node.lo[k].0[j]).sub(high[k]));
    }
    gap.at_most(V::splat(0.0))
}
