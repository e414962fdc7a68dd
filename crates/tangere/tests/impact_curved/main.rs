//! Finite element faces in the engine of impacts.
#![allow(clippy::unwrap_used)]

mod closed;
mod flat;
mod oracle;
mod scenes;
mod shapes;
