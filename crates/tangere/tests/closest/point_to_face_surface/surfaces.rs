//! Surfaces of finite element faces, and query points about them.

use tangere::generate::{face_circle, face_sphere};
use tangere::shape::{FaceKind, FaceMesh, TriMesh};
use test_support::Random;

/// A random number from -1 to 1 that is a multiple of 2^-20.
pub fn coarse(random: &mut Random) -> f64 {
    (random.bits() >> 43) as f64 / (1u64 << 20) as f64 - 1.0
}

/// A number rounded to few digits, so that it can be moved far away exactly.
pub fn short(x: f64) -> f64 {
    (x * 1024.0).round() / 1024.0
}

/// A smooth surface of faces of one kind, about the unit sphere or circle.
pub fn smooth(kind: FaceKind) -> FaceMesh {
    match kind.dimension() {
        1 => face_circle(kind, 24).expect("a circle"),
        _ => face_sphere(kind, 2).expect("a sphere"),
    }
}

/// A surface of faces of one kind with all nodes moved, so that faces are bent and meet at an
/// angle.
pub fn bumpy(kind: FaceKind) -> FaceMesh {
    let mesh = match kind.dimension() {
        1 => face_circle(kind, 12).expect("a circle"),
        _ => face_sphere(kind, 1).expect("a sphere"),
    };
    let (mut nodes, kinds, indices) = mesh.into_parts();
    let mut random = Random::new(99 + kind as u64);
    for node in &mut nodes {
        let size = 1.0 + 0.12 * coarse(&mut random);
        *node = node.map(|x| short(x * size));
    }
    FaceMesh::new(nodes, kinds, indices).expect("a mesh")
}

/// A surface of curved quadrilaterals, every third one cut into two curved triangles.
pub fn mixed() -> FaceMesh {
    let quads = bumpy(FaceKind::Quad8);
    let mut nodes = quads.nodes().to_vec();
    let (mut kinds, mut indices) = (Vec::new(), Vec::new());
    for f in 0..quads.len() {
        let n = quads.nodes_of(f);
        if f % 3 > 0 {
            kinds.push(FaceKind::Quad8);
            indices.extend_from_slice(n);
            continue;
        }
        let middle = nodes.len() as u32;
        nodes.push(quads.face(f).point([0.0, 0.0]).map(short));
        kinds.extend([FaceKind::Tri6; 2]);
        indices.extend([n[0], n[1], n[2], n[4], n[5], middle]);
        indices.extend([n[0], n[2], n[3], middle, n[6], n[7]]);
    }
    FaceMesh::new(nodes, kinds, indices).expect("a mesh")
}

/// All surfaces, by name.
pub fn all() -> Vec<(String, FaceMesh)> {
    let mut all = vec![("mixed".to_owned(), mixed())];
    for kind in FaceKind::ALL {
        all.push((format!("smooth {kind}"), smooth(kind)));
        all.push((format!("bumpy {kind}"), bumpy(kind)));
    }
    all
}

/// Query points: random ones, nodes, points on faces and edges, and points near them; in the plane
/// for segments.
pub fn points(mesh: &FaceMesh, random: &mut Random) -> Vec<[f64; 3]> {
    let flat = |[x, y, z]: [f64; 3]| [x, y, if mesh.is_planar() { 0.0 } else { z }];
    let mut points: Vec<[f64; 3]> = (0..150)
        .map(|_| flat(std::array::from_fn(|_| 1.6 * coarse(random))))
        .collect();
    for f in (0..mesh.len()).step_by(1 + mesh.len() / 24) {
        let (kind, face) = (mesh.kind(f), mesh.face(f));
        let near = |p: [f64; 3], size: f64, random: &mut Random| {
            flat(p.map(|x| x + size * coarse(random)))
        };
        points.push(face.nodes()[0]);
        points.push(face.point(kind.on_edge(1, 0.3)));
        points.push(face.point(kind.center()));
        points.push(near(face.nodes()[1], 0.3, random));
        points.push(near(face.point(kind.on_edge(0, 0.7)), 0.1, random));
        points.push(near(face.point(kind.center()), 1e-6, random));
        // Straight out from a corner and an edge, where the adjacent faces share the nearest point.
        points.push(face.nodes()[0].map(|x| 1.5 * x));
        points.push(face.point(kind.on_edge(0, 0.5)).map(|x| 1.25 * x));
    }
    points
}

/// The surface subdivided into flat triangles, each face into `n` by `n` squares.
pub fn cut(mesh: &FaceMesh, n: usize) -> TriMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for f in 0..mesh.len() {
        let (kind, face) = (mesh.kind(f), mesh.face(f));
        let mut corner = |i: usize, j: usize| {
            let (u, v) = (i as f64 / n as f64, j as f64 / n as f64);
            vertices.push(face.point(match kind.corners() {
                3 => [u, v],
                _ => [2.0 * u - 1.0, 2.0 * v - 1.0],
            }));
            vertices.len() as u32 - 1
        };
        for i in 0..n {
            for j in 0..n {
                if kind.corners() == 3 && i + j >= n {
                    continue;
                }
                let [a, b, d] = [corner(i, j), corner(i + 1, j), corner(i, j + 1)];
                triangles.push([a, b, d]);
                if kind.corners() == 4 || i + j + 2 <= n {
                    let c = corner(i + 1, j + 1);
                    triangles.push([b, c, d]);
                }
            }
        }
    }
    TriMesh::new(vertices, triangles).expect("triangles")
}
