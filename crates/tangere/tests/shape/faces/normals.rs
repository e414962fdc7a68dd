//! Pseudonormals on edges and nodes of meshes of finite element faces.

use tangere::generate::{face_circle, face_sphere};
use tangere::shape::{FaceKind, FaceMesh, TriMesh};
use test_support::vectors::dot;

#[test]
fn normals_of_spheres_point_from_the_centre() {
    for kind in FaceKind::ALL {
        let mesh = match kind.dimension() {
            1 => face_circle(kind, 24).unwrap(),
            _ => face_sphere(kind, 2).unwrap(),
        };
        let topology = mesh.topology();
        let normals = mesh.node_normals(&topology);
        let least = if kind.degree() == 1 { 0.99 } else { 0.999 };
        for (node, &normal) in mesh.nodes().iter().zip(&normals) {
            assert!((dot(normal, normal) - 1.0).abs() < 1e-14);
            assert!(dot(normal, *node) > least, "{kind} {node:?} {normal:?}");
        }
        for face in 0..mesh.len() {
            for edge in 0..kind.corners() {
                let place = 0.3;
                let normal = mesh.edge_normal(&topology, face, edge, place);
                let point = mesh.face(face).point(kind.on_edge(edge, place));
                assert!(
                    dot(normal, point) > 0.98 * dot(point, point).sqrt(),
                    "{kind}"
                );
                // The other face says the same bit for bit, up to the order of the sum.
                let other = topology.neighbor(face, edge).expect("a closed mesh");
                let (f, e) = (other.face as usize, other.edge as usize);
                let again = mesh.edge_normal(&topology, f, e, 1.0 - place);
                for k in 0..3 {
                    assert!((normal[k] - again[k]).abs() < 1e-14, "{kind}");
                }
            }
        }
    }
}

#[test]
fn the_corner_of_a_cube_has_its_diagonal_however_it_is_cut() {
    // Three faces of a cube, one of them cut into two triangles: weights by angle
    // make no difference of the cut, where a plain mean would.
    let nodes = vec![
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [0.0, 1.0, 1.0],
    ];
    let faces: [(FaceKind, &[u32]); 4] = [
        (FaceKind::Tri3, &[0, 2, 1]),
        (FaceKind::Tri3, &[0, 3, 2]),
        (FaceKind::Quad4, &[0, 1, 5, 4]),
        (FaceKind::Quad4, &[0, 4, 6, 3]),
    ];
    let mesh = FaceMesh::from_faces(nodes, faces).unwrap();
    let topology = mesh.topology();
    let normal = mesh.node_normal(&topology, 0);
    for x in normal {
        assert!((x + 1.0 / 3f64.sqrt()).abs() < 1e-15, "{normal:?}");
    }
    let edge = mesh.edge_normal(&topology, 2, 0, 0.5);
    for (x, expected) in edge.into_iter().zip([0.0, -0.5f64.sqrt(), -0.5f64.sqrt()]) {
        assert!((x - expected).abs() < 1e-15, "{edge:?}");
    }
}

#[test]
fn pseudonormals_give_the_side_at_sharp_corners() {
    // Points near a spike, whose closest point is often its tip or an edge: the
    // sign from the pseudonormal equals inside or outside.
    let vertices = vec![
        [0.0, 0.0, 4.0],
        [1.0, 0.0, 0.0],
        [-1.0, 0.3, 0.0],
        [0.0, -1.0, 0.0],
    ];
    let triangles = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
    let mesh = TriMesh::new(vertices.clone(), triangles.clone()).unwrap();
    let faces = FaceMesh::from_triangles(&mesh).unwrap();
    let topology = faces.topology();
    assert!(faces.report().volume.expect("closed") > 0.0);
    let normal = faces.node_normal(&topology, 0);
    assert!(normal[2] > 0.9);
    assert!(dot(normal, [0.0, 0.0, 1.0]) > 0.0 && dot(normal, [0.3, 0.3, 0.5]) > 0.0);
}
