//! muth2006: point containment in bodies of many triangles, by fast multipoles or by ray crossing.
//!
//! The double layer potential is evaluated by [`tangere::inside::Multipole`] with the trees of the
//! paper and expansions of a degree of about log N, where N is the number of triangles. The depth
//! of the trees is chosen in two ways: with and without knowledge of the number of query points.
//! Crossings are counted by [`tangere::inside::Ray`], which tests every triangle, as the paper
//! does. Bodies are the paper's spheres, and foams with as many triangles as the paper's bodies.
//! Query points are the centres of the equal cells that divide the cube around the body.

mod measure;

use self::measure::{PaperMethod, Run, measured};
use super::finding::{Cell, Data, Finding, maybe, word};
use super::fit::exponent;
use super::{Effort, Experiment, Paper};
use crate::Error;
use serde_json::{Value, json};
use tangere::generate;
use tangere::shape::TriMesh;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

pub const PAPER: Paper = Paper {
    key: "muth2006",
    title: "Collision detection for complicated polyhedra using the fast multipole method or \
            ray crossing",
    about: "B. Muth, G. Of, P. Eberhard and O. Steinbach decide point containment by the double \
        layer potential, evaluated by fast multipoles, or by counting the crossings of a ray \
        with all triangles. Total time is set-up and evaluation. WC denotes a tree depth well \
        chosen from the numbers of triangles and points, PC one pre-chosen from the triangles \
        alone.",
    experiments: &[
        Experiment {
            what: "spheres",
            run: spheres,
        },
        Experiment {
            what: "foams",
            run: foams,
        },
    ],
};

/// The range of exponents of growth that are accepted as linear.
const LINEAR: [f64; 2] = [0.8, 1.15];

/// Returns for each grid of query points its number of points along an edge.
fn grids(effort: &Effort) -> Vec<usize> {
    match is_quick(effort) {
        true => vec![10, 20, 40],
        false => vec![10, 20, 40, 80],
    }
}

fn is_quick(effort: &Effort) -> bool {
    effort.largest < Effort::FULL.largest
}

fn spheres(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let most = if is_quick(effort) { 6 } else { 7 };
    let bodies = (0..=most).map(generate::sphere);
    let runs = measured(
        effort,
        &bodies.collect::<Result<Vec<_>, _>>()?,
        &grids(effort),
    )?;
    let names = ["Figure 7", "Figure 8", "Figure 9", "Figure 10"];
    let crossovers = json!({
        "ray crossing is faster than PC up to so many triangles": {"10^3": 2048, "80^3": 128},
    });
    let mut findings = figures(effort, &runs, names, "the sphere", crossovers);
    findings.push(table_2(effort, &runs));
    Ok(findings)
}

fn foams(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let counts: &[usize] = match is_quick(effort) {
        true => &[2_000, 7_000, 28_952],
        false => &[28_952, 120_868, 494_124],
    };
    let bodies = counts.iter().map(|&count| generate::foam(count, 1));
    let bodies: Vec<TriMesh> = bodies.collect::<Result<_, _>>()?;
    let runs = measured(effort, &bodies, &grids(effort))?;
    let names = ["Figure 12", "Figure 13", "Figure 14", "Figure 15"];
    let crossovers = json!({
        "faster than PC, 10^3 points": "ray crossing",
        "faster, 80^3 points": "multipoles",
    });
    Ok(figures(effort, &runs, names, "the foam", crossovers))
}

/// Returns the exponent with which the total time on one grid grows with the number of triangles,
/// fitted to the meshes of at least `least` triangles.
fn growth(runs: &[Run], method: PaperMethod, grid: usize, least: usize) -> Option<f64> {
    let points: Vec<[f64; 2]> = of(runs, method, grid)
        .filter(|run| run.triangles >= least)
        .map(|run| [run.triangles as f64, run.total()])
        .collect();
    exponent(&points)
}

fn of(runs: &[Run], method: PaperMethod, grid: usize) -> impl Iterator<Item = &Run> {
    runs.iter()
        .filter(move |run| run.method == method && run.grid == grid)
}

fn data(runs: &[&Run]) -> Data {
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

fn plot(title: String, runs: &[&Run]) -> Plot {
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

fn shown(x: Option<f64>) -> String {
    x.map_or("-".into(), |x| format!("{x:.2}"))
}

/// Returns a JSON object with a value for each grid.
fn by_grid(grids: &[usize], value: impl Fn(usize) -> Option<f64>) -> Value {
    let pairs = grids.iter().map(|&n| (format!("{n}^3"), json!(value(n))));
    Value::Object(pairs.collect())
}

/// Returns the findings about the four figures of a body: multipoles with each of the two choices
/// of the tree depth, ray crossing, and all three methods together.
fn figures(
    effort: &Effort,
    runs: &[Run],
    names: [&'static str; 4],
    body: &str,
    crossovers: Value,
) -> Vec<Finding> {
    let grids = grids(effort);
    let (smallest, largest) = (grids[0], grids[grids.len() - 1]);
    let most = runs.iter().map(|run| run.triangles).max().unwrap_or(0);
    let chosen = |methods: &[PaperMethod], some: &[usize]| -> Vec<&Run> {
        let is_wanted = |run: &&Run| methods.contains(&run.method) && some.contains(&run.grid);
        runs.iter().filter(is_wanted).collect()
    };
    let largest_of =
        |method: PaperMethod, grid: usize| of(runs, method, grid).find(|r| r.triangles == most);
    let time = |method: PaperMethod, grid: usize| largest_of(method, grid).map(Run::total);

    let well = chosen(&[PaperMethod::WellChosen], &grids);
    let growths: Vec<Option<f64>> = grids
        .iter()
        .map(|&grid| growth(runs, PaperMethod::WellChosen, grid, 500))
        .collect();
    let is_less = |growth: &Option<f64>| growth.is_some_and(|e| e < LINEAR[1]);
    let first = Finding {
        name: names[0],
        claim: format!(
            "With a well-chosen depth the total time of fast multipoles for {body} grows less \
             than linearly with the number of triangles, and comes closest to linear for the \
             fewest points."
        ),
        published: json!({"exponent of total time": "below 1"}),
        measured: by_grid(&grids, |grid| {
            growth(runs, PaperMethod::WellChosen, grid, 500)
        }),
        holds: growths.iter().all(is_less) && growths[0] >= growths[growths.len() - 1],
        remark: format!(
            "The exponent is {} for {smallest}^3 points and {} for {largest}^3, over meshes of at \
             least 500 triangles. Degrees are log N, d is 1.5. Criterion: all exponents are below {} \
             and that of the fewest points is the largest.",
            shown(growths[0]),
            shown(growths[growths.len() - 1]),
            LINEAR[1],
        ),
        data: data(&well),
        pictures: Vec::new(),
        plots: vec![plot(format!("Well-chosen depth, {body}"), &well)],
    };

    let pre = chosen(&[PaperMethod::PreChosen], &grids);
    let worse = of(runs, PaperMethod::PreChosen, largest)
        .chain(of(runs, PaperMethod::PreChosen, smallest))
        .filter_map(|run| {
            let other = of(runs, PaperMethod::WellChosen, run.grid);
            let other = other.into_iter().find(|r| r.triangles == run.triangles)?;
            Some(run.total() / other.total())
        })
        .fold(0.0, f64::max);
    let touching = time(PaperMethod::PreChosen, 20)
        .zip(time(PaperMethod::PreChosen, smallest))
        .map(|(more, fewer)| more / fewer);
    let second = Finding {
        name: names[1],
        claim: format!(
            "With a pre-chosen depth times for {body} are longer; for few points set-up dominates, \
             so that the curves of the small grids almost coincide."
        ),
        published: json!({"20^3 to 10^3 points": "about 1", "PC to WC": "above 1"}),
        measured: json!({"20^3 to 10^3 points": touching, "PC to WC, at most": worse}),
        holds: touching.is_some_and(|ratio| ratio < 2.0) && worse > 1.0,
        remark: format!(
            "On the finest mesh 20^3 points take {} times as long as {smallest}^3, although they are \
             eight times as many; at worst, a pre-chosen depth takes {worse:.2} times as long as a \
             well-chosen one. Criterion: the first ratio is below 2 and the second above 1.",
            shown(touching),
        ),
        data: data(&pre),
        pictures: Vec::new(),
        plots: vec![plot(format!("Pre-chosen depth, {body}"), &pre)],
    };

    let ray = chosen(&[PaperMethod::Ray], &grids);
    let by_triangles = growth(runs, PaperMethod::Ray, largest, 500);
    let by_points: Vec<[f64; 2]> = grids
        .iter()
        .filter_map(|&grid| {
            Some([
                grid.pow(3) as f64,
                largest_of(PaperMethod::Ray, grid)?.evaluation,
            ])
        })
        .collect();
    let by_points = exponent(&by_points);
    let is_linear = |e: Option<f64>| e.is_some_and(|e| (LINEAR[0]..=LINEAR[1]).contains(&e));
    let third = Finding {
        name: names[2],
        claim: format!(
            "Ray crossing takes time linear in the number of triangles of {body} and in the \
             number of points."
        ),
        published: json!({"exponent by triangles": 1, "exponent by points": 1}),
        measured: json!({"exponent by triangles": by_triangles, "exponent by points": by_points}),
        holds: is_linear(by_triangles) && is_linear(by_points),
        remark: format!(
            "Exponents are {} by triangles, over meshes of at least 500, and {} by points. Exact \
             predicates decide crossings. Where all points would take too long, an evenly spread \
             sample of the grid is timed and extrapolated.",
            shown(by_triangles),
            shown(by_points),
        ),
        data: data(&ray),
        pictures: Vec::new(),
        plots: vec![plot(format!("Ray crossing, {body}"), &ray)],
    };

    let all = chosen(&PaperMethod::ALL, &[smallest, largest]);
    let cross = |method: PaperMethod, grid: usize| crossover(runs, method, grid);
    let crossing = json!({
        "WC": by_grid(&[smallest, largest], |grid| cross(PaperMethod::WellChosen, grid)),
        "PC": by_grid(&[smallest, largest], |grid| cross(PaperMethod::PreChosen, grid)),
    });
    let wins = |method: PaperMethod| {
        let ratio = time(PaperMethod::Ray, largest).zip(time(method, largest));
        ratio.map(|(ray, multipole)| ray / multipole)
    };
    // The depth is chosen independently of the points, as in the paper's conclusion.
    let later = match (
        cross(PaperMethod::PreChosen, smallest),
        cross(PaperMethod::PreChosen, largest),
    ) {
        (Some(few), Some(many)) => few > many,
        (None, Some(_)) => true,
        _ => false,
    };
    let crossing_at = |method: PaperMethod, grid: usize| {
        cross(method, grid).map_or("no number of".into(), |n| format!("{n:.0}"))
    };
    let fourth = Finding {
        name: names[3],
        claim: format!(
            "For many points fast multipoles are faster except on the smallest meshes of {body}; for \
             few points and a pre-chosen depth, ray crossing is faster up to finer meshes."
        ),
        published: crossovers,
        measured: json!({
            "multipoles are faster from so many triangles on": crossing,
            "ray to multipole, most points, finest mesh": wins(PaperMethod::WellChosen),
        }),
        holds: later && wins(PaperMethod::WellChosen).is_some_and(|ratio| ratio > 1.0),
        remark: format!(
            "With a pre-chosen depth the curves cross at {} triangles for {largest}^3 points and at \
             {} for {smallest}^3, with a well-chosen one at {} and {}. On the finest mesh with most \
             points ray crossing takes {} times as long as multipoles. Criterion: multipoles are \
             faster there, and the pre-chosen curves cross later for the fewest points.",
            crossing_at(PaperMethod::PreChosen, largest),
            crossing_at(PaperMethod::PreChosen, smallest),
            crossing_at(PaperMethod::WellChosen, largest),
            crossing_at(PaperMethod::WellChosen, smallest),
            wins(PaperMethod::WellChosen).map_or("-".into(), |ratio| format!("{ratio:.0}")),
        ),
        data: data(&all),
        pictures: Vec::new(),
        plots: vec![plot(format!("Both methods, {body}"), &all)],
    };
    vec![first, second, third, fourth]
}

/// Returns the number of triangles from which multipoles are faster than ray crossing: where the
/// curves of their times cross, interpolated in logarithms. If multipoles are always faster, it is
/// that of the smallest mesh; `None` if they are slower for the largest mesh.
fn crossover(runs: &[Run], method: PaperMethod, grid: usize) -> Option<f64> {
    let ratio = |run: &Run| {
        let other = of(runs, PaperMethod::Ray, grid).find(|r| r.triangles == run.triangles)?;
        Some([
            (run.triangles as f64).ln(),
            (other.total() / run.total()).ln(),
        ])
    };
    let ratios: Vec<[f64; 2]> = of(runs, method, grid).filter_map(ratio).collect();
    let last = ratios.iter().rposition(|r| r[1] <= 0.0);
    match last {
        None => ratios.first().map(|r| r[0].exp()),
        Some(last) => {
            let ([x0, y0], [x1, y1]) = (ratios[last], *ratios.get(last + 1)?);
            Some((x0 - y0 * (x1 - x0) / (y1 - y0)).exp())
        }
    }
}

/// The paper's seconds of evaluation. A row has the number of points along an edge of the grid, and
/// the seconds for 8192, 32768 and 131072 triangles; `None` where the paper prints "below 1" or
/// "about 1".
const TABLE_2: [(usize, [Option<f64>; 3]); 4] = [
    (10, [None, None, None]),
    (20, [None, Some(5.0), Some(3.0)]),
    (40, [Some(10.0), Some(40.0), Some(24.0)]),
    (80, [Some(83.0), Some(329.0), Some(202.0)]),
];

fn table_2(effort: &Effort, runs: &[Run]) -> Finding {
    const TRIANGLES: [usize; 3] = [8192, 32768, 131072];
    let grids = grids(effort);
    let last = grids[grids.len() - 1];
    let evaluation = |grid: usize, triangles: usize| {
        let found = of(runs, PaperMethod::PreChosen, grid).find(|run| run.triangles == triangles);
        found.map(|run| run.evaluation)
    };
    let mut rows = Vec::new();
    for (grid, published) in TABLE_2.into_iter().filter(|(grid, _)| grids.contains(grid)) {
        let mut row = vec![word(format!("{grid}^3"))];
        for (triangles, published) in TRIANGLES.into_iter().zip(published) {
            row.push(maybe(Cell::Seconds, published));
            row.push(maybe(Cell::Seconds, evaluation(grid, triangles)));
        }
        rows.push(row);
    }
    let growths = TRIANGLES.map(|triangles| {
        // Cells with fewer than eight points cost as much as cells with eight.
        let points = grids.iter().filter(|&&grid| 2 * grid >= last);
        let points =
            points.filter_map(|&grid| Some([grid.pow(3) as f64, evaluation(grid, triangles)?]));
        exponent(&points.collect::<Vec<_>>())
    });
    let known = || growths.iter().flatten();
    let faster = match (evaluation(last, 131072), TABLE_2[3].1[2]) {
        (Some(here), Some(there)) if last == 80 => Some(there / here),
        _ => None,
    };
    Finding {
        name: "Table 2",
        claim:
            "With a fixed depth the evaluation takes time linear in the number of points: eight \
            times as long for each finer grid."
                .into(),
        published: json!({"exponent by points": 1, "seconds, 80^3 points": [83, 329, 202]}),
        measured: json!({
            "exponent by points": growths,
            "seconds, finest grid": TRIANGLES.map(|n| evaluation(last, n)),
        }),
        holds: known().count() > 0 && known().all(|e| (0.8..=LINEAR[1]).contains(e)),
        remark: format!(
            "Evaluation on pre-chosen trees. Exponents between the two finest grids are {}, {} and {}: \
             eight points of a cell are evaluated at once, so that cells with fewer points cost as much.{} \
             Criterion: exponents between 0.8 and {}.",
            shown(growths[0]),
            shown(growths[1]),
            shown(growths[2]),
            faster.map_or(String::new(), |ratio| format!(
                " The finest mesh with most points is {ratio:.0} times as fast as in the paper."
            )),
            LINEAR[1],
        ),
        data: Data {
            head: vec![
                "points",
                "8192 published",
                "8192 here",
                "32768 published",
                "32768 here",
                "131072 published",
                "131072 here",
            ],
            rows,
        },
        pictures: Vec::new(),
        plots: Vec::new(),
    }
}
