//! Fits the boxes and bounding spheres of all nodes (for build and refit).
//!
//! Points are gathered in the order of leaves, so that those below a node are contiguous. Nodes are
//! bounded from the last to the first, children before their parents.
//!
//! Boxes are exact. Balls are the smallest enclosing ones at the uppermost levels and at the
//! leaves. Others are the best of a few: around the balls of the children and, for nodes with few
//! leaves or few ancestors, about two centres with the radius that all points need, else around the
//! box. Every ball is rounded outward ([`Ball`]), so all of them contain the points.

use super::Node;
use super::bounding_ball::{item_ball, node_ball, reach};
use super::normalized_items::checked;
use crate::error::Result;
use crate::geometry::vector::{dot, largest, minus};
use crate::geometry::{Aabb, Ball, Units, flushed};

/// Nodes with at most this many leaves, or fewer ancestors, read all points below them: each point
/// is read at most twice this often.
const READ: u32 = 32;
/// Nodes with fewer ancestors and a fair share of all leaves have the smallest enclosing ball.
const SMALLEST: u32 = 6;
/// The search of the farthest point scans nodes with at most this many leaves.
const NEAR: u32 = 16;

/// Points of the items, in the order of leaves.
#[derive(Clone, Debug)]
pub(super) struct Points {
    /// The points of all leaves.
    points: Vec<[f64; 3]>,
    /// The first point of each leaf, and the end.
    starts: Vec<usize>,
    /// For each node the range of its leaves, and its depth.
    places: Vec<([u32; 2], u32)>,
    /// Scratch: nodes that may have the farthest point, with upper bounds of its distance.
    open: Vec<(f64, usize)>,
}

impl Points {
    /// Without points.
    pub fn new(nodes: &[Node]) -> Self {
        let mut places = vec![([0; 2], 0); nodes.len()];
        let mut leaves = 0;
        for (i, node) in nodes.iter().enumerate() {
            if node.is_leaf() {
                places[i].0 = [leaves, leaves + 1];
                leaves += 1;
            }
            for child in node.children() {
                places[child].1 = places[i].1 + 1;
            }
        }
        for (i, node) in nodes.iter().enumerate().rev() {
            if !node.is_leaf() {
                let ranges = node.children().map(|child| places[child].0);
                let joined = |[a, b]: [u32; 2], [c, d]: [u32; 2]| [a.min(c), b.max(d)];
                places[i].0 = ranges.fold([u32::MAX, 0], joined);
            }
        }
        Self {
            points: Vec::new(),
            starts: Vec::with_capacity(leaves as usize + 1),
            places,
            open: Vec::new(),
        }
    }

    /// Reads the points of all items.
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

    /// Frees the points.
    pub fn clear(&mut self) {
        self.points = Vec::new();
    }

    /// The points below a node.
    fn below(&self, node: usize) -> &[[f64; 3]] {
        let [from, to] = self.places[node].0;
        &self.points[self.starts[from as usize]..self.starts[to as usize]]
    }

    /// Bounds all nodes.
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

    /// Box and ball of a node whose children are bounded.
    fn inner(&mut self, nodes: &[Node], i: usize) -> (Aabb<3>, Ball<3>) {
        let children = &nodes[nodes[i].children()];
        let bounds = children
            .iter()
            .fold(Aabb::EMPTY, |bounds, child| bounds.union(&child.bounds));
        let ([from, to], depth) = self.places[i];
        let is_large = (to - from) >= self.places[0].0[1] >> SMALLEST;
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

    /// The smallest enclosing ball of the points below an inner node with this box.
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

    /// The point below a node that is farthest from a position, in local units, and its squared
    /// distance.
    fn farthest(
        &self,
        nodes: &[Node],
        i: usize,
        units: &Units<3>,
        place: [f64; 3],
        open: &mut Vec<(f64, usize)>,
    ) -> (f64, [f64; 3]) {
        let mut farthest = (0.0, place);
        open.clear();
        open.push((f64::INFINITY, i));
        while let Some((bound, i)) = open.pop() {
            if bound <= farthest.0 {
                continue;
            }
            let [from, to] = self.places[i].0;
            if to - from <= NEAR {
                for &p in self.below(i) {
                    let p = units.local(p);
                    let d = minus(p, place);
                    let square = dot(d, d);
                    if square > farthest.0 {
                        farthest = (square, p);
                    }
                }
                continue;
            }
            let first = open.len();
            for child in nodes[i].children() {
                let d = minus(units.local(nodes[child].ball.center), place);
                let bound = dot(d, d).sqrt() + units.local_length(nodes[child].ball.radius);
                open.push((bound * bound, child));
            }
            // The most promising child comes next.
            let last = open.len() - 1;
            let most = (first..last).fold(last, |a, b| if open[b].0 > open[a].0 { b } else { a });
            open.swap(most, last);
        }
        farthest
    }
}
