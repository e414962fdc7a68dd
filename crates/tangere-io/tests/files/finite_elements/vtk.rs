//! Volume cells and quadratic cells of VTK files.

use super::{HEXAHEDRON, WEDGE, assert_in_order, corners, element, faces, polygons};
use tangere::generate::{face_circle, face_sphere};
use tangere::shape::{FaceKind, VolumeKind as V};
use tangere_io::vtk::{CellKind, Cells, UnstructuredGrid, write_vtu};
use tangere_io::{MeshFormat, read_faces, read_mesh, write_faces};

/// Returns the edges and faces of each kind whose middles are nodes, in VTK's order.
fn middles(kind: V) -> Vec<&'static [usize]> {
    let all: Vec<&[usize]> = match kind {
        V::Tet10 => vec![&[0, 1], &[1, 2], &[2, 0], &[0, 3], &[1, 3], &[2, 3]],
        V::Wedge15 | V::Wedge18 => {
            let faces: [&[usize]; 3] = [&[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]];
            [&WEDGE[..], &faces].concat()
        }
        V::Pyramid13 => vec![
            &[0, 1],
            &[1, 2],
            &[2, 3],
            &[3, 0],
            &[0, 4],
            &[1, 4],
            &[2, 4],
            &[3, 4],
        ],
        V::Hex20 | V::Hex27 => {
            let inner: [&[usize]; 7] = [
                &[0, 3, 7, 4],
                &[1, 2, 6, 5],
                &[0, 1, 5, 4],
                &[3, 2, 6, 7],
                &[0, 1, 2, 3],
                &[4, 5, 6, 7],
                &[0, 1, 2, 3, 4, 5, 6, 7],
            ];
            [&HEXAHEDRON[..], &inner].concat()
        }
        _ => Vec::new(),
    };
    all[..kind.nodes() - corners(kind).len()].to_vec()
}

#[test]
fn every_volume_cell_has_its_boundary() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cell.vtu");
    for kind in V::ALL {
        let Some(code) = kind.vtk_code() else {
            continue;
        };
        let points = element(kind, &middles(kind));
        let count = points.len();
        // The grid is read from text, and from the file that this library writes.
        let numbers: Vec<String> = (0..count).map(|i| i.to_string()).collect();
        let rows: Vec<String> = points
            .iter()
            .map(|[x, y, z]| format!("{x} {y} {z}"))
            .collect();
        let legacy = format!(
            "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {count} double\n\
             {}\nCELLS 1 {}\n{count} {}\nCELL_TYPES 1\n{code}\n",
            rows.join("\n"),
            count + 1,
            numbers.join(" "),
        );
        assert_in_order(&faces(legacy.as_bytes(), MeshFormat::Vtk), kind);
        let grid = UnstructuredGrid {
            points,
            cells: Cells {
                indices: (0..count as u32).collect(),
                ends: vec![count],
            },
            kinds: vec![CellKind::from_code(code).unwrap()],
            ..UnstructuredGrid::default()
        };
        write_vtu(&path, &grid).unwrap();
        let loaded = read_faces(&path).unwrap();
        assert_eq!((loaded.volumes, loaded.inverted), (1, 0));
        assert_in_order(&loaded.mesh, kind);
        let report = read_mesh(&path).unwrap().mesh.report();
        assert!(
            report.closed && report.oriented && report.manifold,
            "{kind}"
        );
    }
}

#[test]
fn faces_read_back_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("faces.vtu");
    for kind in FaceKind::ALL {
        let mesh = match kind.dimension() {
            1 => face_circle(kind, 9).unwrap(),
            _ => face_sphere(kind, 1).unwrap(),
        };
        write_faces(&path, &mesh).unwrap();
        let loaded = read_faces(&path).unwrap();
        assert_eq!(loaded.mesh, mesh, "{kind}");
        assert_eq!((loaded.volumes, loaded.unkept.len()), (0, 0));
    }
    let mesh = face_sphere(FaceKind::Tri3, 0).unwrap();
    for (name, expected) in [
        (
            "a.stl",
            "stl is not written for finite element faces; use vtu",
        ),
        ("a.xyz", "unknown format \"xyz\", expected one of vtu"),
    ] {
        let error = write_faces(name, &mesh).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn surfaces_of_other_formats_are_faces_too() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = tangere::generate::sphere(1).unwrap();
    for extension in ["stl", "obj", "ply", "off", "vtp", "vtu"] {
        let path = folder.path().join(format!("sphere.{extension}"));
        tangere_io::write_mesh(&path, &mesh).unwrap();
        let report = read_faces(&path).unwrap().mesh.report();
        assert!(report.closed && report.oriented, "{extension}");
        assert_eq!(report.faces, mesh.faces().len());
    }
    let pentagon = b"OFF\n5 1 0\n0 0 0\n1 0 0\n2 1 0\n1 2 0\n0 1 0\n5 0 1 2 3 4\n";
    assert_eq!(
        faces(pentagon, MeshFormat::Off).kinds(),
        [FaceKind::Tri3; 3]
    );
}

#[test]
fn quadratic_faces_beside_polygons_are_all_there() {
    let text =
        b"# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n\
        0 0 0\n1 0 0\n0 1 0\n.5 0 0\n.5 .5 0\n0 .5 0\n1 1 0\n2 1 0\n\
        CELLS 3 15\n6 0 1 2 3 4 5\n3 1 6 2\n3 1 7 6\nCELL_TYPES 3\n22\n5\n5\n";
    let polygons = polygons(text, MeshFormat::Vtk);
    assert_eq!(polygons.len(), 2 + 4);
    let (mesh, welded) = polygons.into_mesh().unwrap();
    assert_eq!((mesh.faces().len(), welded), (6, 6));
    let report = mesh.report();
    // The straight edge beside the edge with a middle node leaves a slit.
    assert_eq!((report.components, report.unused_vertices), (2, 0));
}
