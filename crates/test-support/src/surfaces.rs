//! Test surfaces: cubes, inverted and combined surfaces.

use std::borrow::Borrow;
use tangere::shape::TriMesh;

/// The faces of a cube as vertex indices, counterclockwise as seen from outside. Bits 0, 1 and 2 of
/// a vertex index say on which side of the cube the vertex lies along x, y and z: 0 for the lower
/// side, 1 for the upper.
const QUADS: [[u32; 4]; 6] = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
];

/// Returns the corners of a cube of edge `size` about `center`. Bits 0, 1 and 2 of the index of a
/// corner say on which side of the cube the corner lies along x, y and z: 0 for the lower side, 1
/// for the upper.
pub fn corners(center: [f64; 3], size: f64) -> Vec<[f64; 3]> {
    (0..8)
        .map(|i| [0, 1, 2].map(|k| center[k] + size * (f64::from(i >> k & 1) - 0.5)))
        .collect()
}

/// Returns the surface of a cube of edge `size` about `center`, as twelve triangles.
///
/// # Panics
/// If the coordinates are invalid.
pub fn cube(center: [f64; 3], size: f64) -> TriMesh {
    let halves = QUADS.map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    TriMesh::new(corners(center, size), halves.concat()).expect("a cube")
}

/// Returns a surface with all triangles flipped, so that its normals point the other way.
pub fn inverted(mesh: &TriMesh) -> TriMesh {
    let faces = mesh.faces().iter().map(|&[a, b, c]| [a, c, b]).collect();
    TriMesh::new(mesh.vertices().to_vec(), faces).expect("as valid as before")
}

/// Returns one mesh with the triangles of all given surfaces.
///
/// # Panics
/// If there are no surfaces.
pub fn together(parts: impl IntoIterator<Item: Borrow<TriMesh>>) -> TriMesh {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for part in parts {
        let (part, first) = (part.borrow(), vertices.len() as u32);
        vertices.extend_from_slice(part.vertices());
        faces.extend(part.faces().iter().map(|face| face.map(|v| v + first)));
    }
    TriMesh::new(vertices, faces).expect("valid parts")
}
