//! schinner1995: sweep and prune along every axis, and closest features tracked from step to step.

mod boxes;
mod features;
mod pair;

use super::{Experiment, Paper};

pub const PAPER: Paper = Paper {
    key: "schinner1995",
    title: "Fast collision detection for molecular dynamics of convex polyhedra",
    about: "A. Schinner keeps the ends of bounding boxes sorted along every axis by insertion sort \
        (sweep and prune), and tracks the closest features of two polyhedra from call to call. Boxes \
        move on straight lines at random velocities; c is the number of exchanges in a step, k \
        the number of pairs that begin or cease to overlap, and a motion of 1% is one of up to \
        a hundredth of the mean edge along each axis. Polyhedra are hulls of random points on \
        an ellipsoid, tracked by Tracker; a call takes one step if the features of the last call \
        are still the closest.",
    experiments: &[
        Experiment {
            what: "the one-dimensional case",
            run: boxes::one_dimension,
        },
        Experiment {
            what: "three dimensions",
            run: boxes::three_dimensions,
        },
        Experiment {
            what: "closest features of rotating polyhedra",
            run: features::rotating,
        },
    ],
};
