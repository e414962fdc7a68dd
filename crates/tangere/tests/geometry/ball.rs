//! Bounding spheres: they contain their points exactly, and the smallest one agrees with two other
//! algorithms.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

use num_bigint::BigInt;
use proptest::prelude::*;
use tangere::geometry::{Ball, COORDINATE_MIN, Extremes};
use test_support::exact::scaled;

/// All balls of points.
fn balls<const D: usize>(points: &[[f64; D]]) -> [Ball<D>; 4] {
    [
        Ball::smallest(points),
        Ball::larsson(points, Extremes::All),
        Ball::larsson(points, Extremes::Corners),
        Ball::ritter(points),
    ]
    .map(Option::unwrap)
}

/// That the true and the computed distance of each point is within the radius.
fn check_contains<const D: usize>(ball: &Ball<D>, points: &[[f64; D]]) {
    let radius = scaled(ball.radius);
    let reach = &radius * &radius;
    for p in points {
        let square: BigInt = (0..D)
            .map(|k| scaled(p[k]) - scaled(ball.center[k]))
            .map(|d| &d * &d)
            .sum();
        assert!(square <= reach, "{ball:?} {p:?}");
        assert!(ball.contains_point(*p), "{ball:?} {p:?}");
        let computed: f64 = (0..D)
            .map(|k| (p[k] - ball.center[k]) * (p[k] - ball.center[k]))
            .sum();
        assert!(computed.sqrt() <= ball.radius);
        assert!(ball.overlaps(&Ball::new(*p, 0.0).unwrap()));
    }
}

fn check_all<const D: usize>(points: &[[f64; D]]) -> [Ball<D>; 4] {
    let all = balls(points);
    // What rounding the centre to its place may cost the smallest ball.
    let place = points
        .iter()
        .flatten()
        .fold(0.0, |m: f64, x| m.max(x.abs()));
    let rounding = 1e-14 * all[0].radius + 2.0 * f64::EPSILON * place;
    for ball in &all {
        check_contains(ball, points);
        assert!(
            ball.radius + rounding >= all[0].radius,
            "{all:?} {points:?}"
        );
    }
    all
}

/// The squared radius of the smallest disc of integer points, as a fraction:
/// the smallest among all discs on two or three points that contain the rest.
fn exact_disc(points: &[[i64; 2]]) -> (i128, i128) {
    let p: Vec<[i128; 2]> = points.iter().map(|p| p.map(i128::from)).collect();
    // Centres as (x, y, w): the point (x, y) / w.
    let mut centers: Vec<([i128; 3], [i128; 2])> =
        p.iter().map(|&a| ([a[0], a[1], 1], a)).collect();
    for (i, &a) in p.iter().enumerate() {
        for (j, &b) in p[..i].iter().enumerate() {
            centers.push(([a[0] + b[0], a[1] + b[1], 2], a));
            for &c in &p[..j] {
                let [bx, by, cx, cy] = [b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]];
                let w = 2 * (bx * cy - by * cx);
                if w != 0 {
                    let (bb, cc) = (bx * bx + by * by, cx * cx + cy * cy);
                    let x = cy * bb - by * cc + a[0] * w;
                    let y = bx * cc - cx * bb + a[1] * w;
                    centers.push(([x, y, w], a));
                }
            }
        }
    }
    let square = |c: &[i128; 3], q: [i128; 2]| {
        let (dx, dy) = (q[0] * c[2] - c[0], q[1] * c[2] - c[1]);
        dx * dx + dy * dy
    };
    centers
        .iter()
        .filter(|(c, on)| p.iter().all(|&q| square(c, q) <= square(c, *on)))
        .map(|(c, on)| (square(c, *on), c[2] * c[2]))
        .min_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)))
        .unwrap()
}

/// The smallest radius over the circumcentres of all subsets, by the normal
/// equations: the farthest point from each centre bounds it from above, and one of
/// them is the centre of the smallest ball.
fn radius_by_subsets(points: &[[f64; 3]]) -> f64 {
    let v: Vec<nalgebra::Vector3<f64>> = points.iter().map(|&p| p.into()).collect();
    let n = v.len();
    let mut best = f64::INFINITY;
    for subset in 1u32..1 << n {
        if subset.count_ones() > 4 {
            continue;
        }
        let chosen: Vec<usize> = (0..n).filter(|i| subset >> i & 1 == 1).collect();
        let q: Vec<_> = chosen[1..].iter().map(|&i| v[i] - v[chosen[0]]).collect();
        let gram = nalgebra::DMatrix::from_fn(q.len(), q.len(), |i, j| 2.0 * q[i].dot(&q[j]));
        let right = nalgebra::DVector::from_fn(q.len(), |i, _| q[i].dot(&q[i]));
        let weights = match q.len() {
            0 => Some(right),
            _ => gram.lu().solve(&right),
        };
        let Some(weights) = weights else { continue };
        let center = q
            .iter()
            .zip(weights.iter())
            .fold(v[chosen[0]], |c, (q, w)| c + q * *w);
        let reach = v.iter().map(|p| (p - center).norm()).fold(0.0, f64::max);
        best = best.min(reach);
    }
    best
}

#[test]
fn smallest_discs_of_the_lattice_are_exact() {
    // All sets of up to five points of a 3x4 lattice, duplicates included.
    for number in (0..12u32.pow(5)).step_by(11) {
        let points: Vec<[i64; 2]> = (0..5)
            .map(|i| i64::from(number / 12u32.pow(i) % 12))
            .map(|k| [k % 4, k / 4])
            .collect();
        let (n, d) = exact_disc(&points);
        let expected = (n as f64 / d as f64).sqrt();
        for (scale, shift) in [(1.0, 0.0), (2f64.powi(-100), 0.0), (1.0, 2f64.powi(30))] {
            let floats: Vec<[f64; 2]> = points
                .iter()
                .map(|p| p.map(|x| x as f64 * scale + shift))
                .collect();
            let radius = Ball::smallest(&floats).unwrap().radius;
            // The centre is rounded to a place of magnitude `shift`.
            let error = 8.0 * f64::EPSILON * (expected * scale) + 2.0 * f64::EPSILON * shift;
            assert!(
                (radius - expected * scale).abs() <= error,
                "{points:?} {radius} {expected}"
            );
        }
    }
}

#[test]
fn balls_of_few_points() {
    assert_eq!(Ball::<3>::smallest(&[]), None);
    assert_eq!(Ball::<2>::ritter(&[]), None);
    assert_eq!(Ball::<2>::of_points(&[]), None);
    for p in [[1.0, -2.0, 1e9], [0.0; 3], [COORDINATE_MIN; 3]] {
        for count in [1, 2, 100] {
            for ball in check_all(&vec![p; count]) {
                assert_eq!((ball.center, ball.radius), (p, 0.0));
            }
        }
    }
    let [ball, ..] = check_all(&[[0.0, 0.0], [3.0, 4.0]]);
    assert_eq!(ball.center, [1.5, 2.0]);
    assert!((ball.radius - 2.5).abs() < 1e-14);
}

#[test]
fn degenerate_sets() {
    // Collinear with duplicates, in an order that grows, shrinks and jumps.
    let line: Vec<[f64; 3]> = (0..300)
        .map(|i| f64::from((i * 7919) % 100))
        .map(|t| [t, 2.0 * t, -t])
        .collect();
    let [ball, ..] = check_all(&line);
    assert!((ball.radius / (49.5 * 6f64.sqrt()) - 1.0).abs() < 1e-14);
    // The corners of a cube, cospherical, eight times each.
    let cube: Vec<[f64; 3]> = (0..64)
        .map(|i| [i & 1, i >> 1 & 1, i >> 2 & 1].map(f64::from))
        .collect();
    for ball in &check_all(&cube)[..3] {
        assert!(
            (ball.radius / 0.75f64.sqrt() - 1.0).abs() < 1e-13,
            "{ball:?}"
        );
    }
    // Very close to a circle, with all points within rounding of it.
    let circle: Vec<[f64; 2]> = (0..1000)
        .map(|i| f64::from(i).sin_cos())
        .map(|(x, y)| [1e9 + x, y])
        .collect();
    let [ball, ..] = check_all(&circle);
    assert!((ball.radius - 1.0).abs() < 2e-7);
    // At a right angle but for 5e-11: the third point moves the centre by much
    // more than it changes the radius.
    let [ball, ..] = check_all(&[[1e9, 0.0], [0.0, 1e9], [0.0, 0.0], [0.0, -0.046]]);
    assert!((ball.radius / (1e9 * 0.5f64.sqrt()) - 1.0).abs() < 4e-11 * 0.02 + 1e-14);
    // A needle, and a single point far away.
    check_all(&[
        [0.0; 3],
        [1e-12, 0.0, 0.0],
        [0.5, 1e-13, 0.0],
        [1.0, 0.0, 1e-14],
    ]);
    check_all(&[
        [0.0; 3],
        [1e-30, 0.0, 0.0],
        [1e30, 1.0, 0.0],
        [1e30, 1.0, 1e-9],
    ]);
}

#[test]
fn sizes_at_the_ends_of_the_range() {
    let shape = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.25, 0.25, 1.0],
        [1.0, 1.0, 0.5],
    ];
    let [unit, ..] = check_all(&shape);
    for exponent in [-298, -100, 100, 199] {
        let scale = 2f64.powi(exponent);
        let points = shape.map(|p| p.map(|x| x * scale));
        let [ball, ..] = check_all(&points);
        assert!((ball.radius / (unit.radius * scale) - 1.0).abs() < 1e-14);
    }
}

#[test]
fn a_million_points() {
    // A spiral over the sphere: cospherical to rounding, the hardest common case.
    let count = 1_000_000;
    let points: Vec<[f64; 3]> = (0..count)
        .map(|i| {
            let z = (2.0 * f64::from(i) + 1.0) / f64::from(count) - 1.0;
            let (s, c) = (2.399963229728653 * f64::from(i)).sin_cos();
            let r = (1.0 - z * z).sqrt();
            [r * c, r * s, z]
        })
        .collect();
    for (ball, slack) in balls(&points).iter().zip([1e-14, 1e-3, 1e-3, 0.1]) {
        assert!(
            ball.radius >= 1.0 - 1e-11 && ball.radius <= 1.0 + slack,
            "{ball:?}"
        );
        assert!(points.iter().all(|&p| ball.contains_point(p)));
    }
}

#[test]
fn numbers_that_are_not_valid_still_return() {
    for bad in [f64::NAN, f64::INFINITY, f64::MAX, -f64::INFINITY] {
        for place in 0..3 {
            let mut points = vec![[0.0, 1.0], [2.0, 0.5], [1.0, 1.0]];
            points[place][place % 2] = bad;
            points.extend((0..20).map(|i| [f64::from(i), 1.0]));
            for ball in balls(&points) {
                assert_eq!(ball.radius, f64::INFINITY);
                assert!(ball.contains_point([1e9, -1e9]));
            }
        }
    }
    assert!(Ball::new([0.0, f64::NAN], 1.0).is_err());
    assert!(Ball::new([0.0, 0.0], -1.0).is_err());
    assert!(Ball::new([0.0, 0.0], f64::NAN).is_err());
    let everything = Ball {
        center: [0.0; 2],
        radius: f64::INFINITY,
    };
    let point = Ball::new([1.0, 1.0], 0.0).unwrap();
    assert_eq!(everything.union(&point), everything);
    assert_eq!(point.union(&everything), everything);
}

#[test]
fn touching_balls_overlap() {
    let a = Ball::new([0.0, 0.0, 0.0], 2.0).unwrap();
    assert!(a.overlaps(&Ball::new([3.0, 0.0, 4.0], 3.0).unwrap()));
    assert!(!a.overlaps(&Ball::new([3.0, 0.0, 4.0], 3.0 - f64::EPSILON * 8.0).unwrap()));
    assert!(a.contains_point([0.0, -2.0, 0.0]));
    assert!(!a.contains_point([0.0, -(2f64.next_up()), 0.0]));
}

/// Whether one ball contains another, without rounding: `d <= R - r`.
fn contains_ball(outer: &Ball<3>, inner: &Ball<3>) -> bool {
    let room = scaled(outer.radius) - scaled(inner.radius);
    let square: BigInt = (0..3)
        .map(|k| scaled(outer.center[k]) - scaled(inner.center[k]))
        .map(|d| &d * &d)
        .sum();
    room >= BigInt::from(0) && square <= &room * &room
}

/// Coordinates of any kind: many equal ones, some far away, some tiny.
pub fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        -1.0..1.0f64,
        (-3..4i32).prop_map(f64::from),
        (-3..4i32).prop_map(|x| 1e9 + f64::from(x) * 0.1),
        (-3..4i32).prop_map(|x| f64::from(x) * 1e-30),
    ]
}

proptest! {
    #[test]
    fn every_ball_contains_its_points(points in prop::collection::vec(prop::array::uniform3(coordinate()), 1..60)) {
        check_all(&points);
    }

    #[test]
    fn every_disc_contains_its_points(points in prop::collection::vec(prop::array::uniform2(coordinate()), 1..30)) {
        check_all(&points);
    }

    #[test]
    fn the_smallest_ball_is_that_of_a_subset(
        points in prop_oneof![
            prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 1..9),
            prop::collection::vec(prop::array::uniform3((-2..3i32).prop_map(f64::from)), 1..9),
        ],
    ) {
        let [ball, ..] = check_all(&points);
        let expected = radius_by_subsets(&points);
        prop_assert!((ball.radius - expected).abs() <= 1e-12 * expected, "{ball:?} {expected}");
    }

    #[test]
    fn unions_contain_both(
        a in prop::array::uniform3(coordinate()), b in prop::array::uniform3(coordinate()),
        r in prop_oneof![Just(0.0), 1e-3..3.0f64, Just(1.0)], s in prop_oneof![Just(0.0), 1e-3..3.0f64, Just(1.0)],
    ) {
        let (a, b) = (Ball::new(a, r).unwrap(), Ball::new(b, s).unwrap());
        let union = a.union(&b);
        prop_assert!(contains_ball(&union, &a) && contains_ball(&union, &b), "{union:?}");
        let apart = (0..3).map(|k| (a.center[k] - b.center[k]).powi(2)).sum::<f64>().sqrt();
        let expected = r.max(s).max(0.5 * (apart + r + s));
        let size = a.center.iter().chain(&b.center).fold(expected, |m, x| m.max(x.abs()));
        prop_assert!(union.radius <= expected + 1e-14 * size, "{union:?} {expected}");
    }
}
