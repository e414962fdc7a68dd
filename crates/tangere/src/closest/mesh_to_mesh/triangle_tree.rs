//! Triangles with a tree over them.

use crate::shape::TriMesh;
use crate::tree::{Slabs, Tree};
use rayon::prelude::*;

/// A surface of triangles that is compared with others, or with itself.
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
    /// The tree over the triangles, which it has numbers of its own for.
    pub(super) tree: Tree<3>,
    /// How far what is below each of its nodes reaches along its normal.
    pub(super) slabs: Slabs,
    /// Corners side by side, in the order of the tree: a look at a triangle is one at memory.
    pub(super) triangles: Vec<[[f64; 3]; 3]>,
    /// The face of each.
    pub(super) faces: Vec<u32>,
    /// The vertices of each.
    pub(super) vertices: Vec<[u32; 3]>,
}

impl TriangleTree {
    /// Prepares a surface.
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
        }
    }

    /// The number of triangles.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Whether there are none, which no mesh allows.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The corners of a triangle by its number in the tree.
    #[inline(always)]
    pub(super) fn triangle(&self, item: u32) -> [[f64; 3]; 3] {
        self.triangles[item as usize]
    }

    /// The face that has a number in the tree.
    #[inline(always)]
    pub(super) fn face(&self, item: u32) -> u32 {
        self.faces[item as usize]
    }
}
