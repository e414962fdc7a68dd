//! Convex polyhedra from given faces, and the errors of faces that are not convex or not closed.

use std::f64::consts::TAU;

use tangere::generate;
use tangere::shape::{ConvexPolyhedron, TriMesh};

use super::{assert_close, cube, hull};

#[test]
fn given_faces() {
    let quads = [
        [0u32, 1, 5, 4],
        [0, 2, 3, 1],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [2, 6, 7, 3],
        [4, 5, 7, 6],
    ];
    let body = ConvexPolyhedron::from_faces(&cube(), &quads).unwrap();
    assert_eq!(body, hull(&cube()));
    // Unused vertices, equal vertices, faces cut into parts, corners within edges.
    let mut vertices = vec![[9.0; 3], [0.5, 0.0, 0.0], [0.5, 0.5, 1.0]];
    vertices.extend(cube());
    vertices.push([0.0; 3]);
    let mut faces: Vec<Vec<u32>> = quads.iter().map(|q| q.map(|v| v + 3).to_vec()).collect();
    faces[0] = vec![11, 1, 4, 8, 7];
    faces[1] = vec![3, 5, 6, 4, 1];
    faces[5] = vec![7, 8, 2];
    faces.extend([vec![8, 10, 2], vec![10, 9, 2], vec![9, 7, 2]]);
    let body = ConvexPolyhedron::from_faces(&vertices, &faces).unwrap();
    assert_eq!(body.vertices(), cube());
    assert_eq!(body.sources(), [3, 4, 5, 6, 7, 8, 9, 10]);
    assert_eq!(body.half_edges(), hull(&cube()).half_edges());
    let mesh = generate::hull(200, 3).unwrap();
    let body = ConvexPolyhedron::from_mesh(&mesh).unwrap();
    body.check().unwrap();
    assert_eq!((body.face_count(), body.vertices()), (200, mesh.vertices()));
}

#[test]
fn faces_that_bound_no_convex_body() {
    let corner = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let solid = [[0u32, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let refused = |vertices: &[[f64; 3]], faces: &[Vec<u32>], expected: &str| {
        let error = ConvexPolyhedron::from_faces(vertices, faces)
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    };
    let lists = |faces: &[[u32; 3]]| faces.iter().map(|f| f.to_vec()).collect::<Vec<_>>();
    refused(&corner, &[], "surface: found no faces");
    refused(
        &corner,
        &lists(&solid[1..]),
        "edge: found vertex 0 at [0.0, 0.0, 0.0] to vertex 1 at [1.0, 0.0, 0.0], with a number of faces of 1",
    );
    refused(
        &corner,
        &[vec![0, 1]],
        "face 0: found vertices [0, 1], expected at least three vertices",
    );
    refused(
        &corner,
        &[vec![0, 1, 4]],
        "face 0: found vertices [0, 1, 4], expected indices below 4",
    );
    refused(
        &corner,
        &[vec![0, 1, 2, 1]],
        "expected corners at different places",
    );
    let turned = [[0u32, 1, 2], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    refused(
        &corner,
        &lists(&turned),
        "to vertex 1 at [1.0, 0.0, 0.0], with two faces that run along it in the same direction",
    );
    refused(
        &[[0.0; 3], [1.0; 3], [2.0; 3]],
        &[vec![0, 1, 2]],
        "expected corners that are not on one line",
    );
    refused(
        &corner,
        &[vec![0, 1, 2], vec![0, 2, 1]],
        "surface: found all vertices in one plane",
    );
    refused(&[[f64::NAN; 3]], &[vec![0, 0, 0]], "vertex 0: found [NaN");

    // Two bodies.
    let mut two = corner.to_vec();
    two.extend(corner.map(|p| p.map(|x| x + 5.0)));
    let both: Vec<[u32; 3]> = solid
        .iter()
        .chain(&solid.map(|f| f.map(|v| v + 4)))
        .copied()
        .collect();
    refused(
        &two,
        &lists(&both),
        "surface: found a second part, with a triangle of vertices 4, 6 and 5",
    );

    // A dent: the only reflex edges are at the vertex that is pushed in, by one bit.
    let mut dented = cube();
    dented.push([0.5, 0.5, 1.0_f64.next_down()]);
    let mut faces: Vec<Vec<u32>> = [
        [0u32, 1, 5, 4],
        [0, 2, 3, 1],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [2, 6, 7, 3],
    ]
    .iter()
    .map(|q| q.to_vec())
    .collect();
    faces.extend([vec![4, 5, 8], vec![5, 7, 8], vec![7, 6, 8], vec![6, 4, 8]]);
    refused(
        &dented,
        &faces,
        "where the surface is reflex, expected a convex edge",
    );
    refused(
        &dented,
        &faces,
        "vertex 8 at [0.5, 0.5, 0.9999999999999999]",
    );
    // Inside out it is the same dent.
    faces.iter_mut().for_each(|f| f.reverse());
    refused(
        &dented,
        &faces,
        "vertex 8 at [0.5, 0.5, 0.9999999999999999]",
    );
    // In the plane it is no dent, one bit further out a corner.
    for (z, corners) in [(1.0, 8), (1.0_f64.next_up(), 9)] {
        dented[8][2] = z;
        let body = ConvexPolyhedron::from_faces(&dented, &faces).unwrap();
        assert_eq!(body.vertex_count(), corners);
    }

    // A pyramid above and below a pentagram: no edge is reflex, but it winds twice.
    let star = |i: u32| (f64::from(2 * i) * TAU / 5.0).sin_cos();
    let mut vertices: Vec<[f64; 3]> = (0..5).map(star).map(|(y, x)| [x, y, 0.0]).collect();
    vertices.extend([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]);
    let faces: Vec<Vec<u32>> = (0..5)
        .flat_map(|i| [vec![i, (i + 1) % 5, 5], vec![(i + 1) % 5, i, 6]])
        .collect();
    refused(
        &vertices,
        &faces,
        "surface: found one that winds around itself",
    );

    // A flap that is folded back.
    let mesh = TriMesh::new(
        vec![
            [0.0; 3],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.25, 0.25, 0.0],
        ],
        vec![
            [0, 2, 4],
            [2, 1, 4],
            [1, 0, 4],
            [0, 1, 3],
            [1, 2, 3],
            [2, 0, 3],
        ],
    )
    .unwrap();
    assert!(ConvexPolyhedron::from_mesh(&mesh).is_ok());
    let (mut vertices, faces) = mesh.into_parts();
    vertices[4] = [-0.25, 0.25, 0.0];
    let error = ConvexPolyhedron::from_faces(&vertices, &faces).unwrap_err();
    assert!(error.to_string().contains("edge: found vertex"), "{error}");
}

#[test]
fn generated_hulls() {
    for faces in [
        4, 6, 8, 20, 32, 40, 80, 100, 140, 160, 200, 400, 600, 920, 10_000,
    ] {
        for seed in [0, 1, u64::MAX] {
            let mesh = generate::hull(faces, seed).unwrap();
            assert_eq!(
                (mesh.faces().len(), mesh.vertices().len()),
                (faces, faces / 2 + 2)
            );
            let body = ConvexPolyhedron::from_mesh(&mesh).unwrap();
            assert_eq!(body.face_count(), faces);
            for &[x, y, z] in mesh.vertices() {
                assert_close(x * x + y * y / 0.5625 + z * z / 0.25, 1.0, 1e-6);
                assert!([x, y, z].iter().all(|&c| f64::from(c as f32) == c));
            }
        }
    }
    assert_ne!(
        generate::hull(20, 1).unwrap(),
        generate::hull(20, 2).unwrap()
    );
}
