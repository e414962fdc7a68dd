//! weller2014: penetration volumes from sphere packings in levels of cells.

mod chazelle;
mod scene;
mod times;

use super::{Experiment, Paper};

pub const PAPER: Paper = Paper {
    key: "weller2014",
    title: "Parallel collision detection in constant time",
    about: "R. Weller, U. Frese and G. Zachmann fill bodies with spheres that do not overlap and add up \
            what those of two bodies share. The paper's bodies are not public; here they are a knot, \
            a sphere and a sponge. As in the paper one body is fixed, and a copy of it, moved by half \
            of its box, turns. The paper's times are those of a GTX 680, those here of one thread \
            of a processor.",
    experiments: &[
        Experiment {
            what: "two polyhedra of Chazelle",
            run: chazelle::polyhedra,
        },
        Experiment {
            what: "packings, queries and cells",
            run: times::all,
        },
    ],
};
