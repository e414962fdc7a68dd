//! weller2014: penetration volume from sphere packings in a hierarchical grid.

mod chazelle;
mod scene;
mod times;

use super::{Experiment, Paper};

pub use scene::rotating_copy;

pub const PAPER: Paper = Paper {
    key: "weller2014",
    title: "Parallel collision detection in constant time",
    about: "R. Weller, U. Frese and G. Zachmann fill bodies with disjoint spheres (sphere packing) and \
        add up the intersections of the spheres of two bodies to a penetration volume. The paper's \
        bodies are not public; here they are a knot, a sphere and a sponge. As in the paper one body \
        is fixed, and a copy of it, shifted by half of its bounding box, rotates. The paper's times \
        are those of a GTX 680 GPU, those here of one CPU thread.",
    experiments: &[
        Experiment {
            what: "two Chazelle polyhedra",
            run: chazelle::polyhedra,
        },
        Experiment {
            what: "packings, queries and cells",
            run: times::all,
        },
    ],
};
