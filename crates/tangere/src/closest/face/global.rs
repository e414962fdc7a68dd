//! The nearest point of all, proven.
//!
//! If squared distances are convex on the face, the local minimum is the only one. Otherwise the
//! face is cut into four parts. A part is left out if a plane across the way to its middle shows
//! that all of it is farther than the best point so far; else its own minimum is looked for, and
//! if that cannot be proven, it is cut again.

use super::bend::Bend;
use super::polynomial::{Domain, Polynomial};
use super::sqp::{Minimum, descended, minimum};
use crate::geometry::vector::{dot, minus};

/// Parts that are looked at before the search ends with bounds.
const PARTS_MAX: u32 = 4096;

/// Cuts of one part into four.
const DEPTH_MAX: usize = 40;

/// Distances this close, relative to the size of face and way, are one.
const CLOSE: f64 = 1e-14;

/// A part of a face: `xi = place + size xi'` for `xi'` in the reference domain.
#[derive(Clone, Copy, Debug)]
struct Part {
    place: [f64; 2],
    size: f64,
    depth: usize,
}

/// The nearest point, and a bound that no point is nearer than.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub minimum: Minimum,
    pub lower: f64,
    /// Whether both agree.
    pub proven: bool,
}

/// `y` is given about the origin of the polynomial.
pub(super) fn nearest(face: &Polynomial, bend: &Bend, y: [f64; 3], extent: f64) -> Nearest {
    let first = minimum(face, y);
    let proven = |minimum: Minimum| Nearest {
        minimum,
        lower: minimum.squared.sqrt(),
        proven: true,
    };
    if bend.is_flat() || bend.is_convex(y) {
        return proven(first);
    }
    branched(face, y, first, extent)
}

fn branched(face: &Polynomial, y: [f64; 3], first: Minimum, extent: f64) -> Nearest {
    let mut best = first;
    let size = extent + dot(y, y).sqrt();
    let close = CLOSE * size;
    let whole = Part {
        place: [0.0; 2],
        size: 1.0,
        depth: 0,
    };
    // Depth first: at most three parts wait at every depth.
    let mut waiting = [whole; 3 * DEPTH_MAX + 4];
    let mut count = 0;
    let mut lower = f64::INFINITY;
    let mut looked = 0;
    for part in cut(face.domain, &whole) {
        waiting[count] = part;
        count += 1;
    }
    while count > 0 {
        count -= 1;
        let part = waiting[count];
        let patch = face.part(part.place, part.size);
        let bound = distance_bound(&patch, y);
        if bound >= best.squared.sqrt() - close {
            lower = lower.min(bound);
            continue;
        }
        looked += 1;
        if looked > PARTS_MAX || part.depth >= DEPTH_MAX {
            lower = lower.min(bound);
            continue;
        }
        let own = minimum(&patch, y);
        best.steps += own.steps;
        if own.squared < best.squared {
            best = Minimum {
                xi: std::array::from_fn(|k| part.place[k] + part.size * own.xi[k]),
                steps: best.steps,
                ..own
            };
        }
        if Bend::new(&patch).is_convex(y) {
            lower = lower.min(own.squared.sqrt());
            continue;
        }
        for child in cut(face.domain, &part) {
            waiting[count] = child;
            count += 1;
        }
    }
    // Where a part ends the face goes on.
    let best = descended(face, y, best);
    let distance = best.squared.sqrt();
    Nearest {
        minimum: best,
        lower: lower.min(distance),
        proven: distance - lower <= 4.0 * close,
    }
}

/// Four parts of half the size; two of a segment.
fn cut(domain: Domain, part: &Part) -> impl Iterator<Item = Part> {
    let half = 0.5 * part.size;
    let places: &[([f64; 2], f64)] = match domain {
        Domain::Segment => &[([-1.0, 0.0], 1.0), ([1.0, 0.0], 1.0)],
        // The part in the middle is turned by half a turn.
        Domain::Triangle => &[
            ([0.0, 0.0], 1.0),
            ([1.0, 0.0], 1.0),
            ([0.0, 1.0], 1.0),
            ([1.0, 1.0], -1.0),
        ],
        Domain::Square => &[
            ([-1.0, -1.0], 1.0),
            ([1.0, -1.0], 1.0),
            ([-1.0, 1.0], 1.0),
            ([1.0, 1.0], 1.0),
        ],
    };
    let part = *part;
    places.iter().map(move |&(place, sign)| Part {
        place: std::array::from_fn(|k| part.place[k] + half * place[k]),
        size: sign * half,
        depth: part.depth + 1,
    })
}

/// No point of a part is nearer: all control points lie beyond a plane.
fn distance_bound(part: &Polynomial, y: [f64; 3]) -> f64 {
    let way = minus(y, part.point(part.domain.center()));
    let length = dot(way, way).sqrt();
    if length == 0.0 {
        return 0.0;
    }
    let controls = part.control_points();
    let heights = controls.as_slice().iter().map(|&p| dot(way, minus(y, p)));
    heights.fold(f64::INFINITY, f64::min) / length
}
