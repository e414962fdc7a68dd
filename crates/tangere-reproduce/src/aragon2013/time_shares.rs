//! Section 5.2 of `aragon2013`: how the run time divides between building the hierarchy and
//! the active steps: the first two time steps, at which the motion is observed, and those in which
//! the impact engine has pairs to process.

use super::figure7_wall::{AWAKE, Scenario, of, three_decimals};
use crate::Effort;
use crate::Error;
use crate::finding::{Cell, Data, Finding, maybe, word};
use crate::timing::cpu_seconds;
use serde_json::{Value, json};
use tangere::impact::BodyShape;
use tangere::impact::hierarchy::Volume;
use tangere_front::text::{duration, three_digits};

/// The paper's share of each of its six active steps in the time of all active steps.
const SHARES: [f64; 6] = [0.173, 0.162, 0.166, 0.164, 0.162, 0.173];
/// The paper's share of building the hierarchy in the total time.
const CONSTRUCTION: f64 = 0.99;

/// The largest ratio of the shares of two active steps that are accepted as equal.
const EVEN: f64 = 1.5;
/// The smallest share of building the hierarchy in the total time with which the claim holds.
const NEARLY_ALL: f64 = 0.9;

/// The times of a simulated crash: that of building the hierarchy, and that of each active step,
/// each the minimum CPU time of several runs.
struct Steps {
    volume: Volume,
    construction: f64,
    /// For each active step its simulated time and its CPU time, both in seconds.
    steps: Vec<[f64; 2]>,
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
            for (least, again) in steps.iter_mut().zip(scenario.deforming(&shape, volume)?) {
                least[1] = least[1].min(again[1]);
            }
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

    /// Returns the share of building the hierarchy in the total time.
    fn of_all(&self) -> f64 {
        self.construction / (self.construction + self.total())
    }

    fn rows(&self) -> impl Iterator<Item = Vec<Cell>> {
        self.steps
            .iter()
            .zip(self.shares())
            .map(|(&[now, seconds], share)| {
                let published = AWAKE.iter().position(|t| (t - now).abs() < 1e-9);
                vec![
                    word(self.volume.name()),
                    word(three_decimals(now)),
                    maybe(Cell::Share, published.map(|i| SHARES[i])),
                    Cell::Share(share),
                    Cell::Seconds(seconds),
                ]
            })
    }

    fn json(&self) -> Value {
        json!({
            "construction": self.of_all(),
            "steps awake": self.steps.iter().map(|step| step[0]).collect::<Vec<f64>>(),
            "shares": self.shares(),
            "milliseconds, construction and detection": [1e3 * self.construction, 1e3 * self.total()],
        })
    }
}

pub fn shares(scenario: &Scenario, effort: &Effort) -> Result<Finding, Error> {
    let balls = Steps::new(scenario, Volume::Ball, effort.turns)?;
    let boxes = Steps::new(scenario, Volume::Box, effort.turns)?;
    Ok(Finding {
        name: "section 5.2, shares",
        claim: "Building the hierarchy takes 99% of the time. Of the rest every active step of the engine takes about the same \
            share, that of updating the hierarchies, however deep it descends."
            .into(),
        published: json!({"construction": CONSTRUCTION, "steps awake": AWAKE, "shares": SHARES}),
        measured: json!({"balls": balls.json(), "boxes": boxes.json()}),
        holds: balls.spread() <= EVEN && balls.of_all() >= NEARLY_ALL,
        remark: format!(
            "At each active step the nodes of the motorcycle are set and its hierarchy is refitted, as in a finite element \
             simulation; a rigid body needs no refit. Building the hierarchy takes {} with spheres and {} with boxes, {} and {} of \
             the total; the largest share of a step is {} and {} times the least. Building no longer dominates, so the traversal \
             shows beside the refit: the engine traverses until it has excluded any contact before the next step. Criterion: the \
             largest share is at most {EVEN} times the least, and building takes at least {} of the time, with the paper's \
             spheres.",
            duration(balls.construction),
            duration(boxes.construction),
            percent(balls.of_all()),
            percent(boxes.of_all()),
            three_digits(balls.spread()),
            three_digits(boxes.spread()),
            percent(NEARLY_ALL),
        ),
        data: Data {
            head: vec!["volumes", "step at", "published", "share", "time"],
            rows: balls.rows().chain(boxes.rows()).collect(),
        },
        plots: Vec::new(),
        pictures: Vec::new(),
    })
}

fn percent(share: f64) -> String {
    format!("{}%", three_digits(100.0 * share))
}
