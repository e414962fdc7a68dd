//! A simulation in steps, and the engine that sleeps through most of them.

use tangere::impact::{Impact, ImpactEngine};

/// The time of a step.
pub fn time(step: usize, length: f64) -> f64 {
    step as f64 * length
}

/// Whether the engine has something to do in a step, which ends with the next one.
pub fn is_awake(engine: &ImpactEngine, step: usize, length: f64) -> bool {
    engine.next_time() < time(step + 1, length)
}

/// The times of the steps from one on in which the engine works, and the first contact before the end.
pub fn awake(
    engine: &mut ImpactEngine,
    from: usize,
    length: f64,
    until: f64,
) -> tangere::Result<(Vec<f64>, Option<Impact>)> {
    // Bodies are predicted.
    engine.next_contact(engine.time())?;
    let mut times = Vec::new();
    for step in from.. {
        if time(step, length) >= until {
            break;
        }
        if !is_awake(engine, step, length) {
            continue;
        }
        times.push(time(step, length));
        let end = time(step + 1, length);
        let found = engine.next_contact(end)?;
        if found.is_some() {
            return Ok((times, found));
        }
        engine.advance(end)?;
    }
    Ok((times, None))
}
