//! What query subcommands share: options, times, and the sample that `--verify` compares with brute
//! force.

use crate::console::Console;
use crate::failure::Failure;
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tangere::geometry::Pose;
use tangere_front::answer::Summary;
use tangere_front::inputs::points::input_name;
use tangere_front::text;

/// Repetitions and output of a query.
#[derive(Args, Debug)]
pub struct CommonOptions {
    /// Repeat the query K times and report the least times
    #[arg(long, value_name = "K", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Poses of two bodies.
#[derive(Args, Debug)]
pub struct Poses {
    /// Pose of A
    #[arg(long, value_name = "P", allow_hyphen_values = true, value_parser = pose)]
    pub pose_a: Option<Pose>,
    /// Pose of B
    #[arg(long, value_name = "P", allow_hyphen_values = true, value_parser = pose)]
    pub pose_b: Option<Pose>,
}

/// Poses of the second body at every step of a motion.
#[derive(Args, Debug)]
pub struct Motion {
    /// Poses of B at every step of a motion (CSV, NPY)
    #[arg(long, aliases = ["poses-b", "path"], value_name = "FILE", conflicts_with = "pose_b")]
    pub poses: Option<PathBuf>,
}

impl Motion {
    /// The poses of the file, or the one pose where there is no motion.
    pub fn read(
        &self,
        pose_b: Option<Pose>,
        times: &mut Times,
        console: &Console,
    ) -> Result<Vec<Pose>, Failure> {
        match &self.poses {
            None => Ok(vec![pose_b.unwrap_or_default()]),
            Some(path) => times.read(path, console, || tangere_io::read_poses(path)),
        }
    }
}

/// A pose as it is written on the command line.
pub fn pose(text: &str) -> tangere::Result<Pose> {
    text.parse()
}

/// Seconds of reading all files; of set-up and query the least of all repeats.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    pub read: f64,
    setup: Option<f64>,
    query: Option<f64>,
}

impl Times {
    /// Times the reading of a file.
    pub fn read<T>(
        &mut self,
        path: &Path,
        console: &Console,
        read: impl FnOnce() -> tangere_io::Result<T>,
    ) -> Result<T, Failure> {
        let (read, seconds) = console.timed(&format!("reading {}", input_name(path)), read);
        self.read += seconds;
        read.map_err(Failure::reading)
    }

    /// Adds seconds of set-up.
    pub fn add_set_up(&mut self, seconds: f64) {
        self.setup = Some(self.setup.unwrap_or(0.0) + seconds);
    }

    /// Times the set-up.
    pub fn set_up<T>(&mut self, work: impl FnOnce() -> T) -> T {
        least(&mut self.setup, work)
    }

    /// Times the query.
    pub fn query<T>(&mut self, work: impl FnOnce() -> T) -> T {
        least(&mut self.query, work)
    }

    /// The seconds of reading, set-up and query.
    pub fn seconds(&self) -> [f64; 3] {
        [
            self.read,
            self.setup.unwrap_or(0.0),
            self.query.unwrap_or(0.0),
        ]
    }

    /// Adds them to the summary; set-up has a line only if there was one.
    pub fn add_to(&self, summary: &mut Summary) {
        let [read, setup, query] = self.seconds();
        let seconds = json!({ "read": read, "setup": setup, "query": query });
        summary.member("seconds", seconds);
        summary.line("read", text::seconds(read));
        if self.setup.is_some() {
            summary.line("set-up", text::seconds(setup));
        }
        summary.line("query", text::seconds(query));
    }
}

fn least<T>(least: &mut Option<f64>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    let seconds = start.elapsed().as_secs_f64();
    *least = Some(least.map_or(seconds, |least| least.min(seconds)));
    done
}

/// Limit of the pair tests of a comparison with brute force.
const PAIR_TESTS: usize = 100_000_000;

/// Items that are compared with brute force: all, or every nth if all would take too many tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    count: usize,
    step: usize,
}

impl Sample {
    /// A sample of `count` items of so many pair tests each.
    pub fn new(count: usize, tests: usize) -> Self {
        Self::within(count, tests, PAIR_TESTS)
    }

    /// A sample of `count` items of so many pair tests each, with another limit of all tests.
    pub fn within(count: usize, tests: usize, limit: usize) -> Self {
        let step = count.saturating_mul(tests).div_ceil(limit).max(1);
        Self { count, step }
    }

    /// The items.
    pub fn items(self) -> Vec<usize> {
        (0..self.count).step_by(self.step).collect()
    }

    /// Whether an item is among them.
    pub fn has(self, item: usize) -> bool {
        item.is_multiple_of(self.step)
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.count.div_ceil(self.step)
    }

    /// Adds to the summary that the sample is verified: `name` is the member of JSON with its size,
    /// `what` the words that follow it in text.
    pub fn add_to(self, summary: &mut Summary, name: &str, [one, more]: [&str; 2], what: &str) {
        let text = format!("{} {what}", self.text(one, more));
        summary.member("verified", true);
        summary.both(name, self.len(), "verified", text);
    }

    /// In words: `100 of 2 000 points`, or `2 000 points`; the words are for one and for more.
    pub fn text(self, one: &str, more: &str) -> String {
        let all = text::counted(self.count, one, more);
        match self.len() == self.count {
            true => all,
            false => format!("{} of {all}", text::count(self.len() as u64)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_bounded() {
        let all = Sample::new(2000, 50_000);
        assert_eq!((all.len(), all.items().len()), (2000, 2000));
        assert_eq!(all.text("point", "points"), "2 000 points");
        let some = Sample::new(2001, 50_000);
        assert_eq!((some.len(), some.items().len()), (1001, 1001));
        assert_eq!(some.text("point", "points"), "1 001 of 2 001 points");
        assert!(some.items().into_iter().all(|i| some.has(i)));
        assert_eq!((0..2001).filter(|&i| some.has(i)).count(), 1001);
        let one = Sample::new(5, usize::MAX);
        assert_eq!(one.items(), [0]);
        assert_eq!(Sample::new(0, 9).items(), [0; 0]);
    }
}
