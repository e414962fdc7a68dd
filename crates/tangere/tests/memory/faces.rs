//! Finite element faces: points, derivatives, bounds, folds, neighbours and pseudonormals allocate
//! nothing, nor do warm queries of closest points.

use std::hint::black_box;
use tangere::closest::{PreparedFace, PreparedFaces};
use tangere::generate::{face_circle, face_sphere};
use tangere::shape::FaceKind;
use test_support::allocations::{least_of_process, of_process};
use test_support::alone;

#[test]
fn queries_of_a_face_allocate_nothing() {
    alone!();
    assert!(of_process(|| drop(black_box(vec![1]))) > 0);
    for kind in FaceKind::ALL {
        let mesh = match kind.dimension() {
            1 => face_circle(kind, 20).unwrap(),
            _ => face_sphere(kind, 1).unwrap(),
        };
        let topology = mesh.topology();
        let query = || {
            for f in 0..mesh.len() {
                let face = mesh.face(f);
                let xi = kind.center();
                black_box((face.point(xi), face.tangents(xi), face.normal(xi)));
                black_box(face.second_derivatives(xi));
                black_box((face.control_points(), face.bounds()));
                black_box((face.fold(), face.area()));
                for edge in 0..kind.corners() {
                    black_box(topology.neighbor(f, edge));
                    black_box(mesh.edge_normal(&topology, f, edge, 0.25));
                }
                for &node in mesh.nodes_of(f) {
                    black_box(mesh.node_normal(&topology, node as usize));
                }
            }
        };
        // Threads that made the mesh may still be going to sleep.
        let count = least_of_process(query);
        assert_eq!(count, 0, "{kind}");

        // Far away and in the middle, where the search is long.
        let mut faces = PreparedFaces::new(&mesh);
        let points: Vec<[f64; 3]> = (0..2000)
            .map(|i| {
                let far = [0.0, 0.5, 1.01, 40.0][i % 4];
                let flat = if kind.dimension() == 1 { 0.0 } else { far };
                [far, 0.1 * far, -0.7 * flat]
            })
            .collect();
        let faces_queried: Vec<u32> = (0..2000).map(|i| i % mesh.len() as u32).collect();
        let mut found = Vec::new();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
        pool.unwrap().install(|| {
            let mut query = || {
                faces.update(&mesh);
                let answered = faces.nearest_all(&faces_queried, &points, &mut found);
                black_box((answered.is_ok(), &found));
                black_box(PreparedFace::new(&mesh.face(0)).nearest(points[1]).is_ok());
            };
            query();
            let count = least_of_process(&mut query);
            assert_eq!(count, 0, "{kind}, nearest points");
        });
    }
}
