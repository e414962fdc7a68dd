//! How far apart, and how deep?
//!
//! | question | answer |
//! |---|---|
//! | two convex bodies, once or at every step of a motion | [`Tracker`] |
mod convex;

pub use convex::{Counts, Posed, Tracker};
