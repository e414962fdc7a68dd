//! Inputs: files read and checked once, with one meaning of each default.

pub mod convex;
pub mod points;
pub mod surface;
