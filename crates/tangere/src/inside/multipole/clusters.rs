//! Octree of clusters of triangles, the groups whose far field the multipole method expands
//! (`muth2006`, section 2.1.2).
//!
//! A cluster is the set of triangles whose centroids lie in one cell of an octree; cells are
//! refined until they hold few triangles. The centre and radius of a cluster are those of a ball
//! around the corners of its triangles, so that it covers triangles that reach beyond the cell. The
//! time to build the octree is proportional to the number of triangles times the number of levels.
//!
//! *Deviates:* only cells with too many triangles are refined, levels in which only one octant is
//! occupied are left out, and the centre is that of the box of the corners, so that radii are
//! smaller.

use super::corner_indices::CornerIndices;
use super::morton_order::{Cube, Keyed, LEVELS, octants, sort};
#[cfg(test)]
use super::unit_scale::unit_of;
use crate::geometry::Aabb;
use crate::geometry::vector::{cross, dot, minus};
#[cfg(test)]
use crate::shape::TriMesh;
use std::ops::Range;

/// The maximum number of triangles of a leaf cluster: the corners of its triangles have indices of
/// 16 bits.
pub(super) const LEAF_MOST: usize = 4096;

/// The index of the cluster that has all triangles of the surface itself, if there are also
/// triangles that close the holes of the surface.
pub(super) const FIRST_PART: u32 = 1;

/// A cluster: a set of nearby triangles of the surface, a node of an octree.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cluster {
    pub(super) center: [f64; 3],
    /// Upper bound of the distances of the corners of the cluster's triangles from its centre,
    /// above 0.
    pub(super) radius: f64,
    pub(super) area: f64,
    /// The integral over the cluster's triangles of the squared distance from its centre.
    pub(super) inertia: f64,
    /// The integral over the cluster's triangles of the position relative to its centre.
    leverage: [f64; 3],
    /// The lower corner of the bounding box of the cluster's triangles.
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
    /// The index of the cluster's first triangle in [`Clusters::faces`].
    first: u32,
    last: u32,
    /// The index in [`Clusters::corners`] of the first of the corners of the cluster's triangles.
    corners_first: u32,
    corners_last: u32,
    /// The index of the cluster's first child in [`Clusters::nodes`].
    children_first: u32,
    children: u32,
    pub(super) parent: u32,
    level: u32,
}

impl Cluster {
    /// Whether the cluster has no children.
    #[inline]
    pub(super) fn is_leaf(&self) -> bool {
        self.children == 0
    }

    /// The indices in [`Clusters::nodes`] of the children of the cluster.
    #[inline]
    pub(super) fn children(&self) -> Range<usize> {
        let first = self.children_first as usize;
        first..first + self.children as usize
    }

    /// The indices in [`Clusters::faces`] of the triangles of the cluster.
    #[inline]
    pub(super) fn faces(&self) -> Range<usize> {
        self.first as usize..self.last as usize
    }

    /// The indices in [`Clusters::corners`] of the corners of the cluster's triangles.
    #[inline]
    pub(super) fn corners(&self) -> Range<usize> {
        self.corners_first as usize..self.corners_last as usize
    }
}

/// A triangle of a leaf cluster.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Face {
    /// The indices of the triangle's corners among the corners of all triangles of its leaf
    /// cluster.
    pub(super) corners: [u16; 3],
    /// The outward normal of the triangle; its length is twice the triangle's area.
    pub(super) normal: [f64; 3],
}

/// A surface divided into clusters.
#[derive(Clone, Debug, Default)]
pub(super) struct Clusters {
    /// The clusters of the surface: the root first, then level by level.
    pub(super) nodes: Vec<Cluster>,
    /// The index in `nodes` of the first cluster of each level, and at last the number of clusters.
    pub(super) levels: Vec<usize>,
    pub(super) faces: Vec<Face>,
    /// The corners of the triangles of leaf clusters, leaf by leaf. Each corner is stored once for
    /// each leaf cluster that uses it.
    pub(super) corners: Vec<[f64; 3]>,
    /// The indices in `nodes` of the leaf clusters, in the order of their triangles.
    leaves: Vec<u32>,
    /// The power of two by which all coordinates of the mesh are multiplied, so that the longest
    /// side of the surface's box is between 1 and 2.
    pub(super) unit: f64,
    keys: Vec<Keyed>,
    second_keys: Vec<Keyed>,
    scratch: Vec<Keyed>,
    corner_indices: CornerIndices,
}

impl Clusters {
    /// Builds the octree of clusters of a mesh. A cluster is a leaf if it has at most `leaf`
    /// triangles, or if it is on the last of `depth` levels.
    #[cfg(test)]
    pub(super) fn build(&mut self, mesh: &TriMesh, leaf: usize, depth: u32) {
        let parts = [mesh.faces(), &[]];
        self.build_parts(mesh.vertices(), parts, leaf, depth, unit_of(mesh));
    }

    /// Builds the octree of clusters of a surface that consists of two parts. The parts share no
    /// cluster but the root: the first part is below the cluster [`FIRST_PART`]. If the second part
    /// is empty, then the root is not divided in this way.
    pub(super) fn build_parts(
        &mut self,
        vertices: &[[f64; 3]],
        parts: [&[[u32; 3]]; 2],
        leaf: usize,
        depth: u32,
        unit: f64,
    ) {
        self.unit = unit;
        let at = |v: u32| vertices[v as usize].map(|x| x * unit);
        let corners = parts.iter().flat_map(|part| part.as_flattened());
        let bounds: Aabb<3> = Aabb::of_points(corners.map(|&v| at(v)));
        let cube = Cube::around(bounds.min, bounds.max);
        self.keys.clear();
        self.second_keys.clear();
        let mut number = 0u32..;
        for (part, keys) in parts
            .into_iter()
            .zip([&mut self.keys, &mut self.second_keys])
        {
            keys.extend(part.iter().zip(&mut number).map(|(face, i)| {
                let [a, b, c] = face.map(at);
                let middle = std::array::from_fn(|k| (a[k] + b[k] + c[k]) * (1.0 / 3.0));
                (cube.key(middle), i)
            }));
            sort(keys, &mut self.scratch);
        }
        let first = self.keys.len();
        self.keys.append(&mut self.second_keys);
        self.divide(first, leaf.clamp(1, LEAF_MOST), depth.min(LEVELS));
        self.fill(vertices, parts);
        for i in (0..self.nodes.len()).rev() {
            self.measure(i);
        }
    }

    /// The corners of a triangle of a leaf cluster, in the coordinates of the mesh.
    #[inline]
    pub(super) fn triangle(&self, cluster: usize, face: usize) -> [[f64; 3]; 3] {
        let corners = &self.corners[self.nodes[cluster].corners()];
        // Division by a power of two is exact.
        self.faces[face]
            .corners
            .map(|c| corners[c as usize].map(|x| x / self.unit))
    }

    /// Makes the octree of clusters of a surface whose first part, of two, has `first` triangles. A
    /// cluster is a leaf if it has at most `leaf` triangles, or if it is on level `depth`.
    fn divide(&mut self, first: usize, leaf: usize, depth: u32) {
        self.nodes.clear();
        self.levels.clear();
        self.nodes.push(Cluster {
            last: self.keys.len() as u32,
            ..Cluster::default()
        });
        let mut from = 0;
        while from < self.nodes.len() {
            self.levels.push(from);
            let to = self.nodes.len();
            for i in from..to {
                let node = self.nodes[i];
                self.nodes[i].children_first = self.nodes.len() as u32;
                match i == 0 && first < self.keys.len() {
                    true => self.halve(i, node, first as u32, 0),
                    false => self.divide_node(i, node, leaf, depth),
                }
                self.nodes[i].children = self.nodes.len() as u32 - self.nodes[i].children_first;
            }
            from = to;
        }
        self.levels.push(from);
        self.leaves.clear();
        let nodes = &self.nodes;
        self.leaves
            .extend((0..nodes.len() as u32).filter(|&i| nodes[i as usize].is_leaf()));
        self.leaves
            .sort_unstable_by_key(|&i| nodes[i as usize].first);
    }

    /// Divides cluster `i` into the octants of its octree cell. It becomes a leaf instead if it has
    /// at most `leaf` triangles, or if it is on level `depth`.
    fn divide_node(&mut self, i: usize, node: Cluster, leaf: usize, depth: u32) {
        let count = node.faces().len();
        let mut level = node.level;
        while level < depth && count > leaf {
            let starts = octants(&self.keys[node.faces()], level);
            level += 1;
            if starts.windows(2).any(|pair| pair[1] - pair[0] == count) {
                continue;
            }
            for pair in starts.windows(2).filter(|pair| pair[0] < pair[1]) {
                self.nodes.push(Cluster {
                    first: node.first + pair[0] as u32,
                    last: node.first + pair[1] as u32,
                    parent: i as u32,
                    level,
                    ..Cluster::default()
                });
            }
            return;
        }
        // Cells are not refined further, but corner indices must fit.
        if count > LEAF_MOST {
            self.halve(i, node, node.first + (count / 2) as u32, LEVELS);
        }
    }

    /// Splits cluster `i` into two children: its triangles before the index `middle`, and those
    /// from `middle` on. Both children get the octree level `level`.
    fn halve(&mut self, i: usize, node: Cluster, middle: u32, level: u32) {
        for (first, last) in [(node.first, middle), (middle, node.last)] {
            self.nodes.push(Cluster {
                first,
                last,
                parent: i as u32,
                level,
                ..Cluster::default()
            });
        }
    }

    /// Collects the triangles of the leaf clusters and their corners, leaf by leaf. A face with an
    /// index beyond `faces` is taken from `more`.
    fn fill(&mut self, vertices: &[[f64; 3]], [faces, more]: [&[[u32; 3]]; 2]) {
        self.faces.clear();
        self.corners.clear();
        for &leaf in &self.leaves {
            let node = &mut self.nodes[leaf as usize];
            let corners_first = self.corners.len();
            self.corner_indices.clear(node.faces().len());
            for &(_, face) in &self.keys[node.first as usize..node.last as usize] {
                let face = face as usize;
                let face = faces.get(face).unwrap_or_else(|| &more[face - faces.len()]);
                let corners = face.map(|v| {
                    let count = self.corners.len() - corners_first;
                    let place = self.corner_indices.index_of(v, count as u16);
                    if place as usize == count {
                        let p = vertices[v as usize];
                        self.corners.push(p.map(|x| x * self.unit));
                    }
                    place
                });
                let [a, b, c] = corners.map(|c| self.corners[corners_first + c as usize]);
                let normal = cross(minus(b, a), minus(c, a));
                self.faces.push(Face { corners, normal });
            }
            node.corners_first = corners_first as u32;
            node.corners_last = self.corners.len() as u32;
        }
    }

    /// Computes the box, centre, radius and integrals of a cluster from those of its children or,
    /// for a leaf, from its triangles.
    fn measure(&mut self, i: usize) {
        let mut node = self.nodes[i];
        let mut low = [f64::INFINITY; 3];
        let mut high = [f64::NEG_INFINITY; 3];
        let mut include = |p: [f64; 3], q: [f64; 3]| {
            for k in 0..3 {
                low[k] = low[k].min(p[k]);
                high[k] = high[k].max(q[k]);
            }
        };
        if node.is_leaf() {
            for &p in &self.corners[node.corners()] {
                include(p, p);
            }
        } else {
            let children = &self.nodes[node.children()];
            node.corners_first = children[0].corners_first;
            node.corners_last = children[children.len() - 1].corners_last;
            for child in children {
                include(child.low, child.high);
            }
        }
        (node.low, node.high) = (low, high);
        node.center = std::array::from_fn(|k| 0.5 * (low[k] + high[k]));
        let away = |p: [f64; 3]| minus(p, node.center);
        // The corners of large clusters are too many to visit on every level.
        let square = if node.is_leaf() || node.corners().len() < 4096 {
            let corners = self.corners[node.corners()].iter();
            corners.fold(0.0, |most: f64, &p| most.max(dot(away(p), away(p))))
        } else {
            let children = self.nodes[node.children()].iter();
            let radius = children.fold(0.0, |most: f64, child| {
                most.max(dot(away(child.center), away(child.center)).sqrt() + child.radius)
            });
            let corner = minus(high, node.center);
            (radius * radius).min(dot(corner, corner))
        };
        // Rounded up, and never 0, because it is a divisor.
        node.radius = square.sqrt().max(1e-30) * (1.0 + 1e-14);
        if node.is_leaf() {
            let corners = &self.corners[node.corners()];
            for face in &self.faces[node.faces()] {
                let area = 0.5 * dot(face.normal, face.normal).sqrt();
                let [a, b, c] = face.corners.map(|c| away(corners[c as usize]));
                let sum: [f64; 3] = std::array::from_fn(|k| a[k] + b[k] + c[k]);
                let squares = dot(a, a) + dot(b, b) + dot(c, c) + dot(sum, sum);
                node.area += area;
                node.inertia += area * squares * (1.0 / 12.0);
                for k in 0..3 {
                    node.leverage[k] += area * sum[k] * (1.0 / 3.0);
                }
            }
        } else {
            for child in &self.nodes[node.children()] {
                let d = away(child.center);
                node.area += child.area;
                node.inertia +=
                    child.inertia + 2.0 * dot(d, child.leverage) + dot(d, d) * child.area;
                for k in 0..3 {
                    node.leverage[k] += child.leverage[k] + d[k] * child.area;
                }
            }
        }
        self.nodes[i] = node;
    }
}

/// The indices of the leaf clusters below a cluster of the octree, or the cluster itself if it is a
/// leaf.
pub(super) fn leaves(clusters: &Clusters, cluster: u32) -> impl Iterator<Item = u32> {
    let mut open = vec![cluster];
    std::iter::from_fn(move || {
        loop {
            let c = open.pop()?;
            let node = &clusters.nodes[c as usize];
            if node.is_leaf() {
                return Some(c);
            }
            open.extend(node.children().map(|c| c as u32));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn clusters_cover_their_triangles() {
        let mesh = generate::sphere(5).unwrap();
        let mut clusters = Clusters::default();
        for (leaf, depth) in [(1, 21), (10, 21), (100, 21), (1, 3), (1, 0)] {
            clusters.build(&mesh, leaf, depth);
            let nodes = &clusters.nodes;
            assert_eq!(nodes[0].faces(), 0..mesh.faces().len());
            let area: f64 = mesh
                .faces()
                .iter()
                .map(|face| {
                    let [a, b, c] = face.map(|v| mesh.vertices()[v as usize]);
                    let n = cross(minus(b, a), minus(c, a));
                    0.5 * dot(n, n).sqrt()
                })
                .sum();
            let scale = clusters.unit * clusters.unit;
            assert!((nodes[0].area - area * scale).abs() < 1e-12);
            for (i, node) in nodes.iter().enumerate() {
                assert!(node.is_leaf() || node.children().len() > 1);
                let children = nodes[node.children()].iter();
                assert!(children.clone().all(|child| child.parent as usize == i));
                let faces: usize = children.map(|child| child.faces().len()).sum();
                assert!(node.is_leaf() || faces == node.faces().len());
                for &p in &clusters.corners[node.corners()] {
                    let d = minus(p, node.center);
                    assert!(dot(d, d).sqrt() <= node.radius);
                }
                assert!(node.inertia <= node.area * node.radius * node.radius);
            }
            if depth == 21 {
                let leaves = nodes.iter().filter(|node| node.is_leaf());
                assert!(leaves.clone().all(|node| node.faces().len() <= leaf));
            }
        }
    }

    #[test]
    fn many_triangles_in_one_place_are_divided() {
        let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let mesh = TriMesh::new(vertices, vec![[0, 1, 2]; 10_000]).unwrap();
        let mut clusters = Clusters::default();
        clusters.build(&mesh, 8, 21);
        let leaves = clusters.nodes.iter().filter(|node| node.is_leaf());
        assert!(leaves.clone().all(|node| node.faces().len() <= LEAF_MOST));
        let faces: usize = leaves.map(|node| node.faces().len()).sum();
        assert_eq!(faces, 10_000);
    }
}
