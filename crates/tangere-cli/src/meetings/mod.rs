//! `tangere meetings`: time of impact of balls that move and accelerate.

mod search;

use crate::common_options::CommonOptions;
use crate::console::Console;
use crate::failure::Failure;
use crate::output::{self, Target};
use crate::times::Times;
use clap::Args;
use search::Pairs;
use serde_json::Value;
use std::path::PathBuf;
use tangere_front::answer::{Format, Summary, Table, object};
use tangere_front::answers::impact::{BallMeeting, MEETING};
use tangere_front::text;
use tangere_io::load_balls;

/// File formats in which meetings of balls are written.
const FORMATS: &[Format] = &[Format::Csv, Format::Npy];

const EXAMPLES: &str = "\
Examples:
  tangere meetings balls.csv
  tangere meetings balls.csv --until 10 -o meetings.csv
  tangere pairs swept.npy -o pairs.npy && tangere meetings balls.npy --pairs pairs.npy --json
  tangere meetings gas.npy --hard --json | jq .first

BALLS has a row for each ball: x,y,z,radius, then the velocity vx,vy,vz, then the acceleration \
ax,ay,az; the last three, or the last six, may be missing. Columns with names may be in any order: \
x, y and radius (or r, or diameter) are required, others are 0 where they are missing.

Pairs are all, or those of --pairs, a file with two row numbers in each row as `tangere pairs` \
writes it. Time begins at 0; balls that touch or overlap then meet at 0. With --hard balls are hard \
spheres: those that touch or overlap at 0, as after a collision, collide only if they approach each \
other; accelerations must be equal.

Answers are exact for the numbers given: balls that graze exactly meet, and do not if they pass one \
float further. -o has a row for each pair that meets, in order: a, b, early and late, the lower and \
upper bound of the time of impact (.npy files the status as well, always 1).

--json has balls, pairs, meetings, now (those at time 0), first (a, b, early, late; null if none) \
and seconds (read, setup, query).";

/// Time of impact of balls that move at constant velocity or acceleration
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Meetings {
    /// Balls: CSV or NPY
    #[arg(value_name = "BALLS")]
    balls: PathBuf,
    /// Test these pairs only: a file with two row numbers of BALLS in each row
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// Ignore meetings after this time
    #[arg(long, value_name = "T", value_parser = horizon, allow_hyphen_values = true)]
    until: Option<f64>,
    /// Hard spheres: those that touch collide only if they approach each other
    #[arg(long)]
    hard: bool,
    /// The file to write: .csv or .npy, or - for CSV to standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    common: CommonOptions,
}

/// Parses the time at which the search ends, which must be 0 or later and may be infinite.
fn horizon(text: &str) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(time) if time >= 0.0 => Ok(time),
        _ => Err("expected a number, 0 or more".into()),
    }
}

/// Reads balls, finds for each pair the first time at which the balls touch, and writes these
/// meetings.
pub fn run(options: &Meetings, console: &Console) -> Result<(), Failure> {
    let CommonOptions { json, repeat } = options.common;
    let inputs = [&options.balls].into_iter().chain(&options.pairs);
    let target = Target::new(options.out.as_deref(), FORMATS, json, inputs)?;
    let mut times = Times::default();
    let loaded = times.read(&options.balls, console, || load_balls(&options.balls))?;
    console.note_unused(&loaded.unkept);
    let balls = loaded.balls;
    let pairs = match &options.pairs {
        Some(path) => times.read(path, console, || Pairs::read(path, &balls))?,
        None => Pairs::all(&balls)?,
    };
    let mut met = Vec::new();
    for _ in 0..repeat {
        let query = || pairs.meetings(&balls, options.until, options.hard, &mut met);
        let (searched, _) = console.timed("querying", || times.query(query));
        searched.map_err(|error| pairs.named(&options.balls, error))?;
    }
    let mut summary = Summary::default();
    summary
        .count("balls", balls.len())
        .count("pairs", pairs.len());
    add_meetings(&met, &mut summary);
    times.add_to(&mut summary);
    if let Some(target) = &target {
        target.write_rows(&Table::new(MEETING, &met), console)?;
    }
    let head = options.balls.display().to_string();
    output::report(&summary, &head, json, target.as_ref(), console)
}

/// Adds to the summary the number of meetings, the number of those at time 0, and the earliest
/// meeting. Of simultaneous meetings the first in `met` counts.
fn add_meetings(met: &[BallMeeting], summary: &mut Summary) {
    summary.count("meetings", met.len());
    match met.iter().filter(|met| met.meeting.late == 0.0).count() {
        0 => summary.member("now", 0),
        now => summary.count("now", now),
    };
    let time = |met: &BallMeeting| met.meeting.early;
    match met.iter().min_by(|a, b| time(a).total_cmp(&time(b))) {
        None => summary.member("first", Value::Null),
        Some(first) => {
            let ([a, b], time) = (first.pair, text::number(first.meeting.early));
            let text = format!("{time}, balls {a} and {b}");
            summary.both("first", object(MEETING, first), "first", text)
        }
    };
}
