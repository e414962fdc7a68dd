//! Errors of reading and writing files.

use std::fmt;
use std::path::{Path, PathBuf};

/// A result whose error is [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Error of reading or writing a file; every variant names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("{}: {}", path.display(), said(source))]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The folder of a file to be written does not exist.
    #[error("{}: the folder {} does not exist", path.display(), folder.display())]
    Folder {
        /// The file.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The content breaks the rules of its format.
    #[error("{}: {fault}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The fault: its position, what was found and what was expected.
        fault: Fault,
    },
    /// The content is well-formed, but not a valid shape.
    #[error("{}: {source}", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// The error of the library.
        source: tangere::Error,
    },
    /// A part of a scene cannot be created: its file cannot be read, or it is not a valid shape.
    #[error("{}{place}: {source}", opening(path.as_deref()))]
    Scene {
        /// The scene, if it is a file.
        path: Option<PathBuf>,
        /// The part of the scene.
        place: Place,
        /// The cause of the error.
        source: Box<Cause>,
    },
    /// The file extension is not one that can be read (or written).
    #[error("{}: unknown format {found:?}, expected one of {expected}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The extension found.
        found: String,
        /// The known extensions.
        expected: String,
    },
    /// The format is known, but does not support this content.
    #[error("{}: {format} {reason}", path.display())]
    Unfit {
        /// The file.
        path: PathBuf,
        /// The name of the format.
        format: String,
        /// The reason.
        reason: &'static str,
    },
    /// The content of the file is of another kind than requested.
    #[error("{}: found {found}, expected {expected}", path.display())]
    Kind {
        /// The file.
        path: PathBuf,
        /// The content found.
        found: String,
        /// The content expected.
        expected: String,
    },
}

/// Cause of an error of a part of a scene.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// The file of the part cannot be read.
    #[error(transparent)]
    File(#[from] Error),
    /// The part is not a valid shape or body.
    #[error(transparent)]
    Shape(#[from] tangere::Error),
}

/// Returns the file name as the beginning of a message; empty if there is no file.
fn opening(path: Option<&Path>) -> String {
    path.map_or_else(String::new, |path| format!("{}: ", path.display()))
}

/// Returns the message of the operating system's error, in plain words if the path is a folder.
fn said(source: &std::io::Error) -> String {
    match source.kind() {
        std::io::ErrorKind::IsADirectory => "is a folder".to_owned(),
        _ => source.to_string(),
    }
}

impl Error {
    /// Whether an allocation for the shape or body that the file describes failed.
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
/// return it; callers that know the path convert it to an [`Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The position of the fault.
    pub place: Place,
    /// The content found.
    pub found: String,
    /// The content expected.
    pub expected: String,
}

impl Fault {
    /// Returns a fault at a position.
    pub fn new(place: Place, found: impl fmt::Display, expected: impl Into<String>) -> Self {
        Fault {
            place,
            found: found.to_string(),
            expected: expected.into(),
        }
    }
}

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

/// Position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of text, counted from 1.
    Line(usize),
    /// A byte of a binary file, counted from 0.
    Byte(usize),
    /// An item of a kind, counted from 0.
    Item(&'static str, usize),
    /// A named part, such as a header or an XML element.
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
