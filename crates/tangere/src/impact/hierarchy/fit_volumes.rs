//! Fits the boxes and bounding spheres of all nodes of a hierarchy (for build and refit).
//!
//! The points of the items are gathered in the order of leaves, so that the points below a node are
//! contiguous. Nodes are bounded from the last to the first, children before their parents.
//!
//! Boxes are exact. Balls are the smallest enclosing ones at the uppermost levels and at the
//! leaves. The ball of any other node is the smallest of several. One is the ball around the balls
//! of its children. If the node has few leaves or few ancestors, there are two more, about the
//! centre of that ball and about the centre of the box, each with the least radius that contains
//! all points below the node. Otherwise the only other one is the ball around the box. Every ball
//! is rounded outward ([`Ball`]), so it contains the points.

use super::Node;
use super::bounding_ball::{item_ball, node_ball, reach};
use super::normalized_items::checked;
use crate::error::Result;
use crate::geometry::vector::{dot, largest, minus};
use crate::geometry::{Aabb, Ball, Units, flushed};

/// The ball of a node is fitted to all points below it if the node has at most this many leaves, or
/// fewer ancestors than this. So each point is read at most twice this number of times.
const READ: u32 = 32;
/// The ball of a node is the smallest enclosing ball if the node has fewer ancestors than this and
/// at least `1 / 2^SMALLEST` of all leaves.
const SMALLEST: u32 = 6;
/// To find the point farthest from a position, all points below a node are scanned if it has at
/// most this many leaves. Below a larger node the search descends to the children.
const NEAR: u32 = 16;

/// The points of all items of a hierarchy, in the order of leaves. Boxes and balls of nodes are
/// fitted to them.
#[derive(Clone, Debug)]
pub(super) struct Points {
    /// The points of all items, leaf after leaf.
    points: Vec<[f64; 3]>,
    /// For each leaf, the index of its first point in `points`; as the last element, the number of
    /// points.
    starts: Vec<usize>,
    /// For each node of the hierarchy, the range of the leaves below it, and its depth.
    leaf_ranges: Vec<([u32; 2], u32)>,
    /// Scratch memory for the search of the farthest point: nodes that may contain it, with upper
    /// bounds of its squared distance.
    open: Vec<(f64, usize)>,
}

impl Points {
    /// Prepares to fit volumes to the nodes of a hierarchy: gives each leaf an index and stores the
    /// range of leaves below each node. The points are gathered later.
    pub fn new(nodes: &[Node]) -> Self {
        let mut leaf_ranges = vec![([0; 2], 0); nodes.len()];
        let mut leaves = 0;
        for (i, node) in nodes.iter().enumerate() {
            if node.is_leaf() {
                leaf_ranges[i].0 = [leaves, leaves + 1];
                leaves += 1;
            }
            for child in node.children() {
                leaf_ranges[child].1 = leaf_ranges[i].1 + 1;
            }
        }
        for (i, node) in nodes.iter().enumerate().rev() {
            if !node.is_leaf() {
                let ranges = node.children().map(|child| leaf_ranges[child].0);
                let joined = |[a, b]: [u32; 2], [c, d]: [u32; 2]| [a.min(c), b.max(d)];
                leaf_ranges[i].0 = ranges.fold([u32::MAX, 0], joined);
            }
        }
        Self {
            points: Vec::new(),
            starts: Vec::with_capacity(leaves as usize + 1),
            leaf_ranges,
            open: Vec::new(),
        }
    }

    /// Gathers the points of all items of a hierarchy, to fit volumes to; an item with invalid
    /// points is an error.
    pub fn gather<P: AsRef<[[f64; 3]]>>(
        &mut self,
        nodes: &[Node],
        points: &impl Fn(usize) -> P,
    ) -> Result<()> {
        self.points.clear();
        self.starts.clear();
        for leaf in nodes.iter().filter(|node| node.is_leaf()) {
            let item = leaf.first as usize;
            self.starts.push(self.points.len());
            let points = points(item);
            let points = checked(item, points.as_ref())?;
            self.points.extend_from_slice(points);
        }
        self.starts.push(self.points.len());
        Ok(())
    }

    /// Frees the memory of the points that the volumes of a hierarchy were fitted to.
    pub fn clear(&mut self) {
        self.points = Vec::new();
    }

    /// The points of all items below a node of a hierarchy, to which its volumes are fitted.
    fn below(&self, node: usize) -> &[[f64; 3]] {
        let [from, to] = self.leaf_ranges[node].0;
        &self.points[self.starts[from as usize]..self.starts[to as usize]]
    }

    /// Fits the volumes of all nodes of a hierarchy: box and ball.
    pub fn fit(&mut self, nodes: &mut [Node]) {
        for i in (0..nodes.len()).rev() {
            (nodes[i].bounds, nodes[i].ball) = match nodes[i].is_leaf() {
                true => {
                    let points = self.below(i);
                    (Aabb::of_points(points.iter().copied()), item_ball(points))
                }
                false => self.inner(nodes, i),
            };
        }
    }

    /// Fits the volumes of inner node `i` of a hierarchy, box and ball; those of its children are
    /// fitted already.
    fn inner(&mut self, nodes: &[Node], i: usize) -> (Aabb<3>, Ball<3>) {
        let children = &nodes[nodes[i].children()];
        let bounds = children
            .iter()
            .fold(Aabb::EMPTY, |bounds, child| bounds.union(&child.bounds));
        let ([from, to], depth) = self.leaf_ranges[i];
        let is_large = (to - from) >= self.leaf_ranges[0].0[1] >> SMALLEST;
        let ball = match depth < SMALLEST && is_large {
            true => self.smallest(nodes, i, &bounds),
            false => {
                let is_read = depth < READ || to - from <= READ;
                let points = if is_read { self.below(i) } else { &[] };
                node_ball(children, &bounds, points)
            }
        };
        (bounds, ball)
    }

    /// Fits the smallest enclosing ball to the points below inner node `i` of a hierarchy, whose
    /// box is `bounds`.
    fn smallest(&mut self, nodes: &[Node], i: usize, bounds: &Aabb<3>) -> Ball<3> {
        let origin = self.below(i)[0];
        let reaches = [bounds.min, bounds.max].map(|corner| largest(minus(corner, origin)));
        let mut open = std::mem::take(&mut self.open);
        let center = Units::new(origin, reaches[0].max(reaches[1])).map(|units| {
            units.center_of_smallest(|center| self.farthest(nodes, i, &units, center, &mut open))
        });
        self.open = open;
        let center = flushed(center.unwrap_or(origin));
        Ball::reaching(center, reach(center, self.below(i)))
    }

    /// The point below node `i` of a hierarchy that is farthest from `position`: its squared
    /// distance, and the point. Both and `position` are in the local units `units`. The fit of the
    /// smallest enclosing ball calls it with each centre that it tries.
    fn farthest(
        &self,
        nodes: &[Node],
        i: usize,
        units: &Units<3>,
        position: [f64; 3],
        open: &mut Vec<(f64, usize)>,
    ) -> (f64, [f64; 3]) {
        let mut farthest = (0.0, position);
        open.clear();
        open.push((f64::INFINITY, i));
        while let Some((bound, i)) = open.pop() {
            if bound <= farthest.0 {
                continue;
            }
            let [from, to] = self.leaf_ranges[i].0;
            if to - from <= NEAR {
                for &p in self.below(i) {
                    let p = units.local(p);
                    let d = minus(p, position);
                    let square = dot(d, d);
                    if square > farthest.0 {
                        farthest = (square, p);
                    }
                }
                continue;
            }
            let first = open.len();
            for child in nodes[i].children() {
                let d = minus(units.local(nodes[child].ball.center), position);
                let bound = dot(d, d).sqrt() + units.local_length(nodes[child].ball.radius);
                open.push((bound * bound, child));
            }
            // The child with the largest upper bound is searched next.
            let last = open.len() - 1;
            let most = (first..last).fold(last, |a, b| if open[b].0 > open[a].0 { b } else { a });
            open.swap(most, last);
        }
        farthest
    }
}
