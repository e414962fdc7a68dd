//! Reader of two bodies for penetration volume: each is a sphere packing, or a surface that is
//! filled with spheres.

use super::OverlapOptions;
use crate::console::Console;
use crate::failure::Failure;
use crate::pack::packed;
use crate::times::Times;
use std::path::Path;
use tangere::overlap::pack::PackSettings;
use tangere::shape::Packing;
use tangere_front::inputs::paths::is_same_file;
use tangere_io::{Solid, read_solid};

/// Reads both bodies; a body given as a surface is packed with spheres. If both are the same file,
/// it is read once. Adds the seconds of reading and packing to `times`.
pub fn read(
    options: &OverlapOptions,
    times: &mut Times,
    console: &Console,
) -> Result<[Packing; 2], Failure> {
    let settings = PackSettings {
        spheres: options.spheres,
        ..PackSettings::default()
    };
    let (a, is_packed) = read_one(&options.a, settings, times, console)?;
    let (b, is_other_packed) = match is_same_file(&options.a, &options.b) {
        true => (a.clone(), false),
        false => read_one(&options.b, settings, times, console)?,
    };
    if options.spheres.is_some() && !is_packed && !is_other_packed {
        console.note("--spheres is for surfaces: packings stay as they are");
    }
    Ok([a, b])
}

/// Reads one body; a surface is packed with spheres. Returns the packing, and whether the body was
/// a surface.
fn read_one(
    path: &Path,
    settings: PackSettings,
    times: &mut Times,
    console: &Console,
) -> Result<(Packing, bool), Failure> {
    match times.read(path, console, || read_solid(path))? {
        Solid::Packing(packing) => {
            times.add_set_up(0.0);
            Ok((*packing, false))
        }
        Solid::Surface(loaded) => {
            let (packing, seconds) = packed(path, &loaded.mesh, settings, console)?;
            times.add_set_up(seconds);
            Ok((packing, true))
        }
    }
}
