//! Benchmarks of continuous collision detection: linear vertex-face and edge-edge motion,
//! accelerated balls, rigid bodies with spin, and event-driven hard spheres.

mod engine;
mod gas;
mod primitive;
mod trajectory;

use crate::{Options, Outcome};

/// The number of turns of each contestant.
const TURNS: usize = 15;

pub fn run(options: &Options) -> Outcome {
    primitive::run(options)?;
    engine::run(options)?;
    trajectory::run(options)?;
    gas::run(options)
}
