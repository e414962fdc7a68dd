//! `tangere intersect`: where do surfaces go through each other?

mod output;
mod verify;

use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::info::extend;
use crate::question::{Manner, Poses, Sample, Times};
use clap::Args;
use output::IntersectionFormat;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tangere::closest::{Intersection, TriangleTree};
use tangere::geometry::{IntersectionKind, Pose, Similarity};
use tangere::shape::TriMesh;
use tangere_front::text;

const EXAMPLES: &str = "\
Examples:
  tangere generate knot --triangles 20000 -o knot.stl
  tangere intersect knot.stl knot.stl --pose-b 0.1,0.2,0.3,0.8,0,0,0.6
  tangere intersect part.stl tool.stl --pose-b 0,0,1 --json | jq .crossing
  tangere intersect part.stl tool.stl -o where.vtp
  tangere intersect part.stl tool.stl --any
  tangere intersect scan.ply --self -o pairs.npy

Told are all pairs of a triangle of A and one of B that have a common point, decided exactly for
the coordinates after the poses. Pairs are crossing where the triangles go through each other,
touching where no point is in the interior of both (a corner or an edge of one lies on the other,
or one has no area), coplanar where they lie over each other in one plane.

With --self there is no B: pairs of triangles of A are told that have a common point although
they name no common vertex. Neighbours are left out.

Written are rows of two face numbers (NPY, uint32; CSV with the kind as well), or the triangles
that meet, where the poses put them (VTP), with their surface, their face, how many they meet, the
first of these, and the least kind: 0 crossing, 1 touching, 2 coplanar.

A pose is a translation, and a unit quaternion if the body is turned: tx,ty,tz[,qw,qx,qy,qz].

--json has pairs, crossing, touching, coplanar (with --any intersecting alone), seconds of the
query, seconds_read and seconds_setup; with --verify also how many faces of A were compared with
every face of B.";

/// Tell which triangles of two surfaces go through each other or touch
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
    /// Tell where A goes through itself
    #[arg(long = "self", conflicts_with_all = ["pose_a", "pose_b", "any"])]
    itself: bool,
    #[command(flatten)]
    poses: Poses,
    /// Only find out whether there is a pair
    #[arg(long, conflicts_with_all = ["out", "verify"])]
    any: bool,
    /// Compare with every pair of triangles, or with as many as a hundred million looks allow
    #[arg(long)]
    verify: bool,
    /// The file to write: .npy, .csv or .vtp
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    manner: Manner,
}

/// The surfaces, A where its pose puts it, B before its pose moves it.
struct Surfaces {
    a: TriMesh,
    b: Option<TriMesh>,
    pose_b: Pose,
}

/// Reads, asks, and writes.
pub fn run(options: &Intersect, console: &Console) -> Result<(), Failure> {
    let format = match &options.out {
        Some(path) => Some(IntersectionFormat::of_path(path)?),
        None => None,
    };
    if let Some(out) = &options.out {
        let mut inputs = [Some(&options.a), options.b.as_ref()].into_iter().flatten();
        inputs.try_for_each(|input| files::check_other(out, input))?;
    }
    let (a, mut read) = read_surface(&options.a, console)?;
    let b = match &options.b {
        None => None,
        Some(path) => {
            let (b, seconds) = read_surface(path, console)?;
            read += seconds;
            Some(b)
        }
    };
    let surfaces = Surfaces {
        a: placed(a, options.poses.pose_a.as_ref(), &options.a)?,
        b,
        pose_b: options.poses.pose_b.unwrap_or_default(),
    };
    let ((tree_a, tree_b), setup) = console.timed("building trees", || {
        (
            TriangleTree::new(&surfaces.a),
            surfaces.b.as_ref().map(TriangleTree::new),
        )
    });
    let mut pairs = Vec::new();
    let mut any = false;
    let mut query = f64::INFINITY;
    for _ in 0..options.manner.repeat {
        let (seconds, _) = console.timed("looking for pairs", || {
            let start = Instant::now();
            match &tree_b {
                None => tree_a.self_intersections(&mut pairs),
                Some(tree_b) if options.any => any = tree_a.intersects(tree_b, &surfaces.pose_b),
                Some(tree_b) => tree_a.intersections(tree_b, &surfaces.pose_b, &mut pairs),
            }
            start.elapsed().as_secs_f64()
        });
        query = query.min(seconds);
    }
    let times = Times { read, setup, query };
    if options.any {
        return tell_any(options, any, &times, console);
    }
    let mut verified = None;
    if options.verify {
        let (same, _) = console.timed("comparing", || verify::pairs(&surfaces, &pairs));
        verified = Some(same?);
    }
    if let (Some(path), Some(format)) = (&options.out, format) {
        let what = format!("writing {}", path.display());
        let (written, _) = console.timed(&what, || output::write(path, format, &surfaces, &pairs));
        written.map_err(Failure::writing)?;
    }
    tell(options, &pairs, &times, verified, console)
}

/// Reads a surface; gives the seconds it took as well.
pub fn read_surface(path: &Path, console: &Console) -> Result<(TriMesh, f64), Failure> {
    let expected = "a surface: STL, OBJ, PLY, OFF, VTK, VTP, VTU, MSH, MESH or INP";
    files::read_surface(path, None, expected, console)
}

/// The surface where its pose puts it, or why it cannot be there.
pub fn placed(mesh: TriMesh, pose: Option<&Pose>, path: &Path) -> Result<TriMesh, Failure> {
    match pose {
        None => Ok(mesh),
        Some(&pose) => mesh
            .transformed(&Similarity::from(pose))
            .map_err(|error| Failure::Input(format!("{}: {error}", path.display()))),
    }
}

fn title(options: &Intersect) -> String {
    let a = options.a.display();
    match &options.b {
        Some(b) => format!("{a} and {}\n", b.display()),
        None => format!("{a} and itself\n"),
    }
}

/// As JSON has them: the query alone has the plain name, as it always had.
fn seconds(times: &Times) -> Value {
    json!({
        "seconds": times.query,
        "seconds_read": times.read,
        "seconds_setup": times.setup,
    })
}

fn tell_any(
    options: &Intersect,
    any: bool,
    times: &Times,
    console: &Console,
) -> Result<(), Failure> {
    if options.manner.json {
        let mut object = json!({ "intersecting": any });
        extend(&mut object, seconds(times));
        return console.print_json(&object);
    }
    let found = if any { "yes" } else { "no" };
    let mut rows = vec![("intersecting", found.to_owned())];
    rows.extend(times.rows());
    console.print(title(options) + &text::two_columns(&rows))
}

fn tell(
    options: &Intersect,
    pairs: &[Intersection],
    times: &Times,
    verified: Option<Sample>,
    console: &Console,
) -> Result<(), Failure> {
    let of = |kind: IntersectionKind| pairs.iter().filter(|pair| pair.kind == kind).count();
    if options.manner.json {
        let mut object = json!({
            "pairs": pairs.len(),
            "crossing": of(IntersectionKind::Crossing),
            "touching": of(IntersectionKind::Touching),
            "coplanar": of(IntersectionKind::Coplanar),
        });
        extend(&mut object, seconds(times));
        if let Some(sample) = verified {
            let told = json!({ "verified": true, "verified_faces": sample.len() });
            extend(&mut object, told);
        }
        return console.print_json(&object);
    }
    let mut rows = vec![("pairs", text::count(pairs.len() as u64))];
    for kind in IntersectionKind::ALL {
        rows.push((kind.name(), text::count(of(kind) as u64)));
    }
    rows.extend(times.rows());
    if let Some(sample) = verified {
        let faces = sample.text("face", "faces");
        let others = match options.b {
            Some(_) => "every face of B",
            None => "all others",
        };
        rows.push(("verified", format!("{faces} of A against {others}")));
    }
    console.print(title(options) + &text::two_columns(&rows))
}
