//! `tangere closest MESH --points POINTS`: the nearest points of a surface.

use super::{Closest, draw, verify};
use crate::arguments::not_negative;
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, PointSource};
use crate::output::{self, Target};
use crate::times::Times;
use clap::Args;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use tangere::closest::{FaceSurface, MeshSurface, Projection, ProjectionStatus, SurfacePoint};
use tangere::parallel::Rows;
use tangere::shape::TriMesh;
use tangere_front::answer::{Format, Summary, Table, listed};
use tangere_front::answers::closest::{PROJECTION, SURFACE_POINT, WITHIN};
use tangere_front::inputs::surface::Surface;
use tangere_front::text;

/// Formats of nearest points, and of pairs of a point and a face within a distance.
const OF_POINTS: &[Format] = &[Format::Npy, Format::Csv, Format::Vtp];
const OF_PAIRS: &[Format] = &[Format::Npy, Format::Csv];

/// Options of queries about points and a surface.
#[derive(Args, Debug)]
#[command(next_help_heading = "Points and a surface")]
pub struct PointOptions {
    /// Find the nearest points of the surface MESH to these points: CSV, NPY, VTP, VTU, or a
    /// surface with its vertices; - for standard input, as CSV. Where MESH has segments
    /// only, x and y are enough
    #[arg(long, value_name = "POINTS",
          conflicts_with_all = ["b", "convex", "faces", "pose_a", "pose_b", "poses"])]
    pub points: Option<PathBuf>,
    /// Find all faces within this distance of each point instead
    #[arg(long, value_name = "H", requires = "points", conflicts_with = "b", value_parser = not_negative,
          allow_hyphen_values = true)]
    pub within: Option<f64>,
    /// Refuse more pairs of a point and a face than this
    #[arg(long, value_name = "N", requires = "within", conflicts_with = "b")]
    pub max_pairs: Option<usize>,
    /// The name of a surface in an Abaqus file, in place of the whole boundary
    #[arg(long, value_name = "NAME", requires = "points", conflicts_with = "b")]
    pub surface: Option<String>,
}

/// Answers: nearest points, or faces within a distance.
pub enum Answers {
    Triangles(Vec<SurfacePoint>),
    Faces(Vec<Projection>),
    Within(Rows<u32>),
}

impl PointOptions {
    /// Runs the query and fills `answers`; returns whether the surface is closed.
    fn search(
        &self,
        surface: &Surface,
        points: &[[f64; 3]],
        answers: &mut Answers,
        times: &mut Times,
    ) -> tangere::Result<bool> {
        let h = self.within.unwrap_or(0.0);
        let most = self.max_pairs.unwrap_or(usize::MAX);
        match surface {
            Surface::Triangles(mesh) => {
                let surface = times.set_up(|| MeshSurface::new(mesh));
                times.query(|| match answers {
                    Answers::Triangles(found) => surface.closest_all(points, found),
                    Answers::Within(rows) => surface.within_at_most(points, h, most, rows),
                    Answers::Faces(_) => Ok(()),
                })?;
                Ok(surface.is_signed())
            }
            Surface::Faces(mesh) => {
                let surface = times.set_up(|| FaceSurface::new(mesh));
                times.query(|| match answers {
                    Answers::Faces(found) => surface.project_all(points, found),
                    Answers::Within(rows) => surface.within_at_most(points, h, most, rows),
                    Answers::Triangles(_) => Ok(()),
                })?;
                Ok(surface.is_closed())
            }
        }
    }
}

/// Reads a surface and points, finds nearest points, and writes them.
pub fn run(options: &Closest, path: &PathBuf, console: &Console) -> Result<(), Failure> {
    let (query, json) = (&options.query, options.common.json);
    let formats = match query.within {
        None => OF_POINTS,
        Some(_) => OF_PAIRS,
    };
    let target = Target::new(options.out.as_deref(), formats, json, [&options.a, path])?;
    let name = files::input_name(&options.a);
    let mut times = Times::default();
    let expected = "the surface of a body: MESH, then --points POINTS";
    let surface = times.read(&options.a, console, || {
        Surface::read(&options.a, query.surface.as_deref(), expected)
    })?;
    let source = PointSource {
        is_planar: surface.is_curve(),
        ..PointSource::of(path)
    };
    let points = files::read_points(source, &mut times, console)?;
    let mut answers = match (query.within, &surface) {
        (Some(_), _) => Answers::Within(Rows::default()),
        (None, Surface::Triangles(_)) => Answers::Triangles(Vec::new()),
        (None, Surface::Faces(_)) => Answers::Faces(Vec::new()),
    };
    let mut is_closed = false;
    let (done, _) = console.timed("querying", || -> tangere::Result<()> {
        for _ in 0..options.common.repeat {
            is_closed = query.search(&surface, &points, &mut answers, &mut times)?;
        }
        Ok(())
    });
    done.map_err(Failure::limited)?;
    let mut summary = Summary::default();
    of_surface(&surface, is_closed, &mut summary);
    summary.count("points", points.len());
    match &answers {
        Answers::Within(rows) => of_pairs(rows, query.within, &mut summary),
        Answers::Triangles(found) => {
            let row = |p: &SurfacePoint| [p.distance, p.gap];
            of_gaps(&surface, is_closed, found.iter().map(row), &mut summary);
        }
        Answers::Faces(found) => {
            let row = |p: &Projection| [p.distance, p.gap];
            of_gaps(&surface, is_closed, found.iter().map(row), &mut summary);
            let statuses = found.iter().map(|p| p.status);
            let iterations = found.iter().map(|p| f64::from(p.iterations));
            let all = &ProjectionStatus::ALL;
            summary
                .tally("status", all, ProjectionStatus::name, statuses)
                .span("iterations", iterations, true);
        }
    }
    times.add_to(&mut summary);
    if options.verify {
        let what = "testing every point against every face";
        let (sample, _) = console.timed(what, || {
            verify::points(&name, &surface, &points, &answers, query.within)
        });
        let (words, against) = (["point", "points"], "against every face");
        sample?.add_to(&mut summary, "verified_points", words, against);
    }
    if let Some(target) = &target {
        write(target, &points, &answers, console)?;
    }
    let head = format!("{name} and {}", files::input_name(path));
    output::report(&summary, &head, json, target.as_ref(), console)
}

/// Writes a row for each point, or for each pair of a point and a face.
fn write(
    target: &Target,
    points: &[[f64; 3]],
    answers: &Answers,
    console: &Console,
) -> Result<(), Failure> {
    match answers {
        Answers::Triangles(found) => {
            let drawn = || draw::feet(points, found, SURFACE_POINT, |p| p.point);
            target.write_drawn(&Table::new(SURFACE_POINT, found), drawn, console)
        }
        Answers::Faces(found) => {
            let drawn = || draw::feet(points, found, PROJECTION, |p| p.point);
            target.write_drawn(&Table::new(PROJECTION, found), drawn, console)
        }
        Answers::Within(rows) => {
            let pair = |k: usize| listed(rows.offsets(), rows.values(), k);
            target.write_rows(&Table::made(WITHIN, rows.values().len(), &pair), console)
        }
    }
}

/// Adds the surface to the summary.
fn of_surface(surface: &Surface, is_closed: bool, summary: &mut Summary) {
    let kinds = surface.kinds().into_iter();
    let (kinds, words): (Map<String, Value>, Vec<String>) = kinds
        .map(|(kind, n)| {
            let words = format!("{} {kind}", text::count(n as u64));
            ((kind.name().to_owned(), json!(n)), words)
        })
        .unzip();
    let method = match surface {
        Surface::Triangles(_) => "triangles",
        Surface::Faces(_) => "faces",
    };
    summary
        .both("faces", surface.len(), "faces", words.join(", "))
        .member("kinds", Value::Object(kinds))
        .flag("closed", is_closed)
        .member("sign", sign(surface, is_closed))
        .member("method", method);
}

/// Adds faces within a distance to the summary.
fn of_pairs(rows: &Rows<u32>, within: Option<f64>, summary: &mut Summary) {
    let lengths = (0..rows.len()).map(|i| rows.row(i).len());
    let near = lengths.clone().filter(|&n| n > 0).count();
    summary
        .member("within", within)
        .count("pairs", rows.values().len())
        .labelled_count("near", "points near", near)
        .labelled_count("most", "most faces", lengths.max().unwrap_or(0));
}

/// Adds to the summary the ranges of distances and gaps, and how many points are inside or behind.
fn of_gaps(
    surface: &Surface,
    is_closed: bool,
    rows: impl Iterator<Item = [f64; 2]> + Clone,
    summary: &mut Summary,
) {
    let distances = rows.clone().map(|[distance, _]| distance);
    let gaps = rows.map(|[_, gap]| gap);
    summary.span("distance", distances, true).span(
        "gap",
        gaps.clone().filter(|gap| !gap.is_nan()),
        true,
    );
    let is_inside = is_closed && !is_inward(surface);
    let (behind, inside) = match sign(surface, is_closed) {
        None => {
            if let Surface::Triangles(mesh) = surface {
                summary.line("gap", format!("no sign: {}", unsigned(mesh)));
            }
            (None, None)
        }
        Some(_) => {
            let behind = gaps.filter(|gap| *gap < 0.0).count();
            if is_closed && !is_inside {
                let reason = "the sign is that of the normals: the surface is turned inward";
                summary.line("gap", reason);
            }
            let side = if is_inside { "inside" } else { "behind" };
            summary.line(side, text::count(behind as u64));
            // The sign of an open surface does not mean inside.
            (Some(behind), is_inside.then_some(behind))
        }
    };
    summary.member("inside", inside).member("behind", behind);
}

/// Returns what the sign of a gap means: the side of a closed surface, or the side to which normals
/// point. `None` if gaps have no sign.
fn sign(surface: &Surface, is_closed: bool) -> Option<&'static str> {
    match surface {
        _ if is_closed && !is_inward(surface) => Some("inside"),
        Surface::Triangles(_) if !is_closed => None,
        _ => Some("normal"),
    }
}

/// Whether the signed volume of a closed surface of triangles is negative: its normals point inward.
fn is_inward(surface: &Surface) -> bool {
    let Surface::Triangles(mesh) = surface else {
        return false;
    };
    // The sum is six times the signed volume, relative to a vertex.
    let o = mesh.vertices()[mesh.faces()[0][0] as usize];
    let volume: f64 = (0..mesh.faces().len())
        .map(|face| {
            let [a, b, c] = (mesh.triangle(face)).map(|p| [0, 1, 2].map(|k| p[k] - o[k]));
            a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        })
        .sum();
    volume < 0.0
}

/// Returns the reason why gaps have no sign.
fn unsigned(mesh: &TriMesh) -> String {
    let report = mesh.report();
    if !report.closed {
        "the surface is open".into()
    } else if !report.oriented {
        "its triangles are not consistently oriented".into()
    } else {
        let flat = text::counted(report.degenerate_triangles, "triangle is", "triangles are");
        format!("{flat} without area")
    }
}
