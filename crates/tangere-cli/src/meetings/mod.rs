//! `tangere meetings`: when do balls that move and accelerate first meet?

mod asked;
mod output;

use crate::ccd::output::ContactFormat;
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::question::{Manner, Times};
use asked::{Met, Pairs};
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use tangere_front::text;
use tangere_io::read_balls;

const EXAMPLES: &str = "\
Examples:
  tangere meetings balls.csv
  tangere meetings balls.csv --until 10 -o meetings.csv
  tangere pairs swept.npy -o pairs.npy && tangere meetings balls.npy --pairs pairs.npy --json
  tangere meetings gas.npy --hard --json | jq .first

BALLS has a row for each ball: x,y,z,radius, then the velocity vx,vy,vz, then the acceleration
ax,ay,az; the last three, or the last six, may be missing. Where columns have names, these tell which is
which: x, y and radius (or r, or diameter) must be there, others are 0 where they are missing.

Asked are all pairs, or those of --pairs, a file with two row numbers in each row as `tangere pairs`
writes it. Time runs from 0, now, on; balls that touch or overlap now meet at 0. With --hard balls are
hard spheres: those that touch or overlap now, as after a collision, collide only if they approach each other;
accelerations must be equal.

Answers are the truth for the numbers given: balls that graze exactly meet, and do not if they pass one
float further. -o has a row for each pair that meets, in the order asked: a, b, early, before which
they do not meet, and late, by which they have met (.npy files the status as well, always 1).

--json has balls, pairs, meetings, now (those at time 0), first (a, b, early, late; null if none) and
seconds (read, setup, query).";

/// Tell when balls that move at constant velocity or acceleration first meet
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Meetings {
    /// Balls: CSV or NPY
    #[arg(value_name = "BALLS")]
    balls: PathBuf,
    /// Ask about these pairs only: a file with two row numbers of BALLS in each row
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// Meetings after this time do not count
    #[arg(long, value_name = "T", value_parser = horizon, allow_hyphen_values = true)]
    until: Option<f64>,
    /// Hard spheres: those that touch collide only if they approach each other
    #[arg(long)]
    hard: bool,
    /// The file to write: .csv or .npy
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    manner: Manner,
}

/// A time from now on.
fn horizon(text: &str) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(time) if time >= 0.0 => Ok(time),
        _ => Err("expected a number, 0 or more".into()),
    }
}

/// Reads, asks, and writes.
pub fn run(options: &Meetings, console: &Console) -> Result<(), Failure> {
    let format = match &options.out {
        Some(path) => {
            let mut inputs = [Some(&options.balls), options.pairs.as_ref()]
                .into_iter()
                .flatten();
            inputs.try_for_each(|input| files::check_other(path, input))?;
            Some(ContactFormat::of_path(path)?)
        }
        None => None,
    };
    let what = format!("reading {}", options.balls.display());
    let (read, seconds) = console.timed(&what, || -> Result<_, Failure> {
        let balls = read_balls(&options.balls).map_err(Failure::reading)?;
        let pairs = Pairs::read(options.pairs.as_deref(), &balls)?;
        Ok((balls, pairs))
    });
    let (balls, pairs) = read?;
    let mut times = Times {
        read: seconds,
        setup: 0.0,
        query: f64::INFINITY,
    };
    let mut met = Vec::new();
    for _ in 0..options.manner.repeat {
        let (asked, seconds) = console.timed("asking", || {
            pairs.meetings(&balls, options.until, options.hard, &mut met)
        });
        asked.map_err(|error| pairs.named(&options.balls, error))?;
        times.query = times.query.min(seconds);
    }
    if let (Some(path), Some(format)) = (&options.out, format) {
        let what = format!("writing {}", path.display());
        let (written, _) = console.timed(&what, || output::write(path, format, &met));
        written.map_err(Failure::writing)?;
    }
    let told = Told {
        balls: balls.len(),
        pairs: pairs.len(),
        met: &met,
        times,
    };
    match options.manner.json {
        true => console.print_json(&told.json()),
        false => console.print(format!("{}\n{}", options.balls.display(), told.text())),
    }
}

/// An answer in numbers.
struct Told<'a> {
    balls: usize,
    pairs: usize,
    met: &'a [Met],
    times: Times,
}

impl Told<'_> {
    /// Of those at the same time the one that stands first.
    fn first(&self) -> Option<&Met> {
        let time = |met: &Met| met.meeting.early;
        self.met.iter().min_by(|a, b| time(a).total_cmp(&time(b)))
    }

    fn now(&self) -> usize {
        let is_now = |met: &&Met| met.meeting.late == 0.0;
        self.met.iter().filter(is_now).count()
    }

    fn json(&self) -> Value {
        let first = self.first().map(|met| {
            let [a, b] = met.pair;
            json!({ "a": a, "b": b, "early": met.meeting.early, "late": met.meeting.late })
        });
        json!({
            "balls": self.balls,
            "pairs": self.pairs,
            "meetings": self.met.len(),
            "now": self.now(),
            "first": first,
            "seconds": self.times.json(),
        })
    }

    fn text(&self) -> String {
        let count = |n: usize| text::count(n as u64);
        let mut rows = vec![
            ("balls", count(self.balls)),
            ("pairs", count(self.pairs)),
            ("meetings", count(self.met.len())),
        ];
        if self.now() > 0 {
            rows.push(("now", count(self.now())));
        }
        if let Some(Met { pair, meeting }) = self.first() {
            let [a, b] = pair;
            let time = text::number(meeting.early);
            rows.push(("first", format!("{time}, balls {a} and {b}")));
        }
        let [read, _, query] = self.times.rows();
        rows.extend([read, query]);
        text::two_columns(&rows)
    }
}
