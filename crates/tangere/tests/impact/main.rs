//! Tests of continuous collision detection: primitives, trajectories, hierarchies, the engine, and
//! the hard sphere gas.

mod curved;
mod engine;
mod gas;
mod hierarchy;
mod primitive;
mod trajectory;
