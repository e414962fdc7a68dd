//! Intersections and distances of triangle meshes against brute force over all pairs of their
//! triangles.

use super::oracle;
use tangere::closest::{Intersection, SurfaceStatus, TriangleTree, triangle_distance};
use tangere::generate;
use tangere::geometry::{IntersectionKind, Pose, Similarity, triangle_triangle};
use tangere::shape::TriMesh;
use test_support::Random;

/// The poses of the second mesh that all tests use.
fn poses() -> Vec<Pose> {
    let turned = |t: [f64; 3], q: [f64; 4]| {
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let q = q.map(|x| x / length);
        Pose::from_numbers(&[t[0], t[1], t[2], q[0], q[1], q[2], q[3]]).expect("a pose")
    };
    vec![
        Pose::identity(),
        turned([0.02, 0.01, 0.03], [0.5, 0.5, 0.5, 0.5]),
        turned([0.1, 0.2, 0.3], [0.9, 0.3, 0.3, 0.1]),
        turned([0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]),
        turned([0.5, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]),
        turned([1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]),
        turned([1.5, 0.7, 0.2], [1.0, -0.1, 0.3, 0.2]),
        turned([9.0, 2.0, 1.0], [1.0, 0.4, 0.3, 0.2]),
    ]
}

/// The meshes that all tests use, by name.
fn surfaces() -> Vec<(&'static str, TriMesh)> {
    vec![
        ("sphere", generate::sphere(2).expect("a sphere")),
        ("knot", generate::knot(300).expect("a knot")),
        ("sponge", generate::sponge(1).expect("a sponge")),
        ("one", soup(1, 5)),
        ("soup", soup(60, 9)),
    ]
}

/// A mesh of triangles of a small lattice, many of them coplanar or without area.
fn soup(count: usize, seed: u64) -> TriMesh {
    let mut random = Random::new(seed);
    let mut point = || random.lattice(5).map(|x| 0.25 * x);
    let vertices: Vec<_> = (0..3 * count).map(|_| point()).collect();
    let faces = (0..count as u32).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]);
    TriMesh::new(vertices, faces.collect()).expect("a mesh")
}

/// The triangles of a mesh, moved by a pose.
fn moved(mesh: &TriMesh, pose: &Pose) -> Vec<[[f64; 3]; 3]> {
    let triangle = |f: usize| mesh.triangle(f).map(|p| pose.apply(p));
    (0..mesh.faces().len()).map(triangle).collect()
}

/// All pairs of triangles for which `meeting` is some kind of intersection, by brute force.
fn by_all(
    a: &[[[f64; 3]; 3]],
    b: &[[[f64; 3]; 3]],
    meeting: impl Fn([[f64; 3]; 3], [[f64; 3]; 3]) -> Option<IntersectionKind>,
) -> Vec<Intersection> {
    let mut found = Vec::new();
    for (i, &t) in a.iter().enumerate() {
        for (j, &u) in b.iter().enumerate() {
            if let Some(kind) = meeting(t, u) {
                let (a, b) = (i as u32, j as u32);
                found.push(Intersection { a, b, kind });
            }
        }
    }
    found
}

#[test]
fn intersections_match_brute_force() {
    let surfaces = surfaces();
    let mut kinds = [0; 3];
    for (name_a, a) in &surfaces {
        let tree_a = TriangleTree::new(a);
        for (name_b, b) in &surfaces {
            let tree_b = TriangleTree::new(b);
            for pose in poses() {
                let mut found = Vec::new();
                tree_a.intersections(&tree_b, &pose, &mut found).unwrap();
                let still = moved(a, &Pose::identity());
                let expected = by_all(&still, &moved(b, &pose), triangle_triangle);
                assert!(found == expected, "{name_a} {name_b} {pose}");
                assert_eq!(tree_a.intersects(&tree_b, &pose), !found.is_empty());
                for pair in &found {
                    kinds[pair.kind as usize] += 1;
                }
            }
        }
    }
    assert!(kinds.iter().all(|&n| n > 100), "{kinds:?}");
}

/// Intersections match exact arithmetic for all pairs of triangles whose boxes are near.
#[test]
fn intersections_match_exact_arithmetic() {
    let mesh = generate::knot(300).unwrap();
    let tree = TriangleTree::new(&mesh);
    for pose in &poses()[1..5] {
        let mut found = Vec::new();
        tree.intersections(&tree, pose, &mut found).unwrap();
        let near = |t: [[f64; 3]; 3], u: [[f64; 3]; 3]| {
            let bounds = tangere::geometry::triangle::bounds;
            bounds(t)
                .overlaps(&bounds(u))
                .then(|| oracle::expected(t, u))?
        };
        let still = moved(&mesh, &Pose::identity());
        assert!(found == by_all(&still, &moved(&mesh, pose), near), "{pose}");
        assert!(found.len() > 50);
    }
}

#[test]
fn exchanging_a_and_b_changes_nothing() {
    let (a, b) = (generate::knot(300).unwrap(), generate::sponge(1).unwrap());
    for pose in poses() {
        // Both are moved beforehand: an inverse pose rounds.
        let b = TriangleTree::new(&b.transformed(&Similarity::from(pose)).unwrap());
        let a = TriangleTree::new(&a);
        let (mut there, mut back) = (Vec::new(), Vec::new());
        a.intersections(&b, &Pose::identity(), &mut there).unwrap();
        b.intersections(&a, &Pose::identity(), &mut back).unwrap();
        back.iter_mut()
            .for_each(|pair| (pair.a, pair.b) = (pair.b, pair.a));
        back.sort();
        assert_eq!(there, back);
        let (d, e) = (
            a.distance(&b, &Pose::identity()),
            b.distance(&a, &Pose::identity()),
        );
        assert_eq!((d.distance, d.intersecting), (e.distance, e.intersecting));
    }
}

#[test]
fn distances_match_brute_force() {
    let surfaces = surfaces();
    let mut apart = 0;
    for (name_a, a) in &surfaces {
        let tree_a = TriangleTree::new(a);
        for (name_b, b) in &surfaces {
            let tree_b = TriangleTree::new(b);
            for pose in poses() {
                let found = tree_a.distance(&tree_b, &pose);
                let mut expected: Option<(f64, u32, u32)> = None;
                for i in 0..a.faces().len() {
                    let t = a.triangle(i);
                    for (j, &u) in moved(b, &pose).iter().enumerate() {
                        let distance = triangle_distance(t, u).distance;
                        if expected.is_none_or(|least| distance < least.0) {
                            expected = Some((distance, i as u32, j as u32));
                        }
                    }
                }
                let reported = (found.distance, found.face_a, found.face_b);
                assert_eq!(Some(reported), expected, "{name_a} {name_b} {pose}");
                assert_eq!(found.intersecting, found.distance == 0.0);
                apart += usize::from(!found.intersecting);
                let away: f64 = (0..3)
                    .map(|k| (found.point_a[k] - found.point_b[k]).powi(2))
                    .sum();
                assert!((away.sqrt() - found.distance).abs() < 1e-14);
                let on = |p: [f64; 3], t: [[f64; 3]; 3]| {
                    let near = tangere::geometry::triangle::closest_on_triangle(p, t);
                    near.distance_squared.sqrt() < 1e-14
                };
                assert!(on(found.point_a, a.triangle(found.face_a as usize)));
                let b_face = b.triangle(found.face_b as usize).map(|p| pose.apply(p));
                assert!(on(found.point_b, b_face), "{name_a} {name_b} {found:?}");
            }
        }
    }
    assert!(apart > 20, "{apart}");
}

/// The distance of the closest triangles and their indices, by brute force.
fn closest_of_all(a: &TriMesh, b: &TriMesh, pose: &Pose) -> (f64, u32, u32) {
    let mut least = (f64::INFINITY, 0, 0);
    for (j, u) in moved(b, pose).into_iter().enumerate() {
        for i in 0..a.faces().len() {
            let distance = triangle_distance(a.triangle(i), u).distance;
            if (distance, i as u32, j as u32) < least {
                least = (distance, i as u32, j as u32);
            }
        }
    }
    least
}

/// Meshes of very different sizes, far from each other, and far from the origin.
#[test]
fn distances_match_brute_force_at_all_scales() {
    let (a, b) = (generate::knot(150).unwrap(), generate::sphere(1).unwrap());
    let mut random = Random::new(17);
    let cases: [(f64, f64, f64); 13] = [
        (1.0, 1e2, 0.0),
        (1.0, 1e4, 0.0),
        (1.0, 1e7, 0.0),
        (1.0, 1e12, 0.0),
        (1.0, 1e20, 0.0),
        (1e-6, 5.0, 0.0),
        (1e-6, 1e3, 0.0),
        (1e6, 3e6, 0.0),
        (1e30, 3e30, 0.0),
        (1e-30, 5.0, 0.0),
        (1e-80, 1e-3, 0.0),
        (1.0, 6.0, 1e9),
        (1.0, 1e5, 1e9),
    ];
    for (size, away, offset) in cases {
        let shift: [f64; 3] = [offset, -offset, offset];
        let placed = |mesh: &TriMesh, scale: f64| {
            let pose = Pose::from_translation(shift).unwrap();
            let scaled = Similarity::new(scale, pose).unwrap();
            mesh.transformed(&scaled).unwrap()
        };
        let (a, b) = (placed(&a, 1.0), placed(&b, size));
        let (tree_a, tree_b) = (TriangleTree::new(&a), TriangleTree::new(&b));
        for _ in 0..4 {
            let way: [f64; 3] = random.direction();
            // Turned about the place of the meshes.
            let turned = random.pose([0.0; 3]);
            let back = turned.apply(shift);
            let t = std::array::from_fn(|k| shift[k] - back[k] + way[k] * away);
            let pose = Pose::new(turned.rotation(), t).unwrap();
            let found = tree_a.distance(&tree_b, &pose);
            let reported = (found.distance, found.face_a, found.face_b);
            if found.pairs == 0 {
                assert_eq!(
                    reported,
                    closest_of_all(&a, &b, &pose),
                    "{size} {away} {offset}"
                );
            }
        }
    }
}

/// Bodies that are a million sizes apart take as long as near ones: f32 does not resolve their
/// distance, so boxes must be compared along the line of their centers.
#[test]
fn distant_bodies_are_not_searched_pair_by_pair() {
    let ball = TriangleTree::new(&generate::sphere(5).unwrap());
    let start = std::time::Instant::now();
    for away in [1e4, 1e6, 1e9] {
        let pose = Pose::from_translation([away, 0.1, 0.2]).unwrap();
        assert!((ball.distance(&ball, &pose).distance - (away - 2.0)).abs() < 1e-4);
    }
    // A tenth of a second; all pairs of triangles take minutes.
    assert!(start.elapsed().as_secs() < 10);
}

#[test]
fn self_intersections_match_brute_force() {
    let mut folded = generate::knot(300).unwrap().into_parts();
    // Some vertices pulled across the strand.
    for v in folded.0.iter_mut().step_by(7) {
        v[2] = -v[2];
    }
    let folded = TriMesh::new(folded.0, folded.1).unwrap();
    let mut surfaces = surfaces();
    surfaces.push(("folded", folded));
    let mut total = 0;
    for (name, mesh) in surfaces {
        let triangles = moved(&mesh, &Pose::identity());
        let mut expected = by_all(&triangles, &triangles, triangle_triangle);
        expected.retain(|pair| {
            let [f, g] = [pair.a, pair.b].map(|f| mesh.faces()[f as usize]);
            pair.a < pair.b && !f.iter().any(|v| g.contains(v))
        });
        let mut found = Vec::new();
        TriangleTree::new(&mesh)
            .self_intersections(&mut found)
            .unwrap();
        assert!(found == expected, "{name}");
        total += found.len();
        let report = mesh.report_with_self_intersections();
        assert_eq!(report.self_intersections, Some(found.len()), "{name}");
        assert_eq!(mesh.report().self_intersections, None);
        if ["sphere", "knot", "sponge"].contains(&name) {
            assert!(found.is_empty(), "{name}");
        }
    }
    assert!(total > 200, "{total}");
}

#[test]
fn threads_and_earlier_queries_do_not_matter() {
    let mesh = generate::knot(2000).unwrap();
    let answers = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let tree = TriangleTree::new(&mesh);
            let mut found = vec![
                Intersection {
                    a: 1,
                    b: 2,
                    kind: IntersectionKind::Touching
                };
                9
            ];
            let mut all = Vec::new();
            for pose in poses() {
                tree.intersections(&tree, &pose, &mut found).unwrap();
                let distance = tree.distance(&tree, &pose);
                all.push((found.clone(), format!("{distance:?}")));
            }
            all
        })
    };
    let first = answers(1);
    assert!(first.iter().any(|(found, _)| found.len() > 500));
    for threads in [2, 3, 8] {
        assert!(answers(threads) == first, "{threads} threads");
    }
}

#[test]
fn any_magnitude_is_supported() {
    let sphere = generate::sphere(1).unwrap();
    for scale in [1e-80, 1e-20, 1e20, 1e55] {
        let scaled = sphere
            .transformed(&Similarity::new(scale, Pose::identity()).unwrap())
            .unwrap();
        let tree = TriangleTree::new(&scaled);
        let pose = |x: f64| Pose::from_translation([x * scale, 0.0, 0.0]).unwrap();
        let mut found = Vec::new();
        tree.intersections(&tree, &pose(1.0), &mut found).unwrap();
        assert!(found.len() > 10, "{scale}: {}", found.len());
        let away = tree.distance(&tree, &pose(3.0));
        assert!((away.distance / scale - 1.0).abs() < 1e-14, "{scale}");
        assert!(!tree.intersects(&tree, &pose(3.0)));
        // A small one inside a large one.
        let large = TriangleTree::new(&sphere);
        let inner = large.distance(&tree, &Pose::identity());
        let status = match scale < 1.0 {
            true => SurfaceStatus::BInsideA,
            false => SurfaceStatus::AInsideB,
        };
        assert_eq!((inner.status, inner.gap), (status, -inner.distance));
        let expected = if scale < 1.0 { 0.8 } else { 0.7 * scale };
        assert!(inner.distance > expected, "{scale} {inner:?}");
    }
}
