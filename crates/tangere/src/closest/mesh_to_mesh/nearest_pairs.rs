//! Nearest pairs of two triangle trees: visits pairs of triangles roughly in the order of the
//! distance of their OBBs.
//!
//! Each pair of nodes is bounded by the distance of two oriented boxes, in the axes of both and along
//! the line of centers. Where surfaces are nearest, these boxes are flat and face each other, so that
//! the bound is tight. Axis-aligned boxes let eight times as many pairs through.

use crate::closest::obb_tree::{
    FITTED, FarObbs, Obb, ObbLanes, ObbPlacement, ObbTree, PACKET, TreeLayout,
};
use crate::geometry::Pose;
use crate::simd::{Kernel, Lanes, Vector, run_widest};
use crate::tree::{STACK, Tree};
use rayon::prelude::*;
use std::ops::Range;

/// Bound on the relative error of the squared distance of two OBBs in f32, from the rounding of the
/// squares and of their sum.
const SLACK: f32 = 1.0 / (1 << 20) as f32;

/// The maximum number of triangles with an oriented box. Larger parts are not flat, and to fit a box
/// takes several passes over them.
const FLAT: usize = 512;

/// The flag in the index of a child that shows that the child is a triangle, not a node.
const ITEM: u32 = PACKET;

/// The OBBs of a triangle tree.
#[derive(Clone, Debug)]
pub(super) struct TriangleObbs {
    /// The OBB tree; the last ones of its nodes have triangles as their children, by their indices
    /// in the order of the triangle tree, with the flag [`ITEM`].
    obbs: ObbTree,
    /// The index of the root among the nodes.
    root: u32,
    /// The OBB of all triangles.
    bounds: Obb,
}

impl TriangleObbs {
    /// Fits OBBs to the triangles of a triangle tree, whose BVH is `tree`.
    pub fn new(tree: &Tree<3>, triangles: &[[[f64; 3]; 3]]) -> Self {
        let (origin, scale) = tree.unit();
        let layout = TreeLayout::new(tree);
        let scaled = |item: &u32| {
            triangles[*item as usize].map(|c| std::array::from_fn(|k| (c[k] - origin[k]) * scale))
        };
        let triangles: Vec<[[f64; 3]; 3]> = layout.order.par_iter().map(scaled).collect();
        let around = |part: Range<usize>| match part.len() {
            0..=FLAT => Obb::of_triangles(&triangles[part]),
            _ => Obb::around(triangles[part].as_flattened(), [0.0; 3]),
        };
        let mut obbs = ObbTree::new(&layout, (origin, scale), around);
        let leaf = |part: &Range<usize>| {
            let mut leaf = ObbLanes::EMPTY;
            for (lane, i) in part.clone().enumerate() {
                leaf.set(lane, &around(i..i + 1));
                leaf.children[lane] = ITEM | layout.order[i];
            }
            leaf
        };
        // The leaves follow the nodes.
        let inner = obbs.nodes.len() as u32;
        let place = |child: u32| match child {
            u32::MAX => child,
            _ if child & PACKET != 0 => inner + (child & !PACKET),
            _ => child,
        };
        for node in &mut obbs.nodes {
            node.children = node.children.map(place);
        }
        let leaves = layout.packets.par_iter().with_min_len(FITTED).map(leaf);
        obbs.nodes.extend(leaves.collect::<Vec<_>>());
        TriangleObbs {
            root: obbs.root.map_or(0, place),
            bounds: around(0..triangles.len()),
            obbs,
        }
    }

    /// The OBB with a home: a node and its lane, or the root.
    #[inline(always)]
    fn at(&self, home: u32) -> Obb {
        match home {
            ROOT => self.bounds,
            _ => self.obbs.nodes[(home / 8) as usize].get((home % 8) as usize),
        }
    }
}

/// The home of the root: it is in no lane of a node.
const ROOT: u32 = u32::MAX;

/// A node or a triangle of one of the two trees.
#[derive(Clone, Copy)]
struct Part {
    /// The index of the node, or of the triangle with the flag [`ITEM`].
    child: u32,
    /// Where the OBB is stored: eight times the index of the node above, plus the lane.
    home: u32,
    /// The longest half extent of the OBB, in the unit of the first tree.
    size: f32,
}

/// A pair of the search: a part of each tree, and a key, a lower bound of the distance of their OBBs:
/// the squared distance in the unit of the first tree, or what [`FarObbs`] measures.
#[derive(Clone, Copy)]
struct Pair {
    key: f32,
    a: Part,
    b: Part,
}

/// Nearest pairs of two triangle trees: calls `visit(triangle of a, triangle of b, bound)` with every
/// pair of triangles whose OBBs may be at a squared distance of at most `bound` from each other when
/// `pose` moves those of `b`. `visit` lowers `bound` to the square of the least distance found so far.
/// Nearer boxes tend to come first.
pub(super) fn nearest_pairs(
    a: &TriangleObbs,
    b: &TriangleObbs,
    pose: &Pose,
    bound: f64,
    visit: impl FnMut(u32, u32, &mut f64),
) {
    run_widest(Search {
        a,
        b,
        pose,
        bound,
        visit,
    })
}

/// The search for nearest pairs; its fields are the arguments of [`nearest_pairs`].
struct Search<'a, F> {
    a: &'a TriangleObbs,
    b: &'a TriangleObbs,
    pose: &'a Pose,
    bound: f64,
    visit: F,
}

impl<F: FnMut(u32, u32, &mut f64)> Kernel for Search<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Search { a, b, pose, .. } = self;
        let (mut bound, mut visit) = (self.bound, self.visit);
        let [to_a, to_b] = ObbPlacement::both(&a.obbs, &b.obbs, pose);
        let scale = a.obbs.scale;
        let far = FarObbs::new(&a.obbs, &b.obbs, pose);
        // Squares in the unit of the first tree, rounded up; NaN and overflow are unbounded.
        let packed = |bound: f64| {
            if let Some(far) = &far {
                return far.reach(bound);
            }
            let above = (bound * scale * scale) as f32 * (1.0 + SLACK);
            if above <= f32::MAX { above } else { f32::MAX }
        };
        let mut reach = packed(bound);
        let unit_square = (to_a.ratio * to_a.ratio).min(f32::MAX);
        let longest = |bounds: &Obb| bounds.half.into_iter().fold(0.0, f32::max);
        let root = |of: &TriangleObbs, unit: f32| Part {
            child: of.root,
            home: ROOT,
            size: longest(&of.bounds) * unit,
        };
        let first = Pair {
            key: f32::NEG_INFINITY,
            a: root(a, 1.0),
            b: root(b, to_a.ratio),
        };
        // Each step descends one of the two trees.
        let mut stack = [first; 2 * STACK];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let pair = stack[top];
            if pair.key > reach {
                continue;
            }
            let are_items = [pair.a, pair.b].map(|part| part.child & ITEM != 0);
            if are_items == [true; 2] {
                visit(pair.a.child & !ITEM, pair.b.child & !ITEM, &mut bound);
                reach = packed(bound);
                continue;
            }
            // Descend the larger one.
            let opens_b = are_items[0] || !are_items[1] && pair.b.size > pair.a.size;
            let (of, opened, unit, unit_square) = match opens_b {
                true => (b, pair.b.child, to_a.ratio, unit_square),
                false => (a, pair.a.child, 1.0, 1.0),
            };
            let node = &of.obbs.nodes[opened as usize];
            let (other, placement) = match opens_b {
                true => (a.at(pair.a.home), &to_b),
                false => (b.at(pair.b.home), &to_a),
            };
            let (mut keys, mut hits) = ([pair.key; 8], node.used());
            if let Some(far) = &far {
                keys = far.keys(node, &other, opens_b);
                hits &= V::load(&keys).at_most(V::splat(reach));
            } else if let Some(other) = placement.place(&other) {
                let factor = V::splat(unit_square * (1.0 - SLACK));
                let limit = V::splat(reach);
                let mut least = V::splat(pair.key);
                for square in node.squares_apart::<V>(&other) {
                    // A square that overflows must still not exceed the largest reach.
                    let square = square.mul(factor).min(V::splat(f32::MAX));
                    hits &= square.at_most(limit);
                    least = least.max(square);
                }
                least.store(&mut keys);
            }
            let bottom = top;
            for lane in Lanes(hits) {
                let part = Part {
                    child: node.children[lane],
                    home: 8 * opened + lane as u32,
                    size: node.size(lane) * unit,
                };
                let below = Pair {
                    key: keys[lane],
                    a: if opens_b { pair.a } else { part },
                    b: if opens_b { part } else { pair.b },
                };
                push_sorted(&mut stack, bottom, &mut top, below);
            }
        }
    }
}

/// Inserts a pair into the stack of the search, below those siblings that are nearer. Equally near
/// siblings are ordered by lane. The siblings begin at position `bottom`.
#[inline(always)]
fn push_sorted(stack: &mut [Pair; 2 * STACK], bottom: usize, top: &mut usize, pair: Pair) {
    let mut at = *top;
    *top += 1;
    while at > bottom && stack[at - 1].key <= pair.key {
        stack[at] = stack[at - 1];
        at -= 1;
    }
    stack[at] = pair;
}
