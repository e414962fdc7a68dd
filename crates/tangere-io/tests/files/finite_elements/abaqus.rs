//! Valid Abaqus input files.

use super::{HEXAHEDRON, WEDGE, assert_in_order, element, faces};
use tangere::shape::{FaceKind, VolumeKind as V};
use tangere_io::{MeshFormat, NamedFace, parse_elements};

fn nodes_of(nodes: &[[f64; 3]]) -> String {
    let mut text = "*Heading\n anything at all, here\n** a comment\n*NODE, NSET=all\n".to_owned();
    for (i, [x, y, z]) in nodes.iter().enumerate() {
        text += &format!("{}, {x}, {y}, {z}\n", 100 + 3 * i);
    }
    text
}

/// Returns an element that takes several lines.
fn element_of(number: usize, nodes: impl Iterator<Item = usize>) -> String {
    let mut text = format!("{number}");
    for (k, i) in nodes.enumerate() {
        text += if k % 7 == 6 { ",\n " } else { ", " };
        text += &(100 + 3 * i).to_string();
    }
    text + "\n"
}

/// The corners whose centres are the further nodes of a hexahedron besides the middles of its
/// edges.
const INNER: [&[usize]; 7] = [
    &[0, 1, 2, 3, 4, 5, 6, 7],
    &[0, 1, 2, 3],
    &[4, 5, 6, 7],
    &[0, 1, 5, 4],
    &[1, 2, 6, 5],
    &[2, 3, 7, 6],
    &[3, 0, 4, 7],
];

#[test]
fn every_element_has_its_nodes_in_order() {
    let tetrahedron: &[&[usize]] = &[&[0, 1], &[1, 2], &[0, 2], &[0, 3], &[1, 3], &[2, 3]];
    let whole = [&HEXAHEDRON[..], &INNER].concat();
    for (name, kind, middles) in [
        ("C3D4", V::Tet4, &tetrahedron[..0]),
        ("C3D10M", V::Tet10, tetrahedron),
        ("c3d8r", V::Hex8, &[]),
        ("C3D20RH", V::Hex20, &HEXAHEDRON),
        ("C3D27", V::Hex27, &whole),
        ("C3D6", V::Wedge6, &[]),
        ("C3D15", V::Wedge15, &WEDGE),
        ("C3D5", V::Pyramid5, &[]),
    ] {
        let nodes = element(kind, middles);
        let text = nodes_of(&nodes)
            + &format!("*Element, type={name}\n")
            + &element_of(5, 0..nodes.len())
            + "*Material, name=steel\n*Elastic\n210000., 0.3\n";
        assert_in_order(&faces(text.as_bytes(), MeshFormat::Inp), kind);
    }
}

/// Returns a file of two cubes side by side, with sets and surfaces.
fn two_cubes(rest: &str) -> String {
    let mut nodes = Vec::new();
    for x in 0..3 {
        for [y, z] in [[0., 0.], [1., 0.], [1., 1.], [0., 1.]] {
            nodes.push([f64::from(x), y, z]);
        }
    }
    let cube = |i: usize| [0, 4, 5, 1, 3, 7, 6, 2].map(|k| 4 * i + k);
    nodes_of(&nodes)
        + "*ELEMENT, TYPE=C3D8, ELSET=Both\n"
        + &element_of(11, cube(0).into_iter())
        + &element_of(12, cube(1).into_iter())
        + rest
}

#[test]
fn surfaces_are_found_by_name() {
    let text = two_cubes(
        "*ELSET, ELSET=left\n11\n*Elset, elset=\"again\", generate\n11, 12, 1\n\
         *NSET, NSET=some, GENERATE\n100, 106, 3\n\
         *SURFACE, NAME=ends, TYPE=ELEMENT\nleft, S6\n12, S4\n\
         *Surface, name=Skin\nBoth,\n*Surface, name=base\nagain, S1\n\
         *Surface, type=NODE, name=dots\nsome, 1.\n",
    );
    let elements = parse_elements(text.as_bytes(), MeshFormat::Inp).unwrap();
    let names: Vec<_> = elements.surfaces.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["ends", "Skin", "base"]);
    assert_eq!(elements.unkept, ["the surface dots"]);
    assert_eq!(
        elements.surfaces[0].faces,
        [NamedFace::OfVolume(0, 0), NamedFace::OfVolume(1, 1)]
    );
    let ends = elements.named_surface("ENDS").unwrap();
    assert_eq!(ends.kinds(), [FaceKind::Quad4; 2]);
    for (f, x, outward) in [(0, 0.0, -1.0), (1, 2.0, 1.0)] {
        assert_eq!(ends.face(f).point([0.0, 0.0]), [x, 0.5, 0.5]);
        assert_eq!(ends.face(f).normal([0.0, 0.0]), Some([outward, 0.0, 0.0]));
    }
    let skin = elements.named_surface("skin").unwrap();
    assert_eq!(skin.len(), 10);
    assert!((skin.report().volume.expect("closed") - 2.0).abs() < 1e-14);
    let base = elements.named_surface("base").unwrap();
    assert_eq!(base.face(1).normal([0.0, 0.0]), Some([0.0, 0.0, -1.0]));
    let error = elements.named_surface("top").unwrap_err().to_string();
    assert_eq!(
        error,
        "surface: found \"top\", expected one of ends, Skin, base"
    );
    let surface = elements.into_surface().unwrap();
    assert_eq!((surface.mesh.len(), surface.volumes), (10, 2));
}

#[test]
fn shells_have_two_sides() {
    let nodes = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]];
    let text = "*PART, NAME=p\n".to_owned()
        + &nodes_of(&nodes)
        + "*ELEMENT, TYPE=S4R,\n ELSET=e\n1, 100, 103, 106, 109\n*END PART\n\
           *ASSEMBLY, NAME=a\n*INSTANCE, NAME=p-1, PART=p\n*END INSTANCE\n\
           *NODE\n100, 5, 5, 5\n*SURFACE, NAME=up\np-1.e, SPOS\n\
           *SURFACE, NAME=down\n1, SNEG\n*END ASSEMBLY\n";
    let elements = parse_elements(text.as_bytes(), MeshFormat::Inp).unwrap();
    for (name, z) in [("up", 1.0), ("down", -1.0)] {
        let mesh = elements.named_surface(name).unwrap();
        assert_eq!(mesh.face(0).normal([0.0, 0.0]), Some([0.0, 0.0, z]));
    }
}

#[test]
fn plane_bodies_have_edges_as_faces() {
    let nodes = [[0., 0., 0.], [2., 0., 0.], [2., 2., 0.], [0., 2., 0.]];
    let middles = [[1., -0.1, 0.], [2.1, 1., 0.], [1., 2.1, 0.], [-0.1, 1., 0.]];
    let nodes: Vec<_> = nodes.into_iter().chain(middles).collect();
    let text = nodes_of(&nodes)
        + "*ELEMENT, TYPE=CPS8R, ELSET=e\n"
        + &element_of(1, 0..8)
        + "*SURFACE, NAME=round\ne, S1\ne, S2\ne, E3\n1, S4\n";
    let elements = parse_elements(text.as_bytes(), MeshFormat::Inp).unwrap();
    let round = elements.named_surface("round").unwrap();
    assert_eq!(round.kinds(), [FaceKind::Seg3; 4]);
    let report = round.report();
    assert!(report.closed && report.oriented);
    assert!(report.volume.expect("an area") > 4.0);
    assert_eq!(round.face(1).normal([0.0, 0.0]), Some([1.0, 0.0, 0.0]));
}
