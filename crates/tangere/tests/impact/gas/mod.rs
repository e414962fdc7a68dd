//! Tests of the hard sphere gas: conservation, and its collisions against brute force and closed
//! forms.

mod cases;
mod conservation;
mod determinism;
mod dissipation;
mod invalid_input;
mod oracle;
mod physics;
