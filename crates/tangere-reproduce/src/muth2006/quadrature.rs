//! Coefficients of `muth2006` exactly and by quadrature: error and time.

use super::claims;
use crate::Effort;
use crate::Error;
use crate::finding::{Cell, Data, Finding, word};
use crate::timing::{Work, least, race};
use serde_json::json;
use tangere::generate::{self, Random};
use tangere::inside::{CoefficientRule, InsideSettings, InsideTest, Layer, MultipoleCoefficients};
use tangere::shape::TriMesh;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

const DEGREES: [usize; 4] = [4, 8, 12, 16];

/// The largest numbers of Gauss points along a direction.
const MOST: usize = 9;

/// A cluster of triangles, and points in its far field.
pub struct Patch {
    name: &'static str,
    pub mesh: TriMesh,
    pub triangles: Vec<[[f64; 3]; 3]>,
    center: [f64; 3],
}

impl Patch {
    /// The triangles of a sphere whose centroids lie in one octant of the octant of all positive
    /// coordinates.
    pub fn new(name: &'static str, level: u32) -> Result<Self, Error> {
        let sphere = generate::sphere(level)?;
        let is_in = |face: &usize| {
            let [a, b, c] = sphere.triangle(*face);
            (0..3).all(|k| {
                let middle = (a[k] + b[k] + c[k]) / 3.0;
                if k == 2 {
                    middle > 0.5
                } else {
                    (0.0..0.5).contains(&middle)
                }
            })
        };
        let some: Vec<usize> = (0..sphere.faces().len()).filter(is_in).collect();
        let faces = some.iter().map(|&face| sphere.faces()[face]).collect();
        let triangles: Vec<_> = some.iter().map(|&face| sphere.triangle(face)).collect();
        let corners = triangles.as_flattened();
        let ends = |k: usize, pick: fn(f64, f64) -> f64| {
            let values = corners.iter().map(|p| p[k]);
            values.reduce(pick).unwrap_or(0.0)
        };
        let center = std::array::from_fn(|k| 0.5 * (ends(k, f64::min) + ends(k, f64::max)));
        Ok(Patch {
            name,
            mesh: TriMesh::new(sphere.vertices().to_vec(), faces)?,
            triangles,
            center,
        })
    }

    /// Returns points in random directions at a distance from the centre.
    pub fn points_at(&self, distance: f64) -> Vec<[f64; 3]> {
        let mut random = Random::new(19);
        let mut points = Vec::new();
        while points.len() < 200 {
            let v: [f64; 3] = std::array::from_fn(|_| 2.0 * random.unit() - 1.0);
            let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (0.1..1.0).contains(&length) {
                let scale = distance / length;
                points.push(std::array::from_fn(|k| self.center[k] + scale * v[k]));
            }
        }
        points
    }

    pub fn coefficients(
        &self,
        degree: usize,
        rule: CoefficientRule,
    ) -> tangere::Result<MultipoleCoefficients> {
        MultipoleCoefficients::new(&self.triangles, self.center, degree, rule)
    }
}

/// The largest errors of the potential at points in the far field.
struct Errors {
    /// Of the truncated expansion with exact coefficients.
    truncation: f64,
    /// Of quadrature with so many points along a direction, beside exact coefficients.
    quadrature: Vec<f64>,
}

fn errors(patch: &Patch, degree: usize) -> Result<Errors, Error> {
    let exact = patch.coefficients(degree, CoefficientRule::Exact)?;
    // Points at the distance of (16) for a cell as large as the cluster, d = 1.5.
    let points = patch.points_at(2.5 * exact.radius());
    let mut potential = Vec::new();
    let mut layer = Layer::new(InsideSettings::default())?;
    layer.update(&patch.mesh)?;
    layer.winding(&points, &mut potential)?;
    let most = |value: &dyn Fn(usize) -> f64| (0..points.len()).map(value).fold(0.0, f64::max);
    let truncation = most(&|i| (exact.winding(points[i]) - potential[i]).abs());
    let mut quadrature = Vec::new();
    for count in 1..=MOST {
        let by = patch.coefficients(degree, CoefficientRule::Gauss(count))?;
        quadrature.push(most(&|i| {
            (by.winding(points[i]) - exact.winding(points[i])).abs()
        }));
    }
    Ok(Errors {
        truncation,
        quadrature,
    })
}

pub fn all(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let patches = [
        Patch::new("about log^2 N triangles", 4)?,
        Patch::new("few large triangles", 2)?,
    ];
    let fine = &patches[0];
    let group = |degree| -> Vec<Work<'_>> {
        let rules = [CoefficientRule::Exact]
            .into_iter()
            .chain((1..=MOST).map(CoefficientRule::Gauss));
        let work = |rule| -> Work<'_> {
            Box::new(move || {
                std::hint::black_box(fine.coefficients(degree, rule)?);
                Ok(fine.triangles.len())
            })
        };
        rules.map(work).collect()
    };
    let make = || Ok(DEGREES.map(group).into());
    let seconds = least(&race(make, effort.batch, |_| true)?);
    let (mut rows, mut curves) = (Vec::new(), Vec::new());
    let (mut agreement, mut ratios) = (0f64, [0f64; 2]);
    for patch in &patches {
        for (degree, seconds) in DEGREES.into_iter().zip(&seconds) {
            let found = errors(patch, degree)?;
            let budget = CoefficientRule::Exact.evaluations(degree);
            let affordable = (1..=MOST)
                .take_while(|&g| CoefficientRule::Gauss(g).evaluations(degree) <= budget)
                .last()
                .unwrap_or(1);
            let ratio = found.quadrature[affordable - 1] / found.truncation;
            let most = if patch.name == fine.name { 0 } else { 1 };
            ratios[most] = ratios[most].max(ratio);
            // A rule with 2 g - 2 >= p - 1 is exact.
            if let Some(error) = found.quadrature.get(degree / 2) {
                agreement = agreement.max(*error);
            }
            let time = |k: usize| seconds[k] / fine.triangles.len() as f64;
            let mut row = |rule: &str, evaluations, time, error| {
                rows.push(vec![
                    word(patch.name),
                    Cell::Count(degree),
                    word(rule),
                    Cell::Count(evaluations),
                    Cell::Seconds(time),
                    Cell::Number(error),
                    Cell::Number(found.truncation),
                ]);
            };
            row("exact", budget, time(0), 0.0);
            for (k, &error) in found.quadrature.iter().enumerate() {
                let rule = CoefficientRule::Gauss(k + 1);
                let name = format!("Gauss {0}x{0}", k + 1);
                row(&name, rule.evaluations(degree), time(k + 1), error);
            }
            let points = found.quadrature.iter().enumerate();
            let points = points.map(|(k, &error)| [((k + 1) * (k + 1)) as f64, error.max(1e-17)]);
            curves.push(Curve {
                name: format!("degree {degree}, {}", patch.name),
                points: points.collect(),
                dashed: patch.name == patches[1].name,
            });
        }
    }
    let degree = DEGREES.len() - 1;
    let (exact, enough) = (seconds[degree][0], seconds[degree][DEGREES[degree] / 2 + 1]);
    Ok(vec![Finding {
        measured: json!({
            "time of a rule that is exact / time of exact coefficients, degree 16": enough / exact,
            "error of an affordable rule / of the truncation, largest of all degrees": {
                patches[0].name: ratios[0],
                patches[1].name: ratios[1],
            },
            "largest difference of exact coefficients and a rule that is exact up to their degree": agreement,
        }),
        open: Some(
            "The text says that the error of quadrature can easily be estimated and is neglected: an assumption of its analysis, for a rule \
             that it does not name. The errors measured here neither confirm nor refute an assumption."
                .into(),
        ),
        remark: format!(
            "Two clusters of spheres, of {} triangles out of 2048 and of {} out of 128. The paper does not name its rule; an affordable one is \
             that with the most points which takes no more evaluations than exact coefficients. Errors are the largest of the potential at 200 points at 2.5 radii. \
             An evaluation is that of all harmonics at a point, per triangle: exact coefficients are integrals along edges and take \
             3 p / 2 of them, a Gauss rule takes its number of points. A rule with g x g points integrates the coefficients up to \
             degree 2 g - 1 exactly; at degree 16 it takes {:.2} times as long as integrals along edges.",
            patches[0].triangles.len(),
            patches[1].triangles.len(),
            enough / exact,
        ),
        data: Data {
            head: vec![
                "cluster",
                "degree",
                "rule",
                "evaluations",
                "time of a triangle",
                "error of the rule",
                "error of the truncation",
            ],
            rows,
        },
        plots: vec![Plot {
            title: "Error of the potential by quadrature of the coefficients".into(),
            x: Axis {
                name: "evaluations per triangle",
                unit: Unit::Count,
            },
            y: Axis {
                name: "error",
                unit: Unit::Number,
            },
            even: false,
            curves,
        }],
        ..Finding::of(&claims::QUADRATURE)
    }])
}
