//! Decks that run in a folder, with checkpoints there, and go on from them.
//!
//! | file | what |
//! |---|---|
//! | `log.txt` | what the deck prints |
//! | `checkpoint.bin` | the last checkpoint |
//! | `run-K.bin` | the state at the end of run `K`, counted from 0 |
//! | `stopped.csv`, `stopped.bin` | where the simulation stopped, if it did |
//! | others | what the deck writes |
//!
//! A checkpoint notes how long all files were. A deck that is resumed is executed again from its
//! beginning, without output and with the known ends of runs that are over, up to the checkpoint; there
//! its files are cut to their lengths, and it goes on.

use super::error::{Error as DeckError, Problem};
use super::runner::{Runner, Watch};
use super::{Deck, Options, Outputs};
use crate::checkpoint::Checkpoint;
use crate::critical_step::critical_step;
use crate::error::{Error, Result};
use crate::run_folder::{self, LAST, Lock, Pace, Progress, RunError, RunReport, cut, prepare};
use crate::simulation::Simulation;
use crate::state_hash::mixed;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const LOG: &str = "log.txt";

/// How a deck runs.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The folder of results; without one, files of the deck are in the present folder, and there are no
    /// checkpoints.
    pub out: Option<PathBuf>,
    /// Whether to go on from the checkpoint in the folder.
    pub resume: bool,
    /// Whether a folder with other results is emptied of a checkpoint and written to.
    pub force: bool,
    /// Commands to skip.
    pub ignore: Vec<String>,
    /// Variables that are set before the first command.
    pub variables: Vec<(String, Vec<String>)>,
    /// The time between checkpoints.
    pub interval: Duration,
    /// Whether histories advance in the tangent plane of half a step ago.
    pub is_synchronized: bool,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            out: None,
            resume: false,
            force: false,
            ignore: Vec::new(),
            variables: Vec::new(),
            interval: Duration::from_secs(60),
            is_synchronized: false,
        }
    }
}

/// Runs a deck to its end. What it prints goes to `screen`, and with a folder to its log.
///
/// # Errors
/// When the deck is wrong, its simulation fails, the folder cannot be used, or it is interrupted.
pub fn run_deck(
    path: &Path,
    options: &RunOptions,
    screen: &mut dyn Write,
    progress: &mut dyn Progress,
) -> std::result::Result<RunReport, RunError> {
    let begin = Instant::now();
    let deck_hash = fingerprint(path, options);
    let lock = |folder| Lock::new(folder, options.resume);
    let _lock = options.out.as_deref().map(lock).transpose()?;
    let resumed = match (&options.out, options.resume) {
        (Some(folder), true) => {
            check_resumable(path)?;
            Some(Resumed::read(folder, deck_hash)?)
        }
        (None, true) => {
            let expected = "a folder in which to resume (--out)";
            return Err(Error::invalid("resume", "no folder", expected).into());
        }
        (Some(folder), false) => {
            prepare(folder, options.force)?;
            None
        }
        (None, false) => None,
    };
    let outputs = match &resumed {
        Some(resumed) => Arc::new(Outputs::resumed(resumed.lengths.clone())),
        None => Arc::new(Outputs::default()),
    };
    let mut deck = Deck::open(
        path,
        Options {
            folder: options.out.clone().unwrap_or_default(),
            ignore: options.ignore.clone(),
            variables: options.variables.clone(),
            outputs: Arc::clone(&outputs),
        },
    )?;
    let written = Arc::new(AtomicU64::new(0));
    let mut log = Log::open(options.out.as_deref(), resumed.as_ref(), screen, &written)?;
    let keeper = Keeper {
        folder: options.out.clone(),
        deck_hash,
        outputs,
        log: written,
        pace: Pace::new(options.interval),
        checked: None,
        progress,
    };
    let mut runner = Runner::new(keeper);
    runner.set_synchronized(options.is_synchronized);
    if let Some(resumed) = resumed {
        runner.resume(resumed.run, resumed.checkpoint, resumed.ends);
    }
    let result = deck.run(&mut runner, &mut log);
    if let Err(error) = result {
        return Err(match error.problem.found == INTERRUPTED {
            true => RunError::Interrupted,
            false => error.into(),
        });
    }
    let (cpu, steps) = runner.stepping();
    let Some(simulation) = runner.simulation() else {
        let problem = Problem::new("no run command", "at least one");
        return Err(RunError::Deck(DeckError {
            file: path.display().to_string(),
            line: 0,
            command: String::new(),
            problem,
        }));
    };
    Ok(RunReport::new(simulation, begin, cpu, steps))
}

/// A hash of all that says how a deck runs: its text, the files that it includes and reads, variables and
/// options.
fn fingerprint(path: &Path, options: &RunOptions) -> u64 {
    let mut words = vec![u64::from(options.is_synchronized)];
    let mut add = |bytes: &[u8]| {
        let hash = bytes
            .iter()
            .fold(0, |sum, &byte| mixed(&[sum, u64::from(byte)]));
        words.push(hash);
    };
    for name in &options.ignore {
        add(name.as_bytes());
    }
    for (name, values) in &options.variables {
        add(name.as_bytes());
        values.iter().for_each(|value| add(value.as_bytes()));
    }
    let inputs = path.parent().unwrap_or(Path::new(""));
    let mut files = vec![path.to_path_buf()];
    let mut next = 0;
    while next < files.len() {
        let bytes = match files[next].is_file() {
            true => std::fs::read(&files[next]).unwrap_or_default(),
            false => Vec::new(),
        };
        add(&bytes);
        next += 1;
        for line in String::from_utf8_lossy(&bytes).lines() {
            let mut line = line.split_whitespace();
            if let (Some("include" | "jump" | "read_data"), Some(name)) = (line.next(), line.next())
            {
                let file = inputs.join(name);
                if !files.contains(&file) {
                    files.push(file);
                }
            }
        }
    }
    mixed(&words)
}

/// # Errors
/// When formulas of the deck draw random numbers, whose generators are not in checkpoints.
fn check_resumable(path: &Path) -> Result<()> {
    let text = String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    for word in ["random(", "normal("] {
        if text.contains(word) {
            let expected =
                "a deck whose formulas draw no random numbers: they are not in checkpoints";
            let what = format!("{}: resume", path.display());
            return Err(Error::invalid(what, format!("{word})"), expected));
        }
    }
    Ok(())
}

const INTERRUPTED: &str = "an interruption";

/// What lies in a folder of a deck that was interrupted.
struct Resumed {
    run: u64,
    checkpoint: Checkpoint,
    ends: Vec<Checkpoint>,
    lengths: BTreeMap<PathBuf, u64>,
    log: u64,
}

impl Resumed {
    fn read(folder: &Path, deck_hash: u64) -> Result<Self> {
        run_folder::check_resumable(folder)?;
        let checkpoint = Checkpoint::read(&folder.join(LAST))?;
        let (mut run, mut log, mut of_deck) = (0, 0, None);
        let mut lengths = BTreeMap::new();
        for line in checkpoint.note.lines() {
            let mut words = line.splitn(3, ' ');
            let (word, number) = (
                words.next(),
                words.next().and_then(|n| n.parse::<u64>().ok()),
            );
            match (word, number, words.next()) {
                (Some("deck"), number, _) => of_deck = number,
                (Some("run"), Some(number), _) => run = number,
                (Some("log"), Some(number), _) => log = number,
                (Some("file"), Some(number), Some(name)) => {
                    lengths.insert(PathBuf::from(name), number);
                }
                _ => {}
            }
        }
        if of_deck != Some(deck_hash) {
            let what = format!("{}", folder.join(LAST).display());
            let expected = "the deck, variables and files with which it was written";
            return Err(Error::invalid(
                what,
                "the checkpoint of another deck",
                expected,
            ));
        }
        let ends = (0..run).map(|run| Checkpoint::read(&folder.join(end_name(run))));
        Ok(Self {
            run,
            ends: ends.collect::<Result<_>>()?,
            checkpoint,
            lengths,
            log,
        })
    }
}

fn end_name(run: u64) -> String {
    format!("run-{run}.bin")
}

/// The log: a file in the folder, and the screen.
struct Log<'a> {
    file: Option<File>,
    screen: &'a mut dyn Write,
    written: Arc<AtomicU64>,
}

impl<'a> Log<'a> {
    fn open(
        folder: Option<&Path>,
        resumed: Option<&Resumed>,
        screen: &'a mut dyn Write,
        written: &Arc<AtomicU64>,
    ) -> Result<Self> {
        let mut file = None;
        if let Some(folder) = folder {
            let path = folder.join(LOG);
            let opened = match resumed {
                None => File::create(&path),
                Some(resumed) => cut(&path, resumed.log),
            };
            let opened = opened.map_err(|error| Error::File {
                path: path.display().to_string(),
                message: error.to_string(),
            })?;
            written.store(resumed.map_or(0, |resumed| resumed.log), Ordering::Relaxed);
            file = Some(opened);
        }
        Ok(Self {
            file,
            screen,
            written: Arc::clone(written),
        })
    }
}

impl Write for Log<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if let Some(file) = &mut self.file {
            file.write_all(bytes)?;
        }
        self.written
            .fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.screen.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.screen.flush()
    }
}

/// Writes checkpoints and reports progress while a deck runs.
struct Keeper<'a> {
    folder: Option<PathBuf>,
    deck_hash: u64,
    outputs: Arc<Outputs>,
    log: Arc<AtomicU64>,
    pace: Pace,
    /// The number of the run whose step was compared with the critical one.
    checked: Option<u64>,
    progress: &'a mut dyn Progress,
}

impl Keeper<'_> {
    fn checkpoint(&self, simulation: &Simulation, run: u64) -> Result<Option<Checkpoint>> {
        if self.folder.is_none() {
            return Ok(None);
        }
        let log = self.log.load(Ordering::Relaxed);
        let mut note = format!("deck {}\nrun {run}\nlog {log}\n", self.deck_hash);
        for (path, length) in self.outputs.lengths() {
            let _ = writeln!(note, "file {length} {}", path.display());
        }
        Ok(Some(Checkpoint {
            state: simulation.state(),
            note,
        }))
    }

    /// Warns of a step above the critical one.
    fn warn_of_step(&mut self, simulation: &Simulation) {
        let setup = simulation.setup();
        if let Some(limit) = critical_step(setup, &simulation.spheres())
            && setup.step > limit.step()
        {
            let step = setup.step;
            let message = format!("time step {step:e}: expected at most {limit}");
            self.progress.warn(&message);
        }
    }

    fn save(&mut self, simulation: &Simulation, run: u64, is_end: bool) -> Result<()> {
        let (Some(checkpoint), Some(folder)) = (self.checkpoint(simulation, run)?, &self.folder)
        else {
            return Ok(());
        };
        if is_end {
            checkpoint.write(&folder.join(end_name(run)))?;
        }
        checkpoint.write(&folder.join(LAST))?;
        self.pace.saved();
        Ok(())
    }
}

impl Watch for Keeper<'_> {
    fn steps(&self) -> u64 {
        self.pace.steps
    }

    fn look(&mut self, simulation: &Simulation, run: u64) -> Result<()> {
        self.pace.look();
        if self.checked != Some(run) {
            self.checked = Some(run);
            self.warn_of_step(simulation);
        }
        self.progress.see(simulation, run, None);
        if self.progress.is_interrupted() {
            self.save(simulation, run, false)?;
            return Err(Error::invalid("deck", INTERRUPTED, "a run to its end"));
        }
        if self.pace.is_due() {
            self.save(simulation, run, false)?;
        }
        Ok(())
    }

    fn ended(&mut self, simulation: &Simulation, run: u64) -> Result<()> {
        self.save(simulation, run, true)
    }

    fn stopped(&mut self, simulation: &Simulation, error: Error) -> Error {
        match &self.folder {
            Some(folder) => simulation.write_stopped(folder, error),
            None => error,
        }
    }
}
