//! Triangles and points of `muth2006` that grow together: fast multipoles against the plain sum of the
//! potential.

use super::claims;
use crate::Effort;
use crate::Error;
use crate::check::{Check, Outcome, at_most};
use crate::finding::{Cell, Data, Finding, word};
use crate::fit::exponent;
use crate::timing::{Batch, Work, exponent_interval, least, race, without_one};
use serde_json::json;
use tangere::generate::{self, Random};
use tangere::inside::{
    InsideSettings, InsideTest, Layer, Multipole, MultipoleSettings, MultipoleTrees,
};
use tangere::shape::TriMesh;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The number of solid angles above which the plain sum is measured on a sample of the points.
const MOST_ANGLES: usize = 4_000_000;

const MULTIPOLES: usize = 0;
const PLAIN: usize = 1;

/// The range of exponents that count as quadratic.
const QUADRATIC: [f64; 2] = [1.8, 2.1];

/// A body, as many points as it has triangles, and the factor by which the plain sum of a sample is
/// extrapolated.
struct Scene {
    mesh: TriMesh,
    points: Vec<[f64; 3]>,
    sample: usize,
}

impl Scene {
    fn new(level: u32) -> Result<Self, Error> {
        let mesh = generate::sphere(level)?;
        let count = mesh.faces().len();
        let mut random = Random::new(u64::from(level));
        let points = (0..count).map(|_| std::array::from_fn(|_| 2.0 * random.unit() - 1.0));
        Ok(Scene {
            points: points.collect(),
            sample: (MOST_ANGLES / count).clamp(1, count),
            mesh,
        })
    }

    fn count(&self) -> f64 {
        self.mesh.faces().len() as f64
    }
}

pub fn all(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let levels = match (effort.is_least(), effort.is_quick()) {
        (true, _) => 2..=3,
        (_, true) => 3..=6,
        _ => 3..=7,
    };
    let scenes = levels.map(Scene::new).collect::<Result<Vec<_>, Error>>()?;
    let settings = InsideSettings::default().with_accuracy(0.999);
    let multipoles = |scene: &Scene| {
        let points = scene.points.len();
        let trees = MultipoleTrees::WellChosen { points };
        let choices = MultipoleSettings::default().with_trees(trees);
        Multipole::with(settings, choices)
    };
    let mut operations = Vec::new();
    for scene in &scenes {
        let (mut test, mut winding) = (multipoles(scene)?, Vec::new());
        test.update(&scene.mesh)?;
        test.winding(&scene.points, &mut winding)?;
        operations.push(test.work().map_or(f64::NAN, |work| {
            let square = (work.degree * work.degree) as f64;
            let translations = (work.clusters + work.cells + work.conversions) as f64;
            (work.triangles + work.points) as f64 * square
                + translations * square * square
                + work.near_triangles as f64
        }));
    }
    let make = || {
        let mut groups: Vec<Vec<Work<'_>>> = Vec::new();
        for scene in &scenes {
            let (mut test, mut winding) = (multipoles(scene)?, Vec::new());
            groups.push(vec![Box::new(move || {
                test.update(&scene.mesh)?;
                test.winding(&scene.points, &mut winding)?;
                Ok(winding.len())
            })]);
            let mut plain = Layer::new(InsideSettings::default())?;
            plain.update(&scene.mesh)?;
            let some = &scene.points[..scene.sample];
            let mut winding = Vec::new();
            groups.push(vec![Box::new(move || {
                plain.winding(some, &mut winding)?;
                Ok(winding.len())
            })]);
        }
        Ok(groups)
    };
    // The seconds of one method, by scene.
    let seconds = |batch: &Batch, method: usize| -> Vec<f64> {
        let scenes = scenes.iter().enumerate();
        scenes
            .map(|(i, scene)| match method {
                PLAIN => batch[2 * i + PLAIN][0] * scene.count() / scene.sample as f64,
                _ => batch[2 * i][0],
            })
            .collect()
    };
    let order = |scene: &Scene| scene.count() * scene.count().ln().powi(2);
    let fitted = |values: &[f64], size: &dyn Fn(&Scene) -> f64| {
        let pairs = scenes.iter().zip(values);
        exponent(
            &pairs
                .map(|(scene, &y)| [size(scene), y])
                .collect::<Vec<_>>(),
        )
    };
    let decades =
        |size: &dyn Fn(&Scene) -> f64| (size(&scenes[scenes.len() - 1]) / size(&scenes[0])).log10();
    let checks = |batches: &[Batch]| {
        let interval = |method: usize, size: &dyn Fn(&Scene) -> f64| {
            let batches = without_one(batches);
            let values = batches.iter().map(|batch| seconds(batch, method));
            let exponents: Vec<f64> = values.filter_map(|v| fitted(&v, size)).collect();
            exponent_interval(&exponents, decades(size))
        };
        vec![
            Check::number(
                "exponent of the operations against N log^2 N, for M = N",
                fitted(&operations, &order).unwrap_or(f64::NAN),
                at_most(1.1),
            )
            .printed("O(N log^2 N) + O(M log^2 N)"),
            Check::interval(
                "exponent of the time of fast multipoles against N log^2 N, for M = N",
                interval(MULTIPOLES, &order),
                at_most(1.1),
            )
            .printed("O(N log^2 N) + O(M log^2 N)"),
            Check::interval(
                "exponent of the time of the plain sum against N",
                interval(PLAIN, &Scene::count),
                QUADRATIC,
            )
            .printed("quadratically"),
        ]
    };
    let is_decided = |batches: &[Batch]| {
        let checks = checks(batches);
        checks
            .iter()
            .all(|check| check.outcome() != Outcome::Undecided)
    };
    let batches = race(make, effort.batch, is_decided)?;
    let fastest = least(&batches);
    let [fast, plain] = [MULTIPOLES, PLAIN].map(|method| seconds(&fastest, method));
    let curve = |name: &str, values: &[f64], dashed: bool| Curve {
        name: name.into(),
        points: scenes
            .iter()
            .zip(values)
            .map(|(scene, &y)| [scene.count(), y])
            .collect(),
        dashed,
    };
    let rows = scenes.iter().enumerate().map(|(i, scene)| {
        vec![
            word(format!("N = M = {}", scene.mesh.faces().len())),
            Cell::Number(operations[i]),
            Cell::Number(operations[i] / order(scene)),
            Cell::Seconds(fast[i]),
            Cell::Seconds(plain[i]),
            Cell::Number(plain[i] / fast[i]),
        ]
    });
    Ok(vec![Finding {
        published: json!({
            "fast multipoles": "O(N log^2 N) + O(M log^2 N)",
            "plain sum": "quadratic",
        }),
        measured: json!({
            "exponent of operations against N log^2 N": fitted(&operations, &order),
            "exponent of time against N log^2 N": fitted(&fast, &order),
            "exponent of time against N": fitted(&fast, &Scene::count),
            "exponent of the plain sum against N": fitted(&plain, &Scene::count),
        }),
        checks: checks(&batches),
        remark: "As many random points in the cube around a sphere as it has triangles; a well-chosen depth, degree log N, d = 1.5. \
            Operations are those of table 1, with p^2 for coefficients and expansions and p^4 for translations; a triangle near a \
            point counts 1. On these bodies conversions per cluster still grow towards their limit (table 1, set-up), and the depth is chosen for \
            times, not for counts: the order of operations is not reached yet where that of times is. Times are of set-up and evaluation; the plain sum is extrapolated from a sample of the points."
            .into(),
        data: Data {
            head: vec![
                "scene",
                "operations",
                "operations / N log^2 N",
                "multipoles",
                "plain sum",
                "plain / multipoles",
            ],
            rows: rows.collect(),
        },
        plots: vec![Plot {
            title: "Triangles and points that grow together".into(),
            x: Axis {
                name: "triangles, points",
                unit: Unit::Count,
            },
            y: Axis {
                name: "total time",
                unit: Unit::Seconds,
            },
            even: false,
            curves: vec![
                curve("fast multipoles", &fast, false),
                curve("plain sum", &plain, true),
            ],
        }],
        ..Finding::of(&claims::TOGETHER)
    }])
}
