//! Filling of holes.

use tangere::generate::sphere as octasphere;
use tangere::shape::{DEFAULT_HOLE_EDGES, TriMesh};

/// Returns a mesh without some of its triangles.
fn without(mesh: &TriMesh, dropped: impl Fn(usize) -> bool) -> TriMesh {
    let faces = mesh.faces().iter().enumerate();
    let faces = faces.filter(|(i, _)| !dropped(*i)).map(|(_, &face)| face);
    TriMesh::new(mesh.vertices().to_vec(), faces.collect()).expect("a mesh")
}

/// Returns the least total area of all triangulations of a loop, by trying them all.
fn least_area(points: &[[f64; 3]]) -> f64 {
    let n = points.len();
    if n < 3 {
        return 0.0;
    }
    let area = |a: [f64; 3], b: [f64; 3], c: [f64; 3]| {
        TriMesh::new(vec![a, b, c], vec![[0, 1, 2]])
            .expect("a mesh")
            .report()
            .area
    };
    (1..n - 1)
        .map(|m| {
            let here = area(points[0], points[m], points[n - 1]);
            here + least_area(&points[..=m]) + least_area(&points[m..])
        })
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn holes_of_a_sphere_are_filled() {
    let sphere = octasphere(4).unwrap();
    for step in [97, 31, 13, 7] {
        let open = without(&sphere, |i| i % step == 0);
        let before = open.report();
        let repaired = open.holes_filled(DEFAULT_HOLE_EDGES).unwrap();
        let report = repaired.mesh.report();
        assert!(
            report.closed && report.oriented && report.manifold,
            "{step}"
        );
        assert_eq!((repaired.open_edges, report.boundary_edges), (0, 0));
        assert_eq!(repaired.added, report.triangles - before.triangles);
        assert_eq!(report.duplicate_triangles, 0);
        let volume = sphere.report().volume.unwrap();
        assert!((report.volume.unwrap() - volume).abs() < 0.02 * volume);
        // The triangles of the mesh come first, unchanged.
        assert_eq!(repaired.mesh.faces()[..open.faces().len()], *open.faces());
    }
}

#[test]
fn the_area_is_the_least() {
    // A cone over a bent rim, without the bottom.
    let n = 9;
    let rim = |i: usize| {
        let angle = std::f64::consts::TAU * i as f64 / n as f64;
        [angle.cos(), 1.5 * angle.sin(), 0.3 * (3.0 * angle).cos()]
    };
    let mut vertices: Vec<[f64; 3]> = (0..n).map(rim).collect();
    vertices.push([0.0, 0.0, 3.0]);
    let faces = (0..n as u32).map(|i| [i, (i + 1) % n as u32, n as u32]);
    let cone = TriMesh::new(vertices.clone(), faces.collect()).unwrap();
    let repaired = cone.holes_filled(n).unwrap();
    assert_eq!((repaired.filled, repaired.added), (1, n - 2));
    let added = repaired.mesh.report().area - cone.report().area;
    assert!((added - least_area(&vertices[..n])).abs() < 1e-12);
    assert!(repaired.mesh.report().oriented);
    let kept = cone.holes_filled(n - 1).unwrap();
    assert_eq!((kept.filled, kept.open_edges), (0, n));
}

#[test]
fn what_cannot_be_filled_stays_open() {
    let corners = vec![
        [0., 0., 0.],
        [1., 0., 0.],
        [0., 1., 0.],
        [1., 1., 0.],
        [0., 0., 1.],
    ];
    // A triangle without neighbours would be filled by itself.
    let one = TriMesh::new(corners.clone(), vec![[0, 1, 2]]).unwrap();
    let repaired = one.holes_filled(9).unwrap();
    assert_eq!((repaired.filled, repaired.open_edges), (0, 3));
    // The other diagonal of a square of two triangles is free.
    let two = TriMesh::new(corners.clone(), vec![[0, 1, 2], [2, 1, 3]]).unwrap();
    let repaired = two.holes_filled(9).unwrap();
    assert_eq!((repaired.filled, repaired.added), (1, 2));
    assert!(repaired.mesh.report().closed);
    // An edge of three triangles has no fan around its vertices.
    let three = vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]];
    let three = TriMesh::new(corners, three).unwrap();
    let repaired = three.holes_filled(9).unwrap();
    assert_eq!((repaired.filled, repaired.open_edges), (0, 6));
    for edges in [0, 2, 1001] {
        assert!(one.holes_filled(edges).is_err());
    }
}

#[test]
fn holes_that_share_a_vertex_are_two() {
    // Opposite triangles at the pole of an octahedron.
    let sphere = octasphere(0).unwrap();
    let pole = sphere.faces()[0][0];
    let around: Vec<usize> = (0..8)
        .filter(|&i| sphere.faces()[i].contains(&pole))
        .collect();
    let meets = |a: usize, b: usize| {
        let shared = sphere.faces()[a]
            .iter()
            .filter(|v| sphere.faces()[b].contains(v));
        shared.count()
    };
    let opposite = around[1..]
        .iter()
        .copied()
        .find(|&i| meets(around[0], i) == 1)
        .unwrap();
    let open = without(&sphere, |i| i == around[0] || i == opposite);
    let repaired = open.holes_filled(3).unwrap();
    assert_eq!(
        (repaired.filled, repaired.added, repaired.open_edges),
        (2, 2, 0)
    );
    assert!(repaired.mesh.report().closed && repaired.mesh.report().oriented);
}
