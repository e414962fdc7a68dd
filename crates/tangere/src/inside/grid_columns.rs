//! Scanline classification of grids, column by column: which points of a regular grid are inside.
//!
//! A column is the line along x through the points of a grid that share y and z. Every triangle is
//! processed once: its projection along x gives the columns that it covers, and on each of them the
//! position of the crossing among the points. The events of a column are its crossings and its grid
//! points that lie on a triangle (`column_events`). Between crossings all points of a column are on
//! the same side. Costs a few comparisons for a triangle, as most triangles lie between columns,
//! some dozen nanoseconds for a crossing, and one byte written for a point; there is no set-up.
//!
//! All decisions are exact. Simulation of simplicity: a column that meets an edge is treated as
//! moved by an infinitesimal `(e, e^2)` in y and z, so that it passes each edge of a closed surface
//! on one side. Floats decide where their error bounds allow, exact predicates decide the rest.
//! Points on triangles are found on the way, also on triangles seen edge-on, which are never
//! crossed.
//!
//! At a crossing with the normal along +x the column leaves the body: beyond the crossing the
//! winding number is one less.

use super::column_events::{Event, packed, sort_by_columns};
use super::exact::nudged;
use super::min_max::{greater, lesser};
use super::sorted_axis::SortedAxis;
use super::{Grid, InsideRule, Side};
use crate::error::{Argument, Result};
use crate::geometry::{Sign, orient2d, orient3d, point_on_triangle};
use crate::memory;
use crate::simd::{Kernel, Vector, run_widest};
use rayon::prelude::*;
use std::ops::Range;

/// The number of triangles whose crossings with grid columns one thread finds at a time.
const CHUNK: usize = 4096;

/// The corners of a triangle.
pub(super) type Triangle = [[f64; 3]; 3];

/// The columns (lines along x) of a grid, or of a slab of a grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raster<'a> {
    axes: [SortedAxis<'a>; 3],
}

impl<'a> Raster<'a> {
    /// The columns of the regular grid with the given coordinates along its axes.
    pub(super) fn new(axes: [&'a [f64]; 3]) -> Self {
        Raster {
            axes: axes.map(SortedAxis::new),
        }
    }

    /// Calls `visit(j, k, event)` for all events of a triangle on columns of the grid: crossings of
    /// the column and the triangle, and grid points of the column that lie on the triangle. `j` and
    /// `k` are the indices of the column along y and z.
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

    /// Calls `visit(j, k, event)` for all events (crossings, and grid points on the triangle) of a
    /// triangle on columns of the grid, as [`Raster::events`] does. Only columns with an index
    /// along y in `columns` and an index along z in `rows` are tested. These must include all
    /// columns that the triangle can reach.
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

    /// The indices along y of the columns of the grid at the given `z` that a triangle may reach.
    /// `columns` are the indices of the columns that meet the triangle's box. If the box is long
    /// and the triangle thin, the triangle reaches only a few of them.
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
            // The fraction has an error of three roundings; the other steps add three roundings of
            // the summands.
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

    /// Calls `visit` with the event of a triangle on the column `(j, k)` of the grid, if there is
    /// one: the crossing of column and triangle, or a grid point of the column that lies on the
    /// triangle. Floats decide if they are accurate enough, exact predicates otherwise.
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

    /// Calls `visit` with the events of a triangle on the column `(j, k)` of the grid, found by
    /// exact predicates: the crossing of column and triangle, and the grid points of the column
    /// that lie on the triangle.
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

/// Bound on the error of `u.x v.y - u.y v.x` if `u` and `v` are rounded differences, relative to
/// `|u.x v.y| + |u.y v.x|`. Shewchuk's bound is `3 e + 16 e^2` with `e = 2^-53`; this is `4 e`.
const ERROR_2D: f64 = 2.0 * f64::EPSILON;

/// Binary search along a column of the grid: the first index in `0..count` that does not satisfy a
/// condition which holds for all indices before it.
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

/// Classifier of grids by columns; its memory is reused from call to call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    chunks: Vec<Vec<u64>>,
    sorted: Vec<u64>,
    ends: Vec<usize>,
}

impl Columns {
    /// Classifies a grid column by column: writes the sides of all its points to `out`, x fastest,
    /// for a surface of `count` triangles. `triangle` returns the corners of a triangle by its
    /// index.
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

/// Kernel that finds the events (crossings, and grid points on a triangle) of a chunk of triangles
/// on the columns of a grid.
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
