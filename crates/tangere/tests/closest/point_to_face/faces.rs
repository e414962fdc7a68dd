//! Finite element faces of all kinds, more or less bent, for the tests of nearest points.

use tangere::shape::{Face, FaceKind};
use test_support::Random;

/// The reference face of a kind with all nodes moved by up to `bend`.
pub fn bent(kind: FaceKind, bend: f64, random: &mut Random) -> Face {
    let nodes = kind.node_coordinates().iter();
    let nodes: Vec<[f64; 3]> = nodes
        .map(|&[u, v]| {
            let mut node = [u, v, 0.0].map(|x| x + bend * random.signed());
            if kind.dimension() == 1 {
                node[2] = 0.0;
            }
            node
        })
        .collect();
    Face::new(kind, &nodes).expect("valid nodes")
}

/// A point within `reach` of some point of a face.
pub fn point_about(face: &Face, reach: f64, random: &mut Random) -> [f64; 3] {
    let kind = face.kind();
    let xi = loop {
        let xi = [random.signed(), random.signed()];
        if kind.dimension() == 1 {
            break [xi[0], 0.0];
        }
        if kind.contains(xi) {
            break xi;
        }
    };
    let mut y = face.point(xi).map(|x| x + reach * random.signed());
    if kind.dimension() == 1 {
        y[2] = 0.0;
    }
    y
}
