//! Bodies packed with spheres, and what two packings share: the benchmark of weller2014.
//!
//! A body is fixed; its copy, moved by half of its box, turns about its middle. Told are the median and
//! the worst of many poses, each with the least of several times: of the clock on all threads, as a haptic
//! device sees them, and of one thread.

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
