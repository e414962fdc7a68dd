//! Taylor series (panel clustering) against spherical harmonics, `muth2006`, section 2.1.2.

use super::claims;
use crate::Effort;
use crate::Error;
use crate::check::{Check, Outcome, at_least};
use crate::finding::{Cell, Data, Finding, word};
use crate::timing::{Batch, Race, Work, least, ratio_interval};
use serde_json::json;
use tangere::generate;
use tangere::inside::{
    Grid, InsideSettings, InsideTest, Multipole, MultipoleSettings, MultipoleTrees, RayTree, Side,
};
use tangere::shape::TriMesh;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

const DEGREES: [usize; 7] = [1, 2, 3, 4, 6, 8, 12];

/// The largest error of the potential for which the two series are compared: a twentieth of 1/2, which
/// decides sides.
const ACCURACIES: [f64; 3] = [0.025, 1e-3, 1e-4];

/// A form of the expansion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Series {
    Taylor,
    Harmonics,
}

impl Series {
    const BOTH: [Series; 2] = [Series::Taylor, Series::Harmonics];

    fn name(self) -> &'static str {
        match self {
            Series::Taylor => "Taylor series",
            Series::Harmonics => "spherical harmonics",
        }
    }

    /// The number of real coefficients of an expansion.
    fn terms(self, p: usize) -> usize {
        match self {
            Series::Taylor => (p + 1) * (p + 2) * (p + 3) / 6,
            Series::Harmonics => (p + 1) * (p + 1),
        }
    }

    fn test(self, degree: usize) -> tangere::Result<Multipole> {
        let trees = match self {
            Series::Taylor => MultipoleTrees::Panels,
            Series::Harmonics => MultipoleTrees::PreChosen,
        };
        let choices = MultipoleSettings::default().with_trees(trees);
        // The expansions alone: no point is evaluated again.
        let settings = InsideSettings::default().with_accuracy(0.999);
        Multipole::with(settings, choices.with_degree(degree))
    }
}

/// Returns the largest error of the potential at points off the surface.
fn error(
    series: Series,
    degree: usize,
    mesh: &TriMesh,
    points: &[[f64; 3]],
    sides: &[Side],
) -> Result<f64, Error> {
    let mut test = series.test(degree)?;
    let (mut winding, mut found) = (Vec::new(), Vec::new());
    test.update(mesh)?;
    test.winding(points, &mut winding)?;
    test.classify(points, &mut found)?;
    if found != sides {
        let message = format!("{} finds other sides than ray crossing", series.name());
        return Err(Error::Failed(message));
    }
    let pairs = winding.iter().zip(sides).filter(|(_, side)| **side != Side::OnSurface);
    Ok(pairs
        .map(|(w, side)| (w - f64::from(u8::from(*side == Side::Inside))).abs())
        .fold(0.0, f64::max))
}

/// A row: the series, its degree, and the largest error of the potential.
struct Row {
    series: Series,
    degree: usize,
    error: f64,
}

/// Returns the row of a series with the fewest terms whose error is at most `accuracy`.
fn cheapest(rows: &[Row], series: Series, accuracy: f64) -> Option<&Row> {
    rows.iter().find(|row| row.series == series && row.error <= accuracy)
}

pub fn all(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let (level, grid) = match (effort.is_least(), effort.is_quick()) {
        (true, _) => (3, 6),
        (_, true) => (5, 12),
        _ => (6, 20),
    };
    let mesh = generate::sphere(level)?;
    let points = Grid::around(&mesh.bounds(), grid)?.points();
    let mut sides = Vec::new();
    let mut exact = RayTree::new(InsideSettings::default())?;
    exact.update(&mesh)?;
    exact.classify(&points, &mut sides)?;
    let mut rows = Vec::new();
    for series in Series::BOTH {
        for degree in DEGREES {
            let error = error(series, degree, &mesh, &points, &sides)?;
            rows.push(Row {
                series,
                degree,
                error,
            });
        }
    }
    let terms = |series: Series, accuracy: f64| {
        let row = cheapest(&rows, series, accuracy)?;
        Some(row.series.terms(row.degree) as f64)
    };
    let mut checks: Vec<Check> = ACCURACIES
        .into_iter()
        .filter_map(|accuracy| {
            let quotient = terms(Series::Taylor, accuracy)? / terms(Series::Harmonics, accuracy)?;
            Some(Check::number(
                format!("terms, Taylor / harmonics, for an error of at most {accuracy}"),
                quotient,
                at_least(1.0),
            ))
        })
        .collect();
    // The evaluation of all points, at the degrees that reach the first accuracy.
    let mut groups: Vec<Vec<Work<'_>>> = vec![Vec::new()];
    for series in Series::BOTH {
        let degree = cheapest(&rows, series, ACCURACIES[0]).map_or(1, |row| row.degree);
        let mut test = series.test(degree)?;
        test.update(&mesh)?;
        let (points, mut winding) = (&points, Vec::new());
        groups[0].push(Box::new(move || {
            test.winding(points, &mut winding)?;
            Ok(winding.len())
        }));
    }
    let quotient = |batches: &[Batch]| {
        let ratios = batches.iter().map(|batch| batch[0][0] / batch[0][1]);
        Check::interval(
            format!("time of a point, Taylor / harmonics, for an error of at most {}", ACCURACIES[0]),
            ratio_interval(&ratios.collect::<Vec<f64>>()),
            at_least(1.0),
        )
    };
    let is_decided = |batches: &[Batch]| quotient(batches).outcome() != Outcome::Undecided;
    let batches = Race::new(&mut groups)?.batches(effort.batch, is_decided)?;
    let seconds = least(&batches);
    checks.push(quotient(&batches));
    let per = |k: usize| seconds[0][k] / points.len() as f64;
    let curve = |series: Series| Curve {
        name: series.name().into(),
        points: rows
            .iter()
            .filter(|row| row.series == series)
            .map(|row| [series.terms(row.degree) as f64, row.error.max(1e-16)])
            .collect(),
        dashed: series == Series::Taylor,
    };
    Ok(vec![Finding {
        measured: json!({
            "terms of Taylor series, of harmonics, by accuracy": ACCURACIES
                .map(|accuracy| Series::BOTH.map(|series| terms(series, accuracy))),
            "seconds a point": [per(0), per(1)],
        }),
        checks,
        remark: format!(
            "A sphere of {} triangles, {grid}^3 points, d = 1.5 for both; panel clustering sums the Taylor series of clusters at each point, \
             fast multipoles convert moments to local expansions with a pre-chosen depth. Both find the sides of ray crossing. \
             The terms of one degree are the same function in both forms, so that degrees are as accurate: of degree p the \
             Taylor series has (p + 1)(p + 2)(p + 3) / 6 terms, the harmonics (p + 1)^2. A point takes {} by Taylor series and {} by \
             harmonics, of which the latter are evaluated for eight points at once.",
            mesh.faces().len(),
            tangere_front::text::duration(per(0)),
            tangere_front::text::duration(per(1)),
        ),
        data: Data {
            head: vec!["series", "degree", "terms", "largest error"],
            rows: rows
                .iter()
                .map(|row| {
                    vec![
                        word(row.series.name()),
                        Cell::Count(row.degree),
                        Cell::Count(row.series.terms(row.degree)),
                        Cell::Number(row.error),
                    ]
                })
                .collect(),
        },
        plots: vec![Plot {
            title: "Error of the potential against the number of terms".into(),
            x: Axis {
                name: "terms of an expansion",
                unit: Unit::Count,
            },
            y: Axis {
                name: "largest error",
                unit: Unit::Number,
            },
            even: false,
            curves: Series::BOTH.map(curve).into(),
        }],
        ..Finding::of(&claims::TAYLOR)
    }])
}
