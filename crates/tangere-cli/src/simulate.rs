//! `tangere simulate`: granular simulations from LAMMPS decks.

use crate::arguments::number;
use crate::console::Console;
use crate::failure::Failure;
use crate::signals;
use clap::Args;
use indicatif::ProgressBar;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tangere_front::text;
use tangere_sim::Simulation;
use tangere_sim::deck::{Progress, RunError, RunOptions, RunReport, run_deck};

const EXAMPLES: &str = "\
Examples:
  tangere simulate in.chute                              a deck as it is; its text to standard output
  tangere simulate in.chute --out results                files and checkpoints in a folder
  tangere simulate in.chute --out results --resume       goes on after an interruption
  tangere simulate in.chute --json | jq .hash            the same on any number of threads";

/// Simulate granular matter: run a LAMMPS deck of spheres
///
/// Reads the commands that granular decks use (docs/lammps.md). All of them are checked before the first
/// step; what is not known is an error with file, line and command. The text of print and thermo goes to
/// standard output, with --json to the log only. With --out files are written to a folder, with a log and
/// checkpoints: every minute, at the end of each run, and when the program is interrupted (SIGINT,
/// SIGTERM). --resume goes on from the last one, and ends with the same bits as a run that was not
/// interrupted.
///
/// The JSON object has the number of particles, steps, the time, seconds (neighbours, contacts, integrate,
/// output), rate (particle-steps a second of CPU time in steps), hash (of the last state by id, whatever
/// the number of threads, the order of storage and restarts), energy, contacts, out.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Simulate {
    /// The deck: a LAMMPS input file
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// The folder of results; created if missing, an error if it has other results
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on from the checkpoint in the folder of results
    #[arg(long, requires = "out", conflicts_with = "force")]
    resume: bool,
    /// Write to a folder that has other results
    #[arg(long, requires = "out")]
    force: bool,
    /// Skip a command of the deck; may be given several times
    #[arg(long, value_name = "COMMAND")]
    ignore: Vec<String>,
    /// Set a variable before the first command, as LAMMPS' -var; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    var: Vec<(String, String)>,
    /// Seconds between checkpoints
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = number)]
    checkpoint_every: f64,
    /// Advance tangential springs in the plane of half a step ago (Vyas et al. 2025), not as LAMMPS does
    #[arg(long)]
    synchronized: bool,
    /// Print one JSON object instead of the text of the deck
    #[arg(long)]
    json: bool,
}

fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.into(), value.into()))
}

/// Runs a deck.
pub fn run(options: &Simulate, console: &Console) -> Result<(), Failure> {
    let is_scene = options.deck.extension().is_some_and(|e| e == "toml");
    if is_scene {
        return Err(Failure::Input(format!(
            "{}: found a scene, expected a LAMMPS deck",
            options.deck.display()
        )));
    }
    if !(options.checkpoint_every >= 0.0 && options.checkpoint_every <= 1e9) {
        let message = format!(
            "--checkpoint-every: found {}, expected seconds from 0 to 1e9",
            options.checkpoint_every
        );
        return Err(Failure::Input(message));
    }
    let variables = options.var.iter().map(|(name, value)| {
        let values = value.split_whitespace().map(str::to_owned).collect();
        (name.clone(), values)
    });
    let run_options = RunOptions {
        out: options.out.clone(),
        resume: options.resume,
        force: options.force,
        ignore: options.ignore.clone(),
        variables: variables.collect(),
        interval: Duration::from_secs_f64(options.checkpoint_every),
        is_synchronized: options.synchronized,
    };
    let signal = signals::deferred();
    let mut bar = Bar {
        bar: console.bar(1),
        begin: Instant::now(),
        first: None,
        signal: &signal,
    };
    let mut screen: Box<dyn Write> = match options.json {
        true => Box::new(std::io::sink()),
        false => Box::new(std::io::stdout()),
    };
    let result = run_deck(&options.deck, &run_options, &mut screen, &mut bar);
    bar.bar.finish_and_clear();
    let report = match result {
        Ok(report) => report,
        Err(RunError::Interrupted) => {
            if let Some(folder) = &options.out {
                console.note(format_args!(
                    "interrupted; --resume goes on from {}",
                    folder.display()
                ));
            }
            signal.raise();
            return Err(Failure::Work("interrupted".into()));
        }
        Err(RunError::Deck(error)) => {
            let message = error.to_string();
            // A simulation that fails is no wrong usage.
            let is_stopped = error.problem.expected == "a simulation that can go on";
            return Err(match is_stopped || message.contains("a file to write to") {
                true => Failure::Work(message),
                false => Failure::Input(message),
            });
        }
        Err(error) => return Err(Failure::Input(error.to_string())),
    };
    match options.json {
        true => console.print_json(&object(&report, options)),
        false => {
            let rate = report.rate / 1e6;
            console.note(format_args!(
                "{} particles, step {}, hash {:016x}; {rate:.2} million particle-steps a second, {} in all",
                report.particles,
                report.steps,
                report.hash,
                text::seconds(report.total)
            ));
            Ok(())
        }
    }
}

fn object(report: &RunReport, options: &Simulate) -> serde_json::Value {
    let seconds = report.seconds;
    let output = report.total - seconds.neighbours - seconds.contacts - seconds.integrate;
    json!({
        "particles": report.particles,
        "steps": report.steps,
        "time": report.time,
        "seconds": {
            "neighbours": seconds.neighbours,
            "contacts": seconds.contacts,
            "integrate": seconds.integrate,
            "output": output.max(0.0),
        },
        "rate": report.rate,
        "hash": format!("{:016x}", report.hash),
        "energy": { "kinetic": report.energy[0], "rotational": report.energy[1] },
        "contacts": report.contacts,
        "out": options.out.as_ref().map(|out| out.display().to_string()),
    })
}

/// A progress bar with the rate, on a terminal.
struct Bar<'a> {
    bar: ProgressBar,
    begin: Instant,
    first: Option<u64>,
    signal: &'a signals::Deferred,
}

impl Progress for Bar<'_> {
    fn see(&mut self, simulation: &Simulation, run: u64) {
        let step = simulation.step_number();
        let first = *self.first.get_or_insert(step);
        let seconds = self.begin.elapsed().as_secs_f64();
        let done = (step - first) as f64 * simulation.len() as f64;
        let rate = done / seconds.max(1e-9) / 1e6;
        self.bar.set_message(format!(
            "run {run}, step {step}, {rate:.1} million particle-steps a second"
        ));
        self.bar.tick();
    }

    fn is_interrupted(&self) -> bool {
        self.signal.is_raised()
    }
}
