//! What decks and scenes share when they run in a folder of results: the folder itself, progress, and
//! the report at the end.

use crate::deck::Error as DeckError;
use crate::error::{Error, Result};
use crate::ledger::Energy;
use crate::simulation::{Seconds, Simulation};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom};
use std::path::Path;
use std::time::{Duration, Instant};

/// The last checkpoint.
pub(crate) const LAST: &str = "checkpoint.bin";

/// Sees how far a simulation is, and may interrupt it.
pub trait Progress {
    /// Sees a simulation several times a second, and the step at which it ends, if that is known.
    fn see(&mut self, simulation: &Simulation, run: u64, end: Option<u64>);

    /// Whether the simulation is to stop, after a checkpoint.
    fn is_interrupted(&self) -> bool;

    /// Sees a warning, once.
    fn warn(&mut self, message: &str);
}

/// What a simulation has done.
#[derive(Clone, Debug, PartialEq)]
pub struct RunReport {
    /// The number of spheres.
    pub particles: usize,
    /// The step at the end.
    pub steps: u64,
    /// The time at the end.
    pub time: f64,
    /// Seconds of the parts of steps.
    pub seconds: Seconds,
    /// Seconds of all, with output.
    pub total: f64,
    /// Spheres times steps per CPU second of steps.
    pub rate: f64,
    /// The hash of the last state.
    pub hash: u64,
    /// Kinetic energy of translation and of rotation.
    pub energy: [f64; 2],
    /// The energy ledger, if there is one.
    pub ledger: Option<Energy>,
    /// The number of contacts of spheres.
    pub contacts: usize,
}

impl RunReport {
    /// The report of a simulation that made some steps in CPU seconds of all threads.
    pub(crate) fn new(simulation: &Simulation, begin: Instant, cpu: f64, steps: u64) -> Self {
        Self {
            particles: simulation.len(),
            steps: simulation.step_number(),
            time: simulation.time(),
            seconds: simulation.seconds(),
            total: begin.elapsed().as_secs_f64(),
            rate: match cpu > 0.0 {
                true => simulation.len() as f64 * steps as f64 / cpu,
                false => 0.0,
            },
            hash: simulation.hash(),
            energy: simulation.kinetic_energy(),
            ledger: simulation.energy(),
            contacts: simulation.contact_count(),
        }
    }
}

/// Why a simulation did not run to its end.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunError {
    /// A deck is wrong, or its simulation failed.
    Deck(DeckError),
    /// The scene is wrong, its simulation failed, or the folder or its checkpoint cannot be used.
    Simulation(Error),
    /// It was interrupted; a checkpoint is in the folder, if there is one.
    Interrupted,
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Deck(error) => error.fmt(f),
            Self::Simulation(error) => error.fmt(f),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for RunError {}

impl From<DeckError> for RunError {
    fn from(error: DeckError) -> Self {
        Self::Deck(error)
    }
}

impl From<Error> for RunError {
    fn from(error: Error) -> Self {
        Self::Simulation(error)
    }
}

/// Keeps other programs from a folder of results for as long as it lives.
#[derive(Debug)]
pub(crate) struct Lock(
    /// None where the system cannot lock a folder.
    #[expect(dead_code, reason = "the lock ends when the file is closed")]
    Option<File>,
);

impl Lock {
    /// Locks a folder and clears it of what a program that was killed left behind. If it is missing, it is
    /// created, unless a simulation is to go on there.
    ///
    /// # Errors
    /// When another program runs a simulation there, or the folder cannot be created.
    pub fn new(folder: &Path, goes_on: bool) -> Result<Self> {
        if !goes_on {
            std::fs::create_dir_all(folder).map_err(|error| Error::File {
                path: folder.display().to_string(),
                message: error.to_string(),
            })?;
        }
        let file = match File::open(folder) {
            Ok(file) => match file.try_lock() {
                Ok(()) => Some(file),
                Err(TryLockError::WouldBlock) => {
                    let what = format!("{}", folder.display());
                    let expected = "a folder that no other program writes to";
                    let found = "a simulation that runs there";
                    return Err(Error::invalid(what, found, expected));
                }
                Err(TryLockError::Error(_)) => None,
            },
            Err(_) => None,
        };
        if file.is_some() {
            let is_left = |name: &str| name.starts_with(LAST) && name.ends_with(".part");
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.file_name().to_str().is_some_and(is_left) {
                    // What cannot be removed does no harm.
                    let _ = std::fs::remove_file(entry.path());
                }
            }
        }
        Ok(Self(file))
    }
}

/// Prepares a folder for new results. One with other results is an error, unless they may be overwritten.
pub(crate) fn prepare(folder: &Path, force: bool) -> Result<()> {
    let failed = |error: std::io::Error| Error::File {
        path: folder.display().to_string(),
        message: error.to_string(),
    };
    let mut entries = std::fs::read_dir(folder).map_err(failed)?;
    if entries.next().is_some() && !force {
        let what = format!("{}", folder.display());
        let expected = "an empty folder, --resume to go on there, or --force to overwrite";
        return Err(Error::invalid(
            what,
            "a folder with other results",
            expected,
        ));
    }
    // A checkpoint of another run must not be resumed with this one's files.
    let last = folder.join(LAST);
    match last.exists() {
        true => std::fs::remove_file(last).map_err(failed),
        false => Ok(()),
    }
}

/// # Errors
/// When there is no checkpoint in the folder.
pub(crate) fn check_resumable(folder: &Path) -> Result<()> {
    if folder.join(LAST).exists() {
        return Ok(());
    }
    let what = format!("{}", folder.display());
    let expected = "checkpoint.bin; without one, start again with --force";
    Err(Error::invalid(what, "no checkpoint", expected))
}

/// A file, cut to a length, to be written from there on.
pub(crate) fn cut(path: &Path, length: u64) -> std::io::Result<File> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.set_len(length)?;
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}

/// CPU seconds of the process so far.
pub(crate) fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// When to look at a simulation that runs, and when to save it.
#[derive(Debug)]
pub(crate) struct Pace {
    /// Steps between two looks: about a tenth of a second.
    pub steps: u64,
    last_look: Instant,
    last_saved: Instant,
    interval: Duration,
}

impl Pace {
    pub fn new(interval: Duration) -> Self {
        Self {
            steps: 1,
            last_look: Instant::now(),
            last_saved: Instant::now(),
            interval,
        }
    }

    /// Takes the time since the last look into account.
    pub fn look(&mut self) {
        let took = self.last_look.elapsed().as_secs_f64();
        self.last_look = Instant::now();
        self.steps = match took {
            ..0.05 => self.steps.saturating_mul(2).min(1 << 20),
            0.2.. => (self.steps / 2).max(1),
            _ => self.steps,
        };
    }

    /// Whether it is time for a checkpoint.
    pub fn is_due(&self) -> bool {
        self.last_saved.elapsed() >= self.interval
    }

    pub fn saved(&mut self) {
        self.last_saved = Instant::now();
    }
}
