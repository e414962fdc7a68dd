//! The shares of section 5.2: which step takes which part of the time.

use super::wall::{AWAKE, Scenario, of, three_decimals};
use crate::Effort;
use crate::Error;
use crate::finding::{Cell, Data, Finding, maybe, word};
use crate::timing::cpu_seconds;
use serde_json::{Value, json};
use tangere::impact::BodyShape;
use tangere::impact::hierarchy::Volume;
use tangere_front::text::{duration, three_digits};

/// The paper's shares of the steps in which its engine works, and that of the construction of all.
const SHARES: [f64; 6] = [0.173, 0.162, 0.166, 0.164, 0.162, 0.173];
const CONSTRUCTION: f64 = 0.99;

/// Shares are about even when the largest is at most so many times the least; the construction is nearly all from here on.
const EVEN: f64 = 1.5;
const NEARLY_ALL: f64 = 0.9;

/// Steps in which the engine works, with the least CPU time of each.
struct Steps {
    volume: Volume,
    construction: f64,
    /// Times of steps, and seconds.
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

    /// The largest share, in terms of the least.
    fn spread(&self) -> f64 {
        let shares = self.shares();
        let most = shares.iter().copied().fold(0.0, f64::max);
        most / shares.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// What making the hierarchy takes of all.
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

    fn told(&self) -> Value {
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
        claim: "Making the hierarchy takes 99% of the time. Of the rest each step in which the engine works takes about the same \
                share, that of updating the hierarchies, however deep it descends."
            .into(),
        published: json!({"construction": CONSTRUCTION, "steps awake": AWAKE, "shares": SHARES}),
        measured: json!({"balls": balls.told(), "boxes": boxes.told()}),
        holds: balls.spread() <= EVEN && balls.of_all() >= NEARLY_ALL,
        remark: format!(
            "Nodes of the motorcycle are given at each step in which the engine works, and its hierarchy is refitted, as in a \
             simulation with finite elements; a rigid body needs no refit at all. Making the hierarchy takes {} with balls and {} with boxes, \
             {} and {} of all; the largest share of a step is {} and {} times the least. Making hierarchies is no longer \
             what takes time, and so descending in them shows beside refitting them: the engine looks until it knows that nothing \
             touches before the next step. Held to be so when the largest share is at most {EVEN} times the least, and making the hierarchy \
             takes at least {} of the time, with the paper's balls.",
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
