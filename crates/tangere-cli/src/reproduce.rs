//! `tangere reproduce`: repeats experiments of papers and compares published with measured results.

use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::{Path, PathBuf};
use tangere_reproduce::{Effort, FILES, PAPERS, Paper};

const EXAMPLES: &str = "\
Examples:
  tangere reproduce                                 all papers, as tables
  tangere reproduce leszczynski2004 --quick         one of them, within a minute
  tangere reproduce -o report                       then open report/index.html
  tangere reproduce schinner1995 --json > schinner1995.json";

/// Repeat the experiments of the papers and compare published with measured results
///
/// Prints for each figure, table or statement what the paper claims, what it published, what is
/// measured here, and whether the claim holds; one that does not hold is a result, not an error.
/// Times are CPU times of one thread, the least of several turns, and reported as ratios wherever
/// the paper gives seconds. With -o also writes a page with plots (index.html), all
/// numbers (reproduce.json) and the data of each figure and table (.csv).
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Reproduce {
    /// The papers to reproduce; all of them if none is named
    #[arg(value_name = "KEY", value_parser = PossibleValuesParser::new(PAPERS.map(|paper| paper.key)))]
    keys: Vec<String>,
    /// Smaller scenes and fewer turns: less than a minute a paper
    #[arg(long)]
    quick: bool,
    /// The folder to write; created if missing. Without it nothing is written
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

/// Runs the experiments and prints or writes their results.
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
    let report = tangere_reproduce::run(&papers, effort, &|what, experiment| {
        console.timed(what, experiment);
    })?;
    if let Some(folder) = &options.out {
        files::write_all(folder, report.files()?)?;
    }
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
