//! Clusters of shells that cross each other. None of them encloses another, and what one encloses
//! does not count apart from the rest, so that a cluster nests as one.
//!
//! A binary tree over the triangles of all shells is joined with itself. Once all triangles beneath
//! two nodes belong to one cluster, nothing between the nodes is tested: a thousand shells at one
//! place need little more than a thousand crossings, although half a million pairs of them cross.
//! `O(n log n)` for `n` triangles, and a test for each pair of triangles of different clusters whose
//! AABBs meet.

use super::TriMesh;
use super::disjoint_sets::DisjointSets;
use crate::geometry::{Aabb, IntersectionKind, triangle_triangle};

/// Maximum number of triangles of a leaf.
const LEAF: usize = 8;

/// The label of a node whose triangles belong to several clusters.
const MIXED: u32 = u32::MAX;

/// A node of the tree of triangles. The left child of a node follows it.
struct Node {
    bounds: Aabb<3>,
    /// The range of the triangles in the order of the tree.
    from: usize,
    to: usize,
    /// The index of the right child; 0 in a leaf.
    right: usize,
    /// A shell of the cluster to which all triangles belong, or [`MIXED`].
    label: u32,
}

/// The tree of the triangles of all shells, and the clusters found so far.
struct Join<'a> {
    mesh: &'a TriMesh,
    shell_of_face: &'a [u32],
    order: Vec<u32>,
    bounds: Vec<Aabb<3>>,
    nodes: Vec<Node>,
    sets: DisjointSets,
    /// The number of pairs of triangles tested.
    tests: usize,
}

/// Returns the clusters of `count` shells: those that cross are in one set. `shell_of_face` has the
/// shell of each triangle; triangles of none have a number that is no shell. Returns also the number
/// of pairs of triangles tested.
pub(super) fn crossing_clusters(
    mesh: &TriMesh,
    shell_of_face: &[u32],
    count: usize,
) -> (DisjointSets, usize) {
    let bounds = (0..shell_of_face.len())
        .map(|f| Aabb::of_points(mesh.triangle(f)))
        .collect();
    let order = (0..shell_of_face.len() as u32)
        .filter(|&f| (shell_of_face[f as usize] as usize) < count)
        .collect();
    let mut join = Join {
        mesh,
        shell_of_face,
        order,
        bounds,
        nodes: Vec::new(),
        sets: DisjointSets::new(count),
        tests: 0,
    };
    join.build(0, join.order.len());
    join.within(0);
    (join.sets, join.tests)
}

impl Join<'_> {
    /// Builds the subtree of a range of triangles and returns its root. Triangles are halved along
    /// the longest axis of their bounds.
    fn build(&mut self, from: usize, to: usize) -> usize {
        let all = &mut self.order[from..to];
        let bounds = &self.bounds;
        let whole = (all.iter()).fold(Aabb::EMPTY, |b, &f| b.union(&bounds[f as usize]));
        let node = self.nodes.len();
        self.nodes.push(Node {
            bounds: whole,
            from,
            to,
            right: 0,
            label: MIXED,
        });
        if all.len() > LEAF {
            let extent = whole.extent();
            let axis = (1..3).fold(0, |a, k| if extent[k] > extent[a] { k } else { a });
            let half = all.len() / 2;
            all.select_nth_unstable_by(half, |&f, &g| {
                let middle = |f: u32| bounds[f as usize].min[axis] + bounds[f as usize].max[axis];
                middle(f).total_cmp(&middle(g)).then(f.cmp(&g))
            });
            self.build(from, from + half);
            self.nodes[node].right = self.build(from + half, to);
        }
        self.relabel(node);
        node
    }

    fn children(&self, node: usize) -> Option<[usize; 2]> {
        match self.nodes[node].right {
            0 => None,
            right => Some([node + 1, right]),
        }
    }

    /// Labels a node if all its triangles belong to one cluster.
    fn relabel(&mut self, node: usize) {
        let Node {
            from,
            to,
            right,
            label,
            ..
        } = self.nodes[node];
        if label != MIXED {
            return;
        }
        let mut leader = |shell: u32| match shell {
            MIXED => MIXED,
            shell => self.sets.leader(shell),
        };
        self.nodes[node].label = match right {
            0 => {
                let mut shells =
                    (self.order[from..to].iter()).map(|&f| leader(self.shell_of_face[f as usize]));
                let first = shells.next().unwrap_or(MIXED);
                if shells.all(|shell| shell == first) {
                    first
                } else {
                    MIXED
                }
            }
            right => {
                let [a, b] = [node + 1, right].map(|child| leader(self.nodes[child].label));
                if a == b { a } else { MIXED }
            }
        };
    }

    /// Joins the shells that cross beneath a node.
    fn within(&mut self, node: usize) {
        if self.nodes[node].label != MIXED {
            return;
        }
        match self.children(node) {
            Some([left, right]) => {
                self.within(left);
                self.within(right);
                self.between(left, right);
            }
            None => {
                for i in self.nodes[node].from..self.nodes[node].to {
                    for j in i + 1..self.nodes[node].to {
                        self.test(i, j);
                    }
                }
            }
        }
        self.relabel(node);
    }

    /// Joins the shells beneath one node that cross shells beneath another.
    fn between(&mut self, a: usize, b: usize) {
        let labels = [a, b].map(|node| self.nodes[node].label);
        if !labels.contains(&MIXED) && self.sets.leader(labels[0]) == self.sets.leader(labels[1]) {
            return;
        }
        let (one, other) = (&self.nodes[a], &self.nodes[b]);
        if !one.bounds.overlaps(&other.bounds) {
            return;
        }
        let (rows, columns) = (one.from..one.to, other.from..other.to);
        let (large, small) = match rows.len() >= columns.len() {
            true => (a, b),
            false => (b, a),
        };
        match self.children(large) {
            Some(children) => {
                for child in children {
                    self.between(child, small);
                }
            }
            None => {
                for i in rows {
                    for j in columns.clone() {
                        self.test(i, j);
                    }
                }
            }
        }
        self.relabel(a);
        self.relabel(b);
    }

    /// Joins the shells of two triangles, by their places in the order, if these cross.
    fn test(&mut self, i: usize, j: usize) {
        let faces = [i, j].map(|place| self.order[place] as usize);
        let [a, b] = faces.map(|f| self.shell_of_face[f]);
        let [f, g] = faces;
        if a == b
            || !self.bounds[f].overlaps(&self.bounds[g])
            || self.sets.leader(a) == self.sets.leader(b)
        {
            return;
        }
        self.tests += 1;
        let kind = triangle_triangle(self.mesh.triangle(f), self.mesh.triangle(g));
        if kind == Some(IntersectionKind::Crossing) {
            self.sets.join(a, b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Pose;
    use nalgebra::UnitQuaternion;

    /// Turned cubes around one place, all of which cross.
    fn pile(count: usize) -> (TriMesh, Vec<u32>) {
        let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 1 { 0.5 } else { -0.5 });
        let sides = [
            [0, 2, 1],
            [1, 2, 3],
            [4, 5, 6],
            [5, 7, 6],
            [0, 1, 4],
            [1, 5, 4],
            [2, 6, 3],
            [3, 6, 7],
            [0, 4, 2],
            [2, 4, 6],
            [1, 3, 5],
            [3, 7, 5],
        ];
        let (mut vertices, mut faces) = (Vec::new(), Vec::new());
        for i in 0..count {
            let x = i as f64;
            let turn = UnitQuaternion::from_euler_angles(x, 0.7 * x, 0.3 * x);
            let pose = Pose::new(turn, [0.0, 0.0, 1e-4 * x]).unwrap();
            let first = 8 * i as u32;
            vertices.extend((0..8).map(|c| pose.apply(corner(c))));
            faces.extend(sides.map(|side| side.map(|c| first + c)));
        }
        let shells = (0..faces.len() as u32).map(|f| f / 12).collect();
        (TriMesh::new(vertices, faces).unwrap(), shells)
    }

    /// Twice as many shells at one place take about twice as many tests, not four times.
    #[test]
    fn tests_grow_with_the_number_of_shells() {
        let tests = [200, 400, 800].map(|count| {
            let (mesh, shells) = pile(count);
            let (mut sets, tests) = crossing_clusters(&mesh, &shells, count);
            let apart = (0..count as u32).filter(|&s| sets.leader(s) != 0).count();
            assert!(apart < count / 10, "{apart} of {count}");
            tests
        });
        assert!(tests[2] < 8 * tests[0], "{tests:?}");
        assert!(tests[2] < 400 * 800, "{tests:?}");
    }
}
