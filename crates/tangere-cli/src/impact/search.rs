//! The first contact of each pair of bodies.

use super::input::Scene;
use crate::failure::Failure;
use tangere::impact::{Certificate, ImpactContact};

/// What was found.
pub struct Found {
    pub contacts: Vec<ImpactContact>,
    pub wakeups: Vec<f64>,
    /// Until when all was looked at: the end, or before if the search gave up or had enough.
    pub searched: f64,
    pub is_complete: bool,
}

/// All first contacts, in the order of time.
pub fn events(scene: &mut Scene, only_first: bool) -> Result<Found, Failure> {
    let mut found = Found {
        contacts: Vec::new(),
        wakeups: Vec::new(),
        searched: scene.until,
        is_complete: true,
    };
    // At the start bodies are predicted; that is no wake-up.
    let mut goes_on = look(scene, 0.0, only_first, &mut found)?;
    let mut steps: u64 = 0;
    while goes_on && scene.engine.time() < scene.until {
        let wake = scene.engine.next_time();
        if wake > scene.until {
            break;
        }
        let horizon = match scene.step {
            None => wake,
            Some(step) => {
                // The step within which it is; those before are slept through.
                steps = steps.max((wake / step).floor() as u64);
                while (steps + 1) as f64 * step <= wake && wake < scene.until {
                    steps += 1;
                }
                let begin = steps as f64 * step;
                found.wakeups.push(begin);
                steps += 1;
                (steps as f64 * step).min(scene.until).max(wake)
            }
        };
        if scene.step.is_none() && found.wakeups.last() != Some(&wake) {
            found.wakeups.push(wake);
        }
        goes_on = look(scene, horizon, only_first, &mut found)?;
        if scene.step.is_some() {
            scene.engine.advance(horizon)?;
        }
    }
    found.contacts.sort_by(|x, y| {
        x.early
            .total_cmp(&y.early)
            .then((x.a, x.b).cmp(&(y.a, y.b)))
    });
    Ok(found)
}

/// What touches up to a time; whether to go on after it.
fn look(
    scene: &mut Scene,
    horizon: f64,
    only_first: bool,
    found: &mut Found,
) -> Result<bool, Failure> {
    while let Some(impact) = scene.engine.next_contact(horizon)? {
        if impact.certificate == Certificate::Unresolved {
            found.searched = impact.early;
            found.is_complete = false;
            return Ok(false);
        }
        for contact in &impact.contacts {
            scene
                .engine
                .ignore(contact.a as usize, contact.b as usize)?;
        }
        found.contacts.extend(impact.contacts);
        if only_first {
            found.searched = impact.early;
            return Ok(false);
        }
    }
    Ok(true)
}
