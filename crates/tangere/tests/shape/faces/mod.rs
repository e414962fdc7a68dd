//! Finite element faces: Bernstein form, meshes, folds, normals, and the boundary of meshes of
//! volume elements.

mod bernstein;
mod boundary;
mod folds;
mod meshes;
mod normals;

use tangere::shape::FaceKind;
use test_support::Random;

/// The nodes of the flat reference face, moved.
pub fn bent_nodes(random: &mut Random, kind: FaceKind, bend: f64) -> Vec<[f64; 3]> {
    let flat = kind.dimension() == 1;
    let coordinates = kind.node_coordinates().iter();
    coordinates
        .map(|&[x, y]| {
            let [dx, dy, dz] = random.vector(bend);
            [x + dx, y + dy, if flat { 0.0 } else { dz }]
        })
        .collect()
}

/// A place of the reference domain.
pub fn place(random: &mut Random, kind: FaceKind) -> [f64; 2] {
    let [x, y] = [(); 2].map(|()| random.signed());
    match kind.corners() {
        2 => [x, 0.0],
        3 => {
            let [r, s] = [x, y].map(|x| 0.5 + 0.5 * x);
            if r + s > 1.0 {
                [1.0 - r, 1.0 - s]
            } else {
                [r, s]
            }
        }
        _ => [x, y],
    }
}
