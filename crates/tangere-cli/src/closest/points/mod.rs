//! `tangere closest MESH --points POINTS`: the nearest points of a surface.

mod input;
mod output;
mod told;
mod verify;

use super::Closest;
use crate::arguments::number;
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, PointSource};
use crate::question::Times;
use clap::Args;
use input::Given;
use output::PointFormat;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tangere::closest::{FaceSurface, MeshSurface, Projection, SurfacePoint};
use tangere::parallel::Rows;
use told::Told;

/// What is asked about points.
#[derive(Args, Debug)]
#[command(next_help_heading = "Points and a surface")]
pub struct PointOptions {
    /// Find the points of the surface MESH that are nearest to these: CSV, NPY, VTP, VTU, or a
    /// surface with its vertices; - for standard input, as CSV. Where MESH has segments
    /// only, x and y are enough
    #[arg(long, value_name = "POINTS",
          conflicts_with_all = ["b", "convex", "faces", "pose_a", "pose_b", "poses_b"])]
    pub points: Option<PathBuf>,
    /// Find all faces that are no farther from each point than this instead
    #[arg(long, value_name = "H", requires = "points", conflicts_with = "b", value_parser = distance,
          allow_hyphen_values = true)]
    pub within: Option<f64>,
    /// Refuse more pairs of a point and a face than this
    #[arg(long, value_name = "N", requires = "within", conflicts_with = "b")]
    pub max_pairs: Option<usize>,
    /// The name of a surface in an Abaqus file, in place of the whole boundary
    #[arg(long, value_name = "NAME", requires = "points", conflicts_with = "b")]
    pub surface: Option<String>,
}

fn distance(text: &str) -> Result<f64, String> {
    match number(text) {
        Ok(h) if h >= 0.0 => Ok(h),
        _ => Err("expected a finite number, 0 or more".into()),
    }
}

/// A surface that is ready to be asked.
pub enum Surface {
    Triangles(MeshSurface),
    Faces(Box<FaceSurface>),
}

/// What was answered.
pub enum Answers {
    Triangles(Vec<SurfacePoint>),
    Faces(Vec<Projection>),
    Within(Rows<u32>),
}

impl Surface {
    fn new(given: &Given) -> Self {
        match given {
            Given::Triangles(mesh) => Surface::Triangles(MeshSurface::new(mesh)),
            Given::Faces(mesh) => Surface::Faces(Box::new(FaceSurface::new(mesh))),
        }
    }

    fn ask(
        &self,
        points: &[[f64; 3]],
        answers: &mut Answers,
        asked: &PointOptions,
    ) -> tangere::Result<()> {
        let h = asked.within.unwrap_or(0.0);
        let most = asked.max_pairs.unwrap_or(usize::MAX);
        match (self, answers) {
            (Surface::Triangles(surface), Answers::Within(rows)) => {
                surface.within_at_most(points, h, most, rows)
            }
            (Surface::Faces(surface), Answers::Within(rows)) => {
                surface.within_at_most(points, h, most, rows)
            }
            (Surface::Faces(surface), Answers::Faces(found)) => surface.project_all(points, found),
            (Surface::Triangles(surface), Answers::Triangles(found)) => {
                surface.closest_all(points, found)
            }
            _ => Ok(()),
        }
    }

    fn is_closed(&self) -> bool {
        match self {
            Surface::Triangles(surface) => surface.is_signed(),
            Surface::Faces(surface) => surface.is_closed(),
        }
    }
}

/// Reads, asks, and writes.
pub fn run(options: &Closest, path: &Path, console: &Console) -> Result<(), Failure> {
    let asked = &options.asked;
    let format = match &options.out {
        Some(out) => {
            files::check_json(out, options.manner.json)?;
            [options.a.as_path(), path]
                .into_iter()
                .try_for_each(|input| files::check_other(out, input))?;
            Some(PointFormat::of_path(out, asked.within.is_some())?)
        }
        None => None,
    };
    let what = format!("reading {}", files::input_name(&options.a));
    let (given, read_mesh) =
        console.timed(&what, || input::read(&options.a, asked.surface.as_deref()));
    let given = given?;
    let name = files::input_name(path);
    let source = PointSource {
        path,
        format: None,
        is_planar: given.is_curve(),
    };
    let (points, read_points) = source.read(console)?;

    let mut answers = match (asked.within, &given) {
        (Some(_), _) => Answers::Within(Rows::default()),
        (None, Given::Triangles(_)) => Answers::Triangles(Vec::new()),
        (None, Given::Faces(_)) => Answers::Faces(Vec::new()),
    };
    let (mut setup, mut query) = (f64::INFINITY, f64::INFINITY);
    let mut is_closed = false;
    let (done, _) = console.timed("asking", || -> tangere::Result<()> {
        for _ in 0..options.manner.repeat {
            let start = Instant::now();
            let surface = Surface::new(&given);
            setup = setup.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            surface.ask(&points, &mut answers, asked)?;
            query = query.min(start.elapsed().as_secs_f64());
            is_closed = surface.is_closed();
        }
        Ok(())
    });
    done.map_err(|error| match asked.within {
        Some(_) => Failure::limited(error),
        None => error.into(),
    })?;
    let mut verified = None;
    if options.verify {
        let what = "looking at every face from every point";
        let (checked, _) = console.timed(what, || {
            verify::answers(&given, &points, &answers, asked.within)
        });
        let name = files::input_name(&options.a);
        verified = Some(checked.map_err(|message| Failure::Work(format!("{name}: {message}")))?);
    }
    if let (Some(out), Some(format)) = (&options.out, format) {
        let what = format!("writing {}", out.display());
        let (written, _) = console.timed(&what, || {
            output::write(out, format, &points, &answers, console)
        });
        written?;
    }
    let told = Told {
        given: &given,
        points: points.len(),
        answers: &answers,
        is_closed,
        within: asked.within,
        times: Times {
            read: read_mesh + read_points,
            setup,
            query,
        },
        verified,
    };
    if options.manner.json {
        return console.print_json(&told.json());
    }
    let text = format!("{} and {name}\n", files::input_name(&options.a)) + &told.text();
    if format == Some(PointFormat::Standard) {
        console.note(text.trim_end());
        return Ok(());
    }
    console.print(text)
}
