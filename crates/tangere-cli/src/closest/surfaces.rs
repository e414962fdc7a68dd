//! Distance of two triangle meshes, at one pose or along a motion.

use super::{Closest, draw, verify};
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::intersect::placed;
use crate::output::{self, Target};
use crate::times::Times;
use std::path::PathBuf;
use tangere::closest::{SurfaceDistance, SurfaceStatus, TriangleTree, surface_distances};
use tangere_front::answer::{Format, Summary, Table};
use tangere_front::answers::closest::SURFACE_DISTANCE;

/// Describes the expected input in the error about a file that contains points instead of a
/// surface.
const SURFACE: &str = "a surface; MESH --points POINTS finds how far points are from it, --convex \
                       takes the hull of points";

/// File formats in which distances are written, with a row for each pose.
const FORMATS: &[Format] = &[Format::Npy, Format::Csv, Format::Vtp, Format::Json];

/// Reads two surfaces, finds their distance at each pose, and writes it.
pub fn run(options: &Closest, b: &PathBuf, console: &Console) -> Result<(), Failure> {
    let (json, motion) = (options.common.json, &options.motion);
    let inputs = [&options.a, b].into_iter().chain(&motion.poses);
    let target = Target::new(options.out.as_deref(), FORMATS, json, inputs)?;
    let mut times = Times::default();
    let mesh_a = files::read_surface(&options.a, None, SURFACE, &mut times, console)?;
    let expected = format!(
        "a surface; `tangere closest {} --points {}` finds how far points are from it, --convex \
         takes the hull of points",
        options.a.display(),
        b.display()
    );
    let mesh_b = files::read_surface(b, None, &expected, &mut times, console)?;
    let poses_b = motion.read(options.poses.pose_b, &mut times, console)?;
    let mesh_a = placed(mesh_a, options.poses.pose_a.as_ref(), &options.a)?;
    let trees = || (TriangleTree::new(&mesh_a), TriangleTree::new(&mesh_b));
    let ((tree_a, tree_b), _) = console.timed("building trees", || times.set_up(trees));
    let mut found = Vec::new();
    for _ in 0..options.common.repeat {
        let query = || times.query(|| surface_distances(&tree_a, &tree_b, &poses_b, &mut found));
        console.timed("querying", query).0?;
    }
    let table = Table::new(SURFACE_DISTANCE, &found).numbered(motion.column());
    let mut summary = Summary::default();
    match motion.poses {
        None => of_pose(&found[0], &mut summary),
        Some(_) => of_motion(&found, &mut summary),
    }
    times.add_to(&mut summary);
    if options.verify {
        let work = || verify::surfaces(&mesh_a, &mesh_b, &poses_b, &found);
        let (sample, _) = console.timed("comparing", work);
        let against = "of A against every face of B";
        sample?.add_to(&mut summary, "verified_faces", ["face", "faces"], against);
    }
    if let Some(target) = &target {
        let object = || match motion.poses {
            None => summary.json(),
            Some(_) => summary.clone().member("distances", table.json()).json(),
        };
        let drawn = || match motion.poses {
            None => draw::distance(&found[0]),
            Some(_) => draw::distances(&found, &table),
        };
        target.write(&table, object, drawn, console)?;
    }
    let head = format!("{} and {}", options.a.display(), b.display());
    output::report(&summary, &head, json, target.as_ref(), console)
}

/// Adds the distance at one pose to the summary.
fn of_pose(found: &SurfaceDistance, summary: &mut Summary) {
    summary.row(SURFACE_DISTANCE, found);
    if !found.solids {
        summary.line("note", "an open or misoriented mesh encloses nothing");
    }
}

/// Adds the distances along a motion to the summary.
fn of_motion(found: &[SurfaceDistance], summary: &mut Summary) {
    let statuses = found.iter().map(|d| d.status);
    summary
        .count("poses", found.len())
        .span("gap", found.iter().map(|d| d.gap), false)
        .span("distance", found.iter().map(|d| d.distance), false)
        .tally("status", &SurfaceStatus::ALL, SurfaceStatus::name, statuses)
        .flag("solids", found.iter().all(|d| d.solids));
}
