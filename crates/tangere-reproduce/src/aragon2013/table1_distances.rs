//! Table 1 of `aragon2013`, lower part: distance from a point to a face by sequential quadratic
//! programming.

use super::Random;
use super::claims::TABLE_1_DISTANCE;
use super::iterations;
use super::table1_bounding_volumes::PrintedTests;
use crate::Effort;
use crate::Error;
use crate::check::{Check, at_least};
use crate::finding::{Cell, Data, Finding, printed, word};
use crate::timing::{Batch, Work, least, race, ratio_interval, without_one};
use serde_json::{Map, Value, json};
use tangere::closest::{BfgsSqp, FacePoint, FaceStatus, PreparedFaces};
use tangere::shape::{Face, FaceKind};
use tangere_front::text::three_digits;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The number of distances computed one after another in a timed run, as in the paper.
pub const COUNT: usize = 1000;

/// The largest random displacement of a node, along each axis, from a plane face with edges of
/// length 1 to 2.
const BENT: f64 = 0.1;

pub const KINDS: [FaceKind; 5] = [
    FaceKind::Tri3,
    FaceKind::Quad4,
    FaceKind::Tri6,
    FaceKind::Quad8,
    FaceKind::Quad9,
];

/// The paper's time of one distance from a point to a triangle, in nanoseconds.
const PUBLISHED: f64 = 20_457.0;

/// The paper's times as printed, for spheres, boxes and 14-DOPs.
const PRINTED: [&str; 3] = ["20457 ns / 39 ns", "20457 ns / 37 ns", "20457 ns / 42 ns"];

/// The group of the published method in the race, behind the engine's kinds of faces.
const SQP: usize = KINDS.len();

/// The paper's number of iterations per distance: minimum, mean and maximum.
const ITERATIONS: [f64; 3] = [5.0, 12.0, 29.0];

/// The ratio of the times of two methods from which the faster one is called considerably faster.
const CONSIDERABLY: f64 = 5.0;

/// Returns the numbers of all faces.
fn numbers() -> Vec<u32> {
    (0..COUNT as u32).collect()
}

/// Faces of one kind, and a point for each.
pub struct Scene {
    kind: FaceKind,
    pub raw: Vec<Face>,
    pub points: Vec<[f64; 3]>,
    pub found: Vec<FacePoint>,
}

impl Scene {
    fn new(kind: FaceKind) -> tangere::Result<Self> {
        let mut random = Random(kind as u64);
        // Edges have lengths from 1 to 2; reference triangles have edges half as long as reference
        // squares.
        let edge = if kind.corners() == 3 { 2.0 } else { 1.0 };
        let center = kind.center();
        let face = |random: &mut Random| {
            let turn = random.rotation()?;
            let size = [0; 2].map(|_| edge * (0.5 + 0.5 * random.unit()));
            let node = |xi: &[f64; 2]| {
                let [x, y, z] = random.point::<3>().map(|x| BENT * x);
                let [u, v] = [0, 1].map(|k| size[k] * (xi[k] - center[k]));
                turn.apply([u + x, v + y, z])
            };
            let nodes: Vec<[f64; 3]> = kind.node_coordinates().iter().map(node).collect();
            Face::new(kind, &nodes)
        };
        let faces = (0..COUNT)
            .map(|_| face(&mut random))
            .collect::<tangere::Result<Vec<Face>>>()?;
        let points: Vec<[f64; 3]> = (0..COUNT).map(|_| random.point()).collect();
        let mut found = Vec::new();
        PreparedFaces::from_faces(&faces).nearest_all(&numbers(), &points, &mut found)?;
        Ok(Self {
            kind,
            raw: faces,
            points,
            found,
        })
    }

    /// Returns work that computes all distances by the engine.
    fn prepared(&self) -> Work<'static> {
        let (faces, points) = (PreparedFaces::from_faces(&self.raw), self.points.clone());
        let (numbers, mut found) = (numbers(), Vec::new());
        Box::new(move || {
            faces.nearest_all(&numbers, &points, &mut found)?;
            Ok(found.len())
        })
    }

    /// Returns work that computes all distances by the published method, one after the other.
    fn published(&self) -> Work<'static> {
        let (faces, points) = (self.raw.clone(), self.points.clone());
        let sqp = BfgsSqp::default();
        Box::new(move || {
            for (face, &y) in faces.iter().zip(&points) {
                std::hint::black_box(sqp.nearest(face, y)?);
            }
            Ok(faces.len())
        })
    }
}

pub fn faces(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let scenes = KINDS
        .iter()
        .map(|&kind| Scene::new(kind))
        .collect::<tangere::Result<Vec<Scene>>>()?;
    let triangles = &scenes[0];
    let tests = PrintedTests::new()?;
    let names = tests.names();
    let make = || {
        let all = scenes.iter().map(Scene::prepared);
        let all = all.chain([triangles.published()]).chain(tests.work());
        Ok(all.map(|work| vec![work]).collect())
    };
    let first = SQP + 1;
    let ratio = |batches: &[Batch], k: usize| {
        let batches = without_one(batches);
        let ratios = batches
            .iter()
            .map(|batch| batch[SQP][0] / batch[first + k][0]);
        ratio_interval(&ratios.collect::<Vec<f64>>())
    };
    let is_decided = |batches: &[Batch]| {
        (0..names.len()).all(|k| {
            let [low, high] = ratio(batches, k);
            low > CONSIDERABLY || high < CONSIDERABLY
        })
    };
    let batches = race(make, effort.turns, is_decided)?;
    let seconds = least(&batches);
    let seconds: Vec<f64> = seconds.iter().map(|g| g[0] / COUNT as f64).collect();
    let ratios = (0..names.len()).map(|k| (names[k], ratio(&batches, k)));
    let ratios: Vec<(&'static str, [f64; 2])> = ratios.collect();
    let mut findings = vec![table(&scenes, &seconds, &ratios)];
    findings.extend(iterations::all(&scenes, effort)?);
    Ok(findings)
}

/// Returns minimum, mean and maximum of the number of iterations per distance.
fn counted(scene: &Scene) -> [f64; 3] {
    let all = || scene.found.iter().map(|x| f64::from(x.iterations));
    [
        all().fold(f64::INFINITY, f64::min),
        all().sum::<f64>() / scene.found.len() as f64,
        all().fold(0.0, f64::max),
    ]
}

fn table(scenes: &[Scene], seconds: &[f64], intervals: &[(&'static str, [f64; 2])]) -> Finding {
    let volumes = &seconds[SQP + 1..];
    let slowest = volumes.iter().copied().fold(0.0, f64::max);
    let mut rows = vec![vec![
        word("published SQP of a triangle"),
        printed(PUBLISHED, " ns", 1e-9),
        Cell::Nothing,
        printed(ITERATIONS[0], "", 1.0),
        printed(ITERATIONS[1], "", 1.0),
        printed(ITERATIONS[2], "", 1.0),
        Cell::Nothing,
    ]];
    let mut row = vec![
        word("SQP of a triangle here"),
        Cell::Seconds(seconds[SQP]),
        Cell::Number(seconds[SQP] / slowest),
    ];
    row.extend([const { Cell::Nothing }; 4]);
    rows.push(row);
    let mut measured = Map::new();
    for ((name, _), seconds) in intervals.iter().zip(volumes) {
        measured.insert(format!("nanoseconds, {name}"), json!(1e9 * seconds));
    }
    measured.insert("nanoseconds, SQP".into(), json!(1e9 * seconds[SQP]));
    for (scene, &seconds) in scenes.iter().zip(seconds) {
        let proven = scene
            .found
            .iter()
            .filter(|x| x.status == FaceStatus::Proven);
        let iterations = counted(scene);
        rows.push(vec![
            word(format!("{} of the engine", scene.kind.name())),
            Cell::Seconds(seconds),
            Cell::Number(seconds / slowest),
            Cell::Number(iterations[0]),
            Cell::Number(iterations[1]),
            Cell::Number(iterations[2]),
            Cell::Share(proven.count() as f64 / scene.found.len() as f64),
        ]);
        let numbers = json!({
            "nanoseconds": 1e9 * seconds,
            "times the slowest test of volumes": seconds / slowest,
            "iterations, least, mean and most": iterations,
        });
        measured.insert(scene.kind.name().into(), numbers);
    }
    let ratios = || seconds[..scenes.len()].iter().map(|s| s / slowest);
    Finding {
        published: json!({
            "nanoseconds": {"SQP": 20457, "BS": 39, "AABB": 37, "14-DOP": 42},
            "standard deviation, SQP": 7276,
            "iterations": {"average": 12, "range": [5, 29]},
        }),
        measured: Value::Object(measured),
        checks: intervals
            .iter()
            .zip(PRINTED)
            .map(|(&(name, interval), printed)| {
                let what = format!("distance of a triangle by SQP / test of {name}");
                Check::interval(what, interval, at_least(CONSIDERABLY)).printed(printed)
            })
            .collect(),
        remark: format!(
            "Judged is the published method: sequential quadratic programming with BFGS updates for triangles, one distance after the \
             other, against tests of a thousand pairs of each volume. The engine's own distances, in batches of eight and \
             each proven to be the global minimum, take {} to {} times as long as the slowest test of volumes; its plane \
             triangles are solved in closed form, without iterations. Faces have edges of 1 to 2 and nodes perturbed by up to \
             0.1, points are within 1 of the centre.",
            three_digits(ratios().fold(f64::INFINITY, f64::min)),
            three_digits(ratios().fold(0.0, f64::max)),
        ),
        plots: vec![Plot {
            title: "Time of the engine's distance over that of the slowest test of volumes, by nodes of the face"
                .into(),
            x: Axis {
                name: "nodes",
                unit: Unit::Count,
            },
            y: Axis {
                name: "quotient",
                unit: Unit::Number,
            },
            even: false,
            curves: vec![Curve {
                name: "here".into(),
                points: scenes
                    .iter()
                    .zip(ratios())
                    .map(|(scene, ratio)| [scene.kind.nodes() as f64, ratio])
                    .collect(),
                dashed: false,
            }],
        }],
        data: Data {
            head: vec![
                "face",
                "time",
                "over the slowest test",
                "least iterations",
                "mean",
                "most",
                "proven",
            ],
            rows,
        },
        ..Finding::of(&TABLE_1_DISTANCE)
    }
}
