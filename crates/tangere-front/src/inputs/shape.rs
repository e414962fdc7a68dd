//! Reader of a surface or particles from a file, or from standard input if the path is `-`.

use super::paths::{input_name, is_standard, standard_input};
use super::refused_argument;
use std::path::Path;
use tangere::Argument;
use tangere_io::{Error, LoadedMesh, Result, Shape, ShapeFormat, read_shape, shape_from_bytes};

/// Returns the format of a file by its extension; for `-` it must be given.
///
/// # Errors
/// When the format of `-` is missing, or the file extension is unknown.
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

/// Reads a surface or particles from a file, or from standard input if the path is `-`.
///
/// # Errors
/// When the file or standard input cannot be read.
pub fn read(path: &Path, format: Option<ShapeFormat>) -> Result<Shape> {
    if !is_standard(path) {
        return read_shape(path);
    }
    let format = format_of(path, format)?;
    shape_from_bytes(&*input_name(path), standard_input()?, format)
}

/// Reads a surface from a file or from standard input. If it contains particles, the error says
/// what is `expected` instead.
///
/// # Errors
/// When the file or standard input cannot be read, or contains particles.
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
        Shape::Particles(_) | Shape::Points(_) => Err(points()),
    }
}
