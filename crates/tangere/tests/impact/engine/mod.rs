//! Tests of the impact engine against independent oracles: fine stepping, brute force over all
//! features, invariants.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod bodies;
mod checks;
mod creeping;
mod deforming;
mod determinism;
mod examples;
mod extremes;
mod features;
mod invalid_input;
mod linear_motion;
mod many_bodies;
mod observe;
mod oracle;
mod sequences;
mod simultaneous;
mod stepping;
mod touching;
