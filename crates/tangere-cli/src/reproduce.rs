//! `tangere reproduce`: repeats experiments of papers and compares published with measured results.

use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::{Path, PathBuf};
use tangere_reproduce::{Effort, FILES, PAPERS, Paper, Progress};

const EXAMPLES: &str = "\
Examples:
  tangere reproduce                                 all papers, as tables
  tangere reproduce leszczynski2004 --quick         one of them, in less than a minute
  tangere reproduce -o report                       then open report/index.html
  tangere reproduce schinner1995 --json > schinner1995.json";

/// Repeat the experiments of the papers and compare published with measured results
///
/// Prints first how many claims hold, do not hold, and cannot be judged here; then for each figure,
/// table or statement what the paper claims and where, what its text prints, what is measured here,
/// the tolerance, and the verdict with its reason. A claim that does not hold is a result, not an
/// error. Times are CPU times of one thread; measurements are repeated until their intervals decide.
/// With -o also writes a page with plots (index.html), all numbers (reproduce.json) and the data of
/// each figure and table (.csv), again after every experiment: what is finished stays when the run is
/// interrupted. It replaces a report that is there.
///
/// With --quick all papers take about 2 minutes in a release build, without it about 25; run a release build, as a
/// debug build is many times slower. Where standard error is not a terminal, a line reports the
/// beginning and the end of each experiment.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Reproduce {
    /// The papers to reproduce; all of them if none is named
    #[arg(value_name = "KEY", value_parser = PossibleValuesParser::new(PAPERS.map(|paper| paper.key)))]
    keys: Vec<String>,
    /// Smaller scenes and fewer turns: about 2 minutes for all papers
    #[arg(long)]
    quick: bool,
    /// The folder to write; created if missing, an earlier report in it is replaced. Without it nothing is written
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

/// The number of steps of the progress bar.
const STEPS: usize = 100;

/// Runs the experiments, writes the results after each of them, and prints them at the end.
pub fn run(options: &Reproduce, console: &Console) -> Result<(), Failure> {
    let selected =
        |paper: &&&Paper| options.keys.is_empty() || options.keys.contains(&paper.key.into());
    let papers: Vec<&'static Paper> = PAPERS.iter().filter(selected).copied().collect();
    let effort = match options.quick {
        true => Effort::QUICK,
        false => Effort::FULL,
    };
    // The folder is checked before the work, which would be lost if nothing could be written.
    if let Some(folder) = &options.out {
        prepared(folder)?;
    }
    if cfg!(debug_assertions) {
        console.note(
            "this is a debug build, many times slower than a release build (cargo run --release): \
             times and their verdicts mean nothing",
        );
    }
    let mut stages = console.stages(STEPS);
    let write = |report: &tangere_reproduce::Report| match &options.out {
        Some(folder) => files::write_all(folder, report.files()?),
        None => Ok(()),
    };
    let mut notice = |progress: Progress<'_>| -> Result<(), Failure> {
        match progress {
            Progress::Begins { what, done } => {
                stages.begin((done * STEPS as f64) as usize, what);
                Ok(())
            }
            Progress::Finished(report) => {
                stages.end();
                write(report)
            }
        }
    };
    let report = tangere_reproduce::run(&papers, effort, &mut notice);
    drop(stages);
    let report = report?;
    if options.json {
        return console.print_json(&report.json());
    }
    let mut text = report.text();
    if let Some(folder) = &options.out {
        let page = folder.join("index.html");
        text += &format!("\nOpen {} to see the plots.\n", page.display());
    }
    console.print(text)
}

/// Creates the folder of the report, and returns an error if no report can be written to it.
fn prepared(folder: &Path) -> Result<(), Failure> {
    files::prepare_folder(folder)?;
    for name in FILES {
        tangere_io::check_target(folder.join(name)).map_err(Failure::writing)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_which_a_file_cannot_be() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("index.html")).unwrap();
        assert!(matches!(prepared(folder.path()), Err(Failure::Work(_))));
        assert!(prepared(&folder.path().join("a/b")).is_ok());
    }
}
