//! Figures 10 and 15 of `muth2006`: fast multipoles against ray crossing.

use super::measure::{PaperMethod, Run};
use super::passes::{Passes, by_grid, chosen, data, meshes, of, plot, quotient};
use super::{Effort, claims, grids};
use crate::check::{Check, at_least};
use crate::finding::Finding;
use serde_json::json;

/// The paper's spheres on which ray crossing is faster, with 10^3 points: the five coarsest, of which the
/// text prints 8 triangles; the others follow by refinement. With 80^3 points they are the first three.
const COARSEST: [usize; 5] = [8, 32, 128, 512, 2048];

/// The paper's other spheres.
const FINEST: [usize; 3] = [8192, 32768, 131072];

/// The quotient of times from which on a method is a lot faster; below it is a little bit faster.
const A_LOT: f64 = 2.0;

/// Why some of the paper's runs are missing in a quick run.
const NOT_QUICK: &str = "80^3 points are not measured in a quick run.";

fn ratio_check(
    passes: &Passes,
    methods: [PaperMethod; 2],
    grid: usize,
    triangles: usize,
) -> (String, [f64; 2]) {
    let [a, b] = methods.map(PaperMethod::name);
    (
        format!("{a} / {b} at {triangles} triangles, {grid}^3 points"),
        passes.ratio(|runs| quotient(runs, methods, grid, triangles)),
    )
}

pub fn figure_10(effort: &Effort, passes: &Passes) -> Vec<Finding> {
    use PaperMethod::{PreChosen, Ray, WellChosen};
    let runs = &passes.least[..];
    let grids = grids(effort);
    let ends = [grids[0], grids[grids.len() - 1]];
    let all = chosen(runs, &PaperMethod::ALL, &ends);
    let slower = |grid: usize, printed: &'static str, meshes: &[usize]| {
        let check = |&n: &usize| {
            let (what, interval) = ratio_check(passes, [PreChosen, Ray], grid, n);
            Check::above(what, interval, 1.0).printed(printed)
        };
        meshes.iter().map(check).collect::<Vec<_>>()
    };
    let mut checks = slower(10, "the five coarsest", &COARSEST);
    let is_whole = grids.contains(&80);
    if is_whole {
        checks.extend(slower(80, "the three smallest", &COARSEST[..3]));
    }
    let crossing = |method: PaperMethod| by_grid(&ends, |grid| crossover(runs, method, grid));
    let plain = of(runs, PreChosen, ends[0]).filter(|run| run.depth.is_some_and(|d| d < 2));
    let plain = plain.map(|run| run.triangles).max().unwrap_or(0);
    let coarse = Finding {
        published: json!({
            "10^3 points, ray crossing is faster on": "the five coarsest discretizations",
            "80^3 points, ray crossing is faster on": "the three smallest spheres",
        }),
        measured: json!({
            "multipoles are faster from so many triangles on": {
                "WC": crossing(WellChosen),
                "PC": crossing(PreChosen),
            },
        }),
        checks,
        open: (!is_whole).then(|| NOT_QUICK.into()),
        remark: format!(
            "The paper's spheres have 8, 8192, 32768 and 131072 triangles, as printed, the others by refinement: 32, 128, 512 and 2048. Up to {plain} triangles the pre-chosen \
             depth is 1: no cell is far from another, nothing is expanded, and what is timed as multipoles is the plain sum of solid \
             angles, for eight points at once; ray crossing decides by exact predicates, one point after the other. The order on these \
             bodies is that of two loops over all triangles, not of two methods. The measured crossing is interpolated in \
             logarithms; it is null where ray crossing is faster on the finest mesh."
        ),
        data: data(&all),
        plots: vec![plot("Both methods, the sphere".into(), &all)],
        ..Finding::of(&claims::FIGURE_10)
    };
    let measured = meshes(runs);
    let fine: Vec<usize> = FINEST
        .into_iter()
        .filter(|n| measured.contains(n))
        .collect();
    let faster = |method: PaperMethod| {
        fine.iter().map(move |&n| {
            let (what, interval) = ratio_check(passes, [Ray, method], ends[0], n);
            Check::interval(what, interval, [1.0, A_LOT]).strict()
        })
    };
    let few = chosen(runs, &PaperMethod::ALL, &ends[..1]);
    let by_mesh = |method: PaperMethod| {
        fine.iter()
            .map(|&n| quotient(runs, [Ray, method], ends[0], n))
            .collect::<Vec<_>>()
    };
    let finest = Finding {
        measured: json!({
            "triangles": fine,
            "ray / PC": by_mesh(PreChosen),
            "ray / WC": by_mesh(WellChosen),
        }),
        checks: faster(PreChosen).chain(faster(WellChosen)).collect(),
        open: (fine.len() < FINEST.len())
            .then(|| "131072 triangles are not measured in a quick run.".into()),
        remark: "Quotients of total times. With few points the set-up on a pre-chosen tree takes most of the time, on a well-chosen \
            tree it does not."
            .into(),
        data: data(&few),
        plots: vec![plot("Both methods, the sphere, fewest points".into(), &few)],
        ..Finding::of(&claims::FIGURE_10_FINEST)
    };
    vec![coarse, finest]
}

pub fn figure_15(effort: &Effort, passes: &Passes) -> Finding {
    use PaperMethod::{PreChosen, Ray, WellChosen};
    let runs = &passes.least[..];
    let grids = grids(effort);
    let (smallest, largest) = (grids[0], grids[grids.len() - 1]);
    let all = chosen(runs, &PaperMethod::ALL, &[smallest, largest]);
    let meshes = meshes(runs);
    let few = meshes.iter().map(|&n| {
        let (what, interval) = ratio_check(passes, [PreChosen, Ray], smallest, n);
        Check::above(what, interval, 1.0)
    });
    let mut checks: Vec<Check> = few.collect();
    let is_whole = grids.contains(&80);
    if is_whole {
        for method in [PreChosen, WellChosen] {
            checks.extend(meshes.iter().map(|&n| {
                let (what, interval) = ratio_check(passes, [Ray, method], largest, n);
                Check::interval(what, interval, at_least(A_LOT))
            }));
        }
    }
    let by_mesh = |methods, grid| {
        let meshes = meshes.iter();
        meshes
            .map(|&n| quotient(runs, methods, grid, n))
            .collect::<Vec<_>>()
    };
    let listed: Vec<String> = meshes.iter().map(usize::to_string).collect();
    Finding {
        measured: json!({
            "triangles": meshes,
            "PC / ray, fewest points": by_mesh([PreChosen, Ray], smallest),
            "WC / ray, fewest points": by_mesh([WellChosen, Ray], smallest),
            "ray / WC, most points": by_mesh([Ray, WellChosen], largest),
            "ray / PC, most points": by_mesh([Ray, PreChosen], largest),
        }),
        checks,
        open: (!is_whole).then(|| NOT_QUICK.into()),
        remark: format!(
            "The paper's foams, of 28952, 120868 and 494124 triangles, are not given; these are generated and have {}. The most \
             points are {largest}^3.",
            listed.join(", ")
        ),
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
