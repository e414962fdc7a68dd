//! Triangle tree: the triangles of a mesh with a BVH over them.
//!
//! Triangles are stored in tree order, the order in which the nodes of the BVH refer to them.

use super::containment::Solid;
use super::nearest_pairs::TriangleObbs;
use crate::geometry::Aabb;
use crate::shape::TriMesh;
use crate::tree::{Slabs, Tree};
use rayon::prelude::*;
use std::sync::OnceLock;

/// A triangle mesh prepared for distance, intersection and self-intersection queries.
///
/// ```
/// use tangere::closest::TriangleTree;
/// use tangere::generate;
/// use tangere::geometry::{IntersectionKind, Pose};
///
/// let sphere = TriangleTree::new(&generate::sphere(3)?);
/// let aside: Pose = "0.5,0.01,0.02".parse()?;
/// let mut found = Vec::new();
/// sphere.intersections(&sphere, &aside, &mut found);
/// assert!(found.len() > 50);
/// assert!(found.iter().all(|pair| pair.kind == IntersectionKind::Crossing));
///
/// let beside: Pose = "3,0,0".parse()?;
/// assert!(!sphere.intersects(&sphere, &beside));
/// assert_eq!(sphere.distance(&sphere, &beside).distance, 1.0);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TriangleTree {
    /// The BVH over the triangles of the mesh. It refers to a triangle by its index in tree order,
    /// the order in which this struct stores the triangles.
    pub(super) tree: Tree<3>,
    /// The slab of each node of the BVH: the extent of its triangles along their mean normal.
    pub(super) slabs: Slabs,
    /// The corners of each triangle, so that a triangle is read by one memory access. The triangles
    /// are in tree order, the order in which the BVH refers to them.
    pub(super) triangles: Vec<[[f64; 3]; 3]>,
    /// The index in the mesh of each triangle, in tree order.
    pub(super) faces: Vec<u32>,
    /// The vertex indices of each triangle, in tree order.
    pub(super) vertices: Vec<[u32; 3]>,
    /// The bounding box of the triangles.
    pub(super) bounds: Aabb<3>,
    /// The solid that the mesh encloses. It is computed at the first query that needs containment,
    /// and is `None` if the mesh is open or not consistently oriented.
    pub(super) solid: OnceLock<Option<Solid>>,
    /// The oriented bounding boxes of the triangles, fitted at the first distance query.
    obbs: OnceLock<TriangleObbs>,
}

impl TriangleTree {
    /// Builds the triangle tree of a mesh.
    pub fn new(mesh: &TriMesh) -> Self {
        let mut tree = Tree::of_mesh(mesh);
        let faces = tree.renumbered();
        let triangle = |&face: &u32| mesh.triangle(face as usize);
        let vertices = |&face: &u32| mesh.faces()[face as usize];
        let triangles: Vec<[[f64; 3]; 3]> = faces.par_iter().map(triangle).collect();
        Self {
            slabs: tree.slabs(&triangles),
            triangles,
            vertices: faces.par_iter().map(vertices).collect(),
            tree,
            faces,
            bounds: mesh.bounds(),
            solid: OnceLock::new(),
            obbs: OnceLock::new(),
        }
    }

    /// The number of triangles in the triangle tree.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Whether the triangle tree has no triangles; never true, as a mesh has at least one.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The bounding box of the mesh.
    pub fn bounds(&self) -> Aabb<3> {
        self.bounds
    }

    /// The oriented bounding boxes of the triangles.
    pub(super) fn obbs(&self) -> &TriangleObbs {
        (self.obbs).get_or_init(|| TriangleObbs::new(&self.tree, &self.triangles))
    }

    /// The corners of a triangle of the triangle tree, by its index in tree order.
    #[inline(always)]
    pub(super) fn triangle(&self, item: u32) -> [[f64; 3]; 3] {
        self.triangles[item as usize]
    }

    /// The index in the mesh of a triangle of the triangle tree, by its index in tree order.
    #[inline(always)]
    pub(super) fn face(&self, item: u32) -> u32 {
        self.faces[item as usize]
    }
}
