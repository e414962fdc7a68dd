//! Query points of `tangere inside`: points of a file, or centres of the cells of a grid.

use super::Inside;
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, PointSource};
use crate::query_points::QueryPoints;
use crate::times::Times;
use std::path::Path;
use tangere::Argument;
use tangere::geometry::{Aabb, Pose};
use tangere::shape::TriMesh;
use tangere_io::{Error, Fault, Place, ShapeFormat, read_poses};

/// Reads the surface of a body.
pub fn surface(
    path: &Path,
    format: Option<ShapeFormat>,
    times: &mut Times,
    console: &Console,
) -> Result<TriMesh, Failure> {
    let expected = "the surface of a body: MESH comes first, then POINTS";
    files::read_surface(path, format, expected, times, console)
}

/// Reads the poses of moving bodies: for each step one row for each of `bodies` bodies.
pub fn poses(path: &Path, bodies: usize) -> Result<Vec<Pose>, Failure> {
    let poses = read_poses(path).map_err(Failure::reading)?;
    match poses.len().is_multiple_of(bodies) {
        true => Ok(poses),
        false => Err(Failure::reading(Error::Content {
            path: path.to_owned(),
            fault: Fault::new(
                Place::Part("rows"),
                poses.len(),
                format!("{bodies} for each step, one a body"),
            ),
        })),
    }
}

/// Query points in world coordinates; `None` if no pose is given.
type World = Option<Vec<[f64; 3]>>;

/// Reads the query points, or makes those of a grid. If a pose is given, points of a file are
/// returned twice: in the frame of the body, for the query, and in world coordinates, for output.
pub fn queries(
    options: &Inside,
    bounds: &Aabb<3>,
    times: &mut Times,
    console: &Console,
) -> Result<(QueryPoints, World), Failure> {
    let Some(path) = &options.points else {
        let Some(place) = options.grid.place() else {
            return Err(Failure::Input(
                "inside: found no query points, expected POINTS after MESH (a file, or - for \
                 standard input), --grid N or --bodies"
                    .into(),
            ));
        };
        let placed = place
            .grid(bounds)
            .map_err(|error| refusal(options, &error))?;
        return Ok((QueryPoints::Grid(placed), None));
    };
    let source = PointSource {
        path,
        format: options.format,
        is_planar: false,
    };
    let points = files::read_points(source, times, console)?;
    Ok(match posed(options, &points) {
        Some([world, frame]) => (QueryPoints::Points(frame), Some(world)),
        None => (QueryPoints::Points(points), None),
    })
}

/// Returns the query points twice: in world coordinates, then in the frame of the body. They are
/// transformed as in [`tangere::inside::Bodies`], with the same rounding errors. `None` if no pose
/// is given.
fn posed(options: &Inside, points: &[[f64; 3]]) -> Option<[Vec<[f64; 3]>; 2]> {
    options.pose.or(options.points_pose)?;
    let moved = |pose: Pose, points: &[[f64; 3]]| -> Vec<[f64; 3]> {
        points.iter().map(|&p| pose.apply(p)).collect()
    };
    let world = moved(options.points_pose.unwrap_or_default(), points);
    let frame = moved(options.pose.unwrap_or_default().inverse(), &world);
    Some([world, frame])
}

/// Returns the failure of a query. The message names the file of points if a point is at fault,
/// else the file of the surface.
pub fn refusal(options: &Inside, error: &tangere::Error) -> Failure {
    let of_points = matches!(
        error,
        tangere::Error::Item {
            what: Argument::Point,
            ..
        }
    );
    let mesh = files::input_name(&options.mesh);
    let file = match &options.points {
        Some(points) if of_points => files::input_name(points),
        _ => mesh.clone(),
    };
    match (error, Failure::of_file(&file, error)) {
        (
            tangere::Error::Argument {
                what: Argument::MultipoleDepth | Argument::ClusterSeparation,
                ..
            },
            _,
        ) => Failure::option(error.clone()),
        (
            tangere::Error::Memory {
                what: Argument::ExpansionCoefficients,
                ..
            },
            Failure::Work(message),
        ) => Failure::Work(format!("{message}; lower --degree or --depth")),
        (
            tangere::Error::Argument {
                what: Argument::OpenMesh,
                ..
            },
            Failure::Input(message),
        ) => Failure::Input(format!(
            "{message}; `tangere convert {mesh} OUT --close` fills holes"
        )),
        (_, failure) => failure,
    }
}
