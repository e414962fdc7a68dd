//! What is asked about: read and checked once, with one meaning of each default.

pub mod bodies;
pub mod gas;
