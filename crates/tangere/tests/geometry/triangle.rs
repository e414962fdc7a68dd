//! Triangles: areas and volumes, and closest points compared with exact integers.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

use proptest::prelude::*;
use tangere::geometry::triangle::{
    area, bounds, closest_on_segment, closest_on_triangle, is_degenerate, normal, sixfold_volume,
    unit_normal,
};
use tangere::geometry::{COORDINATE_MIN, TriangleFeature, point_on_triangle};
use test_support::vectors::distance;

type P = [f64; 3];
type I = [i128; 3];

fn minus(a: I, b: I) -> I {
    std::array::from_fn(|k| a[k] - b[k])
}

fn dot(a: I, b: I) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: I, b: I) -> I {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i] * b[j] - a[j] * b[i]
    })
}

/// The smallest squared distance as a fraction, over all features on which the
/// foot lies, and the features at that distance.
fn exact_closest(p: I, t: [I; 3]) -> ((i128, i128), Vec<TriangleFeature>) {
    let mut candidates = Vec::new();
    for i in 0..3 {
        let d = minus(p, t[i]);
        candidates.push(((dot(d, d), 1), TriangleFeature::Vertex(i as u8)));
        let e = minus(t[(i + 1) % 3], t[i]);
        let (along, square) = (dot(d, e), dot(e, e));
        if 0 < along && along < square {
            let off = cross(d, e);
            candidates.push(((dot(off, off), square), TriangleFeature::Edge(i as u8)));
        }
    }
    let n = cross(minus(t[1], t[0]), minus(t[2], t[0]));
    let inside = (0..3).all(|i| {
        let e = minus(t[(i + 1) % 3], t[i]);
        dot(cross(n, e), minus(p, t[i])) > 0
    });
    if inside && n != [0; 3] {
        let h = dot(n, minus(p, t[0]));
        candidates.push(((h * h, dot(n, n)), TriangleFeature::Face));
    }
    let best = *candidates
        .iter()
        .map(|(d, _)| d)
        .min_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)))
        .unwrap();
    let features = candidates
        .iter()
        .filter(|(d, _)| d.0 * best.1 == best.0 * d.1)
        .map(|(_, f)| *f)
        .collect();
    (best, features)
}

fn float(p: I) -> P {
    p.map(|x| x as f64)
}

/// Checks against the exact answer, with the whole scene shifted and scaled by
/// powers of two, which changes no digit.
fn check_closest(p: I, t: [I; 3], scale: f64, shift: f64) {
    let place = |x: I| float(x).map(|x| x * scale + shift);
    let (best, features) = exact_closest(p, t);
    let expected = best.0 as f64 / best.1 as f64 * scale * scale;
    let found = closest_on_triangle(place(p), t.map(place));
    let context =
        format!("{p:?} {t:?} {scale:e} {shift:e}: {found:?}, expected {expected} on {features:?}");
    let reach = t
        .iter()
        .map(|&v| dot(minus(p, v), minus(p, v)))
        .max()
        .unwrap() as f64
        * scale
        * scale;
    assert!(
        (found.distance_squared - expected).abs() <= 8.0 * f64::EPSILON * reach,
        "{context}"
    );
    let flat = cross(minus(t[1], t[0]), minus(t[2], t[0])) == [0; 3];
    if !flat {
        assert!(features.contains(&found.feature), "{context}");
    }
    let weights = found.barycentric;
    assert!(weights.iter().all(|w| (0.0..=1.0).contains(w)), "{context}");
    assert!((weights.iter().sum::<f64>() - 1.0).abs() <= 4.0 * f64::EPSILON);
    let size = 16.0 * scale;
    let rebuilt: P = std::array::from_fn(|k| (0..3).map(|i| weights[i] * place(t[i])[k]).sum());
    assert!(
        distance(rebuilt, found.point) <= 8.0 * f64::EPSILON * (size + shift.abs()),
        "{context}"
    );
    let weight_feature = match weights.map(|w| w > 0.0) {
        [true, false, false] => TriangleFeature::Vertex(0),
        [false, true, false] => TriangleFeature::Vertex(1),
        [false, false, true] => TriangleFeature::Vertex(2),
        [true, true, false] => TriangleFeature::Edge(0),
        [false, true, true] => TriangleFeature::Edge(1),
        [true, false, true] => TriangleFeature::Edge(2),
        _ => TriangleFeature::Face,
    };
    assert_eq!(found.feature, weight_feature, "{context}");
    // The segments' own function agrees on each edge.
    for i in 0..3 {
        let on_edge = closest_on_segment(place(p), [place(t[i]), place(t[(i + 1) % 3])]);
        assert!(on_edge.distance_squared >= found.distance_squared - 8.0 * f64::EPSILON * reach);
    }
}

fn lattice(n: i128, i: i128) -> I {
    [i % n, i / n % n, i / (n * n) % n]
}

#[test]
fn closest_points_on_the_lattice() {
    let count = 4i128.pow(3);
    for number in (0..count.pow(4)).step_by(61) {
        let [p, a, b, c] = std::array::from_fn(|i| lattice(4, number / count.pow(i as u32)));
        check_closest(p, [a, b, c], 1.0, 0.0);
    }
}

#[test]
fn closest_points_at_other_scales_and_places() {
    let count = 4i128.pow(3);
    // Fractions of the lattice must stay valid coordinates.
    let tiny = 4096.0 * COORDINATE_MIN;
    for number in (0..count.pow(4)).step_by(1511) {
        let [p, a, b, c] = std::array::from_fn(|i| lattice(4, number / count.pow(i as u32)));
        for (scale, shift) in [
            (1.0, 1e9),
            (f64::EPSILON.powi(3), 0.0),
            (tiny, 0.0),
            (2f64.powi(190), 0.0),
        ] {
            check_closest(p, [a, b, c], scale, shift);
        }
    }
}

#[test]
fn a_small_triangle_far_away() {
    // Ericson's form loses all digits here: (R / size)^2 = 1e20.
    let t = [[0, 0, 0], [4, 0, 0], [0, 4, 0]];
    for p in [[1, 1], [3, -1], [-2, 2], [3, 3], [-1, -1], [1, 2]] {
        let found = closest_on_triangle(float([p[0], p[1], 10_000_000_000]), t.map(float));
        let (_, features) = exact_closest([p[0], p[1], 10_000_000_000], t);
        let (_, near) = exact_closest([p[0], p[1], 1], t);
        assert_eq!(features, near);
        assert!(features.contains(&found.feature), "{p:?} {found:?}");
        if found.feature == TriangleFeature::Face {
            assert!(distance(found.point, float([p[0], p[1], 0])) < 1e-5);
        }
    }
}

#[test]
fn slivers_keep_their_closest_points() {
    // Heights down to 1e-12 of the length, in a tilted plane.
    for exponent in 0..40 {
        let h = 2f64.powi(-exponent);
        for top in [0.25, 0.5, 1.0, -0.5] {
            let t = [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [top, top, h]];
            for (x, z) in [(0.25, 0.1), (0.5, 0.0), (0.125, 0.25)] {
                let foot: P = std::array::from_fn(|k| {
                    x * (t[1][k] - t[0][k]) * 0.5 + z * (t[2][k] - t[0][k])
                });
                for away in [0.0, 0.5, 64.0] {
                    let p = [foot[0] + away, foot[1] - away, foot[2]];
                    let found = closest_on_triangle(p, t);
                    let reach = 2.0 + 2.0 * away;
                    let error = distance(found.point, foot);
                    assert!(
                        error <= 16.0 * f64::EPSILON * reach,
                        "{h:e} {top} {p:?} {found:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn triangles_without_area() {
    let point = [[1.0, 2.0, 3.0]; 3];
    let found = closest_on_triangle([1.0, 2.0, 5.0], point);
    assert_eq!(found.point, point[0]);
    assert_eq!(found.distance_squared, 4.0);
    assert_eq!(found.feature, TriangleFeature::Vertex(0));
    // The corner in the middle is found as a vertex.
    let line = [[0.0; 3], [4.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let found = closest_on_triangle([1.0, 7.0, 0.0], line);
    assert_eq!(found.feature, TriangleFeature::Vertex(2));
    assert_eq!(point_on_triangle(found.point, line), Some(found.feature));
    for t in [point, line] {
        assert!(is_degenerate(t));
        assert_eq!(area(t), 0.0);
        assert_eq!(unit_normal(t), None);
    }
    let found = closest_on_segment([3.0, 4.0, 0.0], [[0.0; 3]; 2]);
    assert_eq!((found.place, found.distance_squared), (0.0, 25.0));
    // 0.1, 0.2, 0.3 are not on a line with the origin's multiples exactly.
    assert!(!is_degenerate([
        [0.1, 0.1, 0.0],
        [0.2, 0.2, 0.0],
        [0.3, 0.1 + 0.2, 0.0]
    ]));
    let _ = closest_on_triangle([f64::NAN; 3], line);
    let _ = closest_on_triangle([1.0; 3], [[f64::INFINITY; 3], [f64::NAN; 3], [0.0; 3]]);
}

#[test]
fn areas_of_needles() {
    // A needle whose exact area is a power of two, corners in every order.
    for exponent in [0, 20, 40, 60] {
        let w = 2f64.powi(-exponent);
        let t = [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, w]];
        for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1]] {
            let t = order.map(|i| t[i]);
            let expected = w * 0.5f64.sqrt();
            assert!((area(t) / expected - 1.0).abs() < 4.0 * f64::EPSILON);
        }
    }
    // Two nearly parallel edges: the plain product has no digit left.
    let e = 2f64.powi(-30);
    let t = [[0.0, 0.0, 0.0], [1.0 + e, 1.0, 0.0], [1.0, 1.0 - e, 0.0]];
    assert_eq!(normal(t), [0.0, 0.0, -e * e]);
    assert_eq!(area(t), 0.5 * e * e);
    assert_eq!(unit_normal(t), Some([0.0, 0.0, -1.0]));
    // The smallest and largest triangles.
    for s in [COORDINATE_MIN, 2f64.powi(199), 1e-30] {
        let t = [[0.0, 0.0, s], [s, 0.0, s], [0.0, s, s]];
        assert!((area(t) / (0.5 * s * s) - 1.0).abs() < 4.0 * f64::EPSILON);
        assert_eq!(unit_normal(t), Some([0.0, 0.0, 1.0]));
    }
}

#[test]
fn volume_of_a_cube() {
    // Two triangles for each face, normals outward, far from the origin.
    let at = |x: f64, y: f64, z: f64| [1e9 + x, y - 1e9, z];
    let quads = [
        [
            at(0., 0., 0.),
            at(0., 2., 0.),
            at(2., 2., 0.),
            at(2., 0., 0.),
        ],
        [
            at(0., 0., 2.),
            at(2., 0., 2.),
            at(2., 2., 2.),
            at(0., 2., 2.),
        ],
        [
            at(0., 0., 0.),
            at(2., 0., 0.),
            at(2., 0., 2.),
            at(0., 0., 2.),
        ],
        [
            at(0., 2., 0.),
            at(0., 2., 2.),
            at(2., 2., 2.),
            at(2., 2., 0.),
        ],
        [
            at(0., 0., 0.),
            at(0., 0., 2.),
            at(0., 2., 2.),
            at(0., 2., 0.),
        ],
        [
            at(2., 0., 0.),
            at(2., 2., 0.),
            at(2., 2., 2.),
            at(2., 0., 2.),
        ],
    ];
    let reference = at(1., 1., 1.);
    let triangles = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let (volume, surface) = triangles.fold((0.0, 0.0), |(v, s), t| {
        assert!(bounds(t).contains(t[0]));
        (v + sixfold_volume(reference, t) / 6.0, s + area(t))
    });
    assert!((volume - 8.0).abs() < 1e-14, "{volume}");
    assert!((surface - 24.0).abs() < 1e-14, "{surface}");
}

proptest! {
    #[test]
    fn no_point_of_the_triangle_is_closer(
        p in prop::array::uniform3(-2.0..2.0f64),
        t in prop::array::uniform3(prop::array::uniform3(-1.0..1.0f64)),
        samples in prop::collection::vec((0.0..1.0f64, 0.0..1.0f64), 50),
    ) {
        let found = closest_on_triangle(p, t);
        prop_assert!((distance(p, found.point).powi(2) - found.distance_squared).abs() < 1e-14);
        for (mut u, mut v) in samples {
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            let q: P = std::array::from_fn(|k| t[0][k] + u * (t[1][k] - t[0][k]) + v * (t[2][k] - t[0][k]));
            prop_assert!(distance(p, q) >= found.distance_squared.sqrt() - 1e-14);
        }
    }

    #[test]
    fn turning_the_corners_turns_the_answer(
        p in prop::array::uniform3((-9..10i32).prop_map(f64::from)),
        t in prop::array::uniform3(prop::array::uniform3((-9..10i32).prop_map(f64::from))),
    ) {
        let [a, b, c] = t;
        let d = closest_on_triangle(p, t).distance_squared;
        let e = closest_on_triangle(p, [b, c, a]).distance_squared;
        let f = closest_on_triangle(p, [a, c, b]).distance_squared;
        prop_assert!((d - e).abs() <= 1e-12 && (d - f).abs() <= 1e-12);
        prop_assert_eq!(normal([a, c, b]).map(|x| 0.0 - x), normal(t).map(|x| 0.0 + x));
    }
}
