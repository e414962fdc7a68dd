//! Intersecting triangles, or the status, at each pose of a motion of B.

use super::{Intersect, add_kinds, placed, read_surface, verify};
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
    let each: Vec<&str> = statuses.iter().map(|status| status.name()).collect();
    summary.member("statuses", each);
    // As for one pose.
    times.add_to(&mut summary);
    let [read, setup, query] = times.seconds();
    summary
        .member("seconds", query)
        .member("seconds_read", read)
        .member("seconds_setup", setup);
    if options.verify {
        let compared = || {
            let mut rest = &pairs[..];
            let mut sample = None;
            for (k, pose) in poses_b.iter().enumerate() {
                let count = rest.partition_point(|found| found.pose as usize <= k);
                let (here, later) = rest.split_at(count);
                rest = later;
                let here = here.iter().map(|found| found.pair);
                let b = Some((&mesh_b, pose));
                sample = Some(verify::pairs(&mesh_a, b, poses_b.len(), here)?);
            }
            Ok::<_, Failure>(sample)
        };
        if let Some(sample) = console.timed("comparing", compared).0? {
            let others = "of A against every face of B at each pose";
            sample.add_to(&mut summary, "verified_faces", ["face", "faces"], others);
        }
    }
    if let Some(target) = &target {
        match options.any {
            true => {
                let table = Table::new(STATUS, &statuses).numbered(motion.column());
                target.write_rows(&table, console)?;
            }
            false => target.write_rows(&Table::new(POSE_INTERSECTION, &pairs), console)?,
        }
    }
    let head = format!("{} and {}", options.a.display(), b.display());
    output::report(&summary, &head, json, target.as_ref(), console)
}
