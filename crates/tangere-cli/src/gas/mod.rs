//! `tangere gas`: event-driven simulation of hard spheres.

mod input;
mod run_parts;
mod summary;
mod verify;

use crate::arguments::{List, list, number, whole};
use crate::console::Console;
use crate::failure::Failure;
use crate::output::{self, Drawing, Target};
use crate::times::Times;
use clap::{ArgGroup, Args};
use std::path::PathBuf;
use tangere::impact::gas::End;
use tangere_front::answer::{Format, Table};
use tangere_front::answers::impact::{GasState, collision, gas_sphere};
use tangere_front::inputs::gas::Spheres;
use tangere_front::inputs::paths::is_same_target;
use tangere_front::text;

const EXAMPLES: &str = "\
Examples:
  tangere generate crystal --count 10000 --filled 0.3 -o spheres.csv
  tangere gas spheres.csv --periodic 1,1,1 --temperature 1 --events 1e6
  tangere gas spheres.csv --periodic 1,1,1 --temperature 1 --until 0.1 -o collisions.csv --json
  tangere gas spheres.csv --periodic 1,1,0 --walls=-inf,-inf,0,inf,inf,1 --gravity 0,0,-9.81 \\
    --restitution 0.9 --temperature 1 --until 0.5 --final later.csv
  tangere gas later.csv --periodic 1,1,0 --walls=-inf,-inf,0,inf,inf,1 --events 1000

SPHERES has a row for each sphere: named columns x, y, z (missing for discs), radius (or r, or \
diameter), and optionally vx, vy, vz and mass; without names centre, radius, velocity and mass in \
this order, the last of which, or the last two, may be missing. A missing mass is the cube of the \
radius. Spheres may touch, but not overlap.

-o has a row for each collision: time; a and b, the spheres, the lower number first, counted from 0; \
the contact point; the unit normal from a to b; the impulse on b along it. For a wall b is below 0: \
-1 and -2 for the lower and the upper one along x, -3 and -4 along y, -5 and -6 along z. --final has \
the columns of SPHERES, with velocities and masses, and may be read again. Both are .csv, .npy, .vtp \
or .vtu.";

/// Event-driven simulation of hard spheres
///
/// Spheres move freely between collisions, in open or periodic space or between hard walls. There
/// is no time step; energy and momentum are conserved up to rounding.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("end").args(["events", "until"]).required(true).multiple(true)))]
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
    /// Hard walls: the lower, then the upper corner of a box; -inf and inf where there is none
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
    #[arg(long, value_name = "N", allow_negative_numbers = true,
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

/// File formats in which collisions and spheres are written.
const FORMATS: &[Format] = &[Format::Csv, Format::Npy, Format::Vtp, Format::Vtu];

/// Reads spheres, runs the simulation, and writes collisions and the final state.
pub fn run(options: &Gas, console: &Console) -> Result<(), Failure> {
    let path = &options.spheres;
    let target = |out: &Option<PathBuf>| Target::new(out.as_deref(), FORMATS, options.json, [path]);
    let [out, last] = [target(&options.out)?, target(&options.last)?];
    let targets = options.out.as_ref().zip(options.last.as_ref());
    if targets.is_some_and(|(out, last)| is_same_target(out, last)) {
        let message = "--final: found the file of collisions, expected another";
        return Err(Failure::Input(message.into()));
    }
    let mut spheres = Times::default().read(path, console, || Spheres::read(path))?;
    if let (Some(name), None) = (spheres.accelerated(), &options.gravity) {
        let path = path.display();
        let message =
            format!("{path}: found accelerations in the column {name}, expected --gravity");
        return Err(Failure::Input(message));
    }
    console.note_unused(&spheres.unkept);
    let dimensions = spheres.dimensions;
    let settings = input::settings(options, dimensions)?;
    if let Some(temperature) = options.temperature {
        let heated = spheres.heat(temperature, options.seed);
        heated.map_err(Failure::option)?;
    }
    let mut gas = input::made(&spheres, path, &settings)?;
    let mut collisions = Vec::new();
    let before = (gas.energy(), gas.momentum());
    let (done, seconds) = console.timed_with_bar("colliding", |progress| {
        run_parts::go(options, &mut gas, &mut collisions, progress)
    });
    let done = done?;
    let write = || {
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
        Ok(())
    };
    tangere_io::write_together(write, Failure::writing)?;
    if done.end == End::Stalled {
        console.note(format_args!(
            "stalled: {} collisions up to time {}, where time no longer advances or nothing meets; see --contact-time",
            text::count(done.events),
            text::number(gas.time())
        ));
    }
    let summary = summary::summary(options, &gas, dimensions, before, &done, seconds);
    let standard = [&out, &last].into_iter().flatten();
    let standard = standard.min_by_key(|target| target.format != Format::Standard);
    let head = path.display().to_string();
    output::report(&summary, &head, options.json, standard, console)
}
