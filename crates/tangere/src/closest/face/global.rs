//! The nearest point of all, proven.
//!
//! If squared distances are convex on the face, the local minimum is the only one. Otherwise the
//! face is cut into four parts. A part is left out if a plane across the way to its middle shows
//! that all of it is farther than the best point so far; else its own minimum is looked for, and
//! if that cannot be proven, it is cut again. The part that may be the nearest comes first.

use super::bend::Bend;
use super::polynomial::{Domain, Polynomial};
use super::sqp::{Minimum, descended, minimum};
use crate::geometry::vector::{dot, minus};

/// Parts that are looked at before the search ends with bounds.
const PARTS_MAX: u32 = 2048;

/// Parts that may wait at a time.
const WAITING_MAX: usize = 256;

/// Distances this close, relative to the size of face and way, are one.
const CLOSE: f64 = 1e-14;

/// A part of a face: `xi = place + size xi'` for `xi'` in the reference domain.
#[derive(Clone, Copy, Debug)]
struct Part {
    place: [f64; 2],
    size: f64,
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
    let close = CLOSE * (extent + dot(y, y).sqrt());
    let mut waiting = Waiting::new();
    let mut lower = f64::INFINITY;
    let whole = Part {
        place: [0.0; 2],
        size: 1.0,
    };
    waiting.add_parts_of(face, whole, y);
    for _ in 0..PARTS_MAX {
        let Some((part, bound)) = waiting.nearest() else {
            break;
        };
        if bound >= best.squared.sqrt() - close {
            lower = lower.min(bound);
            break;
        }
        let patch = face.part(part.place, part.size);
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
        } else {
            waiting.add_parts_of(face, part, y);
        }
    }
    if let Some((_, bound)) = waiting.nearest() {
        lower = lower.min(bound);
    }
    lower = lower.min(waiting.dropped);
    // Where a part ends the face goes on.
    let best = descended(face, y, best);
    let distance = best.squared.sqrt();
    Nearest {
        minimum: best,
        lower: lower.min(distance),
        proven: distance - lower <= 4.0 * close,
    }
}

/// Parts that may have the nearest point, with the bounds of their distances.
struct Waiting {
    parts: [(Part, f64); WAITING_MAX],
    count: usize,
    /// The least bound of those for which there was no room.
    dropped: f64,
}

impl Waiting {
    fn new() -> Self {
        let none = Part {
            place: [0.0; 2],
            size: 0.0,
        };
        Self {
            parts: [(none, 0.0); WAITING_MAX],
            count: 0,
            dropped: f64::INFINITY,
        }
    }

    /// Takes out the part with the least bound.
    fn nearest(&mut self) -> Option<(Part, f64)> {
        let parts = &self.parts[..self.count];
        let first = (0..parts.len()).min_by(|&a, &b| parts[a].1.total_cmp(&parts[b].1))?;
        self.count -= 1;
        self.parts.swap(first, self.count);
        Some(self.parts[self.count])
    }

    fn add_parts_of(&mut self, face: &Polynomial, part: Part, y: [f64; 3]) {
        for part in cut(face.domain, part) {
            let bound = distance_bound(&face.part(part.place, part.size), y);
            if self.count < WAITING_MAX {
                self.parts[self.count] = (part, bound);
                self.count += 1;
            } else {
                self.dropped = self.dropped.min(bound);
            }
        }
    }
}

/// Four parts of half the size; two of a segment.
fn cut(domain: Domain, part: Part) -> impl Iterator<Item = Part> {
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
    places.iter().map(move |&(place, sign)| Part {
        place: std::array::from_fn(|k| part.place[k] + half * place[k]),
        size: sign * half,
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
