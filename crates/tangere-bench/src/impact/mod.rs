//! Times of first contact: corners that move straight, balls that accelerate.

mod primitive;
mod trajectory;

use crate::{Options, Outcome};

/// Turns that contestants take.
const TURNS: usize = 15;

pub fn run(options: &Options) -> Outcome {
    primitive::run(options)?;
    trajectory::run(options)
}
