//! `tangere gas`: when do hard spheres collide?

mod verify;

use crate::arguments::{number, whole};
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::output;
use clap::Args;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tangere::impact::gas::{Collision, End, Gas as HardSpheres, GasSettings};
use tangere::{Argument, memory};
use tangere_front::answer::{Summary, Table, finite, object};
use tangere_front::answers::impact::{GAS_COUNTS, GasSphere, collision, gas_sphere};
use tangere_front::inputs::gas::{Spheres, domain, in_space};
use tangere_front::text;
use tangere_io::{TableFormat, check_target, write_table};
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
        TableFormat::of_path(path).map_err(Failure::writing)?;
        check_target(path).map_err(Failure::writing)?;
        files::check_other(path, &options.spheres)?;
    }
    if options.out.is_some() && options.out == options.last {
        let message = "--final: found the file of collisions, expected another";
        return Err(Failure::Input(message.into()));
    }
    let path = &options.spheres;
    let what = format!("reading {}", path.display());
    let (spheres, _) = console.timed(&what, || Spheres::read(path));
    let mut spheres = spheres.map_err(Failure::reading)?;
    let dimensions = spheres.dimensions;
    let settings = settings(options, dimensions)?;
    if let Some(temperature) = options.temperature {
        spheres.heat(temperature, options.seed).map_err(refused)?;
    }
    let mut gas = made(&spheres, path, &settings)?;
    let mut collisions = Vec::new();
    let start = Start {
        energy: gas.energy(),
        momentum: gas.momentum(),
    };
    let (done, seconds) = console.timed_with_bar("colliding", |progress| {
        go(options, &mut gas, &mut collisions, progress)
    });
    let done = done?;
    if let Some(path) = &options.out {
        let rows = Table::new(&collision(dimensions), &collisions).matrix();
        write_table(path, &rows).map_err(Failure::writing)?;
    }
    if let Some(path) = &options.last {
        let rows = Table::new(&gas_sphere(dimensions), &GasSphere::all(&gas)).matrix();
        write_table(path, &rows).map_err(Failure::writing)?;
    }
    if done.end == End::Stalled {
        console.note(format_args!(
            "no end is in sight: {} collisions up to time {}, where no more time passes or nothing meets; see --contact-time",
            text::count(done.events),
            text::number(gas.time())
        ));
    }
    let summary = summary(options, &gas, dimensions, &start, &done, seconds);
    let head = path.display().to_string();
    output::report(&summary, &head, options.json, None, console)
}

/// The gas of spheres that were read.
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
        // Whoever wrote a text finds a line more easily than an item.
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
        _ => refused(error),
    })
}

/// The settings that options name.
fn settings(options: &Gas, dimensions: usize) -> Result<GasSettings, Failure> {
    let take = |list: &Option<List>, option: &str, count: usize| match list {
        Some(list) => list
            .take(option, count)
            .map(|numbers| Some(numbers.to_vec())),
        None => Ok(None),
    };
    let walls = take(&options.walls, "--walls", 2 * dimensions)?;
    let periodic = take(&options.periodic, "--periodic", dimensions)?;
    let origin = take(&options.origin, "--origin", dimensions)?;
    let gravity = take(&options.gravity, "--gravity", dimensions)?;
    let domain = domain(
        periodic.as_deref(),
        origin.as_deref(),
        walls.as_deref(),
        dimensions,
    );
    Ok(GasSettings {
        domain: domain.map_err(refused)?,
        gravity: in_space(&gravity.unwrap_or_default()),
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
    energy: f64,
    momentum: [f64; 3],
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

/// What is reported; names are a contract.
fn summary(
    options: &Gas,
    gas: &HardSpheres,
    dimensions: usize,
    start: &Start,
    done: &Done,
    seconds: f64,
) -> Summary {
    let (energy, momentum) = (gas.energy(), gas.momentum());
    let loses = options.restitution < 1.0 || options.wall_restitution < 1.0;
    let change = (energy - start.energy).abs();
    let energy_error = match start.energy {
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
        Some(error) => summary.both("energy_error", error, "its change", format!("{error:.1e}")),
    };
    summary
        .both("momentum", momentum, "momentum", momentum_text.join(", "))
        .member("momentum_before", &start.momentum[..dimensions])
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
        End::Stalled => "no end in sight",
    }
}

fn took(events: u64, seconds: f64) -> String {
    let all = text::seconds(seconds);
    match events {
        0 => all,
        n => format!("{all}, {:.2} us an event", 1e6 * seconds / n as f64),
    }
}
