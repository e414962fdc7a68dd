//! Reader of query points; the path `-` is standard input.

use super::paths::{STANDARD_INPUT, input_name, is_standard, standard_input};
use std::path::Path;
use tangere::Argument;
use tangere::geometry::check_points;
use tangere_io::{
    Error, Result, ShapeFormat, TableFormat, planar_points_from_bytes, points_from_bytes,
    read_planar_points, read_points,
};

/// Source of query points: a table, or a surface whose vertices are the points.
#[derive(Clone, Copy)]
pub struct PointSource<'a> {
    /// The path of the file of points, or `-` for standard input.
    pub path: &'a Path,
    /// The format of standard input; `None` means CSV. It is not used for a file.
    pub format: Option<ShapeFormat>,
    /// Whether tables may have two columns, for points in the plane z = 0.
    pub is_planar: bool,
}

impl<'a> PointSource<'a> {
    /// Returns a source of points with three coordinates at a path. Standard input is read as CSV.
    pub fn of(path: &'a Path) -> Self {
        Self {
            path,
            format: None,
            is_planar: false,
        }
    }

    /// Reads query points and checks that they are finite and not too large.
    ///
    /// # Errors
    /// When points cannot be read, or one is invalid.
    pub fn checked(self) -> Result<Vec<[f64; 3]>> {
        let points = self.points()?;
        check_points(Argument::Point, &points).map_err(|source| Error::Shape {
            path: input_name(self.path).into_owned().into(),
            source,
        })?;
        Ok(points)
    }

    /// Reads points without checking that they are finite.
    ///
    /// # Errors
    /// When points cannot be read.
    pub fn points(self) -> Result<Vec<[f64; 3]>> {
        match (is_standard(self.path), self.is_planar) {
            (false, false) => read_points(self.path),
            (false, true) => read_planar_points(self.path),
            (true, is_planar) => {
                let format = self.format.unwrap_or(ShapeFormat::Table(TableFormat::Csv));
                let bytes = standard_input()?;
                match is_planar {
                    false => points_from_bytes(STANDARD_INPUT, &bytes, format),
                    true => planar_points_from_bytes(STANDARD_INPUT, &bytes, format),
                }
            }
        }
    }
}
