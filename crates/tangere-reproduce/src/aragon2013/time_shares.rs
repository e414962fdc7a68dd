//! Section 5.2 of `aragon2013`: how the run time divides between building the hierarchy and
//! the active steps: the first two time steps, at which the motion is observed, and those in which
//! the impact engine has pairs to process.

use super::claims;
use super::figure7_wall::{AWAKE, Scenario, of, three_decimals};
use crate::Effort;
use crate::Error;
use crate::check::{Check, at_least, at_most};
use crate::finding::{Cell, Data, Finding, printed, word};
use crate::timing::{FEWEST_BATCHES, Times, cpu_seconds, ratio_interval, without_one};
use serde_json::{Value, json};
use tangere::impact::BodyShape;
use tangere::impact::hierarchy::Volume;
use tangere_front::text::{duration, three_digits};

/// The paper's share in percent of each of its six active steps in the time of all active steps.
const SHARES: [f64; 6] = [17.3, 16.2, 16.6, 16.4, 16.2, 17.3];

/// The largest ratio of the shares of two active steps that are accepted as equal.
const EVEN: f64 = 1.25;
/// The least share of updating in the time of the active steps that is almost all of it.
const ALMOST_ENTIRELY: f64 = 0.9;
/// The smallest share of building the hierarchy in the total time with which the claim holds.
const NEARLY_ALL: f64 = 0.985;

/// The times of a simulated crash: that of building the hierarchy, and that of each active step,
/// each the minimum CPU time of several runs.
#[derive(Clone)]
struct Steps {
    volume: Volume,
    construction: f64,
    /// For each active step its simulated time, its CPU time and the part of it that the update of the
    /// hierarchy takes, all in seconds.
    steps: Vec<[f64; 3]>,
}

/// Takes over every step that took less time.
fn lower_steps(steps: &mut [[f64; 3]], others: &[[f64; 3]]) {
    for (least, other) in steps.iter_mut().zip(others) {
        // The parts are those of one run.
        if other[1] < least[1] {
            *least = *other;
        }
    }
}

impl Times for Steps {
    fn lower(&mut self, other: &Self) {
        self.construction.lower(&other.construction);
        lower_steps(&mut self.steps, &other.steps);
    }
}

impl Steps {
    fn new(scenario: &Scenario, volume: Volume, turns: usize) -> tangere::Result<Self> {
        let made = || BodyShape::with_hierarchy(scenario.motorcycle.clone(), &of(volume));
        let (mut construction, mut shape) = (f64::INFINITY, made()?);
        for _ in 0..turns {
            let start = cpu_seconds();
            shape = made()?;
            construction = construction.min(cpu_seconds() - start);
        }
        let mut steps = scenario.deforming(&shape, volume)?;
        for _ in 0..turns {
            lower_steps(&mut steps, &scenario.deforming(&shape, volume)?);
        }
        Ok(Self {
            volume,
            construction,
            steps,
        })
    }

    fn total(&self) -> f64 {
        self.steps.iter().map(|step| step[1]).sum()
    }

    fn shares(&self) -> Vec<f64> {
        self.steps.iter().map(|s| s[1] / self.total()).collect()
    }

    /// Returns the ratio of the largest to the smallest share of an active step in their total
    /// time.
    fn spread(&self) -> f64 {
        let shares = self.shares();
        let most = shares.iter().copied().fold(0.0, f64::max);
        most / shares.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Returns the share of updating the hierarchy in the time of the active steps.
    fn updating(&self) -> f64 {
        self.steps.iter().map(|step| step[2]).sum::<f64>() / self.total()
    }

    /// Returns the share of building the hierarchy in the total time.
    fn of_all(&self) -> f64 {
        self.construction / (self.construction + self.total())
    }

    fn rows(&self) -> impl Iterator<Item = Vec<Cell>> {
        self.steps
            .iter()
            .zip(self.shares())
            .map(|(&[now, seconds, updating], share)| {
                // The hierarchies of the text have spheres only.
                let has_spheres = matches!(self.volume, Volume::Ball);
                let published = AWAKE.iter().position(|t| (t - now).abs() < 1e-9);
                let published = published.filter(|_| has_spheres);
                vec![
                    word(self.volume.name()),
                    word(three_decimals(now)),
                    published.map_or(Cell::Nothing, |i| printed(SHARES[i], "%", 0.01)),
                    Cell::Share(share),
                    Cell::Seconds(seconds),
                    Cell::Seconds(updating),
                ]
            })
    }

    fn json(&self) -> Value {
        json!({
            "construction": self.of_all(),
            "steps awake, s": self.steps.iter().map(|step| step[0]).collect::<Vec<f64>>(),
            "shares": self.shares(),
            "share of updating in the active steps": self.updating(),
            "milliseconds, construction and detection": [1e3 * self.construction, 1e3 * self.total()],
        })
    }
}

pub fn shares(scenario: &Scenario, effort: &Effort) -> Result<Finding, Error> {
    let balls_of = (0..FEWEST_BATCHES)
        .map(|_| Steps::new(scenario, Volume::Ball, effort.batch))
        .collect::<tangere::Result<Vec<Steps>>>()?;
    let balls = Steps::new(scenario, Volume::Ball, effort.turns)?;
    let boxes = Steps::new(scenario, Volume::Box, effort.turns)?;
    let balls_of = without_one(&balls_of);
    let batches = |of: &dyn Fn(&Steps) -> f64| balls_of.iter().map(of).collect::<Vec<f64>>();
    Ok(Finding {
        published: json!({
            "construction": "roughly 99%",
            "steps awake, s": AWAKE,
            "shares": SHARES.map(|share| format!("{share}%")),
            "of that time updating the hierarchies": "almost entirely",
        }),
        measured: json!({"balls": balls.json(), "boxes": boxes.json()}),
        checks: vec![
            Check::interval(
                "share of the building, spheres",
                ratio_interval(&batches(&Steps::of_all)),
                at_least(NEARLY_ALL),
            )
            .less_is_better()
            .percent()
            .printed_number("roughly 99%", [0.99; 2]),
            Check::interval(
                "largest / least share of a step, spheres",
                ratio_interval(&batches(&Steps::spread)),
                at_most(EVEN),
            )
            .printed_number("17.3% / 16.2%", [17.3 / 16.2; 2]),
            Check::interval(
                "share of updating in the active steps, spheres",
                ratio_interval(&batches(&Steps::updating)),
                at_least(ALMOST_ENTIRELY),
            )
            .percent()
            .printed("almost entirely"),
        ],
        better: Some("building the hierarchy takes a smaller share of the time".into()),
        remark: format!(
            "At each active step the nodes of the motorcycle are set and its hierarchy is refitted, as in a finite element \
             simulation; a rigid body needs no refit. This updating takes {} of the time of the active steps with spheres and {} with boxes; \
             the rest is the search for a contact. Building the hierarchy takes {} with spheres and {} with boxes, {} and {} of \
             the total; the largest share of a step is {} and {} times the least. Where building does not dominate, the \
             traversal shows beside the refit: the engine traverses until it has excluded any contact before the next step.",
            percent(balls.updating()),
            percent(boxes.updating()),
            duration(balls.construction),
            duration(boxes.construction),
            percent(balls.of_all()),
            percent(boxes.of_all()),
            three_digits(balls.spread()),
            three_digits(boxes.spread()),
        ),
        data: Data {
            head: vec![
                "volumes",
                "step at",
                "published",
                "share",
                "time",
                "updating",
            ],
            rows: balls.rows().chain(boxes.rows()).collect(),
        },
        ..Finding::of(&claims::SHARES)
    })
}

fn percent(share: f64) -> String {
    format!("{}%", three_digits(100.0 * share))
}
