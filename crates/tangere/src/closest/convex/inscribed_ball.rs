//! Inscribed ball: proof that the Minkowski difference of two bodies contains a ball about the
//! origin.
//!
//! If the radius of the ball is a penetration depth, this proves that no separating translation is
//! shorter. The proof is a closed surface of triangles whose corners are points of the Minkowski
//! difference. The origin is inside the surface, and no point of the surface is nearer to the
//! origin than the radius. So the ball is inside the surface, and the difference, which is convex,
//! contains all that is inside.
//!
//! The surface is found as in EPA: as long as a triangle is too near, the support point in the
//! direction of its normal is added. The proof does not rely on how the surface was found. A new
//! point replaces triangles by the cone over their common border, so the surface stays closed
//! whichever triangles are replaced. Whether the origin is inside is decided at the end, by the
//! solid angle of the surface.
//!
//! Cost: the number of vertices times the number of points added, which is a few tens unless many
//! faces of the difference are about as near as the ball is large.

use std::f64::consts::PI;

use super::placed_pair::PlacedPair;
use super::vectors::unit;
use crate::geometry::triangle::{closest_on_triangle, solid_angle, unit_normal};
use crate::geometry::vector::{cross, dot, minus};

/// Maximum number of points of the surface that proves an inscribed ball, after which the search
/// gives up. It is more than bodies of 1000 faces need.
const POINTS_MAX: usize = 20_000;

/// The reason why an inscribed ball is not proven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unproven {
    /// The Minkowski difference does not contain the ball: in some direction the difference reaches
    /// only this far from the origin.
    Reaches(f64),
    /// Undecided. To prove that the ball, centred at the origin, lies in the Minkowski difference, a
    /// polytope of points of the difference is grown until it encloses the ball. Either it reached
    /// the maximum number of points before, or it does not even enclose the origin.
    Endless,
}

/// A triangle of the surface that proves the inscribed ball. Its corners are indices of points,
/// counterclockwise from outside.
struct Facet {
    corners: [usize; 3],
    normal: [f64; 3],
    /// The signed distance of the plane of the triangle from the origin, positive in the direction
    /// of its normal.
    offset: f64,
    /// Whether the triangle needs no replacement: all of it is outside the inscribed ball, and the
    /// origin is behind its plane.
    is_far: bool,
}

/// Proves an inscribed ball: the Minkowski difference of two bodies contains the ball of radius
/// `radius` about the origin. The error is the reason why this is not proven. Lengths below `tiny`
/// count as rounding errors. The search starts with the support point in the direction `first`. If
/// it gives up, it starts again with each coordinate axis as this direction.
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

/// Proves the inscribed ball by a search for a surface around it, which starts with the support
/// point in the direction `first`.
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

/// Three points of the Minkowski difference that are far apart, with which the proof of an
/// inscribed ball starts: the support points in the direction `first`, in the opposite direction,
/// and in a direction orthogonal to the line through these two.
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

/// Makes a triangle of the surface that proves an inscribed ball. `corners` are indices of
/// `points`, and `radius` is that of the ball.
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
