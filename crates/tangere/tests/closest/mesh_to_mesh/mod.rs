//! Intersections and distances of triangles and meshes, against exact arithmetic and brute force.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

mod oracle;

mod containment;
mod distances;
mod surfaces;
mod triangles;
