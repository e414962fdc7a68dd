//! Sphere packing and penetration volume: the benchmark of weller2014.
//!
//! A body is fixed; its copy, shifted by half of its bounding box, rotates about its centre.
//! Reports the median and the worst of many poses, each the minimum of several times: wall time on
//! all threads, which matters for haptic rendering, and time of one thread.

mod bodies;
mod linear;
mod pack;
mod query;

use crate::{Options, Outcome};

pub fn run(options: &Options) -> Outcome {
    for body in bodies::all(options.quick)? {
        let packings = pack::run(options, &body)?;
        query::run(options, &body, &packings)?;
    }
    linear::run(options)
}
