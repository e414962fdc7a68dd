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
use tangere_io::vtk::Field;
use tangere_io::{LoadedParticles, Particles, TableFormat, kept_fields};

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
    let kept = kept(options, loaded.others, format);
    let (count, dimension, written) = match loaded.particles {
        Particles::Discs(discs) => {
            let discs = moved(discs, motion(options, 2)?).map_err(refused)?;
            (
                discs.len(),
                2,
                output.write_particles(&discs, &kept, console)?,
            )
        }
        Particles::Spheres(spheres) => {
            let spheres = moved(spheres, motion(options, 3)?).map_err(refused)?;
            (
                spheres.len(),
                3,
                output.write_particles(&spheres, &kept, console)?,
            )
        }
    };
    let unkept = loaded.unkept.into_iter();
    let is_kept = |name: &String| kept.iter().any(|field| field.name == *name);
    let unkept: Vec<String> = unkept.filter(|name| !is_kept(name)).collect();
    note_unkept(&unkept, console);
    let read_from = json!({
        "file": input,
        "format": loaded.format.name(),
        "not_kept": unkept,
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

/// Returns the fields that are kept: those that the format can hold, and if particles are moved only
/// their labels.
pub fn kept(options: &Convert, others: Vec<Field>, format: TableFormat) -> Vec<Field> {
    let is_moved =
        options.scale.is_some() || options.rotate.is_some() || options.translate.is_some();
    let others = others.into_iter();
    let others = others.filter(|field| !is_moved || is_label(field));
    kept_fields(others.collect(), format).0
}

/// Whether a field has labels of particles, which do not change if these are moved, as velocities
/// and lengths do.
fn is_label(field: &Field) -> bool {
    let names = ["id", "type", "mol", "group", "mask"];
    names
        .iter()
        .any(|name| field.name.eq_ignore_ascii_case(name))
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
