//! Convex polyhedra: hulls against their definition, degenerate sets, given
//! faces, closed forms of masses.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

mod exact;

use std::collections::BTreeSet;
use std::f64::consts::{PI, TAU};

use proptest::prelude::*;
use tangere::generate;
use tangere::geometry::{Sign, are_collinear, orient3d, point_on_segment, point_on_triangle};
use tangere::shape::{ConvexPolyhedron, TriMesh};

fn hull(points: &[[f64; 3]]) -> ConvexPolyhedron {
    let hull = ConvexPolyhedron::hull(points).expect("a hull");
    hull.check().expect("a valid polyhedron");
    hull
}

/// The corners of a set of points by definition: those that are in no segment and
/// no triangle of others, among points of one plane.
fn plane_corners(points: &[[f64; 3]], members: &[usize]) -> BTreeSet<u32> {
    let is_corner = |&&i: &&usize| {
        let others: Vec<usize> = members.iter().copied().filter(|&j| j != i).collect();
        let p = points[i];
        let in_segment = others.iter().any(|&a| {
            let mut rest = others.iter();
            rest.any(|&b| point_on_segment(p, [points[a], points[b]]).is_some())
        });
        !in_segment
            && !others.iter().any(|&a| {
                others.iter().any(|&b| {
                    let mut rest = others.iter();
                    rest.any(|&c| point_on_triangle(p, [points[a], points[b], points[c]]).is_some())
                })
            })
    };
    members
        .iter()
        .filter(is_corner)
        .map(|&i| i as u32)
        .collect()
}

/// The faces of a hull by definition: planes through three points with no point
/// outside, as sets of corners. Points are different from each other.
fn faces_by_definition(points: &[[f64; 3]]) -> BTreeSet<BTreeSet<u32>> {
    let n = points.len();
    let mut planes: BTreeSet<Vec<usize>> = BTreeSet::new();
    for i in 0..n {
        for j in i + 1..n {
            for k in j + 1..n {
                let (a, b, c) = (points[i], points[j], points[k]);
                if are_collinear(a, b, c) {
                    continue;
                }
                let signs: Vec<Sign> = points.iter().map(|&p| orient3d(a, b, c, p)).collect();
                let on: Vec<usize> = (0..n).filter(|&m| signs[m].is_zero()).collect();
                if !signs.contains(&Sign::Positive) || !signs.contains(&Sign::Negative) {
                    planes.insert(on);
                }
            }
        }
    }
    planes.iter().map(|on| plane_corners(points, on)).collect()
}

/// Compares a hull with the definition of one.
fn verify(points: &[[f64; 3]]) {
    let hull = hull(points);
    let distinct: Vec<u32> = (0..points.len() as u32)
        .filter(|&i| !points[..i as usize].contains(&points[i as usize]))
        .collect();
    let places: Vec<[f64; 3]> = distinct.iter().map(|&i| points[i as usize]).collect();
    for (&source, &vertex) in hull.sources().iter().zip(hull.vertices()) {
        assert_eq!(points[source as usize], vertex);
        assert!(distinct.contains(&source), "not the first of equal points");
    }
    assert!(hull.sources().is_sorted());
    let face = |f: u32| hull.face_vertices(f).map(|v| hull.sources()[v as usize]);
    let found: BTreeSet<BTreeSet<u32>> = (0..hull.face_count() as u32)
        .map(|f| face(f).collect())
        .collect();
    let expected: BTreeSet<BTreeSet<u32>> = faces_by_definition(&places)
        .into_iter()
        .map(|face| face.into_iter().map(|i| distinct[i as usize]).collect())
        .collect();
    assert_eq!(found, expected);
    match hull.dimension() {
        3 => assert_eq!(found.len(), hull.face_count()),
        2 => assert_eq!((found.len(), hull.face_count()), (1, 2)),
        _ => {
            let all: Vec<usize> = (0..places.len()).collect();
            let ends = plane_corners(&places, &all);
            let found: BTreeSet<u32> = hull.sources().iter().copied().collect();
            let expected = ends.into_iter().map(|i| distinct[i as usize]).collect();
            assert_eq!(found, expected);
        }
    }
    for f in 0..hull.face_count() as u32 {
        let corners: Vec<[f64; 3]> = hull.face_vertices(f).map(|v| hull.vertex(v)).collect();
        for &p in points {
            let side = orient3d(corners[0], corners[1], corners[2], p);
            assert_ne!(side, Sign::Positive, "{p:?} is outside of face {f}");
        }
    }
}

/// Points of a small lattice: many are equal, on one line, in one plane.
fn lattice(edge: i32, count: usize) -> impl Strategy<Value = Vec<[f64; 3]>> {
    let point = [0..edge, 0..edge, 0..edge].prop_map(|p| p.map(f64::from));
    prop::collection::vec(point, 1..count)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn lattices_of_two(points in lattice(2, 12)) {
        verify(&points);
    }

    #[test]
    fn lattices_of_three(points in lattice(3, 14)) {
        verify(&points);
    }

    #[test]
    fn lattices_of_ten(points in lattice(10, 16)) {
        verify(&points);
    }
}

/// Points anywhere, of which some are in the middle of others: rounding leaves them
/// a little inside or outside.
fn nearly_inside() -> impl Strategy<Value = Vec<[f64; 3]>> {
    let point = prop::array::uniform3(-1.0..1.0f64);
    (
        prop::collection::vec(point, 4..9),
        prop::collection::vec((0..100usize, 0..100usize), 0..8),
        prop::sample::select(vec![0.0, 1.0, 1e9, -1e15]),
    )
        .prop_map(|(mut points, pairs, offset)| {
            for (i, j) in pairs {
                let (a, b) = (points[i % points.len()], points[j % points.len()]);
                points.push([0, 1, 2].map(|k| (a[k] + b[k]) / 2.0));
            }
            for p in &mut points {
                *p = p.map(|x| x + offset);
            }
            points
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn points_nearly_inside(points in nearly_inside()) {
        verify(&points);
    }

    /// Stretched until they are needles and plates.
    #[test]
    fn needles(
        points in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 1..12),
        powers in prop::array::uniform3(-150..150i32),
    ) {
        let factors = powers.map(power_of_two);
        let points: Vec<[f64; 3]> = points
            .iter()
            .map(|p| [0, 1, 2].map(|k| p[k] * factors[k]))
            .collect();
        verify(&points);
    }

    /// All on one sphere with integer coordinates, exactly.
    #[test]
    fn cospherical(chosen in prop::collection::vec(0..96usize, 4..15)) {
        let sphere = integer_sphere();
        let points: Vec<[f64; 3]> = chosen.iter().map(|&i| sphere[i % sphere.len()]).collect();
        verify(&points);
        let hull = hull(&points);
        let distinct: BTreeSet<usize> = chosen.iter().map(|&i| i % sphere.len()).collect();
        prop_assert_eq!(hull.vertex_count(), distinct.len());
    }

    /// The order of points changes numbers only.
    #[test]
    fn order_does_not_matter(points in lattice(5, 40), turn in 0..40usize) {
        let mut others = points.clone();
        others.reverse();
        let turn = turn % others.len();
        others.rotate_left(turn);
        prop_assert_eq!(faces_by_place(&hull(&points)), faces_by_place(&hull(&others)));
    }

    /// Only vertices matter, and numbers follow from their order.
    #[test]
    fn a_hull_is_its_own_hull(points in lattice(6, 60)) {
        let first = hull(&points);
        let again = hull(first.vertices());
        prop_assert_eq!(first.half_edges(), again.half_edges());
        prop_assert_eq!(first.planes(), again.planes());
    }

    /// Surfaces of hulls are taken back, whichever way they are turned.
    #[test]
    fn surfaces_of_hulls(points in lattice(4, 40), inward: bool) {
        let hull = hull(&points);
        prop_assume!(hull.dimension() == 3);
        let mesh = hull.to_mesh().expect("a mesh");
        prop_assert_eq!(mesh.report().genus, Some(0));
        let (vertices, mut faces) = mesh.into_parts();
        if inward {
            faces.iter_mut().for_each(|face| face.reverse());
        }
        let body = ConvexPolyhedron::from_faces(&vertices, &faces).expect("a body");
        prop_assert_eq!(body.half_edges(), hull.half_edges());
        prop_assert_eq!(body.vertices(), hull.vertices());
        let loops: Vec<Vec<u32>> = (0..hull.face_count() as u32)
            .map(|f| hull.face_vertices(f).collect())
            .collect();
        let body = ConvexPolyhedron::from_faces(&vertices, &loops).expect("a body");
        prop_assert_eq!(body.planes(), hull.planes());
    }
}

fn power_of_two(power: i32) -> f64 {
    f64::from_bits(((1023 + power) as u64) << 52)
}

/// The integer points with the squared distance 41 from the origin: (0, 4, 5),
/// (1, 2, 6) and (3, 4, 4) in all orders and with all signs.
fn integer_sphere() -> Vec<[f64; 3]> {
    let range = || -6..=6i32;
    let mut points = Vec::new();
    for x in range() {
        for y in range() {
            for z in range() {
                if x * x + y * y + z * z == 41 {
                    points.push([x, y, z].map(f64::from));
                }
            }
        }
    }
    assert_eq!(points.len(), 96);
    points
}

/// Faces as sets of places.
fn faces_by_place(hull: &ConvexPolyhedron) -> BTreeSet<BTreeSet<[u64; 3]>> {
    let place = |v: u32| hull.vertex(v).map(|x| (x + 0.0).to_bits());
    let mut faces: BTreeSet<BTreeSet<[u64; 3]>> = (0..hull.face_count() as u32)
        .map(|f| hull.face_vertices(f).map(place).collect())
        .collect();
    faces.insert((0..hull.vertex_count() as u32).map(place).collect());
    faces
}

fn cube() -> Vec<[f64; 3]> {
    (0..8u32)
        .map(|i| [0, 1, 2].map(|k| f64::from(i >> k & 1)))
        .collect()
}

/// Random numbers from 0 to 1.
fn randoms(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn sphere_points(count: usize, seed: u64) -> Vec<[f64; 3]> {
    let mut random = randoms(seed);
    let point = |_| {
        let z = 2.0 * random() - 1.0;
        let (sin, cos) = (TAU * random()).sin_cos();
        let r = (1.0 - z * z).sqrt();
        [r * cos, r * sin, z]
    };
    (0..count).map(point).collect()
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
            let mut height = exact::scaled(offset) * exact::scaled(1.0);
            for k in 0..3 {
                height -= exact::scaled(n[k]) * exact::scaled(x[k]);
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
    let mut random = randoms(9);
    let points: Vec<[f64; 3]> = (0..60)
        .map(|_| [1.0 / 3.0 + random() * 1e-13, random(), random() * 1e-12])
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
    for x in [1e150, 1e-150, 1e-310, 1e308] {
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
        .map(|i| f64::from(i))
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
    let mut random = randoms(4);
    ball.iter_mut().for_each(|p| {
        let r = random().cbrt();
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

fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{found} is not {expected}"
    );
}

#[test]
fn masses_of_boxes_and_tetrahedra() {
    for offset in [0.0, 1e9, -1e12] {
        let [x, y, z] = [1.0, 2.0, 4.0];
        let points: Vec<[f64; 3]> = cube()
            .iter()
            .map(|p| [p[0] * x + offset, p[1] * y + offset, p[2] * z + offset])
            .collect();
        let mass = hull(&points).mass_properties();
        assert_eq!(mass.volume, 8.0);
        assert_eq!(mass.centroid, [0.5, 1.0, 2.0].map(|c| c + offset));
        let expected = [y * y + z * z, x * x + z * z, x * x + y * y];
        for i in 0..3 {
            for j in 0..3 {
                let expected = if i == j {
                    8.0 / 12.0 * expected[i]
                } else {
                    0.0
                };
                assert_close(mass.inertia[i][j], expected, 1e-14);
            }
        }
    }
    // The corner tetrahedron: V = 1/6, moments about its centroid in closed form.
    let tetrahedron = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mass = hull(&tetrahedron).mass_properties();
    assert_close(mass.volume, 1.0 / 6.0, 1e-16);
    for i in 0..3 {
        assert_close(mass.centroid[i], 0.25, 1e-16);
        for j in 0..3 {
            // int x^2 = 1/60, int x y = 1/120; less volume / 16 each.
            let (square, mixed) = (1.0 / 60.0 - 1.0 / 96.0, 1.0 / 120.0 - 1.0 / 96.0);
            let expected = if i == j { 2.0 * square } else { -mixed };
            assert_close(mass.inertia[i][j], expected, 1e-16);
        }
    }
}

#[test]
fn masses_tend_to_those_of_an_ellipsoid() {
    let [a, b, c] = [1.0, 2.0, 3.0];
    let mut before = f64::INFINITY;
    for level in 2..6 {
        let sphere = generate::sphere(level).unwrap();
        let points: Vec<[f64; 3]> = sphere
            .vertices()
            .iter()
            .map(|p| [a * p[0] + 7.0, b * p[1], c * p[2]])
            .collect();
        let mass = hull(&points).mass_properties();
        let volume = 4.0 / 3.0 * PI * a * b * c;
        let moment = volume / 5.0 * (a * a + b * b);
        let error = (mass.volume / volume - 1.0).abs() + (mass.inertia[2][2] / moment - 1.0).abs();
        assert!(error < before / 3.0, "{error} at level {level}");
        before = error;
        assert_close(mass.centroid[0], 7.0, 1e-14);
    }
    assert!(before < 0.01);
}

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
