//! `tangere simulate`: granular simulations from scenes and LAMMPS decks.

use crate::arguments::number;
use crate::console::Console;
use crate::failure::Failure;
use crate::signals;
use clap::Args;
use indicatif::ProgressBar;
use serde_json::json;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tangere_front::text;
use tangere_io::scene::SceneFile;
use tangere_sim::deck::{RunOptions, run_deck};
use tangere_sim::scene::{BUNDLED, End, SceneOptions, Source, run_scene};
use tangere_sim::{Error, Progress, RunError, RunReport, Simulation};

const EXAMPLES: &str = "\
Examples:
  tangere simulate packing                               a bundled scene; --list names them all
  tangere simulate hopper --until 20 --out hopper        files and checkpoints in a folder
  tangere simulate heap.toml --out heap                  a scene of your own (docs/scenes.md)
  tangere simulate heap.toml --out heap --resume --until 40
                                                         goes on where it ended or was interrupted
  tangere simulate in.chute                              a LAMMPS deck as it is
  tangere simulate in.chute --json | jq .hash            the same on any number of threads";

/// Simulate granular matter: spheres from a scene or a LAMMPS deck
///
/// SCENE.toml has bodies, materials and walls (docs/scenes.md); NAME is a bundled scene. Any other file is
/// a LAMMPS deck (docs/lammps.md): all of its commands are checked before the first step; what is not known
/// is an error with file, line and command. Standard output has a table of totals, or the text of print
/// and thermo; with --json it has one object.
///
/// With --out files are written to a folder: of a scene totals.csv and spheres.pvd for ParaView, of a deck
/// its log and what it dumps, and checkpoints: every minute, at the end, and when the program is
/// interrupted (SIGINT, SIGTERM). --resume goes on from the last one, and ends with the same bits as a run
/// that was not interrupted.
///
/// The JSON object has the number of particles, steps, the time, seconds (neighbours, contacts, integrate,
/// output), rate (particle-steps a second of CPU time in steps), hash (of the last state by id, whatever
/// the number of threads, the order of storage and restarts), energy, contacts, out.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Simulate {
    /// A scene (.toml), a LAMMPS deck, or the name of a bundled scene
    #[arg(value_name = "SCENE", required_unless_present = "list")]
    input: Option<PathBuf>,
    /// List the bundled scenes
    #[arg(long, conflicts_with = "input")]
    list: bool,
    /// The time at which a scene ends, in place of its own
    #[arg(long, value_name = "TIME", value_parser = number, conflicts_with = "steps")]
    until: Option<f64>,
    /// The number of steps after which a scene ends, counted from its beginning
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// The folder of results; created if missing, an error if it has other results
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on from the checkpoint in the folder of results
    #[arg(long, requires = "out", conflicts_with = "force")]
    resume: bool,
    /// Write to a folder that has other results
    #[arg(long, requires = "out")]
    force: bool,
    /// Skip a command of a deck; may be given several times
    #[arg(long, value_name = "COMMAND")]
    ignore: Vec<String>,
    /// Set a variable before the first command of a deck, as LAMMPS' -var; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    var: Vec<(String, String)>,
    /// Seconds between checkpoints
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = number)]
    checkpoint_every: f64,
    /// Advance tangential springs of a deck in the plane of half a step ago (Vyas et al. 2025), not as
    /// LAMMPS does
    #[arg(long)]
    synchronized: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.into(), value.into()))
}

/// Runs a scene or a deck.
pub fn run(options: &Simulate, console: &Console) -> Result<(), Failure> {
    let Some(path) = options.input.as_ref().filter(|_| !options.list) else {
        return list(options, console);
    };
    let refuse = |option: &str, found: &dyn Display, expected: &str| {
        let message = format!("{option}: found {found}, expected {expected}");
        Err(Failure::Input(message))
    };
    let every = options.checkpoint_every;
    if !(0.0..=1e9).contains(&every) {
        return refuse("--checkpoint-every", &every, "seconds from 0 to 1e9");
    }
    if let Some(until) = options.until
        && !(until >= 0.0 && until.is_finite())
    {
        return refuse("--until", &until, "a time of at least 0");
    }
    let signal = signals::deferred();
    let mut bar = Bar {
        bar: console.bar(1),
        console,
        begin: Instant::now(),
        first: None,
        signal: &signal,
    };
    let mut screen: Box<dyn Write> = match options.json {
        true => Box::new(std::io::sink()),
        false => Box::new(std::io::stdout()),
    };
    let interval = Duration::from_secs_f64(every);
    let result = match Source::find(path).map_err(failure)? {
        Source::Scene(file, text) => {
            let of_deck = [
                ("--ignore", !options.ignore.is_empty()),
                ("--var", !options.var.is_empty()),
                ("--synchronized", options.synchronized),
            ];
            if let Some((option, _)) = of_deck.iter().find(|(_, is_given)| *is_given) {
                return refuse(option, &"a scene", "a deck, of which this is an option");
            }
            let scene_options = SceneOptions {
                out: options.out.clone(),
                resume: options.resume,
                force: options.force,
                interval,
                end: match (options.until, options.steps) {
                    (Some(time), _) => End::Time(time),
                    (None, Some(steps)) => End::Steps(steps),
                    (None, None) => End::OfScene,
                },
            };
            run_scene(&file, &text, &scene_options, &mut screen, &mut bar)
        }
        Source::Deck(path) => {
            for (option, is_given) in [
                ("--until", options.until.is_some()),
                ("--steps", options.steps.is_some()),
            ] {
                if is_given {
                    let expected = "a scene: the run commands of a deck say how far it goes";
                    return refuse(option, &"a deck", expected);
                }
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
                interval,
                is_synchronized: options.synchronized,
            };
            run_deck(&path, &run_options, &mut screen, &mut bar)
        }
    };
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
        Err(RunError::Simulation(error)) => return Err(failure(error)),
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

/// A simulation that fails is no wrong usage.
fn failure(error: Error) -> Failure {
    match error {
        Error::Input(error) => Failure::reading(error),
        Error::Stopped { .. } | Error::File { .. } => Failure::Work(error.to_string()),
        _ => Failure::Input(error.to_string()),
    }
}

/// Prints the bundled scenes.
fn list(options: &Simulate, console: &Console) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for scene in &BUNDLED {
        let file = SceneFile::parse(scene.text.as_bytes(), "");
        let file = file.map_err(|fault| Failure::Work(format!("{}: {fault}", scene.name)))?;
        rows.push((scene, file));
    }
    if options.json {
        let scenes = rows.iter().map(|(scene, file)| {
            json!({
                "name": scene.name,
                "title": scene.title(),
                "bodies": file.bodies.len(),
                "until": file.until,
                "step": file.step,
            })
        });
        return console.print_json(&json!({ "scenes": scenes.collect::<Vec<_>>() }));
    }
    let lines = rows.iter().map(|(scene, file)| {
        let (bodies, until) = (file.bodies.len(), file.until.unwrap_or_default());
        let title = scene.title();
        format!(
            "{:<8} {bodies:>5} bodies until {until:>3}  {title}\n",
            scene.name
        )
    });
    console.print(lines.collect::<String>())
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
        "energy": energy(report),
        "contacts": report.contacts,
        "out": options.out.as_ref().map(|out| out.display().to_string()),
    })
}

/// The energy: all terms of the ledger, if there is one.
fn energy(report: &RunReport) -> serde_json::Value {
    let terms = report.ledger.map(|energy| energy.terms());
    let terms = terms.as_ref().map(|terms| &terms[..]);
    let [kinetic, rotational] = report.energy;
    let plain = [("kinetic", kinetic), ("rotational", rotational)];
    let terms = terms.unwrap_or(&plain).iter();
    terms
        .map(|(name, value)| (name.to_string(), json!(value)))
        .collect()
}

/// A progress bar with the rate and the time left, on a terminal.
struct Bar<'a> {
    bar: ProgressBar,
    console: &'a Console,
    begin: Instant,
    first: Option<u64>,
    signal: &'a signals::Deferred,
}

impl Progress for Bar<'_> {
    fn see(&mut self, simulation: &Simulation, run: u64, end: Option<u64>) {
        let step = simulation.step_number();
        let first = *self.first.get_or_insert(step);
        let seconds = self.begin.elapsed().as_secs_f64();
        let done = (step - first) as f64;
        let rate = done * simulation.len() as f64 / seconds.max(1e-9) / 1e6;
        let what = match end {
            Some(end) => {
                self.bar.set_length(end);
                self.bar.set_position(step);
                let left = (end - step) as f64 * seconds / done.max(1.0);
                format!("{} left", text::seconds(left))
            }
            None => format!("run {run}, step {step}"),
        };
        self.bar
            .set_message(format!("{what}, {rate:.1} million particle-steps a second"));
        self.bar.tick();
    }

    fn is_interrupted(&self) -> bool {
        self.signal.is_raised()
    }

    fn warn(&mut self, message: &str) {
        self.bar
            .suspend(|| self.console.note(format_args!("warning: {message}")));
    }
}
