//! Conversion of particles: rows of centre and radius, moved and scaled.

use super::{Convert, check_no_repairs, motion, note_unkept};
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, Output};
use serde_json::json;
use tangere::geometry::Similarity;
use tangere::shape::Spheres;
use tangere_front::answer::Summary;
use tangere_front::inputs::gas::in_space;
use tangere_front::text::counted;
use tangere_io::{LoadedParticles, Particles};

/// Transforms particles, writes them to `output` and reports their number and the time.
pub fn convert(
    options: &Convert,
    loaded: LoadedParticles,
    output: &Output,
    read: f64,
    console: &Console,
) -> Result<(), Failure> {
    let format = output.table_format()?;
    let input = files::input_name(&options.input);
    check_no_repairs(options)?;
    let refused = |error| Failure::of_file(&input, &error);
    let (count, dimension, written) = match loaded.particles {
        Particles::Discs(discs) => {
            let discs = moved(discs, motion(options, 2)?).map_err(refused)?;
            (discs.len(), 2, output.write_particles(&discs, console)?)
        }
        Particles::Spheres(spheres) => {
            let spheres = moved(spheres, motion(options, 3)?).map_err(refused)?;
            (spheres.len(), 3, output.write_particles(&spheres, console)?)
        }
    };
    note_unkept(&loaded.unkept, console);
    let read_from = json!({
        "file": input,
        "format": loaded.format.name(),
        "not_kept": loaded.unkept,
    });
    let written_to = json!({ "file": output.name(), "format": format.name() });
    let mut summary = Summary::default();
    summary
        .member("kind", "particles")
        .member("dimension", dimension)
        .member("particles", count)
        .member("input", read_from)
        .member("output", written_to)
        .member("rounding", 0.0)
        .member("seconds", json!({ "read": read, "write": written }));
    let what = counted(count, "particle", "particles");
    output.report(&summary, &what, read + written, options.json, console)
}

/// Returns transformed particles; discs stay in their plane.
pub fn moved<const D: usize>(
    particles: Spheres<D>,
    motion: Option<Similarity>,
) -> tangere::Result<Spheres<D>> {
    let Some(motion) = motion else {
        return Ok(particles);
    };
    let (centers, radii) = particles.into_parts();
    let moved = |p: [f64; D]| {
        let q: [f64; 3] = motion.apply(in_space(&p));
        std::array::from_fn(|k| q[k])
    };
    let scale = motion.scale().abs();
    Spheres::new(
        centers.into_iter().map(moved).collect(),
        radii.into_iter().map(|radius| scale * radius).collect(),
    )
}
