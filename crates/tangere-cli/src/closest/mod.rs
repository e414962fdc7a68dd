//! `tangere closest`: distance and penetration depth.

mod convex;
mod draw;
mod methods;
mod point_summary;
mod points;
mod surfaces;
mod verify;

use crate::arguments::chosen;
use crate::common_options::{CommonOptions, Motion, Poses};
use crate::console::Console;
use crate::failure::Failure;
use clap::Args;
use points::PointOptions;
use std::path::PathBuf;
use tangere::closest::Method;

const EXAMPLES: &str = "\
Examples:
  tangere generate hull --faces 100 -o grain.stl
  tangere closest grain.stl grain.stl --convex --pose-b 2.5,0,0
  tangere closest grain.stl grain.stl --convex --pose-b 1.5,0,0,0.8,0,0,0.6 --verify --json
  tangere closest grain.stl points.csv --convex -o contacts.vtp
  tangere closest grain.stl grain.stl --convex --poses motion.csv -o contacts.csv
  tangere closest grain.stl grain.stl --convex --poses motion.csv --method lin --json
  tangere closest body.stl --points points.csv -o closest.npy
  tangere closest part.msh --points nodes.csv --within 0.01 -o near.csv
  tangere closest part.msh --points nodes.csv --method bfgs-sqp --verify --json
  sample-points | tangere closest part.inp --surface TOP --points - -o - | plot
  tangere closest part.stl tool.stl --pose-b 0,0,10 --json

Without --convex bodies are surfaces: reports their least distance, the two points and the faces \
they are on; it is 0 if the surfaces have a common point, which is decided exactly. The status is \
separated, touching, intersecting, a_inside_b or b_inside_a. The gap is the distance, negative where \
one closed mesh lies inside the other; open meshes enclose nothing. --poses takes a motion of B: \
a row for each pose, whose number is the last column of CSV files. --verify compares with every pair of triangles, or with as many as a hundred \
million tests allow.

With --convex (GJK and EPA) each body is the convex hull of all points of its file: the vertices of \
a surface (STL, OBJ, PLY, OFF, VTK) or the points of a cloud (CSV, NPY, VTP, VTU). Hulls are exact \
and may be degenerate: a point, a segment or a flat polygon. \
--faces takes surfaces as they are instead and refuses those that are not convex, naming an edge. \
Features have the numbers of the hull: its vertices are in the order of the points.

A pose is a translation, and a unit quaternion if the body is turned: tx,ty,tz[,qw,qx,qy,qz].

The gap is the distance, or minus the penetration depth: the shortest translation of B, along the \
normal from A to B, that separates them. It lies between lower and upper. The contact patch \
has the corners of the area in contact where faces or edges lie on each other. --verify proves the \
answer with a checker that shares nothing with the search: planes across the normal, the points, \
the Voronoi regions of the features, and for penetrating bodies a ball within the Minkowski \
difference.

Method lin is Lin's walk as schinner1995 publishes it, to check the paper or to teach: from the \
features of the last pose to neighbours whose Voronoi regions the closest points lie in. It finds \
the same gaps and counts its iterations; where it is trapped, as in penetration, every pair of \
features is tested. auto never uses it.

With --points the nearest point of a surface is found for each point. Files of finite elements (MSH, \
MESH, INP, VTK, VTU) are read as their faces, curved ones as they are, and each answer has its \
coordinates xi, the normal, and a status: proven, bracketed (ended before that), or folded (a face \
whose Jacobian is not positive, or without area). Other files are surfaces of triangles, and \
answers have face, point, distance and gap. The gap is negative where `tangere inside` finds the \
point inside; it has no sign where triangles are an open surface; where faces are, it has the sign of \
the side of the normal, as contact needs. \
-o has a row for each point (.npy: a structured array; .csv; .vtp: lines from each point to its \
nearest; .vtu: the points with all columns as data), with --within a row for each pair of a point and a \
face; --max-pairs limits the pairs. \
--verify tests every point against every face, or as many points as a hundred million tests allow.

Method bfgs-sqp is the sequential quadratic programming with BFGS updates of aragon2013 as published, to \
check the paper or to teach. It finds the local minimum of each face that is near enough, from the \
nearest of the centre and the corners, with its number of iterations, and proves nothing: the status is \
bracketed. Triangles are taken as faces of three nodes. On curved faces a distance can be too large; \
--verify counts these points. auto never uses it.

--json always has seconds: {read, setup, query}.";

/// Distance and penetration depth: of two bodies, or of points and a surface
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Closest {
    /// The first body: a surface or points; with --points the surface MESH
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The second body
    #[arg(value_name = "B", required_unless_present = "points")]
    b: Option<PathBuf>,
    /// Take the convex hull of each body
    #[arg(long)]
    convex: bool,
    /// The method: auto; for --convex lin, Lin's walk; for --points bfgs-sqp, SQP on finite element
    /// faces; both as published
    #[arg(long, value_name = "METHOD", default_value_t = Method::Auto,
          value_parser = chosen(Method::ALL, Method::name),
          requires_ifs([("lin", "convex"), ("bfgs-sqp", "points")]))]
    method: Method,
    /// Take surfaces as they are, and refuse those that are not convex
    #[arg(long, requires = "convex")]
    faces: bool,
    #[command(flatten)]
    poses: Poses,
    #[command(flatten)]
    motion: Motion,
    /// Prove every answer
    #[arg(long)]
    verify: bool,
    /// The file to write: .npy, .csv, .vtp, of two bodies .json, of --points .vtu; - for CSV to
    /// standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    common: CommonOptions,
    #[command(flatten)]
    query: PointOptions,
}

/// Runs the query for points and a surface, two convex bodies, or two surfaces.
pub fn run(options: &Closest, console: &Console) -> Result<(), Failure> {
    // The parser does not require what conflicts with an option that is given.
    let expected = match (options.method, &options.query.points) {
        (Method::Lin, Some(_)) => Some("found --points, expected --convex"),
        (Method::BfgsSqp, None) => Some("found no --points, expected --points POINTS"),
        _ => None,
    };
    if let Some(expected) = expected {
        let message = format!("--method {}: {expected}", options.method);
        return Err(Failure::Input(message));
    }
    match (&options.query.points, &options.b) {
        (Some(points), _) => points::run(options, points, console),
        (None, Some(b)) if options.convex => convex::run(options, b, console),
        (None, Some(b)) => surfaces::run(options, b, console),
        // The parser requires either B or --points.
        (None, None) => Ok(()),
    }
}
