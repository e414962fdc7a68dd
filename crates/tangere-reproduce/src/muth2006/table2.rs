//! Table 2 of `muth2006`: seconds of the evaluation on trees of fixed depth.

use super::measure::{PaperMethod, Run};
use super::passes::{LINEAR, Passes, one};
use super::{Effort, claims, grids};
use crate::check::Check;
use crate::finding::{Cell, Data, Finding, maybe, word};
use crate::fit::exponent;
use serde_json::{Map, Value, json};

/// The paper's seconds of evaluation, as printed. A row has the number of points along an edge of
/// the grid, and the seconds for 8192, 32768 and 131072 triangles.
const TABLE_2: [(usize, [&str; 3]); 4] = [
    (10, ["< 1", "≈ 1", "< 1"]),
    (20, ["≈ 1", "5", "3"]),
    (40, ["10", "40", "24"]),
    (80, ["83", "329", "202"]),
];

const TRIANGLES: [usize; 3] = [8192, 32768, 131072];

/// Returns the seconds of the evaluation on pre-chosen trees.
fn evaluation(runs: &[Run], grid: usize, triangles: usize) -> Option<f64> {
    one(runs, PaperMethod::PreChosen, grid, triangles).map(|run| run.evaluation)
}

/// Returns the rows of table 2: published beside measured seconds.
fn data(effort: &Effort, runs: &[Run]) -> Data {
    let grids = grids(effort);
    let mut rows = Vec::new();
    for (grid, published) in TABLE_2.into_iter().filter(|(grid, _)| grids.contains(grid)) {
        let mut row = vec![word(format!("{grid}^3"))];
        for (triangles, published) in TRIANGLES.into_iter().zip(published) {
            row.push(word(format!("{published} s")));
            row.push(maybe(Cell::Seconds, evaluation(runs, grid, triangles)));
        }
        rows.push(row);
    }
    Data {
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
    }
}

pub fn linear(effort: &Effort, passes: &Passes) -> Finding {
    let runs = &passes.least[..];
    let grids = grids(effort);
    let growth = |runs: &[Run], triangles: usize, step: &[usize]| {
        let points = step
            .iter()
            .filter_map(|&grid| Some([grid.pow(3) as f64, evaluation(runs, grid, triangles)?]));
        exponent(&points.collect::<Vec<_>>())
    };
    let is_there = |n: &usize| growth(runs, *n, &grids).is_some();
    let present: Vec<usize> = TRIANGLES.into_iter().filter(is_there).collect();
    let (mut checks, mut steps) = (Vec::new(), Map::new());
    for &n in &present {
        let mut exponents = Vec::new();
        for step in grids.windows(2) {
            let what = format!(
                "exponent of evaluation by points, {n} triangles, {}^3 to {}^3",
                step[0], step[1]
            );
            let span = 3.0 * (step[1] as f64 / step[0] as f64).log10();
            let interval = passes.exponent(span, |runs| growth(runs, n, step));
            checks.push(Check::interval(what, interval, LINEAR).printed("linear"));
            exponents.push(growth(runs, n, step));
        }
        steps.insert(n.to_string(), json!(exponents));
    }
    let published = TABLE_2.map(|(grid, row)| (format!("{grid}^3"), json!(row)));
    Finding {
        published: json!({
            "seconds for 8192, 32768 and 131072 triangles": Value::Object(published.into_iter().collect()),
        }),
        measured: json!({
            "exponent by points, for each finer grid": steps,
            "seconds, finest grid": TRIANGLES.map(|n| evaluation(runs, grids[grids.len() - 1], n)),
        }),
        checks,
        remark: "Evaluation on pre-chosen trees. Eight points of a cell are evaluated at once, so that cells with fewer points cost as \
            much as with eight: growth comes close to linear only between the finest grids."
            .into(),
        data: data(effort, runs),
        ..Finding::of(&claims::TABLE_2)
    }
}

pub fn depth(effort: &Effort, passes: &Passes) -> Finding {
    let runs = &passes.least[..];
    let grids = grids(effort);
    let grid = grids[grids.len() - 1];
    let ratio = |runs: &[Run]| {
        Some(evaluation(runs, grid, TRIANGLES[2])? / evaluation(runs, grid, TRIANGLES[1])?)
    };
    let levels = |n| one(runs, PaperMethod::PreChosen, grid, n).and_then(|run| run.depth);
    let (mut checks, mut open) = (Vec::new(), None);
    match ratio(runs) {
        Some(_) => {
            checks = vec![
                Check::below(
                    format!("evaluation on 131072 / on 32768 triangles, {grid}^3 points"),
                    passes.ratio(ratio),
                    1.0,
                )
                .printed("202 s / 329 s"),
                Check::fact(
                    "the tree of 131072 triangles is deeper",
                    levels(TRIANGLES[2]) > levels(TRIANGLES[1]),
                ),
            ]
        }
        None => open = Some("131072 triangles are not measured in a quick run.".into()),
    }
    Finding {
        published: json!({"seconds, 80^3 points": {"32768": "329", "131072": "202"}}),
        measured: json!({"131072 / 32768": ratio(runs), "depths": [levels(TRIANGLES[1]), levels(TRIANGLES[2])]}),
        checks,
        open,
        remark: "Evaluation on pre-chosen trees.".into(),
        data: data(effort, runs),
        ..Finding::of(&claims::TABLE_2_DEPTH)
    }
}
