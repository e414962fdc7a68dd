//! Nearest neighbour traversal of the AABB tree: visits items roughly in the order of the distance
//! of their boxes from a point.

use super::node::{Child, push_sorted};
use super::{STACK, Tree};
use crate::simd::{F32x8, widest};

/// Bound on the relative error of the squared distance between a point and a tree box in f32. It
/// covers the rounding of the squares and of their sum.
const SLACK: f32 = 1.0 / (1 << 20) as f32;

impl<const D: usize> Tree<D> {
    /// Nearest neighbour traversal of the AABB tree: calls `visit(item, bound)` with every item
    /// whose box may be at a squared distance of at most `bound` from `point`. `visit` lowers
    /// `bound` to the square of the least distance found so far. Nearer boxes tend to come first;
    /// the order is fixed. Along an axis on which the point is NaN, all boxes have the distance 0.
    #[inline]
    pub fn approaching(&self, point: [f64; D], bound: f64, mut visit: impl FnMut(u32, &mut f64)) {
        widest(
            #[inline(always)]
            || {
                let frame = &self.frame;
                let low: [f32; D] = std::array::from_fn(|k| frame.lower(point[k], k));
                let high: [f32; D] = std::array::from_fn(|k| frame.upper(point[k], k));
                let mut bound = bound;
                // Squares in packed units, rounded up; NaN and overflow are unbounded.
                let packed = |bound: f64| {
                    let b = (bound * frame.scale * frame.scale) as f32;
                    let above = super::packed_frame::up(b);
                    if above <= f32::MAX { above } else { f32::MAX }
                };
                let mut reach = packed(bound);
                let mut stack = [(0.0f32, Child::node(0)); STACK];
                let mut top = usize::from(!self.is_empty());
                while top > 0 {
                    top -= 1;
                    let (square, child) = stack[top];
                    if square > reach {
                        continue;
                    }
                    if child.is_item() {
                        // A lane without a child is infinitely far, and so within no bound.
                        if child != Child::NONE {
                            visit(child.index(), &mut bound);
                            reach = packed(bound);
                        }
                        continue;
                    }
                    let node = &self.nodes[child.index() as usize];
                    let mut squares = F32x8::splat(0.0);
                    for k in 0..D {
                        let below = node.lo[k] - F32x8::splat(high[k]);
                        let above = F32x8::splat(low[k]) - node.hi[k];
                        let gap = below.max(above).max(F32x8::splat(0.0));
                        squares = squares + gap * gap;
                    }
                    // A square that overflows must still not exceed the largest `reach`.
                    let squares = (squares * F32x8::splat(1.0 - SLACK)).min(F32x8::splat(f32::MAX));
                    let hits = squares.at_most(F32x8::splat(reach)).bits();
                    push_sorted(&mut stack, &mut top, hits, &squares.0, &node.children);
                }
            },
        )
    }
}
