//! Errors of simulations.

use std::fmt;
use std::path::PathBuf;
use tangere::Error as Library;
use tangere_io::Fault;

/// Why a simulation could not be made or went wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A value is invalid.
    Invalid {
        /// What it is, with the item that has it.
        what: String,
        /// The value.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// The simulation stopped, because its state makes no sense any more.
    Stopped {
        /// The step in which it stopped.
        step: u64,
        /// The sphere at which it stopped.
        id: u64,
        /// Why.
        cause: String,
    },
    /// A scene is wrong.
    Scene {
        /// Its file; none if a program provides it.
        path: Option<PathBuf>,
        /// Where, what was found and what was expected.
        fault: Fault,
    },
    /// A file that describes the simulation cannot be read.
    Input(tangere_io::Error),
    /// The broad phase failed.
    Library(Library),
    /// A file is no checkpoint, or a damaged one.
    Damaged {
        /// Its path.
        path: String,
        /// Why.
        message: String,
    },
    /// A file could not be read or written.
    File {
        /// Its path.
        path: String,
        /// Why.
        message: String,
    },
}

/// What is returned where a simulation may fail.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn invalid(
        what: impl Into<String>,
        found: impl ToString,
        expected: impl Into<String>,
    ) -> Self {
        Self::Invalid {
            what: what.into(),
            found: found.to_string(),
            expected: expected.into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid {
                what,
                found,
                expected,
            } => write!(f, "{what}: found {found}, expected {expected}"),
            Self::Stopped { step, id, cause } => {
                write!(f, "stopped in step {step} at sphere {id}: {cause}")
            }
            Self::Scene { path, fault } => match path {
                Some(path) => write!(f, "{}: {fault}", path.display()),
                None => fault.fmt(f),
            },
            Self::Input(error) => error.fmt(f),
            Self::Library(error) => error.fmt(f),
            Self::Damaged { path, message } | Self::File { path, message } => {
                write!(f, "{path}: {message}")
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<Library> for Error {
    fn from(error: Library) -> Self {
        Self::Library(error)
    }
}

impl From<tangere_io::Error> for Error {
    fn from(error: tangere_io::Error) -> Self {
        Self::Input(error)
    }
}
