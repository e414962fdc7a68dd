//! `tangere gas`: event-driven simulation of hard spheres.

mod verify;

use crate::arguments::{List, list, number, whole};
use crate::console::Console;
use crate::failure::Failure;
use crate::output::{self, Drawing, Target};
use crate::times::Times;
use clap::Args;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tangere::impact::gas::{Collision, End, Gas as HardSpheres, GasSettings};
use tangere::{Argument, memory};
use tangere_front::answer::{Format, Summary, Table, finite, object};
use tangere_front::answers::impact::{GAS_COUNTS, GasState, collision, gas_sphere};
use tangere_front::inputs::gas::{Spheres, domain, in_space};
use tangere_front::text;
use verify::Overlaps;

const EXAMPLES: &str = "\
Examples:
  tangere generate crystal --count 10000 --filled 0.3 -o spheres.csv
  tangere gas spheres.csv --periodic 1,1,1 --temperature 1 --events 1e6
  tangere gas spheres.csv --periodic 1,1,1 --temperature 1 --until 0.1 -o collisions.csv --json
  tangere gas spheres.csv --periodic 1,1,0 --walls=-inf,-inf,0,inf,inf,1 --gravity 0,0,-9.81 \\
    --restitution 0.9 --temperature 1 --until 0.5 --final later.csv
  tangere gas later.csv --periodic 1,1,0 --walls=-inf,-inf,0,inf,inf,1 --events 1000

SPHERES has a row for each sphere: named columns x, y, z (missing for discs), radius (or r, or
diameter), and optionally vx, vy, vz and mass; without names centre, radius, velocity and mass in
this order, the last of which, or the last two, may be missing. A missing mass is the cube of the
radius. Spheres may touch, but not overlap.

-o has a row for each collision: time; a and b, the spheres, the lower number first, counted from 0;
the contact point; the unit normal from a to b; the impulse on b along it. For a wall b is below 0:
-1 and -2 for the lower and the upper one along x, -3 and -4 along y, -5 and -6 along z. --final has
the columns of SPHERES, with velocities and masses, and may be read again. Both are .csv, .npy, .vtp
or .vtu.";

/// Event-driven simulation of hard spheres
///
/// Spheres move freely between collisions, in open or periodic space or between hard walls. There
/// is no time step; energy and momentum are conserved up to rounding.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Gas {
    /// The spheres: CSV, NPY, VTP or VTU
    #[arg(value_name = "SPHERES")]
    spheres: PathBuf,
    /// The lengths of the periodic cell, 0 along axes that are open
    #[arg(long, value_name = "LX,LY[,LZ]", value_parser = list, allow_hyphen_values = true)]
    periodic: Option<List>,
    /// The lower corner of the periodic cell [default: the origin]
    #[arg(long, value_name = "X,Y[,Z]", value_parser = list, allow_hyphen_values = true,
          requires = "periodic")]
    origin: Option<List>,
    /// Hard walls: the lower corner of a box, then the upper one; -inf and inf where there is none
    #[arg(long, value_name = "X,Y[,Z],X,Y[,Z]", value_parser = list, allow_hyphen_values = true)]
    walls: Option<List>,
    /// The acceleration of all spheres
    #[arg(long, value_name = "X,Y[,Z]", value_parser = list, allow_hyphen_values = true)]
    gravity: Option<List>,
    /// Coefficient of restitution of two spheres; above 0, at most 1
    #[arg(long, value_name = "E", default_value_t = 1.0, value_parser = number,
          allow_hyphen_values = true)]
    restitution: f64,
    /// Coefficient of restitution of a sphere and a wall
    #[arg(long, value_name = "E", default_value_t = 1.0, value_parser = number,
          allow_hyphen_values = true)]
    wall_restitution: f64,
    /// Contact time of the TC model: collisions within this time after another are elastic, which
    /// prevents inelastic collapse; 0 to disable [default: from sizes and speeds]
    #[arg(long, value_name = "T", value_parser = number, allow_hyphen_values = true)]
    contact_time: Option<f64>,
    /// Draw velocities of this temperature, in units of mass times speed squared, instead of
    /// reading them
    #[arg(long, value_name = "T", value_parser = number, allow_hyphen_values = true)]
    temperature: Option<f64>,
    /// The seed of the velocities
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true,
          value_parser = |text: &str| whole::<u64>(text, 0, u64::MAX))]
    seed: u64,
    /// Stop after this many collisions
    #[arg(long, value_name = "N", allow_negative_numbers = true, required_unless_present = "until",
          value_parser = |text: &str| whole::<u64>(text, 0, u64::MAX))]
    events: Option<u64>,
    /// The start time
    #[arg(long, value_name = "T", default_value_t = 0.0, value_parser = number,
          allow_hyphen_values = true)]
    time: f64,
    /// Stop at this time
    #[arg(long, value_name = "T", value_parser = number, allow_hyphen_values = true)]
    until: Option<f64>,
    /// The file to write collisions to: .csv, .npy, .vtp or .vtu, or - for CSV to standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The file to write the spheres to as they are at the end
    #[arg(long = "final", value_name = "FILE")]
    last: Option<PathBuf>,
    /// Check for overlaps a thousand times during the run, with the methods of `pairs`
    #[arg(long)]
    verify: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Formats of collisions and spheres.
const FORMATS: &[Format] = &[Format::Csv, Format::Npy, Format::Vtp, Format::Vtu];

/// Reads spheres, runs the simulation, and writes collisions and the final state.
pub fn run(options: &Gas, console: &Console) -> Result<(), Failure> {
    let path = &options.spheres;
    let target = |out: &Option<PathBuf>| Target::new(out.as_deref(), FORMATS, options.json, [path]);
    let [out, last] = [target(&options.out)?, target(&options.last)?];
    if options.out.is_some() && options.out == options.last {
        let message = "--final: found the file of collisions, expected another";
        return Err(Failure::Input(message.into()));
    }
    let mut spheres = Times::default().read(path, console, || Spheres::read(path))?;
    let dimensions = spheres.dimensions;
    let settings = settings(options, dimensions)?;
    if let Some(temperature) = options.temperature {
        let heated = spheres.heat(temperature, options.seed);
        heated.map_err(Failure::option)?;
    }
    let mut gas = made(&spheres, path, &settings)?;
    let mut collisions = Vec::new();
    let before = (gas.energy(), gas.momentum());
    let (done, seconds) = console.timed_with_bar("colliding", |progress| {
        go(options, &mut gas, &mut collisions, progress)
    });
    let done = done?;
    if let Some(out) = &out {
        let table = Table::new(&collision(dimensions), &collisions).as_floats();
        out.write_drawn(&table, || Drawing::Cloud(table.matrix()), console)?;
    }
    if let Some(last) = &last {
        let state = GasState::of(&gas);
        let sphere = |i: usize| state.sphere(i);
        let table = Table::made(&gas_sphere(dimensions), gas.len(), &sphere);
        last.write_drawn(&table, || Drawing::Cloud(table.matrix()), console)?;
    }
    if done.end == End::Stalled {
        console.note(format_args!(
            "stalled: {} collisions up to time {}, where time no longer advances or nothing meets; see --contact-time",
            text::count(done.events),
            text::number(gas.time())
        ));
    }
    let summary = summary(options, &gas, dimensions, before, &done, seconds);
    let standard = [&out, &last].into_iter().flatten();
    let standard = standard.min_by_key(|target| target.format != Format::Standard);
    let head = path.display().to_string();
    output::report(&summary, &head, options.json, standard, console)
}

/// Returns the gas of the spheres of a file.
fn made(spheres: &Spheres, path: &Path, settings: &GasSettings) -> Result<HardSpheres, Failure> {
    let name = path.display();
    let Some(velocities) = &spheres.velocities else {
        return Err(Failure::Input(format!(
            "{name}: found no velocities, expected columns vx, vy, vz, or --temperature"
        )));
    };
    let (centers, radii) = (&spheres.centers, &spheres.radii);
    let made = HardSpheres::new(
        centers,
        velocities,
        radii,
        spheres.masses.as_deref(),
        settings,
    );
    made.map_err(|error| match &error {
        // In a text file a line is easier to find than the number of a sphere.
        tangere::Error::Item {
            what,
            index,
            found,
            expected,
        } => match spheres.line(path, *index) {
            Some(line) => Failure::Input(format!(
                "{name}: line {line}: found the {what} {index} with {found}, expected {expected}"
            )),
            None => Failure::Input(format!("{name}: {error}")),
        },
        _ => Failure::option(error),
    })
}

/// Returns the settings of the gas that the options describe.
fn settings(options: &Gas, dimensions: usize) -> Result<GasSettings, Failure> {
    let take = |list: &Option<List>, option: &str, each: usize| -> Result<_, Failure> {
        let numbers = list
            .as_ref()
            .map(|list| list.take(option, each, dimensions));
        Ok(numbers.transpose()?.map(<[f64]>::to_vec))
    };
    let walls = take(&options.walls, "--walls", 2)?;
    let periodic = take(&options.periodic, "--periodic", 1)?;
    let origin = take(&options.origin, "--origin", 1)?;
    let gravity = take(&options.gravity, "--gravity", 1)?;
    let [periodic, origin, walls] = [&periodic, &origin, &walls].map(|list| list.as_deref());
    let domain = domain(periodic, origin, walls, dimensions);
    Ok(GasSettings {
        domain: domain.map_err(Failure::option)?,
        gravity: in_space(&gravity.unwrap_or_default()),
        restitution: options.restitution,
        wall_restitution: options.wall_restitution,
        contact_time: options.contact_time,
        time: options.time,
    })
}

/// Result of a run of the gas.
struct Done {
    events: u64,
    end: End,
    /// The deepest overlap found, in diameters of the smaller sphere.
    overlap: Option<f64>,
}

/// The number of parts of a run, for progress and `--verify`.
const PARTS: u64 = 1000;

/// Runs the gas in parts; the result does not depend on their number.
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
    // An invalid `--until` is refused here, before it is divided into parts.
    gas.run(0, until, |_| ()).map_err(Failure::option)?;
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
        // If both limits are given, only the number of events is divided.
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

/// Returns the summary of a run; its names are stable.
fn summary(
    options: &Gas,
    gas: &HardSpheres,
    dimensions: usize,
    (energy_before, momentum_before): (f64, [f64; 3]),
    done: &Done,
    seconds: f64,
) -> Summary {
    let (energy, momentum) = (gas.energy(), gas.momentum());
    let loses = options.restitution < 1.0 || options.wall_restitution < 1.0;
    let change = (energy - energy_before).abs();
    let energy_error = match energy_before {
        _ if loses => None,
        before if before != 0.0 => Some(change / before.abs()),
        _ => (change == 0.0).then_some(0.0),
    };
    let counts = gas.counts();
    let momentum = &momentum[..dimensions];
    let momentum_text: Vec<String> = momentum.iter().map(|&p| text::number(p)).collect();
    let pressure = gas.pressure();
    let mut summary = Summary::default();
    summary
        .count("spheres", gas.len())
        .member("dimension", dimensions)
        .both("events", done.events, "events", text::count(done.events))
        .line("of them with walls", text::count(counts.walls))
        .both("end", done.end.name(), "ended by", ended(done.end))
        .number("time", gas.time())
        .number("energy", energy);
    match energy_error {
        None => summary.member("energy_error", Value::Null),
        Some(0.0) => summary.both("energy_error", 0.0, "its change", "none"),
        Some(error) => summary.both("energy_error", error, "its change", format!("{error:.1e}")),
    };
    summary
        .both("momentum", momentum, "momentum", momentum_text.join(", "))
        .member("momentum_before", &momentum_before[..dimensions])
        .both(
            "pressure",
            pressure.map_or(Value::Null, finite),
            "pressure",
            pressure.map_or("none".into(), text::number),
        )
        .member("contact_time", gas.settings().contact_time)
        .member("counts", object(GAS_COUNTS, &counts))
        .member("seconds", seconds);
    if let Some(overlap) = done.overlap {
        let text = format!("{overlap:.1e} of a diameter");
        summary.both("overlap", overlap, "deepest overlap", text);
    }
    summary.line("took", took(done.events, seconds));
    summary
}

fn ended(end: End) -> &'static str {
    match end {
        End::Events => "the number of events",
        End::Until => "the time",
        End::Over => "rest: there will be no more collisions",
        End::Stalled => "a stall: time no longer advances",
    }
}

fn took(events: u64, seconds: f64) -> String {
    let all = text::seconds(seconds);
    match events {
        0 => all,
        n => format!("{all}, {:.2} us an event", 1e6 * seconds / n as f64),
    }
}
