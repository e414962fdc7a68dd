//! Benchmark of event-driven molecular dynamics: a gas of hard spheres.

use super::TURNS;
use crate::timing::{contestant, race};
use crate::{Options, Outcome};
use tangere::generate::crystal;
use tangere::impact::gas::{Domain, Gas, GasSettings, thermal_velocities};

const SPHERES: usize = 10_000;

/// Returns a gas of hard spheres that fills a share of the periodic unit box, after enough
/// collisions to destroy the crystal in which it starts.
fn molten(share: f64) -> tangere::Result<Gas> {
    let spheres = crystal::<3>(SPHERES, share)?;
    let velocities = thermal_velocities(&[1.0; SPHERES], 1.0, 3, 0)?;
    let settings = GasSettings {
        domain: Domain::periodic([1.0; 3])?,
        ..GasSettings::default()
    };
    let (centers, radii) = (spheres.centers(), spheres.radii());
    let mut gas = Gas::new(
        centers,
        &velocities,
        radii,
        Some(&[1.0; SPHERES]),
        &settings,
    )?;
    gas.run(10 * SPHERES as u64, f64::INFINITY, |_| ())?;
    Ok(gas)
}

pub fn run(options: &Options) -> Outcome {
    let events: u64 = if options.quick { 20_000 } else { 100_000 };
    let title = format!("{events} collisions of {SPHERES} hard spheres");
    if !options.selects(&title) {
        return Ok(());
    }
    // Each turn continues from the state of the previous one.
    let (mut thin, mut dense) = (molten(0.1)?, molten(0.45)?);
    let collide = |gas: &mut Gas| {
        let run = gas.run(events, f64::INFINITY, |_| ());
        run.map_or(0, |run| run.events as usize)
    };
    race(
        &title,
        TURNS,
        events as usize,
        &mut [
            contestant("10% of space filled", || collide(&mut thin)),
            contestant("45% of space filled", || collide(&mut dense)),
        ],
    );
    Ok(())
}
