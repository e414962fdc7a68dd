//! The engine of impacts, seen by others: fine stepping, brute force over all features, and what must never happen.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod bodies;
mod checks;
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
