//! Figures 10 and 15 of `muth2006`: fast multipoles against ray crossing.

use super::measure::{PaperMethod, Run};
use super::passes::{Passes, by_grid, chosen, data, meshes, of, plot, quotient};
use super::{Effort, claims, grids};
use crate::check::{Check, Outcome, at_least};
use crate::finding::{Finding, IN_A_FIGURE};
use serde_json::json;

pub fn figure_10(effort: &Effort, passes: &Passes) -> Finding {
    let runs = &passes.least[..];
    let grids = grids(effort);
    let ends = [grids[0], grids[grids.len() - 1]];
    let all = chosen(runs, &PaperMethod::ALL, &ends);
    let check = |grid: usize, printed: &str, between: [f64; 2]| {
        let what = format!("triangles at which the curves cross, {grid}^3 points");
        let crossing = |runs: &[Run]| crossover(runs, PaperMethod::PreChosen, grid);
        Check::interval(what, passes.ratio(crossing), between).printed(printed)
    };
    let mut checks = vec![check(10, "the five coarsest", [2048.0, 8192.0])];
    let mut open = None;
    match grids.contains(&80) {
        true => checks.push(check(80, "the three smallest", [128.0, 512.0])),
        false => open = Some("80^3 points are not measured in a quick run.".into()),
    }
    let crossing = |method: PaperMethod| by_grid(&ends, |grid| crossover(runs, method, grid));
    let early = |check: &Check| check.outcome() == Outcome::Fails;
    Finding {
        published: json!({
            "10^3 points, ray crossing is faster on": "the five coarsest discretizations",
            "80^3 points, ray crossing is faster on": "the three smallest spheres",
        }),
        measured: json!({
            "multipoles are faster from so many triangles on": {
                "WC": crossing(PaperMethod::WellChosen),
                "PC": crossing(PaperMethod::PreChosen),
            },
        }),
        better: checks.iter().any(early).then(|| {
            "multipoles are faster than ray crossing from smaller bodies on than in the paper".into()
        }),
        checks,
        open,
        remark: "The paper's spheres have 8, 32, 128, 512, 2048, 8192, 32768 and 131072 triangles. The crossing is interpolated \
            in logarithms between meshes; if multipoles are always faster it is the smallest mesh."
            .into(),
        data: data(&all),
        plots: vec![plot("Both methods, the sphere".into(), &all)],
        ..Finding::of(&claims::FIGURE_10)
    }
}

pub fn figure_15(effort: &Effort, passes: &Passes) -> Finding {
    use PaperMethod::{PreChosen, Ray, WellChosen};
    let runs = &passes.least[..];
    let grids = grids(effort);
    let (smallest, largest) = (grids[0], grids[grids.len() - 1]);
    let all = chosen(runs, &PaperMethod::ALL, &[smallest, largest]);
    let meshes = meshes(runs);
    let checks = |methods: [PaperMethod; 2], grid: usize, least: f64| {
        let at = |&n: &usize| {
            let [a, b] = methods.map(PaperMethod::name);
            let what = format!("{a} / {b} at {n} triangles, {grid}^3 points, least of all");
            let interval = passes.ratio(|runs| quotient(runs, methods, grid, n));
            Check::interval(what, interval, at_least(least))
        };
        Check::worst(meshes.iter().map(at))
    };
    let checks = [
        checks([PreChosen, Ray], smallest, 1.0),
        checks([Ray, PreChosen], largest, 2.0),
        checks([Ray, WellChosen], largest, 2.0),
    ];
    let checks: Vec<Check> = checks.into_iter().flatten().collect();
    let at_finest = |methods, grid| quotient(runs, methods, grid, meshes[meshes.len() - 1]);
    Finding {
        published: IN_A_FIGURE.into(),
        measured: json!({
            "PC / ray, fewest points, by mesh": meshes
                .iter()
                .map(|&n| quotient(runs, [PreChosen, Ray], smallest, n))
                .collect::<Vec<_>>(),
            "ray / WC, most points, finest mesh": at_finest([Ray, WellChosen], largest),
            "ray / PC, most points, finest mesh": at_finest([Ray, PreChosen], largest),
        }),
        better: (checks.first().is_some_and(|c| c.outcome() == Outcome::Fails)).then(|| {
            "multipoles are faster than ray crossing even with few points and a depth chosen without them".into()
        }),
        checks,
        remark: "The paper's foams are not public; these have the same numbers of triangles.".into(),
        data: data(&all),
        plots: vec![plot("Both methods, the foam".into(), &all)],
        ..Finding::of(&claims::FIGURE_15)
    }
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
