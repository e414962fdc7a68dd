//! Surfaces and particles; `-` is standard input.

use super::points::{input_name, is_standard, standard_input};
use super::refused_argument;
use std::path::Path;
use tangere::Argument;
use tangere_io::{Error, LoadedMesh, Result, Shape, ShapeFormat, read_shape, shape_from_bytes};

/// The format of `-`, which must be given, or of a file by its ending.
///
/// # Errors
/// When `-` has no format, or the ending is unknown.
pub fn format_of(path: &Path, format: Option<ShapeFormat>) -> Result<ShapeFormat> {
    match (is_standard(path), format) {
        (true, Some(format)) => Ok(format),
        (true, None) => {
            let expected = "one, as - has no ending";
            Err(refused_argument(path, Argument::Format, "none", expected))
        }
        (false, _) => ShapeFormat::of_path(path),
    }
}

/// Reads a surface or particles.
///
/// # Errors
/// When they cannot be read.
pub fn read(path: &Path, format: Option<ShapeFormat>) -> Result<Shape> {
    if !is_standard(path) {
        return read_shape(path);
    }
    let format = format_of(path, format)?;
    shape_from_bytes(&*input_name(path), standard_input()?, format)
}

/// Reads a surface; for points the error names `expected`.
///
/// # Errors
/// When it cannot be read, or has points.
pub fn surface(path: &Path, format: Option<ShapeFormat>, expected: &str) -> Result<LoadedMesh> {
    let points = || Error::Kind {
        path: input_name(path).into_owned().into(),
        found: "points".into(),
        expected: expected.into(),
    };
    if matches!(format_of(path, format)?, ShapeFormat::Table(_)) {
        return Err(points());
    }
    match read(path, format)? {
        Shape::Surface(loaded) => Ok(loaded),
        Shape::Particles(_) => Err(points()),
    }
}
