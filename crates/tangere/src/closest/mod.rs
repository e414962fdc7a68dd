//! How far apart, and how deep?
//!
//! | question | answer |
//! |---|---|
//! | two convex bodies, once or at every step of a motion | [`Tracker`] |
//! | many pairs of them | [`ConvexPairs`] |
//! | all points where they touch | [`Patch`] |
//! | is that answer right? | [`certificate`] |
//! | two small convex bodies, in the plainest way | [`exhaustive`] |
mod convex;

pub use convex::{
    Claim, ConvexPairs, Counts, Patch, PatchPoint, Posed, Tracker, Violation, certificate,
    exhaustive, patch,
};
