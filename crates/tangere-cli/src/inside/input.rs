//! Query points of `tangere inside`: points of a file, or centres of the cells of a grid.

use super::Inside;
use crate::arguments::whole;
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, PointSource};
use crate::times::Times;
use std::borrow::Cow;
use std::path::Path;
use tangere::Argument;
use tangere::geometry::{Aabb, Pose};
use tangere::inside::Grid;
use tangere::shape::TriMesh;
use tangere_io::{Error, Fault, Place, ShapeFormat, read_poses};

/// Number of points in a part of a large grid. A grid is queried part by part, so that methods need
/// less working memory.
pub const PART: usize = 1 << 21;

/// Query points: the points of a file, or the centres of the cells of a grid.
pub enum QueryPoints {
    Points(Vec<[f64; 3]>),
    Grid(Grid),
}

impl QueryPoints {
    /// Returns the number of query points.
    pub fn len(&self) -> usize {
        match self {
            QueryPoints::Points(points) => points.len(),
            QueryPoints::Grid(grid) => grid.len(),
        }
    }

    /// Returns the coordinates of the query points; those of a grid are computed.
    pub fn points(&self) -> Cow<'_, [[f64; 3]]> {
        match self {
            QueryPoints::Points(points) => points.into(),
            QueryPoints::Grid(grid) => grid.points().into(),
        }
    }

    /// Calls `query` with all query points: once with the points of a file, or part by part with
    /// those of a grid.
    pub fn in_parts(
        &self,
        mut query: impl FnMut(&[[f64; 3]]) -> tangere::Result<()>,
    ) -> tangere::Result<()> {
        match self {
            QueryPoints::Points(points) => query(points),
            QueryPoints::Grid(grid) => grid.slabs(PART).try_for_each(|slab| query(&slab.points())),
        }
    }
}

/// How many cells a grid of query points has along each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cells {
    /// A grid of N³ cells over the cube around the bounding box of the body: this many cells along
    /// each axis.
    Cube(usize),
    /// A grid over the bounding box of the body, with these numbers of cells along x, y and z.
    Box([usize; 3]),
}

impl Cells {
    /// Returns the grid of query points, which are the centres of the cells. `bounds` is the
    /// bounding box of the body.
    pub fn grid(self, bounds: &Aabb<3>) -> tangere::Result<Grid> {
        match self {
            Cells::Cube(n) => Grid::around(bounds, n),
            Cells::Box(cells) => Grid::over(bounds, cells),
        }
    }

    /// Returns the edge lengths of a cell. Along an axis in which the bounding box of the body is
    /// flat, the edge is as long as the longest other edge of the cell.
    pub fn edges(self, bounds: &Aabb<3>) -> [f64; 3] {
        let extent = bounds.extent();
        let longest = extent.into_iter().fold(0.0, f64::max);
        let edges = match self {
            Cells::Cube(n) => [longest / n as f64; 3],
            Cells::Box(cells) => std::array::from_fn(|k| extent[k] / cells[k] as f64),
        };
        let thickest = edges.into_iter().fold(0.0, f64::max);
        edges.map(|edge| if edge > 0.0 { edge } else { thickest })
    }
}

/// Parses the value of `--grid`: one number of cells for all axes, or three separated by commas.
pub fn cells(text: &str) -> Result<Cells, String> {
    let most = Grid::AXIS_MAX as u64;
    match text.split(',').collect::<Vec<_>>()[..] {
        [n] => Ok(Cells::Cube(whole(n, 1, 1000)?)),
        [x, y, z] => {
            let cells = [whole(x, 1, most)?, whole(y, 1, most)?, whole(z, 1, most)?];
            Ok(Cells::Box(cells))
        }
        _ => Err("expected a whole number, or three separated by commas".into()),
    }
}

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
        let grid = options.grid.unwrap_or(Cells::Cube(1)).grid(bounds);
        let grid = grid.map_err(|error| refusal(options, &error))?;
        return Ok((QueryPoints::Grid(grid), None));
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
    let file = match &options.points {
        Some(points) if of_points => files::input_name(points),
        _ => files::input_name(&options.mesh),
    };
    Failure::of_file(&file, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_of_cells_or_three() {
        assert_eq!(cells("80"), Ok(Cells::Cube(80)));
        assert_eq!(cells("1,2000,3"), Ok(Cells::Box([1, 2000, 3])));
        for bad in [
            "", "0", "1001", "1,2", "1,2,3,4", "1,0,2", "1,2,1e7", "1,,2", "a",
        ] {
            assert!(cells(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn cells_are_never_flat() {
        let bounds = Aabb {
            min: [0.0; 3],
            max: [6.0, 2.0, 0.0],
        };
        assert_eq!(Cells::Box([3, 4, 1]).edges(&bounds), [2.0, 0.5, 2.0]);
        assert_eq!(Cells::Cube(3).edges(&bounds), [2.0; 3]);
    }
}
