//! Surface meshes of finite element faces, of mixed kinds.
//!
//! Connectivity is one list of node indices, the offsets of the faces in it, and a byte for the
//! kind of each face: `4 n + 5` bytes for a face of `n` nodes.

use super::connectivity::{starts, used_nodes};
use super::{Face, FaceKind};
use crate::error::{Argument, Error, Result};
use crate::geometry::{Aabb, Ball, Similarity, check_points, flushed};
use crate::parallel;
use crate::shape::TriMesh;
use rayon::prelude::*;
use std::ops::Range;

/// A surface of finite element faces, or a curve of segments in a plane of constant `z`, validated:
/// predicates are exact on its coordinates, node indices are in range and differ within a face,
/// segments and other faces are not mixed, there is at least one face, and the AABB of the nodes is
/// not a single point.
///
/// ```
/// use tangere::shape::{FaceKind, FaceMesh};
///
/// // A triangle beside a quadrilateral.
/// let nodes = vec![[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [2., 0., 0.]];
/// let kinds = vec![FaceKind::Quad4, FaceKind::Tri3];
/// let mesh = FaceMesh::new(nodes, kinds, vec![0, 1, 2, 3, 1, 4, 2])?;
/// assert_eq!(mesh.nodes_of(1), [1, 4, 2]);
/// assert_eq!(mesh.face(0).point([0.0, 0.0]), [0.5, 0.5, 0.0]);
/// assert_eq!(mesh.topology().neighbor(0, 1).map(|side| side.face), Some(1));
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FaceMesh {
    nodes: Vec<[f64; 3]>,
    kinds: Vec<FaceKind>,
    /// For each face of the mesh, the offset of its nodes in `indices`; at the end, the length of
    /// `indices`.
    starts: Vec<u32>,
    indices: Vec<u32>,
}

impl FaceMesh {
    /// Returns a face mesh with one face for each of `kinds`. `indices` has the node indices of all
    /// faces, one face after another.
    pub fn new(nodes: Vec<[f64; 3]>, kinds: Vec<FaceKind>, indices: Vec<u32>) -> Result<Self> {
        let counts = kinds.iter().map(|kind| kind.nodes());
        let starts = starts((Argument::Faces, "faces"), counts, &nodes, &indices)?;
        let mesh = FaceMesh {
            nodes,
            kinds,
            starts,
            indices,
        };
        mesh.check()?;
        Ok(mesh)
    }

    /// Returns a face mesh of faces of one kind. `indices` has their node indices, one face after
    /// another.
    ///
    /// # Errors
    /// As [`FaceMesh::new`], or when the number of indices is not a multiple of the number of nodes
    /// of a face.
    pub fn uniform(nodes: Vec<[f64; 3]>, kind: FaceKind, indices: Vec<u32>) -> Result<Self> {
        let each = kind.nodes();
        if !indices.len().is_multiple_of(each) {
            return Err(Error::argument(
                Argument::Faces,
                format!("{} node numbers", indices.len()),
                format!("a multiple of {each}, the nodes of a {kind}"),
            ));
        }
        let kinds = vec![kind; indices.len() / each];
        Self::new(nodes, kinds, indices)
    }

    /// Returns a face mesh of faces that are given one by one, each as its kind and its node
    /// indices.
    ///
    /// # Errors
    /// As [`FaceMesh::new`]. The error names a face whose number of nodes is not that of its kind.
    pub fn from_faces<'a>(
        nodes: Vec<[f64; 3]>,
        faces: impl IntoIterator<Item = (FaceKind, &'a [u32])>,
    ) -> Result<Self> {
        let (mut kinds, mut indices) = (Vec::new(), Vec::new());
        for (i, (kind, face)) in faces.into_iter().enumerate() {
            if face.len() != kind.nodes() {
                return Err(Error::item(
                    Argument::Face,
                    i,
                    format!("a {kind} with {} nodes", face.len()),
                    format!("{} nodes", kind.nodes()),
                ));
            }
            kinds.push(kind);
            indices.extend_from_slice(face);
        }
        Self::new(nodes, kinds, indices)
    }

    /// Returns a planar face mesh: a curve of segments in the plane `z = 0`. `indices` has their
    /// node indices, one segment after another.
    ///
    /// # Errors
    /// As [`FaceMesh::uniform`], or when the kind is not one of segments.
    pub fn planar(nodes: &[[f64; 2]], kind: FaceKind, indices: Vec<u32>) -> Result<Self> {
        if kind.dimension() != 1 {
            return Err(Error::argument(
                Argument::Kind,
                format!("{kind} with nodes of two coordinates"),
                "seg2 or seg3, or nodes of three coordinates",
            ));
        }
        check_points(Argument::Node, nodes)?;
        let nodes = nodes.iter().map(|&[x, y]| [x, y, 0.0]).collect();
        Self::uniform(nodes, kind, indices)
    }

    /// Returns the face mesh of a triangle mesh: its triangles as faces, in their order.
    ///
    /// # Errors
    /// When a triangle repeats a vertex.
    pub fn from_triangles(mesh: &TriMesh) -> Result<Self> {
        Self::uniform(
            mesh.vertices().to_vec(),
            FaceKind::Tri3,
            mesh.faces().as_flattened().to_vec(),
        )
    }

    /// Rejects an invalid face mesh: coordinates out of range, node indices out of range or
    /// repeated in a face, segments mixed with other faces, segments not in one plane of constant
    /// `z`, no faces, or all nodes at one point.
    fn check(&self) -> Result<()> {
        check_points(Argument::Node, &self.nodes)?;
        let count = self.nodes.len();
        let is_bad = |f: usize| {
            let face = self.nodes_of(f);
            let repeated = |i: usize| face[..i].contains(&face[i]);
            face.iter().any(|&node| node as usize >= count) || (1..face.len()).any(repeated)
        };
        if let Some(f) = parallel::first(self.len(), is_bad) {
            let expected = if self.nodes_of(f).iter().any(|&node| node as usize >= count) {
                format!("indices below {count}, the number of nodes")
            } else {
                "nodes that differ".to_owned()
            };
            let found = format!("{} of nodes {:?}", self.kind(f), self.nodes_of(f));
            return Err(Error::item(Argument::Face, f, found, expected));
        }
        let Some(&first) = self.kinds.first() else {
            return Err(Error::argument(
                Argument::Mesh,
                "no faces",
                "at least one face",
            ));
        };
        let differs = |kind: &FaceKind| kind.dimension() != first.dimension();
        if let Some(f) = self.kinds.iter().position(differs) {
            return Err(Error::item(
                Argument::Face,
                f,
                format!("{} in a mesh that begins with {first}", self.kind(f)),
                match first.dimension() {
                    1 => "segments only",
                    _ => "no segments",
                },
            ));
        }
        if self.is_planar() {
            let height = |&node: &u32| self.nodes[node as usize][2];
            let plane = height(&self.indices[0]);
            if let Some(node) = self.indices.iter().find(|node| height(node) != plane) {
                return Err(Error::item(
                    Argument::Node,
                    *node as usize,
                    format!("{:?}", self.nodes[*node as usize]),
                    format!("z = {plane}, since segments lie in a plane of constant z"),
                ));
            }
        }
        let place = self.nodes[self.indices[0] as usize];
        let is_there = |&node: &u32| self.nodes[node as usize] == place;
        if self.indices.iter().all(is_there) {
            return Err(Error::argument(
                Argument::Mesh,
                format!("all nodes of faces at {place:?}"),
                "a surface that has an extent",
            ));
        }
        Ok(())
    }

    /// The coordinates of the nodes of the face mesh, including unused nodes.
    #[inline]
    pub fn nodes(&self) -> &[[f64; 3]] {
        &self.nodes
    }

    /// The number of faces of the face mesh.
    #[inline]
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether the face mesh has no faces; never true.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Returns whether the face mesh is planar: a curve of segments in a plane of constant `z`.
    #[inline]
    pub fn is_planar(&self) -> bool {
        self.kinds.first().is_some_and(|kind| kind.dimension() == 1)
    }

    /// Returns whether any face of the face mesh is quadratic, so that its shape depends on more
    /// nodes than its corners.
    pub fn is_quadratic(&self) -> bool {
        self.kinds.iter().any(|kind| kind.degree() == 2)
    }

    /// The kind of each face of the face mesh.
    #[inline]
    pub fn kinds(&self) -> &[FaceKind] {
        &self.kinds
    }

    /// The kind of one face of the face mesh.
    #[inline]
    pub fn kind(&self, face: usize) -> FaceKind {
        self.kinds[face]
    }

    /// The node indices of all faces of the face mesh, one face after another.
    #[inline]
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// For each face of the face mesh, the offset of its nodes in [`indices`](Self::indices); at
    /// the end, the length of `indices`.
    #[inline]
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The node indices of one face of the face mesh.
    #[inline]
    pub fn nodes_of(&self, face: usize) -> &[u32] {
        &self.indices[self.starts[face] as usize..self.starts[face + 1] as usize]
    }

    /// One face of the face mesh, with the coordinates of its nodes.
    #[inline]
    pub fn face(&self, face: usize) -> Face {
        let mut nodes = [[0.0; 3]; FaceKind::NODES_MAX];
        let numbers = self.nodes_of(face);
        for (place, &node) in nodes.iter_mut().zip(numbers) {
            *place = self.nodes[node as usize];
        }
        Face::from_valid(self.kinds[face], &nodes[..numbers.len()])
    }

    /// Iterates over runs of consecutive faces of the same kind in the face mesh: the kind, and the
    /// range of face indices. So loops need not branch on the kind of each face.
    pub fn runs(&self) -> impl Iterator<Item = (FaceKind, Range<usize>)> {
        let mut start = 0;
        self.kinds.chunk_by(|a, b| a == b).map(move |run| {
            let faces = start..start + run.len();
            start = faces.end;
            (run[0], faces)
        })
    }

    /// Returns an AABB of one face of the face mesh, see [`Face::bounds`].
    #[inline]
    pub fn face_bounds(&self, face: usize) -> Aabb<3> {
        self.face(face).bounds()
    }

    /// Returns a bounding sphere of one face of the face mesh, see [`Face::ball`].
    pub fn face_ball(&self, face: usize) -> Ball<3> {
        self.face(face).ball()
    }

    /// Returns an AABB of all faces of the face mesh.
    pub fn bounds(&self) -> Aabb<3> {
        // Chunks have a fixed size and a fixed order: -0 and 0 are equal, so another order might
        // give other bits.
        const CHUNK: usize = 4096;
        let chunks = (0..self.len().div_ceil(CHUNK)).into_par_iter();
        let boxes: Vec<Aabb<3>> = chunks
            .map(|chunk| {
                let faces = chunk * CHUNK..self.len().min((chunk + 1) * CHUNK);
                let boxes = faces.map(|f| self.face_bounds(f));
                boxes.fold(Aabb::EMPTY, |all, next| all.union(&next))
            })
            .collect();
        let union = |all: Aabb<3>, next: &Aabb<3>| all.union(next);
        boxes.iter().fold(Aabb::EMPTY, union)
    }

    /// Returns the face mesh moved by a similarity. If the similarity is a reflection, the faces
    /// are reversed, so that normals still point outward. Coordinates too small for exact
    /// predicates become 0.
    pub fn transformed(&self, motion: &Similarity) -> Result<Self> {
        let moved = |&p: &[f64; 3]| flushed(motion.apply(p));
        let nodes = self.nodes.par_iter().map(moved).collect();
        // A reflection of a planar curve within its plane reverses it too, but one that reflects
        // `z` does not.
        let turns = match self.is_planar() {
            true => {
                let axes = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(|p| motion.apply(p));
                let [x, y] = [1, 2].map(|i| [0, 1].map(|k| axes[i][k] - axes[0][k]));
                x[0] * y[1] < x[1] * y[0]
            }
            false => motion.mirrors(),
        };
        let mut indices = self.indices.clone();
        if turns {
            for f in 0..self.len() {
                let range = self.starts[f] as usize..self.starts[f + 1] as usize;
                let order = self.kinds[f].turned();
                for (place, &from) in indices[range].iter_mut().zip(order) {
                    *place = self.nodes_of(f)[from];
                }
            }
        }
        Self::new(nodes, self.kinds.clone(), indices)
    }

    /// Returns the nodes, the kinds of the faces and the node indices of the face mesh.
    pub fn into_parts(self) -> (Vec<[f64; 3]>, Vec<FaceKind>, Vec<u32>) {
        (self.nodes, self.kinds, self.indices)
    }

    /// Returns the face mesh without unused nodes, and for each node that is left its former index.
    pub fn compacted(self) -> Result<(Self, Vec<u32>)> {
        let (nodes, kinds, mut indices) = self.into_parts();
        let used = used_nodes(nodes.len(), &mut indices);
        let kept = used.iter().map(|&node| nodes[node as usize]).collect();
        Ok((Self::new(kept, kinds, indices)?, used))
    }
}
