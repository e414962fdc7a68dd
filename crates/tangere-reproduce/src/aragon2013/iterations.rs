//! Section 3.4 and table 1 of `aragon2013`: iterations of sequential quadratic programming with BFGS
//! updates, and how much they make times vary.

use super::claims::{DEVIATIONS, ITERATIONS};
use super::table1_distances::{COUNT, KINDS, Scene};
use crate::Effort;
use crate::Error;
use crate::check::{Check, at_least};
use crate::finding::{Cell, Data, Finding, printed, word};
use crate::timing::{cpu_seconds, interval, least, without_one};
use serde_json::json;
use tangere::closest::{BfgsSqp, FacePoint};
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The accuracies at which iterations end; that of the paper is not printed.
const ACCURACIES: [f64; 4] = [1e-6, 1e-8, 1e-10, 1e-12];
/// The paper's time of a distance and its standard deviation, in nanoseconds.
const PUBLISHED: [f64; 2] = [20_457.0, 7276.0];
/// The correlation from which on iterations have a direct impact on times: the root of one half.
const DIRECT: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// The largest distance, relative to the size of faces, at which a minimum is that of the oracle.
const CLOSE: f64 = 1e-9;
/// Repetitions of a distance within a measurement, and batches of measurements.
const REPEATS: usize = 8;
const BATCHES: usize = 5;

/// The results of the published method for all faces of a kind with one accuracy.
struct Solved {
    found: Vec<FacePoint>,
    /// The share of faces on which a local minimum was found that is not the nearest point.
    local: f64,
    /// Whether no distance is less than that of the oracle.
    is_right: bool,
}

impl Solved {
    fn new(scene: &Scene, accuracy: f64) -> tangere::Result<Self> {
        let sqp = BfgsSqp::new(accuracy)?;
        let pairs = scene.raw.iter().zip(&scene.points);
        let found = pairs
            .map(|(face, &y)| sqp.nearest(face, y))
            .collect::<tangere::Result<Vec<FacePoint>>>()?;
        // Near the minimum a step of the accuracy changes the distance by no more than that.
        let close = CLOSE.max(10.0 * accuracy);
        let pairs = || found.iter().zip(&scene.found);
        let local = pairs().filter(|(x, oracle)| x.distance > oracle.distance + close);
        Ok(Self {
            local: local.count() as f64 / scene.found.len() as f64,
            is_right: pairs().all(|(x, oracle)| x.distance >= oracle.lower - 1e-12),
            found,
        })
    }

    /// Returns minimum, mean and maximum of the number of iterations.
    fn iterations(&self) -> [f64; 3] {
        let all = || self.found.iter().map(|x| f64::from(x.iterations));
        [
            all().fold(f64::INFINITY, f64::min),
            all().sum::<f64>() / self.found.len() as f64,
            all().fold(0.0, f64::max),
        ]
    }
}

/// Judges the iterations on the faces of table 1, whose nearest points are known.
pub fn all(scenes: &[Scene], effort: &Effort) -> Result<Vec<Finding>, Error> {
    let mut solved = Vec::new();
    for scene in scenes {
        let of = ACCURACIES.map(|accuracy| Solved::new(scene, accuracy));
        solved.push(of.into_iter().collect::<tangere::Result<Vec<_>>>()?);
    }
    let (Some(triangles), Some(scene)) = (solved.first(), scenes.first()) else {
        return Err(Error::Failed("there are no faces".into()));
    };
    Ok(vec![
        iterations(&solved, triangles),
        deviations(scene, effort)?,
    ])
}

fn iterations(solved: &[Vec<Solved>], triangles: &[Solved]) -> Finding {
    let over = |k: usize| {
        let values = triangles.iter().map(|s| s.iterations()[k]);
        values.fold([f64::INFINITY, 0.0], |[low, high], x| {
            [low.min(x), high.max(x)]
        })
    };
    let rows = KINDS.iter().zip(solved).flat_map(|(kind, of)| {
        ACCURACIES.iter().zip(of).map(move |(accuracy, s)| {
            let mut row = vec![word(kind.name()), Cell::Number(*accuracy)];
            row.extend(s.iterations().map(Cell::Number));
            row.push(Cell::Share(s.local));
            row
        })
    });
    let mut paper = vec![word("triangle of the paper"), Cell::Nothing];
    paper.extend([5.0, 12.0, 29.0].map(|x| printed(x, "", 1.0)));
    paper.push(Cell::Nothing);
    let histogram = |s: &Solved| {
        let most = s.iterations()[2] as usize;
        let mut counts = vec![0; most + 1];
        for x in &s.found {
            counts[x.iterations as usize] += 1;
        }
        let points = counts.iter().enumerate();
        points.map(|(i, n)| [i as f64, f64::from(*n)]).collect()
    };
    let curves = KINDS.iter().zip(solved).filter_map(|(kind, of)| {
        of.last().map(|s| Curve {
            name: kind.name().into(),
            points: histogram(s),
            dashed: false,
        })
    });
    let range = [over(0)[0], over(2)[1]];
    let local = triangles.iter().map(|s| s.local).fold(0.0, f64::max);
    Finding {
        published: json!({"average": 12, "range": [5, 29]}),
        measured: json!({
            "average": over(1),
            "range": range,
            "share of triangles with another minimum than the proven one": local,
            "no distance is less than the proven one": solved.iter().flatten().all(|s| s.is_right),
        }),
        open: Some(
            "The counts are those of triangles, points, an accuracy and an implementation that are not published; a count \
             depends on each of them."
                .into(),
        ),
        remark: format!(
            "{COUNT} random faces of each kind, with a point each, from the start that the paper prints: the nearest of the \
             centre and the corners. Accuracies from 1e-6 to 1e-12 give the interval of the average. On curved faces the method can end in a local minimum (last column)."
        ),
        data: Data {
            head: vec!["face", "accuracy", "least", "mean", "most", "local minima"],
            rows: std::iter::once(paper).chain(rows).collect(),
        },
        plots: vec![Plot {
            title: "Faces by number of iterations, accuracy 1e-12".into(),
            x: Axis {
                name: "iterations",
                unit: Unit::Count,
            },
            y: Axis {
                name: "faces",
                unit: Unit::Count,
            },
            even: true,
            curves: curves.collect(),
        }],
        ..Finding::of(&ITERATIONS)
    }
}

/// Returns the correlation of two lists of numbers.
fn correlation(pairs: &[[f64; 2]]) -> f64 {
    let count = pairs.len() as f64;
    let mean = |k: usize| pairs.iter().map(|p| p[k]).sum::<f64>() / count;
    let means = [mean(0), mean(1)];
    let product = |i: usize, j: usize| {
        let terms = pairs.iter().map(|p| (p[i] - means[i]) * (p[j] - means[j]));
        terms.sum::<f64>()
    };
    product(0, 1) / (product(0, 0) * product(1, 1)).sqrt()
}

fn deviations(scene: &Scene, effort: &Effort) -> Result<Finding, Error> {
    let sqp = BfgsSqp::default();
    let mut iterations = vec![0.0; scene.raw.len()];
    let mut batches = Vec::new();
    for _ in 0..BATCHES {
        let mut seconds = vec![f64::INFINITY; scene.raw.len()];
        for _ in 0..2 * effort.turns {
            for (i, (face, &y)) in scene.raw.iter().zip(&scene.points).enumerate() {
                let start = cpu_seconds();
                for _ in 0..REPEATS {
                    iterations[i] =
                        f64::from(std::hint::black_box(sqp.nearest(face, y)?).iterations);
                }
                seconds[i] = seconds[i].min((cpu_seconds() - start) / REPEATS as f64);
            }
        }
        batches.push(seconds);
    }
    let correlations: Vec<f64> = without_one(&batches)
        .iter()
        .map(|seconds| {
            let pairs = iterations.iter().zip(seconds).map(|(&n, &s)| [n, s]);
            correlation(&pairs.collect::<Vec<_>>())
        })
        .collect();
    let shortest = least(&batches);
    let mean = shortest.iter().sum::<f64>() / shortest.len() as f64;
    let squares: f64 = shortest.iter().map(|s| (s - mean) * (s - mean)).sum();
    let deviation = (squares / shortest.len() as f64).sqrt();
    let most = iterations.iter().copied().fold(0.0, f64::max) as usize;
    let by_count = (0..=most).filter_map(|n| {
        let of = iterations
            .iter()
            .zip(&shortest)
            .filter(|(m, _)| **m == n as f64);
        let times: Vec<f64> = of.map(|(_, &s)| s).collect();
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        (!times.is_empty()).then_some([n as f64, mean])
    });
    Ok(Finding {
        published: json!({"nanoseconds": 20457, "standard deviation": 7276}),
        measured: json!({
            "nanoseconds": 1e9 * mean,
            "standard deviation": 1e9 * deviation,
            "correlation": correlations,
        }),
        checks: vec![Check::interval(
            "correlation of time and iterations of a distance",
            interval(&correlations),
            at_least(DIRECT),
        )],
        remark: "The distance of a point from a triangle by the published method, each the minimum of several times, at an \
            accuracy of 1e-12. The standard deviation is that over the thousand distances; those of bounding \
            volumes are in the table of their tests."
            .into(),
        data: Data {
            head: vec!["what", "published", "here"],
            rows: vec![
                vec![
                    word("average time"),
                    printed(PUBLISHED[0], " ns", 1e-9),
                    Cell::Seconds(mean),
                ],
                vec![
                    word("standard deviation"),
                    printed(PUBLISHED[1], " ns", 1e-9),
                    Cell::Seconds(deviation),
                ],
                vec![
                    word("deviation of the average"),
                    Cell::Nothing,
                    Cell::Share(deviation / mean),
                ],
            ],
        },
        plots: vec![Plot {
            title: "Mean time of a distance by its number of iterations".into(),
            x: Axis {
                name: "iterations",
                unit: Unit::Count,
            },
            y: Axis {
                name: "a distance",
                unit: Unit::Seconds,
            },
            even: true,
            curves: vec![Curve {
                name: "triangles".into(),
                points: by_count.collect(),
                dashed: false,
            }],
        }],
        ..Finding::of(&DEVIATIONS)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_of_lines() {
        let line: Vec<[f64; 2]> = (0..9)
            .map(|i| [f64::from(i), 3.0 - 2.0 * f64::from(i)])
            .collect();
        assert!((correlation(&line) + 1.0).abs() < 1e-12);
        assert!(correlation(&[[0.0, 1.0], [1.0, 0.0], [2.0, 1.0]]).abs() < 1e-12);
    }
}
