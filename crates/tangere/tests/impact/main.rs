//! Continuous collision detection: primitives, trajectories, hierarchies, the engine, and hard
//! spheres.

mod curved;
mod engine;
mod gas;
mod hierarchy;
mod primitive;
mod trajectory;
