//! GJK and EPA with an exact hull, for pairs of bodies where [`gjk`](super::gjk) and
//! [`epa`](super::epa) fail because of rounding.
//!
//! Vertices of the Minkowski difference are only added, never removed, and their convex hull is
//! exact at every step. So every step has a new vertex, and the last hull is right up to the
//! rounding of its vertices.
//!
//! Cost: about the square of the number of steps, since each step builds a new hull in new memory.
//! These searches run where bodies are thinner than a millionth of their size, or features are
//! parallel up to rounding.

use super::epa::Depth;
use super::gjk::TOLERANCE;
use super::relative_frame::RelativeFrame;
use super::simplex::nearest_on_triangle;
use super::vectors::{self, direction};
use crate::error::Result;
use crate::geometry::flushed;
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::ConvexPolyhedron;

/// Maximum number of vertices of the exact hull. When it is reached, GJK or EPA ends with the lower
/// and upper bound found so far.
const VERTICES_MAX: usize = 2000;

/// The distance of two bodies by GJK with an exact hull, starting from the vertices `first`, one of
/// each. Adds the number of iterations to `steps`. Returns the direction from `a` to `b` with the
/// largest separation found, and an upper bound of the distance. `None` if the bodies intersect.
pub(super) fn exact_distance(
    frame: &RelativeFrame,
    first: [u32; 2],
    steps: &mut u32,
) -> Option<([f64; 3], f64)> {
    let tolerance = TOLERANCE * frame.scale;
    let mut pairs = vec![first];
    // The direction with the largest separation is returned: distances are often equal up to
    // rounding, so they cannot decide.
    let mut best: Option<([f64; 3], f64)> = None;
    let mut most = f64::NEG_INFINITY;
    loop {
        *steps += 1;
        let Ok(hull) = hull_of(frame, &pairs) else {
            return best;
        };
        let (point, normal) = nearest_of_hull(&hull, tolerance)?;
        let distance = dot(point, point).sqrt();
        if distance <= tolerance {
            return None;
        }
        let pair = frame.support(normal, frame.starts(normal));
        let lower = 0.0 - dot(normal, frame.difference(pair));
        let (kept, least) = best.unwrap_or((normal, distance));
        best = Some((
            if lower > most { normal } else { kept },
            distance.min(least),
        ));
        most = most.max(lower);
        if distance - lower <= tolerance || pairs.contains(&pair) || pairs.len() >= VERTICES_MAX {
            return best;
        }
        pairs.push(pair);
    }
}

/// The exact hull of vertices of the Minkowski difference, for GJK and EPA. Each of these vertices
/// is given by the indices of two vertices, one of each body.
fn hull_of(frame: &RelativeFrame, pairs: &[[u32; 2]]) -> Result<ConvexPolyhedron> {
    let points: Vec<[f64; 3]> = pairs
        .iter()
        .map(|&p| flushed(frame.difference(p)))
        .collect();
    ConvexPolyhedron::hull(&points)
}

/// The point of an exact hull nearest to the origin, for GJK, and the direction from this point to
/// the origin; `None` if the origin is inside the hull. A point inside a face is preferred to
/// points that are nearer by less than `tolerance`, since its direction is the most accurate.
fn nearest_of_hull(hull: &ConvexPolyhedron, tolerance: f64) -> Option<([f64; 3], [f64; 3])> {
    let mut best: Option<(f64, [f64; 3], [f64; 3])> = None;
    let mut offer = |point: [f64; 3], normal: Option<[f64; 3]>, more: f64| {
        let distance = dot(point, point).sqrt();
        if best.is_none_or(|(least, ..)| distance < least + more)
            && let Some(normal) = normal.or_else(|| direction(point.map(|x| 0.0 - x)).map(|d| d.0))
        {
            best = Some((distance, point, normal));
        }
    };
    for &v in hull.vertices() {
        offer(v, None, 0.0);
    }
    for e in 0..hull.edge_count() as u32 {
        let [p, q] = hull.edge_vertices(e).map(|v| hull.vertex(v));
        let point = nearest_on_triangle(p, q, q).point;
        let along = minus(q, p);
        // Rounding tilts a short vector along the edge; at the ends of the edge it need not be
        // orthogonal to it.
        let normal = if point == p || point == q {
            None
        } else {
            let way = point.map(|x| 0.0 - x);
            direction(vectors::across(way, along, dot(along, along))).map(|(n, _)| n)
        };
        offer(point, normal, 0.0);
    }
    let mut inside = hull.dimension() == 3;
    for f in 0..hull.face_count() as u32 {
        let normal = hull.normal(f);
        let corner = hull.vertex(hull.face_loop(f)[0].origin);
        let height = 0.0 - dot(normal, corner);
        if height <= 0.0 {
            continue;
        }
        inside = false;
        // The projection of the origin, if it is inside the face.
        let foot = normal.map(|x| 0.0 - x * height);
        let sides = hull.face_loop(f);
        let within = (0..sides.len()).all(|k| {
            let from = hull.vertex(sides[k].origin);
            let to = hull.vertex(sides[(k + 1) % sides.len()].origin);
            dot(normal, cross(minus(to, from), minus(foot, from))) >= 0.0
        });
        if within {
            offer(foot, Some(normal), tolerance);
        }
    }
    match (inside, best) {
        (false, Some((_, point, normal))) => Some((point, normal)),
        _ => None,
    }
}

/// The penetration depth by EPA with an exact hull, where facets are too thin for
/// [`epa`](super::epa). Adds the number of iterations to `steps`.
pub(super) fn exact_depth(frame: &RelativeFrame, steps: &mut u32) -> Depth {
    let tolerance = TOLERANCE * frame.scale;
    let mut pairs: Vec<[u32; 2]> = Vec::new();
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            let mut way = [0.0; 3];
            way[axis] = sign;
            pairs.push(frame.support(way, frame.starts(way)));
        }
    }
    let mut best = Depth::none([1.0, 0.0, 0.0], pairs[0]);
    best.upper = f64::INFINITY;
    best.lower = 0.0;
    loop {
        *steps += 1;
        let Ok(hull) = hull_of(frame, &pairs) else {
            return best;
        };
        let plane = |f: u32| {
            let corner = hull.face_loop(f)[0].origin;
            dot(hull.normal(f), hull.vertex(corner))
        };
        let faces = 0..hull.face_count() as u32;
        let Some(nearest) = faces.min_by(|&f, &g| plane(f).total_cmp(&plane(g))) else {
            // The hull is still a point or a segment: add support points orthogonal to it.
            let ends = [0, hull.vertex_count() as u32 - 1].map(|v| hull.vertex(v));
            let beside = across(minus(ends[1], ends[0]));
            let known = pairs.len();
            for way in beside {
                let pair = frame.support(way, frame.starts(way));
                if !pairs.contains(&pair) {
                    pairs.push(pair);
                }
            }
            // The difference is a point or a segment.
            if pairs.len() == known || known >= VERTICES_MAX {
                return Depth::none(beside[0], pairs[0]);
            }
            continue;
        };
        let normal = hull.normal(nearest);
        let pair = frame.support(normal, frame.starts(normal));
        let upper = dot(normal, frame.difference(pair));
        let corners: Vec<u32> = hull.face_vertices(nearest).collect();
        let at = |k: usize| pairs[hull.sources()[corners[k * corners.len() / 3] as usize] as usize];
        if upper < best.upper {
            best = Depth {
                normal,
                lower: plane(nearest),
                upper,
                pairs: [at(0), at(1), at(2)],
            };
        }
        best.lower = plane(nearest).min(best.upper);
        if upper - plane(nearest) <= tolerance
            || pairs.contains(&pair)
            || pairs.len() >= VERTICES_MAX
        {
            return best;
        }
        pairs.push(pair);
    }
}

/// Four directions orthogonal to an exact hull that is still a segment: two orthogonal to each
/// other, and their opposites.
fn across(along: [f64; 3]) -> [[f64; 3]; 4] {
    let least = (0..3).fold(0, |l, k| {
        if along[k].abs() < along[l].abs() {
            k
        } else {
            l
        }
    });
    let unit = |axis: usize| std::array::from_fn(|k| if k == axis { 1.0 } else { 0.0 });
    let first = direction(cross(along, unit(least))).map_or(unit(0), |(n, _)| n);
    let second = direction(cross(along, first)).map_or(unit(1), |(n, _)| n);
    let back = |way: [f64; 3]| way.map(|x| 0.0 - x);
    [first, second, back(first), back(second)]
}
