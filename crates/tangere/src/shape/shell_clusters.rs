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
    /// The number of pairs of nodes and of triangles visited.
    steps: usize,
}

/// Returns the clusters of `count` shells: those that cross are in one set. `shell_of_face` has the
/// shell of each triangle; triangles of none have a number that is no shell. Returns also the number
/// of steps: pairs of nodes and of triangles visited.
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
        steps: 0,
    };
    join.build(0, join.order.len());
    join.within(0);
    (join.sets, join.steps)
}

impl Join<'_> {
    /// Builds the subtree of a range of triangles and returns its root. Triangles are halved along
    /// the axis on which their middles are farthest apart: that of walls of nested shells is the
    /// normal, the only axis along which their boxes are separate.
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
            let middles = Aabb::of_points(all.iter().map(|&f| bounds[f as usize].center()));
            let extent = middles.extent();
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
        self.steps += 1;
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
        self.steps += 1;
        let faces = [i, j].map(|place| self.order[place] as usize);
        let [a, b] = faces.map(|f| self.shell_of_face[f]);
        let [f, g] = faces;
        if a == b
            || !self.bounds[f].overlaps(&self.bounds[g])
            || self.sets.leader(a) == self.sets.leader(b)
        {
            return;
        }
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

    /// Cubes around one place, the size and pose of each by its number.
    fn cubes(count: usize, size: impl Fn(f64) -> f64, pose: impl Fn(f64) -> Pose) -> TriMesh {
        let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 1 { 0.5 } else { -0.5 });
        #[rustfmt::skip]
        let sides = [
            [0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
            [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5],
        ];
        let (mut vertices, mut faces) = (Vec::new(), Vec::new());
        for i in 0..count {
            let x = i as f64;
            let first = 8 * i as u32;
            let place = |c| pose(x).apply(corner(c).map(|p| p * size(x)));
            vertices.extend((0..8).map(place));
            faces.extend(sides.map(|side| side.map(|c| first + c)));
        }
        TriMesh::new(vertices, faces).unwrap()
    }

    /// Returns the number of clusters of cubes, and of steps to find them.
    fn found(mesh: &TriMesh) -> (usize, usize) {
        let shells: Vec<u32> = (0..mesh.faces().len() as u32).map(|f| f / 12).collect();
        let count = shells.len() / 12;
        let (sets, steps) = crossing_clusters(mesh, &shells, count);
        let clusters = (0..count as u32).filter(|&s| sets.leads(s)).count();
        (clusters, steps)
    }

    /// Four times as many shells take about four times as many steps, not sixteen times.
    fn check_growth(steps: [usize; 2]) {
        assert!(steps[1] < 8 * steps[0], "{steps:?}");
    }

    #[test]
    fn steps_grow_with_the_number_of_shells_that_cross() {
        let turned = |x: f64| {
            let turn = UnitQuaternion::from_euler_angles(x, 0.7 * x, 0.3 * x);
            Pose::new(turn, [0.0, 0.0, 1e-4 * x]).unwrap()
        };
        let moved = |x: f64| {
            let along = |factor: f64| 0.3 * (factor * x).sin();
            Pose::new(
                UnitQuaternion::identity(),
                [along(1.0), along(1.7), along(2.3)],
            )
            .unwrap()
        };
        check_growth([500, 2000].map(|count| {
            let (clusters, steps) = found(&cubes(count, |_| 1.0, turned));
            assert!(clusters < count / 10, "{clusters} of {count}");
            steps
        }));
        check_growth([500, 2000].map(|count| {
            let (clusters, steps) = found(&cubes(count, |_| 1.0, moved));
            assert!(clusters < count / 10, "{clusters} of {count}");
            steps
        }));
    }

    #[test]
    fn steps_grow_with_the_number_of_nested_shells() {
        // Sizes in an order that has nothing to do with the numbers.
        let size = |x: f64| 1.0 + (0.618_033_988_75 * x).fract();
        check_growth([500, 2000].map(|count| {
            let (clusters, steps) = found(&cubes(count, size, |_| Pose::default()));
            assert_eq!(clusters, count);
            steps
        }));
    }
}
