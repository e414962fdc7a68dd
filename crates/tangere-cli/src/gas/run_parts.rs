//! Runs the simulation of a gas in consecutive parts. After each part the progress bar is updated,
//! and `--verify` checks for overlaps.

use super::Gas;
use super::verify::Overlaps;
use crate::failure::Failure;
use tangere::impact::gas::{Collision, End, Gas as HardSpheres};
use tangere::{Argument, memory};

/// Result of a run of the gas: the number of events, why the run ended, and the deepest overlap.
pub struct Done {
    pub events: u64,
    pub end: End,
    /// The deepest overlap of two spheres found during the run, as a fraction of the diameter of
    /// the smaller sphere; `None` without `--verify`.
    pub overlap: Option<f64>,
}

/// Number of parts into which a run is divided: after each part progress is shown and `--verify`
/// checks for overlaps.
const PARTS: u64 = 1000;

/// Runs the simulation of the gas in `PARTS` consecutive parts. Appends its collisions to
/// `collisions` if `--out` is given. After each part `progress` gets the fraction done. The result
/// does not depend on the number of parts.
pub fn go(
    options: &Gas,
    gas: &mut HardSpheres,
    collisions: &mut Vec<Collision>,
    progress: &mut dyn FnMut(f64),
) -> Result<Done, Failure> {
    let (events, until) = (
        options.events.unwrap_or(u64::MAX),
        options.until.unwrap_or(f64::INFINITY),
    );
    // An invalid `--until` is refused here, before it is divided into parts.
    gas.run(0, until, |_| ()).map_err(Failure::option)?;
    let mut overlaps = options.verify.then(|| Overlaps::of(gas)).transpose()?;
    let mut done = Done {
        events: 0,
        end: End::Events,
        overlap: None,
    };
    for part in 1..=PARTS {
        let share = part as f64 / PARTS as f64;
        let goal = match options.events {
            Some(events) => (events as u128 * u128::from(part) / u128::from(PARTS)) as u64,
            None => u64::MAX,
        };
        // If both limits are given, only the number of events is divided.
        let stop = match options.events {
            Some(_) => until,
            None if part == PARTS => until,
            None => options.time + share * (until - options.time),
        };
        let mut full = Ok(());
        let run = gas.run(goal.min(events) - done.events, stop, |collision| {
            if options.out.is_some() && full.is_ok() {
                full = memory::reserve(collisions, 1, Argument::Other("collisions"));
                if full.is_ok() {
                    collisions.push(*collision);
                }
            }
        });
        let run = run.map_err(Failure::option)?;
        full?;
        (done.events, done.end) = (done.events + run.events, run.end);
        if let Some(overlaps) = &mut overlaps {
            let deepest = overlaps.deepest(gas)?;
            done.overlap = Some(done.overlap.unwrap_or(0.0).max(deepest));
        }
        progress(share);
        let is_done = match run.end {
            End::Events => false,
            End::Until => options.events.is_some(),
            End::Over | End::Stalled => true,
        };
        if is_done {
            break;
        }
    }
    Ok(done)
}
