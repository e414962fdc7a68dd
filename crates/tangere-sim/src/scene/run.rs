//! A scene that runs in a folder, with frames and checkpoints there, and goes on from them.
//!
//! | file | what |
//! |---|---|
//! | `totals.csv` | a row of totals for each frame |
//! | `spheres.pvd`, `spheres/STEP.vtp` | the spheres of each frame |
//! | `contacts.pvd`, `contacts/STEP.vtp` | the contacts of each frame, if the scene asks for them |
//! | `spheres.dump` | the spheres of each frame in LAMMPS' format, if the scene asks for it |
//! | `checkpoint.bin` | the last checkpoint |
//!
//! Frames are at multiples of the interval of the scene, and at the end. A checkpoint notes how long the
//! files were that grow; frames after it are written again with the same content.

use super::frames::Frames;
use crate::checkpoint::Checkpoint;
use crate::critical_step::critical_step;
use crate::error::{Error, Result};
use crate::run_folder::{
    LAST, Lock, Pace, Progress, RunError, RunReport, check_resumable, cpu_seconds, prepare,
};
use crate::simulation::Simulation;
use crate::state_hash::mixed;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tangere_io::Place;
use tangere_io::scene::SceneFile;

/// When a scene ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum End {
    /// When the scene says (`until`).
    #[default]
    OfScene,
    /// At a time.
    Time(f64),
    /// After a number of steps from its beginning.
    Steps(u64),
}

/// The part of the critical step above which a run warns.
const WIDE: f64 = 0.5;

/// How a scene runs.
#[derive(Clone, Debug)]
pub struct SceneOptions {
    /// The folder of results; without one, nothing is written.
    pub out: Option<PathBuf>,
    /// Whether to go on from the checkpoint in the folder.
    pub resume: bool,
    /// Whether a folder with other results may be written to.
    pub force: bool,
    /// The time between checkpoints.
    pub interval: Duration,
    /// When it ends.
    pub end: End,
}

impl Default for SceneOptions {
    fn default() -> Self {
        Self {
            out: None,
            resume: false,
            force: false,
            interval: Duration::from_secs(60),
            end: End::OfScene,
        }
    }
}

/// Runs a scene to its end. `text` is its source, by which a checkpoint knows its scene. A table of
/// totals goes to `screen`.
///
/// # Errors
/// When the scene is wrong, its simulation fails, the folder cannot be used, or it is interrupted.
pub fn run_scene(
    file: &SceneFile,
    text: &[u8],
    options: &SceneOptions,
    screen: &mut dyn Write,
    progress: &mut dyn Progress,
) -> std::result::Result<RunReport, RunError> {
    let begin = Instant::now();
    let scene_hash = text
        .iter()
        .fold(0, |sum, &byte| mixed(&[sum, u64::from(byte)]));
    let lock = |folder| Lock::new(folder, options.resume);
    let _lock = options.out.as_deref().map(lock).transpose()?;
    let mut made = match (&options.out, options.resume) {
        (Some(folder), true) => Started::resumed(folder, scene_hash)?,
        (None, true) => {
            let expected = "a folder in which to resume (--out)";
            return Err(Error::invalid("resume", "no folder", expected).into());
        }
        (_, false) => Started {
            simulation: Simulation::from_scene(file)?,
            lengths: None,
        },
    };
    let simulation = &mut made.simulation;
    let end = last_step(file, options.end, simulation.setup().step)?;
    let first = simulation.step_number();
    if end < first {
        let expected = format!("an end at step {first} or later, where the checkpoint is");
        return Err(Error::invalid("end", format!("step {end}"), expected).into());
    }
    if let (Some(folder), false) = (&options.out, options.resume) {
        prepare(folder, options.force)?;
    }
    let every = file.simulation.output.every;
    let every = every.map(|time| steps_of(time, simulation.setup().step).max(1));
    let out = options.out.as_deref();
    let mut frames = Frames::open(out, &file.simulation.output, every, made.lengths)?;
    let mut pace = Pace::new(options.interval);
    let save = |simulation: &Simulation, frames: &Frames| -> Result<()> {
        let Some(folder) = out else {
            return Ok(());
        };
        let checkpoint = Checkpoint {
            state: simulation.state(),
            note: format!("scene {scene_hash}\n{}", frames.note()),
        };
        checkpoint.write(&folder.join(LAST))
    };
    if !options.resume {
        let limit = critical_step(simulation.setup(), &simulation.spheres());
        let share = limit.map_or(0.0, |limit| simulation.setup().step / limit.step());
        if share > WIDE {
            let percent = 100.0 * share;
            progress.warn(&format!(
                "the step is {percent:.0}% of the critical one; a tenth is usual"
            ));
        }
        let begun = match file.simulation.ledger {
            true => simulation.open_ledger(),
            false => simulation.find_forces(),
        };
        begun.map_err(|error| frames.stopped(simulation, error))?;
        frames.write(simulation, screen)?;
    }
    let (mut cpu, mut stepped) = (0.0, 0);
    while simulation.step_number() < end {
        let step = simulation.step_number();
        let frame = every.map_or(end, |every| (step / every + 1).saturating_mul(every));
        let next = frame.min(end).min(step.saturating_add(pace.steps));
        let begin = cpu_seconds();
        let advanced = simulation.advance(next - step);
        cpu += cpu_seconds() - begin;
        if let Err(error) = advanced {
            return Err(frames.stopped(simulation, error).into());
        }
        stepped += next - step;
        if every.is_some_and(|every| next.is_multiple_of(every)) {
            frames.write(simulation, screen)?;
        }
        pace.look();
        progress.see(simulation, 0, Some(end));
        if progress.is_interrupted() {
            save(simulation, &frames)?;
            return Err(RunError::Interrupted);
        }
        if pace.is_due() {
            save(simulation, &frames)?;
            pace.saved();
        }
    }
    // First: a run that goes on from here has no frame at this end.
    save(simulation, &frames)?;
    if !every.is_some_and(|every| end.is_multiple_of(every)) && end > 0 {
        frames.write(simulation, screen)?;
    }
    Ok(RunReport::new(simulation, begin, cpu, stepped))
}

/// The number of steps nearest to a time.
fn steps_of(time: f64, step: f64) -> u64 {
    (time / step).round() as u64
}

/// The step at which a scene ends.
fn last_step(file: &SceneFile, end: End, step: f64) -> Result<u64> {
    let time = match (end, file.until) {
        (End::Steps(steps), _) => return Ok(steps),
        (End::Time(time), _) | (End::OfScene, Some(time)) => time,
        (End::OfScene, None) => {
            let expected = "when it ends: the key `until`, or the option until or steps";
            return Err(Error::Scene {
                path: file.path.clone(),
                fault: tangere_io::Fault::new(Place::Part("scene"), "no `until`", expected),
            });
        }
    };
    let steps = (time / step - 1e-6).ceil();
    match steps <= (1_u64 << 53) as f64 && time >= 0.0 {
        true => Ok(steps as u64),
        false => Err(Error::invalid(
            "end of the simulation",
            time,
            "a time of at most 2^53 steps",
        )),
    }
}

/// A simulation that begins or goes on.
struct Started {
    simulation: Simulation,
    /// The lengths of files that grow, at a checkpoint.
    lengths: Option<Vec<(String, u64)>>,
}

impl Started {
    fn resumed(folder: &Path, scene_hash: u64) -> Result<Self> {
        check_resumable(folder)?;
        let path = folder.join(LAST);
        let checkpoint = Checkpoint::read(&path)?;
        let mut lengths = Vec::new();
        let mut of_scene = None;
        for line in checkpoint.note.lines() {
            match line.split_once(' ') {
                Some(("scene", number)) => of_scene = number.parse().ok(),
                Some((name, number)) => {
                    lengths.extend(number.parse().ok().map(|n| (name.to_owned(), n)));
                }
                None => {}
            }
        }
        if of_scene != Some(scene_hash) {
            return Err(Error::invalid(
                format!("{}", path.display()),
                "the checkpoint of another scene",
                "the scene with which it was written, unchanged; --until goes further",
            ));
        }
        Ok(Self {
            simulation: Simulation::from_state(checkpoint.state)?,
            lengths: Some(lengths),
        })
    }
}
