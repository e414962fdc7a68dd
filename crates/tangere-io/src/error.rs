//! Errors of reading and writing files.

use std::fmt;
use std::path::{Path, PathBuf};

/// A result whose error is [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Why a file could not be read or written; every variant names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("{}: {}", path.display(), said(source))]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The folder of a file to write is not there.
    #[error("{}: the folder {} does not exist", path.display(), folder.display())]
    Folder {
        /// The file.
        path: PathBuf,
        /// Its folder.
        folder: PathBuf,
    },
    /// The content breaks the rules of its format.
    #[error("{}: {fault}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The place, what was found and what was expected.
        fault: Fault,
    },
    /// The content is well-formed, but no valid shape.
    #[error("{}: {source}", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// The error of the library.
        source: tangere::Error,
    },
    /// A part of a scene cannot be made: its file cannot be read, or it is no valid shape.
    #[error("{}{place}: {source}", opening(path.as_deref()))]
    Scene {
        /// The scene, if it is a file.
        path: Option<PathBuf>,
        /// The part.
        place: Place,
        /// What is wrong with it.
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
        /// Why.
        reason: &'static str,
    },
    /// The file has content of another kind than requested.
    #[error("{}: found {found}, expected {expected}", path.display())]
    Kind {
        /// The file.
        path: PathBuf,
        /// What it has.
        found: String,
        /// What would have been accepted.
        expected: String,
    },
}

/// Why a part of a scene cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// Its file cannot be read.
    #[error(transparent)]
    File(#[from] Error),
    /// It is no valid shape or body.
    #[error(transparent)]
    Shape(#[from] tangere::Error),
}

/// The file name as a prefix of the message; empty if there is no file.
fn opening(path: Option<&Path>) -> String {
    path.map_or_else(String::new, |path| format!("{}: ", path.display()))
}

/// The error of the system, in plain words where possible.
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

/// Where in a file something is wrong, what was found there and what was
/// expected. Parsers return it; callers that know the path turn it into an [`Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// What was found.
    pub found: String,
    /// What would have been accepted.
    pub expected: String,
}

impl Fault {
    /// A fault at a place.
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

/// A place in a file.
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
