//! `tangere closest MESH --points POINTS`: the nearest points of a surface.

use super::{Closest, draw, point_summary, verify};
use crate::arguments::not_negative;
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, PointSource};
use crate::output::{self, Target};
use crate::times::Times;
use clap::Args;
use std::path::PathBuf;
use tangere::closest::{BfgsSqp, FaceSurface, MeshSurface, Method, Projection, SurfacePoint};
use tangere::parallel::Rows;
use tangere::shape::FaceMesh;
use tangere_front::answer::{Format, Table, listed};
use tangere_front::answers::closest::{PROJECTION, SURFACE_POINT, WITHIN};
use tangere_front::inputs::surface::Surface;

/// File formats of the two kinds of answers: `OF_POINTS` for nearest points, `OF_PAIRS` for pairs
/// of a point and a face within a given distance of each other.
const OF_POINTS: &[Format] = &[Format::Npy, Format::Csv, Format::Vtp, Format::Vtu];
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

/// Answers for query points: the nearest points of a surface of triangles, the nearest points of a
/// surface of other faces, or the faces within a given distance of each point.
pub enum Answers {
    Triangles(Vec<SurfacePoint>),
    Faces(Vec<Projection>),
    Within(Rows<u32>),
}

impl PointOptions {
    /// Runs the query and fills `answers`; returns whether the surface is closed.
    fn search(
        &self,
        method: Method,
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
                    Answers::Faces(found) if method == Method::BfgsSqp => {
                        surface.project_published(points, &BfgsSqp::default(), found)
                    }
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
    let is_published = options.method == Method::BfgsSqp;
    if is_published && query.within.is_some() {
        let message = "--within: found it with --method bfgs-sqp, expected nearest points";
        return Err(Failure::Input(message.into()));
    }
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
    let surface = match surface {
        Surface::Triangles(mesh) if is_published => {
            Surface::Faces(FaceMesh::from_triangles(&mesh).map_err(Failure::limited)?)
        }
        other => other,
    };
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
            is_closed =
                query.search(options.method, &surface, &points, &mut answers, &mut times)?;
        }
        Ok(())
    });
    done.map_err(Failure::limited)?;
    let mut summary = point_summary::of(&surface, is_closed, points.len(), &answers, query.within);
    if is_published {
        summary.member("method", options.method.name());
    }
    times.add_to(&mut summary);
    if is_published && options.verify {
        let what = "testing every point against every face";
        let (local, _) = console.timed(what, || {
            verify::local_minima(&name, &surface, &points, &answers)
        });
        let (sample, local) = local?;
        summary.labelled_count("local_minima", "local minima", local);
        let (words, against) = (["point", "points"], "against every face");
        sample.add_to(&mut summary, "verified_points", words, against);
    } else if options.verify {
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

/// Writes the answers to the output file: a row for each query point, or for each pair of a query
/// point and a face.
fn write(
    target: &Target,
    points: &[[f64; 3]],
    answers: &Answers,
    console: &Console,
) -> Result<(), Failure> {
    match answers {
        Answers::Triangles(found) => {
            let drawn = || draw::nearest(target.format, points, found, SURFACE_POINT, |p| p.point);
            target.write_drawn(&Table::new(SURFACE_POINT, found), drawn, console)
        }
        Answers::Faces(found) => {
            let drawn = || draw::nearest(target.format, points, found, PROJECTION, |p| p.point);
            target.write_drawn(&Table::new(PROJECTION, found), drawn, console)
        }
        Answers::Within(rows) => {
            let pair = |k: usize| listed(rows.offsets(), rows.values(), k);
            target.write_rows(&Table::made(WITHIN, rows.values().len(), &pair), console)
        }
    }
}
