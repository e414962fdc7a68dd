//! What is asked about: read and checked once, with one meaning of each default.

pub mod bodies;
pub mod convex;
pub mod gas;
pub mod points;
pub mod surface;
