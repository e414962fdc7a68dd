//! Exact predicates agree with an oracle in integers.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

mod oracle;

use std::cmp::Ordering;

use oracle::{expected, volume_sign};
use proptest::prelude::*;
use tangere::geometry::{
    COORDINATE_MAX, COORDINATE_MIN, SegmentFeature, SegmentSegment, SegmentTriangle, Shared, Sign,
    TriangleFeature, are_collinear, flushed, orient2d, orient3d, point_on_segment,
    point_on_triangle, segment_segment, segment_triangle,
};
use test_support::exact::scaled;

type P = [f64; 3];

fn sign(order: Ordering) -> Sign {
    match order {
        Ordering::Less => Sign::Negative,
        Ordering::Equal => Sign::Zero,
        Ordering::Greater => Sign::Positive,
    }
}

/// Point `i` of the lattice of `n` points to a side.
fn lattice(n: i64, i: i64) -> [i64; 3] {
    [i % n, i / n % n, i / (n * n) % n]
}

fn float(p: [i64; 3]) -> P {
    p.map(|x| x as f64)
}

/// All that is known of one segment and one triangle, from the oracle.
fn check<T: oracle::Integer>(points: [P; 5], exact: &[[T; 3]; 5]) {
    let [p, q, a, b, c] = points;
    let [ep, eq, ea, eb, ec] = exact.clone();
    let triangle = [a, b, c];
    let corners = [ea, eb, ec];
    let answer = segment_triangle([p, q], triangle);
    assert_eq!(
        answer,
        expected(&[ep.clone(), eq.clone()], &corners),
        "{points:?}"
    );
    // A point is a segment of length zero.
    let on = match expected(&[ep.clone(), ep.clone()], &corners) {
        SegmentTriangle::Coplanar(Shared::Point { on, .. })
        | SegmentTriangle::Degenerate(Shared::Point { on, .. }) => Some(on),
        _ => None,
    };
    assert_eq!(point_on_triangle(p, triangle), on, "{points:?}");
    // A segment is a triangle with two equal corners.
    let flat = expected(
        &[ep, eq],
        &[corners[0].clone(), corners[1].clone(), corners[0].clone()],
    );
    let common = match segment_segment([p, q], [a, b]) {
        SegmentSegment::Disjoint => Shared::Nothing,
        SegmentSegment::Stretch => Shared::Stretch {
            on: TriangleFeature::Edge(0),
        },
        SegmentSegment::Point { a: at, b } => Shared::Point {
            at,
            on: match b {
                SegmentFeature::Start => TriangleFeature::Vertex(0),
                SegmentFeature::End => TriangleFeature::Vertex(1),
                SegmentFeature::Interior => TriangleFeature::Edge(0),
            },
        },
    };
    match (flat, common) {
        // Edges 0 and 1 of that triangle are the same segment.
        (SegmentTriangle::Degenerate(Shared::Stretch { .. }), Shared::Stretch { .. }) => {}
        (
            SegmentTriangle::Degenerate(Shared::Point {
                at,
                on: TriangleFeature::Edge(_),
            }),
            Shared::Point {
                at: found,
                on: TriangleFeature::Edge(0),
            },
        ) => assert_eq!(at, found, "{points:?}"),
        (flat, common) => assert_eq!(flat, SegmentTriangle::Degenerate(common), "{points:?}"),
    }
}

/// Every `stride`th configuration of five points on a lattice.
fn check_lattice(n: i64, stride: usize, shift: i64) {
    let count = n * n * n;
    for number in (0..count.pow(5)).step_by(stride) {
        let exact: [[i64; 3]; 5] =
            std::array::from_fn(|i| lattice(n, number / count.pow(i as u32)).map(|x| x + shift));
        check(exact.map(float), &exact);
    }
}

#[test]
fn segments_and_triangles_on_the_lattice_of_two() {
    check_lattice(2, 1, 0);
}

#[test]
fn segments_and_triangles_on_the_lattice_of_three() {
    check_lattice(3, 13, -1);
}

#[test]
fn segments_and_triangles_in_a_plane() {
    // Five points of a 4x4 grid in a tilted plane: all are coplanar.
    for number in (0..16i64.pow(5)).step_by(3) {
        let exact: [[i64; 3]; 5] = std::array::from_fn(|i| {
            let k = number >> (4 * i) & 15;
            let (u, v) = (k & 3, k >> 2);
            [u, v + 1, 2 * u - v]
        });
        check(exact.map(float), &exact);
    }
}

#[test]
#[ignore = "a long campaign: 14 million configurations"]
fn segments_and_triangles_on_the_whole_lattice_of_three() {
    check_lattice(3, 1, -1);
}

#[test]
fn orientation_has_the_stated_sign() {
    let [o, x, y, z] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    assert_eq!(orient3d(o, x, y, z), Sign::Positive);
    assert_eq!(orient3d(o, y, x, z), Sign::Negative);
    assert_eq!(orient3d(o, x, y, [3.0, 4.0, 0.0]), Sign::Zero);
    assert_eq!(orient2d([0.0, 0.0], [1.0, 0.0], [0.0, 1.0]), Sign::Positive);
    assert_eq!(
        segment_triangle([[0.2, 0.2, -1.0], [0.2, 0.2, 1.0]], [o, x, y]),
        SegmentTriangle::Crosses { upward: true }
    );
    for s in [Sign::Negative, Sign::Zero, Sign::Positive] {
        assert_eq!(-(-s), s);
    }
}

#[test]
fn one_unit_in_the_last_place_decides() {
    // Shewchuk's example: near-collinear points around (0.5, 0.5).
    let u = f64::EPSILON / 2.0;
    for i in 0..64 {
        for j in 0..64 {
            let p = [0.5 + f64::from(i) * u, 0.5 + f64::from(j) * u];
            let expected = sign(j.cmp(&i));
            assert_eq!(orient2d([12.0, 12.0], [24.0, 24.0], p), expected);
            let on = [p[0], p[1], 0.0];
            assert_eq!(
                are_collinear([12.0, 12.0, 0.0], [24.0, 24.0, 0.0], on),
                i == j
            );
        }
    }
    let triangle = [[0.0, 0.0, 1e9], [3.0, 0.0, 1e9], [0.0, 3.0, 1e9]];
    let above = 1e9f64.next_up();
    let below = 1e9f64.next_down();
    assert_eq!(
        segment_triangle([[1.0, 1.0, below], [1.0, 1.0, above]], triangle),
        SegmentTriangle::Crosses { upward: true }
    );
    assert_eq!(
        segment_triangle([[1.0, 2.0, above], [1.0, 2.0, below]], triangle),
        SegmentTriangle::Touches {
            at: SegmentFeature::Interior,
            on: TriangleFeature::Edge(1),
            upward: false
        }
    );
    assert_eq!(
        segment_triangle(
            [[1.0, 2.0f64.next_up(), above], [1.0, 2.0, below]],
            triangle
        ),
        // It meets the plane halfway, half a unit outside.
        SegmentTriangle::Disjoint
    );
    assert_eq!(
        point_on_triangle([1.0, 1.0, 1e9], triangle),
        Some(TriangleFeature::Face)
    );
    assert_eq!(point_on_triangle([1.0, 1.0, above], triangle), None);
}

#[test]
fn the_ends_of_the_range_are_exact() {
    let (small, large) = (COORDINATE_MIN, COORDINATE_MAX);
    for s in [small, large, 1.0] {
        let points = [
            [s, s, -s],
            [s, s, s],
            [0.0, 0.0, 0.0],
            [s + s * f64::EPSILON, 0.0, 0.0],
            [0.0, s.next_up(), 0.0],
        ]
        .map(|p: P| p.map(|x| x.clamp(-large, large)));
        check(points, &points.map(|p| p.map(scaled)));
    }
    // A needle as long as the range.
    let points = [
        [small, -small, 0.0],
        [small, small, small],
        [0.0, 0.0, 0.0],
        [large, small, small],
        [large, small, 0.0],
    ];
    check(points, &points.map(|p| p.map(scaled)));
}

#[test]
fn numbers_that_are_not_valid_still_return() {
    let bad = [
        f64::NAN,
        f64::INFINITY,
        -f64::INFINITY,
        f64::MAX,
        1e-320,
        0.0,
    ];
    for i in 0..6usize.pow(5) {
        let p = |k: u32| {
            let j = i / 6usize.pow(k);
            [bad[j % 6], bad[(j + 1) % 6], 1.0]
        };
        let _ = segment_triangle([p(0), p(1)], [p(2), p(3), p(4)]);
        let _ = segment_segment([p(0), p(1)], [p(2), p(3)]);
        let _ = point_on_triangle(p(0), [p(1), p(2), p(3)]);
        let _ = point_on_segment(p(0), [p(1), p(2)]);
    }
}

/// A point that is, up to rounding, an affine combination of others: what
/// near-degenerate input looks like.
fn near(points: &[P], weights: &[i32], nudge: [i32; 3]) -> P {
    let total: f64 = weights.iter().map(|&w| f64::from(w)).sum();
    flushed(std::array::from_fn(|k| {
        let sum: f64 = points
            .iter()
            .zip(weights)
            .map(|(p, &w)| f64::from(w) / total * p[k])
            .sum();
        match nudge[k] {
            0 => sum,
            n if n > 0 => sum.next_up(),
            _ => sum.next_down(),
        }
    }))
}

fn coordinates() -> impl Strategy<Value = P> {
    prop_oneof![
        prop::array::uniform3(-1.0..1.0f64),
        prop::array::uniform3(1e9..1e9 + 10.0f64),
        prop::array::uniform3((-4..5i32).prop_map(f64::from)),
        prop::array::uniform3((-4..5i32).prop_map(|x| 1e9 + f64::from(x) * 1e-6)),
        prop::array::uniform3((-4..5i32).prop_map(|x| f64::from(x) * 0.1)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn floats_agree_with_big_integers(points in prop::array::uniform5(coordinates())) {
        check(points, &points.map(|p| p.map(scaled)));
    }

    #[test]
    fn near_degenerate_floats_agree_with_big_integers(
        triangle in prop::array::uniform3(coordinates()),
        weights in prop::array::uniform2(prop::array::uniform3(0..4i32)),
        nudges in prop::array::uniform2(prop::array::uniform3(-1..2i32)),
        other in coordinates(),
        mode in 0..3,
    ) {
        let weight = |i: usize| if weights[i] == [0; 3] { [1, 1, 1] } else { weights[i] };
        let p = near(&triangle, &weight(0), nudges[0]);
        let q = match mode {
            0 => near(&triangle, &weight(1), nudges[1]),
            // Beyond p as seen from another point, so that pq passes by the triangle's features.
            1 => std::array::from_fn(|k| p[k] + (p[k] - other[k])),
            _ => other,
        };
        let start = if mode == 1 { other } else { p };
        let [a, b, c] = triangle;
        let points = [start, q, a, b, c];
        check(points, &points.map(|p| p.map(scaled)));
    }

    #[test]
    fn orientation_agrees_with_big_integers(
        abc in prop::array::uniform3(coordinates()),
        weights in prop::array::uniform3(-3..4i32),
        nudge in prop::array::uniform3(-1..2i32),
    ) {
        prop_assume!(weights.iter().sum::<i32>() != 0);
        let d = near(&abc, &weights, nudge);
        let [a, b, c] = abc;
        let exact = [a, b, c, d].map(|p| p.map(scaled));
        prop_assert_eq!(orient3d(a, b, c, d), sign(volume_sign(&exact)));
        prop_assert_eq!(orient3d(b, a, c, d), -orient3d(a, b, c, d));
    }
}
