//! Figures 4 to 6 of `weller2014`, measured: query times and build times; and the volume fraction of
//! a body that the spheres of a packing fill.

use super::claims::{
    CONFIGURATIONS, FIGURE_5, FIGURE_6, FILLING, FLAT, LINEAR as GROWTH, TRIANGLES,
};
use super::scene::{CHAZELLE, KNOTS, Scene, largest_share, rotating_copy, scenes};
use super::{parallel, tables};
use crate::Effort;
use crate::Error;
use crate::check::{Check, at_least, at_most};
use crate::finding::{Cell, Data, Finding, word};
use crate::fit::exponent;
use crate::timing::{
    FEWEST_BATCHES, Work, cpu_seconds, exponent_interval, least, race, ratio_interval, without_one,
};
use serde_json::json;
use std::time::Instant;
use tangere::geometry::Pose;
use tangere::overlap::{Budget, Method, OverlapQuery, OverlapSettings};
use tangere::shape::Packing;
use tangere_front::text;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The smallest and the largest filling, the volume fraction of a body that its spheres fill, less one
/// percentage point, each with the number of spheres that this report assigns to it.
const FILLINGS: [(usize, f64); 2] = [(4000, 0.84), (60_000, 0.94)];
/// The filling as the text prints it, for 4000 up to 60000 spheres.
const PUBLISHED_FILLING: (&str, [f64; 2]) = ("about 85 - 95%", [0.85, 0.95]);

/// The largest quotient of times that counts as the same time.
const ALIKE: f64 = 1.25;
/// The exponents that count as linear growth.
const LINEAR: [f64; 2] = [0.9, 1.1];

/// Why milliseconds cannot be compared.
const ANOTHER_MACHINE: &str = "The paper's milliseconds are those of a parallel program on a GTX 680 graphics card, these of one \
    thread of a processor.";

/// The times for one packing: of overlap queries with a rotating copy, and of building the search
/// grid.
struct Times {
    scene: &'static str,
    triangles: usize,
    spheres: usize,
    filling: f64,
    /// The share of the body's volume that the largest sphere fills.
    largest: f64,
    /// For each batch the seconds of the query at each pose of the rotating copy.
    queries: Vec<Vec<f64>>,
    /// For each batch the seconds of building the grid.
    builds: Vec<f64>,
    /// The largest work of a query: rows of cells, tests of eight spheres and pairs.
    work: u64,
    /// The wall-clock seconds of a query, mean of all poses, on one thread and on two.
    threads: [f64; 2],
}

fn worst(queries: &[f64]) -> f64 {
    queries.iter().copied().fold(0.0, f64::max)
}

fn median(queries: &[f64]) -> f64 {
    let mut sorted = queries.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

impl Times {
    /// Returns the seconds of the query at each pose, least of all batches.
    fn least(&self) -> Vec<f64> {
        least(&self.queries)
    }

    fn build(&self) -> f64 {
        least(&self.builds)
    }

    /// Returns a statistic of the least times without one batch each.
    fn statistic(&self, of: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        let batches = without_one(&self.queries);
        batches.iter().map(|batch| of(batch)).collect()
    }

    fn name(&self) -> String {
        format!(
            "{}, {} spheres",
            self.scene,
            text::count(self.spheres as u64)
        )
    }
}

pub fn all(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let mut counts = match effort.is_quick() {
        true => vec![2000, 4000],
        false => vec![4000, 8000, 20_000, 60_000],
    };
    counts.retain(|&n| n <= effort.largest);
    if counts.is_empty() {
        counts.push(effort.largest / 10);
    }
    let count = (effort.largest / 500).clamp(2, 100);
    let scenes = scenes(&counts, effort)?;
    let mut times = Vec::new();
    for scene in &scenes {
        for packing in &scene.packings {
            times.push(timed(scene, packing, count, effort)?);
        }
    }
    let mut findings = vec![
        fillings(&times),
        figure_5(&times, count),
        configurations(&times),
        growth(&times),
        flat(&times),
        triangles(&times),
        figure_6(&times),
    ];
    findings.extend(tables::tables(&scenes)?);
    findings.push(parallel::construction(&scenes)?);
    findings.extend(tables::other_tables(&scenes, effort)?);
    Ok(findings)
}

/// Returns the wall-clock seconds of a query, mean of all poses and least of several turns, on one
/// thread and on two. NaN on two where a machine has one.
fn on_threads(packing: &Packing, poses: &[Pose], turns: usize) -> Result<[f64; 2], Error> {
    let mut seconds = [f64::NAN; 2];
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    for (threads, seconds) in (1..=processors.min(2)).zip(&mut seconds) {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| Error::Failed(format!("a thread: {error}")))?;
        let settings = OverlapSettings::default().with_method(Method::Grid);
        let mut query = OverlapQuery::new(settings)?;
        *seconds = pool.install(|| {
            let mut turn = || {
                let start = Instant::now();
                for pose in poses {
                    std::hint::black_box(query.overlap(packing, &Pose::identity(), packing, pose));
                }
                start.elapsed().as_secs_f64() / poses.len() as f64
            };
            turn();
            (0..turns).map(|_| turn()).fold(f64::INFINITY, f64::min)
        });
    }
    Ok(seconds)
}

/// Returns the largest work of a query of all poses.
fn most_work(packing: &Packing, poses: &[Pose]) -> Result<u64, Error> {
    let mut query = OverlapQuery::new(OverlapSettings::default().with_method(Method::Grid))?;
    let all = Budget::Work(u64::MAX);
    let here = Pose::identity();
    let work = poses.iter().map(|pose| {
        query
            .overlap_within(packing, &here, packing, pose, all)
            .work
    });
    Ok(work.max().unwrap_or(0))
}

fn timed(scene: &Scene, packing: &Packing, count: usize, effort: &Effort) -> Result<Times, Error> {
    let poses = rotating_copy(packing, count)?;
    // The paper's hierarchical grid; `auto` would choose inner sphere trees for rigid bodies.
    let settings = OverlapSettings::default().with_method(Method::Grid);
    let run = |(packing, query): &mut (Packing, OverlapQuery), pose: &Pose| {
        let start = cpu_seconds();
        let found = query.overlap(packing, &Pose::identity(), packing, pose);
        std::hint::black_box(found.pairs);
        cpu_seconds() - start
    };
    // The memory of a query is placed anew for each batch, as that of contestants of a race.
    let warm = || -> tangere::Result<(Packing, OverlapQuery)> {
        let mut made = (packing.clone(), OverlapQuery::new(settings)?);
        run(&mut made, &poses[0]);
        Ok(made)
    };
    let mut made = warm()?;
    let mut queries = Vec::new();
    for batch in 0..FEWEST_BATCHES {
        if batch > 0 {
            made = warm()?;
        }
        let least = |pose| {
            (0..effort.turns)
                .map(|_| run(&mut made, pose))
                .fold(f64::INFINITY, f64::min)
        };
        queries.push(poses.iter().map(least).collect());
    }
    let make = || {
        let mut again = packing.clone();
        let build: Work<'_> = Box::new(move || {
            again.update(packing.centers(), packing.radii())?;
            Ok(again.len())
        });
        Ok(vec![vec![build]])
    };
    let batches = race(make, effort.turns, |_| true)?;
    Ok(Times {
        scene: scene.name,
        triangles: scene.triangles,
        spheres: packing.len(),
        filling: packing.filling(),
        largest: largest_share(packing),
        queries,
        builds: batches.iter().map(|batch| batch[0][0]).collect(),
        work: most_work(packing, &poses)?,
        threads: on_threads(packing, &poses, effort.turns)?,
    })
}

/// Returns why a claim about 4000 to 60000 spheres cannot be judged, if the most are missing.
fn missing(times: &[Times]) -> Option<String> {
    let is_there = times.iter().any(|t| t.spheres == FILLINGS[1].0);
    (!is_there).then(|| "60000 spheres are not packed in a quick run.".into())
}

fn fillings(times: &[Times]) -> Finding {
    let mut checks = Vec::new();
    let (printed, range) = PUBLISHED_FILLING;
    for (spheres, least) in FILLINGS {
        let of = times.iter().filter(|t| t.spheres == spheres);
        let of = of.filter(|t| t.scene != CHAZELLE);
        let of = of.map(|t| {
            let what = format!("filling, {}, least of all bodies", t.name());
            Check::number(what, t.filling, at_least(least)).percent()
        });
        checks.extend(Check::worst(of).map(|check| check.printed_number(printed, range)));
    }
    let numbers = times.chunk_by(|a, b| a.scene == b.scene).map(|of| {
        let of_body = of.iter();
        let fillings = of_body.map(|t| (t.spheres.to_string(), json!(t.filling)));
        let fillings: serde_json::Map<_, _> = fillings.collect();
        (of[0].scene.to_owned(), json!(fillings))
    });
    let largest = times.iter().map(|t| t.largest).fold(0.0, f64::max);
    Finding {
        published: json!({"4000 up to 60000 spheres": printed}),
        measured: json!({"filling by number of spheres": numbers.collect::<serde_json::Map<_, _>>()}),
        checks,
        open: missing(times),
        remark: format!(
            "Bodies with a large surface-to-volume ratio are filled less. The paper's bodies are not given. Here one sphere alone fills at \
             most {}% of any body, so that no filling is that of a body which is almost a sphere. Chazelle's polyhedron is that of figure 1, \
             not among the text's scenes, and not judged.",
            text::three_digits(100.0 * largest)
        ),
        data: data(
            times,
            &["triangles", "filling", "by the largest sphere"],
            |t| {
                vec![
                    Cell::Count(t.triangles),
                    Cell::Share(t.filling),
                    Cell::Share(t.largest),
                ]
            },
        ),
        ..Finding::of(&FILLING)
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

fn seconds(name: &'static str) -> Axis {
    Axis {
        name,
        unit: Unit::Seconds,
    }
}

/// Returns the table of the query times.
fn query_data(times: &[Times]) -> Data {
    data(times, &["median", "worst", "worst / median"], |t| {
        let (median, worst) = (median(&t.least()), worst(&t.least()));
        vec![
            Cell::Seconds(median),
            Cell::Seconds(worst),
            Cell::Number(worst / median),
        ]
    })
}

fn figure_5(times: &[Times], count: usize) -> Finding {
    let worst_times = |t: &Times| worst(&t.least());
    let first = times
        .chunk_by(|a, b| a.scene == b.scene)
        .next()
        .unwrap_or(&[]);
    let over_time = first.iter().map(|t| Curve {
        name: format!("{} spheres", t.spheres),
        points: (1..)
            .zip(t.least())
            .map(|(i, s)| [f64::from(i), s])
            .collect(),
        dashed: false,
    });
    let plots = vec![
        Plot {
            title: format!(
                "Queries over time, {}",
                first.first().map_or("", |t| t.scene)
            ),
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
            curves: curves(times, worst_times),
        },
    ];
    Finding {
        published: json!("about 1 msec"),
        measured: json!({"seconds, worst": times.iter().map(worst_times).collect::<Vec<_>>()}),
        remark: format!(
            "{count} poses of each body, the minimum of several times at each. The curves are not printed as numbers."
        ),
        data: query_data(times),
        plots,
        open: Some(ANOTHER_MACHINE.into()),
        ..Finding::of(&FIGURE_5)
    }
}

fn configurations(times: &[Times]) -> Finding {
    let peak = |queries: &[f64]| worst(queries) / median(queries);
    let checks = times.iter().map(|t| {
        let what = format!("worst / median query, {}, largest of all", t.name());
        Check::interval(what, ratio_interval(&t.statistic(peak)), at_most(ALIKE))
    });
    let peaks = times.iter().map(|t| peak(&t.least()));
    Finding {
        measured: json!({"worst to median": peaks.fold(0.0, f64::max)}),
        checks: Check::worst(checks).into_iter().collect(),
        remark: "Cells without spheres of the other body cost nothing here, so that light contacts are faster than the \
            worst case: the time is not constant, but never longer than that."
            .into(),
        data: query_data(times),
        plots: vec![Plot {
            title: "Worst query over median query".into(),
            x: SPHERES,
            y: Axis {
                name: "quotient",
                unit: Unit::Number,
            },
            even: false,
            curves: curves(times, |t| peak(&t.least())),
        }],
        ..Finding::of(&CONFIGURATIONS)
    }
}

/// Returns for each body the interval of the exponent with which a statistic of the queries grows
/// with the number of spheres.
fn growths(times: &[Times], of: impl Fn(&[f64]) -> f64) -> Vec<(&'static str, [f64; 2])> {
    let body = |of_body: &[Times]| {
        let values: Vec<Vec<f64>> = of_body.iter().map(|t| t.statistic(&of)).collect();
        let batches = values.iter().map(Vec::len).min().unwrap_or(0);
        let exponents = (0..batches).filter_map(|b| {
            let points = of_body.iter().zip(&values);
            let points = points.map(|(t, values)| [t.spheres as f64, values[b]]);
            exponent(&points.collect::<Vec<_>>())
        });
        let ends = [of_body.first(), of_body.last()].map(|t| t.map_or(1.0, |t| t.spheres as f64));
        let exponents: Vec<f64> = exponents.collect();
        let interval = exponent_interval(&exponents, (ends[1] / ends[0]).log10());
        (of_body[0].scene, interval)
    };
    times
        .chunk_by(|a, b| a.scene == b.scene)
        .map(body)
        .collect()
}

fn growth(times: &[Times]) -> Finding {
    let growths = growths(times, worst);
    let by_work = curves(times, |t| t.work as f64);
    let by_time = growths.iter().map(|&(name, interval)| {
        let what = format!("exponent of the time by spheres, {name}, farthest of all");
        Check::interval(what, interval, LINEAR)
    });
    let checks = by_work.iter().map(|curve| {
        let what = format!(
            "exponent of the work by spheres, {}, farthest of all",
            curve.name
        );
        let exponent = exponent(&curve.points).unwrap_or(f64::NAN);
        Check::number(what, exponent, LINEAR)
    });
    let checks = [Check::worst(by_time), Check::worst(checks)];
    Finding {
        measured: json!({
            "exponent of the time by spheres": growths.iter().map(|g| g.1).collect::<Vec<_>>(),
            "exponent of the work by spheres": by_work
                .iter()
                .map(|curve| exponent(&curve.points))
                .collect::<Vec<_>>(),
        }),
        checks: checks.into_iter().flatten().collect(),
        remark: "One thread is loaded from the first sphere on. Work is the number of rows of cells, tests and pairs of the worst \
            query; it does not depend on the machine. Fewer than 4000 spheres, as in a quick run, do not fill the bodies evenly."
            .into(),
        data: query_data(times),
        plots: vec![Plot {
            title: "Work of the worst query: rows of cells, tests and pairs".into(),
            x: SPHERES,
            y: Axis {
                name: "work",
                unit: Unit::Count,
            },
            even: false,
            curves: by_work,
        }],
        ..Finding::of(&GROWTH)
    }
}

fn flat(times: &[Times]) -> Finding {
    let ratio = |of: &[Times]| {
        let at = |n| {
            of.iter()
                .find(|t| t.spheres == n)
                .map(|t| worst(&t.least()))
        };
        Some(at(20_000)? / at(4000)?)
    };
    let ratios: Vec<Option<f64>> = times
        .chunk_by(|a, b| a.scene == b.scene)
        .map(ratio)
        .collect();
    let two = |t: &Times| t.threads[1] / t.threads[0];
    let largest = times.iter().max_by_key(|t| t.spheres).map(two);
    let of = |threads: usize| {
        let points = times
            .chunk_by(|a, b| a.scene == b.scene)
            .next()
            .unwrap_or(&[]);
        let points = points
            .iter()
            .map(|t| [t.spheres as f64, t.threads[threads - 1]]);
        Curve {
            name: format!("{threads} thread{}", if threads == 1 { "" } else { "s" }),
            points: points.filter(|p| p[1].is_finite()).collect(),
            dashed: threads == 1,
        }
    };
    Finding {
        published: json!("up to 20000 spheres"),
        measured: json!({
            "20000 to 4000 spheres, one thread": ratios,
            "two threads to one": times.iter().map(two).collect::<Vec<_>>(),
        }),
        open: Some(
            "Constant time needs a number of processors that grows with the spheres. The paper observes it up to 20000 spheres on a \
             graphics card; this program runs on one or two threads, which are loaded from the first sphere on."
                .into(),
        ),
        remark: format!(
            "On two threads the query of the largest packing takes {} of the time on one, where the second processor is \
             free: that much of the flat part two of them can show.",
            largest.map_or("no".into(), |x| format!("{}%", text::three_digits(100.0 * x)))
        ),
        data: data(times, &["one thread", "two threads", "two / one"], |t| {
            vec![
                Cell::Seconds(t.threads[0]),
                Cell::Seconds(t.threads[1]),
                Cell::Number(two(t)),
            ]
        }),
        plots: vec![Plot {
            title: format!("A query, {}", times.first().map_or("", |t| t.scene)),
            x: SPHERES,
            y: seconds("a query"),
            even: false,
            curves: vec![of(1), of(2)],
        }],
        ..Finding::of(&FLAT)
    }
}

fn triangles(times: &[Times]) -> Finding {
    let of = |name: &'static str| times.iter().filter(move |t| t.scene == name);
    let checks = of(KNOTS[0]).zip(of(KNOTS[1])).map(|(few, many)| {
        let what = format!(
            "work of the worst query, {} triangles / {}, {} spheres",
            many.triangles, few.triangles, few.spheres
        );
        Check::number(
            what,
            many.work as f64 / few.work as f64,
            [1.0 / ALIKE, ALIKE],
        )
    });
    let counts = [0, 1].map(|k| of(KNOTS[k]).next().map(|t| t.triangles));
    let ratios = of(KNOTS[0]).zip(of(KNOTS[1]));
    let ratios = ratios.map(|(few, many)| worst(&many.least()) / worst(&few.least()));
    Finding {
        published: json!({"triangles": ["20k", "1.4 Millions"]}),
        measured: json!({
            "triangles": counts,
            "time of the worst query, many / few triangles": ratios.collect::<Vec<_>>(),
        }),
        checks: checks.collect(),
        remark: "The same knot from few and from many triangles. Only the packing, made in advance, sees them.".into(),
        data: data(times, &["triangles", "work", "worst"], |t| {
            vec![
                Cell::Count(t.triangles),
                Cell::Count(t.work as usize),
                Cell::Seconds(worst(&t.least())),
            ]
        }),
        plots: vec![Plot {
            title: "The worst query of the knots".into(),
            x: SPHERES,
            y: seconds("a query"),
            even: false,
            curves: curves(times, |t| worst(&t.least()))
                .into_iter()
                .filter(|curve| KNOTS.contains(&curve.name.as_str()))
                .collect(),
        }],
        ..Finding::of(&TRIANGLES)
    }
}

fn figure_6(times: &[Times]) -> Finding {
    let growths = curves(times, Times::build);
    let growths = growths.iter().filter_map(|curve| exponent(&curve.points));
    let most = times.iter().map(Times::build).fold(0.0, f64::max);
    Finding {
        published: json!("only a fraction of a millisecond"),
        measured: json!({
            "seconds, most spheres": most,
            "exponent by spheres": growths.fold(0.0, f64::max),
        }),
        remark: "Timed is the library's own grid, because its queries are those of the other claims of figure 5, and not the hash table of section \
            4.3, which has a fixed size of 16 MByte to be cleared at each construction. Spheres are validated, sorted into cells and checked \
            for mutual overlaps, on one thread."
            .into(),
        data: data(times, &["build"], |t| vec![Cell::Seconds(t.build())]),
        plots: vec![Plot {
            title: "Building the grid".into(),
            x: SPHERES,
            y: seconds("a build"),
            even: false,
            curves: curves(times, Times::build),
        }],
        open: Some(ANOTHER_MACHINE.into()),
        ..Finding::of(&FIGURE_6)
    }
}
