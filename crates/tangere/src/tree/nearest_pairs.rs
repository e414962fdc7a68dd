//! Nearest pairs of two AABB trees: visits pairs of items roughly in the order of the distance of
//! their boxes.

use super::motion::Motion;
use super::node::{Child, Node, WIDTH};
use super::packed_frame::{PackedBox, up};
use super::{MAX_HEIGHT, Tree};
use crate::geometry::Pose;
use crate::simd::{F32x8, Kernel, Lanes, Vector, run_widest, widest};

/// Bound on the relative error of the squared distance between two tree boxes in f32. It covers the
/// rounding of the squares and of their sum.
const SLACK: f32 = 1.0 / (1 << 20) as f32;

/// The maximum number of entries on the stack of the nearest pairs search. Each step descends one
/// of the two trees and leaves at most seven siblings behind.
const NEAREST_STACK: usize = 2 * MAX_HEIGHT * (WIDTH - 1) + 1;

/// A pair of the nearest pairs search: a node or item of each tree, their boxes in the packed
/// coordinates of the first tree, and a lower bound of the squared distance between these boxes.
#[derive(Clone, Copy)]
struct NodePair {
    square: f32,
    a: Child,
    b: Child,
    box_a: PackedBox<3>,
    box_b: PackedBox<3>,
}

impl Tree<3> {
    /// Nearest pairs of two AABB trees: calls `visit(item of self, item of other, bound)` with
    /// every pair of items whose boxes may be at a squared distance of at most `bound` from each
    /// other when `pose` moves those of `other`. `visit` lowers `bound` to the square of the least
    /// distance found so far. Nearer boxes tend to come first; the order is fixed.
    #[inline]
    pub fn approaching_pairs(
        &self,
        other: &Tree<3>,
        pose: &Pose,
        bound: f64,
        mut visit: impl FnMut(u32, u32, &mut f64),
    ) {
        widest(
            #[inline(always)]
            || {
                if self.is_empty() || other.is_empty() {
                    return;
                }
                let motion = Motion::new(other, pose, self);
                let mut bound = bound;
                // Squares in packed units, rounded up; NaN and overflow are unbounded.
                let packed = |bound: f64| {
                    let above = up((bound * self.frame.scale * self.frame.scale) as f32);
                    if above <= f32::MAX { above } else { f32::MAX }
                };
                let mut reach = packed(bound);
                let root = NodePair {
                    square: 0.0,
                    a: Child::node(0),
                    b: Child::node(0),
                    box_a: self.nodes[0].bounds(),
                    box_b: moved(&motion, &other.nodes[0]).bounds(),
                };
                let mut stack = [root; NEAREST_STACK];
                let mut top = 1;
                while top > 0 {
                    top -= 1;
                    let pair = stack[top];
                    if pair.square > reach {
                        continue;
                    }
                    if pair.a.is_item() && pair.b.is_item() {
                        visit(pair.a.index(), pair.b.index(), &mut bound);
                        reach = packed(bound);
                        continue;
                    }
                    // Descend the larger one.
                    let opens_b = pair.a.is_item()
                        || !pair.b.is_item() && size(&pair.box_b) > size(&pair.box_a);
                    let bottom = top;
                    if opens_b {
                        let node = moved(&motion, &other.nodes[pair.b.index() as usize]);
                        let squares = squares(&node, &pair.box_a);
                        for j in near(&node, &squares, reach) {
                            let below = NodePair {
                                square: squares.0[j],
                                b: node.children[j],
                                box_b: node.lane(j),
                                ..pair
                            };
                            push_sorted(&mut stack, bottom, &mut top, below);
                        }
                    } else {
                        let node = &self.nodes[pair.a.index() as usize];
                        let squares = squares(node, &pair.box_b);
                        for i in near(node, &squares, reach) {
                            let below = NodePair {
                                square: squares.0[i],
                                a: node.children[i],
                                box_a: node.lane(i),
                                ..pair
                            };
                            push_sorted(&mut stack, bottom, &mut top, below);
                        }
                    }
                }
            },
        )
    }
}

/// Moves a node of the second tree of the nearest pairs search: each box is replaced by the
/// bounding box of the moved box. Uses the widest vectors of the machine.
#[inline(always)]
fn moved(motion: &Motion, node: &Node<3>) -> Node<3> {
    struct Moved<'a>(&'a Motion, &'a Node<3>);
    impl Kernel for Moved<'_> {
        type Output = Node<3>;
        #[inline(always)]
        fn run<V: Vector>(self) -> Node<3> {
            self.0.moved::<V>(self.1)
        }
    }
    run_widest(Moved(motion, node))
}

/// The longest edge of a packed box. The nearest pairs search descends the tree whose box is
/// larger.
#[inline(always)]
fn size(b: &PackedBox<3>) -> f32 {
    (0..3).fold(0.0, |most, k| f32::max(most, b.hi[k] - b.lo[k]))
}

/// Lower bounds of the squared distances between the box `from` and the eight boxes of a tree node,
/// for the nearest pairs search.
#[inline(always)]
fn squares(node: &Node<3>, from: &PackedBox<3>) -> F32x8 {
    let mut squares = F32x8::splat(0.0);
    for k in 0..3 {
        let below = node.lo[k] - F32x8::splat(from.hi[k]);
        let above = F32x8::splat(from.lo[k]) - node.hi[k];
        let gap = below.max(above).max(F32x8::splat(0.0));
        squares = squares + gap * gap;
    }
    // A square that overflows must still not exceed the largest reach.
    (squares * F32x8::splat(1.0 - SLACK)).min(F32x8::splat(f32::MAX))
}

/// The lanes of a tree node that may hold nearest pairs: those that have a child and whose squared
/// distance in `squares` is at most `reach`.
#[inline(always)]
fn near(node: &Node<3>, squares: &F32x8, reach: f32) -> Lanes {
    let used = (1 << node.lanes()) - 1;
    Lanes(squares.at_most(F32x8::splat(reach)).bits() & used)
}

/// Inserts a pair of children into the stack of the nearest pairs search, below those siblings that
/// are nearer. Equally near siblings are ordered by lane. The siblings begin at position `bottom`.
#[inline(always)]
fn push_sorted(
    stack: &mut [NodePair; NEAREST_STACK],
    bottom: usize,
    top: &mut usize,
    pair: NodePair,
) {
    let mut at = *top;
    *top += 1;
    while at > bottom && stack[at - 1].square <= pair.square {
        stack[at] = stack[at - 1];
        at -= 1;
    }
    stack[at] = pair;
}
