//! Triangles and surfaces that meet, against exact arithmetic and all pairs.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

mod oracle;

mod distances;
mod surfaces;
mod triangles;
