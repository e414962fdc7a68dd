//! Reports of triangle meshes: hand-made cases, and random ones compared with a naive count.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tangere::geometry::{Pose, Similarity};
use tangere::shape::{MeshReport, TriMesh};
use test_support::surfaces::{cube, inverted, together};

#[test]
fn cube_is_a_sphere_topologically() {
    let report = cube([0.5; 3], 1.0).report();
    assert!(report.closed && report.oriented && report.manifold);
    assert_eq!(
        (report.components, report.genus, report.edges),
        (1, Some(0), 18)
    );
    assert_eq!((report.volume, report.area), (Some(1.0), 6.0));
    assert_eq!((report.shells, report.inverted_shells), (1, 0));
}

#[test]
fn volume_keeps_its_digits_at_a_large_offset() {
    let report = cube([1e9, -1e9, 1e9], 1.0).report();
    assert_eq!(report.volume, Some(1.0));
}

#[test]
fn cavity_is_not_inverted_but_inverted_cube_is() {
    let outer = || cube([0.0; 3], 4.0);
    let hollow = together([outer(), inverted(&cube([0.0; 3], 1.0))]).report();
    assert_eq!((hollow.shells, hollow.inverted_shells), (2, 0));
    assert_eq!(hollow.volume, Some(63.0));
    let beside = together([outer(), inverted(&cube([9.0; 3], 1.0))]).report();
    assert_eq!(beside.inverted_shells, 1);
    let alone = inverted(&cube([0.0; 3], 1.0)).report();
    assert_eq!((alone.inverted_shells, alone.volume), (1, Some(-1.0)));
}

#[test]
fn report_and_repair_agree_on_nested_and_crossing_shells() {
    // A solid within a solid should be a cavity.
    let nested = together([cube([0.0; 3], 4.0), cube([0.5; 3], 1.0)]);
    assert_eq!(nested.report().inverted_shells, 1);
    let repaired = nested.reoriented().unwrap();
    assert_eq!(repaired.flipped, 12);
    assert_eq!(repaired.mesh.report().inverted_shells, 0);
    // Shells that cross or coincide are left as they are.
    for center in [0.0, 0.5, 1.0] {
        let crossing = together([cube([0.0; 3], 1.0), cube([center; 3], 1.0)]);
        assert_eq!(crossing.report().inverted_shells, 0);
        assert_eq!(crossing.reoriented().unwrap().flipped, 0);
    }
}

#[test]
fn cavity_that_touches_its_wall_is_still_a_cavity() {
    let octahedron = TriMesh::new(
        vec![
            [0.0, 2.0, 2.1],
            [2.0, 2.0, 2.1],
            [1.0, 1.0, 2.1],
            [1.0, 3.0, 2.1],
            [1.0, 2.0, 1.1],
            [1.0, 2.0, 3.1],
        ],
        vec![
            [0, 3, 4],
            [0, 4, 2],
            [0, 2, 5],
            [0, 5, 3],
            [1, 4, 3],
            [1, 2, 4],
            [1, 5, 2],
            [1, 3, 5],
        ],
    )
    .unwrap();
    let hollow = together([cube([2.0; 3], 4.0), octahedron]).reoriented();
    let report = hollow.unwrap().mesh.report();
    assert_eq!(report.inverted_shells, 0);
    assert!((report.volume.unwrap() - (64.0 - 4.0 / 3.0)).abs() < 1e-12);
}

#[test]
fn solids_joined_along_an_edge_are_turned_one_by_one() {
    let vertices = [
        [0, 0, 0],
        [0, 0, 1],
        [1, 0, 0],
        [1, 1, 0],
        [-1, 0, 0],
        [-1, -1, 0],
    ];
    let tetrahedron = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d], [a, d, b], [b, d, c]];
    let faces = [tetrahedron([0, 1, 3, 2]), tetrahedron([0, 1, 4, 5])].concat();
    let vertices: Vec<[f64; 3]> = vertices.map(|p| p.map(f64::from)).to_vec();
    let joined = TriMesh::new(vertices, faces).unwrap();
    let report = joined.report();
    assert!(report.closed && report.oriented);
    assert_eq!(
        (report.components, report.shells, report.nonmanifold_edges),
        (1, 2, 1)
    );
    let repaired = joined.reoriented().unwrap().mesh;
    let volume = repaired.report().volume.unwrap();
    assert!((volume - 1.0 / 3.0).abs() < 1e-15, "{volume}");
    assert_eq!(repaired.reoriented().unwrap().flipped, 0);
}

#[test]
fn thousands_of_shells_one_in_another_are_no_trouble() {
    let parts: Vec<TriMesh> = (0..3000)
        .map(|i| cube([0.0; 3], 1.0 + f64::from(i)))
        .enumerate()
        .map(|(i, cube)| if i % 2 == 0 { inverted(&cube) } else { cube })
        .collect();
    let report = together(parts).report();
    // The outermost, of odd number, points outward: every other is a cavity.
    assert_eq!((report.shells, report.inverted_shells), (3000, 0));
}

#[test]
fn orientation_is_repaired_by_nesting() {
    // Inside out, and a third of the triangles turned besides.
    let broken = together([
        inverted(&cube([0.0; 3], 4.0)),
        cube([0.0; 3], 2.0),
        inverted(&cube([0.0; 3], 1.0)),
        inverted(&cube([9.0; 3], 1.0)),
    ]);
    let (vertices, mut faces) = broken.into_parts();
    faces.iter_mut().step_by(3).for_each(|f| f.swap(0, 1));
    let broken = TriMesh::new(vertices, faces).unwrap();
    assert!(!broken.report().oriented);
    let repaired = broken.reoriented().unwrap();
    let report = repaired.mesh.report();
    assert!(report.oriented);
    assert_eq!(report.inverted_shells, 0);
    assert_eq!(report.volume, Some(64.0 - 8.0 + 1.0 + 1.0));
    let winding = |f: &[u32; 3]| (f[0] < f[1]) ^ (f[1] < f[2]) ^ (f[2] < f[0]);
    let pairs = broken.faces().iter().zip(repaired.mesh.faces());
    let turned = pairs.filter(|(f, g)| winding(f) != winding(g)).count();
    assert_eq!(repaired.flipped, turned);
    assert_eq!(repaired.mesh.reoriented().unwrap().flipped, 0);
}

#[test]
fn moebius_strip_has_no_orientation() {
    // Five vertices on a circle, each triangle three in a row: the smallest strip.
    let vertices: Vec<[f64; 3]> = (0..5)
        .map(|i| [f64::from(i), f64::from(i * i % 7), f64::from(i % 2)])
        .collect();
    let faces: Vec<[u32; 3]> = (0..5).map(|i| [i, (i + 1) % 5, (i + 2) % 5]).collect();
    let strip = TriMesh::new(vertices, faces).unwrap();
    let report = strip.report();
    assert_eq!((report.euler_characteristic, report.boundary_edges), (0, 5));
    assert!(!report.closed && !report.oriented && report.manifold);
    let message = strip.reoriented().unwrap_err().to_string();
    assert!(message.contains("two sides"), "{message}");
}

#[test]
fn cubes_that_share_a_vertex_are_not_manifold() {
    let corner_to_corner = together([cube([0.0; 3], 1.0), cube([1.0; 3], 1.0)]);
    let report = corner_to_corner.welded(0.0).unwrap().mesh.report();
    assert!(report.closed && report.oriented && !report.manifold);
    assert_eq!(
        (report.nonmanifold_vertices, report.nonmanifold_edges),
        (1, 0)
    );
    assert_eq!((report.components, report.genus), (2, None));
    assert_eq!(report.volume, Some(2.0));
}

#[test]
fn defects_are_counted() {
    let (mut vertices, mut faces) = cube([0.0; 3], 1.0).into_parts();
    let sound = faces.len();
    vertices.push([7.0, 7.0, 7.0]);
    vertices.push([0.0, -0.5, -0.5]);
    faces.push([faces[0][1], faces[0][0], faces[0][2]]); // a duplicate, turned
    faces.push([0, 1, 9]); // three corners on an edge of the cube
    faces.push([3, 3, 5]); // a vertex named twice
    let report = TriMesh::new(vertices, faces).unwrap().report();
    assert_eq!(report.triangles, sound + 3);
    assert_eq!(report.unused_vertices, 1);
    assert_eq!(report.duplicate_triangles, 1);
    assert_eq!(report.degenerate_triangles, 2);
    assert_eq!(report.bounds.max, [0.5; 3]);
    assert!(!report.closed);
    assert_eq!((report.volume, report.genus), (None, None));
}

#[test]
fn triangles_that_repeat_a_vertex_bound_nothing() {
    let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0]];
    let report = TriMesh::new(vertices, vec![[0, 0, 1], [1, 0, 1]])
        .unwrap()
        .report();
    assert!(!report.closed);
    assert_eq!((report.components, report.edges), (0, 0));
    assert_eq!(report.degenerate_triangles, 2);
}

#[test]
fn bad_meshes_are_refused_with_the_item_named() {
    let p = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let message = |v: &[[f64; 3]], f: &[[u32; 3]]| {
        TriMesh::new(v.to_vec(), f.to_vec())
            .unwrap_err()
            .to_string()
    };
    assert!(message(&p, &[[0, 1, 2], [0, 1, 3]]).starts_with("face 1: "));
    assert!(message(&p, &[]).contains("no triangles"));
    assert!(message(&[[0.0; 3]; 3], &[[0, 1, 2]]).contains("extent"));
    for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e61, 1e-91, 5e-324] {
        let mut q = p;
        q[2][1] = bad;
        assert!(message(&q, &[[0, 1, 2]]).starts_with("vertex 2: "));
    }
}

/// What the naive count and the report must agree on.
type Counts = BTreeMap<&'static str, usize>;

/// A naive report by maps and sets.
fn naive(mesh: &TriMesh) -> Counts {
    let proper: Vec<[u32; 3]> = mesh
        .faces()
        .iter()
        .copied()
        .filter(|&[a, b, c]| a != b && b != c && c != a)
        .collect();
    let mut around: BTreeMap<(u32, u32), Vec<bool>> = BTreeMap::new();
    for face in &proper {
        for k in 0..3 {
            let (a, b) = (face[k], face[(k + 1) % 3]);
            around.entry((a.min(b), a.max(b))).or_default().push(a < b);
        }
    }
    // All of `among` that `start` reaches over links.
    let reach = |start: usize, linked: &dyn Fn(usize, usize) -> bool, among: &[usize]| {
        let mut seen = BTreeSet::from([start]);
        let mut stack = vec![start];
        while let Some(f) = stack.pop() {
            for &g in among {
                if linked(f, g) && seen.insert(g) {
                    stack.push(g);
                }
            }
        }
        seen
    };
    let shared = |f: usize, g: usize| -> Vec<u32> {
        let common = proper[f].iter().filter(|v| proper[g].contains(v));
        common.copied().collect()
    };
    let all: Vec<usize> = (0..proper.len()).collect();
    let mut left: BTreeSet<usize> = all.iter().copied().collect();
    let mut components = 0;
    while let Some(&f) = left.first() {
        let part = reach(f, &|f, g| shared(f, g).len() >= 2, &all);
        left.retain(|g| !part.contains(g));
        components += 1;
    }
    let mut nonmanifold_vertices = 0;
    for v in 0..mesh.vertices().len() as u32 {
        let at_v = |&f: &usize| proper[f].contains(&v);
        let star: Vec<usize> = all.iter().copied().filter(at_v).collect();
        if let Some(&f) = star.first() {
            let fan = reach(f, &|f, g| shared(f, g).iter().any(|&w| w != v), &star);
            nonmanifold_vertices += usize::from(fan.len() < star.len());
        }
    }
    let sorted = |f: &[u32; 3]| {
        let mut f = *f;
        f.sort_unstable();
        f
    };
    let distinct: BTreeSet<[u32; 3]> = proper.iter().map(sorted).collect();
    let edges = |test: &dyn Fn(&[bool]) -> bool| around.values().filter(|a| test(a)).count();
    let balanced = |a: &[bool]| 2 * a.iter().filter(|&&forward| forward).count() == a.len();
    BTreeMap::from([
        ("edges", around.len()),
        ("boundary", edges(&|a| a.len() == 1)),
        ("nonmanifold", edges(&|a| a.len() > 2)),
        ("misoriented", edges(&|a| a.len() > 1 && !balanced(a))),
        ("components", components),
        ("nonmanifold vertices", nonmanifold_vertices),
        ("duplicates", proper.len() - distinct.len()),
    ])
}

fn counts(report: &MeshReport) -> Counts {
    BTreeMap::from([
        ("edges", report.edges),
        ("boundary", report.boundary_edges),
        ("nonmanifold", report.nonmanifold_edges),
        ("misoriented", report.misoriented_edges),
        ("components", report.components),
        ("nonmanifold vertices", report.nonmanifold_vertices),
        ("duplicates", report.duplicate_triangles),
    ])
}

proptest! {
    #[test]
    fn random_surfaces_agree_with_a_naive_count(
        faces in prop::collection::vec(prop::array::uniform3(0u32..7), 1..14)
    ) {
        let vertices = (0..7).map(|i| [f64::from(i), f64::from(i * i), 1.0]).collect();
        let Ok(mesh) = TriMesh::new(vertices, faces) else {
            return Ok(()); // every corner at one vertex
        };
        prop_assert_eq!(counts(&mesh.report()), naive(&mesh));
    }

    #[test]
    fn welding_keeps_vertices_apart_and_moves_none_too_far(
        points in prop::collection::vec(prop::array::uniform3(0..12i32), 3..60),
        offset in prop::sample::select(vec![0.0, 1e9]),
        tolerance in 0.1f64..3.0,
    ) {
        let vertices: Vec<[f64; 3]> =
            points.iter().map(|p| p.map(|x| f64::from(x) + offset)).collect();
        let faces = (0..vertices.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let Ok(mesh) = TriMesh::new(vertices, faces) else { return Ok(()) };
        let Ok(welded) = mesh.welded(tolerance) else { return Ok(()) };
        let distance = |p: &[f64; 3], q: &[f64; 3]| {
            (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt()
        };
        let kept = welded.mesh.vertices();
        for (i, p) in kept.iter().enumerate() {
            prop_assert!(kept[..i].iter().all(|q| distance(p, q) > tolerance));
        }
        for p in mesh.vertices() {
            prop_assert!(kept.iter().any(|q| distance(p, q) <= tolerance));
        }
    }
}

#[test]
fn welding_merges_what_is_near_and_drops_what_collapses() {
    let vertices = vec![
        [0.0; 3],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [1.0, 1e-3, 0.0],
        [-0.0; 3],
        [1.0, 1.0, 0.0],
    ];
    let faces = vec![[0, 1, 2], [1, 3, 2], [3, 5, 2], [4, 1, 5]];
    let mesh = TriMesh::new(vertices, faces).unwrap();
    let exact = mesh.welded(0.0).unwrap();
    assert_eq!((exact.merged, exact.collapsed), (1, 0));
    assert_eq!(
        exact.mesh.faces(),
        &[[0, 1, 2], [1, 3, 2], [3, 4, 2], [0, 1, 4]]
    );
    let near = mesh.welded(1e-3).unwrap();
    assert_eq!((near.merged, near.collapsed), (2, 1));
    assert_eq!(near.mesh.faces(), &[[0, 1, 2], [1, 3, 2], [0, 1, 3]]);
    for below_resolution in [1e-20, f64::MIN_POSITIVE] {
        assert_eq!(mesh.welded(below_resolution).unwrap(), exact);
    }
    for bad in [-1.0, -1e-20, f64::NAN, f64::INFINITY] {
        let error = mesh.welded(bad).unwrap_err().to_string();
        assert!(error.contains("weld tolerance"), "{error}");
    }
    let error = mesh.welded(100.0).unwrap_err().to_string();
    let named = "weld tolerance: found 100, which collapses all 4 triangles";
    assert!(error.starts_with(named), "{error}");
}

#[test]
fn moving_keeps_volume_and_orientation() {
    let mesh = cube([3.0, -2.0, 1.0], 1.0);
    let turn = "1,2,3,0.5,0.5,0.5,0.5".parse().unwrap();
    for scale in [2.0, -2.0] {
        let moved = mesh
            .transformed(&Similarity::new(scale, turn).unwrap())
            .unwrap();
        let report = moved.report();
        assert_eq!(report.volume, Some(8.0));
        assert!(report.oriented && report.inverted_shells == 0);
    }
    let far = Similarity::new(1e60, Pose::identity()).unwrap();
    assert!(mesh.transformed(&far).is_err());
}

#[test]
fn many_cavities_in_one_body_are_found_quickly() {
    let mut parts = vec![cube([10.0; 3], 30.0)];
    for i in 0..8000 {
        let center = [i % 20, i / 20 % 20, i / 400].map(f64::from);
        parts.push(inverted(&cube(center, 0.5)));
    }
    let report = together(parts).report();
    assert_eq!((report.shells, report.inverted_shells), (8001, 0));
    assert_eq!(report.volume, Some(27000.0 - 1000.0));
    // A cube that shares a face with another is beside it, not inside.
    let touching = together([cube([0.0; 3], 2.0), inverted(&cube([2.0; 3], 2.0))]);
    assert_eq!(touching.report().inverted_shells, 1);
}
