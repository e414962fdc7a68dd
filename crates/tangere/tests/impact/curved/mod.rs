//! Tests of curved finite element faces in the impact engine.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod closed;
mod flat;
mod oracle;
mod scenes;
mod shapes;
