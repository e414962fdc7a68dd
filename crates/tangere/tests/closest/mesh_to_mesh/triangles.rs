//! Intersections of two triangles against exact arithmetic.

use super::oracle::expected;
use proptest::prelude::*;
use tangere::geometry::{
    COORDINATE_MAX, COORDINATE_MIN, IntersectionKind, flushed, triangle_triangle,
};
use test_support::Random;

type P = [f64; 3];
type Triangle = [P; 3];

/// The kind of intersection of two triangles; checks that it is that of the oracle for all orders
/// of triangles and corners.
fn check(a: Triangle, b: Triangle) -> Option<IntersectionKind> {
    let kind = expected(a, b);
    assert_eq!(triangle_triangle(a, b), kind, "{a:?} {b:?}");
    let turned = |[p, q, r]: Triangle| [[p, q, r], [q, r, p], [q, p, r]];
    for a in turned(a) {
        for b in turned(b) {
            assert_eq!(triangle_triangle(a, b), kind, "{a:?} {b:?}");
            assert_eq!(triangle_triangle(b, a), kind, "{b:?} {a:?}");
        }
    }
    kind
}

/// The numbers of disjoint, crossing, touching and coplanar pairs among `count` pairs.
fn tally(count: usize, mut pair: impl FnMut(&mut Random) -> [Triangle; 2]) -> [usize; 4] {
    let mut random = Random::new(0x1234_5678_9abc_def1);
    let mut seen = [0; 4];
    for _ in 0..count {
        let [a, b] = pair(&mut random);
        seen[check(a, b).map_or(0, |kind| 1 + kind as usize)] += 1;
    }
    seen
}

#[test]
fn lattice_triangles_match_exact_arithmetic() {
    for (size, count) in [(2, 12_000), (3, 12_000), (5, 8_000)] {
        let seen = tally(count, |random| {
            let mut point = || random.lattice(size);
            [[0; 3].map(|_: u8| point()), [0; 3].map(|_: u8| point())]
        });
        assert!(seen.iter().all(|&n| n > 5), "{size}: {seen:?}");
    }
}

#[test]
fn coplanar_triangles_match_exact_arithmetic() {
    let seen = tally(12_000, |random| {
        let mut point = || {
            let (u, v) = (random.below(5) as f64, random.below(5) as f64);
            [u + 0.5, v - 1.0, 2.0 * u - v]
        };
        [[0; 3].map(|_: u8| point()), [0; 3].map(|_: u8| point())]
    });
    assert!(seen[0] > 500 && seen[2] > 500 && seen[3] > 500, "{seen:?}");
    assert_eq!(seen[1], 0);
}

#[test]
fn triangles_with_shared_corners_match_exact_arithmetic() {
    let seen = tally(8_000, |random| {
        let mut unit = || random.unit();
        let mut point = || [unit(), unit(), unit()];
        let a = [point(), point(), point()];
        let mut b = [point(), point(), point()];
        let shared = random.below(3);
        b[..shared].copy_from_slice(&a[..shared]);
        [a, b]
    });
    assert!(seen[0] > 500 && seen[1] > 500 && seen[2] > 500, "{seen:?}");
}

#[test]
fn one_unit_in_the_last_place_decides() {
    let flat: Triangle = [[0.0, 0.0, 1e9], [3.0, 0.0, 1e9], [0.0, 3.0, 1e9]];
    let over = |z: f64| check(flat, [[1.0, 1.0, z], [1.5, 1.0, 2e9], [1.0, 1.5, 2e9]]);
    assert_eq!(over(1e9f64.next_down()), Some(IntersectionKind::Crossing));
    assert_eq!(over(1e9), Some(IntersectionKind::Touching));
    assert_eq!(over(1e9f64.next_up()), None);
}

#[test]
fn the_ends_of_the_range_are_exact() {
    for s in [COORDINATE_MIN, COORDINATE_MAX / 4.0] {
        let flat = [[0.0; 3], [4.0 * s, 0.0, 0.0], [0.0, 4.0 * s, 0.0]];
        let up = |z: f64| [[s, s, z], [s, s, 2.0 * s], [2.0 * s, s, s]];
        assert_eq!(check(flat, up(-s)), Some(IntersectionKind::Crossing));
        assert_eq!(check(flat, up(0.0)), Some(IntersectionKind::Touching));
        assert_eq!(check(flat, up(s)), None);
        assert_eq!(check(flat, flat), Some(IntersectionKind::Coplanar));
    }
}

#[test]
fn triangles_without_area_touch_at_most() {
    let flat = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let touching = Some(IntersectionKind::Touching);
    // A segment through the face, with a corner in between; a point on it.
    assert_eq!(
        check(flat, [[1.0, 1.0, -1.0], [1.0, 1.0, 3.0], [1.0, 1.0, 0.0]]),
        touching
    );
    assert_eq!(check(flat, [[1.0, 1.0, 0.0]; 3]), touching);
    assert_eq!(check(flat, [[1.0, 1.0, 1.0]; 3]), None);
    assert_eq!(check([[1.0; 3]; 3], [[1.0; 3]; 3]), touching);
    // Crossed segments.
    let bar = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, 0.0, 0.0]];
    assert_eq!(
        check(bar, [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]),
        touching
    );
    assert_eq!(
        check(bar, [[0.0, -1.0, 0.1], [0.0, 1.0, 0.1], [0.0, 1.0, 0.1]]),
        None
    );
}

#[test]
fn invalid_numbers_do_not_panic() {
    let bad = [f64::NAN, f64::INFINITY, f64::MAX, 1e-320, 0.0, -1.0];
    let mut random = Random::new(77);
    for _ in 0..20_000 {
        let mut point = || [0; 3].map(|_: u8| bad[random.below(6)]);
        triangle_triangle([point(), point(), point()], [point(), point(), point()]);
    }
}

/// Points near 0 and near 1e9, some of them on a lattice.
fn coordinates() -> impl Strategy<Value = P> {
    prop_oneof![
        prop::array::uniform3(-1.0..1.0f64),
        prop::array::uniform3(1e9..1e9 + 10.0f64),
        prop::array::uniform3((-4..5i32).prop_map(|x| 1e9 + f64::from(x) * 1e-6)),
        prop::array::uniform3((-4..5i32).prop_map(|x| f64::from(x) * 0.1)),
    ]
}

/// A point that is, up to rounding, an affine combination of the corners of a triangle.
fn near(triangle: &Triangle, weights: [i32; 3], nudge: [i32; 3]) -> P {
    let total: f64 = weights.iter().map(|&w| f64::from(w)).sum();
    flushed(std::array::from_fn(|k| {
        let terms = triangle.iter().zip(weights);
        let sum: f64 = terms.map(|(p, w)| f64::from(w) / total * p[k]).sum();
        match nudge[k] {
            0 => sum,
            n if n > 0 => sum.next_up(),
            _ => sum.next_down(),
        }
    }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn random_triangles_match_exact_arithmetic(points in prop::collection::vec(coordinates(), 6)) {
        check([points[0], points[1], points[2]], [points[3], points[4], points[5]]);
    }

    /// Corners of one triangle are on, or a unit off, corners, edges and the plane of the other.
    #[test]
    fn nearly_touching_triangles_match_exact_arithmetic(
        a in prop::array::uniform3(coordinates()),
        weights in prop::array::uniform3(prop::array::uniform3(-1..4i32)),
        nudges in prop::array::uniform3(prop::array::uniform3(-1..2i32)),
        far in prop::array::uniform3(coordinates()),
        free in 0..4usize,
    ) {
        let b: Triangle = std::array::from_fn(|i| {
            if i < free || weights[i].iter().sum::<i32>() <= 0 {
                far[i]
            } else {
                near(&a, weights[i], nudges[i])
            }
        });
        check(a, b);
    }
}
