//! Boundary of a volume mesh: the faces that belong to one element only.
//!
//! Faces are identified by their corners. Cost: one parallel sort of all faces of all elements,
//! with 24 bytes of memory for each face. The result is in the order of the elements.
//!
//! Faces point outward however an element is numbered: those of an element with a negative volume
//! are flipped, and the element is reported.

use super::connectivity::used_nodes;
use super::{FaceKind, FaceMesh, VolumeKind, VolumeMesh};
use crate::error::{Argument, Error, Result};
use crate::geometry::{Sign, orient3d, triangle};
use rayon::prelude::*;

/// The boundary of a volume mesh: the faces that belong to one element only.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct VolumeBoundary {
    /// The faces of the boundary as a mesh, with only the nodes that they use.
    pub mesh: FaceMesh,
    /// For each node of the boundary, its index in the volume mesh.
    pub nodes: Vec<u32>,
    /// For each face of the boundary, the index of the volume element to which it belongs.
    pub elements: Vec<u32>,
    /// The indices of the volume elements whose node order gives a negative volume, or whose volume
    /// is 0. For a [`VolumeKind::Wedge6`] both orders are accepted, so it is listed only if its
    /// volume is 0.
    pub inverted: Vec<u32>,
    /// The number of mismatched faces of the volume mesh: two elements share the corners of the
    /// face, but not its other nodes.
    pub mismatched: usize,
}

/// The sort key of a face of a volume element: the node indices of its corners, ascending (for a
/// triangle the last is `u32::MAX`), then the index of the element, then the index of the face in
/// the element.
type Key = ([u32; 4], u32, u8);

impl VolumeMesh {
    /// Returns the boundary of the volume mesh: the faces that belong to one element only, oriented
    /// outward.
    ///
    /// # Errors
    /// When more than two elements have the same face, or there is no boundary.
    pub fn boundary(&self) -> Result<VolumeBoundary> {
        let (open, mismatched) = self.open_faces()?;
        let mut inverted = Vec::new();
        let sides: Vec<Sign> = (0..self.len())
            .into_par_iter()
            .map(|e| self.side(e))
            .collect();
        for (e, &side) in sides.iter().enumerate() {
            let either_way = self.kinds()[e] == VolumeKind::Wedge6;
            if side == Sign::Zero || (side == Sign::Negative && !either_way) {
                inverted.push(e as u32);
            }
        }
        let (mut kinds, mut indices) = (Vec::with_capacity(open.len()), Vec::new());
        for &(e, f) in &open {
            let mirrored = sides[e as usize] == Sign::Negative;
            kinds.push(self.append_face(e as usize, f as usize, mirrored, &mut indices));
        }
        let nodes = used_nodes(self.nodes().len(), &mut indices);
        let coordinates = nodes.iter().map(|&node| self.nodes()[node as usize]);
        Ok(VolumeBoundary {
            mesh: FaceMesh::new(coordinates.collect(), kinds, indices)?,
            nodes,
            elements: open.iter().map(|&(e, _)| e).collect(),
            inverted,
            mismatched,
        })
    }

    /// Appends the node indices of face `face` of volume element `element` to `indices`, ordered so
    /// that the normal of the face points out of the element, whatever the node order of the
    /// element. Returns the kind of the face.
    pub fn append_outward_face(
        &self,
        element: usize,
        face: usize,
        indices: &mut Vec<u32>,
    ) -> FaceKind {
        let mirrored = self.side(element) == Sign::Negative;
        self.append_face(element, face, mirrored, indices)
    }

    /// Appends the node indices of face `f` of volume element `e` to `indices`, for the boundary;
    /// if `mirrored`, in an order that reverses the normal. Returns the kind of the face.
    fn append_face(&self, e: usize, f: usize, mirrored: bool, indices: &mut Vec<u32>) -> FaceKind {
        let (kind, local) = self.kinds()[e].face(f);
        let nodes = self.nodes_of(e);
        if mirrored {
            let turned = kind.turned().iter();
            indices.extend(turned.map(|&k| nodes[local[k] as usize]));
        } else {
            indices.extend(local.iter().map(|&k| nodes[k as usize]));
        }
        kind
    }

    /// Returns the faces on the boundary of the volume mesh, which belong to one element only. Each
    /// is given by the index of its element and its index in that element, and they are sorted by
    /// these. Also returns the number of mismatched faces, see [`VolumeBoundary::mismatched`].
    ///
    /// # Errors
    /// When more than two elements have the same face.
    pub fn open_faces(&self) -> Result<(Vec<(u32, u8)>, usize)> {
        let key = |e: u32, f: u8| {
            let (kind, local) = self.kinds()[e as usize].face(f as usize);
            let nodes = self.nodes_of(e as usize);
            let mut corners = [u32::MAX; 4];
            for (corner, &k) in corners.iter_mut().zip(&local[..kind.corners()]) {
                *corner = nodes[k as usize];
            }
            corners.sort_unstable();
            (corners, e, f)
        };
        let elements = 0..self.len() as u32;
        let mut keys: Vec<Key> = elements
            .into_par_iter()
            .flat_map_iter(|e| {
                let faces = 0..self.kinds()[e as usize].faces() as u8;
                faces.map(move |f| key(e, f))
            })
            .collect();
        keys.par_sort_unstable();

        let mut open: Vec<(u32, u8)> = Vec::new();
        let mut mismatched = 0;
        for same in keys.chunk_by(|a, b| a.0 == b.0) {
            match same {
                [(_, e, f)] => open.push((*e, *f)),
                [a, b] => mismatched += usize::from(!self.is_matched(*a, *b)),
                [(corners, ..), .., (_, e, _)] => {
                    let corners = corners.iter().filter(|&&node| node != u32::MAX);
                    let corners: Vec<_> = corners.collect();
                    let count = same.len();
                    return Err(Error::item(
                        Argument::Element,
                        *e as usize,
                        format!("the face of nodes {corners:?}, which {count} elements have"),
                        "faces of at most two elements",
                    ));
                }
                [] => {}
            }
        }
        open.sort_unstable();
        Ok((open, mismatched))
    }

    /// Returns whether two faces of volume elements, which have the same corners, match: both are
    /// linear, or they have the same kind and the same nodes.
    fn is_matched(&self, a: Key, b: Key) -> bool {
        let nodes = |(_, e, f): Key| -> (FaceKind, Vec<u32>) {
            let (kind, local) = self.kinds()[e as usize].face(f as usize);
            let nodes = self.nodes_of(e as usize);
            let mut nodes: Vec<u32> = local.iter().map(|&k| nodes[k as usize]).collect();
            nodes.sort_unstable();
            (kind, nodes)
        };
        let linear = |(_, e, f): Key| {
            let (kind, _) = self.kinds()[e as usize].face(f as usize);
            kind.degree() == 1
        };
        (linear(a) && linear(b)) || nodes(a) == nodes(b)
    }

    /// Returns the sign of the volume of element `e`. If it is negative, the faces of the element
    /// on the boundary are flipped. Only the corners of the element are used. The sign is exact for
    /// a tetrahedron. For other kinds it is the sign of the rounded volume, with quadrilateral
    /// faces as bilinear patches.
    fn side(&self, e: usize) -> Sign {
        let at = |k: u8| self.node_of(e, k);
        let kind = self.kinds()[e];
        if matches!(kind, VolumeKind::Tet4 | VolumeKind::Tet10) {
            return orient3d(at(0), at(1), at(2), at(3));
        }
        let origin = at(0);
        let volume = |a: u8, b: u8, c: u8| triangle::sixfold_volume(origin, [at(a), at(b), at(c)]);
        let mut sum = 0.0;
        for f in 0..kind.faces() {
            let (face, local) = kind.face(f);
            sum += match face.corners() {
                3 => volume(local[0], local[1], local[2]),
                // The volume of the bilinear patch is the mean over both diagonals.
                _ => {
                    let [a, b, c, d] = [local[0], local[1], local[2], local[3]];
                    0.5 * (volume(a, b, c) + volume(a, c, d) + volume(a, b, d) + volume(b, c, d))
                }
            };
        }
        Sign::of(sum)
    }
}
