//! `tangere inside`: point containment.

mod answers;
mod bodies;
mod input;
mod summary;
mod verify;

use crate::arguments::{chosen, number, whole};
use crate::common_options::{CommonOptions, pose};
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::output;
use crate::query_points::{self, GridOptions, QueryPoints};
use crate::times::Times;
use answers::{Answers, Wanted};
use clap::Args;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use tangere::geometry::Pose;
use tangere::inside::{
    Inside as Test, InsideRule, InsideSettings, InsideTest, Method, MultipoleSettings,
    PublishedDepth,
};
use tangere_front::answer::{Format, Table};
use tangere_front::answers::inside::POINT_SIDE;
use tangere_front::inputs::with_published_expansions;
use tangere_io::ShapeFormat;

/// File formats in which the sides of points (inside, on the surface or outside) are written.
const FORMATS: &[Format] = &[
    Format::Npy,
    Format::Csv,
    Format::Vtp,
    Format::Vtu,
    Format::Vti,
];

const EXAMPLES: &str = "\
Examples:
  tangere inside body.stl points.npy -o sides.npy
  tangere inside body.stl --grid 80 --json
  tangere inside body.stl --grid 200,80,40 -o cells.vti
  tangere inside body.stl --spacing 0.1 --margin 1 -o cells.vti
  tangere inside body.ply other.stl -o nodes_of_other.csv
  tangere inside scan.obj points.csv --winding -o winding.npy
  tangere inside scan.obj points.csv --confidence -o sides_and_confidences.csv
  sample-points | tangere inside body.stl - -o - | plot
  tangere inside body.stl --grid 20 --method ray --repeat 5 --verify
  tangere inside body.stl other.stl --pose 0,0,1 --points-pose 1,0,0,0,1,0,0
  tangere inside a.stl --bodies b.stl c.stl --poses poses.csv -o nodes.csv
  tangere inside body.stl --grid 20 --method ray-plain --rule parity --json
  tangere inside body.stl --grid 20 --method multipole --degree 8 --depth pre-chosen --json
  tangere inside body.stl --grid 20 --method panel-clustering --degree 6 --separation 2 --json

POINTS has a row x, y, z for each point (CSV, NPY, VTP, VTU; in NPY particles x, y, z, r too), or is \
a surface or a cloud (STL, OBJ, PLY, OFF, VTK), whose vertices are taken. Sides are 1 inside, 0 on \
the surface, -1 outside, and exact for a closed, consistently oriented surface. For others the \
winding number decides (methods auto, layer, multipole and panel-clustering), and the confidence says how far it is \
from undecided.

Method ray-plain is the ray crossing of muth2006 as published, to check the paper or to teach: a \
segment from each point in a random direction, tested against every triangle. It finds the same \
sides; auto never picks it. --degree, --separation and --depth replace the adaptive trees of method \
multipole by those of the paper, for the same purpose. Method panel-clustering has Taylor expansions \
instead of spherical harmonics, which the paper names as a first choice.

Rules, by the winding number: nonzero, inside is where it is not 0, so shells that overlap are \
united and one turned inward within another is a cavity; parity, inside is where it is odd, so every \
shell turns inside into outside.

A pose is tx,ty,tz[,qw,qx,qy,qz]: rotation, then translation. With --bodies every node of every \
body is tested against every other near it: MESH is body 0. POSES (CSV, NPY) has a row for each \
body, 3 or 7 numbers, and as many again for each further step. -o has rows of step, body that is \
entered, other that enters it, node of the other, side.";

/// Point containment: whether points are inside a body, on its surface or outside
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Inside {
    /// The surface of the body: STL, OBJ, PLY, OFF, VTK, VTP, VTU, MSH, MESH or INP; - for
    /// standard input
    #[arg(value_name = "MESH")]
    mesh: PathBuf,
    /// The points, or a surface with its vertices; - for standard input, as CSV
    #[arg(value_name = "POINTS", conflicts_with = "cells")]
    points: Option<PathBuf>,
    /// The format of standard input
    #[arg(long, value_parser = files::format_parser())]
    format: Option<ShapeFormat>,
    #[command(flatten)]
    grid: GridOptions,
    /// Pose of the body
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, conflicts_with = "cells", value_parser = pose)]
    pose: Option<Pose>,
    /// Pose of the points
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, conflicts_with = "cells", value_parser = pose)]
    points_pose: Option<Pose>,
    /// Test the nodes of all bodies, these and MESH, against each other
    #[arg(long, value_name = "MESH", num_args = 1..,
          conflicts_with_all = ["points", "cells", "pose", "points_pose", "winding", "confidence", "verify"])]
    bodies: Vec<PathBuf>,
    /// Poses of the bodies, step by step
    #[arg(long, value_name = "POSES", requires = "bodies",
          conflicts_with_all = ["points", "cells"])]
    poses: Option<PathBuf>,
    /// The method; sides of a closed, consistently oriented surface do not depend on it
    #[arg(long, value_name = "METHOD", default_value_t = Method::Auto, 
          value_parser = chosen(Method::ALL, Method::name))]
    method: Method,
    /// The degree of all expansions of --method multipole, with the trees of muth2006, or of
    /// panel-clustering [default: log N for N triangles]
    #[arg(long, value_name = "P", allow_hyphen_values = true,
          value_parser = |text: &str| whole::<usize>(text, 1, MultipoleSettings::DEGREE_MAX as u64))]
    degree: Option<usize>,
    /// The separation of clusters of --method multipole, with the trees of muth2006, or of
    /// panel-clustering: the number d of its eq. (16), above 1 [default: 1.5]
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true)]
    separation: Option<f64>,
    /// The depth of the trees of muth2006 for --method multipole: well-chosen from triangles and
    /// points (WC), pre-chosen from triangles alone (PC), or a number of levels
    /// [default: pre-chosen if --degree or --separation is given; adaptive trees otherwise]
    #[arg(long, value_name = "DEPTH", allow_hyphen_values = true)]
    depth: Option<PublishedDepth>,
    /// What counts as inside where shells are nested or overlap
    #[arg(long, value_name = "RULE", default_value_t = InsideRule::Nonzero, 
          value_parser = chosen(InsideRule::ALL, InsideRule::name))]
    rule: InsideRule,
    /// The error bound of winding numbers, between 0 and 1
    #[arg(long, value_name = "E", default_value_t = 1e-6, value_parser = number,
          allow_hyphen_values = true)]
    accuracy: f64,
    /// Compute and write winding numbers
    #[arg(long)]
    winding: bool,
    /// Write how sure each side is, from 0 to 1
    #[arg(long, requires = "out")]
    confidence: bool,
    /// Let exact methods accept an open or inconsistently oriented surface, without guarantees: the
    /// confidence is 0 and the bound infinite (null in JSON)
    #[arg(long)]
    insist: bool,
    /// Compare with exact ray crossings of every triangle, of leaky surfaces with solid angles
    #[arg(long)]
    verify: bool,
    /// The file to write: .npy (int8, a value a point, of --grid with x fastest; with --winding or
    /// --confidence these, float64), .csv, .vtp or .vtu (points), .vti (the cells of --grid), - for
    /// CSV to standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    common: CommonOptions,
}

/// Reads a surface and points, classifies each point as inside, on the surface or outside, and
/// writes the result.
pub fn run(options: &Inside, console: &Console) -> Result<(), Failure> {
    let settings = InsideSettings {
        rule: options.rule,
        accuracy: options.accuracy,
        insist: options.insist,
        method: options.method,
        ..InsideSettings::default()
    }
    .checked()?;
    let settings =
        with_published_expansions(settings, options.degree, options.separation, options.depth)
            .map_err(Failure::option)?;
    let inputs: Vec<&Path> = (std::iter::once(&options.mesh).chain(&options.points))
        .chain(&options.bodies)
        .map(PathBuf::as_path)
        .collect();
    files::check_format(options.format, &inputs)?;
    let standard = inputs.iter().filter(|path| files::is_standard(path));
    if standard.count() > 1 {
        let message = "-: found it twice, expected standard input once";
        return Err(Failure::Input(message.into()));
    }
    if !options.bodies.is_empty() {
        return bodies::run(options, settings, console);
    }
    let target = query_points::target(
        options.out.as_deref(),
        FORMATS,
        options.common.json,
        [&options.mesh].into_iter().chain(&options.points),
        options.points.is_some(),
    )?;
    let format = target.as_ref().map(|target| target.format);
    let mut times = Times::default();
    let mesh = input::surface(&options.mesh, options.format, &mut times, console)?;
    let name = files::input_name(&options.mesh);
    let (queries, world) = input::queries(options, &mesh.bounds(), &mut times, console)?;
    // Method `auto` classifies a grid by columns, without cells; `--method cells` sets cells up
    // even for a grid.
    let is_auto = options.method == Method::Auto;
    let settings = InsideSettings {
        points: Some(queries.len()),
        grids_only: matches!(queries, QueryPoints::Grid(_)) && !options.winding && is_auto,
        ..settings
    };
    let mut test = Test::new(settings).map_err(Failure::option)?;
    let wanted = Wanted {
        windings: options.winding,
        confidences: options.confidence && format.is_some(),
        // The points of a grid are generated only if they are written or compared.
        points: options.verify || matches!(format, Some(Format::Vtp | Format::Vtu)),
        fields: matches!(format, Some(Format::Vtp | Format::Vtu | Format::Vti)),
    };
    let mut answers = Answers::with_capacity(&queries, wanted)
        .map_err(|message| Failure::Work(format!("{name}: {message}")))?;
    let (answered, _) = console.timed("querying", || -> tangere::Result<()> {
        for _ in 0..options.common.repeat {
            times.set_up(|| test.update(&mesh))?;
            times.query(|| answers.query(&mut test, &queries))?;
        }
        Ok(())
    });
    answered.map_err(|error| input::refusal(options, &error))?;
    answers.complete(&mut test, &queries)?;
    let points = match wanted.points {
        true => queries.points(),
        false => Cow::Borrowed(&[][..]),
    };
    let mut standard = None;
    if options.verify {
        let (checked, _) = console.timed("testing every point against every triangle", || {
            verify::sides(&mesh, &points, &answers.sides, &settings)
        });
        let checked = checked.map_err(|message| Failure::Work(format!("{name}: {message}")))?;
        standard = Some(checked);
    }
    if let Some(target) = &target {
        let row = |i: usize| answers.row(i);
        let has_numbers = options.winding || options.confidence;
        let hidden = [
            ("side", has_numbers && target.format == Format::Npy),
            ("winding", !options.winding),
            ("confidence", !options.confidence),
        ];
        let hidden = hidden.into_iter().filter(|(_, is_hidden)| *is_hidden);
        let hidden: Vec<&str> = hidden.map(|(name, _)| name).collect();
        let table = Table::made(POINT_SIDE, answers.sides.len(), &row).without(&hidden);
        let drawn = || {
            let points = world.unwrap_or_else(|| points.into_owned());
            query_points::drawn(target.format, points, &table, &queries)
        };
        target.write_drawn(&table, drawn, console)?;
    }
    let mut summary = summary::of(options, &mesh, &test, &answers, console);
    queries.add_to(&mut summary);
    times.add_to(&mut summary);
    if let Some(standard) = standard {
        summary.both("verified", true, "verified", format!("equal to {standard}"));
    }
    let json = options.common.json;
    output::report(&summary, &name, json, target.as_ref(), console)
}
