//! Figures 5 and 6 of `weller2014`, measured: query times and build times; and the volume fraction
//! of a body that the spheres of a packing fill.

use super::scene::{Scene, rotating_copy, scenes};
use crate::Effort;
use crate::Error;
use crate::finding::{Cell, Data, Finding, word};
use crate::fit::exponent;
use crate::timing::{Work, cpu_seconds, race};
use serde_json::json;
use tangere::geometry::Pose;
use tangere::overlap::{OverlapQuery, OverlapSettings};
use tangere::shape::Packing;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The paper's longest query time for each of three numbers of spheres, in seconds, read from its
/// figure.
const PUBLISHED: [(usize, f64); 3] = [(4000, 1e-3), (20_000, 1e-3), (60_000, 2.5e-3)];

/// The paper's smallest and largest filling: the volume fraction of a body that its spheres fill.
const FILLINGS: [f64; 2] = [0.85, 0.95];

/// The times for one packing: of overlap queries with a rotating copy, and of building the search
/// grid.
struct Times {
    scene: &'static str,
    spheres: usize,
    filling: f64,
    /// The seconds of the query at each pose of the rotating copy.
    queries: Vec<f64>,
    build: f64,
}

impl Times {
    fn worst(&self) -> f64 {
        self.queries.iter().copied().fold(0.0, f64::max)
    }

    fn median(&self) -> f64 {
        let mut sorted = self.queries.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    }
}

pub fn all(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let mut counts = vec![4000, 8000, 20_000, 60_000];
    counts.retain(|&n| n <= effort.largest);
    if counts.is_empty() {
        counts.push(effort.largest / 10);
    }
    let count = effort.largest / 500;
    let mut times = Vec::new();
    for scene in &scenes(&counts)? {
        for packing in &scene.packings {
            times.push(timed(scene, packing, count, effort.turns)?);
        }
    }
    Ok(vec![
        fillings(&times),
        figure_5(&times, count),
        figure_6(&times),
    ])
}

fn timed(scene: &Scene, packing: &Packing, count: usize, turns: usize) -> Result<Times, Error> {
    let poses = rotating_copy(packing, count)?;
    let mut query = OverlapQuery::new(OverlapSettings::default())?;
    let mut queries = Vec::new();
    for pose in &poses {
        let mut run = || {
            query
                .overlap(packing, &Pose::identity(), packing, pose)
                .pairs
        };
        run();
        let least = (0..turns).map(|_| {
            let start = cpu_seconds();
            std::hint::black_box(run());
            cpu_seconds() - start
        });
        queries.push(least.fold(f64::INFINITY, f64::min));
    }
    let mut again = packing.clone();
    let build: Work<'_> = Box::new(move || {
        again.update(packing.centers(), packing.radii())?;
        Ok(again.len())
    });
    let build = race(turns, &mut [vec![build]])?[0][0];
    Ok(Times {
        scene: scene.name,
        spheres: packing.len(),
        filling: packing.filling(),
        queries,
        build,
    })
}

fn fillings(times: &[Times]) -> Finding {
    let fewest = times.iter().map(|t| t.spheres).min().unwrap_or(0);
    let of_fewest = times.iter().filter(|t| t.spheres == fewest);
    let least = of_fewest.map(|t| t.filling).fold(1.0, f64::min);
    Finding {
        name: "Filling",
        claim: "Packings of 4,000 to 60,000 spheres fill 85 to 95% of the bodies.".into(),
        published: json!({"least": FILLINGS[0], "most": FILLINGS[1]}),
        measured: json!({
            "least, fewest spheres": least,
            "most": times.iter().map(|t| t.filling).fold(0.0, f64::max),
        }),
        holds: least >= FILLINGS[0],
        remark: format!(
            "The least filling with {fewest} spheres is {:.1}%; bodies with a large surface-to-volume ratio are filled \
             less. Criterion: at least 85%.",
            100.0 * least
        ),
        data: data(times, &["filling"], |t| vec![Cell::Share(t.filling)]),
        pictures: Vec::new(),
        plots: Vec::new(),
    }
}

/// Returns a table with a row for each packing: the body, its number of spheres, and what was
/// measured.
fn data(times: &[Times], names: &[&'static str], cells: impl Fn(&Times) -> Vec<Cell>) -> Data {
    let row = |t: &Times| {
        let mut row = vec![word(t.scene), Cell::Count(t.spheres)];
        row.extend(cells(t));
        row
    };
    Data {
        head: [&["body", "spheres"], names].concat(),
        rows: times.iter().map(row).collect(),
    }
}

/// Returns one curve per body: `value` against the number of spheres.
fn curves(times: &[Times], value: impl Fn(&Times) -> f64) -> Vec<Curve> {
    times
        .chunk_by(|a, b| a.scene == b.scene)
        .map(|of| Curve {
            name: of[0].scene.into(),
            points: of.iter().map(|t| [t.spheres as f64, value(t)]).collect(),
            dashed: false,
        })
        .collect()
}

const SPHERES: Axis = Axis {
    name: "spheres",
    unit: Unit::Count,
};

fn figure_5(times: &[Times], count: usize) -> Finding {
    let seconds = |name| Axis {
        name,
        unit: Unit::Seconds,
    };
    let mut worst = curves(times, Times::worst);
    worst.push(Curve {
        name: "published, GTX 680".into(),
        points: PUBLISHED.iter().map(|&(n, s)| [n as f64, s]).collect(),
        dashed: true,
    });
    let growths: Vec<f64> = curves(times, Times::worst)
        .iter()
        .filter_map(|curve| exponent(&curve.points))
        .collect();
    let growth = growths.iter().copied().fold(0.0, f64::max);
    let peak = times
        .iter()
        .map(|t| t.worst() / t.median())
        .fold(0.0, f64::max);
    let first = times
        .chunk_by(|a, b| a.scene == b.scene)
        .next()
        .unwrap_or(&[]);
    let over_time = first.iter().map(|t| Curve {
        name: format!("{} spheres", t.spheres),
        points: (1..)
            .zip(&t.queries)
            .map(|(i, &s)| [f64::from(i), s])
            .collect(),
        dashed: false,
    });
    Finding {
        name: "Figure 5",
        claim: "A query takes about a millisecond in the worst case, nearly the same time for all poses of a body, and \
            time proportional to the number of spheres once all processors are busy."
            .into(),
        published: json!({"seconds, worst": PUBLISHED.map(|p| p.1), "exponent by spheres": "at most 1"}),
        measured: json!({
            "seconds, worst": times.iter().map(Times::worst).collect::<Vec<_>>(),
            "exponent by spheres": growth,
            "worst to median": peak,
        }),
        holds: growth <= 1.1 && times.iter().all(|t| {
            let published = PUBLISHED.iter().find(|p| p.0 >= t.spheres);
            published.is_none_or(|p| t.worst() <= p.1)
        }),
        remark: format!(
            "{count} poses of each body, the minimum of several times at each. The worst pose takes up to {peak:.1} \
             times as long as the median one: cells without spheres of the other body cost nothing, so \
             that light contacts are faster. Worst times grow with the power {growth:.2} of the number of \
             spheres. Criterion: a power of at most 1.1, and one thread is not slower than the paper's \
             1536 cores.",
        ),
        data: data(times, &["median", "worst"], |t| {
            vec![Cell::Seconds(t.median()), Cell::Seconds(t.worst())]
        }),
        pictures: Vec::new(),
        plots: vec![
            Plot {
                title: format!("Queries over time, {}", first.first().map_or("", |t| t.scene)),
                x: Axis {
                    name: "pose",
                    unit: Unit::Count,
                },
                y: seconds("a query"),
                even: false,
                curves: over_time.collect(),
            },
            Plot {
                title: "The worst query".into(),
                x: SPHERES,
                y: seconds("a query"),
                even: false,
                curves: worst,
            },
        ],
    }
}

fn figure_6(times: &[Times]) -> Finding {
    let growths: Vec<f64> = curves(times, |t| t.build)
        .iter()
        .filter_map(|curve| exponent(&curve.points))
        .collect();
    let growth = growths.iter().copied().fold(0.0, f64::max);
    let most = times.iter().map(|t| t.build).fold(0.0, f64::max);
    Finding {
        name: "Figure 6",
        claim: "The grid is built within a fraction of a millisecond, so that it can be rebuilt at every step for \
            deforming bodies."
            .into(),
        published: json!({"seconds": "below 1e-3"}),
        measured: json!({"seconds, most spheres": most, "exponent by spheres": growth}),
        holds: most < 1e-2 && growth < 1.2,
        remark: format!(
            "Spheres are validated, sorted into cells and checked for mutual overlaps, on one thread; the paper's GPU \
             has 1536 cores and validates nothing. Up to {:.2} ms, growing with the power {growth:.2} of \
             the number of spheres. Criterion: less than 10 ms and a power below 1.2.",
            1e3 * most
        ),
        data: data(times, &["build"], |t| vec![Cell::Seconds(t.build)]),
        pictures: Vec::new(),
        plots: vec![Plot {
            title: "Building the grid".into(),
            x: SPHERES,
            y: Axis {
                name: "a build",
                unit: Unit::Seconds,
            },
            even: false,
            curves: curves(times, |t| t.build),
        }],
    }
}
