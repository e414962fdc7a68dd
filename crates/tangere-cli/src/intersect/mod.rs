//! `tangere intersect`: intersecting triangles of two meshes, or of one with itself.

mod draw;
mod motion;
mod verify;

use crate::common_options::{CommonOptions, Motion, Poses};
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::output::{self, Target};
use crate::times::Times;
use clap::Args;
use std::path::{Path, PathBuf};
use tangere::closest::{SurfaceStatus, TriangleTree, check_resolved};
use tangere::geometry::{IntersectionKind, Pose, Similarity};
use tangere::shape::TriMesh;
use tangere_front::answer::{Format, Summary, Table};
use tangere_front::answers::intersect::INTERSECTION;

/// File formats in which pairs of intersecting triangles are written.
const FORMATS: &[Format] = &[Format::Npy, Format::Csv, Format::Vtp];

const EXAMPLES: &str = "\
Examples:
  tangere generate knot --triangles 20000 -o knot.stl
  tangere intersect knot.stl knot.stl --pose-b 0.1,0.2,0.3,0.8,0,0,0.6
  tangere intersect part.stl tool.stl --pose-b 0,0,1 --json | jq .crossing
  tangere intersect part.stl tool.stl -o where.vtp
  tangere intersect part.stl tool.stl --any
  tangere intersect part.stl tool.stl --poses motion.csv --any -o status.csv
  tangere intersect scan.ply --self -o pairs.npy

Reports all pairs of a triangle of A and one of B that have a common point, decided exactly for \
the coordinates after the poses. Pairs are crossing where the triangles go through each other, \
touching where no point is in the interior of both (a corner or an edge of one lies on the other, \
or one has no area), coplanar where they lie over each other in one plane.

The status is separated, touching, intersecting, a_inside_b or b_inside_a: closed meshes intersect \
also where one lies inside the other; open meshes enclose nothing. --any reports the status alone.

--poses takes a motion of B. -o then has a row for each pose and pair (NPY, a structured array, or \
CSV: pose, a, b, kind), with --any a row for each pose (intersecting, status, in CSV the pose).

With --self there is no B: reports pairs of triangles of A that have a common point but no common \
vertex. Neighbours are left out.

-o has rows of two face numbers (NPY, uint32; CSV with the kind as well), or the triangles that \
meet, where the poses put them (VTP), with their surface, their face, how many they meet, the \
first of these, and the least kind: 0 crossing, 1 touching, 2 coplanar.

A pose is a translation, and a unit quaternion if the body is turned: tx,ty,tz[,qw,qx,qy,qz].

--json has pairs, crossing, touching, coplanar, intersecting and status (with --any the last two \
alone), seconds of the query, seconds_read and seconds_setup; with --verify also how many faces of A \
were compared with every face of B (at each pose). Along a motion it has poses, statuses with that of each pose, \
and status counts the poses of each.";

/// Mesh intersection: triangles of two surfaces that cross or touch
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Intersect {
    /// The first surface: STL, OBJ, PLY, OFF, VTK, VTP, VTU, MSH, MESH or INP
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The second surface
    #[arg(
        value_name = "B",
        required_unless_present = "itself",
        conflicts_with = "itself"
    )]
    b: Option<PathBuf>,
    /// Find self-intersections of A
    #[arg(long = "self", conflicts_with_all = ["pose_a", "pose_b", "any", "poses"])]
    itself: bool,
    #[command(flatten)]
    poses: Poses,
    #[command(flatten)]
    motion: Motion,
    /// Only report whether the meshes intersect, and how
    #[arg(long, conflicts_with = "verify")]
    any: bool,
    /// Compare with every pair of triangles, or with as many as a hundred million tests allow
    #[arg(long)]
    verify: bool,
    /// The file to write: .npy, .csv or .vtp, or - for CSV to standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    common: CommonOptions,
}

/// The surfaces A and B. The vertices of A are in world coordinates, those of B in the frame of B,
/// with the pose of B besides.
struct Surfaces {
    a: TriMesh,
    b: Option<TriMesh>,
    pose_b: Pose,
}

/// Reads surfaces, finds intersecting triangles, and writes them.
pub fn run(options: &Intersect, console: &Console) -> Result<(), Failure> {
    if let (Some(b), Some(_)) = (&options.b, &options.motion.poses) {
        return motion::run(options, b, console);
    }
    if options.any && options.out.is_some() {
        let problem = "--any writes a file only with --poses: a row for each pose";
        return Err(Failure::Input(problem.into()));
    }
    let inputs = [&options.a].into_iter().chain(&options.b);
    let target = Target::new(options.out.as_deref(), FORMATS, options.common.json, inputs)?;
    let mut times = Times::default();
    let mut read = |path: &PathBuf| read_surface(path, &mut times, console);
    let surfaces = Surfaces {
        a: placed(read(&options.a)?, options.poses.pose_a.as_ref(), &options.a)?,
        b: options.b.as_ref().map(read).transpose()?,
        pose_b: options.poses.pose_b.unwrap_or_default(),
    };
    if let (Some(b), Some(path)) = (&surfaces.b, &options.b) {
        check_pose(b, &surfaces.pose_b, path)?;
    }
    let trees = || {
        let tree_b = surfaces.b.as_ref().map(TriangleTree::new);
        (TriangleTree::new(&surfaces.a), tree_b)
    };
    let ((tree_a, tree_b), _) = console.timed("building trees", || times.set_up(trees));
    let mut pairs = Vec::new();
    let mut status = None;
    for _ in 0..options.common.repeat {
        let query = || match &tree_b {
            None => tree_a.self_intersections(&mut pairs),
            Some(tree_b) if options.any => {
                status = Some(tree_a.status(tree_b, &surfaces.pose_b));
                Ok(())
            }
            Some(tree_b) => tree_a.intersections(tree_b, &surfaces.pose_b, &mut pairs),
        };
        console.timed("finding pairs", || times.query(query)).0?;
    }
    let mut summary = Summary::default();
    if !options.any {
        add_kinds(&mut summary, pairs.iter().map(|pair| pair.kind));
        let of_pairs = |tree_b| tree_a.status(tree_b, &surfaces.pose_b);
        status = tree_b.as_ref().map(of_pairs);
    }
    if let Some(status) = status {
        summary
            .flag("intersecting", status != SurfaceStatus::Separated)
            .word("status", status.name());
    }
    // For compatibility `seconds` contains the query alone.
    times.add_to(&mut summary);
    let [read, setup, query] = times.seconds();
    summary
        .member("seconds", query)
        .member("seconds_read", read)
        .member("seconds_setup", setup);
    if options.verify {
        let b = surfaces.b.as_ref().map(|b| (b, &surfaces.pose_b));
        let compared = || verify::pairs(&surfaces.a, b, 1, pairs.iter().copied());
        let (sample, _) = console.timed("comparing", compared);
        let others = match options.b {
            Some(_) => "of A against every face of B",
            None => "of A against all others",
        };
        sample?.add_to(&mut summary, "verified_faces", ["face", "faces"], others);
    }
    if let Some(target) = &target {
        let table = Table::new(INTERSECTION, &pairs);
        let drawn = || draw::drawn(&surfaces, &pairs);
        target.write_drawn(&table, drawn, console)?;
    }
    let a = options.a.display();
    let head = match &options.b {
        Some(b) => format!("{a} and {}", b.display()),
        None => format!("{a} and itself"),
    };
    let json = options.common.json;
    output::report(&summary, &head, json, target.as_ref(), console)
}

/// Adds the number of pairs of intersecting triangles to the summary, and the number of each kind.
fn add_kinds(summary: &mut Summary, kinds: impl Iterator<Item = IntersectionKind> + Clone) {
    summary.count("pairs", kinds.clone().count());
    for kind in IntersectionKind::ALL {
        summary.count(kind.name(), kinds.clone().filter(|k| *k == kind).count());
    }
}

/// Reads one of the surfaces.
pub fn read_surface(path: &Path, times: &mut Times, console: &Console) -> Result<TriMesh, Failure> {
    let expected = "a surface: STL, OBJ, PLY, OFF, VTK, VTP, VTU, MSH, MESH or INP";
    files::read_surface(path, None, expected, times, console)
}

/// Returns the surface transformed by its pose. It is an error if coordinates become too large.
pub fn placed(mesh: TriMesh, pose: Option<&Pose>, path: &Path) -> Result<TriMesh, Failure> {
    let Some(&pose) = pose else {
        return Ok(mesh);
    };
    check_pose(&mesh, &pose, path)?;
    mesh.transformed(&Similarity::from(pose))
        .map_err(|error| Failure::of_file(&path.display().to_string(), &error))
}

/// Returns an error if a pose rounds a mesh flat.
fn check_pose(mesh: &TriMesh, pose: &Pose, path: &Path) -> Result<(), Failure> {
    check_resolved(&mesh.bounds(), pose)
        .map_err(|error| Failure::of_file(&path.display().to_string(), &error))
}
