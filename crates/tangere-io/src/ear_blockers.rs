//! Ear test of ear clipping: which corners of a polygon lie in a candidate ear?
//!
//! A k-d tree of boxes over all corners, split along the longer side. A corner that lies in a
//! candidate ear blocks it: the ear must not be cut off. Only corners that are enabled as blockers
//! are tested, and each box stores how many of its corners are enabled. Building takes O(n log n),
//! enabling or disabling a corner O(log n). A query visits only boxes that meet the triangle of the
//! candidate ear, decided by exact orientation predicates. It takes about O(log n) if few corners
//! are near the triangle, and O(sqrt n) if the triangle is a long sliver. Any number of coincident
//! corners cost as much as one.

use crate::triangulate::side;

/// K-d tree of the corners of a polygon, each enabled or disabled as a blocker of ears in ear
/// clipping.
#[derive(Default)]
pub(crate) struct Blockers {
    /// The nodes of the k-d tree, each with its box. The first child of a node is the next entry.
    nodes: Vec<Node>,
    /// The indices of the corners, ordered so that those of a leaf are adjacent.
    corners: Vec<u32>,
    /// For each corner the index in `nodes` of the leaf that contains it.
    leaves: Vec<u32>,
    blocks: Vec<bool>,
    stack: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Node {
    low: [f64; 2],
    high: [f64; 2],
    /// The number of corners in the box of the node that are enabled as blockers.
    blocking: u32,
    parent: u32,
    /// The index of the node's second child. It is 0 for a leaf: 0 is the root, which is no child.
    second: u32,
    start: u32,
    end: u32,
}

/// Where the corners that are enabled as blockers lie relative to the triangle of an ear. `Inside`
/// if one lies inside, else `Border` if one lies on the border, else `Nothing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Within {
    Nothing,
    /// A blocking corner lies on the border of the triangle, but not at one of the triangle's
    /// corners.
    Border,
    Inside,
}

/// Maximum number of corners in a leaf of the k-d tree, except that any number of coincident
/// corners share a leaf.
const LEAF: usize = 8;

impl Blockers {
    /// Rebuilds the k-d tree for the corners of a new polygon. All corners are disabled as
    /// blockers.
    pub fn reset(&mut self, points: &[[f64; 2]]) {
        let n = points.len();
        self.nodes.clear();
        self.blocks.clear();
        self.blocks.resize(n, false);
        self.corners.clear();
        self.corners.extend(0..n as u32);
        self.leaves.clear();
        self.leaves.resize(n, 0);
        if n > 0 {
            self.build(points, 0, n, 0);
        }
    }

    fn build(&mut self, points: &[[f64; 2]], start: usize, end: usize, parent: u32) {
        let number = self.nodes.len();
        let corners = &mut self.corners[start..end];
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for &i in corners.iter() {
            let p = points[i as usize];
            low = [low[0].min(p[0]), low[1].min(p[1])];
            high = [high[0].max(p[0]), high[1].max(p[1])];
        }
        self.nodes.push(Node {
            low,
            high,
            blocking: 0,
            parent,
            second: 0,
            start: start as u32,
            end: end as u32,
        });
        if corners.len() <= LEAF || low == high {
            for &i in corners.iter() {
                self.leaves[i as usize] = number as u32;
            }
            return;
        }
        let k = usize::from(high[1] - low[1] > high[0] - low[0]);
        let half = corners.len() / 2;
        // A total order keeps coincident corners together and makes the tree deterministic.
        corners.select_nth_unstable_by(half, |&a, &b| {
            let (p, q) = (points[a as usize], points[b as usize]);
            p[k].total_cmp(&q[k])
                .then(p[1 - k].total_cmp(&q[1 - k]))
                .then(a.cmp(&b))
        });
        self.build(points, start, start + half, number as u32);
        self.nodes[number].second = self.nodes.len() as u32;
        self.build(points, start + half, end, number as u32);
    }

    /// Enables or disables a corner as a blocker of ears.
    pub fn set(&mut self, corner: usize, blocks: bool) {
        if self.blocks[corner] == blocks {
            return;
        }
        self.blocks[corner] = blocks;
        let mut number = self.leaves[corner] as usize;
        loop {
            let node = &mut self.nodes[number];
            if blocks {
                node.blocking += 1;
            } else {
                node.blocking -= 1;
            }
            if number == 0 {
                return;
            }
            number = node.parent as usize;
        }
    }

    /// Returns whether a corner that is enabled as a blocker lies inside a counterclockwise
    /// triangle, the candidate ear, or on its border. A corner that coincides with a corner of the
    /// triangle is ignored: it belongs to a bridge to a hole, or the polygon touches itself there.
    pub fn within(&mut self, points: &[[f64; 2]], triangle: [[f64; 2]; 3]) -> Within {
        let mut within = Within::Nothing;
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        if !self.nodes.is_empty() {
            stack.push(0);
        }
        while let Some(number) = stack.pop() {
            let node = &self.nodes[number as usize];
            if node.blocking == 0 || is_apart(node, triangle, within) {
                continue;
            }
            let at_one_place = [node.low];
            let mut places = at_one_place.iter();
            let mut corners = [].iter();
            if node.low != node.high {
                if node.second != 0 {
                    stack.extend([node.second, number + 1]);
                    continue;
                }
                places = [].iter();
                corners = self.corners[node.start as usize..node.end as usize].iter();
            }
            let blocking = corners
                .map(|&i| i as usize)
                .filter(|&i| self.blocks[i])
                .map(|i| &points[i]);
            for &p in places.chain(blocking) {
                match place_of(p, triangle) {
                    Within::Nothing => {}
                    Within::Border => within = Within::Border,
                    Within::Inside => {
                        self.stack = stack;
                        return Within::Inside;
                    }
                }
            }
        }
        self.stack = stack;
        within
    }
}

fn place_of(p: [f64; 2], triangle @ [a, b, c]: [[f64; 2]; 3]) -> Within {
    if triangle.contains(&p) {
        return Within::Nothing;
    }
    let least = [side(a, b, p), side(b, c, p), side(c, a, p)]
        .into_iter()
        .fold(f64::INFINITY, f64::min);
    if least > 0.0 {
        Within::Inside
    } else if least == 0.0 {
        Within::Border
    } else {
        Within::Nothing
    }
}

/// Whether no corner in the box of the node can change `within`, the result so far. That is so if
/// the box lies outside of the triangle. If a corner on the border is already known, a box that
/// only touches the triangle counts as outside too.
fn is_apart(node: &Node, [a, b, c]: [[f64; 2]; 3], within: Within) -> bool {
    let beside = |k: usize| {
        let low = a[k].min(b[k]).min(c[k]);
        let high = a[k].max(b[k]).max(c[k]);
        node.high[k] < low || node.low[k] > high
    };
    let outside = |a: [f64; 2], b: [f64; 2]| {
        // The corner of the box that lies farthest to the left of the edge.
        let x = if b[1] > a[1] {
            node.low[0]
        } else {
            node.high[0]
        };
        let y = if b[0] > a[0] {
            node.high[1]
        } else {
            node.low[1]
        };
        let farthest = side(a, b, [x, y]);
        farthest < 0.0 || farthest == 0.0 && within == Within::Border
    };
    beside(0) || beside(1) || outside(a, b) || outside(b, c) || outside(c, a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_tree_agrees_with_brute_force(
            points in prop::collection::vec(prop::array::uniform2(-4..5_i8), 1..80),
            blocks in prop::collection::vec(any::<bool>(), 80),
            triangle in prop::array::uniform3(prop::array::uniform2(-5..6_i8)),
        ) {
            let points: Vec<_> = points.iter().map(|p| p.map(f64::from)).collect();
            let triangle @ [a, b, c] = triangle.map(|p| p.map(f64::from));
            prop_assume!(side(a, b, c) > 0.0);
            let mut blockers = Blockers::default();
            blockers.reset(&points);
            for i in 0..points.len() {
                blockers.set(i, true);
                blockers.set(i, blocks[i]);
            }
            let each = || (0..points.len()).filter(|&i| blocks[i]).map(|i| place_of(points[i], triangle));
            let expected = if each().any(|w| w == Within::Inside) {
                Within::Inside
            } else if each().any(|w| w == Within::Border) {
                Within::Border
            } else {
                Within::Nothing
            };
            prop_assert_eq!(blockers.within(&points, triangle), expected);
        }
    }
}
