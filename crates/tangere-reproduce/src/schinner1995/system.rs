//! The whole system of `schinner1995`: N convex polyhedra in one scene, broad and narrow phase together,
//! against N and against the number of faces.

use super::claims::{SHAPES, SYSTEM};
use super::grains::MovingGrains;
use crate::Effort;
use crate::Error;
use crate::check::{Check, at_most};
use crate::finding::{Cell, Data, Finding};
use crate::timing::{FEWEST_BATCHES, least, ratio_interval, without_one};
use serde_json::json;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The largest quotient of times a step and body that is accepted as linear growth: larger systems
/// outgrow the caches.
const LINEAR: f64 = 1.5;

/// The largest quotient of times that is accepted as no effect of the shape.
const ALIKE: f64 = 1.3;

/// The number of faces of grains whose number varies.
const FACES: usize = 20;

/// Steps before the first that is measured: the first lists and trackers are made in them.
const WARM: usize = 4;

/// The number of steps of a batch.
const STEPS: usize = 6;

/// Grains, and the seconds a step and body of several batches.
struct Measured {
    grains: MovingGrains,
    faces: usize,
    batches: Vec<f64>,
}

impl Measured {
    fn new(count: usize, faces: usize) -> Result<Self, Error> {
        let mut grains = MovingGrains::new(count, faces)?;
        for _ in 0..WARM {
            grains.advance()?;
        }
        Ok(Self {
            grains,
            faces,
            batches: Vec::new(),
        })
    }

    /// Measures another batch of steps.
    fn batch(&mut self) -> Result<(), Error> {
        let mut sum = 0.0;
        for _ in 0..STEPS {
            sum += self.grains.advance()?;
        }
        let bodies = (STEPS * self.grains.count()) as f64;
        self.batches.push(sum / bodies);
        Ok(())
    }

    fn seconds(&self) -> f64 {
        least(&self.batches)
    }
}

pub fn all(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let counts: &[usize] = match (effort.is_least(), effort.is_quick()) {
        (true, _) => &[216, 343],
        (_, true) => &[1_000, 10_000],
        _ => &[1_000, 10_000, 100_000, 1_000_000],
    };
    let shaped = if effort.is_least() { 343 } else { 10_000 };
    let mut sizes = counts
        .iter()
        .map(|&count| Measured::new(count, FACES))
        .collect::<Result<Vec<_>, _>>()?;
    let mut shapes = [4, FACES, 100, 920]
        .map(|faces| Measured::new(shaped, faces))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    for batch in 1..=effort.most_batches() {
        // A large system has as many bodies in one batch as a small one in hundreds.
        for measured in sizes.iter_mut().chain(&mut shapes) {
            measured.batch()?;
        }
        let findings = [of_sizes(&sizes), of_shapes(&shapes)];
        if batch >= FEWEST_BATCHES && findings.iter().all(Finding::is_decided) {
            break;
        }
    }
    Ok(vec![of_sizes(&sizes), of_shapes(&shapes)])
}

/// The interval of the quotient of the times of two systems, from the batches of both.
fn quotient(over: &Measured, under: &Measured) -> [f64; 2] {
    let [over, under] = [over, under].map(|measured| without_one(&measured.batches));
    let pairs = over.iter().zip(&under);
    ratio_interval(&pairs.map(|(x, y)| x / y).collect::<Vec<f64>>())
}

/// The check that the times of the slowest and the fastest system differ by a factor of at most `most`.
fn spread(all: &[Measured], name: impl Fn(&Measured) -> String, most: f64) -> Option<Check> {
    let by_time = |a: &&Measured, b: &&Measured| a.seconds().total_cmp(&b.seconds());
    let (fast, slow) = all.iter().min_by(by_time).zip(all.iter().max_by(by_time))?;
    let what = format!("time a step and body, {} / {}", name(slow), name(fast));
    Some(Check::interval(what, quotient(slow, fast), at_most(most)))
}

fn data(all: &[Measured]) -> Data {
    let row = |measured: &Measured| {
        vec![
            Cell::Count(measured.grains.count()),
            Cell::Count(measured.faces),
            Cell::Count(measured.grains.contacts()),
            Cell::Seconds(measured.seconds()),
        ]
    };
    Data {
        head: vec!["bodies", "faces", "contacts", "time a step and body"],
        rows: all.iter().map(row).collect(),
    }
}

fn plot(title: &str, x: &'static str, all: &[Measured], at: fn(&Measured) -> usize) -> Plot {
    Plot {
        title: title.into(),
        x: Axis {
            name: x,
            unit: Unit::Count,
        },
        y: Axis {
            name: "time a step and body",
            unit: Unit::Seconds,
        },
        even: false,
        curves: vec![Curve {
            name: "scene".into(),
            points: all.iter().map(|m| [at(m) as f64, m.seconds()]).collect(),
            dashed: false,
        }],
    }
}

/// The number of bodies up to which the growth is judged: a million, as of the largest simulations.
const MOST_BODIES: usize = 1_000_000;

fn of_sizes(sizes: &[Measured]) -> Finding {
    let name = |m: &Measured| format!("{} bodies", m.grains.count());
    let spread = spread(sizes, name, LINEAR).map(|check| check.printed("expected run time O(N)"));
    Finding {
        published: json!("expected run time O(N), N the number of particles"),
        measured: json!(
            sizes
                .iter()
                .map(|m| (m.grains.count().to_string(), json!(m.seconds())))
                .collect::<serde_json::Map<_, _>>()
        ),
        checks: spread.into_iter().collect(),
        open: sizes
            .last()
            .filter(|most| most.grains.count() < MOST_BODIES)
            .map(|most| {
                let count = most.grains.count();
                format!(
                    "This run has at most {count} bodies; growth is judged up to {MOST_BODIES}."
                )
            }),
        remark: format!(
            "Hulls of {FACES} faces in a periodic cell that move and turn a little in every step: broad phase, narrow phase and identity of contacts by one scene. \
             Larger systems do not fit the caches. The text prints O(N) and no number for a body; O(N) is read as the time of a step of all bodies."
        ),
        data: data(sizes),
        plots: vec![plot(
            "Time a step and body against the number of bodies",
            "bodies",
            sizes,
            |m| m.grains.count(),
        )],
        ..Finding::of(&SYSTEM)
    }
}

fn of_shapes(shapes: &[Measured]) -> Finding {
    let name = |m: &Measured| format!("{} faces", m.faces);
    let spread = spread(shapes, name, ALIKE);
    Finding {
        measured: json!(
            shapes
                .iter()
                .map(|m| (m.faces.to_string(), json!(m.seconds())))
                .collect::<serde_json::Map<_, _>>()
        ),
        checks: spread.into_iter().collect(),
        remark: "Hulls of 4 to 920 faces with the same excluded volume and the same motion, so that about as many touch; the slowest \
                 against the fastest."
            .into(),
        data: data(shapes),
        plots: vec![plot(
            "Time a step and body against the number of faces",
            "faces",
            shapes,
            |m| m.faces,
        )],
        ..Finding::of(&SHAPES)
    }
}
