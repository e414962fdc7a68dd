//! Active time steps of an experiment of `aragon2013`: those in which the impact engine has pairs
//! to process. In most steps it has nothing to do, because its next predicted contact is later.

use tangere::impact::{Impact, ImpactEngine};

/// Returns the time at which a step begins; all steps have the given length.
pub fn time(step: usize, length: f64) -> f64 {
    step as f64 * length
}

/// Whether the engine is active in a step: its lower bound of the next time of impact is before the
/// end of the step.
pub fn is_awake(engine: &ImpactEngine, step: usize, length: f64) -> bool {
    engine.next_time() < time(step + 1, length)
}

/// Runs the engine until its first contact, or until the time `until`. Returns the times at which
/// the active steps begin, from step `from` on, and the contact.
pub fn awake(
    engine: &mut ImpactEngine,
    from: usize,
    length: f64,
    until: f64,
) -> tangere::Result<(Vec<f64>, Option<Impact>)> {
    // This call predicts the bodies.
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
