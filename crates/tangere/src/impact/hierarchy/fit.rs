//! Boxes and balls around the points below each node.
//!
//! Points are gathered in the order of leaves, where those below a node lie side by side. Nodes are bounded from
//! the last to the first, children before their parents.
//!
//! Boxes are exact. Balls are the best of a few: around the balls of the children, around the box, and, of nodes
//! with few leaves or few ancestors, about centres that just contain the points, which takes them all to be read. Those
//! of the uppermost nodes are the smallest. Every ball is rounded outward
//! ([`Ball`]), so all of them contain the points.

use super::Node;
use super::frame::checked;
use crate::error::Result;
use crate::geometry::{Aabb, Ball};

/// Nodes with so few leaves, or so few ancestors, read all points below them: each point is read at most
/// twice this often.
const READ: u32 = 32;
/// Nodes with fewer ancestors have the smallest ball.
const SMALLEST: u32 = 4;

/// Points below nodes.
#[derive(Clone, Debug)]
pub(super) struct Points {
    /// Those of the leaves, one after the other.
    points: Vec<[f64; 3]>,
    /// Where those of each leaf begin, and the end.
    starts: Vec<usize>,
    /// For each node the range of its leaves, and how many ancestors it has.
    places: Vec<([u32; 2], u32)>,
}

impl Points {
    /// None yet.
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
            self.points
                .extend_from_slice(checked(item, points.as_ref())?);
        }
        self.starts.push(self.points.len());
        Ok(())
    }

    /// Bounds all nodes.
    pub fn fit(&self, nodes: &mut [Node]) {
        for i in (0..nodes.len()).rev() {
            let ([from, to], depth) = self.places[i];
            let points = &self.points[self.starts[from as usize]..self.starts[to as usize]];
            let (bounds, ball) = match nodes[i].is_leaf() {
                true => (Aabb::of_points(points.iter().copied()), ball(points)),
                false => {
                    let children = &nodes[nodes[i].children()];
                    let bounds = children
                        .iter()
                        .fold(Aabb::EMPTY, |bounds, child| bounds.union(&child.bounds));
                    let reads = depth < READ || to - from <= READ;
                    let ball = match depth < SMALLEST {
                        true => Ball::smallest(points),
                        false => None,
                    };
                    let points = if reads { points } else { &[] };
                    let ball = ball.unwrap_or_else(|| around(children, &bounds, points));
                    (bounds, ball)
                }
            };
            nodes[i].bounds = bounds;
            nodes[i].ball = ball;
        }
    }
}

fn smaller(a: Ball<3>, b: Ball<3>) -> Ball<3> {
    if b.radius < a.radius { b } else { a }
}

/// A ball around what is below some children in a box, whose points may be given.
fn around(children: &[Node], bounds: &Aabb<3>, points: &[[f64; 3]]) -> Ball<3> {
    let center = bounds.center();
    // No point of the box is farther away along any axis.
    let corner: [f64; 3] =
        std::array::from_fn(
            |k| match bounds.max[k] - center[k] > center[k] - bounds.min[k] {
                true => bounds.max[k],
                false => bounds.min[k],
            },
        );
    let about_box = Ball::about(center, &[corner]);
    let mut joined = children[0].ball;
    for child in &children[1..] {
        joined = joined.union(&child.ball);
    }
    let mut best = smaller(joined, about_box);
    if !points.is_empty() {
        best = smaller(best, Ball::about(joined.center, points));
        best = smaller(best, Ball::about(center, points));
    }
    best
}

/// The smallest ball of the points of an item, of which there is one at least.
fn ball(points: &[[f64; 3]]) -> Ball<3> {
    match *points {
        [a] => Ball::about(a, points),
        [a, b] => Ball::about(middle(a, b), points),
        [a, b, c] => of_triangle([a, b, c]),
        _ => match points.len() {
            ..=64 => Ball::smallest(points),
            _ => Ball::of_points(points),
        }
        .unwrap_or(Ball::about(points[0], points)),
    }
}

fn middle(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| 0.5 * a[k] + 0.5 * b[k])
}

/// About the middle of the longest edge unless the triangle is acute, then about its circumcentre.
///
/// With squared edges A, B, C opposite to a, b, c that centre is the mean of the corners with weights
/// A (B + C - A), ...: all positive if and only if the triangle is acute.
fn of_triangle([a, b, c]: [[f64; 3]; 3]) -> Ball<3> {
    let points = &[a, b, c];
    let square = |p: [f64; 3], q: [f64; 3]| {
        let d: [f64; 3] = std::array::from_fn(|k| p[k] - q[k]);
        d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    };
    let edges = [square(b, c), square(c, a), square(a, b)];
    let longest = edges.iter().fold(0.0, |m: f64, &e| m.max(e));
    let e = edges.map(|e| e / longest);
    let weights: [f64; 3] =
        std::array::from_fn(|k| e[k] * (e[(k + 1) % 3] + e[(k + 2) % 3] - e[k]));
    if weights.iter().all(|&w| w > 0.0) {
        let sum = weights[0] + weights[1] + weights[2];
        // Relative to a corner, so that an offset costs no digits.
        let center = std::array::from_fn(|k| {
            a[k] + (weights[1] * (b[k] - a[k]) + weights[2] * (c[k] - a[k])) / sum
        });
        return Ball::about(center, points);
    }
    let center = match longest {
        _ if edges[0] == longest => middle(b, c),
        _ if edges[1] == longest => middle(c, a),
        _ => middle(a, b),
    };
    Ball::about(center, points)
}
