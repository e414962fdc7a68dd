//! Triangles and surfaces that meet, against exact arithmetic and all pairs.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

#[path = "../exact/mod.rs"]
mod exact;
mod oracle;

mod distances;
mod surfaces;
mod triangles;
