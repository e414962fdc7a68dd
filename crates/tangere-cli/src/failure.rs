//! Why a subcommand ended early.

use std::io::ErrorKind;
use tangere_front::inputs::overlap::Refused;

/// The reason, and with it the exit code.
#[derive(Debug)]
pub enum Failure {
    /// Wrong usage or bad input: exit code 2.
    Input(String),
    /// Anything else, such as a full disk: exit code 1.
    Work(String),
    /// Nobody reads on: exit code 0.
    Closed,
}

impl Failure {
    /// An answer that differs from what it is compared with.
    pub fn internal(difference: impl std::fmt::Display) -> Self {
        Failure::Work(format!("internal error, please report it: {difference}"))
    }

    /// Why an option cannot be used.
    pub fn option(refused: Refused) -> Self {
        let Refused {
            name,
            found,
            expected,
        } = refused;
        let name = name.replace('_', "-");
        Failure::Input(format!("--{name}: found {found}, expected {expected}"))
    }

    /// Why a file could not be read. One that is not there is bad input.
    pub fn reading(error: tangere_io::Error) -> Self {
        match &error {
            _ if error.is_out_of_memory() => Failure::Work(error.to_string()),
            tangere_io::Error::File { source, .. } if !is_usage(source.kind()) => {
                Failure::Work(error.to_string())
            }
            _ => Failure::Input(error.to_string()),
        }
    }

    /// Why a file could not be written.
    pub fn writing(error: tangere_io::Error) -> Self {
        match &error {
            tangere_io::Error::File { .. } | tangere_io::Error::Folder { .. } => {
                Failure::Work(error.to_string())
            }
            _ => Failure::Input(error.to_string()),
        }
    }
}

fn is_usage(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::IsADirectory
            | ErrorKind::InvalidInput
            | ErrorKind::InvalidFilename
    )
}

impl From<tangere_demo::Error> for Failure {
    fn from(error: tangere_demo::Error) -> Self {
        match error {
            tangere_demo::Error::Library(error) => error.into(),
            other => Failure::Work(other.to_string()),
        }
    }
}

impl From<tangere_reproduce::Error> for Failure {
    fn from(error: tangere_reproduce::Error) -> Self {
        match error {
            tangere_reproduce::Error::Library(error) => error.into(),
            other => Failure::Work(other.to_string()),
        }
    }
}

impl Failure {
    /// Why there is no answer to a question that `--max-pairs` limits.
    pub fn limited(error: tangere::Error) -> Self {
        match error {
            tangere::Error::Memory { .. } => {
                Failure::Work(format!("{error}; limit with --max-pairs"))
            }
            other => other.into(),
        }
    }
}

impl From<tangere::Error> for Failure {
    fn from(error: tangere::Error) -> Self {
        match &error {
            tangere::Error::Memory { .. } => Failure::Work(error.to_string()),
            _ => Failure::Input(error.to_string()),
        }
    }
}
