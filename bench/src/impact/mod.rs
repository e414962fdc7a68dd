//! Times of first contact: corners that move straight, balls that accelerate, bodies that move and turn, hard spheres that
//! collide.

mod engine;
mod gas;
mod primitive;
mod trajectory;

use crate::{Options, Outcome};

/// Turns that contestants take.
const TURNS: usize = 15;

pub fn run(options: &Options) -> Outcome {
    primitive::run(options)?;
    engine::run(options)?;
    trajectory::run(options)?;
    gas::run(options)
}
