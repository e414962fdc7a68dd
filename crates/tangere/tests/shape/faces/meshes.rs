//! Meshes of finite element faces: valid and invalid input, topology, reports.

use FaceKind::{Quad4, Quad8, Quad9, Seg2, Seg3, Tri3, Tri6};
use tangere::generate::{face_circle, face_sphere};
use tangere::geometry::Similarity;
use tangere::shape::{FaceKind, FaceMesh};

fn message(result: tangere::Result<FaceMesh>) -> String {
    result.expect_err("a mesh that is refused").to_string()
}

const SQUARE: [[f64; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
];

#[test]
fn bad_meshes_are_named() {
    let square = || SQUARE.to_vec();
    let cases = [
        (
            FaceMesh::uniform(square(), Tri3, vec![0, 1]),
            "faces: found 2 node numbers, expected a multiple of 3",
        ),
        (
            FaceMesh::new(square(), vec![Tri3, Quad4], vec![0; 6]),
            "faces: found 6 node numbers, expected 7, the nodes of 2 faces",
        ),
        (
            FaceMesh::from_faces(square(), [(Tri3, &[0, 1, 2][..]), (Quad4, &[0, 1, 2][..])]),
            "face 1: found a quad4 with 3 nodes, expected 4 nodes",
        ),
        (
            FaceMesh::uniform(square(), Tri3, vec![0, 1, 2, 0, 2, 4]),
            "face 1: found tri3 of nodes [0, 2, 4], expected indices below 4",
        ),
        (
            FaceMesh::uniform(square(), Quad4, vec![0, 1, 2, 1]),
            "face 0: found quad4 of nodes [0, 1, 2, 1], expected nodes that differ",
        ),
        (
            FaceMesh::uniform(square(), Tri3, vec![]),
            "mesh: found no faces, expected at least one face",
        ),
        (
            FaceMesh::new(square(), vec![Tri3, Seg2], vec![0, 1, 2, 0, 1]),
            "face 1: found seg2 in a mesh that begins with tri3, expected no segments",
        ),
        (
            FaceMesh::new(square(), vec![Seg2, Tri3], vec![0, 1, 0, 1, 2]),
            "face 1: found tri3 in a mesh that begins with seg2, expected segments only",
        ),
        (
            FaceMesh::uniform(vec![[0.0; 3], [f64::NAN, 0.0, 0.0]], Seg2, vec![0, 1]),
            "node 1: found [NaN, 0.0, 0.0], expected finite coordinates",
        ),
        (
            FaceMesh::uniform(vec![[0.0; 3], [1.0; 3]], Seg2, vec![0, 1]),
            "node 1: found [1.0, 1.0, 1.0], expected z = 0",
        ),
        (
            FaceMesh::uniform(vec![[2.0; 3]; 3], Tri3, vec![0, 1, 2]),
            "mesh: found all nodes of faces at [2.0, 2.0, 2.0]",
        ),
        (
            FaceMesh::planar(&[[0.0; 2]; 3], Tri3, vec![0, 1, 2]),
            "kind: found tri3 with nodes of two coordinates, expected seg2 or seg3",
        ),
    ];
    for (result, expected) in cases {
        let found = message(result);
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
}

#[test]
fn kinds_are_mixed_and_found_again() {
    let nodes = vec![
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [2.0, 0.0, 0.0],
        [1.5, -0.1, 0.0],
        [1.6, 0.6, 0.0],
        [1.0, 0.5, 0.2],
    ];
    let faces: [(FaceKind, &[u32]); 3] = [
        (Quad4, &[0, 1, 2, 3]),
        (Tri3, &[0, 1, 3]),
        (Tri6, &[1, 4, 2, 5, 6, 7]),
    ];
    let mesh = FaceMesh::from_faces(nodes, faces).unwrap();
    assert_eq!(mesh.len(), 3);
    assert!(mesh.is_quadratic() && !mesh.is_planar());
    for (i, (kind, nodes)) in faces.into_iter().enumerate() {
        assert_eq!((mesh.kind(i), mesh.nodes_of(i)), (kind, nodes));
        assert_eq!(mesh.face(i).nodes().len(), kind.nodes());
    }
    let runs: Vec<_> = mesh.runs().collect();
    assert_eq!(runs, [(Quad4, 0..1), (Tri3, 1..2), (Tri6, 2..3)]);
    // The edge 1-2 is straight for one face and bent for the other.
    let topology = mesh.topology();
    let shared = topology.edge(topology.edge_of(0, 1));
    assert_eq!(shared.corners, [1, 2]);
    assert!(!shared.is_matched && shared.balance == 0);
    assert_eq!(
        topology.neighbor(2, 2).map(|side| (side.face, side.edge)),
        Some((0, 1))
    );
    assert_eq!(mesh.report().mismatched_edges, 1);
    assert_eq!(topology.faces_around(7), [2]);
    assert_eq!(topology.faces_around(1), [0, 1, 2]);
}

#[test]
fn spheres_of_all_kinds_are_closed_and_as_large_as_they_should_be() {
    let exact = 4.0 / 3.0 * std::f64::consts::PI;
    for (kind, per_level) in [(Tri3, 8), (Tri6, 8), (Quad4, 6), (Quad8, 6), (Quad9, 6)] {
        let mut errors = Vec::new();
        for level in 0..4 {
            let mesh = face_sphere(kind, level).unwrap();
            let report = mesh.report();
            assert_eq!(report.faces, per_level * 4usize.pow(level));
            assert!(
                report.closed && report.oriented && report.manifold,
                "{report}"
            );
            assert_eq!((report.components, report.unused_nodes), (1, 0));
            assert_eq!(report.folded_faces, 0, "{report}");
            // Corners minus edges plus faces.
            let topology = mesh.topology();
            let corners = topology.edges().flat_map(|edge| edge.corners);
            let corners: std::collections::BTreeSet<_> = corners.collect();
            assert_eq!(corners.len() + report.faces, report.edges + 2);
            let volume = report.volume.expect("a volume");
            errors.push((volume / exact - 1.0).abs());
        }
        let gain = errors[2] / errors[3];
        let least = if kind.degree() == 1 { 3.5 } else { 10.0 };
        assert!(gain > least, "{kind}: {errors:?}");
    }
    let circle = face_circle(Seg3, 40).unwrap().report();
    assert!(circle.closed && circle.oriented);
    assert!((circle.volume.expect("an area") - std::f64::consts::PI).abs() < 1e-4);
    assert!((circle.area - std::f64::consts::TAU).abs() < 1e-4);
    let octagon = face_circle(Seg2, 8).unwrap().report();
    assert!((octagon.volume.expect("an area") - 8f64.sqrt()).abs() < 1e-6);
}

#[test]
fn boundaries_and_misoriented_edges_are_reported() {
    let sphere = face_sphere(Quad9, 1).unwrap();
    let (nodes, kinds, indices) = sphere.into_parts();
    let mut fewer = indices.clone();
    fewer.truncate(indices.len() - 9);
    let open = FaceMesh::uniform(nodes.clone(), Quad9, fewer)
        .unwrap()
        .report();
    assert!(!open.closed && open.oriented && open.boundary_edges == 4);
    assert_eq!((open.volume, open.unused_nodes), (None, 1));
    let mut turned = indices.clone();
    for (place, &from) in turned[..9].iter_mut().zip(Quad9.turned()) {
        *place = indices[from];
    }
    let wrong = FaceMesh::new(nodes.clone(), kinds.clone(), turned)
        .unwrap()
        .report();
    assert!(wrong.closed && !wrong.oriented && wrong.misoriented_edges == 4);
    let mut thrice = indices.clone();
    thrice.extend_from_slice(&indices[..9]);
    let crowded = FaceMesh::uniform(nodes, Quad9, thrice).unwrap().report();
    assert!(!crowded.manifold && crowded.nonmanifold_edges == 4);
    let chain = FaceMesh::planar(
        &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]],
        Seg2,
        vec![0, 1, 1, 2],
    );
    let chain = chain.unwrap().report();
    assert_eq!((chain.edges, chain.boundary_edges, chain.area), (3, 2, 2.0));
}

#[test]
fn mirror_images_keep_their_outside() {
    let mirror = Similarity::new(-1.0, "0,0,0".parse().unwrap()).unwrap();
    for kind in [Tri3, Tri6, Quad4, Quad8, Quad9] {
        let sphere = face_sphere(kind, 0).unwrap();
        let moved = sphere.transformed(&mirror).unwrap();
        assert_ne!(moved, sphere);
        let (a, b) = (sphere.report().volume, moved.report().volume);
        let difference = a.zip(b).map(|(a, b)| (a - b).abs());
        assert!(difference.is_some_and(|d| d < 1e-12), "{kind}: {a:?} {b:?}");
        assert_eq!(moved.transformed(&mirror).unwrap(), sphere);
    }
    // Within its plane a point reflection is a half turn.
    let circle = face_circle(Seg3, 7).unwrap();
    let (a, b) = (
        circle.report().volume,
        circle.transformed(&mirror).unwrap().report().volume,
    );
    assert!((a.unwrap() - b.unwrap()).abs() < 1e-12);
}

#[test]
fn nodes_without_faces_are_left_out_on_request() {
    let mut nodes = SQUARE.to_vec();
    nodes.insert(1, [9.0; 3]);
    let mesh = FaceMesh::uniform(nodes, Quad8, vec![0, 2, 3, 4, 5, 6, 7, 8]);
    assert!(mesh.is_err());
    let mut nodes = SQUARE.to_vec();
    nodes.insert(1, [9.0; 3]);
    let mesh = FaceMesh::uniform(nodes, Quad4, vec![0, 2, 3, 4]).unwrap();
    assert_eq!(mesh.report().unused_nodes, 1);
    let (mesh, numbers) = mesh.compacted().unwrap();
    assert_eq!(mesh.nodes(), SQUARE);
    assert_eq!(numbers, [0, 2, 3, 4]);
    assert_eq!(mesh.indices(), [0, 1, 2, 3]);
}

#[test]
fn reports_have_the_same_bits_on_any_number_of_threads() {
    let sphere = face_sphere(Tri6, 5).unwrap();
    let report = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().expect("a pool");
        pool.install(|| {
            let topology = sphere.topology();
            let normals = sphere.node_normals(&topology);
            let bits = normals.as_flattened().iter().map(|x| x.to_bits());
            let report = sphere.report();
            let numbers = [report.area, report.volume.expect("closed")];
            (
                format!("{report:?}"),
                numbers.map(f64::to_bits),
                bits.collect::<Vec<_>>(),
            )
        })
    };
    let one = report(1);
    for threads in [2, 3, 8] {
        assert!(report(threads) == one, "{threads} threads");
    }
}
