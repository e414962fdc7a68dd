//! `tangere distance`: signed distances of points, or of a grid around a body.

mod verify;

use crate::common_options::CommonOptions;
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, PointSource};
use crate::output;
use crate::query_points::{self, GridOptions, QueryPoints};
use crate::times::Times;
use clap::Args;
use std::path::PathBuf;
use tangere::closest::MeshSurface;
use tangere::shape::TriMesh;
use tangere_front::answer::{Format, Summary, Table};
use tangere_front::answers::closest::SIGNED_DISTANCE;
use tangere_front::report::report_json;
use tangere_front::text;
use tangere_io::ShapeFormat;

/// File formats in which distances are written.
const FORMATS: &[Format] = &[
    Format::Npy,
    Format::Csv,
    Format::Vtp,
    Format::Vtu,
    Format::Vti,
];

const EXAMPLES: &str = "\
Examples:
  tangere distance body.stl --grid 80 --margin 2 -o field.vti
  tangere distance body.stl --grid 200,80,40 -o field.npy
  tangere distance body.stl --spacing 0.1 --bounds=-1,-1,0,1,1,4 -o field.vti
  tangere distance body.stl points.csv -o distances.csv
  sample-points | tangere distance body.stl --points - -o - | plot

The distance is that of the nearest point of the surface, on any of its triangles: where shells \
cross, those inside the body count too. It is negative where `tangere inside` finds the point \
inside, 0 on the surface and positive outside, whichever way shells cross, overlap, are nested or \
inverted. A surface that is open or not consistently oriented has distances without sign, and the \
summary says so (signed is false in JSON).

--grid places points as `tangere inside --grid` does: the centres of the cells, x fastest. The \
grid ends at the body's box unless --margin adds cells around it, so that contours of the zero level \
are closed. --bounds takes another box, --spacing cells of one size in place of a number. \
`tangere closest MESH --points POINTS` has the nearest points themselves, and curved faces.

--verify compares with the distance from every triangle, and the sign with exact crossings of every \
triangle, for as many points as a hundred million tests allow.";

/// Signed distance: how far points are from the surface of a body, negative inside
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Distance {
    /// The surface of the body: STL, OBJ, PLY, OFF, VTK, VTP, VTU, MSH, MESH or INP; - for
    /// standard input
    #[arg(value_name = "MESH")]
    mesh: PathBuf,
    /// The same as --points
    #[arg(value_name = "POINTS", conflicts_with_all = ["cells", "points"])]
    queries: Option<PathBuf>,
    /// The format of standard input
    #[arg(long, value_parser = files::format_parser())]
    format: Option<ShapeFormat>,
    #[command(flatten)]
    grid: GridOptions,
    /// Take these points: CSV, NPY, VTP, VTU, or a surface with its vertices; - for standard
    /// input, as CSV
    #[arg(long, value_name = "POINTS", conflicts_with = "cells")]
    points: Option<PathBuf>,
    /// Compare with every triangle
    #[arg(long)]
    verify: bool,
    /// The file to write: .npy (float64; of --grid an array of axes z, y, x), .csv, .vtp or .vtu (points), .vti (the cells of --grid),
    /// - for CSV to standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    common: CommonOptions,
}

/// Reads a surface and points, computes the signed distance of each point, and writes them.
pub fn run(options: &Distance, console: &Console) -> Result<(), Failure> {
    let points = options.points.as_ref().or(options.queries.as_ref());
    let inputs: Vec<_> = [&options.mesh].into_iter().chain(points).collect();
    let paths: Vec<_> = inputs.iter().map(|path| path.as_path()).collect();
    files::check_format(options.format, &paths)?;
    if paths.iter().filter(|path| files::is_standard(path)).count() > 1 {
        let message = "-: found it twice, expected standard input once";
        return Err(Failure::Input(message.into()));
    }
    let grid = options.grid.place();
    let json = options.common.json;
    let target = query_points::target(
        options.out.as_deref(),
        FORMATS,
        options.common.json,
        inputs,
        options.points.is_some(),
    )?;
    let mut times = Times::default();
    let expected = "the surface of a body";
    let mesh = files::read_surface(&options.mesh, options.format, expected, &mut times, console)?;
    let name = files::input_name(&options.mesh);
    let refused = |error: tangere::Error| Failure::of_file(&name, &error);
    let queries = match (points, grid) {
        (None, None) => {
            let message = "distance: found no query points, expected --grid N or --points POINTS";
            return Err(Failure::Input(message.into()));
        }
        (None, Some(place)) => QueryPoints::Grid(place.grid(&mesh.bounds()).map_err(refused)?),
        (Some(path), _) => {
            let format = options.format;
            let source = PointSource {
                format,
                ..PointSource::of(path)
            };
            QueryPoints::Points(files::read_points(source, &mut times, console)?)
        }
    };
    let (mut distances, mut is_signed) = (Vec::new(), false);
    let (done, _) = console.timed("querying", || -> tangere::Result<()> {
        for _ in 0..options.common.repeat {
            let surface = times.set_up(|| MeshSurface::new(&mesh));
            is_signed = surface.is_signed();
            times.query(|| match &queries {
                QueryPoints::Points(points) => surface.signed_distances(points, &mut distances),
                QueryPoints::Grid(placed) => {
                    surface.signed_distance_grid(&placed.grid, &mut distances)
                }
            })?;
        }
        Ok(())
    });
    done.map_err(refused)?;
    if let Some(target) = &target {
        let table = Table::new(SIGNED_DISTANCE, &distances).shaped(queries.axes());
        let drawn = || {
            let points = match target.format {
                Format::Vti => Vec::new(),
                _ => queries.points().into_owned(),
            };
            query_points::drawn(target.format, points, &table, &queries)
        };
        target.write_drawn(&table, drawn, console)?;
    }
    let mut summary = summary(&mesh, is_signed, &distances, json, console);
    queries.add_to(&mut summary);
    times.add_to(&mut summary);
    if options.verify {
        let points = queries.points();
        let work = || verify::distances(&mesh, &points, is_signed, &distances);
        let (sample, _) = console.timed("comparing", work);
        let against = "against every triangle";
        sample?.add_to(
            &mut summary,
            "verified_points",
            ["point", "points"],
            against,
        );
    }
    output::report(&summary, &name, json, target.as_ref(), console)
}

/// Returns the summary: the surface, the number of points on each side, and the range of distances.
fn summary(
    mesh: &TriMesh,
    is_signed: bool,
    distances: &[f64],
    json: bool,
    console: &Console,
) -> Summary {
    let mut summary = Summary::default();
    let closure = mesh.closure();
    if json {
        let (report, _) = console.timed("checking all triangles", || mesh.report());
        summary.member("mesh", report_json(&report));
    } else {
        summary
            .line("triangles", text::count(mesh.faces().len() as u64))
            .line("closed", text::yes(closure.closed))
            .line("oriented", text::yes(closure.oriented));
    }
    summary.count("points", distances.len());
    let count = |is_so: fn(f64) -> bool| distances.iter().filter(|x| is_so(**x)).count();
    match is_signed {
        true => {
            summary
                .flag("signed", true)
                .count("inside", count(|x| x < 0.0))
                .labelled_count("surface", "on the surface", count(|x| x == 0.0))
                .count("outside", count(|x| x > 0.0));
        }
        false => {
            let reason = match closure.closed {
                false => "no: the surface is open; tangere convert --close fills holes",
                true => {
                    "no: its triangles are not consistently oriented; see tangere convert --orient"
                }
            };
            summary.both("signed", false, "signed", reason);
            for side in ["inside", "surface", "outside"] {
                summary.member(side, serde_json::Value::Null);
            }
        }
    }
    summary.span("distance", distances.iter().copied(), true);
    summary
}
