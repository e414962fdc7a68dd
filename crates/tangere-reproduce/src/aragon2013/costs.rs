//! Section 3.4, equation 19 of `aragon2013`: the time of detection as a sum of counts of work, each
//! times its cost.
//!
//! Two meshed spheres approach each other. Their nodes are set at every time step, so that both
//! hierarchies are refitted, and the engine searches for a contact in the step. Meshes and steps
//! vary, so that the counts do.

use super::algorithm1::BOTTOM_UP;
use super::claims::EQUATION_19;
use crate::Effort;
use crate::Error;
use crate::check::{Check, at_most};
use crate::finding::{Cell, Data, Finding};
use crate::fit::non_negative;
use crate::timing::cpu_seconds;
use serde_json::json;
use tangere::generate;
use tangere::geometry::{Pose, Similarity};
use tangere::impact::hierarchy::Volume;
use tangere::impact::{Body, BodyShape, EngineSettings, ImpactEngine};
use tangere::shape::TriMesh;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The distance of the centres at the beginning, and the speed of each sphere of radius 1.
const DISTANCE: f64 = 4.0;
const SPEED: f64 = 1.0;
/// The time steps of the runs.
const STEPS: [f64; 3] = [0.25, 0.1, 0.04];
const UNTIL: f64 = 1.2;

/// The largest factor between a run's time and the sum of its costs.
const ALIKE: f64 = 1.5;

/// The counts of a run, in the order of the equation, and its CPU seconds. Updates are refits of a
/// hierarchy.
struct Run {
    faces: usize,
    step: f64,
    counts: [f64; 4],
    seconds: f64,
}

impl Run {
    /// Returns the counts with updates counted for each face, because an update is linear in their
    /// number.
    fn by_face(&self) -> [f64; 4] {
        let mut counts = self.counts;
        counts[1] *= self.faces as f64;
        counts
    }
}

/// A fit of costs to runs: the costs, and the largest factor between a time and its sum of costs.
struct Fit {
    counts: fn(&Run) -> [f64; 4],
    costs: [f64; 4],
    worst: f64,
}

impl Fit {
    fn new(runs: &[Run], counts: fn(&Run) -> [f64; 4]) -> Self {
        let rows: Vec<([f64; 4], f64)> =
            runs.iter().map(|run| (counts(run), run.seconds)).collect();
        let mut fit = Self {
            counts,
            costs: non_negative(&rows),
            worst: 0.0,
        };
        let unlike = |run: &Run| {
            let sum = fit.sum(run);
            (sum / run.seconds).max(run.seconds / sum)
        };
        fit.worst = runs.iter().map(unlike).fold(0.0, f64::max);
        fit
    }

    fn sum(&self, run: &Run) -> f64 {
        let counts = (self.counts)(run);
        (0..4).map(|k| self.costs[k] * counts[k]).sum()
    }
}

fn run(meshes: &[TriMesh; 2], step: f64) -> Result<Run, Error> {
    let faces = meshes[0].faces().len();
    let settings = EngineSettings {
        volume: Volume::Ball,
        ..EngineSettings::default()
    };
    let velocities = [SPEED, -SPEED].map(|v| vec![[v, 0.0, 0.0]; meshes[0].vertices().len()]);
    let mut bodies = Vec::new();
    for (mesh, velocities) in meshes.iter().zip(&velocities) {
        let shape = BodyShape::with_hierarchy(mesh.clone(), &BOTTOM_UP)?;
        bodies.push(Body::with_velocities(shape, velocities, UNTIL)?);
    }
    let mut engine = ImpactEngine::with_bodies(bodies, &settings)?;
    for body in 0..2 {
        engine.ignore(body, body)?;
    }
    let mut points = meshes.each_ref().map(|mesh| mesh.vertices().to_vec());
    let before = engine.counts();
    let (mut seconds, mut refits) = (0.0, 0.0);
    for i in 1.. {
        let now = f64::from(i) * step;
        if now >= UNTIL {
            break;
        }
        for side in 0..2 {
            for (p, s) in points[side].iter_mut().zip(meshes[side].vertices()) {
                p[0] = s[0] + [SPEED, -SPEED][side] * now;
            }
        }
        let start = cpu_seconds();
        engine.advance(now)?;
        for side in 0..2 {
            engine.set_node_velocities(side, &points[side], &velocities[side], UNTIL - now)?;
            refits += 1.0;
        }
        let found = engine.next_contact(now + step)?;
        seconds += cpu_seconds() - start;
        if found.is_some() {
            break;
        }
    }
    let after = engine.counts();
    let [trajectory, volume, primitive] = [
        after.trajectory - before.trajectory,
        after.volume - before.volume,
        after.primitive - before.primitive,
    ]
    .map(|n| n as f64);
    Ok(Run {
        faces,
        step,
        counts: [trajectory, refits, volume, primitive],
        seconds,
    })
}

pub fn equation_19(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let levels = if effort.is_least() { 1..=2 } else { 2..=5 };
    let mut runs = Vec::new();
    for level in levels {
        let sphere = generate::sphere(level)?;
        let there = Pose::from_translation([DISTANCE, 0.0, 0.0])?;
        let other = sphere.transformed(&Similarity::new(1.0, there)?)?;
        let meshes = [sphere, other];
        for step in STEPS {
            let mut least = run(&meshes, step)?;
            for _ in 1..effort.turns {
                least.seconds = least.seconds.min(run(&meshes, step)?.seconds);
            }
            runs.push(least);
        }
    }
    let by_face = Fit::new(&runs, Run::by_face);
    let alike = Fit::new(&runs, |run| run.counts);
    let row = |run: &Run| {
        let mut row = vec![Cell::Count(run.faces), Cell::Number(run.step)];
        row.extend(run.counts.map(|n| Cell::Count(n as usize)));
        row.extend([
            Cell::Seconds(run.seconds),
            Cell::Seconds(by_face.sum(run)),
            Cell::Seconds(alike.sum(run)),
        ]);
        row
    };
    let sum = |run: &Run| by_face.sum(run);
    let nanoseconds = |costs: [f64; 4]| costs.map(|cost| 1e9 * cost);
    let points = |of: &dyn Fn(&Run) -> f64| runs.iter().map(|run| [sum(run), of(run)]).collect();
    Ok(vec![Finding {
        published: json!("T = N_t C_t + N_u C_u + N_v C_v + N_p C_p"),
        measured: json!({
            "cost in nanoseconds of a trajectory, an update for each face, volumes, primitives": nanoseconds(by_face.costs),
            "largest factor": by_face.worst,
            "the same with one cost of an update, whatever the number of faces": {
                "cost in nanoseconds": nanoseconds(alike.costs),
                "largest factor": alike.worst,
            },
        }),
        checks: vec![Check::number(
            "time / sum of costs or its inverse, largest of all runs",
            by_face.worst,
            at_most(ALIKE),
        )],
        remark: format!(
            "Two spheres of 128 to 8192 faces, refitted at every step. An update is a refit of a hierarchy, as the equation counts it. Section \
             3.4 says that it is linear in the vertices of the hierarchy, whose number is about twice that of the faces, so that its cost \
             C_u is proportional to the number of faces. With one cost C_u for all bodies, which is not judged, the times are the sums \
             up to a factor of {:.3}. Costs are fitted by least squares of relative errors, none of them negative; one that is 0 does \
             not show beside the others.",
            alike.worst
        ),
        data: Data {
            head: vec![
                "faces",
                "step",
                "trajectories",
                "updates",
                "volumes",
                "primitives",
                "time",
                "sum of costs",
                "sum with one cost of an update",
            ],
            rows: runs.iter().map(row).collect(),
        },
        plots: vec![Plot {
            title: "Time of a run against the sum of its costs".into(),
            x: Axis {
                name: "sum of costs",
                unit: Unit::Seconds,
            },
            y: Axis {
                name: "time",
                unit: Unit::Seconds,
            },
            even: false,
            curves: vec![
                Curve {
                    name: "measured".into(),
                    points: points(&|run| run.seconds),
                    dashed: false,
                },
                Curve {
                    name: "equal".into(),
                    points: points(&sum),
                    dashed: true,
                },
            ],
        }],
        ..Finding::of(&EQUATION_19)
    }])
}
