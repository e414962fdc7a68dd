//! Questions about faces of one kind, eight at a time.
//!
//! The same code, for one lane or eight, answers single questions and many: every bit is the same.
//! A lane whose minimum is not proven at once is searched alone ([`super::global`]).

use super::answer::{FacePoint, FaceStatus};
use super::chord::{Foot, Part, is_least};
use super::flat;
use super::form::{Block, Form, Point, ROW, Row, Triangle, dot, minus, plus, with_form};
use super::global::{LEFT, branched};
use super::kkt::{Conditions, inverse_squares};
use super::sqp::{Found, descended, gradient};
use crate::shape::FaceKind;
use crate::simd::{LANES, One, RealKernel, Reals, run_one, run_reals};
use std::marker::PhantomData;

/// Steps that lanes make together; the few that need more are searched alone.
const STEPS_MAX: u32 = 16;

/// An answer that has not been given: lanes overwrite it.
pub(super) const UNKNOWN: FacePoint = FacePoint {
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

/// One question.
pub(super) fn alone(kind: FaceKind, row: &[Block; ROW / LANES], y: [f64; 3]) -> FacePoint {
    let mut out = UNKNOWN;
    let lanes = &Lanes::of_one(row, y);
    let found = std::slice::from_mut(&mut out);
    if kind == FaceKind::Tri3 {
        run_one(Flat { lanes, found });
    } else {
        with_form!(kind, F => run_one(Bent::<F> { lanes, found, form: PhantomData }));
    }
    out
}

/// Up to eight questions about faces of one kind; what is beyond `count` repeats one of them.
#[inline]
pub(super) fn together(kind: FaceKind, lanes: &Lanes<'_>, found: &mut [FacePoint]) {
    if kind == FaceKind::Tri3 {
        run_reals(Flat { lanes, found });
    } else {
        with_form!(kind, F => run_reals(Bent::<F> { lanes, found, form: PhantomData }));
    }
}

/// The rows of faces, and points.
#[derive(Clone, Debug)]
pub(super) struct Lanes<'a> {
    rows: [&'a [Block]; LANES],
    /// Coordinate by coordinate.
    points: [[f64; LANES]; 3],
    count: usize,
}

impl<'a> Lanes<'a> {
    /// One question in all lanes.
    #[inline(always)]
    pub fn of_one(row: &'a [Block], y: [f64; 3]) -> Self {
        Lanes {
            rows: [row; LANES],
            points: [[y[0]; LANES], [y[1]; LANES], [y[2]; LANES]],
            count: 1,
        }
    }

    /// So many questions; the last is repeated in the lanes that are left.
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

    #[inline(always)]
    fn point(&self, j: usize) -> [f64; 3] {
        [self.points[0][j], self.points[1][j], self.points[2][j]]
    }

    /// Rows with so many numbers, and points in their unit about their origin.
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

/// Answers in lanes, in the units of their rows.
struct Told<V: Reals> {
    xi: [V; 2],
    x: Point<V>,
    distance: V,
    conditions: Conditions<V>,
    steps: V,
}

impl<V: Reals> Told<V> {
    /// Writes the answers of the first lanes.
    #[inline(always)]
    fn store(&self, row: &Row<V>, found: &mut [FacePoint]) {
        // Exact: a power of two.
        let unit = row[3].inverse_power();
        let plus_zero = V::splat(0.0);
        let mut point = [[0.0; LANES]; 3];
        for k in 0..3 {
            // Not -0.
            (self.x[k].mul_add(unit, row[k]) + plus_zero).store(&mut point[k]);
        }
        let (mut u, mut v) = ([0.0; LANES], [0.0; LANES]);
        self.xi[0].store(&mut u);
        self.xi[1].store(&mut v);
        let (mut distance, mut residual) = ([0.0; LANES], [0.0; LANES]);
        (self.distance * unit).store(&mut distance);
        (self.conditions.residual * unit).store(&mut residual);
        let (mut multipliers, mut active) = ([[0.0; LANES]; 4], [0; 4]);
        for k in 0..4 {
            (self.conditions.multipliers[k] * unit * unit).store(&mut multipliers[k]);
            active[k] = V::bits(self.conditions.active[k]);
        }
        let mut steps = [0.0; LANES];
        self.steps.store(&mut steps);
        for (j, found) in found.iter_mut().enumerate().take(LANES) {
            let bit = |k: usize| ((active[k] >> j & 1) << k) as u8;
            *found = FacePoint {
                xi: [u[j], v[j]],
                point: [point[0][j], point[1][j], point[2][j]],
                distance: distance[j],
                lower: distance[j],
                multipliers: [
                    multipliers[0][j],
                    multipliers[1][j],
                    multipliers[2][j],
                    multipliers[3][j],
                ],
                active: bit(0) | bit(1) | bit(2) | bit(3),
                residual: residual[j],
                status: FaceStatus::Proven,
                iterations: steps[j] as u32,
            };
        }
    }
}

/// Flat triangles.
struct Flat<'a> {
    lanes: &'a Lanes<'a>,
    found: &'a mut [FacePoint],
}

impl RealKernel for Flat<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let (row, y) = self.lanes.load::<V>(16);
        let xi = flat::nearest(&row, y);
        let zero = V::splat(0.0);
        let e = [row[4], row[5], row[6]];
        let f = [row[7], row[8], row[9]];
        let x = plus([e[0] * xi[0], e[1] * xi[0], e[2] * xi[0]], xi[1], f);
        let way = minus(y, x);
        let gradient = [zero - dot(way, e), zero - dot(way, f)];
        let told = Told {
            xi,
            x,
            distance: dot(way, way).sqrt(),
            conditions: Conditions::new::<Triangle>(xi, [row[13], row[14]], gradient),
            steps: V::splat(1.0),
        };
        told.store(&row, &mut self.found[..self.lanes.count]);
    }
}

/// Faces of the other kinds.
struct Bent<'a, F> {
    lanes: &'a Lanes<'a>,
    found: &'a mut [FacePoint],
    form: PhantomData<F>,
}

impl<F: Form> RealKernel for Bent<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let (row, y) = self.lanes.load::<V>(4 + 3 * F::POWERS.len());
        let [u, v] = F::DOMAIN.center();
        let start = [V::splat(u), V::splat(v)];
        let found = descended::<V, F>(&row, y, start, STEPS_MAX);
        let told = told::<V, F>(&found);
        let foot = Foot {
            xi: found.xi,
            jet: found.jet,
            way: found.way,
            distance: told.distance,
            multipliers: told.conditions.multipliers,
        };
        let bound = (told.distance + V::splat(1.0)) * V::splat(LEFT);
        let left = told.conditions.residual.below(bound);
        let proven = V::and(
            V::and(found.settled, left),
            is_least::<V, F>(&foot, &Part::whole()),
        );
        let out = &mut self.found[..self.lanes.count];
        told.store(&row, out);
        let all = (1 << self.lanes.count) - 1;
        let mut open = !V::bits(proven) & all;
        while open != 0 {
            let j = open.trailing_zeros() as usize;
            open &= open - 1;
            let steps = f64::from(out[j].iterations);
            out[j] = searched::<F>(self.lanes.rows[j], self.lanes.point(j), steps);
        }
    }
}

#[inline(always)]
fn told<V: Reals, F: Form>(found: &Found<V>) -> Told<V> {
    let gradient = gradient::<V, F>(&found.jet, found.way);
    Told {
        xi: found.xi,
        x: found.jet.x,
        distance: found.squared.sqrt(),
        conditions: Conditions::new::<F>(found.xi, inverse_squares::<V, F>(&found.jet), gradient),
        steps: found.steps,
    }
}

/// The search by parts.
#[cold]
#[inline(never)]
fn searched<F: Form>(row: &[Block], y: [f64; 3], steps: f64) -> FacePoint {
    run_one(Search::<F> {
        row,
        y,
        steps,
        form: PhantomData,
    })
}

struct Search<'a, F> {
    row: &'a [Block],
    y: [f64; 3],
    steps: f64,
    form: PhantomData<F>,
}

impl<F: Form> RealKernel for Search<'_, F> {
    type Output = FacePoint;

    #[inline(always)]
    fn run<V: Reals>(self) -> FacePoint {
        let lanes = Lanes::of_one(self.row, self.y);
        let (row, y) = lanes.load::<One>(4 + 3 * F::POWERS.len());
        let nearest = branched::<F>(&row, y.map(|x| x.0), self.steps);
        let mut out = [UNKNOWN];
        told::<One, F>(&nearest.minimum).store(&row, &mut out);
        let [mut point] = out;
        point.lower = nearest.lower.max(0.0) / row[3].0;
        if !nearest.proven {
            point.status = FaceStatus::Bracketed;
        }
        point
    }
}
