//! Bodies from files.

use super::OverlapOptions;
use crate::console::Console;
use crate::failure::Failure;
use crate::pack::packed;
use crate::question::Times;
use std::path::Path;
use tangere::overlap::pack::PackSettings;
use tangere::shape::Packing;
use tangere_io::{Solid, read_solid};

/// Reads both bodies, surfaces of which are packed; a body against itself is read once. Adds the
/// seconds it took.
pub fn read(
    options: &OverlapOptions,
    times: &mut Times,
    console: &Console,
) -> Result<[Packing; 2], Failure> {
    let a = read_one(&options.a, options.spheres, times, console)?;
    let b = match is_same(&options.a, &options.b) {
        true => a.clone(),
        false => read_one(&options.b, options.spheres, times, console)?,
    };
    Ok([a, b])
}

fn is_same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

fn read_one(
    path: &Path,
    spheres: usize,
    times: &mut Times,
    console: &Console,
) -> Result<Packing, Failure> {
    let what = format!("reading {}", path.display());
    let (solid, seconds) = console.timed(&what, || read_solid(path));
    times.read += seconds;
    match solid.map_err(Failure::reading)? {
        Solid::Packing(packing) => Ok(*packing),
        Solid::Surface(loaded) => {
            let settings = PackSettings::spheres(spheres);
            let (packing, seconds) = packed(path, &loaded.mesh, &settings, console)?;
            times.setup += seconds;
            Ok(packing)
        }
    }
}
