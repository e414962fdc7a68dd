//! File formats of answers.

use crate::inputs::paths::is_standard;
use std::path::Path;
use tangere_io::{Error, Result, check_target};

/// The format of a file of answers, selected by the file extension; `-` is CSV to standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// NumPy's array file.
    Npy,
    /// Comma-separated values.
    Csv,
    /// CSV to standard output.
    Standard,
    /// One JSON object.
    Json,
    /// VTK's XML format of points, lines and polygons.
    Vtp,
    /// VTK's XML format of unstructured grids.
    Vtu,
    /// VTK's XML format of image data.
    Vti,
}

impl Format {
    /// Returns the name of the format, which is also its file extension; `-` for CSV to standard
    /// output.
    pub fn name(self) -> &'static str {
        match self {
            Format::Npy => "npy",
            Format::Csv => "csv",
            Format::Standard => "-",
            Format::Json => "json",
            Format::Vtp => "vtp",
            Format::Vtu => "vtu",
            Format::Vti => "vti",
        }
    }

    /// Returns the format of a file to be written, by its extension. It must be one of `accepted`,
    /// and the folder must exist. The path `-` is accepted if CSV is.
    ///
    /// # Errors
    /// When the file extension is not accepted, or the folder does not exist.
    pub fn of_target(path: &Path, accepted: &[Format]) -> Result<Format> {
        if is_standard(path) {
            return match accepted.contains(&Format::Csv) {
                true => Ok(Format::Standard),
                false => Err(Error::Kind {
                    path: path.to_owned(),
                    found: "standard output".into(),
                    expected: format!("a file: {}", listed(accepted)),
                }),
            };
        }
        let ending = path.extension().unwrap_or_default();
        let ending = ending.to_string_lossy().to_ascii_lowercase();
        match accepted.iter().find(|format| format.name() == ending) {
            Some(format) => check_target(path).map(|()| *format),
            None => Err(Error::Format {
                path: path.to_owned(),
                found: ending,
                expected: listed(accepted),
            }),
        }
    }
}

/// Lists file extensions in words, such as `npy, csv or vtp`.
fn listed(accepted: &[Format]) -> String {
    let names: Vec<&str> = accepted.iter().map(|format| format.name()).collect();
    match &names[..] {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_name_the_format() {
        let accepted = [Format::Npy, Format::Csv, Format::Vtp];
        let of = |name: &str| Format::of_target(Path::new(name), &accepted);
        assert_eq!(of("a.NPY").unwrap(), Format::Npy);
        assert_eq!(of("-").unwrap(), Format::Standard);
        let error = of("a.stl").unwrap_err().to_string();
        assert_eq!(
            error,
            "a.stl: unknown format \"stl\", expected one of npy, csv or vtp"
        );
        let error = Format::of_target(Path::new("-"), &[Format::Npy, Format::Vtp]).unwrap_err();
        let expected = "-: found standard output, expected a file: npy or vtp";
        assert_eq!(error.to_string(), expected);
        assert!(of("no-such-folder/a.csv").is_err());
    }
}
