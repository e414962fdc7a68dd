//! Boundary of meshes of volume elements.

use tangere::shape::{FaceKind, VolumeKind, VolumeMesh};

/// The reference places of the nodes of an element, in VTK's order.
fn reference(kind: VolumeKind) -> Vec<[f64; 3]> {
    use VolumeKind as V;
    let corners: Vec<[f64; 3]> = match kind {
        V::Tet4 | V::Tet10 => vec![[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]],
        V::Wedge6 | V::Wedge15 | V::Wedge18 => vec![
            [0., 0., 0.],
            [1., 0., 0.],
            [0., 1., 0.],
            [0., 0., 1.],
            [1., 0., 1.],
            [0., 1., 1.],
        ],
        V::Pyramid5 | V::Pyramid13 | V::Pyramid14 => vec![
            [0., 0., 0.],
            [1., 0., 0.],
            [1., 1., 0.],
            [0., 1., 0.],
            [0.5, 0.5, 1.],
        ],
        _ => vec![
            [0., 0., 0.],
            [1., 0., 0.],
            [1., 1., 0.],
            [0., 1., 0.],
            [0., 0., 1.],
            [1., 0., 1.],
            [1., 1., 1.],
            [0., 1., 1.],
        ],
    };
    let edges: &[[usize; 2]] = match corners.len() {
        4 => &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]],
        5 => &[
            [0, 1],
            [1, 2],
            [2, 3],
            [3, 0],
            [0, 4],
            [1, 4],
            [2, 4],
            [3, 4],
        ],
        6 => &[
            [0, 1],
            [1, 2],
            [2, 0],
            [3, 4],
            [4, 5],
            [5, 3],
            [0, 3],
            [1, 4],
            [2, 5],
        ],
        _ => &[
            [0, 1],
            [1, 2],
            [2, 3],
            [3, 0],
            [4, 5],
            [5, 6],
            [6, 7],
            [7, 4],
            [0, 4],
            [1, 5],
            [2, 6],
            [3, 7],
        ],
    };
    let centers: &[&[usize]] = match kind {
        V::Wedge18 => &[&[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]],
        V::Pyramid14 => &[&[0, 1, 2, 3]],
        V::Hex27 => &[
            &[0, 3, 4, 7],
            &[1, 2, 5, 6],
            &[0, 1, 4, 5],
            &[2, 3, 6, 7],
            &[0, 1, 2, 3],
            &[4, 5, 6, 7],
            &[0, 1, 2, 3, 4, 5, 6, 7],
        ],
        _ => &[],
    };
    let mut nodes = corners.clone();
    let middle = |some: &[usize]| {
        std::array::from_fn(|k| {
            some.iter().map(|&i| corners[i][k]).sum::<f64>() / some.len() as f64
        })
    };
    if kind.nodes() > corners.len() {
        nodes.extend(edges.iter().map(|edge| middle(edge)));
    }
    nodes.extend(centers.iter().map(|some| middle(some)));
    assert_eq!(nodes.len(), kind.nodes());
    nodes
}

#[test]
fn faces_of_each_kind_enclose_it() {
    for kind in VolumeKind::ALL {
        let nodes = reference(kind);
        let count = nodes.len() as u32;
        let mesh = VolumeMesh::new(nodes.clone(), vec![kind], (0..count).collect()).unwrap();
        let boundary = mesh.boundary().unwrap();
        assert!(
            boundary.inverted.is_empty() && boundary.mismatched == 0,
            "{kind}"
        );
        let report = boundary.mesh.report();
        assert!(
            report.closed && report.oriented && report.manifold,
            "{kind}\n{report}"
        );
        assert_eq!(report.folded_faces, 0, "{kind}\n{report}");
        assert_eq!(report.faces, kind.faces());
        let volume = match kind.faces() {
            4 => 1.0 / 6.0,
            6 => 1.0,
            _ if kind.nodes() == 6 || kind.nodes() == 15 || kind.nodes() == 18 => 0.5,
            _ => 1.0 / 3.0,
        };
        assert!(
            (report.volume.expect("closed") - volume).abs() < 1e-15,
            "{kind}\n{report}"
        );
        // Each node of a flat face lies where its shape function says.
        for face in 0..boundary.mesh.len() {
            let face = boundary.mesh.face(face);
            let corners = face.kind().corners();
            let linear = match corners {
                3 => FaceKind::Tri3,
                _ => FaceKind::Quad4,
            };
            let flat = tangere::shape::Face::new(linear, &face.nodes()[..corners]).unwrap();
            for (node, &xi) in face.nodes().iter().zip(face.kind().node_coordinates()) {
                assert_eq!(*node, flat.point(xi), "{kind}");
            }
        }
        // The middle of a hexahedron belongs to no face.
        let inner = usize::from(kind == VolumeKind::Hex27);
        assert_eq!(boundary.nodes.len(), kind.nodes() - inner);

        // A mirror image is inside out: its faces are flipped and it is reported, except for
        // wedges, which may be numbered either way.
        let mirrored = nodes.iter().map(|&[x, y, z]| [x, y, -z]).collect();
        let mesh = VolumeMesh::new(mirrored, vec![kind], (0..count).collect()).unwrap();
        let boundary = mesh.boundary().unwrap();
        let report = boundary.mesh.report();
        assert!(
            (report.volume.expect("closed") - volume).abs() < 1e-15,
            "{kind}\n{report}"
        );
        let reported = usize::from(kind != VolumeKind::Wedge6);
        assert_eq!(boundary.inverted.len(), reported, "{kind}");
    }
}

/// A brick of `n^3` hexahedra of 27, 20 or 8 nodes.
fn brick(kind: VolumeKind, n: u32) -> VolumeMesh {
    let side = 2 * n + 1;
    let number = |[i, j, k]: [u32; 3]| i + side * (j + side * k);
    let grid =
        (0..side).flat_map(|k| (0..side).flat_map(move |j| (0..side).map(move |i| [i, j, k])));
    let nodes = grid
        .map(|p| p.map(|x| f64::from(x) / f64::from(2 * n)))
        .collect();
    let places: Vec<[u32; 3]> = reference(VolumeKind::Hex27)
        .iter()
        .map(|p| p.map(|x| (2.0 * x) as u32))
        .collect();
    let (mut kinds, mut indices) = (Vec::new(), Vec::new());
    for k in 0..n {
        for j in 0..n {
            for i in 0..n {
                kinds.push(kind);
                let place = |p: &[u32; 3]| [2 * i + p[0], 2 * j + p[1], 2 * k + p[2]];
                indices.extend(places[..kind.nodes()].iter().map(|p| number(place(p))));
            }
        }
    }
    VolumeMesh::new(nodes, kinds, indices).expect("a brick")
}

#[test]
fn bricks_have_six_sides() {
    for (kind, face) in [
        (VolumeKind::Hex8, FaceKind::Quad4),
        (VolumeKind::Hex20, FaceKind::Quad8),
        (VolumeKind::Hex27, FaceKind::Quad9),
    ] {
        let mesh = brick(kind, 3);
        let boundary = mesh.boundary().unwrap();
        assert_eq!(boundary.mesh.len(), 6 * 9);
        assert!(boundary.mesh.kinds().iter().all(|&kind| kind == face));
        let report = boundary.mesh.report();
        assert!(report.closed && report.oriented && report.components == 1);
        assert!((report.volume.expect("closed") - 1.0).abs() < 1e-14);
        assert!((report.area - 6.0).abs() < 1e-13);
        assert!(boundary.elements.is_sorted() && !boundary.elements.contains(&13));
        for (i, &node) in boundary.nodes.iter().enumerate() {
            assert_eq!(boundary.mesh.nodes()[i], mesh.nodes()[node as usize]);
        }
    }
}

#[test]
fn bad_volumes_are_named() {
    let message = |nodes: Vec<[f64; 3]>, kinds, indices| {
        let mesh = VolumeMesh::new(nodes, kinds, indices);
        let error = mesh.and_then(|mesh| mesh.boundary().map(|_| ()));
        error.expect_err("a mesh that is refused").to_string()
    };
    let tet = || reference(VolumeKind::Tet4);
    let kinds = |n: usize| vec![VolumeKind::Tet4; n];
    for (found, expected) in [
        (message(tet(), kinds(0), vec![]), "mesh: found no elements"),
        (
            message(tet(), kinds(1), vec![0, 1, 2]),
            "elements: found 3 node numbers, expected 4",
        ),
        (
            message(tet(), kinds(2), vec![0, 1, 2, 3, 0, 1, 2, 9]),
            "element 1: found tet4 of nodes [0, 1, 2, 9], expected indices below 4",
        ),
        (
            message(tet(), kinds(1), vec![0, 1, 2, 1]),
            "element 0: found tet4 of nodes [0, 1, 2, 1], expected nodes that differ",
        ),
        (
            message(tet(), kinds(3), [0, 1, 2, 3].repeat(3)),
            "element 2: found the face of nodes [0, 1, 2], which 3 elements have",
        ),
        (
            message(tet(), kinds(2), [0, 1, 2, 3].repeat(2)),
            "mesh: found no faces",
        ),
        (
            message(vec![[f64::INFINITY; 3]; 4], kinds(1), vec![0, 1, 2, 3]),
            "node 0: found [inf, inf, inf]",
        ),
    ] {
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
    let flat = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
    let mesh = VolumeMesh::new(flat, kinds(1), vec![0, 1, 2, 3]).unwrap();
    assert_eq!(mesh.boundary().unwrap().inverted, [0]);
}

#[test]
fn elements_of_different_degree_do_not_match() {
    let mut nodes = reference(VolumeKind::Tet10);
    nodes.push([1.0, 1.0, 1.0]);
    let kinds = vec![VolumeKind::Tet10, VolumeKind::Tet4];
    let indices: Vec<u32> = (0..10).chain([1, 2, 3, 10]).collect();
    let boundary = VolumeMesh::new(nodes, kinds, indices)
        .unwrap()
        .boundary()
        .unwrap();
    assert_eq!((boundary.mesh.len(), boundary.mismatched), (6, 1));
    assert_eq!(boundary.mesh.report().mismatched_edges, 3);
}
