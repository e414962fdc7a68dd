//! Minimum distance of two triangle meshes.

use super::{Closest, draw, verify};
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::intersect::placed;
use crate::output::{self, Target};
use crate::times::Times;
use std::path::PathBuf;
use tangere::closest::TriangleTree;
use tangere_front::answer::{Format, Summary, Table};
use tangere_front::answers::closest::SURFACE_DISTANCE;

/// Describes the expected input in the error about a file that contains points instead of a
/// surface.
const SURFACE: &str = "a surface; MESH --points POINTS finds how far points are from it, --convex \
                       takes the hull of points";

/// Reads two surfaces, finds their distance, and writes it.
pub fn run(options: &Closest, b: &PathBuf, console: &Console) -> Result<(), Failure> {
    if options.motion.poses.is_some() {
        return Err(Failure::Input(
            "closest: found --poses without --convex, expected --pose-b: surfaces are not \
             followed through a motion"
                .into(),
        ));
    }
    let json = options.common.json;
    let formats = &[Format::Vtp, Format::Json];
    let target = Target::new(options.out.as_deref(), formats, json, [&options.a, b])?;
    let mut times = Times::default();
    let mut read = |path| files::read_surface(path, None, SURFACE, &mut times, console);
    let (mesh_a, mesh_b) = (read(&options.a)?, read(b)?);
    let mesh_a = placed(mesh_a, options.poses.pose_a.as_ref(), &options.a)?;
    let pose_b = options.poses.pose_b.unwrap_or_default();
    let trees = || (TriangleTree::new(&mesh_a), TriangleTree::new(&mesh_b));
    let ((tree_a, tree_b), _) = console.timed("building trees", || times.set_up(trees));
    let mut found = Vec::new();
    for _ in 0..options.common.repeat {
        let query = || times.query(|| tree_a.distance(&tree_b, &pose_b));
        found = vec![console.timed("querying", query).0];
    }
    let mut summary = Summary::default();
    summary.row(SURFACE_DISTANCE, &found[0]);
    times.add_to(&mut summary);
    if options.verify {
        let work = || verify::surfaces(&mesh_a, &mesh_b, &pose_b, &found[0]);
        let (sample, _) = console.timed("comparing", work);
        let against = "of A against every face of B";
        sample?.add_to(&mut summary, "verified_faces", ["face", "faces"], against);
    }
    if let Some(target) = &target {
        let drawn = || draw::distance(&found[0]);
        let table = Table::new(SURFACE_DISTANCE, &found);
        target.write(&table, || summary.json(), drawn, console)?;
    }
    let head = format!("{} and {}", options.a.display(), b.display());
    output::report(&summary, &head, json, target.as_ref(), console)
}
