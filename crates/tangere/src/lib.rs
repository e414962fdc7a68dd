//! Contact detection for simulation.
pub mod error;
pub mod generate;
pub mod geometry;
pub mod parallel;
pub mod shape;
pub mod tree;

pub use error::{Error, Result};
