//! Valid Gmsh files.

use super::{assert_in_order, element, faces, polygons};
use tangere::shape::{FaceKind, VolumeKind as V};
use tangere_io::{MeshFormat, parse_elements};

/// Encoding of a file.
#[derive(Clone, Copy, Debug)]
enum Store {
    Text,
    Little,
    Big,
}

struct Content {
    bytes: Vec<u8>,
    store: Store,
}

impl Content {
    fn new(version: &str, store: Store) -> Self {
        let binary = u8::from(!matches!(store, Store::Text));
        let mut content = Content {
            bytes: format!("$MeshFormat\n{version} {binary} 8\n").into_bytes(),
            store,
        };
        if binary == 1 {
            content.int(1);
            content.text("\n");
        }
        content.text("$EndMeshFormat\n");
        content
    }

    fn text(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn int(&mut self, x: i32) {
        match self.store {
            Store::Text => self.text(&format!("{x} ")),
            Store::Little => self.bytes.extend(x.to_le_bytes()),
            Store::Big => self.bytes.extend(x.to_be_bytes()),
        }
    }

    fn size(&mut self, x: u64) {
        match self.store {
            Store::Text => self.text(&format!("{x} ")),
            Store::Little => self.bytes.extend(x.to_le_bytes()),
            Store::Big => self.bytes.extend(x.to_be_bytes()),
        }
    }

    fn real(&mut self, x: f64) {
        match self.store {
            Store::Text => self.text(&format!("{x} ")),
            Store::Little => self.bytes.extend(x.to_le_bytes()),
            Store::Big => self.bytes.extend(x.to_be_bytes()),
        }
    }
}

/// Returns a file of elements of one type, with node numbers that have gaps.
fn file(version: &str, store: Store, nodes: &[[f64; 3]], code: i32, each: usize) -> Vec<u8> {
    let mut content = Content::new(version, store);
    let tag = |i: usize| 10 * (nodes.len() - i) as u64;
    let count = nodes.len() / each;
    if version == "2.2" {
        content.text(&format!("$Nodes\n{}\n", nodes.len()));
        for (i, node) in nodes.iter().enumerate() {
            content.int(tag(i) as i32);
            node.iter().for_each(|&x| content.real(x));
        }
        content.text(&format!("\n$EndNodes\n$Elements\n{count}\n"));
        if !matches!(store, Store::Text) {
            [code, count as i32, 2]
                .into_iter()
                .for_each(|x| content.int(x));
        }
        for e in 0..count {
            content.int(e as i32 + 1);
            if matches!(store, Store::Text) {
                [code, 2].into_iter().for_each(|x| content.int(x));
            }
            [99, 2].into_iter().for_each(|x| content.int(x));
            (0..each).for_each(|k| content.int(tag(e * each + k) as i32));
        }
    } else {
        content.text("$Entities\nwhatever $ this is\n$EndEntities\n$Nodes\n");
        let n = nodes.len() as u64;
        [2, n, 10, 10 * n].into_iter().for_each(|x| content.size(x));
        // The points of the first block are parametric, with two more numbers each.
        for (range, parametric) in [(0..1, 1), (1..nodes.len(), 0)] {
            [2, 1, parametric].into_iter().for_each(|x| content.int(x));
            content.size(range.len() as u64);
            range.clone().for_each(|i| content.size(tag(i)));
            for i in range {
                nodes[i].iter().for_each(|&x| content.real(x));
                (0..2 * parametric).for_each(|_| content.real(0.5));
            }
        }
        content.text("\n$EndNodes\n$Elements\n");
        let m = count as u64;
        [1, m, 1, m].into_iter().for_each(|x| content.size(x));
        [3, 1, code].into_iter().for_each(|x| content.int(x));
        content.size(m);
        for e in 0..count {
            content.size(e as u64 + 1);
            (0..each).for_each(|k| content.size(tag(e * each + k)));
        }
    }
    content.text("\n$EndElements\n");
    content.bytes
}

const FORMS: [(&str, Store); 6] = [
    ("2.2", Store::Text),
    ("2.2", Store::Little),
    ("2.2", Store::Big),
    ("4.1", Store::Text),
    ("4.1", Store::Little),
    ("4.1", Store::Big),
];

#[test]
fn every_volume_element_has_its_nodes_in_order() {
    // The edges and faces of Gmsh's manual, given by their corners.
    let tetrahedron: &[&[usize]] = &[&[0, 1], &[1, 2], &[0, 2], &[0, 3], &[2, 3], &[1, 3]];
    let hexahedron: &[&[usize]] = &[
        &[0, 1],
        &[0, 3],
        &[0, 4],
        &[1, 2],
        &[1, 5],
        &[2, 3],
        &[2, 6],
        &[3, 7],
        &[4, 5],
        &[4, 7],
        &[5, 6],
        &[6, 7],
        &[0, 3, 2, 1],
        &[0, 1, 5, 4],
        &[0, 4, 7, 3],
        &[1, 2, 6, 5],
        &[2, 3, 7, 6],
        &[4, 5, 6, 7],
        &[0, 1, 2, 3, 4, 5, 6, 7],
    ];
    let wedge: &[&[usize]] = &[
        &[0, 1],
        &[0, 2],
        &[0, 3],
        &[1, 2],
        &[1, 4],
        &[2, 5],
        &[3, 4],
        &[3, 5],
        &[4, 5],
        &[0, 1, 4, 3],
        &[0, 3, 5, 2],
        &[1, 2, 5, 4],
    ];
    let pyramid: &[&[usize]] = &[
        &[0, 1],
        &[0, 3],
        &[0, 4],
        &[1, 2],
        &[1, 4],
        &[2, 3],
        &[2, 4],
        &[3, 4],
        &[0, 1, 2, 3],
    ];
    for (code, kind, middles) in [
        (4, V::Tet4, &tetrahedron[..0]),
        (11, V::Tet10, tetrahedron),
        (5, V::Hex8, &hexahedron[..0]),
        (17, V::Hex20, &hexahedron[..12]),
        (12, V::Hex27, hexahedron),
        (6, V::Wedge6, &wedge[..0]),
        (18, V::Wedge15, &wedge[..9]),
        (13, V::Wedge18, wedge),
        (7, V::Pyramid5, &pyramid[..0]),
        (19, V::Pyramid13, &pyramid[..8]),
        (14, V::Pyramid14, pyramid),
    ] {
        let nodes = element(kind, middles);
        for (version, store) in FORMS {
            let bytes = file(version, store, &nodes, code, kind.nodes());
            assert_in_order(&faces(&bytes, MeshFormat::Msh), kind);
        }
    }
}

#[test]
fn faces_and_segments_keep_their_order() {
    for (code, kind) in [
        (1, FaceKind::Seg2),
        (8, FaceKind::Seg3),
        (2, FaceKind::Tri3),
        (9, FaceKind::Tri6),
        (3, FaceKind::Quad4),
        (16, FaceKind::Quad8),
        (10, FaceKind::Quad9),
    ] {
        let places = kind.node_coordinates();
        let nodes: Vec<[f64; 3]> = places.iter().map(|&[x, y]| [x, y, 0.0]).collect();
        for (version, store) in FORMS {
            let bytes = file(version, store, &nodes, code, kind.nodes());
            let mesh = faces(&bytes, MeshFormat::Msh);
            assert_eq!(mesh.kinds(), [kind]);
            assert_eq!(mesh.nodes(), nodes, "{kind} {version} {store:?}");
            assert_eq!(mesh.nodes_of(0).len(), kind.nodes());
        }
    }
}

#[test]
fn quadratic_faces_are_cut_at_their_nodes() {
    for (code, kind, pieces, triangles) in [
        (9, FaceKind::Tri6, 4, 4),
        (16, FaceKind::Quad8, 5, 6),
        (10, FaceKind::Quad9, 4, 8),
    ] {
        let places = kind.node_coordinates();
        let nodes: Vec<[f64; 3]> = places.iter().map(|&[x, y]| [x, y, x * y]).collect();
        let bytes = file("4.1", Store::Text, &nodes, code, kind.nodes());
        let polygons = polygons(&bytes, MeshFormat::Msh);
        assert_eq!((polygons.len(), polygons.curved), (pieces, 1));
        let (mesh, _) = polygons.into_mesh().unwrap();
        assert_eq!(mesh.faces().len(), triangles, "{kind}");
        let report = mesh.report();
        assert!(report.oriented && report.unused_vertices == 0);
        assert_eq!(report.boundary_edges, 2 * kind.corners());
    }
}

#[test]
fn points_are_skipped_and_data_is_named() {
    let text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"a\"\n$EndPhysicalNames\n\
        $Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n3\n1 15 2 0 1 1\n2 1 0 1 2\n\
        3 2 2 0 1 1 2 3\n$EndElements\n$NodeData\nwhatever\n$EndNodeData\n";
    let elements = parse_elements(text.as_bytes(), MeshFormat::Msh).unwrap();
    assert_eq!((elements.segments.len(), elements.surface.len()), (1, 1));
    let surface = elements.into_surface().unwrap();
    assert_eq!(surface.unkept, ["NodeData", "1 segments"]);
    assert_eq!(surface.mesh.kinds(), [FaceKind::Tri3]);
}
