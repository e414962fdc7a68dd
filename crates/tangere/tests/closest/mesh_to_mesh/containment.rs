//! Status of two surfaces: apart, touching, crossing, or one closed mesh inside the other.

use rayon::ThreadPoolBuilder;
use tangere::closest::{
    SurfaceDistance, SurfaceStatus, SurfaceTracker, TriangleTree, surface_distances,
};
use tangere::generate;
use tangere::geometry::{IntersectionKind, Pose, Similarity, triangle_triangle};
use tangere::inside::{Inside, InsideSettings, InsideTest, Side};
use tangere::shape::TriMesh;
use test_support::Random;
use test_support::surfaces::{inverted, together};

fn scaled(mesh: &TriMesh, scale: f64, at: [f64; 3]) -> TriMesh {
    let pose = Pose::from_translation(at).unwrap();
    mesh.transformed(&Similarity::new(scale, pose).unwrap())
        .unwrap()
}

fn found(a: &TriMesh, b: &TriMesh, pose: &Pose) -> SurfaceDistance {
    let (tree_a, tree_b) = (TriangleTree::new(a), TriangleTree::new(b));
    let found = tree_a.distance(&tree_b, pose);
    assert_eq!(tree_a.status(&tree_b, pose), found.status);
    assert_eq!(found.intersecting, found.status != SurfaceStatus::Separated);
    let gap = match found.status {
        SurfaceStatus::Separated => found.distance,
        SurfaceStatus::Touching => 0.0,
        _ => -found.distance,
    };
    assert_eq!(found.gap, gap);
    assert_eq!(found.pairs > 0, found.distance == 0.0);
    found
}

fn status(a: &TriMesh, b: &TriMesh) -> SurfaceStatus {
    found(a, b, &Pose::identity()).status
}

#[test]
fn nested_spheres() {
    let ball = generate::sphere(3).unwrap();
    let small = scaled(&ball, 0.2, [0.1, 0.0, 0.0]);
    let found_ab = found(&ball, &small, &Pose::identity());
    assert_eq!(found_ab.status, SurfaceStatus::BInsideA);
    assert!(found_ab.solids && found_ab.gap < -0.68 && found_ab.gap > -0.7);
    assert_eq!(status(&small, &ball), SurfaceStatus::AInsideB);
    // At an offset and a turn.
    let pose: Pose = "0.3,-0.2,0.1,0.8,0,0.6,0".parse().unwrap();
    assert_eq!(found(&ball, &small, &pose).status, SurfaceStatus::BInsideA);
    let far: Pose = "1e3,0,0".parse().unwrap();
    assert_eq!(found(&ball, &small, &far).status, SurfaceStatus::Separated);
    // An open surface encloses nothing, and a surface within it is only apart.
    let open = TriMesh::new(ball.vertices().to_vec(), ball.faces()[1..].to_vec()).unwrap();
    let found_open = found(&open, &small, &Pose::identity());
    assert_eq!(found_open.status, SurfaceStatus::Separated);
    assert!(!found_open.solids && found_open.gap > 0.68);
}

#[test]
fn cavities_and_parts() {
    let ball = generate::sphere(3).unwrap();
    let shell = together([ball.clone(), inverted(&scaled(&ball, 0.5, [0.0; 3]))]);
    // In the cavity a body is free; in the wall it is not.
    let grain = scaled(&ball, 0.2, [0.0; 3]);
    assert_eq!(status(&shell, &grain), SurfaceStatus::Separated);
    let speck = scaled(&ball, 0.1, [0.75, 0.0, 0.0]);
    assert_eq!(status(&shell, &speck), SurfaceStatus::BInsideA);
    assert_eq!(status(&speck, &shell), SurfaceStatus::AInsideB);
    // A ball whose surface is in the wall contains the cavity: neither contains the other.
    let between = scaled(&ball, 0.75, [0.0; 3]);
    assert_eq!(status(&shell, &between), SurfaceStatus::Intersecting);
    // Of two grains one is inside.
    let grains = together([grain.clone(), scaled(&ball, 0.2, [5.0, 0.0, 0.0])]);
    assert_eq!(status(&ball, &grains), SurfaceStatus::Intersecting);
    let both = together([grain, scaled(&ball, 0.2, [0.5, 0.0, 0.0])]);
    assert_eq!(status(&ball, &both), SurfaceStatus::BInsideA);
}

#[test]
fn touching_cubes() {
    let cube = generate::sponge(0).unwrap();
    let at = |x, y, z| Pose::from_translation([x, y, z]).unwrap();
    for (pose, expected) in [
        (at(1.0, 0.0, 0.0), SurfaceStatus::Touching),
        (at(1.0, 1.0, 0.0), SurfaceStatus::Touching),
        (at(1.0, 1.0, 1.0), SurfaceStatus::Touching),
        (at(1.0, 0.5, 0.25), SurfaceStatus::Touching),
        (at(0.5, 0.0, 0.0), SurfaceStatus::Intersecting),
        (at(0.5, 0.5, 0.5), SurfaceStatus::Intersecting),
        (at(1.0 + 1e-15, 0.0, 0.0), SurfaceStatus::Separated),
    ] {
        assert_eq!(found(&cube, &cube, &pose).status, expected, "{pose:?}");
    }
    // The same solid, also with other triangles and turned inward.
    for same in [&cube, &inverted(&cube)] {
        assert_eq!(status(&cube, same), SurfaceStatus::Intersecting);
        let beside = found(&cube, same, &at(1.0, 0.0, 0.0)).status;
        assert_eq!(beside, SurfaceStatus::Touching);
    }
    // One grain touches from outside, the other is inside.
    let grain = |x: f64| scaled(&cube, 0.125, [x, 0.25, 0.25]);
    let grains = together([grain(1.0), grain(0.5)]);
    assert_eq!(status(&cube, &grains), SurfaceStatus::Intersecting);
    assert_eq!(status(&grains, &cube), SurfaceStatus::Intersecting);
    // Inside, with a common face.
    let half = scaled(&cube, 0.5, [0.0, 0.25, 0.25]);
    assert_eq!(status(&cube, &half), SurfaceStatus::Intersecting);
}

/// Tetrahedra on both sides of one face in any position touch, as their solids are on opposite sides.
#[test]
fn tetrahedra_with_a_common_face_touch() {
    let mut random = Random::new(3);
    for _ in 0..300 {
        let [a, b, c, d] = [(); 4].map(|()| random.vector(1.0));
        let e = [0, 1, 2].map(|k| (a[k] + b[k] + c[k]) / 1.5 - d[k]);
        let solid = |apex: [f64; 3]| {
            let faces = vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
            TriMesh::new(vec![a, b, c, apex], faces).unwrap()
        };
        assert_eq!(status(&solid(d), &solid(e)), SurfaceStatus::Touching);
        assert_eq!(status(&solid(d), &solid(d)), SurfaceStatus::Intersecting);
    }
}

/// A clearance of a few units in the last place, beyond what the inverse of the pose resolves.
#[test]
fn least_clearance() {
    let cube = generate::sponge(0).unwrap();
    let inner = scaled(&cube, 0.5, [f64::EPSILON, 0.25, 0.25]);
    assert_eq!(status(&cube, &inner), SurfaceStatus::BInsideA);
    let outer = scaled(&cube, 0.5, [-0.5 - f64::EPSILON, 0.25, 0.25]);
    assert_eq!(status(&cube, &outer), SurfaceStatus::Separated);
    let far = [1e9, 0.0, 0.0];
    let pose = Pose::from_translation(far).unwrap();
    let moved = scaled(&inner, 1.0, far);
    assert_eq!(
        found(&moved, &cube, &pose).status,
        SurfaceStatus::Intersecting
    );
}

/// Status by brute force: every pair of triangles, every vertex against exact ray crossings.
fn brute(a: &TriMesh, b: &TriMesh, pose: &Pose) -> SurfaceStatus {
    let b = b.transformed(&Similarity::from(*pose)).unwrap();
    let triangles =
        |mesh: &TriMesh| -> Vec<_> { (0..mesh.faces().len()).map(|f| mesh.triangle(f)).collect() };
    let (of_a, of_b) = (triangles(a), triangles(&b));
    let mut is_met = false;
    for s in &of_a {
        for t in &of_b {
            match triangle_triangle(*s, *t) {
                None => {}
                Some(IntersectionKind::Crossing) => return SurfaceStatus::Intersecting,
                Some(_) => is_met = true,
            }
        }
    }
    assert!(!is_met, "random bodies do not only touch");
    let inside = |solid: &TriMesh, points: &[[f64; 3]]| -> usize {
        let mut test = Inside::new(InsideSettings::default()).unwrap();
        let mut sides = Vec::new();
        test.update(solid).unwrap();
        test.classify(points, &mut sides).unwrap();
        sides.iter().filter(|side| **side == Side::Inside).count()
    };
    let (in_b, in_a) = (inside(&b, a.vertices()), inside(a, b.vertices()));
    match (in_b, in_a) {
        (0, 0) => SurfaceStatus::Separated,
        (n, 0) if n == a.vertices().len() => SurfaceStatus::AInsideB,
        (0, n) if n == b.vertices().len() => SurfaceStatus::BInsideA,
        _ => SurfaceStatus::Intersecting,
    }
}

#[test]
fn random_bodies_agree_with_brute_force() {
    let mut random = Random::new(7);
    let ball = generate::sphere(1).unwrap();
    let shapes = [
        ball.clone(),
        together([ball.clone(), inverted(&scaled(&ball, 0.6, [0.0; 3]))]),
        generate::knot(200).unwrap(),
        generate::sponge(1).unwrap(),
        together([
            scaled(&ball, 0.3, [-2.0, 0.0, 0.0]),
            scaled(&ball, 0.4, [2.0, 0.0, 0.0]),
        ]),
    ];
    let mut seen = [0; 5];
    for _ in 0..400 {
        let (a, b) = (random.below(shapes.len()), random.below(shapes.len()));
        // Of the same size, or one small enough to be inside the other.
        let (scale, reach) = random.pick(&[(0.03, 0.8), (0.1, 2.0), (1.0, 3.0), (8.0, 2.0)]);
        let b = scaled(&shapes[b], scale * random.between(0.7, 1.3), [0.0; 3]);
        let at = random.vector(reach);
        let pose = random.pose(at);
        let found = found(&shapes[a], &b, &pose);
        assert_eq!(found.status, brute(&shapes[a], &b, &pose), "{a} {pose:?}");
        seen[SurfaceStatus::ALL
            .iter()
            .position(|s| *s == found.status)
            .unwrap()] += 1;
    }
    assert!(
        seen.iter().enumerate().all(|(k, &n)| k == 1 || n > 5),
        "{seen:?}"
    );
}

#[test]
fn paths_do_not_depend_on_threads_or_order() {
    let knot = TriangleTree::new(&generate::knot(2000).unwrap());
    let foam = TriangleTree::new(&generate::sponge(1).unwrap());
    let poses: Vec<Pose> = (0..100)
        .map(|i| {
            let s = f64::from(i) / 100.0;
            let (sin, cos) = (0.7 * s).sin_cos();
            Pose::from_numbers(&[6.0 - 9.0 * s, s, 0.3, cos, 0.0, sin, 0.0]).unwrap()
        })
        .collect();
    let alone: Vec<SurfaceDistance> = poses.iter().map(|p| knot.distance(&foam, p)).collect();
    let statuses: Vec<_> = alone.iter().map(|found| found.status).collect();
    assert!(statuses.contains(&SurfaceStatus::Separated));
    assert!(statuses.contains(&SurfaceStatus::Intersecting));
    for threads in [1, 2, 5] {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let mut all = Vec::new();
        pool.install(|| surface_distances(&knot, &foam, &poses, &mut all))
            .unwrap();
        assert_eq!(all, alone);
    }
    // Backwards, and with the memory of another pair of meshes.
    let mut tracker = SurfaceTracker::default();
    let small = TriangleTree::new(&generate::sphere(0).unwrap());
    for (pose, expected) in poses.iter().zip(&alone).rev() {
        assert_eq!(tracker.distance(&knot, &foam, pose), *expected);
        tracker.distance(&small, &small, pose);
    }
}
