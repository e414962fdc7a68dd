//! Points sorted in Morton order, and the evaluation of their winding numbers with error bounds.
//!
//! Cells of at most some thousand points are evaluated as parallel tasks of their own. The division
//! into tasks depends on the points alone, so the results have the same bits on any number of
//! threads.

use super::adaptive_tree::{Answers, Cell, Share, Tasks, WalkInput, Walker};
use super::clusters::Clusters;
use super::direct_sums::Mark;
use super::harmonics::{Complex, count};
use super::moments::Moments;
use super::morton_order::{Cube, Keyed, sort};
use super::winding_value::Value;
use crate::memory::refill;
use crate::parallel::parts;
use crate::stop::Current;

/// The maximum number of points of a cell that is evaluated as one parallel task.
const TASK: usize = 1 << 12;

/// A point is skipped, and gets the winding number 0, if one of its coordinates differs by this or
/// more from that of the body's centre. Coordinates are scaled so that the longest side of the
/// body's box is between 1 and 2. Squares of smaller distances do not overflow.
const FAR: f64 = (1u128 << 100) as f64;

/// Bound on the rounding error of the sums of expansions in a winding number of about 1.
pub(super) const ROUNDING: f64 = 1e-12;

/// A surface as the evaluation of points needs it: its clusters and their multipole moments.
#[derive(Clone, Copy)]
pub(super) struct SurfaceExpansion<'a> {
    pub(super) clusters: &'a Clusters,
    pub(super) moments: &'a Moments,
    /// The index of the cluster that has all triangles of the surface.
    pub(super) root: u32,
    pub(super) is_whole: bool,
}

/// Points sorted in Morton order, with their results; memory is kept from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct Points {
    pub(super) keys: Vec<Keyed>,
    scratch: Vec<Keyed>,
    pub(super) coordinates: [Vec<f64>; 3],
    winding: Vec<f64>,
    errors: Vec<f64>,
    marks: Vec<Mark>,
    taken: Taken,
    walker: Walker,
    walkers: Vec<Walker>,
}

/// The cells that became parallel tasks, with the list of clusters still to be added and the local
/// expansion of each. The cells of the last points come first.
#[derive(Clone, Debug, Default)]
struct Taken {
    cells: Vec<Cell>,
    lists: Vec<Share>,
    /// For each task, the end of its list of clusters in `lists`.
    ends: Vec<usize>,
    locals: Vec<Complex>,
}

impl Tasks for Taken {
    fn takes(&mut self, cell: &Cell, list: &[Share], local: &[Complex]) -> bool {
        if cell.last - cell.first > TASK {
            return false;
        }
        self.cells.push(*cell);
        self.lists.extend_from_slice(list);
        self.ends.push(self.lists.len());
        self.locals.extend_from_slice(local);
        true
    }
}

impl Points {
    /// Sorts points in Morton order, evaluates their winding numbers with an error of at most
    /// `budget` besides rounding, and writes these to `out`.
    pub(super) fn answer(
        &mut self,
        surface: SurfaceExpansion<'_>,
        budget: f64,
        points: &[[f64; 3]],
        out: &mut [Value],
    ) {
        self.sort(surface.clusters, points);
        // The result for points that are skipped.
        let far = Value {
            error: 1.0 / FAR,
            ..Value::default()
        };
        out.fill(far);
        self.walk(surface, budget);
        self.values(|i, value| out[i] = value);
    }

    /// Evaluates the winding numbers of the points of the last call, which are still sorted, for
    /// another surface, whose coordinates have the same scale. Calls `out` for each point, with its
    /// index among the points of that call and its value.
    pub(super) fn again(
        &mut self,
        surface: SurfaceExpansion<'_>,
        budget: f64,
        out: impl FnMut(usize, Value),
    ) {
        self.winding.fill(0.0);
        self.errors.fill(0.0);
        self.marks.fill(Mark::Off);
        self.walk(surface, budget);
        self.values(out);
    }

    /// Calls `out` for each sorted point: with its index among the given points, and its winding
    /// number with error bound and mark (off, close to or on the surface).
    fn values(&self, mut out: impl FnMut(usize, Value)) {
        for (k, &(_, i)) in self.keys.iter().enumerate() {
            let value = Value {
                winding: self.winding[k],
                error: self.errors[k] + ROUNDING,
                mark: self.marks[k],
            };
            out(i as usize, value.or_unknown());
        }
    }

    /// Sorts the points by Morton key, without those that are too far from the body, and gathers
    /// their scaled coordinates in this order.
    fn sort(&mut self, clusters: &Clusters, points: &[[f64; 3]]) {
        let unit = clusters.unit;
        let middle = clusters.nodes[0].center;
        let scaled = |p: [f64; 3]| p.map(|x| x * unit);
        let is_near = |p: [f64; 3]| (0..3).all(|k| (p[k] - middle[k]).abs() < FAR);
        let mut low = [f64::INFINITY; 3];
        let mut high = [f64::NEG_INFINITY; 3];
        for p in points.iter().map(|&p| scaled(p)).filter(|&p| is_near(p)) {
            for k in 0..3 {
                low[k] = if p[k] < low[k] { p[k] } else { low[k] };
                high[k] = if p[k] > high[k] { p[k] } else { high[k] };
            }
        }
        let cube = Cube::around(low, high);
        self.keys.clear();
        let near = (0u32..).zip(points).filter(|(_, p)| is_near(scaled(**p)));
        self.keys
            .extend(near.map(|(i, &p)| (cube.key(scaled(p)), i)));
        sort(&mut self.keys, &mut self.scratch);
        self.gather(points, unit);
    }

    /// Gathers the coordinates of the sorted points, multiplied by `unit`, in the order of the
    /// keys, and sets their results to 0.
    pub(super) fn gather(&mut self, points: &[[f64; 3]], unit: f64) {
        for k in 0..3 {
            self.coordinates[k].clear();
            self.coordinates[k]
                .extend(self.keys.iter().map(|&(_, i)| points[i as usize][k] * unit));
        }
        let count = self.keys.len();
        refill(&mut self.winding, count, 0.0);
        refill(&mut self.errors, count, 0.0);
        refill(&mut self.marks, count, Mark::Off);
    }

    /// Evaluates all sorted points by walks through the adaptive tree: one walk cuts the tree into
    /// tasks, which are then walked in parallel.
    fn walk(&mut self, surface: SurfaceExpansion<'_>, budget: f64) {
        if self.keys.is_empty() {
            return;
        }
        let Points {
            keys,
            coordinates,
            winding,
            errors,
            marks,
            taken,
            walker,
            walkers,
            ..
        } = self;
        let scene = WalkInput {
            clusters: surface.clusters,
            moments: surface.moments,
            is_whole: surface.is_whole,
            keys,
            coordinates: coordinates.each_ref().map(|coordinates| &coordinates[..]),
        };
        taken.cells.clear();
        taken.lists.clear();
        taken.ends.clear();
        taken.locals.clear();
        let root = Cell::new(&scene, 0..keys.len(), 0);
        let mut answers = Answers {
            first: 0,
            winding,
            errors,
            marks,
        };
        let all = [(surface.root, budget)];
        walker.walk(&scene, root, (&all, &[]), taken, &mut answers);

        let tasks = taken.cells.len();
        if walkers.len() < tasks {
            walkers.resize_with(tasks, Walker::default);
        }
        let per = count(surface.moments.degree);
        let stop = Current::new();
        // Tasks are listed from the last on.
        let task = |i: usize| tasks - 1 - i;
        let ends = |i: usize| taken.cells[task(i)].last;
        parts(
            tasks,
            (((&mut winding[..], &mut errors[..]), &mut marks[..]), &ends),
            (&mut walkers[..tasks], &|i| i + 1),
            &|i, ((winding, errors), marks): ((&mut [f64], &mut [f64]), &mut [Mark]), walker| {
                if stop.is_requested() {
                    return;
                }
                let first = if i == 0 { 0 } else { ends(i - 1) };
                let t = task(i);
                let from = if t == 0 { 0 } else { taken.ends[t - 1] };
                let list = &taken.lists[from..taken.ends[t]];
                let local = &taken.locals[t * per..(t + 1) * per];
                let mut answers = Answers {
                    first,
                    winding,
                    errors,
                    marks,
                };
                let walker: &mut [Walker] = walker;
                walker[0].walk(&scene, taken.cells[t], (list, local), &mut (), &mut answers);
            },
        );
    }
}
