//! `tangere gas`: when do hard spheres collide?

mod input;
mod output;
mod told;
mod verify;

use crate::arguments::{number, whole};
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use clap::Args;
use input::Spheres;
use std::path::PathBuf;
use tangere::impact::gas::{Axis, Collision, Domain, End, Gas as HardSpheres, GasSettings};
use tangere::{Argument, memory};
use verify::Overlaps;

const EXAMPLES: &str = "\
Examples:
  tangere generate crystal --count 10000 --filled 0.3 -o spheres.csv
  tangere gas spheres.csv --periodic 1,1,1 --temperature 1 --events 1e6
  tangere gas spheres.csv --periodic 1,1,1 --temperature 1 --until 0.1 -o collisions.csv --json
  tangere gas spheres.csv --periodic 1,1,0 --walls=-inf,-inf,0,inf,inf,1 --gravity 0,0,-9.81 \\
    --restitution 0.9 --temperature 1 --until 0.5 --final later.csv
  tangere gas later.csv --periodic 1,1,0 --walls=-inf,-inf,0,inf,inf,1 --events 1000

SPHERES has a row for each sphere: by names the columns x, y, z (missing for discs), radius (or r, or
diameter), and if there are any vx, vy, vz and mass; without names centre, radius, velocity and mass in
this order, the last of which, or the last two, may be missing. A mass is the cube of the radius if there is
none. Spheres may touch, but not overlap.

-o has a row for each collision: time; a and b, the spheres, the lower number first, counted from 0; where they
touch; the unit normal from a to b; the impulse that b gets along it. For a wall b is below 0: -1 and -2 for the lower
and the upper one along x, -3 and -4 along y, -5 and -6 along z. --final has what SPHERES has, with velocities and
masses, and may be read again. Both are .csv, .npy, .vtp or .vtu.";

/// Let hard spheres collide, from event to event
///
/// Spheres move freely between collisions, in open or periodic space or between hard walls. No step of
/// time is chosen; energy and momentum are kept up to rounding.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Gas {
    /// The spheres: CSV, NPY, VTP or VTU
    #[arg(value_name = "SPHERES")]
    spheres: PathBuf,
    /// The lengths of a box that repeats, 0 along axes that do not
    #[arg(long, value_name = "LX,LY[,LZ]", value_parser = list, allow_hyphen_values = true)]
    periodic: Option<List>,
    /// Where the box that repeats begins [default: the origin]
    #[arg(long, value_name = "X,Y[,Z]", value_parser = list, allow_hyphen_values = true,
          requires = "periodic")]
    origin: Option<List>,
    /// Hard walls: the lower corner of a box, then the upper one; -inf and inf where there is none
    #[arg(long, value_name = "X,Y[,Z],X,Y[,Z]", value_parser = list, allow_hyphen_values = true)]
    walls: Option<List>,
    /// An acceleration that all spheres have
    #[arg(long, value_name = "X,Y[,Z]", value_parser = list, allow_hyphen_values = true)]
    gravity: Option<List>,
    /// How much of the speed at which they approach two spheres part with; above 0, at most 1
    #[arg(long, value_name = "E", default_value_t = 1.0, value_parser = number,
          allow_hyphen_values = true)]
    restitution: f64,
    /// The same for a sphere and a wall
    #[arg(long, value_name = "E", default_value_t = 1.0, value_parser = number,
          allow_hyphen_values = true)]
    wall_restitution: f64,
    /// Spheres lose no energy within this time after another collision, so that they do not collide
    /// infinitely often; 0 for never [default: follows from sizes and speeds]
    #[arg(long, value_name = "T", value_parser = number, allow_hyphen_values = true)]
    contact_time: Option<f64>,
    /// Draw velocities of this temperature, in units of mass times speed squared, instead of reading them
    #[arg(long, value_name = "T", value_parser = number, allow_hyphen_values = true)]
    temperature: Option<f64>,
    /// The seed of the velocities
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true,
          value_parser = |text: &str| whole::<u64>(text, 0, u64::MAX))]
    seed: u64,
    /// End after so many collisions
    #[arg(long, value_name = "N", allow_negative_numbers = true, required_unless_present = "until",
          value_parser = |text: &str| whole::<u64>(text, 0, u64::MAX))]
    events: Option<u64>,
    /// The time at which it starts
    #[arg(long, value_name = "T", default_value_t = 0.0, value_parser = number,
          allow_hyphen_values = true)]
    time: f64,
    /// End at this time
    #[arg(long, value_name = "T", value_parser = number, allow_hyphen_values = true)]
    until: Option<f64>,
    /// The file to write collisions to: .csv, .npy, .vtp or .vtu
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The file to write the spheres to as they are at the end
    #[arg(long = "final", value_name = "FILE")]
    last: Option<PathBuf>,
    /// Look for overlaps a thousand times on the way, with the methods of `pairs`
    #[arg(long)]
    verify: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Numbers between commas, finite or not.
#[derive(Clone, Debug)]
struct List(Vec<f64>);

fn list(text: &str) -> Result<List, String> {
    let number = |word: &str| word.trim().parse().ok().filter(|x: &f64| !x.is_nan());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    numbers
        .map(List)
        .ok_or_else(|| "expected numbers separated by commas".into())
}

impl List {
    /// As many numbers as there are dimensions, or a multiple.
    fn take(&self, option: &str, count: usize) -> Result<&[f64], Failure> {
        match self.0.len() == count {
            true => Ok(&self.0),
            false => Err(Failure::Input(format!(
                "{option}: found {} numbers, expected {count} for these spheres",
                self.0.len()
            ))),
        }
    }
}

/// Reads, runs, and writes.
pub fn run(options: &Gas, console: &Console) -> Result<(), Failure> {
    for path in [&options.out, &options.last].into_iter().flatten() {
        output::check(path)?;
        files::check_other(path, &options.spheres)?;
    }
    if options.out.is_some() && options.out == options.last {
        let message = "--final: found the file of collisions, expected another";
        return Err(Failure::Input(message.into()));
    }
    let what = format!("reading {}", options.spheres.display());
    let (spheres, _) = console.timed(&what, || Spheres::read(&options.spheres));
    let mut spheres = spheres?;
    let settings = settings(options, spheres.dimensions)?;
    if let Some(temperature) = options.temperature {
        spheres.heat(temperature, options.seed)?;
    }
    let mut gas = spheres.gas(&options.spheres, &settings)?;
    let mut collisions = Vec::new();
    let start = Start::of(&gas, spheres.dimensions);
    let (done, seconds) = console.timed_with_bar("colliding", |progress| {
        go(options, &mut gas, &mut collisions, progress)
    });
    let done = done?;
    if let Some(path) = &options.out {
        output::write_collisions(path, &collisions, spheres.dimensions)?;
    }
    if let Some(path) = &options.last {
        output::write_spheres(path, &gas, spheres.dimensions)?;
    }
    told::tell(options, &gas, &start, &done, seconds, console)
}

/// What is asked for, in space.
fn settings(options: &Gas, dimensions: usize) -> Result<GasSettings, Failure> {
    let mut axes = [Axis::Open; 3];
    if let Some(walls) = &options.walls {
        let corners = walls.take("--walls", 2 * dimensions)?;
        for k in 0..dimensions {
            let (lower, upper) = (corners[k], corners[dimensions + k]);
            if (lower, upper) != (f64::NEG_INFINITY, f64::INFINITY) {
                axes[k] = Axis::Walls { lower, upper };
            }
        }
    }
    if let Some(periodic) = &options.periodic {
        let lengths = periodic.take("--periodic", dimensions)?;
        let mut origin = [0.0; 3];
        if let Some(given) = &options.origin {
            origin[..dimensions].copy_from_slice(given.take("--origin", dimensions)?);
        }
        for (k, &length) in lengths.iter().enumerate().filter(|(_, l)| **l != 0.0) {
            if axes[k] != Axis::Open {
                return Err(Failure::Input(format!(
                    "--walls: found some along axis {k}, expected none where the box repeats"
                )));
            }
            axes[k] = Axis::Periodic {
                lower: origin[k],
                length,
            };
        }
    }
    let mut gravity = [0.0; 3];
    if let Some(given) = &options.gravity {
        gravity[..dimensions].copy_from_slice(given.take("--gravity", dimensions)?);
    }
    Ok(GasSettings {
        domain: Domain::new(axes).map_err(refused)?,
        gravity,
        restitution: options.restitution,
        wall_restitution: options.wall_restitution,
        contact_time: options.contact_time,
        time: options.time,
    })
}

/// A refusal of the library with the option that it is about.
fn refused(error: tangere::Error) -> Failure {
    match error {
        tangere::Error::Argument {
            what,
            found,
            expected,
        } => Failure::Input(format!(
            "--{}: found {found}, expected {expected}",
            option(what)
        )),
        tangere::Error::Item {
            what,
            index,
            found,
            expected,
        } => {
            let option = option(what);
            Failure::Input(format!(
                "--{option}: axis {index}: found {found}, expected {expected}"
            ))
        }
        error => error.into(),
    }
}

/// The option that an argument of the library is.
fn option(what: Argument) -> &'static str {
    match what {
        Argument::AxisPeriod => "periodic",
        Argument::AxisWalls => "walls",
        Argument::WallRestitution => "wall-restitution",
        Argument::ContactTime => "contact-time",
        other => other.name(),
    }
}

/// What a gas has at its start.
struct Start {
    dimensions: usize,
    energy: f64,
    momentum: [f64; 3],
}

impl Start {
    fn of(gas: &HardSpheres, dimensions: usize) -> Self {
        Start {
            dimensions,
            energy: gas.energy(),
            momentum: gas.momentum(),
        }
    }
}

/// What was done.
struct Done {
    events: u64,
    end: End,
    /// The deepest overlap that was seen, in diameters of the smaller sphere.
    overlap: Option<f64>,
}

/// Parts in which a gas is run, to tell how far it is.
const PARTS: u64 = 1000;

/// Runs the gas in parts, which changes nothing.
fn go(
    options: &Gas,
    gas: &mut HardSpheres,
    collisions: &mut Vec<Collision>,
    progress: &mut dyn FnMut(f64),
) -> Result<Done, Failure> {
    let (events, until) = (
        options.events.unwrap_or(u64::MAX),
        options.until.unwrap_or(f64::INFINITY),
    );
    // A bad time is refused as it was given.
    gas.run(0, until, |_| ()).map_err(refused)?;
    let mut overlaps = options.verify.then(|| Overlaps::of(gas)).transpose()?;
    let mut done = Done {
        events: 0,
        end: End::Events,
        overlap: None,
    };
    for part in 1..=PARTS {
        let share = part as f64 / PARTS as f64;
        let goal = match options.events {
            Some(events) => (events as u128 * u128::from(part) / u128::from(PARTS)) as u64,
            None => u64::MAX,
        };
        // Both at once would be in steps of the one that takes longer.
        let stop = match options.events {
            Some(_) => until,
            None if part == PARTS => until,
            None => options.time + share * (until - options.time),
        };
        let mut full = Ok(());
        let run = gas.run(goal.min(events) - done.events, stop, |collision| {
            if options.out.is_some() && full.is_ok() {
                full = memory::reserve(collisions, 1, Argument::Other("collisions"));
                if full.is_ok() {
                    collisions.push(*collision);
                }
            }
        })?;
        full?;
        (done.events, done.end) = (done.events + run.events, run.end);
        if let Some(overlaps) = &mut overlaps {
            let deepest = overlaps.deepest(gas)?;
            done.overlap = Some(done.overlap.unwrap_or(0.0).max(deepest));
        }
        progress(share);
        let is_done = match run.end {
            End::Events => false,
            End::Until => options.events.is_some(),
            End::Over | End::Stalled => true,
        };
        if is_done {
            break;
        }
    }
    Ok(done)
}
