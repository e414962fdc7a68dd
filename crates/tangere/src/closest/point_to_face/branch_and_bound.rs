//! Branch and bound: the global minimum of the distance from a point to a finite element face,
//! where the certificate of a local minimum fails.
//!
//! The face is subdivided into four parts, and these again. A part is discarded if a plane
//! orthogonal to the vector from its middle to the query point shows that all of it is farther than
//! the best point so far. It is also discarded if a known minimum, or the one to which a descent
//! from its middle leads, is proven to be the least on it ([`super::global_certificate`]). The part
//! with the least lower bound comes first.

use super::face_row::{Row, polynomial};
use super::global_certificate::{Minimum, Part, is_global_minimum};
use super::kkt::{Conditions, inverse_squares};
use super::lane_vectors::Point;
use super::polynomial::{Domain, Polynomial};
use super::polynomial_lanes::Form;
use super::sqp::{LocalMinimum, gradient, local_minimum};
use crate::geometry::vector::{dot, minus};
use crate::simd::{One, RealKernel, Reals, run_one};
use std::marker::PhantomData;

/// Maximum number of parts of the face that branch and bound visits. If it is reached, the reported
/// lower bound may be below the distance found.
const PARTS_MAX: u32 = 2048;

/// Maximum number of parts of the face in the queue of branch and bound.
const WAITING_MAX: usize = 128;

/// The least size of a part, relative to the face, for which branch and bound always starts a
/// descent by SQP from the middle of the part. In smaller parts it starts one only if the middle is
/// nearer than the best point so far.
const DESCENT_MIN: f64 = 0.125;

/// Maximum number of local minima that branch and bound stores besides the nearest.
const OTHERS_MAX: usize = 3;

/// The distance in the reference domain of the face below which two local minima count as equal.
const SAME: f64 = 1e-6;

/// The difference below which branch and bound counts two distances as equal, relative to the size
/// of the face plus the distance of the query point.
const CLOSE: f64 = 1e-14;

/// Maximum number of steps of a descent by SQP in branch and bound. Only faces without area need
/// that many.
const STEPS_MAX: u32 = 100;

/// A point of a face counts as a local minimum of the distance from the query point if its KKT
/// residual is less than this, relative to the size of the face plus this distance.
pub(super) const LEFT: f64 = 1e-12;

/// The result of branch and bound: the nearest point of a face, and a lower bound of the distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct GlobalMinimum {
    pub minimum: LocalMinimum<One>,
    pub lower: f64,
    /// Whether the lower bound equals the distance of the nearest point found, up to rounding.
    pub proven: bool,
}

/// A local minimum of the distance to the face, with the input of the global certificate.
#[derive(Clone, Copy)]
struct Candidate {
    found: LocalMinimum<One>,
    foot: Minimum<One>,
    /// Whether the local minimum satisfies the KKT conditions.
    is_sound: bool,
}

/// The kernel of a descent by SQP from `start` to a local minimum of the distance from `y` to a
/// face. Several callers use it, so it is compiled as a kernel of its own.
struct Descent<'a, F> {
    row: &'a Row<One>,
    y: Point<One>,
    start: [f64; 2],
    form: PhantomData<F>,
}

/// The kernel of the proof that no point of a part of the face is nearer to the query point than a
/// local minimum.
struct Proof<'a, F> {
    foot: &'a Minimum<One>,
    part: &'a Part<One>,
    form: PhantomData<F>,
}

impl<F: Form> RealKernel for Descent<'_, F> {
    type Output = Candidate;

    /// Descends by SQP to a candidate of branch and bound, and tests its KKT conditions.
    #[inline(always)]
    fn run<V: Reals>(self) -> Candidate {
        let found = local_minimum::<One, F>(self.row, self.y, self.start.map(One), STEPS_MAX);
        let gradient = gradient::<One, F>(&found.jet, found.way);
        let squares = inverse_squares::<One, F>(&found.jet);
        let conditions = Conditions::new::<F>(found.xi, squares, gradient);
        let distance = found.squared.sqrt();
        let foot = Minimum {
            xi: found.xi,
            jet: found.jet,
            way: found.way,
            distance,
            multipliers: conditions.multipliers,
        };
        Candidate {
            found,
            foot,
            is_sound: found.settled && conditions.residual.0 <= LEFT * (1.0 + distance.0),
        }
    }
}

impl<F: Form> RealKernel for Proof<'_, F> {
    type Output = bool;

    /// Proves for branch and bound that a minimum is the least on a part of the face.
    #[inline(always)]
    fn run<V: Reals>(self) -> bool {
        is_global_minimum::<One, F>(self.foot, self.part)
    }
}

impl Candidate {
    /// The local minimum of the distance to which a descent of branch and bound from `start` leads.
    fn new<F: Form>(row: &Row<One>, y: Point<One>, start: [f64; 2]) -> Self {
        run_one(Descent::<F> {
            row,
            y,
            start,
            form: PhantomData,
        })
    }

    /// Whether two minima that branch and bound has found are equal up to [`SAME`].
    fn is_at(&self, other: &Self) -> bool {
        let (a, b) = (self.found.xi, other.found.xi);
        (a[0].0 - b[0].0).abs().max((a[1].0 - b[1].0).abs()) < SAME
    }

    /// Whether this minimum is proven to be the least on a part of the face, so that branch and
    /// bound may discard the part.
    fn is_global_minimum<F: Form>(&self, part: &Part<One>) -> bool {
        self.is_sound
            && run_one(Proof::<F> {
                foot: &self.foot,
                part,
                form: PhantomData,
            })
    }
}

/// The global minimum of the distance to a face by branch and bound. The face is given by its face
/// row of precomputed values. The query point `y` is in the unit of the row and relative to its
/// origin. `steps` is the number of SQP iterations made before; it is added to those made here.
pub(super) fn global_minimum<F: Form>(row: &Row<One>, y: [f64; 3], steps: f64) -> GlobalMinimum {
    let face = polynomial::<F>(row);
    let at = y.map(One);
    let mut minima = Minima::new(Candidate::new::<F>(row, at, F::DOMAIN.center()));
    let close = CLOSE * (2.0 + dot(y, y).sqrt());
    for &corner in F::DOMAIN.corners() {
        let way = minus(y, face.point(corner));
        if dot(way, way) < minima.best().squared.0 {
            minima.add(Candidate::new::<F>(row, at, corner));
        }
    }
    let mut waiting = Waiting::new();
    let mut lower = f64::INFINITY;
    waiting.add_parts_of(&face, Part::whole(), y, minima.limit(close));
    for _ in 0..PARTS_MAX {
        let Some((part, bound)) = waiting.nearest() else {
            break;
        };
        if bound >= minima.limit(close) {
            lower = lower.min(bound);
            break;
        }
        if minima.has_least_of::<F>(&part) {
            continue;
        }
        let middle = middle(F::DOMAIN, &part);
        let way = minus(y, face.point(middle));
        let is_nearer = dot(way, way) < minima.best().squared.0;
        if part.size.0.abs() >= DESCENT_MIN || is_nearer {
            let own = Candidate::new::<F>(row, at, middle);
            let is_done = own.is_global_minimum::<F>(&part);
            minima.add(own);
            if is_done {
                continue;
            }
        }
        waiting.add_parts_of(&face, part, y, minima.limit(close));
    }
    if let Some((_, bound)) = waiting.nearest() {
        lower = lower.min(bound);
    }
    lower = lower.min(waiting.dropped);
    let mut minimum = *minima.best();
    minimum.steps = One(steps + minima.steps);
    let distance = minimum.squared.0.sqrt();
    GlobalMinimum {
        minimum,
        lower: lower.min(distance),
        proven: distance - lower <= 4.0 * close,
    }
}

/// The local minima that branch and bound has found so far: the nearest, and some others.
struct Minima {
    best: Candidate,
    others: [Option<Candidate>; OTHERS_MAX],
    steps: f64,
}

impl Minima {
    /// The minima of branch and bound so far: only `best`.
    fn new(best: Candidate) -> Self {
        Self {
            steps: best.found.steps.0,
            best,
            others: [None; OTHERS_MAX],
        }
    }

    /// The nearest minimum that branch and bound has found so far.
    fn best(&self) -> &LocalMinimum<One> {
        &self.best.found
    }

    /// The limit of branch and bound: it need not visit parts of the face whose lower bound of the
    /// distance is at least this. It is the distance of the nearest minimum so far, minus the
    /// tolerance `close`.
    fn limit(&self, close: f64) -> f64 {
        self.best().squared.0.sqrt() - close
    }

    /// Adds a local minimum to those of branch and bound. If it is the nearest so far, it takes the
    /// place of the nearest, and the old nearest is added to the others. A minimum is not added to
    /// the others if it violates the KKT conditions, is already known or finds no place left.
    fn add(&mut self, mut new: Candidate) {
        self.steps += new.found.steps.0;
        if new.found.squared.0 < self.best.found.squared.0 {
            std::mem::swap(&mut new, &mut self.best);
        }
        if !new.is_sound || new.is_at(&self.best) {
            return;
        }
        for place in &mut self.others {
            match place {
                Some(known) if known.is_at(&new) => return,
                Some(_) => {}
                None => {
                    *place = Some(new);
                    return;
                }
            }
        }
    }

    /// Whether one of the minima of branch and bound is proven to be the least on a part of the
    /// face.
    fn has_least_of<F: Form>(&self, part: &Part<One>) -> bool {
        self.best.is_global_minimum::<F>(part)
            || self
                .others
                .iter()
                .flatten()
                .any(|m| m.is_global_minimum::<F>(part))
    }
}

/// The reference coordinates of the middle of a part of the face, from which branch and bound
/// descends.
fn middle(domain: Domain, part: &Part<One>) -> [f64; 2] {
    let [u, v] = domain.center();
    [
        part.place[0].0 + part.size.0 * u,
        part.place[1].0 + part.size.0 * v,
    ]
}

/// The queue of branch and bound: parts of the face that may have the nearest point, each with a
/// lower bound of its distance.
struct Waiting {
    parts: [(Part<One>, f64); WAITING_MAX],
    count: usize,
    /// The least lower bound of the distance among parts of the face that were dropped: discarded
    /// as too far, or without a place in the queue.
    dropped: f64,
}

impl Waiting {
    /// The empty queue of branch and bound.
    fn new() -> Self {
        Self {
            parts: [(Part::whole(), 0.0); WAITING_MAX],
            count: 0,
            dropped: f64::INFINITY,
        }
    }

    /// Removes the part of the face with the least lower bound from the queue of branch and bound.
    fn nearest(&mut self) -> Option<(Part<One>, f64)> {
        let parts = &self.parts[..self.count];
        let first = (0..parts.len()).min_by(|&a, &b| parts[a].1.total_cmp(&parts[b].1))?;
        self.count -= 1;
        self.parts.swap(first, self.count);
        Some(self.parts[self.count])
    }

    /// Subdivides a part of the face and adds those subparts to the queue of branch and bound whose
    /// lower bound is below `limit`.
    fn add_parts_of(&mut self, face: &Polynomial, part: Part<One>, y: [f64; 3], limit: f64) {
        for part in cut(face.domain, part) {
            let bound = distance_bound(&face.part(part.place.map(|x| x.0), part.size.0), y);
            if bound >= limit {
                self.dropped = self.dropped.min(bound);
            } else if self.count < WAITING_MAX {
                self.parts[self.count] = (part, bound);
                self.count += 1;
            } else {
                self.replace_farthest(part, bound);
            }
        }
    }

    /// Adds a part of the face to the full queue of branch and bound, in place of the part with the
    /// largest lower bound. If no part in the queue has a larger lower bound, the new part is
    /// dropped.
    fn replace_farthest(&mut self, part: Part<One>, bound: f64) {
        let parts = &self.parts;
        let farthest = (1..WAITING_MAX).fold(0, |far, i| match parts[i].1 > parts[far].1 {
            true => i,
            false => far,
        });
        let dropped = match bound < self.parts[farthest].1 {
            true => std::mem::replace(&mut self.parts[farthest], (part, bound)).1,
            false => bound,
        };
        self.dropped = self.dropped.min(dropped);
    }
}

/// Subdivides a part of the face, as branch and bound does, into four parts of half the size; a
/// segment into two.
fn cut(domain: Domain, part: Part<One>) -> impl Iterator<Item = Part<One>> {
    let half = 0.5 * part.size.0;
    let places: &[([f64; 2], f64)] = match domain {
        Domain::Segment => &[([-1.0, 0.0], 1.0), ([1.0, 0.0], 1.0)],
        // The part in the middle is rotated by half a turn.
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
        place: std::array::from_fn(|k| One(part.place[k].0 + half * place[k])),
        size: One(sign * half),
    })
}

/// Lower bound of branch and bound for the distance from `y` to a part of the face: the distance
/// from `y` to a plane beyond which all control points of the part lie. The plane is orthogonal to
/// the vector from the middle of the part to `y`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::closest::point_to_face::face_row::row;
    use crate::closest::point_to_face::polynomial_lanes::with_form;
    use crate::generate::Random;
    use crate::shape::{Face, FaceKind};

    /// Where a minimum is proven to be the least on a part of the face, no point of a grid on this
    /// part is nearer. Some minima are not proven.
    #[test]
    fn proofs_hold_on_all_parts() {
        let mut random = Random::new(29);
        for kind in FaceKind::ALL {
            if kind == FaceKind::Tri3 {
                continue;
            }
            let (mut proven, mut open) = (0, 0);
            for turn in 0..120 {
                let bend = [0.1, 0.3, 0.9][turn % 3];
                let mut number = || 2.0 * random.unit() - 1.0;
                let nodes: Vec<[f64; 3]> = kind
                    .node_coordinates()
                    .iter()
                    .map(|&[u, v]| [u, v, 0.0].map(|x| x + bend * number()))
                    .collect();
                let face = Face::new(kind, &nodes).unwrap();
                let numbers: Vec<f64> = row(&face).iter().flat_map(|block| block.0).collect();
                let row: Row<One> = std::array::from_fn(|i| One(numbers[i]));
                let y = [(); 3].map(|()| 1.5 * number());
                with_form!(kind, F => check::<F>(&row, y, &mut proven, &mut open));
            }
            assert!(proven > 1000, "{kind}: {proven}");
            assert!(open > 0 || kind == FaceKind::Seg2, "{kind}");
        }
    }

    fn check<F: Form>(row: &Row<One>, y: [f64; 3], proven: &mut u32, open: &mut u32) {
        let face = polynomial::<F>(row);
        let squared = |xi: [f64; 2]| {
            let way = minus(y, face.point(xi));
            dot(way, way)
        };
        let whole = Part::whole();
        let parts: Vec<Part<One>> = std::iter::once(whole)
            .chain(cut(F::DOMAIN, whole))
            .chain(cut(F::DOMAIN, whole).flat_map(|part| cut(F::DOMAIN, part)))
            .collect();
        for &start in F::DOMAIN.corners().iter().chain([&F::DOMAIN.center()]) {
            let minimum = Candidate::new::<F>(row, y.map(One), start);
            assert!(minimum.is_sound, "{:?}", minimum.found);
            for part in &parts {
                if !minimum.is_global_minimum::<F>(part) {
                    *open += 1;
                    continue;
                }
                *proven += 1;
                for i in 0..=12 {
                    for j in 0..=12 {
                        let (s, t) = (f64::from(i) / 12.0, f64::from(j) / 12.0);
                        let own = match F::DOMAIN {
                            Domain::Segment => [2.0 * s - 1.0, 0.0],
                            Domain::Triangle if s + t > 1.0 => continue,
                            Domain::Triangle => [s, t],
                            Domain::Square => [2.0 * s - 1.0, 2.0 * t - 1.0],
                        };
                        let xi = std::array::from_fn(|k| part.place[k].0 + part.size.0 * own[k]);
                        let least = minimum.found.squared.0;
                        assert!(
                            squared(xi) >= least - 1e-12 * (1.0 + least),
                            "{part:?} {xi:?} {:?}",
                            minimum.found
                        );
                    }
                }
            }
        }
    }
}
