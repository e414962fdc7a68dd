//! Convex polyhedra: hulls, degenerate point sets, canonical numbering, planes.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

mod definition;
mod faces;
mod mass;

use std::f64::consts::TAU;
use test_support::Random;
use test_support::exact::scaled;
use test_support::surfaces::corners;

use tangere::geometry::{Sign, orient3d};
use tangere::shape::ConvexPolyhedron;

fn hull(points: &[[f64; 3]]) -> ConvexPolyhedron {
    let hull = ConvexPolyhedron::hull(points).expect("a hull");
    hull.check().expect("a valid polyhedron");
    hull
}

fn power_of_two(power: i32) -> f64 {
    f64::from_bits(((1023 + power) as u64) << 52)
}

fn cube() -> Vec<[f64; 3]> {
    corners([0.5; 3], 1.0)
}

fn sphere_points(count: usize, seed: u64) -> Vec<[f64; 3]> {
    let mut random = Random::new(seed);
    let point = |_| {
        let z = 2.0 * random.unit() - 1.0;
        let (sin, cos) = (TAU * random.unit()).sin_cos();
        let r = (1.0 - z * z).sqrt();
        [r * cos, r * sin, z]
    };
    (0..count).map(point).collect()
}

fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{found} is not {expected}"
    );
}

/// Every vertex against every plane: exactly below by predicate, and below by the
/// offset in integers.
fn check_planes(hull: &ConvexPolyhedron) {
    for f in 0..hull.face_count() as u32 {
        let corners: Vec<[f64; 3]> = hull.face_vertices(f).map(|v| hull.vertex(v)).collect();
        let [a, b, c] = [0, 1, 2].map(|i| corners[i]);
        let (n, offset) = (hull.normal(f), hull.offset(f));
        let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!((length - 1.0).abs() < 4.0 * f64::EPSILON);
        for (v, &x) in hull.vertices().iter().enumerate() {
            let is_corner = hull.face_vertices(f).any(|w| w == v as u32);
            let side = orient3d(a, b, c, x);
            assert_eq!(side.is_zero(), is_corner);
            assert_ne!(side, Sign::Positive);
            let mut height = scaled(offset) * scaled(1.0);
            for k in 0..3 {
                height -= scaled(n[k]) * scaled(x[k]);
            }
            assert!(height >= 0.into(), "vertex {v} is above face {f}");
            if is_corner {
                let slack = n[0] * x[0] + n[1] * x[1] + n[2] * x[2] - offset;
                let largest = x.iter().fold(hull.size(), |m: f64, x| m.max(x.abs()));
                assert!(slack.abs() <= 16.0 * f64::EPSILON * largest, "{slack}");
            }
        }
    }
}

#[test]
fn planes_hold_all_vertices_exactly() {
    for offset in [0.0, 1e3, -1e9] {
        let mut points = sphere_points(60, 5);
        for p in &mut points {
            *p = [p[0] + offset, 3.0 * p[1] - offset, 1e-3 * p[2] + offset];
        }
        check_planes(&hull(&points));
    }
    // Slivers: many points close to one edge.
    let mut random = Random::new(9);
    let points: Vec<[f64; 3]> = (0..60)
        .map(|_| {
            [
                1.0 / 3.0 + random.unit() * 1e-13,
                random.unit(),
                random.unit() * 1e-12,
            ]
        })
        .collect();
    check_planes(&hull(&points));
    let block: Vec<[f64; 3]> = cube().iter().map(|p| p.map(|x| 0.1 + x / 3.0)).collect();
    let block = hull(&block);
    check_planes(&block);
    for f in 0..6 {
        // Planes along axes are exact.
        let v = block.face_vertices(f).next().unwrap();
        let n = block.normal(f);
        let axis = (0..3).find(|&k| n[k] != 0.0).unwrap();
        assert_eq!(n[axis].abs(), 1.0);
        assert_eq!(block.offset(f), n[axis] * block.vertex(v)[axis]);
    }
}

#[test]
fn degenerate_sets() {
    let point = hull(&[[1.0, -0.0, 3.0], [1.0, 0.0, 3.0]]);
    assert_eq!((point.dimension(), point.sources()), (0, &[0][..]));
    assert_eq!((point.edge_count(), point.face_count()), (0, 0));
    assert_eq!(
        (point.radius(), point.size(), point.center()),
        (0.0, 0.0, [1.0, 0.0, 3.0])
    );
    assert!(point.neighbours(0).is_empty() && point.outgoing(0).is_empty());
    assert_eq!(point.mass_properties().centroid, [1.0, 0.0, 3.0]);
    assert!(point.to_mesh().is_err());

    let segment = hull(&[[3.0; 3], [1.0; 3], [0.0; 3], [3.0; 3], [2.0; 3]]);
    assert_eq!((segment.dimension(), segment.sources()), (1, &[0, 2][..]));
    assert_eq!((segment.edge_count(), segment.face_count()), (1, 0));
    assert_eq!(segment.edge_vertices(0), [0, 1]);
    assert_eq!(segment.edge_faces(0), [ConvexPolyhedron::NO_FACE; 2]);
    assert_eq!(
        (segment.neighbours(0), segment.neighbours(1)),
        (&[1][..], &[0][..])
    );
    assert_eq!(segment.mass_properties().centroid, [1.5; 3]);
    assert!(segment.to_mesh().is_err());

    // A tilted hexagon with points inside, along sides, and repeated.
    let plane = |x: f64, y: f64| [x, y, 2.0 * x - y];
    let mut points: Vec<[f64; 3]> = (0..25)
        .map(|i| plane(f64::from(i % 5), f64::from(i / 5)))
        .filter(|p| (1.0..=7.0).contains(&(p[0] + p[1])))
        .collect();
    points.extend(points.clone());
    let polygon = hull(&points);
    verify_flat(&polygon, 6);
    let mass = polygon.mass_properties();
    assert_eq!((mass.volume, mass.inertia), (0.0, [[0.0; 3]; 3]));
    for (x, y) in mass.centroid.iter().zip([2.0, 2.0, 2.0]) {
        assert!((x - y).abs() < 1e-15);
    }
    assert_eq!(polygon.to_mesh().unwrap().faces().len(), 8);
}

fn verify_flat(polygon: &ConvexPolyhedron, corners: usize) {
    assert_eq!(polygon.dimension(), 2);
    assert_eq!(
        (polygon.vertex_count(), polygon.edge_count()),
        (corners, corners)
    );
    let [up, down] = [0, 1].map(|f| polygon.normal(f));
    assert_eq!(up, down.map(|x| -x));
    let mut back: Vec<u32> = polygon.face_vertices(1).collect();
    back[1..].reverse();
    assert!(polygon.face_vertices(0).eq(back));
    for e in 0..corners as u32 {
        assert_eq!(polygon.edge_faces(e), [0, 1]);
    }
    assert!((0..corners as u32).all(|v| polygon.neighbours(v).len() == 2));
}

#[test]
fn bad_points() {
    for (points, message) in [
        (
            vec![],
            "points of a hull: found 0 points, expected 1 to 715827882 points",
        ),
        (
            vec![[0.0; 3], [0.0, f64::NAN, 1.0]],
            "point 1: found [0.0, NaN, 1.0], expected finite coordinates",
        ),
        (
            vec![[0.0; 3], [0.0; 3], [f64::NEG_INFINITY, 1.0, 1.0]],
            "point 2: found [-inf, 1.0, 1.0], expected finite coordinates",
        ),
        (
            vec![[1e200, 0.0, 0.0], [0.0, 1e-9, 0.0]],
            "point 1: found [0.0, 1e-9, 0.0], expected coordinates that are 0 or of magnitudes from",
        ),
        (
            vec![[1e300, 0.0, 0.0], [0.0, 1e-300, 0.0]],
            "point 1: found [0.0, 1e-300, 0.0], expected coordinates that are 0",
        ),
    ] {
        let error = ConvexPolyhedron::hull(&points).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn any_magnitude() {
    let reference = hull(&sphere_points(100, 3));
    for power in [-1000, -500, -350, 250, 500, 1000] {
        let factor = power_of_two(power);
        let points: Vec<[f64; 3]> = reference
            .vertices()
            .iter()
            .map(|p| p.map(|x| x * factor))
            .collect();
        let scaled = hull(&points);
        assert_eq!(scaled.half_edges(), reference.half_edges());
        for (a, b) in scaled.planes().iter().zip(reference.planes()) {
            assert_eq!(a.normal, b.normal);
            assert!((a.offset / factor - b.offset).abs() < 1e-13);
        }
        assert!((scaled.radius() / factor - reference.radius()).abs() < 1e-13);
        assert!(scaled.size() / factor >= reference.size() * (1.0 - 1e-13));
        let (a, b) = (scaled.mass_properties(), reference.mass_properties());
        for k in 0..3 {
            assert!((a.centroid[k] / factor - b.centroid[k]).abs() < 1e-13);
        }
        assert_eq!(a.volume, (b.volume * factor) * factor * factor);
    }
    for x in [1e150, 1e-150, 1e-310, 1e300] {
        let points: Vec<[f64; 3]> = cube().iter().map(|p| p.map(|c| c * x)).collect();
        let cube = hull(&points);
        assert_eq!((cube.vertex_count(), cube.face_count()), (8, 6));
        assert_eq!(cube.offset(5), x);
    }
}

#[test]
fn canonical_numbers() {
    let cube = hull(&cube());
    let faces: Vec<Vec<u32>> = (0..6).map(|f| cube.face_vertices(f).collect()).collect();
    let expected = [
        [0, 1, 5, 4],
        [0, 2, 3, 1],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [2, 6, 7, 3],
        [4, 5, 7, 6],
    ];
    assert_eq!(faces, expected);
    assert_eq!(cube.edge_vertices(0), [0, 1]);
    assert_eq!(cube.edge_faces(0), [0, 1]);
    // Counterclockwise from outside: x, y, z around the corner at the origin is clockwise
    // seen along the diagonal from inside, so from outside it is x, z, y or a rotation.
    assert_eq!(cube.neighbours(0), [1, 4, 2]);
    assert_eq!(cube.center(), [0.5; 3]);
    assert!((cube.radius() - 0.75f64.sqrt()).abs() < 1e-15);
    assert!((cube.size() - 3f64.sqrt()).abs() < 4e-15);
}

/// Sets on which simple methods are quadratic or recurse deeply.
#[test]
fn many_points() {
    let count = 20_000;
    let angle = |i: usize| TAU * i as f64 / count as f64;
    let circle = |z: f64| (0..count).map(move |i| [angle(i).cos(), angle(i).sin(), z]);
    let mut cone: Vec<[f64; 3]> = circle(0.0).collect();
    cone.push([0.0, 0.0, 1.0]);
    let cone = hull(&cone);
    assert_eq!(
        (cone.vertex_count(), cone.face_count()),
        (count + 1, count + 1)
    );

    // A ring that is not flat between two apices, which come last.
    let mut spindle: Vec<[f64; 3]> = (0..count)
        .map(|i| [angle(i).cos(), angle(i).sin(), 1e-9 * (i % 17) as f64])
        .collect();
    spindle.extend([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]);
    let spindle = hull(&spindle);
    assert_eq!(
        (spindle.vertex_count(), spindle.face_count()),
        (count + 2, 2 * count)
    );

    let cylinder: Vec<[f64; 3]> = circle(0.0).chain(circle(1.0)).collect();
    let cylinder = hull(&cylinder);
    assert_eq!(
        (cylinder.vertex_count(), cylinder.face_count()),
        (2 * count, count + 2)
    );

    let moments: Vec<[f64; 3]> = (1..=2000)
        .map(f64::from)
        .map(|t| [t, t * t, t * t * t])
        .collect();
    let moments = hull(&moments);
    assert_eq!((moments.vertex_count(), moments.face_count()), (2000, 3996));
    // Every edge of a cyclic polytope's first vertex: it is next to all others.
    assert_eq!(moments.neighbours(0).len(), 1999);

    let lattice: Vec<[f64; 3]> = (0..27_000)
        .map(|i| [i % 30, i / 30 % 30, i / 900].map(f64::from))
        .collect();
    assert_eq!(
        hull(&lattice).vertices(),
        cube()
            .iter()
            .map(|p| p.map(|x| 29.0 * x))
            .collect::<Vec<_>>()
    );

    let sphere = hull(&sphere_points(count, 1));
    assert_eq!(
        (sphere.vertex_count(), sphere.face_count()),
        (count, 2 * count - 4)
    );
    let mut ball = sphere_points(count, 2);
    let mut random = Random::new(4);
    ball.iter_mut().for_each(|p| {
        let r = random.unit().cbrt();
        *p = p.map(|x| r * x);
    });
    let ball_hull = hull(&ball);
    for f in (0..ball_hull.face_count() as u32).step_by(50) {
        let corners: Vec<u32> = ball_hull.face_vertices(f).collect();
        let [a, b, c] = [0, 1, 2].map(|i| ball_hull.vertex(corners[i]));
        assert!(ball.iter().all(|&p| orient3d(a, b, c, p) != Sign::Positive));
    }
}

#[test]
fn threads_do_not_matter() {
    let points = sphere_points(5000, 8);
    let hulls = [1, 2, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| hull(&points))
    });
    assert!(hulls[0] == hulls[1] && hulls[1] == hulls[2]);
}
