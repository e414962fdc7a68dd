//! Figures 7 to 9 and 12 to 14 of `muth2006`: each method on the spheres and on the foams.

use super::measure::{PaperMethod, Run};
use super::passes::{
    FITTED, LINEAR, Passes, by_grid, chosen, data, decades, growth, meshes, one, plot, quotient,
};
use super::{Effort, grids};
use crate::check::{Check, at_least, at_most};
use crate::claim::Claim;
use crate::finding::Finding;
use crate::fit::exponent;
use serde_json::json;

/// The number of triangles of the paper's finest foam.
const FINEST_FOAM: usize = 494_124;

/// The least share of a part of the time that dominates it strongly.
const STRONGLY: f64 = 2.0 / 3.0;

/// A body of the paper's figures, and what the text says of it alone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The times of the fewest points are closest to linear, and curves of small grids almost touch.
    Sphere,
    /// The set-up strongly dominates the times of the finest mesh.
    Foam,
}

impl Subject {
    fn name(self) -> &'static str {
        match self {
            Subject::Sphere => "the sphere",
            Subject::Foam => "the foam",
        }
    }
}

/// Returns the findings about three figures of a body: multipoles with each of the two choices of
/// the tree depth, and ray crossing.
pub fn figures(
    effort: &Effort,
    passes: &Passes,
    claims: [&'static Claim; 3],
    subject: Subject,
) -> Vec<Finding> {
    use PaperMethod::{PreChosen, Ray, WellChosen};
    let body = subject.name();
    let runs = &passes.least[..];
    let grids = grids(effort);
    let (smallest, largest) = (grids[0], grids[grids.len() - 1]);
    let meshes = meshes(runs);
    let finest = meshes[meshes.len() - 1];
    let listed: Vec<String> = meshes.iter().map(usize::to_string).collect();
    let span = decades(runs, FITTED);

    let well = chosen(runs, &[WellChosen], &grids);
    let mut checks: Vec<Check> = grids
        .iter()
        .map(|&grid| {
            let growth = |runs: &[Run]| growth(runs, WellChosen, grid, FITTED);
            let what = format!("exponent of total time by triangles, {grid}^3 points");
            Check::below(what, passes.exponent(span, growth), 1.0)
        })
        .collect();
    let closest = |runs: &[Run]| {
        let few = growth(runs, WellChosen, smallest, FITTED)?;
        let others = grids[1..].iter();
        let others = others.filter_map(|&grid| growth(runs, WellChosen, grid, FITTED));
        Some(few - others.fold(f64::NEG_INFINITY, f64::max))
    };
    if subject == Subject::Sphere {
        checks.push(Check::above(
            format!("exponent of {smallest}^3 points less the largest other one"),
            passes.exponent(span, closest),
            0.0,
        ));
    }
    let first = Finding {
        measured: by_grid(&grids, |grid| growth(runs, WellChosen, grid, FITTED)),
        checks,
        remark: format!(
            "Bodies have {} triangles. Degrees are log N, d is 1.5. The degree grows with the number of triangles, and with it the \
             cost of an expansion: asymptotically the set-up takes N log^2 N, which balancing the depth hides only while \
             points take as long as triangles.",
            listed.join(", ")
        ),
        data: data(&well),
        plots: vec![plot(format!("Well-chosen depth, {body}"), &well)],
        ..Finding::of(claims[0])
    };

    let pre = chosen(runs, &[PreChosen], &grids);
    let pairs = || {
        let meshes = meshes.iter();
        meshes.flat_map(|&n| grids.iter().map(move |&grid| (n, grid)))
    };
    let ratio_at = |(n, grid): (usize, usize)| {
        move |runs: &[Run]| quotient(runs, [PreChosen, WellChosen], grid, n)
    };
    let never = pairs().filter(|&(n, grid)| ratio_at((n, grid))(runs).is_some());
    let never = never.map(|(n, grid)| {
        let what = format!("PC / WC at {n} triangles, {grid}^3 points, least of all");
        Check::interval(what, passes.ratio(ratio_at((n, grid))), at_least(0.9))
    });
    let worse = pairs().filter_map(|at| Some((at, ratio_at(at)(runs)?)));
    let worse = worse.max_by(|a, b| a.1.total_cmp(&b.1));
    let touching = |runs: &[Run]| {
        let total = |grid| one(runs, PreChosen, grid, finest).map(Run::total);
        Some(total(20)? / total(smallest)?)
    };
    let mut checks: Vec<Check> = Check::worst(never).into_iter().collect();
    if let Some((at, _)) = worse {
        let what = format!(
            "PC / WC at {} triangles, {}^3 points, most of all",
            at.0, at.1
        );
        checks.push(Check::interval(
            what,
            passes.ratio(ratio_at(at)),
            at_least(1.1),
        ));
    }
    // The share of the set-up in the total time of the finest mesh.
    let share = |runs: &[Run], grid: usize| {
        let run = one(runs, PreChosen, grid, finest)?;
        Some(run.set_up / run.total())
    };
    let mut open = None;
    match subject {
        Subject::Sphere => {
            checks.push(Check::interval(
                format!("20^3 points / {smallest}^3 points at {finest} triangles"),
                passes.ratio(touching),
                at_most(1.5),
            ));
            checks.push(Check::above(
                format!("share of the set-up at {finest} triangles, {smallest}^3 points"),
                passes.ratio(|runs| share(runs, smallest)),
                0.5,
            ));
        }
        Subject::Foam if finest >= FINEST_FOAM => {
            let shares = grids.iter().map(|&grid| {
                let what = format!(
                    "share of the set-up at {finest} triangles, {grid}^3 points, least of all"
                );
                let interval = passes.ratio(|runs| share(runs, grid));
                Check::interval(what, interval, at_least(STRONGLY))
            });
            checks.extend(Check::worst(shares));
        }
        Subject::Foam => open = Some("The finest foam is not measured in a quick run.".into()),
    }
    let second = Finding {
        measured: json!({
            "20^3 to 10^3 points": touching(runs),
            "PC to WC, at most": worse.map(|w| w.1),
            "share of the set-up, finest mesh": by_grid(&grids, |grid| share(runs, grid)),
        }),
        checks,
        open,
        remark: "PC and WC are the total times with a pre-chosen and with a well-chosen depth."
            .into(),
        data: data(&pre),
        plots: vec![plot(format!("Pre-chosen depth, {body}"), &pre)],
        ..Finding::of(claims[1])
    };

    let ray = chosen(runs, &[Ray], &grids);
    let by_triangles = |runs: &[Run]| growth(runs, Ray, largest, FITTED);
    let by_points = |runs: &[Run]| {
        let point = |&grid: &usize| {
            let run = one(runs, Ray, grid, finest)?;
            Some([grid.pow(3) as f64, run.evaluation])
        };
        exponent(&grids.iter().filter_map(point).collect::<Vec<_>>())
    };
    let points_span = 3.0 * (largest as f64 / smallest as f64).log10();
    let third = Finding {
        published: match subject {
            Subject::Sphere => json!("linear dependency in both"),
            Subject::Foam => json!("linear dependency"),
        },
        measured: json!({
            "exponent by triangles": by_triangles(runs),
            "exponent by points": by_points(runs),
        }),
        checks: vec![
            Check::interval(
                format!("exponent by triangles, {largest}^3 points"),
                passes.exponent(span, by_triangles),
                LINEAR,
            ),
            Check::interval(
                format!("exponent by points, {finest} triangles"),
                passes.exponent(points_span, by_points),
                LINEAR,
            ),
        ],
        remark: "Exact predicates decide crossings. Where all points would take too long, an evenly spread \
            sample of the grid is timed and extrapolated."
            .into(),
        data: data(&ray),
        plots: vec![plot(format!("Ray crossing, {body}"), &ray)],
        ..Finding::of(claims[2])
    };
    vec![first, second, third]
}
