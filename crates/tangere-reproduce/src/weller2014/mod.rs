//! weller2014: penetration volume from sphere packings in a hierarchical grid.

mod chazelle;
mod claims;
mod forces;
mod scene;
mod times;

use super::{Experiment, Paper};

pub use scene::rotating_copy;

pub const PAPER: Paper = Paper {
    key: "weller2014",
    title: "Parallel collision detection in constant time",
    about: "R. Weller, U. Frese and G. Zachmann fill bodies with disjoint spheres (sphere packing) and \
        add up the intersections of the spheres of two bodies to a penetration volume. The paper's \
        bodies are not public; here they are a knot, from few and from many triangles, a sponge and a \
        polyhedron with the shape of an ellipsoid. As in the paper one body is fixed, and a copy of it, shifted by half of its \
        bounding box, rotates. The paper's times are those of a GTX 680 GPU, those here of one CPU thread.",
    experiments: &[
        Experiment {
            what: "two Chazelle polyhedra",
            claims: &[&claims::FIGURE_1, &claims::THEOREM],
            weight: 30,
            run: chazelle::polyhedra,
        },
        Experiment {
            what: "packings, queries and cells",
            claims: &[
                &claims::FILLING,
                &claims::FIGURE_5,
                &claims::CONFIGURATIONS,
                &claims::LINEAR,
                &claims::FLAT,
                &claims::TRIANGLES,
                &claims::FIGURE_6,
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
