//! Finite element files: each format, node order and encoding, and the extracted
//! surface.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod abaqus;
mod medit;
mod msh;
mod vtk;

use tangere::shape::{Face, FaceKind, FaceMesh, VolumeKind};
use tangere_io::{MeshFormat, Polygons, parse_elements, parse_mesh};

/// Returns the corners of a unit element: tetrahedron, hexahedron, wedge or pyramid.
pub fn corners(kind: VolumeKind) -> Vec<[f64; 3]> {
    let base = [[0., 0., 0.], [2., 0., 0.], [2., 2., 0.], [0., 2., 0.]];
    let raised = |[x, y, _]: [f64; 3]| [x, y, 2.0];
    match kind.faces() {
        4 => vec![base[0], base[1], base[3], [0., 0., 2.]],
        6 => base.into_iter().chain(base.map(raised)).collect(),
        _ if kind.name().starts_with("wedge") => {
            let triangle = [base[0], base[1], base[3]];
            triangle.into_iter().chain(triangle.map(raised)).collect()
        }
        _ => base.into_iter().chain([[1., 1., 2.]]).collect(),
    }
}

/// The edges of a hexahedron in the order of VTK and Abaqus.
pub const HEXAHEDRON: [&[usize]; 12] = [
    &[0, 1],
    &[1, 2],
    &[2, 3],
    &[3, 0],
    &[4, 5],
    &[5, 6],
    &[6, 7],
    &[7, 4],
    &[0, 4],
    &[1, 5],
    &[2, 6],
    &[3, 7],
];

/// The edges of a wedge in the order of VTK and Abaqus.
pub const WEDGE: [&[usize]; 9] = [
    &[0, 1],
    &[1, 2],
    &[2, 0],
    &[3, 4],
    &[4, 5],
    &[5, 3],
    &[0, 3],
    &[1, 4],
    &[2, 5],
];

/// Returns the mean of the given corners.
pub fn middle(corners: &[[f64; 3]], some: &[usize]) -> [f64; 3] {
    let sum = |k: usize| some.iter().map(|&i| corners[i][k]).sum::<f64>();
    std::array::from_fn(|k| sum(k) / some.len() as f64)
}

/// Returns the nodes of an element: its corners, then the means of the corners in each list of
/// `middles`.
pub fn element(kind: VolumeKind, middles: &[&[usize]]) -> Vec<[f64; 3]> {
    let mut nodes = corners(kind);
    let corners = nodes.clone();
    nodes.extend(middles.iter().map(|some| middle(&corners, some)));
    assert_eq!(nodes.len(), kind.nodes(), "{kind}");
    nodes
}

/// Checks that every node of every face lies on the flat face of its corners, and
/// that the enclosed volume is right.
pub fn assert_in_order(mesh: &FaceMesh, kind: VolumeKind) {
    let report = mesh.report();
    assert!(report.closed && report.oriented, "{kind}\n{report}");
    assert_eq!(report.faces, kind.faces(), "{kind}");
    assert!(
        report.volume.expect("a closed mesh") > 1.0,
        "{kind}\n{report}"
    );
    for f in 0..mesh.len() {
        let face = mesh.face(f);
        let n = face.kind().corners();
        let flat = if n == 3 {
            FaceKind::Tri3
        } else {
            FaceKind::Quad4
        };
        let flat = Face::new(flat, &face.nodes()[..n]).unwrap();
        for (node, &xi) in face.nodes().iter().zip(face.kind().node_coordinates()) {
            assert_eq!(*node, flat.point(xi), "{kind} face {f}");
        }
    }
}

/// Returns the surface of a file as faces.
pub fn faces(bytes: &[u8], format: MeshFormat) -> FaceMesh {
    let elements = parse_elements(bytes, format).expect("a file that can be read");
    elements.into_surface().expect("a surface").mesh
}

/// Returns the surface of a file as polygons.
pub fn polygons(bytes: &[u8], format: MeshFormat) -> Polygons {
    parse_mesh(bytes, format).expect("a file that can be read")
}
