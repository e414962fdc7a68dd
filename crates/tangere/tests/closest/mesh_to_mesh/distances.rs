//! Distances of two triangles, proven: the points are on the triangles, and the planes orthogonal
//! to the vector between them separate the triangles by the distance.

use tangere::closest::triangle_distance;
use tangere::geometry::triangle::closest_on_triangle;
use tangere::geometry::triangle_triangle;
use test_support::Random;
use test_support::vectors::{dot, minus};

type P = [f64; 3];

/// Checks the distance of two triangles; returns it relative to their size.
fn check(a: [P; 3], b: [P; 3]) -> f64 {
    let found = triangle_distance(a, b);
    let size = a
        .iter()
        .chain(&b)
        .flatten()
        .fold(0.0f64, |m, x| m.max(x.abs()));
    let near = 64.0 * f64::EPSILON * size;
    for (p, t) in [(found.point_a, a), (found.point_b, b)] {
        let off = minus(p, closest_on_triangle(p, t).point);
        let off = off.map(|x| x / size);
        assert!(dot(off, off).sqrt() * size <= near, "{a:?} {b:?} {found:?}");
    }
    let mirrored = triangle_distance(b, a);
    assert_eq!(found.distance, mirrored.distance, "{a:?} {b:?}");
    if triangle_triangle(a, b).is_some() {
        assert_eq!((found.distance, found.point_a), (0.0, found.point_b));
        return 0.0;
    }
    let away = minus(found.point_b, found.point_a).map(|x| x / size);
    let length = dot(away, away).sqrt();
    assert!((length * size - found.distance).abs() <= near, "{found:?}");
    // Where points nearly coincide the vector between them has no direction.
    if length > 1e-3 {
        let way = away.map(|x| x / length);
        let along = |p: &P| dot(way, minus(*p, found.point_a));
        let last = a.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
        let first = b.iter().map(along).fold(f64::INFINITY, f64::min);
        let gap = first - last;
        // Rounding tilts the vector by its error over its length.
        assert!(
            gap >= found.distance - 1e3 * near,
            "{a:?} {b:?} {found:?} {gap}"
        );
    }
    length
}

#[test]
fn distances_of_triangles_are_proven() {
    let mut random = Random::new(3);
    let mut apart = 0;
    for n in 0..20_000 {
        let scale = [1.0, 1e-80, 1e50, 1e-3][n % 4];
        let shift = random.vector(1.0).map(|x| 2.0 * x);
        let mut a = [random.vector(1.0), random.vector(1.0), random.vector(1.0)];
        let mut b = [random.vector(1.0), random.vector(1.0), random.vector(1.0)];
        b = b.map(|p| std::array::from_fn(|k| p[k] + shift[k]));
        match n % 5 {
            // On a lattice, with parallel edges and triangles without area.
            0 => [a, b] = [a, b].map(|t| t.map(|p| p.map(|x| (2.0 * x).round()))),
            // Nearly parallel edges, above each other.
            1 => {
                for i in 0..2 {
                    let aside = random.vector(1.0);
                    b[i] = std::array::from_fn(|k| a[i][k] + 1e-7 * aside[k]);
                }
                b = b.map(|p| [p[0], p[1], p[2] + 0.5]);
            }
            _ => {}
        }
        let [a, b] = [a, b].map(|t| t.map(|p| p.map(|x| x * scale)));
        apart += usize::from(check(a, b) > 1e-3);
    }
    assert!(apart > 8_000, "{apart}");
}

/// Needles pass each other at any angle: their distance is that of their lines.
#[test]
fn nearly_parallel_edges_lose_no_digits() {
    for exponent in 0..40 {
        let angle = 0.5f64.powi(exponent);
        let a = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]];
        let b = [[-1.0, -angle, 0.25], [1.0, angle, 0.25], [0.0, 0.0, 1.0]];
        let found = triangle_distance(a, b);
        assert!((found.distance - 0.25).abs() < 1e-15, "{angle}: {found:?}");
    }
}

/// Triangles are coplanar but for rounding: the parameter at which edges cross is inaccurate, but a
/// common point is still on both triangles.
#[test]
fn common_points_of_triangles_nearly_in_one_plane() {
    let mut random = Random::new(0x1234_5678_9abc_def1);
    let (mut met, mut worst) = (0, 0.0f64);
    for _ in 0..40_000 {
        let [k, m] = [0; 2].map(|_| (3.0 * random.signed()).round());
        let mut corner = || {
            let [x, y] = [0; 2].map(|_| (30.0 * random.signed()).round() * 0.1);
            [x, y, k * x + m * y]
        };
        let (a, b) = ([0; 3].map(|_| corner()), [0; 3].map(|_| corner()));
        if triangle_triangle(a, b).is_none() {
            continue;
        }
        met += 1;
        let point = triangle_distance(a, b).point_a;
        for t in [a, b] {
            worst = worst.max(closest_on_triangle(point, t).distance_squared.sqrt());
        }
    }
    assert!(met > 10_000, "{met}");
    assert!(worst < 1e-13, "off by {worst:e}");
}
