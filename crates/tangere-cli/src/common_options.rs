//! Options that several query subcommands share: repetitions, JSON output and poses.

use crate::console::Console;
use crate::failure::Failure;
use crate::times::Times;
use clap::Args;
use std::path::PathBuf;
use tangere::geometry::Pose;

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
    /// Returns the name of the column that numbers the rows of a motion, in files of text; `None`
    /// for a single pose.
    pub fn column(&self) -> Option<&'static str> {
        self.poses.is_some().then_some("pose")
    }

    /// Reads the poses of the second body from the file of `--poses`. If there is no file, the only
    /// pose is `pose_b`.
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

/// Parses a pose on the command line.
pub fn pose(text: &str) -> tangere::Result<Pose> {
    text.parse()
}
