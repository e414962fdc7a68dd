//! Valid MEDIT files.

use super::{assert_in_order, element, faces};
use tangere::shape::{FaceKind, VolumeKind as V};
use tangere_io::{MeshFormat, parse_elements};

fn file(nodes: &[[f64; 3]], keyword: &str) -> String {
    let mut text = format!(
        "MeshVersionFormatted 2\n\nDimension\n3\n\nVertices\n{}\n",
        nodes.len()
    );
    for [x, y, z] in nodes {
        text += &format!("{x} {y} {z} 0 # comment\n");
    }
    let numbers: Vec<String> = (1..=nodes.len()).map(|i| i.to_string()).collect();
    text += &format!(
        "{keyword}\n1\n{} 7\nCorners 2\n1 2\nEnd\nanything",
        numbers.join(" ")
    );
    text
}

#[test]
fn every_element_has_its_nodes_in_order() {
    let edges: &[&[usize]] = &[&[0, 1], &[1, 2], &[0, 2], &[0, 3], &[1, 3], &[2, 3]];
    for (keyword, kind, middles) in [
        ("Tetrahedra", V::Tet4, &edges[..0]),
        ("TetrahedraP2", V::Tet10, edges),
        ("Hexahedra", V::Hex8, &[]),
        ("Prisms", V::Wedge6, &[]),
        ("Pyramids", V::Pyramid5, &[]),
    ] {
        let text = file(&element(kind, middles), keyword);
        assert_in_order(&faces(text.as_bytes(), MeshFormat::Mesh), kind);
    }
    for (keyword, kind) in [
        ("Edges", FaceKind::Seg2),
        ("EdgesP2", FaceKind::Seg3),
        ("Triangles", FaceKind::Tri3),
        ("TrianglesP2", FaceKind::Tri6),
        ("Quadrilaterals", FaceKind::Quad4),
        ("QuadrilateralsQ2", FaceKind::Quad9),
    ] {
        let places = kind.node_coordinates();
        let nodes: Vec<[f64; 3]> = places.iter().map(|&[x, y]| [x, y, 0.0]).collect();
        let mesh = faces(file(&nodes, keyword).as_bytes(), MeshFormat::Mesh);
        assert_eq!((mesh.kinds(), mesh.nodes()), (&[kind][..], &nodes[..]));
    }
}

#[test]
fn a_flat_mesh_has_two_coordinates_and_lines_break_anywhere() {
    let text = "MeshVersionFormatted\n1 Dimension 2 Vertices 3 0 0 1 1\n0 1 0 1 1\n\
        Triangles 1 1 2\n3 0";
    let elements = parse_elements(text.as_bytes(), MeshFormat::Mesh).unwrap();
    assert_eq!(elements.nodes, [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]]);
    assert_eq!(elements.surface.indices, [0, 1, 2]);
}

/// Returns a mesh of two nested octahedra: eight tetrahedra in the inner one, wedges between it and
/// the outer one, and the selected triangles.
fn nested(triangles: impl Fn(usize) -> bool) -> String {
    let mut text = "MeshVersionFormatted 1\nDimension 3\nVertices\n13\n0 0 0 0\n".to_owned();
    for size in [1, 2] {
        for sign in [size, -size] {
            text += &format!("{sign} 0 0 0\n0 {sign} 0 0\n0 0 {sign} 0\n");
        }
    }
    let octants: Vec<[usize; 3]> = (0..8)
        .map(|o| {
            let corner = |axis: usize| 2 + axis + 3 * (o >> axis & 1);
            let [x, y, z] = [0, 1, 2].map(corner);
            // An odd number of reflections reverses the triangle.
            if [0, 3, 5, 6].contains(&o) {
                [x, y, z]
            } else {
                [x, z, y]
            }
        })
        .collect();
    text += "Tetrahedra\n8\n";
    for [a, b, c] in &octants {
        text += &format!("1 {a} {b} {c} 0\n");
    }
    text += "Prisms\n8\n";
    for [a, b, c] in &octants {
        text += &format!("{a} {b} {c} {} {} {} 0\n", a + 6, b + 6, c + 6);
    }
    let outer = octants.iter().map(|face| face.map(|node| node + 6));
    let faces: Vec<_> = octants.iter().copied().chain(outer).collect();
    let listed: Vec<_> = (0..16).filter(|&f| triangles(f)).collect();
    text += &format!("Triangles\n{}\n", listed.len());
    for f in listed {
        let [a, b, c] = faces[f];
        text += &format!("{a} {b} {c} 0\n");
    }
    text
}

#[test]
fn a_closed_surface_within_the_volume_is_the_surface() {
    let volume = |text: String| {
        let elements = parse_elements(text.as_bytes(), MeshFormat::Mesh).unwrap();
        let surface = elements.into_surface().unwrap();
        let volume = surface.mesh.report().volume.expect("a closed surface");
        ((6.0 * volume).round(), surface.volumes)
    };
    // Listed are no triangles, the outer ones, all, a part of each, a part of the inner ones.
    assert_eq!(volume(nested(|_| false)), (64.0, 16));
    assert_eq!(volume(nested(|f| f >= 8)), (64.0, 16));
    assert_eq!(volume(nested(|_| true)), (64.0, 16));
    assert_eq!(volume(nested(|f| f % 2 == 0)), (64.0, 16));
    assert_eq!(volume(nested(|f| f < 5)), (64.0, 16));
    // Only the inner triangles are listed.
    assert_eq!(volume(nested(|f| f < 8)), (8.0, 0));
}
