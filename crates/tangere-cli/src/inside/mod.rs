//! `tangere inside`: is it inside?

mod answers;
mod bodies;
mod input;
mod output;
mod verify;

use crate::arguments::{number, whole};
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::info::{extend, report_json};
use crate::table;
use answers::Answers;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use input::Asked;
use output::SideFormat;
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;
use tangere::geometry::{Pose, check_points};
use tangere::inside::{InsideRule, InsideSettings, InsideTest, Method, Side, inside_test};
use tangere::shape::TriMesh;
use tangere_io::ShapeFormat;

pub use input::read as read_points;

const EXAMPLES: &str = "\
Examples:
  tangere inside body.stl points.npy -o sides.npy
  tangere inside body.stl --grid 80 --json
  tangere inside body.ply other.stl -o nodes_of_other.csv
  tangere inside scan.obj points.csv --winding -o winding.npy
  tangere inside body.stl --grid 20 --method ray --repeat 5 --verify
  tangere inside body.stl other.stl --pose 0,0,1 --points-pose 1,0,0,0,1,0,0
  tangere inside a.stl --bodies b.stl c.stl --poses poses.csv -o nodes.csv

POINTS has a row for each: x, y, z (CSV, NPY, VTP, VTU), or it is a surface (STL, OBJ, PLY, OFF),
of which the vertices are taken. Sides are 1 inside, 0 on the surface, -1 outside, and exact for
a closed surface whose triangles are turned consistently. For others the winding number decides
(methods auto, layer and multipole), and the confidence says how far it is from undecided.

Rules, by how often the surface goes round a point: nonzero, inside is all but 0 times, so shells
that overlap are united and one turned inward within another is a cavity; parity, inside is an
odd number of times, so every shell turns inside into outside.

A pose is tx,ty,tz[,qw,qx,qy,qz]: rotation, then translation. With --bodies every node of every
body is tested against every other near it: MESH is body 0. POSES (CSV, NPY) has a row for each
body, 3 or 7 numbers, and as many again for each further step. Written are rows of step, body that
is entered, other that enters it, node of the other, side.";

/// Tell for points whether they are inside a body, on its surface or outside
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Inside {
    /// The surface of the body: STL, OBJ, PLY, OFF, VTK, VTP, VTU, MSH, MESH or INP; - for
    /// standard input
    #[arg(value_name = "MESH")]
    mesh: PathBuf,
    /// The points, or a surface with its vertices
    #[arg(
        value_name = "POINTS",
        required_unless_present_any = ["grid", "bodies"],
        conflicts_with = "grid"
    )]
    points: Option<PathBuf>,
    /// The format of standard input
    #[arg(long, value_parser = files::format_parser())]
    format: Option<ShapeFormat>,
    /// Take the centres of the N^3 equal cells of the cube around the body's box, x fastest
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = |text: &str| whole::<usize>(text, 1, 1000))]
    grid: Option<usize>,
    /// Where the body is
    #[arg(long, value_name = "POSE", value_parser = pose, allow_hyphen_values = true,
          conflicts_with = "grid")]
    pose: Option<Pose>,
    /// Where the points are moved to before they are asked about
    #[arg(long, value_name = "POSE", value_parser = pose, allow_hyphen_values = true,
          conflicts_with = "grid")]
    points_pose: Option<Pose>,
    /// Test the nodes of all bodies, these and MESH, against each other
    #[arg(long, value_name = "MESH", num_args = 1..,
          conflicts_with_all = ["points", "grid", "pose", "points_pose", "winding", "verify"])]
    bodies: Vec<PathBuf>,
    /// Where the bodies are, step by step
    #[arg(long, value_name = "POSES", requires = "bodies",
          conflicts_with_all = ["points", "grid"])]
    poses: Option<PathBuf>,
    /// How it is found out; sides of a sound surface are the same
    #[arg(long, value_name = "METHOD", default_value_t = Method::Auto, value_parser =
          PossibleValuesParser::new(Method::ALL.map(Method::name)).try_map(|name| name.parse::<Method>()))]
    method: Method,
    /// What counts as inside where shells are nested or overlap
    #[arg(long, value_name = "RULE", default_value_t = InsideRule::Nonzero, value_parser =
          PossibleValuesParser::new(InsideRule::ALL.map(InsideRule::name)).try_map(|name| name.parse::<InsideRule>()))]
    rule: InsideRule,
    /// The error that winding numbers may have, between 0 and 1
    #[arg(long, value_name = "E", default_value_t = 1e-6, value_parser = number,
          allow_hyphen_values = true)]
    accuracy: f64,
    /// Compute winding numbers, and write these
    #[arg(long)]
    winding: bool,
    /// Let exact methods go on with a surface for which they cannot promise anything: then the
    /// confidence is 0 and the bound infinite (null in JSON)
    #[arg(long)]
    insist: bool,
    /// Ask so often and tell the least times
    #[arg(long, value_name = "K", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Compare with crossings of every triangle, counted exactly; with leaks, with solid angles
    #[arg(long)]
    verify: bool,
    /// The file to write: .npy (int8, or float64 with --winding), .csv or .vtp (points)
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Least seconds of all repeats.
struct Times {
    setup: f64,
    query: f64,
}

/// Reads, asks, and writes.
pub fn run(options: &Inside, console: &Console) -> Result<(), Failure> {
    let settings = InsideSettings {
        rule: options.rule,
        accuracy: options.accuracy,
        insist: options.insist,
        ..InsideSettings::default()
    }
    .checked()?;
    files::check_format(options.format, &[&options.mesh])?;
    if !options.bodies.is_empty() {
        return bodies::run(options, settings, console);
    }
    let format = options
        .out
        .as_deref()
        .map(SideFormat::of_path)
        .transpose()?;
    if let Some(out) = &options.out {
        ([&options.mesh].into_iter().chain(&options.points))
            .try_for_each(|input| files::check_other(out, input))?;
    }
    let (mesh, mut read) = input::surface(&options.mesh, options.format, console)?;
    let name = files::input_name(&options.mesh);
    // The points as they are written, if that is not as they are asked about.
    let mut world = None;
    let asked = match (&options.points, options.grid) {
        (Some(path), _) => {
            let what = format!("reading {}", path.display());
            let (points, seconds) = console.timed(&what, || input::read(path));
            read += seconds;
            let points = points?;
            check_points("point", &points).map_err(|error| refusal(options, &error))?;
            match posed(options, &points) {
                Some([moved, frame]) => {
                    world = Some(moved);
                    Asked::Points(frame)
                }
                None => Asked::Points(points),
            }
        }
        (None, n) => Asked::Grid(n.unwrap_or(1)),
    };
    // Cells that are asked for by name are set up.
    let is_auto = options.method == Method::Auto;
    let settings = InsideSettings {
        points: Some(asked.len()),
        grids_only: matches!(asked, Asked::Grid(_)) && !options.winding && is_auto,
        ..settings
    };
    let mut test = inside_test(options.method, settings)?;
    // Of a grid only who needs the points makes them all.
    let needed = options.verify || format == Some(SideFormat::Vtp);
    let mut answers = Answers::with_room(&asked, options.winding, needed)
        .map_err(|message| Failure::Work(format!("{name}: {message}")))?;
    let (times, _) = console.timed("asking", || {
        repeated(options, test.as_mut(), &mesh, &asked, &mut answers)
    });
    let times = times.map_err(|error| refusal(options, &error))?;
    if options.winding {
        answers.classify(test.as_mut(), &mesh, &asked)?;
    }
    let Answers {
        sides,
        windings,
        bound,
        confidence,
    } = answers;
    let points = match needed {
        true => asked.points(&mesh)?,
        false => Vec::new(),
    };
    let count = |side: Side| sides.iter().filter(|&&s| s == side).count();
    let counts = [Side::Inside, Side::OnSurface, Side::Outside].map(count);
    let total = sides.len();
    let mut standard = None;
    if options.verify {
        let (checked, _) = console.timed("looking at every triangle from every point", || {
            verify::sides(&mesh, &points, &sides, &settings)
        });
        let checked = checked.map_err(|message| Failure::Work(format!("{name}: {message}")))?;
        standard = Some(checked);
    }
    if let (Some(path), Some(format)) = (&options.out, format) {
        let what = format!("writing {}", path.display());
        let numbers = options.winding.then_some(&windings[..]);
        let (written, _) = console.timed(&what, || {
            let points = world.unwrap_or(points);
            output::write(path, format, points, sides, numbers)
        });
        written?;
    }

    let (report, _) = console.timed("looking at all triangles", || mesh.report());
    let reason = test.reason();
    if options.json {
        let mut object = json!({
            "points": total,
            "inside": counts[0],
            "surface": counts[1],
            "outside": counts[2],
            "method": test.method(),
            "reason": reason,
            "rule": options.rule.name(),
            "bound": bound,
            "confidence": confidence,
            "mesh": report_json(&report),
            "seconds": { "read": read, "setup": times.setup, "query": times.query },
        });
        if options.verify {
            extend(&mut object, json!({ "verified": true }));
        }
        return console.print_json(&object);
    }
    let yes = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let mut rows = vec![
        ("triangles", table::count(report.triangles as u64)),
        ("closed", yes(report.closed)),
        ("oriented", yes(report.oriented)),
        ("points", table::count(total as u64)),
        ("inside", table::count(counts[0] as u64)),
        ("on the surface", table::count(counts[1] as u64)),
        ("outside", table::count(counts[2] as u64)),
        ("method", format!("{}: {reason}", test.method())),
        ("rule", options.rule.name().into()),
        ("confidence", table::number(confidence)),
    ];
    if options.winding {
        rows.push(("bound", table::number(bound)));
    }
    rows.extend([
        ("read", table::seconds(read)),
        ("set-up", table::seconds(times.setup)),
        ("query", table::seconds(times.query)),
    ]);
    if let Some(standard) = standard {
        rows.push(("verified", format!("equal to {standard}")));
    }
    console.print(format!("{name}\n") + &table::two_columns(&rows))
}

fn pose(text: &str) -> Result<Pose, String> {
    text.parse()
        .map_err(|error: tangere::Error| error.to_string())
}

/// Points where their pose puts them, and the same in the frame of the body, if any pose
/// is given: with the arithmetic of [`tangere::inside::Bodies`].
fn posed(options: &Inside, points: &[[f64; 3]]) -> Option<[Vec<[f64; 3]>; 2]> {
    options.pose.or(options.points_pose)?;
    let moved = |pose: Pose, points: &[[f64; 3]]| -> Vec<[f64; 3]> {
        points.iter().map(|&p| pose.apply(p)).collect()
    };
    let world = moved(options.points_pose.unwrap_or_default(), points);
    let frame = moved(options.pose.unwrap_or_default().inverse(), &world);
    Some([world, frame])
}

/// Sets up and asks several times.
fn repeated(
    options: &Inside,
    test: &mut dyn InsideTest,
    mesh: &TriMesh,
    asked: &Asked,
    answers: &mut Answers,
) -> tangere::Result<Times> {
    let mut least = Times {
        setup: f64::INFINITY,
        query: f64::INFINITY,
    };
    for _ in 0..options.repeat {
        let start = Instant::now();
        test.update(mesh)?;
        least.setup = least.setup.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        match options.winding {
            true => answers.wind(test, mesh, asked)?,
            false => answers.classify(test, mesh, asked)?,
        }
        least.query = least.query.min(start.elapsed().as_secs_f64());
    }
    Ok(least)
}

/// Why it was not answered, with the file that is to blame.
fn refusal(options: &Inside, error: &tangere::Error) -> Failure {
    let of_points = matches!(error, tangere::Error::Item { what: "point", .. });
    let file = match &options.points {
        Some(points) if of_points => files::input_name(points),
        _ => files::input_name(&options.mesh),
    };
    Failure::Input(format!("{file}: {error}"))
}
