//! The error type of the library.
//!
//! Every message names the item, the value found and what was expected, so that the input can be
//! fixed without reading the source.

mod argument;
mod count;

pub use argument::Argument;
pub use count::Count;

use crate::shape::MeshReport;

/// A result whose error is [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Why a call failed.
///
/// Shapes are checked when they are made. So a query on shapes fails only if one of its other
/// arguments is invalid, if memory runs out, or if it is stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// One item of an array cannot be used: for example, a coordinate is NaN, or an index is out of
    /// range.
    #[error("{what} {index}: found {found}, expected {expected}")]
    Item {
        /// The kind of item in the singular, such as [`Argument::Vertex`].
        what: Argument,
        /// The position of the item in the input, counted from 0.
        index: usize,
        /// The invalid value, as text.
        found: String,
        /// What would have been accepted.
        expected: String,
    },
    /// An argument cannot be used: for example, a tolerance is negative, or a mesh is empty.
    #[error("{what}: found {found}, expected {expected}")]
    Argument {
        /// The argument that cannot be used.
        what: Argument,
        /// The invalid value, as text.
        found: String,
        /// What would have been accepted.
        expected: String,
    },
    /// The number of items exceeds its limit.
    #[error("{what}: found {found}, expected at most {most}")]
    TooMany {
        /// The kind of items, such as [`Argument::Pairs`].
        what: Argument,
        /// The number of items.
        found: Count,
        /// The largest number allowed.
        most: u64,
    },
    /// Allocation failed, for a result or for scratch memory.
    #[error("out of memory: {} {what} need {}", count.short(), count::size(*bytes))]
    Memory {
        /// The kind of items that need the memory, such as [`Argument::Pairs`].
        what: Argument,
        /// The number of items that need the memory.
        count: Count,
        /// The number of bytes that the items need.
        bytes: u64,
    },
    /// A surface does not bound a volume: it is open, not oriented, or turned inside out.
    #[error("{what}: found {found}, expected {expected}")]
    Surface {
        /// The argument whose surface is rejected, such as [`Argument::Mesh`].
        what: Argument,
        /// What is wrong with the surface.
        found: &'static str,
        /// What would have been accepted.
        expected: &'static str,
        /// The full report on the rejected surface: its topology, measures and defects.
        report: Box<MeshReport>,
    },
    /// The work was cancelled ([`crate::stop::Stop`]).
    #[error("stopped before it was done")]
    Stopped,
}

impl Error {
    /// Returns an [`Error::Item`]: one item of an array cannot be used.
    pub fn item(
        what: Argument,
        index: usize,
        found: impl std::fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Error::Item {
            what,
            index,
            found: found.to_string(),
            expected: expected.into(),
        }
    }

    /// Returns an [`Error::Argument`]: an argument cannot be used.
    pub fn argument(
        what: Argument,
        found: impl std::fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Error::Argument {
            what,
            found: found.to_string(),
            expected: expected.into(),
        }
    }

    /// Returns an [`Error::TooMany`]: there are exactly `found` items, more than `most`.
    pub fn too_many(what: Argument, found: usize, most: usize) -> Self {
        Error::TooMany {
            what,
            found: Count::Exactly(found as u64),
            most: most as u64,
        }
    }
}

/// Returns a number as text for error messages: with an exponent where it would have many zeros.
pub(crate) fn number(x: f64) -> String {
    let is_plain = x == 0.0 || (1e-5..1e16).contains(&x.abs()) || !x.is_finite();
    if is_plain {
        x.to_string()
    } else {
        format!("{x:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_short() {
        for (x, text) in [
            (0.0, "0"),
            (-4.0, "-4"),
            (0.25, "0.25"),
            (1e15, "1000000000000000"),
            (-1e300, "-1e300"),
            (1e-320, "1e-320"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(number(x), text);
        }
    }
}
