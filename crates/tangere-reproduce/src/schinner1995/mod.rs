//! schinner1995: sweep and prune along every axis, and closest features tracked from step to step.

mod any_start;
mod boxes;
mod claims;
mod example;
mod features;
mod grains;
mod pair;
mod system;
mod volumes;

pub use grains::MovingGrains;

use super::{Experiment, Paper};

pub const PAPER: Paper = Paper {
    key: "schinner1995",
    title: "Untitled text of A. Schinner on collision detection",
    about: "The text prints neither title nor year of its own; its list of references has a diploma thesis by A. \
        Schinner of 1995, which gives the key. It keeps the ends of bounding boxes sorted along every axis by insertion sort \
        (sweep and prune), and tracks the closest features of two polyhedra from call to call. Boxes \
        move on straight lines at random velocities; c is the number of exchanges in a step, k \
        the number of pairs that begin or cease to overlap, and a motion of 1% is one of up to \
        a hundredth of the mean edge along each axis. Polyhedra are hulls of random points on \
        an ellipsoid, tracked by Lin's walk as published (LinWalk) and by the engine's Tracker; a call takes \
        one iteration or step if the features of the last call are still the closest.",
    experiments: &[
        Experiment {
            what: "kinds of bounding boxes",
            claims: &[&claims::VOLUMES],
            weight: 1,
            run: volumes::all,
        },
        Experiment {
            what: "worked example",
            claims: &[&claims::EXAMPLE],
            weight: 1,
            run: example::all,
        },
        Experiment {
            what: "the one-dimensional case",
            claims: &[&claims::ONE_DIMENSION, &claims::EXCHANGES],
            weight: 5,
            run: boxes::one_dimension,
        },
        Experiment {
            what: "three dimensions",
            claims: &[&claims::COST, &claims::THREE_DIMENSIONS],
            weight: 30,
            run: boxes::three_dimensions,
        },
        Experiment {
            what: "closest features of rotating polyhedra",
            claims: &[&claims::TABLE, &claims::FIGURE_6, &claims::RATES],
            weight: 60,
            run: features::rotating,
        },
        Experiment {
            what: "systems of polyhedra",
            claims: &[&claims::SYSTEM, &claims::SHAPES],
            weight: 60,
            run: system::all,
        },
        Experiment {
            what: "walks from any features",
            claims: &[&claims::ANY_START],
            weight: 20,
            run: any_start::all,
        },
    ],
};
