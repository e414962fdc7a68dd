//! Finite element faces in the engine of impacts.

mod closed;
mod flat;
mod oracle;
mod scenes;
mod shapes;
