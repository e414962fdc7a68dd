//! Convex polyhedra: hulls against their definition, degenerate sets, given
//! faces, closed forms of masses.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use tangere::geometry::{Sign, are_collinear, orient3d, point_on_segment, point_on_triangle};
use tangere::shape::ConvexPolyhedron;

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
    let mut planes: BTreeMap<(Vec<usize>, bool), ()> = BTreeMap::new();
    for i in 0..n {
        for j in i + 1..n {
            for k in j + 1..n {
                let (a, b, c) = (points[i], points[j], points[k]);
                if are_collinear(a, b, c) {
                    continue;
                }
                let signs: Vec<Sign> = points.iter().map(|&p| orient3d(a, b, c, p)).collect();
                let on = (0..n).filter(|&m| signs[m].is_zero()).collect::<Vec<_>>();
                if !signs.contains(&Sign::Positive) || !signs.contains(&Sign::Negative) {
                    planes.insert((on, true), ());
                }
            }
        }
    }
    planes
        .keys()
        .map(|(on, _)| plane_corners(points, on))
        .collect()
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
