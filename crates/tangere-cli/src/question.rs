//! What subcommands share that ask about surfaces and points: options, times, and how much a
//! comparison with brute force looks at.

use crate::console::Console;
use crate::failure::Failure;
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use tangere::geometry::Pose;
use tangere_front::answer::Summary;
use tangere_front::text;

/// How often is asked, and how the answer is told.
#[derive(Args, Debug)]
pub struct Manner {
    /// Ask so often and tell the least times
    #[arg(long, value_name = "K", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Where two bodies are.
#[derive(Args, Debug)]
pub struct Poses {
    /// Where A is
    #[arg(long, value_name = "P", allow_hyphen_values = true, value_parser = pose)]
    pub pose_a: Option<Pose>,
    /// Where B is
    #[arg(long, value_name = "P", allow_hyphen_values = true, value_parser = pose)]
    pub pose_b: Option<Pose>,
}

/// Where the second body is at every step of a motion.
#[derive(Args, Debug)]
pub struct Motion {
    /// Where B is at every step of a motion (CSV, NPY)
    #[arg(long, aliases = ["poses-b", "path"], value_name = "FILE", conflicts_with = "pose_b")]
    pub poses: Option<PathBuf>,
}

impl Motion {
    /// The poses of the file, or the one pose where there is no motion; adds the seconds of reading.
    pub fn read(
        &self,
        pose_b: Option<Pose>,
        times: &mut Times,
        console: &Console,
    ) -> Result<Vec<Pose>, Failure> {
        let Some(path) = &self.poses else {
            return Ok(vec![pose_b.unwrap_or_default()]);
        };
        let what = format!("reading {}", path.display());
        let (poses, seconds) = console.timed(&what, || tangere_io::read_poses(path));
        times.read += seconds;
        poses.map_err(Failure::reading)
    }
}

/// A pose as it is written on the command line.
pub fn pose(text: &str) -> tangere::Result<Pose> {
    text.parse()
}

/// Least seconds of all repeats.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    pub read: f64,
    pub setup: f64,
    pub query: f64,
}

impl Times {
    pub fn json(&self) -> Value {
        json!({ "read": self.read, "setup": self.setup, "query": self.query })
    }

    /// Adds them to what is reported.
    pub fn add_to(&self, summary: &mut Summary) {
        summary.member("seconds", self.json());
        for (what, seconds) in self.rows() {
            summary.line(what, seconds);
        }
    }

    /// Adds them to what is reported where nothing is set up.
    pub fn add_without_setup_to(&self, summary: &mut Summary) {
        let [read, _, query] = self.rows();
        summary.member("seconds", self.json());
        summary.line(read.0, read.1).line(query.0, query.1);
    }

    pub fn rows(&self) -> [(&'static str, String); 3] {
        [
            ("read", text::seconds(self.read)),
            ("set-up", text::seconds(self.setup)),
            ("query", text::seconds(self.query)),
        ]
    }
}

/// Pairs that a comparison with brute force looks at.
const LOOKS: usize = 100_000_000;

/// What is compared with brute force: all, or every so manyth if that would take too many looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    count: usize,
    step: usize,
}

impl Sample {
    /// Of `count` items, each of which takes so many looks.
    pub fn new(count: usize, looks: usize) -> Self {
        Self::within(count, looks, LOOKS)
    }

    /// Of `count` items, each of which takes so many looks, with another limit of all looks.
    pub fn within(count: usize, looks: usize, limit: usize) -> Self {
        let step = count.saturating_mul(looks).div_ceil(limit).max(1);
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

    /// Adds to what is reported that they are equal to something: `name` is the member of JSON
    /// that has how many there are, `what` follows them in words.
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
