//! How far apart, and how deep?
//!
//! | question | answer |
//! |---|---|
//! | two convex bodies, once or at every step of a motion | [`Tracker`] |
//! | is that answer right? | [`certificate`] |
//! | two small convex bodies, in the plainest way | [`exhaustive`] |
mod convex;

pub use convex::{Claim, Counts, Posed, Tracker, Violation, certificate, exhaustive};
