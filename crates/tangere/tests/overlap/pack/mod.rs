//! Sphere packing: valid, greedy, deterministic; invalid input is rejected.

mod bad;
mod bodies;
mod ends;
mod forms;
mod valid;
