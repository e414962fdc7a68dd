//! Table 1 of `muth2006`: the numbers of operations of the fast multipole method, and how the cost of
//! each grows with the degree.

use super::claims;
use crate::Effort;
use crate::Error;
use crate::check::{Check, at_most};
use crate::finding::{Cell, Data, Finding, word};
use crate::fit::exponent;
use crate::timing::{
    Batch, FEWEST_BATCHES, MOST_BATCHES, Work, exponent_interval, least, race, without_one,
};
use serde_json::json;
use tangere::generate::{self, Random};
use tangere::inside::{
    CoefficientRule, InsideSettings, InsideTest, Multipole, MultipoleCoefficients,
    MultipoleSettings, MultipoleTrees, MultipoleWork,
};
use tangere::shape::TriMesh;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The factor by which a number may vary beside its order: a level of an octree divides a cluster into
/// up to eight.
const OCTREE: f64 = 8.0;

/// The separation d of eq. (16).
const SEPARATION: f64 = 1.5;

/// Returns the number c_d of the text: the sons of all cells in the near field of a father, for cells
/// of one size whose radius is that of their box.
fn sons_of_near_cells(d: f64) -> usize {
    let reach = (d + 1.0) * 0.75f64.sqrt();
    let most = reach.ceil() as i64;
    let mut count = 0;
    for i in -most..=most {
        for j in -most..=most {
            for k in -most..=most {
                let square = (i * i + j * j + k * k) as f64;
                count += usize::from(square.sqrt() <= reach);
            }
        }
    }
    8 * count
}

/// A name and the count of a body that a curve has under it.
type NamedCount<'a> = (&'a str, &'a dyn Fn(&Counted) -> f64);

/// The operations for one body, with points on its surface.
struct Counted {
    work: MultipoleWork,
    log: f64,
}

impl Counted {
    fn new(mesh: &TriMesh) -> Result<Self, Error> {
        let choices = MultipoleSettings::default()
            .with_trees(MultipoleTrees::PreChosen)
            .with_separation(SEPARATION);
        let settings = InsideSettings::default().with_accuracy(0.999);
        let mut test = Multipole::with(settings, choices)?;
        test.update(mesh)?;
        // Points on the surface have the largest near fields.
        let every = (mesh.faces().len() / 500).max(1);
        let faces = (0..mesh.faces().len()).step_by(every);
        let points: Vec<[f64; 3]> = faces
            .map(|face| {
                let [a, b, c] = mesh.triangle(face);
                std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0)
            })
            .collect();
        test.winding(&points, &mut Vec::new())?;
        let work = test.work().unwrap_or_default();
        Ok(Counted {
            log: (mesh.faces().len() as f64).ln(),
            work,
        })
    }

    fn triangles(&self) -> f64 {
        self.work.triangles as f64
    }

    /// The number of clusters over N / log^2 N.
    fn clusters(&self) -> f64 {
        self.work.clusters as f64 * self.log * self.log / self.triangles()
    }

    /// The number of triangles near a point of the surface, over log^2 N.
    fn near(&self) -> f64 {
        let near = self.work.near_triangles as f64 / self.work.points.max(1) as f64;
        near / (self.log * self.log)
    }

    fn conversions(&self) -> f64 {
        self.work.conversions as f64 / self.work.clusters as f64
    }

    fn most_conversions(&self) -> f64 {
        self.work.most_conversions as f64
    }

    fn cells(&self) -> f64 {
        self.work.cells as f64 / self.work.clusters as f64
    }
}

/// Returns the quotient of the largest and the smallest value.
fn spread(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().fold(0.0, f64::max) / values.fold(f64::INFINITY, f64::min)
}

/// Returns the quotient of the value of the finest body and the largest of the coarser ones.
fn finest_over_others(all: &[Counted], value: fn(&Counted) -> f64) -> f64 {
    let Some((finest, others)) = all.split_last() else {
        return f64::NAN;
    };
    value(finest) / others.iter().map(value).fold(f64::NAN, f64::max)
}

pub fn counts(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let levels = match (effort.is_least(), effort.is_quick()) {
        (true, _) => 3..=4,
        (_, true) => 3..=6,
        _ => 3..=7,
    };
    let bodies = levels
        .map(generate::sphere)
        .collect::<Result<Vec<_>, _>>()?;
    let all = bodies
        .iter()
        .map(Counted::new)
        .collect::<Result<Vec<_>, Error>>()?;
    let limit = sons_of_near_cells(SEPARATION) as f64;
    let most = |value: fn(&Counted) -> f64| all.iter().map(value).fold(0.0, f64::max);
    let row = |c: &Counted| {
        vec![
            Cell::Count(c.work.triangles),
            Cell::Count(c.work.degree),
            Cell::Count(c.work.clusters),
            Cell::Number(c.clusters()),
            Cell::Count(c.work.cells),
            Cell::Number(c.cells()),
            Cell::Count(c.work.conversions),
            Cell::Number(c.conversions()),
            Cell::Count(c.work.most_conversions),
            Cell::Number(c.near() * c.log * c.log),
            Cell::Number(c.near()),
        ]
    };
    let data = || Data {
        head: vec![
            "triangles N",
            "degree",
            "clusters",
            "clusters log^2 N / N",
            "cells",
            "cells / cluster",
            "conversions",
            "conversions / cluster",
            "most of a cluster",
            "triangles near a point",
            "near / log^2 N",
        ],
        rows: all.iter().map(row).collect(),
    };
    let plot = |title: &str, y: &'static str, curves: &[NamedCount<'_>]| Plot {
        title: title.into(),
        x: Axis {
            name: "triangles",
            unit: Unit::Count,
        },
        y: Axis {
            name: y,
            unit: Unit::Number,
        },
        even: false,
        curves: curves
            .iter()
            .map(|(name, value)| Curve {
                name: (*name).into(),
                points: all.iter().map(|c| [c.triangles(), value(c)]).collect(),
                dashed: false,
            })
            .collect(),
    };
    let remark = "Spheres with a pre-chosen depth, degree log N and d = 1.5. Counts do not depend on the machine.";
    let set_up = Finding {
        published: json!({
            "clusters": "O(N / log^2 N)",
            "conversions per cluster": "bounded by c_d",
            "cells": "N_sigma <= c_d N_omega",
        }),
        measured: json!({
            "clusters log^2 N / N, most / least": spread(all.iter().map(Counted::clusters)),
            "conversions of a cluster, at most": most(Counted::most_conversions),
            "conversions per cluster, mean, at most": most(Counted::conversions),
            "cells per cluster, at most": most(Counted::cells),
        }),
        checks: vec![
            Check::number(
                "clusters log^2 N / N, most / least",
                spread(all.iter().map(Counted::clusters)),
                at_most(OCTREE),
            )
            .printed("O(N / log^2 N)"),
            Check::number(
                "clusters log^2 N / N, finest body / most of the coarser ones",
                finest_over_others(&all, Counted::clusters),
                at_most(1.0),
            )
            .printed("O(N / log^2 N)"),
            Check::number(
                "conversions of a cluster, most of all clusters and bodies",
                most(Counted::most_conversions),
                at_most(limit),
            )
            .printed("at most c_d"),
            Check::number(
                "cells / clusters, most of all bodies",
                most(Counted::cells),
                at_most(limit),
            )
            .printed("at most c_d"),
        ],
        remark: format!(
            "{remark} c_d is {limit} for d = 1.5: the sons of all cells in the near field of a father, for cells of one size; the \
             text gives no number. Conversions are counted of each cluster, as the text bounds them; cells are a total."
        ),
        data: data(),
        plots: vec![plot(
            "Operations of the set-up per cluster, and clusters over N / log^2 N",
            "number",
            &[
                ("clusters log^2 N / N", &Counted::clusters),
                ("conversions per cluster", &Counted::conversions),
                ("most conversions of a cluster", &Counted::most_conversions),
                ("cells per cluster", &Counted::cells),
            ],
        )],
        ..Finding::of(&claims::TABLE_1_SET_UP)
    };
    let near = Finding {
        published: json!("at most O(log^2 N) boundary elements"),
        measured: json!({
            "triangles near a point over log^2 N, by body": all.iter().map(Counted::near).collect::<Vec<_>>(),
        }),
        checks: vec![
            Check::number(
                "triangles near a point of the surface over log^2 N, most / least",
                spread(all.iter().map(Counted::near)),
                at_most(OCTREE),
            )
            .printed("O(log^2 N)"),
        ],
        remark: format!(
            "{remark} The mean over 500 points or more on the surface, where near fields are largest."
        ),
        data: data(),
        plots: vec![plot(
            "Triangles near a point of the surface",
            "triangles",
            &[
                ("near field", &|c: &Counted| c.near() * c.log * c.log),
                ("log^2 N", &|c: &Counted| c.log * c.log),
            ],
        )],
        ..Finding::of(&claims::TABLE_1_NEAR_FIELD)
    };
    Ok(vec![set_up, near])
}

/// The operations whose time grows with the degree. The last one is shown and not judged.
const OPERATIONS: [(&str, f64); 4] = [
    ("coefficients by a fixed rule", 2.0),
    ("set-up: translations and conversions", 4.0),
    ("evaluation of local expansions", 2.0),
    ("exact coefficients", 2.0),
];

/// The group of exact coefficients. The exact way of the text is that of its references; this is another
/// one, which is not judged.
const EXACT: usize = 3;

pub fn degrees(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let (level, count): (u32, usize) = match effort.is_least() {
        true => (3, 100),
        false => (4, 2_000),
    };
    let degrees: &[usize] = match effort.is_least() {
        true => &[2, 4],
        false => &[3, 4, 6, 8, 12],
    };
    let mesh = generate::sphere(level)?;
    let some: Vec<_> = (0..mesh.faces().len().min(1000))
        .map(|f| mesh.triangle(f))
        .collect();
    // Points in the middle, far from all triangles: local expansions alone.
    let mut random = Random::new(1);
    let points: Vec<[f64; 3]> = (0..count)
        .map(|_| std::array::from_fn(|_| 0.2 * random.unit() - 0.1))
        .collect();
    let choices = |degree: usize, depth: u32| {
        MultipoleSettings::default()
            .with_trees(MultipoleTrees::Depth(depth))
            .with_degree(degree)
            .with_separation(SEPARATION)
    };
    let settings = InsideSettings::default().with_accuracy(0.999);
    let evaluated = |degree: usize| {
        let mut test = Multipole::with(settings, choices(degree, 3))?;
        test.update(&mesh)?;
        tangere::Result::Ok(test)
    };
    let mut far = 0;
    for &degree in degrees {
        let mut test = evaluated(degree)?;
        test.winding(&points, &mut Vec::new())?;
        far += test.work().map_or(0, |work| work.near_triangles);
    }
    let make = || {
        let mut groups: Vec<Vec<Work<'_>>> = (0..OPERATIONS.len()).map(|_| Vec::new()).collect();
        for &degree in degrees {
            for (group, rule) in [
                (0, CoefficientRule::Gauss(3)),
                (EXACT, CoefficientRule::Exact),
            ] {
                let (some, center) = (&some, [0.0; 3]);
                groups[group].push(Box::new(move || {
                    let made = MultipoleCoefficients::new(some, center, degree, rule)?;
                    std::hint::black_box(made);
                    Ok(some.len())
                }));
            }
            let mut test = Multipole::with(settings, choices(degree, 2))?;
            let body = &mesh;
            groups[1].push(Box::new(move || {
                test.update(body)?;
                Ok(body.faces().len())
            }));
            let (mut test, mut winding) = (evaluated(degree)?, Vec::new());
            let points = &points;
            groups[2].push(Box::new(move || {
                test.winding(points, &mut winding)?;
                Ok(points.len())
            }));
        }
        Ok(groups)
    };
    let decades = (degrees[degrees.len() - 1] as f64 / degrees[0] as f64).log10();
    let line = |batch: &Batch, group: usize| -> Vec<[f64; 2]> {
        let pairs = degrees.iter().zip(&batch[group]);
        pairs.map(|(&p, &seconds)| [p as f64, seconds]).collect()
    };
    let interval = |batches: &[Batch], group: usize| {
        let batches = without_one(batches);
        let exponents = batches
            .iter()
            .filter_map(|batch| exponent(&line(batch, group)));
        exponent_interval(&exponents.collect::<Vec<f64>>(), decades)
    };
    let check = |batches: &[Batch], group: usize| {
        let (what, most) = OPERATIONS[group];
        Check::interval(
            format!("exponent of time against the degree, {what}"),
            interval(batches, group),
            at_most(most),
        )
        .printed(format!("O(p^{most})"))
    };
    let is_decided = |batches: &[Batch]| {
        use crate::check::Outcome::Undecided;
        (0..EXACT).all(|group| check(batches, group).outcome() != Undecided)
    };
    let batches = race(make, effort.batch, is_decided)?;
    debug_assert!((FEWEST_BATCHES..=MOST_BATCHES).contains(&batches.len()));
    let fastest = least(&batches);
    let names = OPERATIONS.map(|operation| operation.0);
    let mut checks: Vec<Check> = (0..EXACT).map(|g| check(&batches, g)).collect();
    // An evaluation is that of all harmonics at a point.
    let [harmonics, of_exact] = [CoefficientRule::Gauss(3), CoefficientRule::Exact].map(|rule| {
        let points = degrees.iter().map(|&p| {
            let operations = rule.evaluations(p) * (p + 1) * (p + 1);
            [p as f64, operations as f64]
        });
        exponent(&points.collect::<Vec<_>>()).unwrap_or(f64::NAN)
    });
    let what = "exponent of harmonics computed against the degree, coefficients by a fixed rule";
    checks.push(Check::number(what, harmonics, at_most(2.0)).printed("O(p^2)"));
    checks.push(Check::fact("the points have no near field", far == 0));
    let exact = exponent(&line(&fastest, EXACT)).unwrap_or(f64::NAN);
    let rows = names.iter().enumerate().flat_map(|(group, name)| {
        let line = line(&fastest, group);
        line.into_iter().map(move |[p, seconds]| {
            vec![word(*name), Cell::Count(p as usize), Cell::Seconds(seconds)]
        })
    });
    Ok(vec![Finding {
        published: json!({
            "coefficients": "N O(p^2)",
            "translations and conversions": "O(p^4)",
            "evaluation of the local expansions": "M O(p^2)",
        }),
        measured: json!({
            "exponents of the fastest runs": (0..OPERATIONS.len())
                .map(|group| (names[group].to_owned(), json!(exponent(&line(&fastest, group)))))
                .collect::<serde_json::Map<_, _>>(),
            "exponents of harmonics computed for coefficients": {
                "by a fixed rule": harmonics,
                "exact, not judged": of_exact,
            },
            "evaluations of harmonics per triangle, exact, by degree": degrees
                .iter()
                .map(|&p| CoefficientRule::Exact.evaluations(p))
                .collect::<Vec<_>>(),
        }),
        checks,
        remark: format!(
            "A sphere of {} triangles, trees of depth 2 for the set-up and 3 for the evaluation. Coefficients of {} triangles by a Gauss rule with 3 x 3 points; \
             table 1 says O(p^2) without saying whether they are exact or by which rule. The exact way of the text is that of its references [17, 18]. The engine's \
             exact ones are another way, shown and not judged: integrals along edges with {} evaluations of \
             O(p^2) harmonics at degree {}, 3 p / 2 of them: O(p^3), an exponent of the fastest runs of {exact:.2}. A rule with a fixed number of points takes \
             O(p^2), but is exact up to degree 5 only. Numbers of harmonics do not depend on the machine. The set-up has its part that does not depend on the degree, so that exponents are below those of the \
             operations alone.",
            mesh.faces().len(),
            some.len(),
            CoefficientRule::Exact.evaluations(degrees[degrees.len() - 1]),
            degrees[degrees.len() - 1],
        ),
        data: Data {
            head: vec!["operation", "degree p", "time"],
            rows: rows.collect(),
        },
        plots: vec![Plot {
            title: "Time against the degree of expansions".into(),
            x: Axis {
                name: "degree p",
                unit: Unit::Count,
            },
            y: Axis {
                name: "time",
                unit: Unit::Seconds,
            },
            even: false,
            curves: names
                .iter()
                .enumerate()
                .map(|(group, name)| Curve {
                    name: (*name).into(),
                    points: line(&fastest, group),
                    dashed: group == EXACT,
                })
                .collect(),
        }],
        ..Finding::of(&claims::TABLE_1_DEGREE)
    }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_cells_are_those_of_16() {
        // Within 2.165 edges: squares 0, 1, 2, 3 and 4.
        assert_eq!(sons_of_near_cells(1.5), 8 * (1 + 6 + 12 + 8 + 6));
        assert_eq!(sons_of_near_cells(0.2), 8 * (1 + 6));
    }
}
