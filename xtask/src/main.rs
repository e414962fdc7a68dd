//! Project tasks, run as `cargo xtask TASK` by developers and by CI: test, bench, fuzz, wheel,
//! licences.
//!
//! The program has no dependencies, so that it is built and runs within a second or two in a fresh
//! clone.

mod bench;
mod fuzz;
mod licences;
mod step;
mod test;
mod tools;
mod wheel;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
Project tasks.

Usage:
  cargo xtask test [--long]                  everything that CI checks
  cargo xtask bench [NAME] [-- ARGUMENTS]    the benchmarks, or one of them
  cargo xtask fuzz [TARGET] [--seconds N]    the fuzz targets, or one of them, for N seconds each (60)
  cargo xtask wheel                          the Python package as a wheel, tested without Rust
  cargo xtask licences                       dependencies have permissive licences

test     format, clippy, licences, documentation, unit, integration and documentation tests, examples,
         then the Python package in a virtual environment under target/.
  --long  many more random cases, and the long tests that are ignored otherwise (TANGERE_LONG=1)

bench    files, tree, pairs, inside, convex, surfaces, overlap, impact, scene, simulate or curves; without
         a name, all of them. They and their peers are a separate workspace, which is linted first.
         instructions: instruction counts of one kernel per query by valgrind, beside recorded ones.
  --quick      small input, about a minute each
  --only=TEXT  only cases whose title contains TEXT; files and tree have a single one
  --no-peers   our own methods only
  --lint       alone: lint, run nothing
  --bless      record the instructions that are counted

wheel    builds target/wheels/portable/tangere-*.whl, which needs no Rust to install: for all
         Pythons from 3.10 on, on Linux for all systems with glibc 2.17 or newer (manylinux2014).
         Then installs it in a clean environment and runs the Python tests there.
";

/// Why a task ended early; the text is for the user.
enum Stop {
    /// Wrong arguments: exit code 2.
    Usage(String),
    /// Something failed: exit code 1.
    Failure(String),
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match task(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stop::Usage(message)) => {
            eprintln!("xtask: error: {message}\n\n{USAGE}");
            ExitCode::from(2)
        }
        Err(Stop::Failure(message)) => {
            eprintln!("xtask: error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn task(arguments: &[String]) -> Result<(), Stop> {
    let Some((name, rest)) = arguments.split_first() else {
        return Err(Stop::Usage("found no task, expected one".into()));
    };
    if rest
        .iter()
        .take_while(|a| *a != "--")
        .any(|a| a == "-h" || a == "--help")
    {
        print!("{USAGE}");
        return Ok(());
    }
    match name.as_str() {
        "test" => test::run(rest),
        "bench" => bench::run(rest),
        "fuzz" => fuzz::run(rest),
        "wheel" => wheel::run(rest),
        "licences" => licences::run(rest),
        "-h" | "--help" | "help" => {
            print!("{USAGE}");
            Ok(())
        }
        other => Err(Stop::Usage(format!(
            "found {other:?}, expected test, bench, fuzz, wheel or licences"
        ))),
    }
}

/// Returns the root folder of the workspace.
fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Returns the target folder, into which cargo builds.
fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// Returns the files in a folder, in the order of their names; none if there is no such folder.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.sort();
    files
}
