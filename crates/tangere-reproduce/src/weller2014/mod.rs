//! weller2014: penetration volume from sphere packings in a hierarchical grid.

mod chazelle;
mod claims;
mod forces;
mod parallel;
mod scene;
mod tables;
mod times;

use super::{Experiment, Paper};

pub use scene::rotating_copy;

pub const PAPER: Paper = Paper {
    key: "weller2014",
    title: "Parallel collision detection in constant time",
    about: "R. Weller, U. Frese and G. Zachmann fill bodies with disjoint spheres (sphere packing) and \
        add up the intersections of the spheres of two bodies to a penetration volume. The paper's \
        bodies, mostly animals, are not given; here they are a knot, from 20 thousand and from 1.4 million triangles, \
        a body with limbs, a sponge, and the Chazelle polyhedron of figure 1. As in the paper one body is fixed, and a \
        copy of it, shifted by half of its bounding box, rotates. The paper's times are those of a GTX 680 GPU, those here of one CPU thread.",
    experiments: &[
        Experiment {
            what: "two Chazelle polyhedra",
            claims: &[&claims::FIGURE_1, &claims::THEOREM],
            weight: 30,
            run: chazelle::polyhedra,
        },
        Experiment {
            what: "packings, queries, cells and tables",
            claims: &[
                &claims::FILLING,
                &claims::FIGURE_5,
                &claims::CONFIGURATIONS,
                &claims::LINEAR,
                &claims::FLAT,
                &claims::TRIANGLES,
                &claims::FIGURE_6,
                &claims::OVERFLOW,
                &claims::COLLISIONS,
                &claims::PARALLEL,
                &claims::MEMORY,
                &claims::PERFECT_HASH,
                &claims::MORTON,
            ],
            weight: 200,
            run: times::all,
        },
        Experiment {
            what: "forces",
            claims: &[&claims::SPHERE_TREES, &claims::CONTINUITY],
            weight: 10,
            run: forces::all,
        },
    ],
};
