//! Failures of subcommands and their exit codes.

use std::io::ErrorKind;
use tangere::Argument::{self, AxisPeriod, AxisWalls};

/// Failure of a subcommand, which determines the exit code.
#[derive(Debug)]
pub enum Failure {
    /// Wrong usage or bad input: exit code 2.
    Input(String),
    /// Anything else, such as a full disk: exit code 1.
    Work(String),
    /// The program that reads the pipe closed it: exit code 0.
    Closed,
}

impl Failure {
    /// Returns the failure for an answer that differs from its verification, which is a bug of the
    /// library. `difference` describes it.
    pub fn internal(difference: impl std::fmt::Display) -> Self {
        Failure::Work(format!("internal error, please report it: {difference}"))
    }

    /// Returns the failure for an error of the library. The message names the option at fault.
    pub fn option(error: tangere::Error) -> Self {
        use tangere::Error::{Argument, Item};
        match error {
            Argument {
                what,
                found,
                expected,
            } => {
                let option = option(what);
                Failure::Input(format!("{option}: found {found}, expected {expected}"))
            }
            Item {
                what: what @ (AxisPeriod | AxisWalls),
                index,
                found,
                expected,
            } => {
                let option = option(what);
                let message = format!("{option}: axis {index}: found {found}, expected {expected}");
                Failure::Input(message)
            }
            error => error.into(),
        }
    }

    /// Returns the failure for an error of the library about input. The message begins with `name`:
    /// a file, or a part of the input such as `step 3`.
    pub fn of_file(name: &str, error: &tangere::Error) -> Self {
        let message = format!("{name}: {error}");
        match error {
            tangere::Error::Memory { .. } => Failure::Work(message),
            _ => Failure::Input(message),
        }
    }

    /// Returns the failure of reading a file; a missing file is bad input.
    pub fn reading(error: tangere_io::Error) -> Self {
        match error {
            error if error.is_out_of_memory() => Failure::Work(error.to_string()),
            tangere_io::Error::File { ref source, .. } if !is_usage(source.kind()) => {
                Failure::Work(error.to_string())
            }
            tangere_io::Error::Shape {
                path,
                source:
                    tangere::Error::Argument {
                        what: what @ (Argument::Format | Argument::Periodic),
                        found,
                        expected,
                    },
            } => Failure::Input(format!(
                "{}: {}: found {found}, expected {expected}",
                path.display(),
                option(what)
            )),
            error => Failure::Input(error.to_string()),
        }
    }

    /// Returns the failure of writing a file.
    pub fn writing(error: tangere_io::Error) -> Self {
        match &error {
            tangere_io::Error::File { .. } | tangere_io::Error::Folder { .. } => {
                Failure::Work(error.to_string())
            }
            _ => Failure::Input(error.to_string()),
        }
    }
}

/// Returns the command-line option that sets an argument of the library, such as `--periodic`.
fn option(what: Argument) -> String {
    let name = match what {
        AxisPeriod => "periodic",
        AxisWalls => "walls",
        Argument::ExpansionDegree => "degree",
        Argument::ClusterSeparation => "separation",
        Argument::MultipoleDepth => "depth",
        other => other.name(),
    };
    format!("--{}", name.replace(' ', "-"))
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
    /// Returns the failure of a query that finds pairs. If memory runs out, the message recommends
    /// `--max-pairs`.
    pub fn limited(error: tangere::Error) -> Self {
        match error {
            tangere::Error::Memory { .. } => {
                Failure::Work(format!("{error}; set the limit with --max-pairs"))
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
