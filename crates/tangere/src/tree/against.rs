//! Pairs of items of two trees whose boxes meet, one of them under a pose.

use super::STACK;
use super::Tree;
use super::frame::PackedBox;
use super::node::{Child, Node};
use super::pairs::PAIR_STACK;
use crate::geometry::Pose;
use crate::simd::{F32x8, widest};

/// A relative error above that of a box moved in f32: middle and half lengths,
/// three products and sums for each, the offset.
const SLACK: f64 = 1.0 / (1 << 20) as f64;

/// Numbers below this cannot overflow when boxes are moved.
const HUGE: f32 = 1e37;

/// The map from the coordinates of one tree to those of another: boxes become
/// the boxes around the moved boxes.
struct Motion {
    matrix: [[f32; 3]; 3],
    offset: [f32; 3],
    /// What rounding may cost, here and in moving the items themselves.
    margin: [f32; 3],
}

impl Motion {
    /// From the coordinates of `from`, moved by `pose`, to those of `to`.
    fn new(from: &Tree<3>, pose: &Pose, to: &Tree<3>) -> Self {
        let rotation = pose.rotation_matrix();
        let ratio = to.frame.scale / from.frame.scale;
        let center = pose.apply(from.frame.center);
        let offset: [f64; 3] =
            std::array::from_fn(|k| (center[k] - to.frame.center[k]) * to.frame.scale);
        let margin = std::array::from_fn(|k| {
            // Packed coordinates are at most 1.
            let reach: f64 = rotation[k].iter().map(|r| r.abs() * ratio).sum();
            // In space: three products, three sums and the offset at the size of the numbers.
            let size: f64 = (0..3)
                .map(|j| {
                    rotation[k][j].abs() * (from.frame.center[j].abs() + 1.0 / from.frame.scale)
                })
                .sum();
            let space = (size + pose.translation()[k].abs() + to.frame.center[k].abs())
                * (8.0 * f64::EPSILON)
                * to.frame.scale;
            super::frame::up(((reach + offset[k].abs()) * SLACK + space) as f32)
        });
        let motion = Motion {
            matrix: rotation.map(|row| row.map(|r| (r * ratio) as f32)),
            offset: offset.map(|x| x as f32),
            margin,
        };
        let numbers = motion.matrix.as_flattened().iter();
        if numbers
            .chain(&motion.offset)
            .chain(&motion.margin)
            .all(|x| x.abs() < HUGE)
        {
            motion
        } else {
            Motion::UNBOUNDED
        }
    }

    /// For sizes or distances beyond the range of f32: every box becomes all of space.
    const UNBOUNDED: Self = Motion {
        matrix: [[0.0; 3]; 3],
        offset: [0.0; 3],
        margin: [f32::MAX; 3],
    };

    #[inline(always)]
    fn apply(&self, node: &Node<3>) -> Node<3> {
        // Halved before they are added: sums of the largest numbers overflow.
        let half = F32x8::splat(0.5);
        let middle: [F32x8; 3] = std::array::from_fn(|k| node.lo[k] * half + node.hi[k] * half);
        let extent: [F32x8; 3] = std::array::from_fn(|k| node.hi[k] * half - node.lo[k] * half);
        let mut moved = Node {
            lo: node.lo,
            hi: node.hi,
            children: node.children,
        };
        for k in 0..3 {
            let mut center = F32x8::splat(self.offset[k]);
            let mut radius = F32x8::splat(self.margin[k]);
            for j in 0..3 {
                center = center + middle[j] * F32x8::splat(self.matrix[k][j]);
                radius = radius + extent[j] * F32x8::splat(self.matrix[k][j].abs());
            }
            moved.lo[k] = center - radius;
            moved.hi[k] = center + radius;
        }
        moved
    }
}

impl Tree<3> {
    /// Calls `visit(item of self, item of other)` with every pair of items
    /// whose boxes meet when `pose` moves those of `other`, and with more that
    /// do not the more the pose turns; each pair once, in a fixed order.
    #[inline]
    pub fn against(&self, other: &Tree<3>, pose: &Pose, mut visit: impl FnMut(u32, u32)) {
        widest(
            #[inline(always)]
            || {
                if self.is_empty() || other.is_empty() {
                    return;
                }
                let motion = Motion::new(other, pose, self);
                let mut stack = [(0u32, 0u32); PAIR_STACK];
                let mut top = 1;
                while top > 0 {
                    top -= 1;
                    let (a, b) = stack[top];
                    let node_a = &self.nodes[a as usize];
                    let node_b = motion.apply(&other.nodes[b as usize]);
                    for j in 0..node_b.lanes() {
                        let child_b = node_b.children[j];
                        let lane = node_b.lane(j);
                        for i in node_a.overlapping(&lane).lanes() {
                            let child_a = node_a.children[i];
                            match (child_a.is_item(), child_b.is_item()) {
                                (true, true) => visit(child_a.index(), child_b.index()),
                                (false, true) => self.below(child_a, &lane, |item| {
                                    visit(item, child_b.index());
                                }),
                                (true, false) => {
                                    other.below_moved(child_b, &motion, &node_a.lane(i), |item| {
                                        visit(child_a.index(), item);
                                    });
                                }
                                (false, false) => {
                                    stack[top] = (child_a.index(), child_b.index());
                                    top += 1;
                                }
                            }
                        }
                    }
                }
            },
        )
    }

    /// Visits the items below a node whose moved boxes meet a box.
    #[inline(always)]
    fn below_moved(
        &self,
        root: Child,
        motion: &Motion,
        query: &PackedBox<3>,
        mut visit: impl FnMut(u32),
    ) {
        let mut stack = [0u32; STACK];
        stack[0] = root.index();
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let node = motion.apply(&self.nodes[stack[top] as usize]);
            for lane in node.overlapping(query).lanes() {
                let child = node.children[lane];
                if child == Child::NONE {
                    continue;
                }
                if child.is_item() {
                    visit(child.index());
                } else {
                    stack[top] = child.index();
                    top += 1;
                }
            }
        }
    }
}
