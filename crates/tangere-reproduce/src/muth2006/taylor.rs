//! Taylor series (panel clustering) against spherical harmonics, `muth2006`, section 2.1.2: the same
//! cluster by both series, and the time of both methods.

use super::claims;
use super::quadrature::Patch;
use crate::Effort;
use crate::Error;
use crate::check::{Check, at_least};
use crate::finding::{Cell, Data, Finding};
use crate::timing::{Work, least, race};
use serde_json::json;
use tangere::generate;
use tangere::inside::{
    CoefficientRule, Grid, InsideSettings, InsideTest, Layer, Multipole, MultipoleSettings,
    MultipoleTrees, RayTree,
};
use tangere_render::plot::{Axis, Curve, Plot, Unit};

const DEGREES: [usize; 6] = [1, 2, 4, 6, 8, 12];

/// The degree at which the times of both methods are compared.
const TIMED: usize = 6;

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

    /// The method that uses the series; leaf clusters have at most so many triangles.
    fn test(self, degree: usize, leaf: Option<usize>) -> tangere::Result<Multipole> {
        let trees = match self {
            Series::Taylor => MultipoleTrees::Panels,
            Series::Harmonics => MultipoleTrees::PreChosen,
        };
        let choices = MultipoleSettings::default().with_trees(trees);
        // The expansions alone: no point is evaluated again.
        let settings = InsideSettings::default().with_accuracy(0.999);
        Multipole::with(settings, choices.with_degree(degree).with_leaf(leaf))
    }
}

/// The largest errors of the potential of one cluster, by both series of a degree.
struct Row {
    degree: usize,
    errors: [f64; 2],
}

/// Returns the errors of both series for a cluster, at points beyond the separation.
fn compared(patch: &Patch) -> Result<Vec<Row>, Error> {
    let radius = patch.coefficients(1, CoefficientRule::Exact)?.radius();
    // Just beyond (16) for a cell that is the point alone, d = 1.5.
    let points = patch.points_at(2.51 * radius);
    let mut exact = Vec::new();
    let mut layer = Layer::new(InsideSettings::default())?;
    layer.update(&patch.mesh)?;
    layer.winding(&points, &mut exact)?;
    let most = |values: &[f64]| {
        let pairs = values.iter().zip(&exact);
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let mut rows = Vec::new();
    for degree in DEGREES {
        // One cluster of all triangles.
        let mut panels = Series::Taylor.test(degree, Some(patch.triangles.len()))?;
        let mut taylor = Vec::new();
        panels.update(&patch.mesh)?;
        panels.winding(&points, &mut taylor)?;
        let harmonics = patch.coefficients(degree, CoefficientRule::Exact)?;
        let harmonics: Vec<f64> = points.iter().map(|&p| harmonics.winding(p)).collect();
        rows.push(Row {
            degree,
            errors: [most(&taylor), most(&harmonics)],
        });
    }
    Ok(rows)
}

pub fn all(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let (level, grid) = match (effort.is_least(), effort.is_quick()) {
        (true, _) => (3, 6),
        (_, true) => (4, 10),
        _ => (6, 20),
    };
    let patch = Patch::new("cluster", 4)?;
    let rows = compared(&patch)?;
    let mesh = generate::sphere(level)?;
    let points = Grid::around(&mesh.bounds(), grid)?.points();
    let mut sides = Vec::new();
    let mut exact = RayTree::new(InsideSettings::default())?;
    exact.update(&mesh)?;
    exact.classify(&points, &mut sides)?;
    let mut is_same = true;
    for series in Series::BOTH {
        let mut test = series.test(TIMED, None)?;
        let mut found = Vec::new();
        test.update(&mesh)?;
        test.classify(&points, &mut found)?;
        is_same &= found == sides;
    }
    let work = |series: Series| -> tangere::Result<Work<'_>> {
        let mut test = series.test(TIMED, None)?;
        test.update(&mesh)?;
        let (points, mut winding) = (&points, Vec::new());
        Ok(Box::new(move || {
            test.winding(points, &mut winding)?;
            Ok(winding.len())
        }))
    };
    let make = || {
        let group = Series::BOTH.into_iter().map(work);
        Ok(vec![group.collect::<tangere::Result<Vec<_>>>()?])
    };
    let batches = race(make, effort.batch, |_| true)?;
    let seconds = least(&batches);
    let ratios = |value: fn(&Row) -> f64| rows.iter().map(value);
    let errors = |row: &Row| row.errors[0] / row.errors[1];
    let terms = |row: &Row| {
        let [taylor, harmonics] = Series::BOTH.map(|series| series.terms(row.degree) as f64);
        taylor / harmonics
    };
    let checks = vec![
        Check::interval(
            "error of the potential, Taylor / harmonics, at the same degree",
            [
                ratios(errors).fold(f64::INFINITY, f64::min),
                ratios(errors).fold(0.0, f64::max),
            ],
            [0.99, 1.01],
        ),
        Check::above(
            "share of the degrees at which harmonics have fewer terms",
            [ratios(terms).filter(|x| *x > 1.0).count() as f64 / rows.len() as f64; 2],
            0.5,
        ),
        Check::number(
            "terms, Taylor / harmonics, at the same degree, least of all",
            ratios(terms).fold(f64::INFINITY, f64::min),
            at_least(1.0),
        ),
        Check::fact(
            "both methods find the sides of exact ray crossings",
            is_same,
        ),
    ];
    let per = |k: usize| seconds[0][k] / points.len() as f64;
    let curve = |k: usize| Curve {
        name: Series::BOTH[k].name().into(),
        points: rows
            .iter()
            .map(|row| [Series::BOTH[k].terms(row.degree) as f64, row.errors[k]])
            .collect(),
        dashed: k == 0,
    };
    Ok(vec![Finding {
        measured: json!({
            "terms, Taylor / harmonics, by degree": rows
                .iter()
                .map(|row| (row.degree.to_string(), json!(terms(row))))
                .collect::<serde_json::Map<_, _>>(),
            "seconds a point": {
                "panel clustering": per(0),
                "fast multipoles": per(1),
            },
        }),
        checks,
        remark: format!(
            "Errors are those of one cluster of {} triangles at 200 points at 2.51 radii, by both series. The terms of one degree are the \
             same function in both forms, so that errors are equal: of degree p the Taylor series has (p + 1)(p + 2)(p + 3) / 6 terms, the \
             harmonics (p + 1)^2, as many at degree 1 and fewer from degree 2 on. Times, which are not judged, are those of the methods, on a sphere of {} triangles and {grid}^3 points, d = 1.5: panel clustering \
             sums the series of clusters at each point ({}), fast multipoles have one local expansion, evaluated for eight points at \
             once ({}).",
            patch.triangles.len(),
            mesh.faces().len(),
            tangere_front::text::duration(per(0)),
            tangere_front::text::duration(per(1)),
        ),
        data: Data {
            head: vec![
                "degree",
                "terms of the Taylor series",
                "terms of harmonics",
                "error of the Taylor series",
                "error of harmonics",
            ],
            rows: rows
                .iter()
                .map(|row| {
                    let [taylor, harmonics] = Series::BOTH.map(|s| s.terms(row.degree));
                    vec![
                        Cell::Count(row.degree),
                        Cell::Count(taylor),
                        Cell::Count(harmonics),
                        Cell::Number(row.errors[0]),
                        Cell::Number(row.errors[1]),
                    ]
                })
                .collect(),
        },
        plots: vec![Plot {
            title: "Error of the potential of a cluster against the number of terms".into(),
            x: Axis {
                name: "terms of an expansion",
                unit: Unit::Count,
            },
            y: Axis {
                name: "largest error",
                unit: Unit::Number,
            },
            even: false,
            curves: vec![curve(0), curve(1)],
        }],
        ..Finding::of(&claims::TAYLOR)
    }])
}
