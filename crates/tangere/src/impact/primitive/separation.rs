//! When does the distance of a pair first come to a separation h > 0?
//!
//! Seen from each other, a pair is the convex hull of differences r_i of corners (a triangle, a
//! parallelogram, a segment, a point), each of which moves straight, and the distance is that of the
//! origin. Whatever the direction n, of length 1 at most, the distance at time s is at least
//! min_i n.r_i(s), a minimum of linear functions. With n toward the nearest point at time t this bound is the
//! distance at t, and the first s at which it is h is free of contact until then: t becomes s, and so
//! on. Steps are Newton's, a few lead to contact, and a direction in which the bound never is h
//! proves that there is none. Nothing depends on how well n was found but how far one step goes.
//!
//! `zhang2007`: conservative advancement with the motion along a direction.
//!
//! *Deviates:* motion along n is bounded for each corner by itself, exactly as it is linear, instead of
//! by one speed for all, so that a step is as long as the direction allows.
//!
//! Costs 1 to 4 µs for corners at random, at most [`STEPS`] directions.

use super::{ContactStatus, FirstContact, Pair, exact};
use crate::geometry::TriangleFeature;
use crate::geometry::triangle::{accurate_cross, closest_on_triangle, normal};
use crate::geometry::vector::{dot, largest, minus};
use crate::impact::integer::power_of_two;

/// Directions tried before giving up: steps halve the time left to contact at worst, once they
/// are near it.
const STEPS: usize = 200;
/// Later times tried for being within the separation, each farther than the last by a factor.
const TRIES: usize = 12;
const FACTOR: f64 = 16.0;
/// Halvings between the first of them that is, and the one before.
const HALVINGS: usize = 4;
/// Coordinates of this magnitude at most are not scaled, nor those of the inverse at least, 2^150.
const LARGEST: f64 = f64::from_bits((1023 + 150) << 52);

/// Differences of corners at both ends of the step, repeated up to four; the hull is that of the
/// first three and that of the last three.
struct Hull {
    start: [[f64; 3]; 4],
    end: [[f64; 3]; 4],
    is_one_triangle: bool,
    /// Bounds the error of a place along any direction.
    doubt: f64,
}

/// First contact of the pair of these corners with a separation.
pub(super) fn first_contact<const K: usize>(
    pair: Pair,
    start: &[[f64; 3]; K],
    end: &[[f64; 3]; K],
    separation: f64,
) -> FirstContact {
    if !start.iter().chain(end).flatten().all(|x| x.is_finite()) {
        return FirstContact::NOT_FINITE;
    }
    let size = start
        .iter()
        .chain(end)
        .fold(0.0f64, |m, p| m.max(largest(*p)));
    // Powers of two: exact, or negligible beside the largest coordinate where numbers underflow.
    let exponent = match (1.0 / LARGEST..=LARGEST).contains(&size) {
        true => 0,
        false => (size.to_bits() >> 52) as i32 - 1023,
    };
    let halves = (exponent / 2, exponent - exponent / 2);
    let factors = (power_of_two(-halves.0), power_of_two(-halves.1));
    let scaled = |x: f64| x * factors.0 * factors.1;
    let [start_scaled, end_scaled] = [start, end].map(|points| points.map(|p| p.map(scaled)));
    let hull = Hull::new(pair, &start_scaled, &end_scaled);
    let found = hull.first_contact(scaled(separation));
    if found.status != ContactStatus::Unresolved {
        return found;
    }
    // What touches is within any separation.
    let touching = exact::first_contact(pair, start, end);
    match touching.is_contact() {
        true => FirstContact::at(found.early.min(touching.late), touching.late),
        false => found,
    }
}

/// The point of a triangle nearest to the origin.
struct Nearest {
    /// The corner of the hull that the triangle begins with.
    first: usize,
    triangle: [[f64; 3]; 3],
    weights: [f64; 3],
    point: [f64; 3],
    distance: f64,
    feature: TriangleFeature,
}

impl Nearest {
    /// Of corners from `first` on; `within` is the edge that is none of the hull, but goes through it.
    fn of(corners: &[[f64; 3]; 4], first: usize, within: Option<u8>) -> Self {
        let triangle = [0, 1, 2].map(|i| corners[first + i]);
        let closest = closest_on_triangle([0.0; 3], triangle);
        let point = [0, 1, 2].map(|k| dot(closest.barycentric, triangle.map(|p| p[k])));
        let feature = match closest.feature {
            TriangleFeature::Edge(i) if within == Some(i) => TriangleFeature::Face,
            feature => feature,
        };
        Nearest {
            first,
            triangle,
            weights: closest.barycentric,
            point,
            distance: dot(point, point).sqrt(),
            feature,
        }
    }

    /// The direction toward it, of length 1 at most.
    ///
    /// If the distance is small, the point is known to few digits, and its direction with it. That does
    /// not matter but for the part along the face or edge that it lies on, which products of vectors leave
    /// out to the last digit.
    fn direction(&self) -> Option<[f64; 3]> {
        let [a, b, c] = self.triangle;
        let across = match self.feature {
            TriangleFeature::Face => normal([a, b, c]),
            TriangleFeature::Edge(i) => {
                let (p, q) = [(a, b), (b, c), (c, a)][usize::from(i) % 3];
                let edge = minus(q, p);
                accurate_cross(edge, accurate_cross(p, edge))
            }
            TriangleFeature::Vertex(_) => self.point,
        };
        let across = match dot(across, self.point) {
            x if x > 0.0 => across,
            x if x < 0.0 => across.map(|x| -x),
            _ => self.point,
        };
        // Not squares that vanish.
        let size = largest(across);
        let scaled = across.map(|x| x / size);
        let length = dot(scaled, scaled).sqrt() * (1.0 + 8.0 * f64::EPSILON);
        (size > 0.0).then(|| scaled.map(|x| x / length))
    }
}

impl Hull {
    fn new<const K: usize>(pair: Pair, start: &[[f64; 3]; K], end: &[[f64; 3]; K]) -> Self {
        let corners = match pair {
            Pair::VertexFace => [(1, 0), (2, 0), (3, 0), (3, 0)],
            Pair::EdgeEdge => [(2, 0), (2, 1), (3, 0), (3, 1)],
            Pair::EdgeVertex => [(0, 2), (1, 2), (1, 2), (1, 2)],
            Pair::VertexVertex => [(1, 0); 4],
        };
        let differences =
            |points: &[[f64; 3]; K]| corners.map(|(to, from)| minus(points[to], points[from]));
        let (start, end) = (differences(start), differences(end));
        let size = start
            .iter()
            .chain(&end)
            .fold(0.0f64, |m, r| m.max(largest(*r)));
        Hull {
            start,
            end,
            is_one_triangle: pair != Pair::EdgeEdge,
            // A rounding of each difference, interpolation 3, a dot product 4, each of three
            // coordinates of this size; the rest is to spare.
            doubt: 64.0 * f64::EPSILON * size + 1e-280,
        }
    }

    /// Whether some coordinate alone keeps the distance above `h` during the step.
    fn is_beside(&self, h: f64) -> bool {
        (0..3).any(|k| {
            let all = || self.start.iter().chain(&self.end).map(|r| r[k]);
            let reach = h + self.doubt;
            all().all(|x| x > reach) || all().all(|x| x < -reach)
        })
    }

    /// The nearest point of the hull at a time.
    fn nearest(&self, t: f64) -> Nearest {
        let r = [0, 1, 2, 3].map(|i| {
            let (a, b) = (self.start[i], self.end[i]);
            [0, 1, 2].map(|k| (1.0 - t) * a[k] + t * b[k])
        });
        let first = Nearest::of(&r, 0, (!self.is_one_triangle).then_some(1));
        if self.is_one_triangle {
            return first;
        }
        let second = Nearest::of(&r, 1, Some(0));
        match first.distance <= second.distance {
            true => first,
            false => second,
        }
    }

    /// The time until which the distance is above `h` for certain, infinite for good, if it is at `t`
    /// along direction `n`; none if it may be `h` at `t`.
    fn free_until(&self, t: f64, n: [f64; 3], h: f64) -> Option<f64> {
        let mut until = f64::INFINITY;
        for (a, b) in self.start.iter().zip(&self.end) {
            let (start, end) = (dot(n, *a) - self.doubt - h, dot(n, *b) - self.doubt - h);
            if (1.0 - t) * start + t * end <= 4.0 * f64::EPSILON * (start.abs() + end.abs()) {
                return None;
            }
            if end <= 0.0 {
                // Above 0 at t, hence at the start: signs differ and nothing cancels.
                until = until.min(start / (start - end) * (1.0 - 4.0 * f64::EPSILON));
            }
        }
        Some(until)
    }

    /// Whether the distance is at most `h` for certain.
    fn is_within(&self, nearest: &Nearest, h: f64) -> bool {
        nearest.distance * (1.0 + 4.0 * f64::EPSILON) + self.doubt <= h
    }

    fn first_contact(&self, h: f64) -> FirstContact {
        if self.is_beside(h) {
            return FirstContact::FREE;
        }
        let mut t: f64 = 0.0;
        let unresolved = |early| FirstContact {
            early,
            late: f64::INFINITY,
            status: ContactStatus::Unresolved,
        };
        for _ in 0..STEPS {
            let nearest = self.nearest(t);
            if t == 0.0 && self.is_within(&nearest, h) {
                return FirstContact::at(0.0, 0.0);
            }
            let Some(n) = nearest.direction() else {
                break;
            };
            match self.free_until(t, n, h) {
                Some(until) if until > 1.0 => return FirstContact::FREE,
                Some(until) if until > t => t = until,
                _ => break,
            }
        }
        match self.within_after(t, h) {
            Some(late) => FirstContact::at(t, late),
            None => unresolved(t),
        }
    }

    /// How fast the nearest point comes nearer, about; the largest speed where it does not.
    fn closing_rate(&self, nearest: &Nearest) -> f64 {
        let velocity = |i: usize| minus(self.end[i], self.start[i]);
        let mut rate = 0.0;
        if let Some(n) = nearest.direction() {
            for (i, weight) in nearest.weights.into_iter().enumerate() {
                rate -= weight * dot(n, velocity(nearest.first + i));
            }
        }
        match rate > 0.0 {
            true => rate,
            false => (0..4).fold(0.0, |m, i| f64::max(m, largest(velocity(i)))),
        }
    }

    /// A time from `t` on, soon after it if possible, at which the distance is at most `h` for certain.
    fn within_after(&self, t: f64, h: f64) -> Option<f64> {
        let is_within = |t: f64| self.is_within(&self.nearest(t), h);
        let nearest = self.nearest(t);
        if self.is_within(&nearest, h) {
            return Some(t);
        }
        let rate = self.closing_rate(&nearest);
        let gap = (nearest.distance + self.doubt - h).max(self.doubt);
        // Not past what a slow approach, as next to a turning point, leaves soon again.
        let mut reach = (1.25 * gap / rate).min(1e-3 * (1.0 - t)) + f64::EPSILON * t;
        let mut before = t;
        for attempt in 0..TRIES {
            let later = t + reach;
            if later >= 1.0 {
                break;
            }
            if is_within(later) {
                let mut late = later;
                let halvings = if attempt == 0 { 0 } else { HALVINGS };
                for _ in 0..halvings {
                    let middle = 0.5 * (before + late);
                    match is_within(middle) {
                        true => late = middle,
                        false => before = middle,
                    }
                }
                return Some(late);
            }
            before = later;
            reach *= FACTOR;
        }
        is_within(1.0).then_some(1.0)
    }
}
