//! Repeated measurements of `muth2006`, and what is read from them: growth, quotients, tables, plots.

use super::measure::{PaperMethod, Run};
use crate::finding::{Cell, Data, maybe, word};
use crate::fit::exponent;
use crate::timing::{Times, exponent_interval, least, ratio_interval, without_one};
use serde_json::{Value, json};
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The range of exponents of growth that are accepted as linear.
pub const LINEAR: [f64; 2] = [0.9, 1.1];

/// Measurements of all methods on all bodies and grids: several passes, and the least times.
#[derive(Default)]
pub struct Passes {
    pub passes: Vec<Vec<Run>>,
    pub least: Vec<Run>,
}

impl Times for Run {
    fn lower(&mut self, other: &Self) {
        self.set_up.lower(&other.set_up);
        self.evaluation.lower(&other.evaluation);
    }
}

impl Passes {
    pub fn add(&mut self, runs: Vec<Run>) {
        self.passes.push(runs);
        self.least = least(&self.passes);
    }

    /// Returns the values of a statistic of the least times without one pass each.
    fn values(&self, statistic: impl Fn(&[Run]) -> Option<f64>) -> Vec<f64> {
        let values = without_one(&self.passes);
        values
            .iter()
            .map(|runs| statistic(runs).unwrap_or(f64::NAN))
            .collect()
    }

    /// Returns the interval of a ratio of times, or of a number of triangles.
    pub fn ratio(&self, statistic: impl Fn(&[Run]) -> Option<f64>) -> [f64; 2] {
        ratio_interval(&self.values(statistic))
    }

    /// Returns the interval of an exponent of growth over some decades.
    pub fn exponent(&self, decades: f64, statistic: impl Fn(&[Run]) -> Option<f64>) -> [f64; 2] {
        exponent_interval(&self.values(statistic), decades)
    }
}

/// Returns the exponent with which the total time on one grid grows with the number of triangles,
/// fitted to the meshes of at least `least` triangles.
pub fn growth(runs: &[Run], method: PaperMethod, grid: usize, least: usize) -> Option<f64> {
    let points: Vec<[f64; 2]> = of(runs, method, grid)
        .filter(|run| run.triangles >= least)
        .map(|run| [run.triangles as f64, run.total()])
        .collect();
    exponent(&points)
}

pub fn of(runs: &[Run], method: PaperMethod, grid: usize) -> impl Iterator<Item = &Run> {
    runs.iter()
        .filter(move |run| run.method == method && run.grid == grid)
}

pub fn data(runs: &[&Run]) -> Data {
    let row = |run: &&Run| {
        vec![
            word(run.method.name()),
            word(format!("{}^3", run.grid)),
            Cell::Count(run.triangles),
            run.depth.map_or(Cell::Nothing, |d| Cell::Count(d as usize)),
            Cell::Seconds(run.set_up),
            Cell::Seconds(run.evaluation),
            Cell::Seconds(run.total()),
            maybe(Cell::Number, run.bound),
        ]
    };
    Data {
        head: vec![
            "method",
            "points",
            "triangles",
            "depth",
            "set-up",
            "evaluation",
            "total",
            "bound",
        ],
        rows: runs.iter().map(row).collect(),
    }
}

pub fn plot(title: String, runs: &[&Run]) -> Plot {
    let mut curves: Vec<Curve> = Vec::new();
    for run in runs {
        let name = format!("{}, {}^3 points", run.method.name(), run.grid);
        let at = curves.iter().position(|curve| curve.name == name);
        let at = at.unwrap_or_else(|| {
            curves.push(Curve {
                name,
                points: Vec::new(),
                dashed: run.method == PaperMethod::Ray,
            });
            curves.len() - 1
        });
        curves[at].points.push([run.triangles as f64, run.total()]);
    }
    Plot {
        title,
        x: Axis {
            name: "triangles",
            unit: Unit::Count,
        },
        y: Axis {
            name: "total time",
            unit: Unit::Seconds,
        },
        even: false,
        curves,
    }
}

/// Returns a JSON object with a value for each grid.
pub fn by_grid(grids: &[usize], value: impl Fn(usize) -> Option<f64>) -> Value {
    let pairs = grids.iter().map(|&n| (format!("{n}^3"), json!(value(n))));
    Value::Object(pairs.collect())
}

/// Returns the decades of the numbers of triangles, from `least` on.
pub fn decades(runs: &[Run], least: usize) -> f64 {
    let counts = || runs.iter().map(|run| run.triangles.max(least) as f64);
    (counts().fold(1.0, f64::max) / counts().fold(f64::INFINITY, f64::min)).log10()
}

/// The number of triangles from which the growth of times is fitted: below it the time is that of
/// the points alone.
pub const FITTED: usize = 500;

pub fn chosen<'a>(runs: &'a [Run], methods: &[PaperMethod], grids: &[usize]) -> Vec<&'a Run> {
    let is_wanted = |run: &&Run| methods.contains(&run.method) && grids.contains(&run.grid);
    runs.iter().filter(is_wanted).collect()
}

/// Returns the run of a method on one body and grid.
pub fn one(runs: &[Run], method: PaperMethod, grid: usize, triangles: usize) -> Option<&Run> {
    of(runs, method, grid).find(|run| run.triangles == triangles)
}

/// Returns the quotient of the total times of two methods on one body and grid.
pub fn quotient(
    runs: &[Run],
    [a, b]: [PaperMethod; 2],
    grid: usize,
    triangles: usize,
) -> Option<f64> {
    let total = |method| one(runs, method, grid, triangles).map(Run::total);
    Some(total(a)? / total(b)?)
}

/// Returns the numbers of triangles of the bodies.
pub fn meshes(runs: &[Run]) -> Vec<usize> {
    let mut counts: Vec<usize> = runs.iter().map(|run| run.triangles).collect();
    counts.dedup();
    counts
}
