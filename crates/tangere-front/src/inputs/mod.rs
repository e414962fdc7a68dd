//! Inputs of queries: files are read and checked here, with the same defaults for the program and
//! for Python.

pub mod bodies;
mod cells;
mod centers;
pub mod contact_scene;
pub mod convex;
pub mod gas;
mod grid_cells;
mod integer_rows;
mod multipole;
pub mod overlap;
mod pair_filters;
pub mod paths;
pub mod points;
pub mod shape;
mod steps;
pub mod surface;

pub use cells::{Cell, Cells, DumpCells};
pub use centers::RADIUS_HINT;
pub use grid_cells::{GridCells, GridPlace, PlacedGrid};
pub use integer_rows::integer_rows;
pub use multipole::with_published_expansions;
pub use pair_filters::PairFilters;
pub use steps::{DumpHead, Frame, Steps};
pub use tangere::pairs::Shapes;

use std::path::Path;
use tangere::Argument;
use tangere_io::{Error, Fault, Place};

/// Returns the error for a file whose content is refused. `part` names what is wrong, such as its
/// `shape`.
fn refused(
    path: &Path,
    part: &'static str,
    found: impl std::fmt::Display,
    expected: impl Into<String>,
) -> Error {
    content(path, Fault::new(Place::Part(part), found, expected))
}

/// Returns the error for a file that does not fit the argument `what` of the query. The program and
/// the Python package each name the argument in their own spelling.
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
