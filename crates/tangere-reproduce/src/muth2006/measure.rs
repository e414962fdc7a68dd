//! Measurements of `muth2006`: set-up and evaluation times; checks that all methods agree.

use super::super::Effort;
use super::super::timing::cpu_seconds;
use super::is_quick;
use crate::Error;
use tangere::inside::{
    Grid, InsideSettings, InsideTest, Multipole, MultipoleSettings, MultipoleTrees, Ray, Side,
};
use tangere::shape::TriMesh;

/// Method of point containment with the settings of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperMethod {
    WellChosen,
    PreChosen,
    Ray,
}

impl PaperMethod {
    pub const ALL: [PaperMethod; 3] = [
        PaperMethod::WellChosen,
        PaperMethod::PreChosen,
        PaperMethod::Ray,
    ];

    pub fn name(self) -> &'static str {
        match self {
            PaperMethod::WellChosen => "WC",
            PaperMethod::PreChosen => "PC",
            PaperMethod::Ray => "ray",
        }
    }
}

/// The CPU seconds of a method for one body and one grid of points: set-up and evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub method: PaperMethod,
    /// The number of points along an edge of the grid of query points.
    pub grid: usize,
    pub triangles: usize,
    pub depth: Option<u32>,
    pub set_up: f64,
    pub evaluation: f64,
    /// The error bound of the winding numbers from the double layer potential; `None` for ray
    /// crossing.
    pub bound: Option<f64>,
}

impl Run {
    pub fn total(&self) -> f64 {
        self.set_up + self.evaluation
    }
}

/// The seconds of work, and the most repetitions, from which the fastest is taken: short runs are
/// repeated, because caches and interruptions make them vary.
const REPEATED: f64 = 0.02;
const MOST_REPEATS: usize = 5;

/// Returns the CPU seconds of the fastest of several runs of short work, or of one run of long work.
fn fastest(mut work: impl FnMut() -> tangere::Result<()>) -> tangere::Result<f64> {
    let (mut sum, mut least) = (0.0, f64::INFINITY);
    for _ in 0..MOST_REPEATS {
        let start = cpu_seconds();
        work()?;
        let seconds = cpu_seconds() - start;
        sum += seconds;
        least = least.min(seconds);
        if sum >= REPEATED {
            break;
        }
    }
    Ok(least)
}

/// Returns the number of tests (points times triangles) above which ray crossing is measured on a
/// sample of the points.
fn most_tests(effort: &Effort) -> usize {
    if is_quick(effort) {
        4_000_000
    } else {
        20_000_000
    }
}

/// Measures every method on every body and grid. In a first pass all methods must find the same sides;
/// later passes measure times alone.
pub fn measured(
    effort: &Effort,
    bodies: &[TriMesh],
    grids: &[usize],
    is_first: bool,
) -> Result<Vec<Run>, Error> {
    let mut runs: Vec<Run> = Vec::new();
    for body in bodies {
        for &grid in grids {
            let points = Grid::around(&body.bounds(), grid)?.points();
            let mut sides = is_first.then(Vec::new);
            let mut last: Option<Run> = None;
            for method in [PaperMethod::WellChosen, PaperMethod::PreChosen] {
                let run = multipole(body, grid, &points, method, last, sides.as_mut())?;
                last = Some(run);
                runs.push(run);
            }
            runs.push(ray(effort, body, grid, &points, sides.as_deref())?);
        }
    }
    Ok(runs)
}

/// Measures the fast multipole method. A run `before` with trees of the same depth is this one. `sides`
/// has for each point whether the method measured before found it inside or outside; it is empty if
/// there was none, and `None` if sides are not compared. The sides found now must be the same, and
/// replace `sides`.
fn multipole(
    body: &TriMesh,
    grid: usize,
    points: &[[f64; 3]],
    method: PaperMethod,
    before: Option<Run>,
    sides: Option<&mut Vec<Side>>,
) -> Result<Run, Error> {
    let trees = match method {
        PaperMethod::PreChosen => MultipoleTrees::PreChosen,
        _ => MultipoleTrees::WellChosen {
            points: points.len(),
        },
    };
    let choices = MultipoleSettings {
        trees,
        ..MultipoleSettings::default()
    };
    // Whatever the bound: what the paper evaluates, and nothing again.
    let settings = InsideSettings::default().with_accuracy(0.999);
    let mut test = Multipole::with(settings, choices)?;
    let set_up = fastest(|| test.update(body))?;
    if let Some(run) = before.filter(|run| run.depth == test.depth()) {
        return Ok(Run { method, ..run });
    }
    let mut winding = Vec::new();
    let evaluation = fastest(|| test.winding(points, &mut winding))?;
    let bound = test.bound();
    if let Some(sides) = sides {
        let mut found = Vec::new();
        test.classify(points, &mut found)?;
        if !sides.is_empty() && *sides != found {
            return Err(disagreement(grid, body));
        }
        *sides = found;
    }
    Ok(Run {
        method,
        grid,
        triangles: body.faces().len(),
        depth: test.depth(),
        set_up,
        evaluation,
        bound: Some(bound),
    })
}

/// Returns the least stride of at least `step` that is coprime to the number of points along an
/// edge of the grid, so that the sampled points do not all lie in the same planes.
fn spread(step: usize, grid: usize) -> usize {
    let divisor = |mut a: usize, mut b: usize| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    (step.max(1)..)
        .find(|&step| divisor(step, grid) == 1)
        .unwrap_or(1)
}

/// Measures ray crossing with all triangles, on a sample of the points if all points would take too
/// long. The sides found (inside or outside) must agree with `sides`, which the multipole method
/// found; `None` if they are not compared.
fn ray(
    effort: &Effort,
    body: &TriMesh,
    grid: usize,
    points: &[[f64; 3]],
    sides: Option<&[Side]>,
) -> Result<Run, Error> {
    let triangles = body.faces().len();
    let sample = (most_tests(effort) / triangles).clamp(50, points.len());
    let step = spread(points.len().div_ceil(sample), grid);
    let some: Vec<[f64; 3]> = points.iter().copied().step_by(step).collect();
    let mut test = Ray::new(InsideSettings::default())?;
    let set_up = fastest(|| test.update(body))?;
    let mut found = Vec::new();
    let seconds = fastest(|| test.classify(&some, &mut found))?;
    if sides.is_some_and(|sides| found.iter().ne(sides.iter().step_by(step))) {
        return Err(disagreement(grid, body));
    }
    Ok(Run {
        method: PaperMethod::Ray,
        grid,
        triangles,
        depth: None,
        set_up,
        evaluation: seconds * points.len() as f64 / some.len() as f64,
        bound: None,
    })
}

fn disagreement(grid: usize, body: &TriMesh) -> Error {
    Error::Failed(format!(
        "methods disagree on {grid}^3 points and {} triangles, expected the same sides",
        body.faces().len()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_meet_every_plane() {
        for (step, grid) in [(1, 10), (2, 10), (2560, 80), (50, 20), (6, 10)] {
            let step = spread(step, grid);
            let count = grid * grid * grid;
            let mut met = vec![false; grid];
            (0..count).step_by(step).for_each(|i| met[i % grid] = true);
            assert!(
                count / step < grid || met.iter().all(|&met| met),
                "{step} {grid}"
            );
        }
        assert_eq!(
            (spread(0, 10), spread(1, 10), spread(2560, 80)),
            (1, 1, 2561)
        );
    }
}
