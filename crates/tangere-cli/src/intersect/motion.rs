//! Intersecting triangles, or the status, at each pose of a motion of B.

use super::{Intersect, add_kinds, placed, read_surface};
use crate::console::Console;
use crate::failure::Failure;
use crate::output::{self, Target};
use crate::times::Times;
use std::path::PathBuf;
use tangere::closest::{
    PoseIntersection, SurfaceStatus, TriangleTree, intersections_at_poses, surface_statuses,
};
use tangere_front::answer::{Format, Summary, Table};
use tangere_front::answers::intersect::{POSE_INTERSECTION, STATUS};

/// File formats in which the rows of a motion are written.
const FORMATS: &[Format] = &[Format::Npy, Format::Csv];

/// Reads two surfaces and the poses of the second one, finds the status and the intersecting triangles
/// at each pose, and writes them.
pub fn run(options: &Intersect, b: &PathBuf, console: &Console) -> Result<(), Failure> {
    if options.verify {
        let problem = "--verify takes one pose, not --poses";
        return Err(Failure::Input(problem.into()));
    }
    let (json, motion) = (options.common.json, &options.motion);
    let inputs = [&options.a, b].into_iter().chain(&motion.poses);
    let target = Target::new(options.out.as_deref(), FORMATS, json, inputs)?;
    let mut times = Times::default();
    let mesh_a = read_surface(&options.a, &mut times, console)?;
    let mesh_b = read_surface(b, &mut times, console)?;
    let poses_b = motion.read(None, &mut times, console)?;
    let mesh_a = placed(mesh_a, options.poses.pose_a.as_ref(), &options.a)?;
    let trees = || (TriangleTree::new(&mesh_a), TriangleTree::new(&mesh_b));
    let ((tree_a, tree_b), _) = console.timed("building trees", || times.set_up(trees));
    let (mut statuses, mut pairs): (Vec<SurfaceStatus>, Vec<PoseIntersection>) = Default::default();
    for _ in 0..options.common.repeat {
        let query = || {
            if !options.any {
                intersections_at_poses(&tree_a, &tree_b, &poses_b, &mut pairs)?;
            }
            surface_statuses(&tree_a, &tree_b, &poses_b, &mut statuses)
        };
        console.timed("finding pairs", || times.query(query)).0?;
    }
    let mut summary = Summary::default();
    summary.count("poses", poses_b.len());
    if !options.any {
        add_kinds(&mut summary, pairs.iter().map(|found| found.pair.kind));
    }
    let names = SurfaceStatus::name;
    summary.tally(
        "status",
        &SurfaceStatus::ALL,
        names,
        statuses.iter().copied(),
    );
    // As for one pose.
    times.add_to(&mut summary);
    let [read, setup, query] = times.seconds();
    summary
        .member("seconds", query)
        .member("seconds_read", read)
        .member("seconds_setup", setup);
    if let Some(target) = &target {
        match options.any {
            true => target.write_rows(&Table::new(STATUS, &statuses), console)?,
            false => target.write_rows(&Table::new(POSE_INTERSECTION, &pairs), console)?,
        }
    }
    let head = format!("{} and {}", options.a.display(), b.display());
    output::report(&summary, &head, json, target.as_ref(), console)
}
