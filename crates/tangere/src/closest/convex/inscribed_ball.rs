//! Proof that the Minkowski difference of two bodies contains a ball about the origin.
//!
//! If it does, and the ball is as large as a penetration depth, no separating translation is
//! shorter. The proof is a closed surface of triangles, made of points of the difference, that the
//! origin is inside of and that no point of the ball is on: then the ball is inside as well, and
//! the difference is convex and contains what its points enclose.
//!
//! The surface is found as in EPA, by adding the support point beyond a triangle that is too near,
//! over and over; but nothing in the proof relies on how it was found. The cone from a point over
//! the rim of the triangles that it replaces has the same rim, so the surface stays closed whatever
//! rounding does to the choice of those triangles; and whether the origin is inside is decided at
//! the end by the solid angle of the whole surface.
//!
//! Cost: the number of vertices times that of the points added, a few tens unless many faces of the
//! difference are about as near as the ball is large.

use std::f64::consts::PI;

use super::placed_pair::PlacedPair;
use super::vectors::unit;
use crate::geometry::triangle::{closest_on_triangle, solid_angle, unit_normal};
use crate::geometry::vector::{cross, dot, minus};

/// Points after which the search gives up: more than bodies of 1000 faces need.
const POINTS_MAX: usize = 20_000;

/// Why there is no proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unproven {
    /// The ball is not inside: in some direction the difference reaches only this far.
    Reaches(f64),
    /// The search did not end.
    Endless,
}

/// A triangle of the surface, counterclockwise from outside.
struct Facet {
    corners: [usize; 3],
    normal: [f64; 3],
    /// The distance of its plane, in the direction of its normal.
    offset: f64,
    /// Whether it is outside the ball and has the origin behind it.
    is_far: bool,
}

/// Proves that the difference contains the ball. Lengths below `tiny` are rounding. `first` is the
/// direction to start with: where the difference is so thin that rounding defeats the search, it
/// may succeed from another.
pub(super) fn contains_ball(
    bodies: &PlacedPair,
    radius: f64,
    first: [f64; 3],
    tiny: f64,
) -> Result<(), Unproven> {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut proven = Err(Unproven::Endless);
    for first in [first].into_iter().chain(axes) {
        proven = proven_from(bodies, radius, first, tiny);
        if proven != Err(Unproven::Endless) {
            break;
        }
    }
    proven
}

fn proven_from(
    bodies: &PlacedPair,
    radius: f64,
    first: [f64; 3],
    tiny: f64,
) -> Result<(), Unproven> {
    let mut points = start(bodies, first).to_vec();
    // A flat surface: one triangle with both orientations.
    let mut facets = vec![
        facet(&points, [0, 1, 2], radius),
        facet(&points, [0, 2, 1], radius),
    ];
    let mut rim = Vec::new();
    while let Some(near) = facets.iter().position(|f| !f.is_far) {
        if points.len() > POINTS_MAX {
            return Err(Unproven::Endless);
        }
        let way = facets[near].normal;
        let point = bodies.support(way);
        let reach = dot(way, point);
        if reach <= facets[near].offset + tiny {
            return Err(Unproven::Reaches(reach));
        }
        rim.clear();
        let mut k = 0;
        let mut is_beyond = |f: &Facet| {
            k += 1;
            k - 1 == near || dot(f.normal, point) > f.offset + tiny
        };
        facets.retain(|f| {
            let [p, q, r] = f.corners;
            let stays = !is_beyond(f);
            if !stays {
                rim.extend([[p, q], [q, r], [r, p]]);
            }
            stays
        });
        points.push(point);
        let apex = points.len() - 1;
        // Edges between two removed triangles occur in both directions.
        for &[from, to] in &rim {
            if !rim.contains(&[to, from]) {
                facets.push(facet(&points, [from, to, apex], radius));
            }
        }
    }
    let angle: f64 = facets
        .iter()
        .map(|f| solid_angle([0.0; 3], f.corners.map(|c| points[c])))
        .sum();
    // The solid angle is 4 pi times the winding number of the surface about the origin.
    if angle > 2.0 * PI {
        Ok(())
    } else {
        Err(Unproven::Endless)
    }
}

/// Three points of the difference that are far apart.
fn start(bodies: &PlacedPair, first: [f64; 3]) -> [[f64; 3]; 3] {
    let back = |v: [f64; 3]| v.map(|x| 0.0 - x);
    let p = bodies.support(first);
    let q = bodies.support(back(first));
    let along = minus(q, p);
    let least = (0..3).fold(0, |l, k| {
        if along[k].abs() < along[l].abs() {
            k
        } else {
            l
        }
    });
    let axis = std::array::from_fn(|k| if k == least { 1.0 } else { 0.0 });
    let across = cross(along, axis);
    let [r, s] = [across, back(across)].map(|way| bodies.support(way));
    let height = |x: [f64; 3]| dot(across, minus(x, p)).abs();
    [p, q, if height(r) >= height(s) { r } else { s }]
}

fn facet(points: &[[f64; 3]], corners: [usize; 3], radius: f64) -> Facet {
    let triangle = corners.map(|c| points[c]);
    let nearest = closest_on_triangle([0.0; 3], triangle);
    // Without area any plane through the triangle will do; this one has the origin behind it.
    let normal = unit_normal(triangle).unwrap_or_else(|| unit(nearest.point));
    let offset = dot(normal, triangle[0]);
    Facet {
        corners,
        normal,
        offset,
        is_far: offset > 0.0 && nearest.distance_squared.sqrt() >= radius,
    }
}
