//! Sphere packing is valid, greedy and deterministic, and rejects invalid input.

mod bad;
mod bodies;
mod ends;
mod forms;
mod valid;
