//! Gmsh element types and their node order.
//!
//! Edges are given here by their two corners. Gmsh orders
//! - the edges of a hexahedron 01 03 04 12 15 23 26 37 45 47 56 67, its faces bottom, front, left,
//!   right, back, top;
//! - the last two edges of a tetrahedron 23 and 13;
//! - the edges of a wedge 01 02 03 12 14 25 34 35 45;
//! - the edges of a pyramid 01 03 04 12 14 23 24 34.
//!
//! All other nodes are ordered as in VTK.

use crate::elements::Kind;
use tangere::shape::{FaceKind as F, VolumeKind as V};

/// Element type of a Gmsh file, given by its shape.
#[derive(Clone, Copy)]
pub(super) struct GmshKind(Kind);

const TET10: [u8; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 9, 8];
const HEX27: [u8; 27] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15, 22, 23, 21, 24, 20, 25,
    26,
];
const WEDGE18: [u8; 18] = [0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11, 15, 17, 16];
const PYRAMID14: [u8; 14] = [0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9, 11, 12, 13];

impl GmshKind {
    pub fn of_code(code: i64) -> Option<Self> {
        Some(GmshKind(match code {
            1 => Kind::Face(F::Seg2),
            2 => Kind::Face(F::Tri3),
            3 => Kind::Face(F::Quad4),
            4 => Kind::Volume(V::Tet4),
            5 => Kind::Volume(V::Hex8),
            6 => Kind::Volume(V::Wedge6),
            7 => Kind::Volume(V::Pyramid5),
            8 => Kind::Face(F::Seg3),
            9 => Kind::Face(F::Tri6),
            10 => Kind::Face(F::Quad9),
            11 => Kind::Volume(V::Tet10),
            12 => Kind::Volume(V::Hex27),
            13 => Kind::Volume(V::Wedge18),
            14 => Kind::Volume(V::Pyramid14),
            15 => Kind::Point,
            16 => Kind::Face(F::Quad8),
            17 => Kind::Volume(V::Hex20),
            18 => Kind::Volume(V::Wedge15),
            19 => Kind::Volume(V::Pyramid13),
            _ => return None,
        }))
    }

    pub fn kind(self) -> Kind {
        self.0
    }

    pub fn nodes(self) -> usize {
        self.0.nodes()
    }

    /// Returns a function from the position of a node in VTK's order to its position in Gmsh's
    /// order.
    pub fn order(self) -> fn(usize) -> usize {
        match self.0 {
            Kind::Volume(V::Tet10) => |k| TET10[k].into(),
            Kind::Volume(V::Hex20 | V::Hex27) => |k| HEX27[k].into(),
            Kind::Volume(V::Wedge15 | V::Wedge18) => |k| WEDGE18[k].into(),
            Kind::Volume(V::Pyramid13 | V::Pyramid14) => |k| PYRAMID14[k].into(),
            _ => |k| k,
        }
    }
}
