//! Kinds of volume elements (tetrahedra, hexahedra, wedges, pyramids): nodes, faces, VTK codes.
//!
//! Nodes are ordered as in VTK: corners, then one node on each edge, then the nodes at the centres
//! of faces, then the node at the centre of the element. Corners 0 to 2 of a tetrahedron and
//! corners 0 to 3 of a hexahedron or pyramid run counterclockwise as seen from the other corners,
//! and so do corners 0 to 2 of a wedge as seen from corners 3 to 5.
//!
//! *Deviates* from VTK's `vtkWedge`, whose first triangle runs the other way; VTK's quadratic wedge
//! and all other formats agree with the order here. Faces of elements that are numbered inside out
//! are flipped, so both orders work.

use super::FaceKind;
use std::fmt;

/// A kind of volume element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum VolumeKind {
    /// A tetrahedron with straight edges.
    Tet4,
    /// A quadratic tetrahedron.
    Tet10,
    /// A trilinear hexahedron.
    Hex8,
    /// A quadratic hexahedron without nodes in its faces (serendipity).
    Hex20,
    /// A triquadratic hexahedron.
    Hex27,
    /// A wedge (triangular prism) with straight edges.
    Wedge6,
    /// A quadratic wedge without nodes in its faces.
    Wedge15,
    /// A quadratic wedge with nodes at the centres of its quadrilateral faces.
    Wedge18,
    /// A pyramid on a quadrilateral, with straight edges.
    Pyramid5,
    /// A quadratic pyramid without a node in its base.
    Pyramid13,
    /// A quadratic pyramid with a node in its base.
    Pyramid14,
}

/// For each face of a tetrahedron, the indices of its nodes in the volume element, ordered so that
/// the normal points outward. These are the six nodes of the faces of [`VolumeKind::Tet10`]; the
/// faces of [`VolumeKind::Tet4`] have the first three of them. The tables of the other elements,
/// which follow, have the same form.
const TETRAHEDRON: [&[u8]; 4] = [
    &[0, 1, 3, 4, 8, 7],
    &[1, 2, 3, 5, 9, 8],
    &[2, 0, 3, 6, 7, 9],
    &[0, 2, 1, 6, 5, 4],
];
const HEXAHEDRON: [&[u8]; 6] = [
    &[0, 4, 7, 3, 16, 15, 19, 11, 20],
    &[1, 2, 6, 5, 9, 18, 13, 17, 21],
    &[0, 1, 5, 4, 8, 17, 12, 16, 22],
    &[3, 7, 6, 2, 19, 14, 18, 10, 23],
    &[0, 3, 2, 1, 11, 10, 9, 8, 24],
    &[4, 5, 6, 7, 12, 13, 14, 15, 25],
];
const WEDGE: [&[u8]; 5] = [
    &[0, 2, 1, 8, 7, 6],
    &[3, 4, 5, 9, 10, 11],
    &[0, 1, 4, 3, 6, 13, 9, 12, 15],
    &[1, 2, 5, 4, 7, 14, 10, 13, 16],
    &[2, 0, 3, 5, 8, 12, 11, 14, 17],
];
const PYRAMID: [&[u8]; 5] = [
    &[0, 3, 2, 1, 8, 7, 6, 5, 13],
    &[0, 1, 4, 5, 10, 9],
    &[1, 2, 4, 6, 11, 10],
    &[2, 3, 4, 7, 12, 11],
    &[3, 0, 4, 8, 9, 12],
];

impl VolumeKind {
    /// Maximum number of nodes of a volume element, over all kinds.
    pub const NODES_MAX: usize = 27;

    /// All kinds of volume elements.
    pub const ALL: [VolumeKind; 11] = [
        VolumeKind::Tet4,
        VolumeKind::Tet10,
        VolumeKind::Hex8,
        VolumeKind::Hex20,
        VolumeKind::Hex27,
        VolumeKind::Wedge6,
        VolumeKind::Wedge15,
        VolumeKind::Wedge18,
        VolumeKind::Pyramid5,
        VolumeKind::Pyramid13,
        VolumeKind::Pyramid14,
    ];

    /// The number of nodes of a volume element of this kind.
    #[inline]
    pub const fn nodes(self) -> usize {
        match self {
            VolumeKind::Tet4 => 4,
            VolumeKind::Tet10 => 10,
            VolumeKind::Hex8 => 8,
            VolumeKind::Hex20 => 20,
            VolumeKind::Hex27 => 27,
            VolumeKind::Wedge6 => 6,
            VolumeKind::Wedge15 => 15,
            VolumeKind::Wedge18 => 18,
            VolumeKind::Pyramid5 => 5,
            VolumeKind::Pyramid13 => 13,
            VolumeKind::Pyramid14 => 14,
        }
    }

    /// Returns the name of the kind of volume element: `tet4`, `tet10`, `hex8` and so on.
    pub const fn name(self) -> &'static str {
        match self {
            VolumeKind::Tet4 => "tet4",
            VolumeKind::Tet10 => "tet10",
            VolumeKind::Hex8 => "hex8",
            VolumeKind::Hex20 => "hex20",
            VolumeKind::Hex27 => "hex27",
            VolumeKind::Wedge6 => "wedge6",
            VolumeKind::Wedge15 => "wedge15",
            VolumeKind::Wedge18 => "wedge18",
            VolumeKind::Pyramid5 => "pyramid5",
            VolumeKind::Pyramid13 => "pyramid13",
            VolumeKind::Pyramid14 => "pyramid14",
        }
    }

    /// Returns the code of this kind of volume element in VTK files; [`VolumeKind::Pyramid14`] has
    /// none.
    pub const fn vtk_code(self) -> Option<u8> {
        Some(match self {
            VolumeKind::Tet4 => 10,
            VolumeKind::Tet10 => 24,
            VolumeKind::Hex8 => 12,
            VolumeKind::Hex20 => 25,
            VolumeKind::Hex27 => 29,
            VolumeKind::Wedge6 => 13,
            VolumeKind::Wedge15 => 26,
            VolumeKind::Wedge18 => 32,
            VolumeKind::Pyramid5 => 14,
            VolumeKind::Pyramid13 => 27,
            VolumeKind::Pyramid14 => return None,
        })
    }

    /// Returns the kind of volume element with this code in VTK files; none if no kind has it.
    pub fn from_vtk_code(code: u8) -> Option<Self> {
        VolumeKind::ALL
            .into_iter()
            .find(|kind| kind.vtk_code() == Some(code))
    }

    /// The number of faces of a volume element of this kind.
    #[inline]
    pub fn faces(self) -> usize {
        self.table().len()
    }

    /// Returns face `face` of this kind of volume element: the kind of the face, and the indices of
    /// its nodes in the element, ordered so that its normal points out of the element.
    #[inline]
    pub fn face(self, face: usize) -> (FaceKind, &'static [u8]) {
        use VolumeKind as V;
        let all = self.table()[face];
        let kind = match (all.len(), self) {
            (6, V::Tet4 | V::Wedge6 | V::Pyramid5) => FaceKind::Tri3,
            (6, _) => FaceKind::Tri6,
            (_, V::Hex8 | V::Wedge6 | V::Pyramid5) => FaceKind::Quad4,
            (_, V::Hex20 | V::Wedge15 | V::Pyramid13) => FaceKind::Quad8,
            _ => FaceKind::Quad9,
        };
        (kind, &all[..kind.nodes()])
    }

    /// Returns, for each face of this kind of volume element, the indices of its nodes in the
    /// element. The list of a face is that of the largest kind of the same shape (such as `Hex27`);
    /// the faces of smaller kinds (such as `Hex8`) have only the first nodes of the list.
    fn table(self) -> &'static [&'static [u8]] {
        use VolumeKind as V;
        match self {
            V::Tet4 | V::Tet10 => &TETRAHEDRON,
            V::Hex8 | V::Hex20 | V::Hex27 => &HEXAHEDRON,
            V::Wedge6 | V::Wedge15 | V::Wedge18 => &WEDGE,
            V::Pyramid5 | V::Pyramid13 | V::Pyramid14 => &PYRAMID,
        }
    }
}

impl fmt::Display for VolumeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
