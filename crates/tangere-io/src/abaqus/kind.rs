//! Abaqus element types: shape, node order and face numbers.
//!
//! The names of a family differ in their formulation, not in their shape: `C3D8`,
//! `C3D8R`, `C3D8I`, `C3D8RH` are all hexahedra. Nodes are ordered as in VTK, except
//! in `C3D27`: after its first twenty nodes come the node of the centre, then those of
//! the faces S1 to S6. Quadratic trusses and beams are refused, since their node in the
//! middle comes second in some and last in others.

use crate::elements::Kind;
use tangere::shape::{FaceKind as F, VolumeKind as V};

/// Families of Abaqus element types: the prefix of their names, and the shape for each number that
/// may follow the prefix. As a rule that is the number of nodes. If one prefix begins another, the
/// longer one comes first.
const FAMILIES: [(&str, &[(u32, Kind)]); 13] = [
    (
        "C3D",
        &[
            (4, Kind::Volume(V::Tet4)),
            (5, Kind::Volume(V::Pyramid5)),
            (6, Kind::Volume(V::Wedge6)),
            (8, Kind::Volume(V::Hex8)),
            (10, Kind::Volume(V::Tet10)),
            (15, Kind::Volume(V::Wedge15)),
            (20, Kind::Volume(V::Hex20)),
            (27, Kind::Volume(V::Hex27)),
        ],
    ),
    (
        "STRI",
        &[(3, Kind::Face(F::Tri3)), (65, Kind::Face(F::Tri6))],
    ),
    ("SFM3D", PLANE),
    (
        "SC",
        &[(6, Kind::Volume(V::Wedge6)), (8, Kind::Volume(V::Hex8))],
    ),
    ("S", PLANE),
    ("M3D", PLANE),
    ("R3D", PLANE),
    ("CPS", PLANE),
    ("CPE", PLANE),
    ("CAX", PLANE),
    ("R2D", &[(2, Kind::Face(F::Seg2))]),
    ("T2D", &[(2, Kind::Face(F::Seg2))]),
    ("T3D", &[(2, Kind::Face(F::Seg2))]),
];

const PLANE: &[(u32, Kind)] = &[
    (3, Kind::Face(F::Tri3)),
    (4, Kind::Face(F::Quad4)),
    (6, Kind::Face(F::Tri6)),
    (8, Kind::Face(F::Quad8)),
    (9, Kind::Face(F::Quad9)),
];

/// Returns the shape of an Abaqus element type by its name; `None` if the type is not known.
pub(super) fn of_name(name: &str) -> Option<Kind> {
    let name = name.to_ascii_uppercase();
    if name == "B21" || name == "B31" {
        return Some(Kind::Face(F::Seg2));
    }
    let mut families = FAMILIES.iter();
    let (rest, shapes) = families.find_map(|(family, shapes)| {
        let rest = name.strip_prefix(family)?;
        rest.starts_with(|c: char| c.is_ascii_digit())
            .then_some((rest, *shapes))
    })?;
    let digits = rest.find(|c: char| !c.is_ascii_digit());
    let (digits, variant) = rest.split_at(digits.unwrap_or(rest.len()));
    // The rest of the name consists of letters, and the 5 of S4R5.
    if !variant.chars().all(|c| c.is_ascii_alphabetic() || c == '5') {
        return None;
    }
    let nodes: u32 = digits.parse().ok()?;
    let mut shapes = shapes.iter();
    Some(shapes.find(|(count, _)| *count == nodes)?.1)
}

/// Returns where Abaqus lists the node that VTK lists at position `k`; both positions count from 0.
pub(super) fn order(kind: Kind, k: usize) -> usize {
    // VTK's order of faces: left, right, front, back, bottom, top; then the centre.
    const LAST: [usize; 7] = [26, 24, 23, 25, 21, 22, 20];
    match kind {
        Kind::Volume(V::Hex27) if k >= 20 => LAST[k - 20],
        _ => k,
    }
}

/// Returns the index in VTK's order of the face that Abaqus calls `S1`, `S2` and so on; `number`
/// counts from 1. `None` if a volume element of this kind has no such face.
pub(super) fn face(kind: V, number: usize) -> Option<u8> {
    let faces: &[u8] = match kind.faces() {
        4 => &[3, 0, 1, 2],
        6 => &[4, 5, 2, 1, 3, 0],
        _ => &[0, 1, 2, 3, 4],
    };
    faces.get(number.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_nodes_selects_the_shape() {
        for (name, kind) in [
            ("C3D4", Some(Kind::Volume(V::Tet4))),
            ("c3d10m", Some(Kind::Volume(V::Tet10))),
            ("C3D8RH", Some(Kind::Volume(V::Hex8))),
            ("C3D20R", Some(Kind::Volume(V::Hex20))),
            ("C3D15", Some(Kind::Volume(V::Wedge15))),
            ("S4R5", Some(Kind::Face(F::Quad4))),
            ("S3", Some(Kind::Face(F::Tri3))),
            ("STRI65", Some(Kind::Face(F::Tri6))),
            ("SC8R", Some(Kind::Volume(V::Hex8))),
            ("SFM3D4R", Some(Kind::Face(F::Quad4))),
            ("M3D9", Some(Kind::Face(F::Quad9))),
            ("T3D2", Some(Kind::Face(F::Seg2))),
            ("B31", Some(Kind::Face(F::Seg2))),
            ("T3D3", None),
            ("B32", None),
            ("C3D7", None),
            ("C3D", None),
            ("SPRINGA", None),
            ("CONN3D2", None),
            ("", None),
            ("C3D99999999999", None),
        ] {
            assert_eq!(of_name(name), kind, "{name}");
        }
    }

    #[test]
    fn faces_have_the_corners_that_the_manual_lists() {
        let lists: [(V, &[&[u8]]); 4] = [
            (V::Tet4, &[&[1, 2, 3], &[1, 4, 2], &[2, 4, 3], &[3, 4, 1]]),
            (
                V::Hex8,
                &[
                    &[1, 2, 3, 4],
                    &[5, 8, 7, 6],
                    &[1, 5, 6, 2],
                    &[2, 6, 7, 3],
                    &[3, 7, 8, 4],
                    &[4, 8, 5, 1],
                ],
            ),
            (
                V::Wedge6,
                &[
                    &[1, 2, 3],
                    &[4, 6, 5],
                    &[1, 4, 5, 2],
                    &[2, 5, 6, 3],
                    &[3, 6, 4, 1],
                ],
            ),
            (
                V::Pyramid5,
                &[
                    &[1, 2, 3, 4],
                    &[1, 5, 2],
                    &[2, 5, 3],
                    &[3, 5, 4],
                    &[4, 5, 1],
                ],
            ),
        ];
        let sorted = |nodes: &mut Vec<u8>| {
            nodes.sort_unstable();
            nodes.clone()
        };
        for (kind, faces) in lists {
            for (i, listed) in faces.iter().enumerate() {
                let ours = kind.face(face(kind, i + 1).unwrap().into()).1;
                let mut ours: Vec<u8> = ours.iter().map(|k| k + 1).collect();
                assert_eq!(sorted(&mut ours), sorted(&mut listed.to_vec()), "{kind}");
            }
            assert_eq!(face(kind, 0), None);
            assert_eq!(face(kind, faces.len() + 1), None);
        }
    }
}
