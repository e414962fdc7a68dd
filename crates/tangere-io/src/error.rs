//! Errors of reading and writing files.

use std::fmt;
use std::path::{Path, PathBuf};

/// A result whose error is [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Error of reading or writing a file; every variant names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system reported an error about a file.
    #[error("{}: {}", path.display(), said(source))]
    File {
        /// The file that could not be read or written.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The folder of a file to be written does not exist.
    #[error("{}: the folder {} does not exist", path.display(), folder.display())]
    Folder {
        /// The file that was to be written.
        path: PathBuf,
        /// The folder that does not exist.
        folder: PathBuf,
    },
    /// The content of a file breaks the rules of its format.
    #[error("{}: {fault}", path.display())]
    Content {
        /// The file with the invalid content.
        path: PathBuf,
        /// The fault in the content: its position, what was found and what was expected.
        fault: Fault,
    },
    /// The content of a file is well-formed, but not a valid shape.
    #[error("{}: {source}", path.display())]
    Shape {
        /// The file that contains the invalid shape.
        path: PathBuf,
        /// The error of the library, which describes the invalid shape.
        source: tangere::Error,
    },
    /// A part of a scene cannot be created: its file cannot be read, or it is not a valid shape.
    #[error("{}{place}: {source}", opening(path.as_deref()))]
    Scene {
        /// The scene file; `None` if a program provides the scene.
        path: Option<PathBuf>,
        /// The position of the part in the scene: a line, or the number of a body.
        place: Place,
        /// Why the part of the scene cannot be created.
        source: Box<Cause>,
    },
    /// The file extension is not that of a format that can be read, or written.
    #[error("{}: unknown format {found:?}, expected one of {expected}", path.display())]
    Format {
        /// The file whose extension is not known.
        path: PathBuf,
        /// The extension of the file.
        found: String,
        /// The file extensions that are accepted, as a list in words.
        expected: String,
    },
    /// The format of a file is known, but does not support the content.
    #[error("{}: {format} {reason}", path.display())]
    Unfit {
        /// The file whose format does not support the content.
        path: PathBuf,
        /// The name of the format that does not support the content.
        format: String,
        /// The reason why the format does not support the content; it follows the name of the
        /// format in the message.
        reason: &'static str,
    },
    /// The content of a file is of another kind than requested, such as points instead of a
    /// surface.
    #[error("{}: found {found}, expected {expected}", path.display())]
    Kind {
        /// The file whose content is of another kind than requested.
        path: PathBuf,
        /// The kind of content found, such as `points`.
        found: String,
        /// The kind of content expected, such as `a surface`.
        expected: String,
    },
}

/// Why a part of a scene cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// The file of the part of the scene cannot be read.
    #[error(transparent)]
    File(#[from] Error),
    /// The part of the scene is not a valid shape or body.
    #[error(transparent)]
    Shape(#[from] tangere::Error),
}

/// Returns the path and a colon as the beginning of a message; empty if there is no file.
fn opening(path: Option<&Path>) -> String {
    path.map_or_else(String::new, |path| format!("{}: ", path.display()))
}

/// Returns the message of an error of the operating system; `is a folder` if the path is one.
fn said(source: &std::io::Error) -> String {
    match source.kind() {
        std::io::ErrorKind::IsADirectory => "is a folder".to_owned(),
        _ => source.to_string(),
    }
}

impl Error {
    /// Whether the error is that memory ran out, while reading a file or creating what it
    /// describes.
    pub fn is_out_of_memory(&self) -> bool {
        match self {
            Error::File { source, .. } => source.kind() == std::io::ErrorKind::OutOfMemory,
            Error::Shape { source, .. } => matches!(source, tangere::Error::Memory { .. }),
            Error::Scene { source, .. } => match source.as_ref() {
                Cause::File(error) => error.is_out_of_memory(),
                Cause::Shape(error) => matches!(error, tangere::Error::Memory { .. }),
            },
            _ => false,
        }
    }

    pub(crate) fn file(path: &Path, source: std::io::Error) -> Self {
        Error::File {
            path: path.to_owned(),
            source,
        }
    }

    pub(crate) fn content(path: &Path, fault: Fault) -> Self {
        Error::Content {
            path: path.to_owned(),
            fault,
        }
    }

    pub(crate) fn shape(path: &Path, source: tangere::Error) -> Self {
        Error::Shape {
            path: path.to_owned(),
            source,
        }
    }
}

/// Fault in the content of a file: where it is, what was found and what was expected. Parsers
/// return it. Callers that know the path of the file convert it to an [`Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The position of the fault in the file.
    pub place: Place,
    /// What was found at the position of the fault.
    pub found: String,
    /// What was expected at the position of the fault.
    pub expected: String,
}

impl Fault {
    /// Returns a fault at the position `place` of a file.
    pub fn new(place: Place, found: impl fmt::Display, expected: impl Into<String>) -> Self {
        Fault {
            place,
            found: found.to_string(),
            expected: expected.into(),
        }
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: found {}, expected {}",
            self.place, self.found, self.expected
        )
    }
}

impl Fault {
    /// Converts an error of the library about a mesh or particles to a fault in the file that they
    /// come from.
    pub(crate) fn of_library(error: tangere::Error) -> Self {
        match error {
            tangere::Error::Item {
                what,
                index,
                found,
                expected,
            } => Fault::new(Place::Item(what.name(), index), found, expected),
            tangere::Error::Argument {
                what,
                found,
                expected,
            } => Fault::new(Place::Part(what.name()), found, expected),
            other => Fault::new(Place::Part("mesh"), other, "a mesh that can be used"),
        }
    }
}

/// Position in a file or scene, for errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a text file, counted from 1.
    Line(usize),
    /// A byte of a binary file, counted from 0.
    Byte(usize),
    /// An item by its kind, such as `row` or `vertex`, and its index, counted from 0.
    Item(&'static str, usize),
    /// A named part of the file, such as a header or an XML element.
    Part(&'static str),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(n) => write!(f, "line {n}"),
            Place::Byte(n) => write!(f, "byte {n}"),
            Place::Item(what, n) => write!(f, "{what} {n}"),
            Place::Part(name) => f.write_str(name),
        }
    }
}
