//! Bodies from files.

use super::told::Times;
use crate::console::Console;
use crate::failure::Failure;
use std::path::Path;
use tangere::shape::Packing;
use tangere_io::{Solid, read_solid};

/// Reads a packing; adds the seconds it took.
pub fn read(path: &Path, times: &mut Times, console: &Console) -> Result<Packing, Failure> {
    let what = format!("reading {}", path.display());
    let (solid, seconds) = console.timed(&what, || read_solid(path));
    times.read += seconds;
    match solid.map_err(Failure::reading)? {
        Solid::Packing(packing) => Ok(packing),
        Solid::Surface(_) => Err(Failure::Input(format!(
            "{}: found a surface, expected a packing of spheres",
            path.display()
        ))),
    }
}
