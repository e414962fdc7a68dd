//! Inputs: files read and checked once, with one meaning of each default.

pub mod overlap;
pub mod points;
pub mod shape;
