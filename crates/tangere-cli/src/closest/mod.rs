//! `tangere closest`: how far apart, and how deep?

mod input;
mod motion;
mod output;
mod points;
mod surfaces;
mod told;

use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::question::{Manner, Poses, Times};
use clap::Args;
use output::ContactFormat;
use points::PointOptions;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tangere::closest::{Patch, Tracker, certificate};
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;
use told::Answer;

const EXAMPLES: &str = "\
Examples:
  tangere generate hull --faces 100 -o grain.stl
  tangere closest grain.stl grain.stl --convex --pose-b 2.5,0,0
  tangere closest grain.stl grain.stl --convex --pose-b 1.5,0,0,0.8,0,0,0.6 --verify --json
  tangere closest grain.stl points.csv --convex -o contacts.vtp
  tangere closest grain.stl grain.stl --convex --poses-b motion.csv -o contacts.csv
  tangere closest body.stl --points points.csv -o closest.npy
  tangere closest part.msh --points nodes.csv --within 0.01 -o near.csv
  sample-points | tangere closest part.inp --surface TOP --points - -o - | plot
  tangere closest part.stl tool.stl --pose-b 0,0,10 --json

Without --convex bodies are surfaces: told are their least distance, the two points and the faces
they are on; it is 0 if the surfaces have a common point, which is decided exactly. What they
enclose does not count: a surface within another has a distance from it. --verify compares with
every pair of triangles, or with as many as a hundred million looks allow.

With --convex each body is the convex hull of all points of its file: the vertices of a surface
(STL, OBJ, PLY, OFF, VTK) or the points of a cloud (CSV, NPY, VTP, VTU); hulls are exact. Points
that are all equal are a point, those of a line a segment, those of a plane a flat polygon.
--faces takes surfaces as they are instead and refuses those that are not convex, naming an edge.
Features have the numbers of the hull: its vertices are in the order of the points.

A pose is a translation, and a unit quaternion if the body is turned: tx,ty,tz[,qw,qx,qy,qz].

The gap is the distance, or minus the depth: the least way by which B must be moved, along
the normal from A to B, for both only to touch. It lies between lower and upper. The patch has the
corners of what touches where faces or edges lie on each other. --verify proves the answer with a
checker that shares nothing with the search: planes across the normal, the points, the Voronoi
regions of the features, and for bodies that penetrate a ball within their difference.

With --points the nearest point of a surface is found for each point. Files of finite elements (MSH,
MESH, INP, VTK, VTU) are read as their faces, curved ones as they are, and each answer has its
coordinates xi, the normal, and a status: proven, bracketed (ended before that), or folded (a face
whose Jacobian is not positive, or without area). Other files are surfaces of triangles, and
answers have face, point, distance and gap. The gap is negative inside; of an open surface of triangles
it has no sign, of open faces that of the side of the normal, as contact needs it. Written is a row
for each point (.npy: a structured array; .csv; .vtp: lines from each point to its nearest), with
--within a row for each pair of a point and a face; --max-pairs refuses more pairs than memory is
wanted for. --verify looks at every face from every point, or from as many as a hundred million
looks allow.

--json has seconds: {read, setup, query} in all of these.";

/// Tell how far apart two bodies are, or how deep in each other
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
    /// Take surfaces as they are, and refuse those that are not convex
    #[arg(long, requires = "convex")]
    faces: bool,
    #[command(flatten)]
    poses: Poses,
    /// Where B is at every step of a motion: a table with rows of 3 or 7 numbers (CSV, NPY)
    #[arg(long, value_name = "FILE", conflicts_with = "pose_b")]
    poses_b: Option<PathBuf>,
    /// Prove every answer
    #[arg(long)]
    verify: bool,
    /// The file to write: .vtp or .json; of a motion .csv as well; of points .npy, .csv, .vtp or -
    /// for CSV to standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    manner: Manner,
    #[command(flatten)]
    asked: PointOptions,
}

/// The bodies and where they are.
pub struct Bodies {
    pub a: ConvexPolyhedron,
    pub b: ConvexPolyhedron,
    pub pose_a: Pose,
    /// One, or one for each step of a motion.
    pub poses_b: Vec<Pose>,
}

impl Closest {
    /// The second body; the parser has seen to it that there is one.
    fn second(&self) -> &Path {
        self.b.as_deref().unwrap_or(Path::new(""))
    }
}

/// Reads, asks, and writes.
pub fn run(options: &Closest, console: &Console) -> Result<(), Failure> {
    if let Some(points) = &options.asked.points {
        return points::run(options, points, console);
    }
    if !options.convex {
        return surfaces::run(options, options.second(), console);
    }
    let moves = options.poses_b.is_some();
    let format = match &options.out {
        Some(path) => Some(ContactFormat::of_path(path, moves)?),
        None => None,
    };
    let inputs = [
        Some(options.a.as_path()),
        Some(options.second()),
        options.poses_b.as_deref(),
    ];
    if let Some(out) = &options.out {
        let mut inputs = inputs.into_iter().flatten();
        inputs.try_for_each(|input| files::check_other(out, input))?;
    }
    let given = [options.a.as_path(), options.second()].map(|path| {
        let what = format!("reading {}", path.display());
        console.timed(&what, || input::read(path, options.faces))
    });
    let [(given_a, read_a), (given_b, read_b)] = given;
    let mut read = read_a + read_b;
    let (given_a, given_b) = (given_a?, given_b?);
    let poses_b = match &options.poses_b {
        None => vec![options.poses.pose_b.unwrap_or_default()],
        Some(path) => {
            let what = format!("reading {}", path.display());
            let (poses, seconds) = console.timed(&what, || tangere_io::read_poses(path));
            read += seconds;
            poses.map_err(Failure::reading)?
        }
    };
    let (mut setup, mut query) = (f64::INFINITY, f64::INFINITY);
    let mut answer = None;
    for _ in 0..options.manner.repeat {
        let start = Instant::now();
        let [a, b] = [given_a.body(&options.a)?, given_b.body(options.second())?];
        setup = setup.min(start.elapsed().as_secs_f64());
        let bodies = Bodies {
            a,
            b,
            pose_a: options.poses.pose_a.unwrap_or_default(),
            poses_b: poses_b.clone(),
        };
        let mut tracker = Tracker::new();
        let mut contacts = Vec::with_capacity(bodies.poses_b.len());
        let (seconds, _) = console.timed("asking", || {
            let start = Instant::now();
            contacts.extend(
                bodies
                    .poses_b
                    .iter()
                    .map(|pose_b| tracker.contact(&bodies.a, &bodies.pose_a, &bodies.b, pose_b)),
            );
            start.elapsed().as_secs_f64()
        });
        query = query.min(seconds);
        answer = Some((bodies, contacts, tracker.counts()));
    }
    let Some((bodies, contacts, counts)) = answer else {
        return Ok(());
    };
    if options.verify {
        let (proven, _) = console.timed("proving", || verify(&bodies, &contacts));
        proven?;
    }
    let times = Times { read, setup, query };
    if moves {
        return motion::tell(options, &bodies, &contacts, counts, &times, format, console);
    }
    let mut patch = Patch::new();
    let (contact, pose_b) = (contacts[0], bodies.poses_b[0]);
    patch.update(&bodies.a, &bodies.pose_a, &bodies.b, &pose_b, &contact);
    let answer = Answer {
        contact,
        patch: patch.points(),
        times,
        verified: options.verify,
    };
    if let (Some(path), Some(format)) = (&options.out, format) {
        let what = format!("writing {}", path.display());
        let (written, _) = console.timed(&what, || output::write(path, format, &answer));
        written.map_err(Failure::writing)?;
    }
    if options.manner.json {
        return console.print_json(&answer.json());
    }
    console.print(answer.text([&options.a, options.second()], &bodies))
}

/// Proves all answers.
fn verify(bodies: &Bodies, contacts: &[tangere::contact::Contact]) -> Result<(), Failure> {
    let steps = bodies.poses_b.iter().zip(contacts).enumerate();
    for (i, (pose_b, contact)) in steps {
        certificate(&bodies.a, &bodies.pose_a, &bodies.b, pose_b, contact).map_err(
            |violation| {
                let place = match bodies.poses_b.len() {
                    1 => String::new(),
                    _ => format!("pose {i}: "),
                };
                Failure::Work(format!("{place}{violation}"))
            },
        )?;
    }
    Ok(())
}
