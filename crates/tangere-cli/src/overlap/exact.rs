//! `tangere overlap --exact`: the volume of the intersection of two closed surfaces, without
//! packings.

use super::OverlapOptions;
use crate::console::Console;
use crate::failure::Failure;
use crate::intersect::read_surface;
use crate::output::{self, Target};
use crate::pack::not_solid;
use crate::times::Times;
use tangere::overlap::exact_volume;
use tangere::shape::Solid;
use tangere_front::answer::{Format, Summary, Table};
use tangere_front::answers::overlap::EXACT_VOLUME;
use tangere_io::vtk::PolyData;

/// File formats in which exact volumes are written.
const FORMATS: &[Format] = &[Format::Npy, Format::Csv, Format::Json];

/// Reads two surfaces, computes the volume of their intersection at each pose, and writes it.
pub fn run(options: &OverlapOptions, console: &Console) -> Result<(), Failure> {
    let inputs = [&options.a, &options.b]
        .into_iter()
        .chain(&options.motion.poses);
    let target = Target::new(options.out.as_deref(), FORMATS, options.common.json, inputs)?;
    let mut times = Times::default();
    let mut read = |path| read_surface(path, &mut times, console);
    let (mesh_a, mesh_b) = (read(&options.a)?, read(&options.b)?);
    let poses_b = (options.motion).read(options.poses.pose_b, &mut times, console)?;
    let pose_a = options.poses.pose_a.unwrap_or_default();
    let solid = |mesh, path| Solid::new(mesh).map_err(|error| not_solid(path, &error));
    let (a, b) = (solid(&mesh_a, &options.a)?, solid(&mesh_b, &options.b)?);
    let mut volumes = Vec::new();
    for _ in 0..options.common.repeat {
        let (found, _): (tangere::Result<Vec<f64>>, _) = console.timed("integrating", || {
            times.query(|| {
                let volume = |pose_b| exact_volume(&a, &pose_a, &b, pose_b);
                poses_b.iter().map(volume).collect::<Result<_, _>>()
            })
        });
        volumes = found?;
    }
    let table = Table::new(EXACT_VOLUME, &volumes).numbered(options.motion.column());
    let mut summary = Summary::default();
    match options.motion.poses {
        None => {
            summary.row(&table.columns, &volumes[0]);
        }
        Some(_) => {
            summary
                .count("poses", volumes.len())
                .span("volume", volumes.iter().copied(), false);
        }
    }
    times.add_to(&mut summary);
    if let Some(target) = &target {
        let object = || match options.motion.poses {
            None => summary.json(),
            Some(_) => summary.clone().member("overlaps", table.json()).json(),
        };
        target.write(&table, object, PolyData::default, console)?;
    }
    let head = format!("{} and {}", options.a.display(), options.b.display());
    output::report(
        &summary,
        &head,
        options.common.json,
        target.as_ref(),
        console,
    )
}
