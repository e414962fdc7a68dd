//! Rotating separating axis: the axis follows the nearest point, and bounds how long a pair of
//! primitives stays separated.
//!
//! A time `τ` after now the axis is `n(τ) = n + τ n'`. A corner `r + τ v` of the Minkowski
//! difference is then at `n(τ).(r + τ v) / |n(τ)|` along the axis. With `n.n' = 0` and `|n| = 1`
//! the length of `n(τ)` is at most `1 + τ²|n'|²/2`. So the distance is above `h` as long as the
//! quadratics
//!
//! ```text
//! (n.r - h) + τ (n.v + n'.r) + τ² (n'.v - h |n'|²/2)
//! ```
//!
//! are positive for all corners, whatever `n` and `n'` are. If `n` points to the nearest point and
//! `n'` follows it, all corners that support this point have the distance as value and its rate as
//! slope, so the first root is a Newton step.

use super::minkowski_difference::{MinkowskiDifference, Nearest};
use crate::geometry::TriangleFeature;
use crate::geometry::triangle::normal;
use crate::geometry::vector::{accurate_cross, cross, dot, largest, minus};

/// All features of a triangle: the face, its edges and its vertices. Because of rounding, the
/// nearest point may lie on another feature than computed. So if the axis of that feature is poor,
/// the axes of all features are tried.
const FEATURES: [TriangleFeature; 7] = [
    TriangleFeature::Face,
    TriangleFeature::Edge(0),
    TriangleFeature::Edge(1),
    TriangleFeature::Edge(2),
    TriangleFeature::Vertex(0),
    TriangleFeature::Vertex(1),
    TriangleFeature::Vertex(2),
];

impl MinkowskiDifference {
    /// How long a rotating axis proves that the distance of a pair stays above the distance `h`;
    /// infinite if forever, `None` if the distance of the pair may be `h` now.
    pub fn separated_for(&self, nearest: &Nearest, corners: &[[f64; 3]; 4], h: f64) -> Option<f64> {
        let along = |nearest: &Nearest| match direction(nearest) {
            Some(n) => AxisBound::along(self, nearest, n, corners, h),
            None => AxisBound::UNKNOWN,
        };
        let mut free = along(nearest);
        if free.distance + self.doubt < nearest.distance {
            // Another axis may be better: near an edge or a corner the distance hardly depends on
            // the feature, but the axis does.
            let nearest = [0, 1].map(|first| self.nearest_of(corners, first));
            let times = nearest.iter().flat_map(|nearest| {
                FEATURES.map(|feature| {
                    along(&Nearest {
                        feature,
                        ..*nearest
                    })
                    .time
                })
            });
            free.time = times.fold(free.time, f64::max);
        }
        (free.time > 0.0).then_some(free.time)
    }

    /// The speed, along the rotating axis, at which the nearest point of the Minkowski difference
    /// approaches the origin.
    pub fn closing_rate(&self, nearest: &Nearest) -> f64 {
        let n = direction(nearest).unwrap_or_default();
        let rates = [0, 1, 2].map(|i| -dot(n, self.growth[nearest.first + i]));
        dot(nearest.weights, rates)
    }
}

/// The rotating axis now: it points from the origin to the nearest point, and its length is 1, or
/// less by rounding. `None` if the computed vector is 0, so that no direction is known.
///
/// If the distance is small, few digits of the nearest point are correct. An axis toward it would
/// be oblique to its face or edge. So the axis is computed from cross products, which are
/// orthogonal to that feature to the last digit.
fn direction(nearest: &Nearest) -> Option<[f64; 3]> {
    let [a, b, c] = nearest.triangle;
    let across = match nearest.feature {
        TriangleFeature::Face => normal([a, b, c]),
        TriangleFeature::Edge(i) => {
            let (p, q) = [(a, b), (b, c), (c, a)][usize::from(i) % 3];
            let edge = minus(q, p);
            accurate_cross(edge, accurate_cross(p, edge))
        }
        TriangleFeature::Vertex(i) => nearest.triangle[usize::from(i) % 3],
    };
    let across = match dot(across, nearest.point) < 0.0 {
        true => across.map(|x| -x),
        false => across,
    };
    // The vector is scaled, so that squares do not underflow.
    let size = largest(across);
    let scaled = across.map(|x| x / size);
    let length = dot(scaled, scaled).sqrt() * (1.0 + 8.0 * f64::EPSILON);
    (size > 0.0).then(|| scaled.map(|x| x / length))
}

/// Bounds of the distance of the two primitives of a pair, from projections on one axis, fixed or
/// rotating.
#[derive(Clone, Copy)]
struct AxisBound {
    /// Lower bound of the current distance of the pair, up to rounding.
    distance: f64,
    /// How long the distance of the pair certainly stays above a given distance, the separation or
    /// a little less; 0 if it may be that distance now.
    time: f64,
}

impl AxisBound {
    const UNKNOWN: Self = AxisBound {
        distance: 0.0,
        time: 0.0,
    };

    /// The bounds of the distance of the two primitives of a pair, from projections on the axis
    /// `n`. The `time` is the longer of two: that of the fixed axis `n`, and that of the rotating
    /// axis that starts from `n`.
    fn along(
        hull: &MinkowskiDifference,
        nearest: &Nearest,
        n: [f64; 3],
        corners: &[[f64; 3]; 4],
        h: f64,
    ) -> Self {
        let doubt = hull.doubt;
        let places = corners.map(|r| dot(n, r));
        let distance = places.into_iter().fold(f64::INFINITY, f64::min);
        let least = distance - h - doubt;
        if least <= 0.0 {
            return AxisBound {
                distance,
                time: 0.0,
            };
        }
        let turn = turn(hull, nearest, n);
        let square = dot(turn, turn);
        let speed = square.sqrt() * (1.0 + 4.0 * f64::EPSILON);
        // n and n' are orthogonal up to rounding.
        let skew = dot(n, turn).abs() + 4.0 * f64::EPSILON * speed;
        let least_slope = (1.0 + speed) * doubt + h * skew;
        let least_bend = speed * doubt + 0.5 * h * square * (1.0 + 8.0 * f64::EPSILON);
        let (mut fixed, mut turning) = (f64::INFINITY, f64::INFINITY);
        for ((r, v), place) in corners.iter().zip(&hull.growth).zip(places) {
            let (above, slope) = (place - h - doubt, dot(n, *v));
            fixed = fixed.min(first_zero(above, slope - doubt, 0.0));
            let slope = slope + dot(turn, *r) - least_slope;
            let bend = dot(turn, *v) - least_bend;
            turning = turning.min(first_zero(above, slope, bend));
        }
        AxisBound {
            distance,
            time: fixed.max(turning) * (1.0 - 8.0 * f64::EPSILON),
        }
    }
}

/// The first time `t > 0` at which `a + b t + c t²` is 0, up to rounding, where `a > 0`; infinite
/// if there is none. While this quadratic is positive, a corner certainly is farther than `h` from
/// the origin along the fixed or rotating axis.
fn first_zero(a: f64, b: f64, c: f64) -> f64 {
    let (square, product) = (b * b, 4.0 * a * c);
    if b < 0.0 {
        // The discriminant is rounded up: the result decreases with it.
        let discriminant = square - product + 4.0 * f64::EPSILON * (square + product.abs());
        match discriminant >= 0.0 {
            true => 2.0 * a / (discriminant.sqrt() - b),
            false => f64::INFINITY,
        }
    } else if c < 0.0 {
        // In this form nothing cancels.
        (b + (square - product).sqrt()) / (-2.0 * c)
    } else {
        f64::INFINITY
    }
}

/// The rate of change `n'` of the axis `n` toward the nearest point. The axis rotates so that it
/// stays orthogonal to the face or edge on which that point lies.
fn turn(hull: &MinkowskiDifference, nearest: &Nearest, n: [f64; 3]) -> [f64; 3] {
    let velocity = |i: usize| hull.growth[nearest.first + i];
    let [a, b, c] = nearest.triangle;
    let turn = match nearest.feature {
        TriangleFeature::Face => {
            // n'.e = -n.e' for both edges e.
            let (e, f) = (minus(b, a), minus(c, a));
            let [x, y] = [1, 2].map(|i| -dot(n, minus(velocity(i), velocity(0))));
            let volume = dot(n, cross(e, f));
            let (p, q) = (cross(f, n), cross(n, e));
            [0, 1, 2].map(|k| (x * p[k] + y * q[k]) / volume)
        }
        TriangleFeature::Edge(i) => {
            let (i, j) = (usize::from(i) % 3, (usize::from(i) + 1) % 3);
            let e = minus(nearest.triangle[j], nearest.triangle[i]);
            let square = dot(e, e);
            // Along the edge as above, and across it with the projection of the origin.
            let along = -dot(n, minus(velocity(j), velocity(i))) / square;
            let across = cross(e, n);
            let [u, v] = [i, j].map(|i| nearest.weights[i] * dot(across, velocity(i)));
            let aside = (u + v) / (square * nearest.distance);
            [0, 1, 2].map(|k| along * e[k] + aside * across[k])
        }
        TriangleFeature::Vertex(i) => {
            let v = velocity(usize::from(i) % 3);
            let away = dot(n, v);
            [0, 1, 2].map(|k| (v[k] - away * n[k]) / nearest.distance)
        }
    };
    match turn.iter().all(|x| x.abs() < 1e100) {
        true => turn,
        false => [0.0; 3],
    }
}
