//! The engine of impacts, seen by others: fine stepping, brute force over all features, and what must never happen.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod bad;
mod bodies;
mod checks;
mod deforming;
mod examples;
mod extremes;
mod features;
mod many;
mod observe;
mod oracle;
mod same;
mod sequences;
mod stepping;
mod straight;
mod ties;
mod touching;
