//! Scanline classification of whole grids, column by column: which points of a regular grid are
//! inside?
//!
//! A column is the line along x through the points of a grid that share y and z. Every triangle
//! is processed once: its projection along x gives the columns that it covers, and on each of
//! them the position of the crossing among the points. Between crossings a column is inside or
//! outside as a whole. Costs a few comparisons a triangle, most of which lie between columns,
//! some dozen nanoseconds a crossing, and one byte written a point; there is no set-up.
//!
//! All decisions are exact. Simulation of simplicity: a column that meets an edge counts as
//! moved by an infinitesimal `(e, e^2)` in y and z, so that it passes each edge of a closed
//! surface on one side. Floats decide where their error bounds allow, exact predicates do the
//! rest. Points on triangles are found on the way, also on triangles seen edge-on, which count
//! no crossings.
//!
//! At a crossing with the normal along +x the column leaves the body: beyond it the winding
//! number is one less.

use super::exact::nudged;
use super::{Grid, InsideRule, Side};
use crate::error::{Argument, Result};
use crate::geometry::{Sign, orient2d, orient3d, point_on_triangle};
use crate::memory;
use crate::simd::{Kernel, Vector, run_widest};
use rayon::prelude::*;
use std::ops::Range;

/// Triangles that one thread takes at a time.
const CHUNK: usize = 4096;

/// The corners of a triangle.
pub(super) type Triangle = [[f64; 3]; 3];

/// The lesser of two numbers, in one instruction.
#[inline(always)]
pub(super) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two numbers, in one instruction.
#[inline(always)]
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Nondecreasing coordinates, with a fast lookup of the position of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis<'a> {
    values: &'a [f64],
    first: f64,
    inverse: f64,
}

impl<'a> Axis<'a> {
    pub(super) fn new(values: &'a [f64]) -> Self {
        let (first, last) = match values {
            [first, .., last] => (*first, *last),
            _ => (0.0, 0.0),
        };
        let inverse = values.len().saturating_sub(1) as f64 / (last - first);
        Axis {
            values,
            first,
            // Values that are all equal, or too far apart: any guess will do.
            inverse: if inverse.is_finite() { inverse } else { 0.0 },
        }
    }

    /// The number of values below `x`, which is also the index of the first that is not.
    #[inline(always)]
    pub(super) fn below(&self, x: f64) -> usize {
        let values = self.values;
        let guess = ((x - self.first) * self.inverse + 0.5) as i32;
        let mut i = (guess.max(0) as usize).min(values.len());
        // Equally spaced values are found in a step or two.
        for _ in 0..3 {
            if i > 0 && values[i - 1] >= x {
                i -= 1;
            } else if i < values.len() && values[i] < x {
                i += 1;
            } else {
                return i;
            }
        }
        values.partition_point(|&value| value < x)
    }

    /// The values from `low` to `high`, both included.
    #[inline(always)]
    fn between(&self, low: f64, high: f64) -> Range<usize> {
        let start = self.below(low);
        let mut end = start;
        // Usually there are none, or few.
        while end < self.values.len() && self.values[end] <= high {
            end += 1;
            if end - start == 4 {
                return start..self.values.partition_point(|&value| value <= high);
            }
        }
        start..end
    }
}

/// An event on a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// From this point on the winding number is greater by the step.
    Step(usize, i32),
    /// This point lies on a triangle.
    On(usize),
}

/// The columns of a grid, or of a slab of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raster<'a> {
    axes: [Axis<'a>; 3],
}

impl<'a> Raster<'a> {
    pub(super) fn new(axes: [&'a [f64]; 3]) -> Self {
        Raster {
            axes: axes.map(Axis::new),
        }
    }

    /// Calls `visit(j, k, event)` for all events of a triangle on columns.
    #[inline(always)]
    pub(super) fn events(&self, t: &Triangle, visit: &mut impl FnMut(usize, usize, Event)) {
        let [_, ys, zs] = &self.axes;
        let [a, b, c] = t;
        let (low, high) = (
            lesser(lesser(a[2], b[2]), c[2]),
            greater(greater(a[2], b[2]), c[2]),
        );
        let rows = zs.between(low, high);
        if rows.is_empty() {
            return;
        }
        let (low, high) = (
            lesser(lesser(a[1], b[1]), c[1]),
            greater(greater(a[1], b[1]), c[1]),
        );
        let columns = ys.between(low, high);
        if !columns.is_empty() {
            self.events_among(t, rows, columns, visit);
        }
    }

    /// The same where the columns that the triangle may reach are known: indices `columns` in y
    /// and `rows` in z, among which there may be others.
    #[inline(always)]
    pub(super) fn events_among(
        &self,
        t: &Triangle,
        rows: Range<usize>,
        columns: Range<usize>,
        visit: &mut impl FnMut(usize, usize, Event),
    ) {
        let zs = &self.axes[2];
        for k in rows {
            let z = zs.values[k];
            let columns = match columns.len() {
                0..8 => columns.clone(),
                _ => self.reached(t, z, columns.clone()),
            };
            for j in columns {
                self.column(t, j, k, visit);
            }
        }
    }

    /// The columns of a long row that the triangle may reach: a triangle of a long box may be
    /// thin.
    #[inline(never)]
    fn reached(&self, t: &Triangle, z: f64, columns: Range<usize>) -> Range<usize> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            let (a, b) = if a[2] <= b[2] { (a, b) } else { (b, a) };
            if !(a[2] <= z && z <= b[2]) {
                continue;
            }
            let part = match b[2] > a[2] {
                true => (z - a[2]) / (b[2] - a[2]),
                false => 0.0,
            };
            // The fraction has an error of three roundings, the rest one of three of the
            // summands.
            let y = a[1] + part * (b[1] - a[1]);
            let error = 4.0 * f64::EPSILON * (a[1].abs() + b[1].abs());
            low = low.min(y - error);
            high = high.max(y + error);
            if a[2] == b[2] {
                low = low.min(b[1]);
                high = high.max(b[1]);
            }
        }
        let reached = self.axes[1].between(low, high);
        reached.start.max(columns.start)..reached.end.min(columns.end)
    }

    /// The event of a triangle on one column, in floats if they are accurate enough.
    #[inline(always)]
    fn column(
        &self,
        t: &Triangle,
        j: usize,
        k: usize,
        visit: &mut impl FnMut(usize, usize, Event),
    ) {
        let [xs, ys, zs] = &self.axes;
        let (y, z) = (ys.values[j], zs.values[k]);
        let from = |v: &[f64; 3]| [v[1] - y, v[2] - z];
        let (a, b, c) = (from(&t[0]), from(&t[1]), from(&t[2]));
        // Twice the areas that the column spans with the edges; their sum is twice
        // the triangle's. Differences have one rounding, products three with them.
        let area = |u: [f64; 2], v: [f64; 2]| {
            let (left, right) = (u[0] * v[1], u[1] * v[0]);
            (left - right, ERROR_2D * (left.abs() + right.abs()))
        };
        let ((of_a, a_error), (of_b, b_error), (of_c, c_error)) =
            (area(b, c), area(c, a), area(a, b));
        let above = of_a > a_error && of_b > b_error && of_c > c_error;
        let below = of_a < -a_error && of_b < -b_error && of_c < -c_error;
        if !above && !below {
            let positive = of_a > a_error || of_b > b_error || of_c > c_error;
            let negative = of_a < -a_error || of_b < -b_error || of_c < -c_error;
            if !(positive && negative) {
                self.exact_column_event(t, j, k, visit);
            }
            return;
        }
        let sum = of_a + of_b + of_c;
        let (ax, bx, cx) = (t[0][0], t[1][0], t[2][0]);
        // The crossing by barycentric coordinates. Each has an error of its own over the sum,
        // and they add up to 1, so the crossing has an error of at most the errors times the
        // extent; the factor of 2 covers the errors' own rounding and the terms of second order,
        // which are smaller by the errors' part of the sum.
        let x = (of_a * ax + of_b * bx + of_c * cx) / sum;
        let extent = greater(greater(ax, bx), cx) - lesser(lesser(ax, bx), cx);
        let size = greater(greater(ax.abs(), bx.abs()), cx.abs());
        let tolerance =
            2.0 * extent * ((a_error + b_error + c_error) / sum.abs()) + 8.0 * f64::EPSILON * size;
        let at = xs.below(x);
        let apart = (at == 0 || x - xs.values[at - 1] > tolerance)
            && (at == xs.values.len() || xs.values[at] - x > tolerance);
        if apart {
            visit(j, k, Event::Step(at, if above { -1 } else { 1 }));
        } else {
            self.exact_column_event(t, j, k, visit);
        }
    }

    /// The event of a triangle on one column, by exact predicates.
    #[cold]
    #[inline(never)]
    fn exact_column_event(
        &self,
        t: &Triangle,
        j: usize,
        k: usize,
        visit: &mut impl FnMut(usize, usize, Event),
    ) {
        let [xs, ys, zs] = &self.axes;
        let q = [ys.values[j], zs.values[k]];
        let corners = t.map(|v| [v[1], v[2]]);
        let edges = [(0, 1), (1, 2), (2, 0)].map(|(u, v)| (corners[u], corners[v]));
        let signs = edges.map(|(u, v)| orient2d(u, v, q));
        if signs.contains(&Sign::Negative) && signs.contains(&Sign::Positive) {
            return;
        }
        let [ax, bx, cx] = t.map(|v| v[0]);
        let reach = xs.between(ax.min(bx).min(cx), ax.max(bx).max(cx));
        let point = |i: usize| [xs.values[i], q[0], q[1]];
        if signs == [Sign::Zero; 3] {
            // Edge-on, with the column in its plane.
            for i in reach {
                if point_on_triangle(point(i), *t).is_some() {
                    visit(j, k, Event::On(i));
                }
            }
            return;
        }
        // The closed projection contains the column, so the points of the plane are on the
        // triangle. Points lie before or beyond it by their order.
        let facing = match signs.contains(&Sign::Positive) {
            true => Sign::Positive,
            false => Sign::Negative,
        };
        let [a, b, c] = *t;
        let side = |i: usize| orient3d(a, b, c, point(i));
        let on = reach.start + partition(reach.len(), |i| side(reach.start + i) == -facing);
        let mut beyond = on;
        while beyond < reach.end && side(beyond).is_zero() {
            visit(j, k, Event::On(beyond));
            beyond += 1;
        }
        let [first, second, third] = [0, 1, 2].map(|e| nudged(signs[e], edges[e].0, edges[e].1));
        if first == second && second == third {
            let by = if facing == Sign::Positive { -1 } else { 1 };
            visit(j, k, Event::Step(beyond, by));
        }
    }
}

/// Errors of `u.x v.y - u.y v.x` from rounded differences, as a part of the sum of the
/// magnitudes: Shewchuk's bound of `3 + 16 u` units, and one more to be safe.
const ERROR_2D: f64 = 2.0 * f64::EPSILON;

/// Binary search: the first of `0..count` that does not satisfy a condition which holds up to
/// it.
fn partition(count: usize, condition: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = (low + high) / 2;
        if condition(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// An event packed in one number, so that events sort by column, then by position.
pub(super) mod packed {
    use super::Event;

    /// Bits of a point's index and the kind of event; the column has the rest. An axis of a grid
    /// has at most 2^20 points, so columns need 40 bits.
    pub(crate) const BITS: u32 = 24;

    const UP: u64 = 0;
    const DOWN: u64 = 1;
    const ON: u64 = 2;

    #[inline(always)]
    pub(crate) fn of(column: usize, event: Event) -> u64 {
        let (at, kind) = match event {
            Event::Step(at, 1..) => (at, UP),
            Event::Step(at, _) => (at, DOWN),
            Event::On(at) => (at, ON),
        };
        (column as u64) << BITS | (at as u64) << 2 | kind
    }

    #[inline(always)]
    pub(crate) fn column(event: u64) -> usize {
        (event >> BITS) as usize
    }

    /// The index of the point.
    #[inline(always)]
    pub(crate) fn at(event: u64) -> usize {
        (event as usize & ((1 << BITS) - 1)) >> 2
    }

    /// The step of the winding number, none if the point lies on a triangle.
    #[inline(always)]
    pub(crate) fn step(event: u64) -> Option<i32> {
        match event & 3 {
            UP => Some(1),
            DOWN => Some(-1),
            _ => None,
        }
    }
}

/// Sorts events by column, then by position. Afterwards `ends[column]` is where the events of a
/// column end and those of the next begin.
pub(super) fn sort_by_columns<'a>(
    columns: usize,
    chunks: impl Iterator<Item = &'a [u64]> + Clone,
    ends: &mut Vec<usize>,
    sorted: &mut Vec<u64>,
) {
    ends.clear();
    ends.resize(columns, 0);
    let mut total = 0;
    for &event in chunks.clone().flatten() {
        ends[packed::column(event)] += 1;
        total += 1;
    }
    let mut start = 0;
    for end in ends.iter_mut() {
        (*end, start) = (start, start + *end);
    }
    sorted.clear();
    sorted.resize(total, 0);
    for &event in chunks.flatten() {
        let place = &mut ends[packed::column(event)];
        sorted[*place] = event;
        *place += 1;
    }
    let mut start = 0;
    for &end in ends.iter() {
        let column = &mut sorted[start..end];
        match column.len() {
            0 | 1 => {}
            2 => column.sort_unstable(),
            3..24 => {
                for i in 1..column.len() {
                    let mut k = i;
                    while k > 0 && column[k - 1] > column[k] {
                        column.swap(k - 1, k);
                        k -= 1;
                    }
                }
            }
            _ => column.sort_unstable(),
        }
        start = end;
    }
}

/// Classifies the points of whole grids; memory is kept from call to call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    chunks: Vec<Vec<u64>>,
    sorted: Vec<u64>,
    ends: Vec<usize>,
}

impl Columns {
    /// The sides of all points of a grid, x fastest, with a surface of `count`
    /// triangles.
    pub(crate) fn classify(
        &mut self,
        grid: &Grid,
        rule: InsideRule,
        count: usize,
        triangle: impl Fn(usize) -> Triangle + Sync,
        out: &mut Vec<Side>,
    ) -> Result<()> {
        grid.reserve(out)?;
        let [xs, ys, zs] = grid.axes();
        self.ends.clear();
        memory::reserve(&mut self.ends, ys.len() * zs.len(), Argument::Points)?;
        out.resize(grid.len(), Side::Outside);
        if out.is_empty() {
            return Ok(());
        }
        let raster = Raster::new([xs, ys, zs]);
        let used = count.div_ceil(CHUNK);
        if self.chunks.len() < used {
            self.chunks.resize_with(used, Vec::new);
        }
        let chunks = &mut self.chunks[..used];
        chunks.par_iter_mut().enumerate().for_each(|(n, events)| {
            events.clear();
            run_widest(Sweep {
                raster,
                width: ys.len(),
                triangles: n * CHUNK..count.min((n + 1) * CHUNK),
                triangle: &triangle,
                events,
            });
        });
        let chunks = chunks.iter().map(|chunk| &chunk[..]);
        sort_by_columns(
            ys.len() * zs.len(),
            chunks,
            &mut self.ends,
            &mut self.sorted,
        );
        let (ends, sorted) = (&self.ends, &self.sorted);
        out.par_chunks_mut(xs.len())
            .enumerate()
            .with_min_len(64)
            .for_each(|(column, sides)| {
                let start = column.checked_sub(1).map_or(0, |before| ends[before]);
                let events = &sorted[start..ends[column]];
                let (mut from, mut winding) = (0, 0i64);
                for &event in events {
                    let at = packed::at(event);
                    if let Some(step) = packed::step(event) {
                        if at > from {
                            sides[from..at].fill(rule.side(winding));
                            from = at;
                        }
                        winding += i64::from(step);
                    }
                }
                sides[from..].fill(rule.side(winding));
                for &event in events {
                    if packed::step(event).is_none() {
                        sides[packed::at(event)] = Side::OnSurface;
                    }
                }
            });
        Ok(())
    }
}

/// The events of a chunk of triangles.
struct Sweep<'a, F> {
    raster: Raster<'a>,
    width: usize,
    triangles: Range<usize>,
    triangle: &'a F,
    events: &'a mut Vec<u64>,
}

impl<F: Fn(usize) -> Triangle> Kernel for Sweep<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        for face in self.triangles {
            let triangle = (self.triangle)(face);
            self.raster.events(&triangle, &mut |j, k, event| {
                self.events.push(packed::of(j + self.width * k, event));
            });
        }
    }
}
