//! Convex hulls agree with their definition, tested by brute force.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tangere::geometry::{Sign, are_collinear, orient3d, point_on_segment, point_on_triangle};
use tangere::shape::ConvexPolyhedron;

use super::{hull, power_of_two};

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

    /// Surfaces of hulls are accepted again, with either orientation.
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
