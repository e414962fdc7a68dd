//! Inner sphere trees: bounding sphere hierarchies over the spheres of a packing.
//!
//! This is the method that weller2014 compares with. Both trees are traversed together; bounding
//! spheres, unlike AABBs, are invariant under rotation. The cost is `O(n log n)` to build and
//! `O(log n + pairs)` for a query of usual input.
//!
//! *Deviates* from the inner sphere trees of Weller and Zachmann:
//! - nodes have eight children, stored side by side in f32 and rounded outward, and 64 pairs of
//!   children are tested at a time ([`traverse`]);
//! - large spheres are children of nodes near the root;
//! - clusters come from the surface area heuristic instead of neural gas.

mod parallel_query;
mod traverse;

pub(super) use parallel_query::{Scratch, pairs};

use super::grid::Record;
use crate::shape::Packing;
use crate::tree::{Branch, Tree};

/// The number of children of a node of an inner sphere tree.
const WIDTH: usize = 8;

/// The bit in the index of a child that marks a sphere of the packing; without it the child is a
/// node.
const ITEM: u32 = 1 << 31;

/// A node of an inner sphere tree: the bounding spheres of up to eight children, coordinate by
/// coordinate. Coordinates are relative to the middle of the packing's box and in units of the
/// packing's size.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct Node {
    center: [[f32; WIDTH]; 3],
    /// The radii of the children's bounding spheres; NaN in unused lanes, which overlap nothing.
    radius: [f32; WIDTH],
    /// The indices of the node's children; the highest bit marks spheres ([`ITEM`]).
    children: [u32; WIDTH],
}

impl Node {
    /// The node of a sphere tree that has no children.
    const EMPTY: Self = Node {
        center: [[0.0; WIDTH]; 3],
        radius: [f32::NAN; WIDTH],
        children: [ITEM; WIDTH],
    };
}

/// An inner sphere tree: a bounding sphere hierarchy over the spheres of a packing.
#[derive(Clone, Debug)]
pub(crate) struct SphereTree {
    nodes: Vec<Node>,
    /// The spheres in the order in which the nodes of the tree list them, with centres relative to
    /// the middle of the packing's box.
    spheres: Vec<Record>,
    /// The centre and radius of each sphere, in the order in which the nodes of the tree list them
    /// and in the f32 coordinates of nodes.
    balls: Vec<[f32; 4]>,
    /// For each sphere, in the order in which the nodes of the tree list them, its index in the
    /// packing.
    numbers: Vec<u32>,
    /// The factor from lengths to the f32 coordinates of nodes: one over the largest coordinate or
    /// radius of a sphere, relative to the middle of the packing's box.
    scale: f64,
    /// The number of levels of nodes in the tree.
    height: usize,
}

impl SphereTree {
    /// Builds the inner sphere tree of a packing.
    pub(crate) fn new(packing: &Packing) -> Self {
        let (centers, radii) = (packing.centers(), packing.radii());
        let mut tree =
            Tree::of_spheres(packing.spheres()).expect("a packing has few enough spheres");
        let numbers = tree.renumbered();
        let middle = packing.bounds().center();
        let spheres: Vec<Record> = numbers
            .iter()
            .map(|&i| {
                let i = i as usize;
                let center = std::array::from_fn(|k| centers[i][k] - middle[k]);
                Record::new(center, radii[i], packing.weight(i))
            })
            .collect();
        let size = spheres.iter().fold(0.0, |size: f64, sphere| {
            let sphere = sphere.placed();
            sphere
                .center
                .iter()
                .fold(size, |m, x| m.max(x.abs()))
                .max(sphere.radius)
        });
        let mut made = Self {
            nodes: vec![Node::EMPTY; tree.nodes()],
            balls: vec![[0.0; 4]; spheres.len()],
            spheres,
            numbers,
            scale: 1.0 / size,
            height: 1,
        };
        // Children have greater indices than their node.
        let mut balls = vec![([0.0; 3], 0.0); made.nodes.len()];
        let mut heights = vec![1; made.nodes.len()];
        for node in (0..made.nodes.len()).rev() {
            let mut lanes: [([f64; 3], f64); WIDTH] = [([0.0; 3], 0.0); WIDTH];
            let mut count = 0;
            for branch in tree.branches(node) {
                let (ball, child) = match branch {
                    Branch::Node(below) => {
                        heights[node] = heights[node].max(heights[below] + 1);
                        (balls[below], below as u32)
                    }
                    Branch::Item(item) => {
                        let sphere = made.spheres[item as usize].placed();
                        (
                            (
                                sphere.center.map(|x| x * made.scale),
                                sphere.radius * made.scale,
                            ),
                            ITEM | item,
                        )
                    }
                };
                let packed = &mut made.nodes[node];
                // The radius grows by the rounding error of the centre.
                let center = ball.0.map(|x| x as f32);
                let off: f64 = (0..3)
                    .map(|k| (f64::from(center[k]) - ball.0[k]).abs())
                    .sum();
                for k in 0..3 {
                    packed.center[k][count] = center[k];
                }
                let radius = (((ball.1 + off) * (1.0 + 1e-6)) as f32).next_up();
                packed.radius[count] = radius;
                packed.children[count] = child;
                if let Branch::Item(item) = branch {
                    made.balls[item as usize] = [center[0], center[1], center[2], radius];
                }
                lanes[count] = ball;
                count += 1;
            }
            balls[node] = ball_around(&lanes[..count]);
        }
        made.height = heights[0];
        made
    }
}

/// Returns a bounding sphere of the spheres `balls`, for a node of an inner sphere tree. Its centre
/// starts at the middle of their AABB, then moves at most 23 times toward the sphere that sticks
/// out most.
fn ball_around(balls: &[([f64; 3], f64)]) -> ([f64; 3], f64) {
    let farthest = |center: [f64; 3]| {
        balls
            .iter()
            .map(|&(c, r)| {
                let d: [f64; 3] = std::array::from_fn(|k| c[k] - center[k]);
                let distance = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
                (distance + r, d, distance)
            })
            .fold((0.0, [0.0; 3], 0.0), |a, b| if b.0 > a.0 { b } else { a })
    };
    let side = |k: usize, sign: f64| {
        balls
            .iter()
            .map(|(c, r)| sign * c[k] + r)
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let mut center: [f64; 3] = std::array::from_fn(|k| 0.5 * (side(k, 1.0) - side(k, -1.0)));
    let mut best = (farthest(center).0, center);
    for step in 1..24 {
        let (_, d, distance) = farthest(center);
        if distance == 0.0 {
            break;
        }
        let by = best.0 / (distance * f64::from(step + 2)) * 0.5;
        center = std::array::from_fn(|k| center[k] + d[k] * by.min(1.0));
        let reach = farthest(center).0;
        if reach < best.0 {
            best = (reach, center);
        }
    }
    (best.1, best.0 * (1.0 + 1e-14))
}
