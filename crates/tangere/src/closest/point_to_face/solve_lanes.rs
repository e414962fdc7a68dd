//! Solver for nearest points of finite element faces of one kind: one query, or eight in lanes.
//!
//! The same code solves one lane or eight, so single and batched queries have the same bits. A lane
//! whose minimum is not proven at once is searched alone ([`super::branch_and_bound`]).

use super::branch_and_bound::{LEFT, global_minimum};
use super::face_point::{FacePoint, FaceStatus};
use super::face_row::{Block, ROW, Row};
use super::flat_triangle;
use super::global_certificate::{Minimum, Part, is_global_minimum};
use super::kkt::{Conditions, inverse_squares};
use super::lane_vectors::{Point, dot, minus, plus};
use super::polynomial_lanes::{Form, Triangle, with_form};
use super::sqp::{LocalMinimum, gradient, local_minimum};
use crate::shape::FaceKind;
use crate::simd::{LANES, One, RealKernel, Reals, run_one, run_wide};
use std::marker::PhantomData;

/// Maximum number of SQP steps that the solver makes for all lanes together. The few lanes that
/// need more are solved alone by branch and bound.
const STEPS_MAX: u32 = 16;

/// A placeholder for face points that the solver has not yet found.
pub(in crate::closest) const UNKNOWN: FacePoint = FacePoint {
    xi: [0.0; 2],
    point: [0.0; 3],
    distance: 0.0,
    lower: 0.0,
    multipliers: [0.0; 4],
    active: 0,
    residual: 0.0,
    status: FaceStatus::Bracketed,
    iterations: 0,
};

/// Solves one query: the point of a face nearest to `y`. The face is given by its kind and its row
/// of precomputed values.
pub(super) fn solve_one(kind: FaceKind, row: &[Block], y: [f64; 3]) -> FacePoint {
    let mut out = UNKNOWN;
    let lanes = &Lanes::of_one(row, y);
    let found = std::slice::from_mut(&mut out);
    if kind == FaceKind::Tri3 {
        run_one(FlatTriangles { lanes, found });
    } else {
        with_form!(kind, F => run_one(CurvedFaces::<F> { lanes, found, form: PhantomData }));
    }
    out
}

/// Solves up to eight queries in lanes, to faces of one kind.
#[inline]
pub(super) fn solve_eight(kind: FaceKind, lanes: &Lanes<'_>, found: &mut [FacePoint]) {
    let is_done = if kind == FaceKind::Tri3 {
        run_wide(FlatTriangles { lanes, found }).is_ok()
    } else {
        with_form!(kind, F => {
            run_wide(CurvedFaces::<F> { lanes, found, form: PhantomData }).is_ok()
        })
    };
    if !is_done {
        one_by_one(kind, lanes, found);
    }
}

/// The fallback of [`solve_eight`] for machines without wide registers: solves the queries one by
/// one.
#[cold]
fn one_by_one(kind: FaceKind, lanes: &Lanes<'_>, found: &mut [FacePoint]) {
    for (j, found) in found.iter_mut().enumerate().take(lanes.count) {
        *found = solve_one(kind, lanes.rows[j], lanes.point(j));
    }
}

/// Up to eight queries of the solver: the face rows, and the query points.
#[derive(Clone, Debug)]
pub(super) struct Lanes<'a> {
    rows: [&'a [Block]; LANES],
    /// The query points of the solver, indexed by coordinate and lane.
    points: [[f64; LANES]; 3],
    count: usize,
}

impl<'a> Lanes<'a> {
    /// Lanes of the solver for a single query, which all lanes repeat.
    #[inline(always)]
    pub fn of_one(row: &'a [Block], y: [f64; 3]) -> Self {
        Lanes {
            rows: [row; LANES],
            points: [[y[0]; LANES], [y[1]; LANES], [y[2]; LANES]],
            count: 1,
        }
    }

    /// Lanes of the solver with `count` queries. `question(j)` returns the face row and the query
    /// point of query `j`. Unused lanes repeat the last query.
    #[inline(always)]
    pub fn new(count: usize, question: impl Fn(usize) -> (&'a [Block], [f64; 3])) -> Self {
        let mut lanes = Lanes {
            rows: [&[]; LANES],
            points: [[0.0; LANES]; 3],
            count,
        };
        for j in 0..LANES {
            let (row, y) = question(if j < count { j } else { count - 1 });
            lanes.rows[j] = row;
            for k in 0..3 {
                lanes.points[k][j] = y[k];
            }
        }
        lanes
    }

    /// The query point of lane `j` of the solver.
    #[inline(always)]
    fn point(&self, j: usize) -> [f64; 3] {
        [self.points[0][j], self.points[1][j], self.points[2][j]]
    }

    /// Loads the queries of the solver into lanes. Of each face row at least the first `numbers`
    /// values are loaded. The query points are converted to the unit of their face row, relative to
    /// its origin.
    #[inline(always)]
    fn load<V: Reals>(&self, numbers: usize) -> (Row<V>, Point<V>) {
        let mut row = [V::splat(0.0); ROW];
        for block in 0..numbers.div_ceil(LANES) {
            let mut blocks = [&[0.0; LANES]; LANES];
            for j in 0..LANES {
                blocks[j] = &self.rows[j][block].0;
            }
            row[LANES * block..LANES * (block + 1)].copy_from_slice(&V::transposed(blocks));
        }
        let mut y = [V::splat(0.0); 3];
        for k in 0..3 {
            y[k] = (V::load(&self.points[k]) - row[k]) * row[3];
        }
        (row, y)
    }
}

/// The results of the solver in lanes. Lengths are in the unit of the face row, in which the face
/// is of size 1 to 2.
struct LaneAnswers<V: Reals> {
    xi: [V; 2],
    x: Point<V>,
    distance: V,
    conditions: Conditions<V>,
    steps: V,
}

/// The number of f64 values of a result of the solver: `xi`, point, distance, multipliers and
/// residual. The last value has the number of steps and the bits of the active sides.
const NUMBERS: usize = 12;

impl<V: Reals> LaneAnswers<V> {
    /// Writes the results of the solver in the first `found.len()` lanes to `found`. Lengths are
    /// converted from the unit of the face row to that of the face.
    #[inline(always)]
    fn store(&self, row: &Row<V>, found: &mut [FacePoint]) {
        // Exact: a power of two.
        let unit = row[3].inverse_power();
        let zero = V::splat(0.0);
        let Conditions {
            multipliers: m,
            active: a,
            residual,
        } = self.conditions;
        let square = unit * unit;
        let low = V::splat(1.0).only(a[0]) + V::splat(2.0).only(a[1]);
        let high = V::splat(4.0).only(a[2]) + V::splat(8.0).only(a[3]);
        let columns = [
            self.xi[0],
            self.xi[1],
            // Not -0.
            self.x[0].mul_add(unit, row[0]) + zero,
            self.x[1].mul_add(unit, row[1]) + zero,
            self.x[2].mul_add(unit, row[2]) + zero,
            self.distance * unit,
            m[0] * square,
            m[1] * square,
            m[2] * square,
            m[3] * square,
            residual * unit,
            self.steps.mul_add(V::splat(16.0), low + high),
        ];
        let mut numbers = [[0.0; LANES]; 2 * LANES];
        for k in 0..NUMBERS {
            columns[k].store(&mut numbers[k]);
        }
        if found.len() < LANES {
            for (j, found) in found.iter_mut().enumerate() {
                let mut own = [0.0; NUMBERS];
                for k in 0..NUMBERS {
                    own[k] = numbers[k][j];
                }
                *found = proven(&own);
            }
            return;
        }
        let (mut first, mut second) = ([&numbers[0]; LANES], [&numbers[0]; LANES]);
        for k in 0..LANES {
            (first[k], second[k]) = (&numbers[k], &numbers[LANES + k]);
        }
        let (first, second) = (V::transposed(first), V::transposed(second));
        let mut rows = [[[0.0; LANES]; 2]; LANES];
        for j in 0..LANES {
            first[j].store(&mut rows[j][0]);
            second[j].store(&mut rows[j][1]);
        }
        for (row, found) in rows.iter().zip(found) {
            let mut own = [0.0; NUMBERS];
            own.copy_from_slice(&row.as_flattened()[..NUMBERS]);
            *found = proven(&own);
        }
    }
}

/// The face point of a proven result of the solver, from the values of this result in one lane.
#[inline(always)]
fn proven(n: &[f64; NUMBERS]) -> FacePoint {
    let counts = n[11] as u32;
    FacePoint {
        xi: [n[0], n[1]],
        point: [n[2], n[3], n[4]],
        distance: n[5],
        lower: n[5],
        multipliers: [n[6], n[7], n[8], n[9]],
        active: (counts & 15) as u8,
        residual: n[10],
        status: FaceStatus::Proven,
        iterations: counts >> 4,
    }
}

/// The kernel of the solver for queries to flat triangles.
struct FlatTriangles<'a> {
    lanes: &'a Lanes<'a>,
    found: &'a mut [FacePoint],
}

impl RealKernel for FlatTriangles<'_> {
    type Output = ();

    /// Solves the queries to flat triangles in lanes, in closed form.
    #[inline(always)]
    fn run<V: Reals>(self) {
        let (row, y) = self.lanes.load::<V>(16);
        let xi = flat_triangle::nearest(&row, y);
        let zero = V::splat(0.0);
        let e = [row[4], row[5], row[6]];
        let f = [row[7], row[8], row[9]];
        let x = plus([e[0] * xi[0], e[1] * xi[0], e[2] * xi[0]], xi[1], f);
        let way = minus(y, x);
        let gradient = [zero - dot(way, e), zero - dot(way, f)];
        let lane_answers = LaneAnswers {
            xi,
            x,
            distance: dot(way, way).sqrt(),
            conditions: Conditions::new::<Triangle>(xi, [row[13], row[14]], gradient),
            steps: V::splat(1.0),
        };
        lane_answers.store(&row, &mut self.found[..self.lanes.count]);
    }
}

/// The kernel of the solver for queries to faces of all kinds but flat triangles, by SQP.
struct CurvedFaces<'a, F> {
    lanes: &'a Lanes<'a>,
    found: &'a mut [FacePoint],
    form: PhantomData<F>,
}

impl<F: Form> RealKernel for CurvedFaces<'_, F> {
    type Output = ();

    /// Solves the queries to curved faces in lanes by SQP. Queries whose minimum is not proven are
    /// then solved one by one.
    #[inline(always)]
    fn run<V: Reals>(self) {
        let (row, y) = self.lanes.load::<V>(4 + 3 * F::POWERS.len());
        let [u, v] = F::DOMAIN.center();
        let start = [V::splat(u), V::splat(v)];
        let found = local_minimum::<V, F>(&row, y, start, STEPS_MAX);
        let lane_answers = lane_answers::<V, F>(&found);
        let foot = Minimum {
            xi: found.xi,
            jet: found.jet,
            way: found.way,
            distance: lane_answers.distance,
            multipliers: lane_answers.conditions.multipliers,
        };
        let bound = (lane_answers.distance + V::splat(1.0)) * V::splat(LEFT);
        let left = lane_answers.conditions.residual.below(bound);
        let proven = V::and(
            V::and(found.settled, left),
            is_global_minimum::<V, F>(&foot, &Part::whole()),
        );
        let out = &mut self.found[..self.lanes.count];
        lane_answers.store(&row, out);
        let all = (1 << self.lanes.count) - 1;
        let mut open = !V::bits(proven) & all;
        while open != 0 {
            let j = open.trailing_zeros() as usize;
            open &= open - 1;
            let steps = f64::from(out[j].iterations);
            out[j] = search_alone::<F>(self.lanes.rows[j], self.lanes.point(j), steps);
        }
    }
}

/// The results of the solver for local minima in lanes, with their KKT conditions.
#[inline(always)]
fn lane_answers<V: Reals, F: Form>(found: &LocalMinimum<V>) -> LaneAnswers<V> {
    let gradient = gradient::<V, F>(&found.jet, found.way);
    LaneAnswers {
        xi: found.xi,
        x: found.jet.x,
        distance: found.squared.sqrt(),
        conditions: Conditions::new::<F>(found.xi, inverse_squares::<V, F>(&found.jet), gradient),
        steps: found.steps,
    }
}

/// Solves the query of one lane alone, by branch and bound. `steps` is the number of SQP iterations
/// that its lane has made before.
#[cold]
#[inline(never)]
fn search_alone<F: Form>(row: &[Block], y: [f64; 3], steps: f64) -> FacePoint {
    let (row, y) = Lanes::of_one(row, y).load::<One>(4 + 3 * F::POWERS.len());
    let nearest = global_minimum::<F>(&row, y.map(|x| x.0), steps);
    let mut out = [UNKNOWN];
    lane_answers::<One, F>(&nearest.minimum).store(&row, &mut out);
    let [mut point] = out;
    point.lower = nearest.lower.max(0.0) / row[3].0;
    if !nearest.proven {
        point.status = FaceStatus::Bracketed;
    }
    point
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::closest::point_to_face::face_row::row;
    use crate::generate::Random;
    use crate::shape::Face;

    /// A kernel that solves eight queries to curved faces and returns the results.
    #[derive(Clone)]
    struct Query<'a, F> {
        lanes: Lanes<'a>,
        form: PhantomData<F>,
    }

    impl<F: Form> RealKernel for Query<'_, F> {
        type Output = [FacePoint; LANES];

        #[inline(always)]
        fn run<V: Reals>(self) -> [FacePoint; LANES] {
            let mut answers = [UNKNOWN; LANES];
            let kernel = CurvedFaces::<F> {
                lanes: &self.lanes,
                found: &mut answers,
                form: PhantomData,
            };
            kernel.run::<V>();
            answers
        }
    }

    /// A kernel that solves eight queries to flat triangles and returns the results.
    #[derive(Clone)]
    struct FlatQuery<'a>(Lanes<'a>);

    impl RealKernel for FlatQuery<'_> {
        type Output = [FacePoint; LANES];

        #[inline(always)]
        fn run<V: Reals>(self) -> [FacePoint; LANES] {
            let mut answers = [UNKNOWN; LANES];
            let kernel = FlatTriangles {
                lanes: &self.0,
                found: &mut answers,
            };
            kernel.run::<V>();
            answers
        }
    }

    #[test]
    fn answers_have_the_same_bits_on_all_machines() {
        let mut random = Random::new(3);
        for kind in FaceKind::ALL {
            for turn in 0..12 {
                let bend = [0.05, 0.3, 0.8][turn % 3];
                let mut near = |x: f64, by: f64| x + by * (2.0 * random.unit() - 1.0);
                let faces: Vec<_> = (0..LANES)
                    .map(|_| {
                        let nodes: Vec<[f64; 3]> = kind
                            .node_coordinates()
                            .iter()
                            .map(|&[u, v]| [u, v, 0.0].map(|x| near(x, bend)))
                            .collect();
                        let y = [near(0.3, 1.0), near(0.3, 1.0), near(0.0, 1.0)];
                        (row(&Face::new(kind, &nodes).unwrap()), y)
                    })
                    .collect();
                let lanes = Lanes::new(LANES, |j| (faces[j].0.as_slice(), faces[j].1));
                let found = if kind == FaceKind::Tri3 {
                    crate::simd::run_each(FlatQuery(lanes))
                } else {
                    with_form!(kind, F => {
                        let form = PhantomData::<F>;
                        crate::simd::run_each(Query { lanes, form })
                    })
                };
                let text = |found: &[FacePoint; LANES]| format!("{found:?}");
                let one_by_one = std::array::from_fn(|j| solve_one(kind, &faces[j].0, faces[j].1));
                for other in &found {
                    assert_eq!(text(&one_by_one), text(other), "{kind}");
                }
            }
        }
    }
}
