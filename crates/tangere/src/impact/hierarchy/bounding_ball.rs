//! Bounding balls of the items and nodes of a hierarchy.

use super::Node;
use crate::geometry::vector::{dot, minus};
use crate::geometry::{Aabb, Ball, flushed};

/// The smaller of two bounding balls of a node of the hierarchy.
fn smaller(a: Ball<3>, b: Ball<3>) -> Ball<3> {
    if b.radius < a.radius { b } else { a }
}

/// A bounding ball of a node of the hierarchy: the smallest of several. One is the ball around the
/// balls of its children. The others are fitted to the points below the node or, if `points` is
/// empty, to its box.
pub(super) fn node_ball(children: &[Node], bounds: &Aabb<3>, points: &[[f64; 3]]) -> Ball<3> {
    let mut joined = children[0].ball;
    for child in &children[1..] {
        joined = joined.union(&child.ball);
    }
    let middle = flushed(bounds.center());
    if points.is_empty() {
        // The farthest corner of the box.
        let corner: [f64; 3] =
            std::array::from_fn(
                |k| match bounds.max[k] - middle[k] > middle[k] - bounds.min[k] {
                    true => bounds.max[k],
                    false => bounds.min[k],
                },
            );
        return smaller(joined, Ball::about(middle, &[corner]));
    }
    let a = Ball::reaching(joined.center, reach(joined.center, points));
    let b = Ball::reaching(middle, reach(middle, points));
    smaller(joined, smaller(a, b))
}

/// The squared radius of the smallest bounding ball of a node of the hierarchy that has the given
/// centre: the largest squared distance of a point from the centre; 0 if there are no points.
pub(super) fn reach(center: [f64; 3], points: &[[f64; 3]]) -> f64 {
    // Four independent maxima run in parallel.
    let mut most = [0.0; 4];
    let mut parts = points.chunks_exact(4);
    let farther = |most: &mut f64, p: [f64; 3]| {
        let d = minus(p, center);
        let square = dot(d, d);
        *most = if square > *most { square } else { *most };
    };
    for part in &mut parts {
        for k in 0..4 {
            farther(&mut most[k], part[k]);
        }
    }
    for &p in parts.remainder() {
        farther(&mut most[0], p);
    }
    most[0].max(most[1]).max(most[2].max(most[3]))
}

/// The smallest bounding ball of an item of the hierarchy, which has at least one point.
pub(super) fn item_ball(points: &[[f64; 3]]) -> Ball<3> {
    match *points {
        [a, b] => Ball::about(middle(a, b), points),
        [a, b, c] => of_triangle([a, b, c]),
        _ => Ball::smallest(points).unwrap_or(Ball::about([0.0; 3], points)),
    }
}

/// The midpoint of two points of an item of the hierarchy: the centre of their smallest bounding
/// ball.
fn middle(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| 0.5 * a[k] + 0.5 * b[k])
}

/// The smallest bounding ball of an item of the hierarchy that is a triangle. Its centre is the
/// circumcentre if the triangle is acute, else the midpoint of the longest edge.
///
/// With `A`, `B`, `C` the squared lengths of the edges opposite to `a`, `b`, `c`, the circumcentre
/// is the mean of the corners with weights `A (B + C - A)`, `B (C + A - B)`, `C (A + B - C)`. All
/// are positive if and only if the triangle is acute.
fn of_triangle([a, b, c]: [[f64; 3]; 3]) -> Ball<3> {
    let points = &[a, b, c];
    let square = |p: [f64; 3], q: [f64; 3]| {
        let d = minus(p, q);
        dot(d, d)
    };
    let edges = [square(b, c), square(c, a), square(a, b)];
    let longest = edges.iter().fold(0.0, |m: f64, &e| m.max(e));
    let e = edges.map(|e| e / longest);
    let weights: [f64; 3] =
        std::array::from_fn(|k| e[k] * (e[(k + 1) % 3] + e[(k + 2) % 3] - e[k]));
    if weights.iter().all(|&w| w > 0.0) {
        let sum = weights[0] + weights[1] + weights[2];
        // Relative to a corner, so that an offset costs no digits.
        let center = std::array::from_fn(|k| {
            a[k] + (weights[1] * (b[k] - a[k]) + weights[2] * (c[k] - a[k])) / sum
        });
        return Ball::about(center, points);
    }
    let center = match longest {
        _ if edges[0] == longest => middle(b, c),
        _ if edges[1] == longest => middle(c, a),
        _ => middle(a, b),
    };
    Ball::about(center, points)
}
