//! `tangere gas`: when do hard spheres collide?

mod input;
mod output;
mod verify;

use crate::arguments::{number, whole};
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::info::extend;
use crate::table;
use clap::Args;
use input::Spheres;
use serde_json::json;
use std::path::{Path, PathBuf};
use tangere::impact::gas::{Axis, Collision, Domain, End, Gas as HardSpheres, GasSettings};
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
    /// The lengths of a box at the origin that repeats, 0 along axes that do not
    #[arg(long, value_name = "LX,LY[,LZ]", value_parser = list, allow_hyphen_values = true)]
    periodic: Option<List>,
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
    /// End at this time, counted from 0
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
    let start = Start::of(&gas);
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
    tell(
        options,
        &gas,
        &start,
        &done,
        seconds,
        spheres.dimensions,
        console,
    )
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
        for (k, &length) in lengths.iter().enumerate().filter(|(_, l)| **l != 0.0) {
            if axes[k] != Axis::Open {
                return Err(Failure::Input(format!(
                    "--walls: found some along axis {k}, expected none where the box repeats"
                )));
            }
            axes[k] = Axis::Periodic { lower: 0.0, length };
        }
    }
    let mut gravity = [0.0; 3];
    if let Some(given) = &options.gravity {
        gravity[..dimensions].copy_from_slice(given.take("--gravity", dimensions)?);
    }
    Ok(GasSettings {
        domain: Domain::new(axes)?,
        gravity,
        restitution: options.restitution,
        wall_restitution: options.wall_restitution,
        contact_time: options.contact_time,
        time: 0.0,
    })
}

/// What a gas has at its start.
struct Start {
    energy: f64,
    momentum: [f64; 3],
}

impl Start {
    fn of(gas: &HardSpheres) -> Self {
        Start {
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
            None => share * until,
        };
        let mut is_full = false;
        let run = gas.run(goal.min(events) - done.events, stop, |collision| {
            if options.out.is_some() && !is_full {
                is_full = collisions.try_reserve(1).is_err();
                if !is_full {
                    collisions.push(*collision);
                }
            }
        })?;
        if is_full {
            let message = "collisions: found more than there is memory for, expected fewer";
            return Err(Failure::Work(message.into()));
        }
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

/// Tells what was done.
fn tell(
    options: &Gas,
    gas: &HardSpheres,
    start: &Start,
    done: &Done,
    seconds: f64,
    dimensions: usize,
    console: &Console,
) -> Result<(), Failure> {
    let (energy, momentum) = (gas.energy(), gas.momentum());
    let loses = options.restitution < 1.0 || options.wall_restitution < 1.0;
    let change = (energy - start.energy).abs();
    let energy_error = match start.energy {
        _ if loses => None,
        before if before != 0.0 => Some(change / before.abs()),
        _ => (change == 0.0).then_some(0.0),
    };
    let counts = gas.counts();
    if options.json {
        let mut object = json!({
            "spheres": gas.len(),
            "dimension": dimensions,
            "events": done.events,
            "walls": counts.walls,
            "end": done.end.name(),
            "time": gas.time(),
            "energy": energy,
            "energy_error": energy_error,
            "momentum": momentum[..dimensions],
            "momentum_before": start.momentum[..dimensions],
            "pressure": gas.pressure(),
            "seconds": seconds,
        });
        if let Some(overlap) = done.overlap {
            extend(&mut object, json!({ "overlap": overlap }));
        }
        return console.print_json(&object);
    }
    let told = |x: Option<f64>| x.map_or("none".into(), table::number);
    let momentum: Vec<String> = momentum[..dimensions]
        .iter()
        .map(|&p| table::number(p))
        .collect();
    let mut rows = vec![
        ("spheres", table::count(gas.len() as u64)),
        ("events", table::count(done.events)),
        ("of them with walls", table::count(counts.walls)),
        ("ended by", ended(done.end).into()),
        ("time", table::number(gas.time())),
        ("energy", table::number(energy)),
    ];
    if let Some(error) = energy_error {
        rows.push(("its change", format!("{error:.1e}")));
    }
    rows.extend([
        ("momentum", momentum.join(", ")),
        ("pressure", told(gas.pressure())),
    ]);
    if let Some(overlap) = done.overlap {
        rows.push(("deepest overlap", format!("{overlap:.1e} of a diameter")));
    }
    rows.push(("took", took(done.events, seconds)));
    console.print(head(&options.spheres) + &table::two_columns(&rows))
}

fn head(path: &Path) -> String {
    format!("{}\n", path.display())
}

fn ended(end: End) -> &'static str {
    match end {
        End::Events => "the number of events",
        End::Until => "the time",
        End::Over => "rest: there will be no more collisions",
        End::Stalled => "no end in sight: see --contact-time",
    }
}

fn took(events: u64, seconds: f64) -> String {
    let all = table::seconds(seconds);
    match events {
        0 => all,
        n => format!("{all}, {:.2} us an event", 1e6 * seconds / n as f64),
    }
}
