//! `tangere overlap`: penetration volume.

mod draw;
mod exact;
mod input;
mod verify;

use crate::arguments::{chosen, number, numbers, whole};
use crate::common_options::{CommonOptions, Motion, Poses};
use crate::console::Console;
use crate::failure::Failure;
use crate::output::{self, Target};
use crate::times::Times;
use clap::Args;
use std::path::PathBuf;
use tangere::geometry::{COORDINATE_MAX, Pose};
use tangere::overlap::{Budget, Method, Overlap, OverlapQuery, OverlapSettings};
use tangere::shape::Packing;
use tangere_front::answer::{Format, Summary, Table};
use tangere_front::answers::overlap::OVERLAP;
use tangere_front::inputs::overlap;
use tangere_front::text;

/// File formats in which penetration volumes are written.
const FORMATS: &[Format] = &[Format::Npy, Format::Csv, Format::Json, Format::Vtp];

/// Filled fraction of the volume of a body below which the summary calls its sphere packing rough.
/// Penetration volumes are then off by more than a few percent.
const ROUGH: f64 = 0.6;

const EXAMPLES: &str = "\
Examples:
  tangere overlap part.stl tool.stl --pose-b 0.5,0,0 --spheres 20000
  tangere pack part.stl --spheres 20000 -o a.npy
  tangere overlap a.npy b.npy --pose-b 0.5,0,0
  tangere overlap a.npy b.npy --pose-b 0.5,0,0,0.8,0,0,0.6 --verify --json
  tangere overlap a.npy b.npy --pose-b 0.5,0,0 -o lenses.vtp
  tangere overlap a.npy b.npy --poses motion.csv -o forces.csv
  tangere overlap a.npy b.npy --pose-b 0.5,0,0 --budget-us 100 --json
  tangere overlap part.stl tool.stl --pose-b 0.5,0,0 --exact

A and B are sphere packings: spheres that do not overlap, with a record of the bodies they fill \
(NPY: an array of rows x, y, z, radius, then one of the record; VTP; CSV without the latter). \
Or they are closed surfaces (STL, OBJ, PLY, OFF, VTK, VTP, VTU, MSH, MESH, INP), which are packed \
with --spheres first; `tangere pack` keeps a packing for the next time.

A pose is a translation, and a unit quaternion if the body is turned: tx,ty,tz[,qw,qx,qy,qz].

Methods djb2, perfect-hash and morton are those of weller2014, to check the paper or to teach: its \
spatial hash, a perfect hash for rigid bodies, and Morton order with closed hashing. auto never picks \
them.

The volume that the bodies share lies between lower and upper: lower is what the spheres share, \
volume also estimates what they leave unfilled. The force on B is the sum over pairs of spheres of \
the volume they share, along the line of their centres from A to B; the torque is about the origin \
of B's frame or the point given by --about. The centroid is that of the volume that spheres share, \
the normal the direction of the force; where there is none they are null in JSON and nan in \
tables.

A budget ends the search of each pose early: large spheres come first, and lower and upper still \
hold. Then JSON has whether all pairs were searched (complete), how many spheres of A and B were \
(spheres), and the work it took; with --budget-work answers are the same every time.

--poses reads a pose of B from every row of a file: rows of 3 or 7 numbers (CSV, NPY) or matrices, \
an NPY array of shape (N, 4, 4); names of columns (tx, ty, tz, qw, qx, qy, qz) give another order. \
-o has a row for each (.npy: a structured array; .csv, with the number of the pose; .json; .vtp: the path of B's origin with the \
forces on it). Of one pose .vtp has the spheres that overlap and a line for each pair, with the \
volumes.

--exact integrates the volume that two closed surfaces share, exact up to rounding, without \
spheres; it has no force and no bounds (-o: .npy, .csv or .json).

--verify compares every sphere with every other and adds up the volumes anew; of a motion \
as many poses as a thousand million tests allow.";

/// Penetration volume: shared volume, force and torque of two bodies
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct OverlapOptions {
    /// The first body: a packing of spheres, or the closed surface of a body
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The second body
    #[arg(value_name = "B")]
    b: PathBuf,
    #[command(flatten)]
    poses: Poses,
    #[command(flatten)]
    motion: Motion,
    /// The search for pairs of spheres; the pairs do not depend on it
    #[arg(long, value_name = "METHOD", default_value_t = Method::Auto, 
          value_parser = chosen(Method::ALL, Method::name))]
    method: Method,
    /// The point that torques are about [default: the origin of B's frame]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    about: Option<[f64; 3]>,
    /// Stop after this many microseconds, with bounds of the rest; large spheres come first
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = number,
          conflicts_with = "budget_work")]
    budget_us: Option<f64>,
    /// Stop after this much work, with the same answer every time
    #[arg(long, value_name = "W", allow_hyphen_values = true,
          value_parser = |text: &str| whole::<u64>(text, 1, u64::MAX))]
    budget_work: Option<u64>,
    /// The number of spheres to pack into surfaces [default: 4000]
    #[arg(long, value_name = "N", allow_hyphen_values = true,
          value_parser = |text: &str| whole::<usize>(text, 1, 1 << 31))]
    spheres: Option<usize>,
    /// Compare with every pair of spheres
    #[arg(long)]
    verify: bool,
    /// Compute the exact volume of the intersection of two surfaces, without spheres and force
    #[arg(long, conflicts_with_all = ["method", "about", "budget_us", "budget_work", "spheres", "verify"])]
    exact: bool,
    /// The file to write: .npy, .csv, .json or .vtp, or - for CSV to standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    common: CommonOptions,
}

fn point(text: &str) -> Result<[f64; 3], String> {
    let point = numbers::<3>(text)?;
    match point.iter().all(|x| x.abs() <= COORDINATE_MAX) {
        true => Ok(point),
        false => Err("expected 3 numbers of magnitude at most 1.6e60".into()),
    }
}

/// Two sphere packings and their poses.
struct Bodies {
    a: Packing,
    b: Packing,
    pose_a: Pose,
    /// The poses of the second body: one, or one for each step of its motion.
    poses_b: Vec<Pose>,
}

/// Reads two bodies, packs those given as surfaces, finds their penetration volume, and writes it.
pub fn run(options: &OverlapOptions, console: &Console) -> Result<(), Failure> {
    if options.exact {
        return exact::run(options, console);
    }
    let inputs = [&options.a, &options.b]
        .into_iter()
        .chain(&options.motion.poses);
    let target = Target::new(options.out.as_deref(), FORMATS, options.common.json, inputs)?;
    let budget = overlap::budget(options.budget_us, options.budget_work, options.method)
        .map_err(Failure::option)?;
    let mut times = Times::default();
    let [a, b] = input::read(options, &mut times, console)?;
    let poses_b = (options.motion).read(options.poses.pose_b, &mut times, console)?;
    let bodies = Bodies {
        a,
        b,
        pose_a: options.poses.pose_a.unwrap_or_default(),
        poses_b,
    };
    let mut query = OverlapQuery::new(OverlapSettings {
        method: options.method,
        about: options.about,
    })?;
    let mut found = Vec::with_capacity(bodies.poses_b.len());
    for _ in 0..options.common.repeat {
        console.timed("querying", || {
            times.query(|| search(&mut query, &bodies, budget, &mut found));
        });
    }
    let verified = match options.verify {
        false => None,
        true => {
            let (compared, _) =
                console.timed("comparing", || verify::all(&bodies, &mut query, &found));
            Some(compared?)
        }
    };
    let table = Table::new(OVERLAP, &found).numbered(options.motion.column());
    let hidden: &[&str] = match budget {
        None => &["work", "complete", "spheres"],
        Some(_) => &[],
    };
    let shown = Table::new(OVERLAP, &found).without(hidden);
    let mut summary = Summary::default();
    summary.line("a", described(&bodies.a));
    summary.line("b", described(&bodies.b));
    match options.motion.poses {
        None => {
            summary.row(&shown.columns, &found[0]);
            times.add_to(&mut summary);
        }
        Some(_) => {
            of_path(&found, budget.is_some(), &mut summary);
            times.add_to(&mut summary);
            let [.., query] = times.seconds();
            let each = query / found.len() as f64;
            summary.line("query, each", text::seconds(each));
        }
    }
    if let Some(compared) = verified {
        let poses = text::counted(compared, "pose", "poses");
        summary.member("verified", true);
        match options.motion.poses {
            None => summary.line("verified", "equal to every pair of spheres"),
            Some(_) => summary.both(
                "verified_poses",
                compared,
                "verified",
                format!("equal to every pair of spheres, at {poses}"),
            ),
        };
    }
    if let Some(target) = &target {
        let object = || match options.motion.poses {
            None => summary.json(),
            Some(_) => summary.clone().member("overlaps", shown.json()).json(),
        };
        let drawn = || match options.motion.poses {
            None => draw::pose(&bodies, &mut query),
            Some(_) => draw::path(&bodies, &table),
        };
        target.write(&table, object, drawn, console)?;
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

/// Adds totals over the answers at all poses to the summary. The names of the entries do not change
/// between versions.
fn of_path(found: &[Overlap], has_budget: bool, summary: &mut Summary) {
    let mut methods: Vec<&str> = Vec::new();
    for answer in found {
        if !methods.contains(&answer.method.name()) {
            methods.push(answer.method.name());
        }
    }
    let overlapping = found.iter().filter(|answer| answer.pairs > 0).count();
    summary
        .count("poses", found.len())
        .count("overlapping", overlapping)
        .span("volume", found.iter().map(|answer| answer.volume), false)
        .count("pairs", found.iter().map(|answer| answer.pairs).sum())
        .word("method", &methods.join(", "));
    if has_budget {
        summary.count("complete", found.iter().filter(|o| o.complete).count());
    }
}

/// Describes a sphere packing in a few words.
fn described(packing: &Packing) -> String {
    let spheres = text::counted(packing.len(), "sphere", "spheres");
    if packing.record().is_empty() {
        return spheres;
    }
    let filling = packing.filling();
    let rough = match filling < ROUGH {
        true => ", a rough estimate: pack more",
        false => "",
    };
    format!("{spheres}, {:.1}% of the body{rough}", 100.0 * filling)
}

/// Computes the penetration volume at every pose of the second body.
fn search(
    query: &mut OverlapQuery,
    bodies: &Bodies,
    budget: Option<Budget>,
    found: &mut Vec<Overlap>,
) {
    let (a, pose_a, b) = (&bodies.a, &bodies.pose_a, &bodies.b);
    found.clear();
    found.extend(bodies.poses_b.iter().map(|pose_b| match budget {
        None => query.overlap(a, pose_a, b, pose_b),
        Some(budget) => query.overlap_within(a, pose_a, b, pose_b, budget),
    }));
}
