//! Inputs of queries: files, read and checked once, with one meaning of each default.

pub mod bodies;
mod cells;
pub mod convex;
pub mod gas;
pub mod overlap;
pub mod points;
mod rules;
pub mod shape;
mod steps;
pub mod surface;

pub use cells::{Cell, Cells};
pub use rules::{Rules, integer_rows};
pub use steps::{Frame, Steps};
pub use tangere::pairs::Shapes;

use std::path::Path;
use tangere::Argument;
use tangere_io::{Error, Fault, Place};

/// Why a file was refused.
fn refused(
    path: &Path,
    part: &'static str,
    found: impl std::fmt::Display,
    expected: impl Into<String>,
) -> Error {
    content(path, Fault::new(Place::Part(part), found, expected))
}

/// Why a file does not fit an argument; the program and Python name the argument in their way.
fn refused_argument(
    path: &Path,
    what: Argument,
    found: impl std::fmt::Display,
    expected: &str,
) -> Error {
    Error::Shape {
        path: path.to_owned(),
        source: tangere::Error::argument(what, found, expected),
    }
}

fn content(path: &Path, fault: Fault) -> Error {
    Error::Content {
        path: path.to_owned(),
        fault,
    }
}

/// The ending of a name in lower case, without its point.
fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_ascii_lowercase()
}

fn is_text(ending: &str) -> bool {
    matches!(ending, "csv" | "tsv" | "txt" | "dat")
}

/// Whether this is a table without rows and names.
fn is_empty_text(path: &Path) -> bool {
    is_text(&ending(path))
        && std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == 0)
}
