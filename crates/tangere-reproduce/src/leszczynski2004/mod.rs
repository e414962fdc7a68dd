//! leszczynski2004: broad phase by a list sorted by distance, against linked cells.
//!
//! The paper's list is `Shells::from_corner`, its linked cells are `LinkedCells`; both count their
//! tests, which do not depend on the machine. Times of both include the rest of the library
//! (checks, sorting of the pairs); `auto` is the library's own choice of method.

mod claims;
mod contacts;
mod costs;
mod figure2;
mod plain;
mod sizes;

use super::{Effort, Experiment, Paper};
use tangere::generate::ParticleBox;
use tangere::pairs::{PairFinder, Shells};
use tangere::shape::Spheres;

pub const PAPER: Paper = Paper {
    key: "leszczynski2004",
    title: "Effective algorithm for detection of a collision between spherical particles",
    about: "J. S. Leszczynski and M. Ciesielski sort spheres by their distance from a corner and \
        compare with linked cells of p spheres on average, LCMp. Their times are of 2004 and \
        their curves are not printed as numbers, so orders and ratios are compared, and the \
        numbers of pairs tested, which do not depend on the machine.",
    experiments: &[
        Experiment {
            what: "contacts",
            claims: &[&claims::RATIOS_2D, &claims::RATIOS_3D],
            weight: 4,
            run: contacts::ratios,
        },
        Experiment {
            what: "pairs tested by linked cells",
            claims: &[&claims::TESTS],
            weight: 2,
            run: contacts::tests,
        },
        Experiment {
            what: "figure 2 in 2D",
            claims: &[&claims::FIGURE_2_2D, &claims::CONCLUSION_2D],
            weight: 60,
            run: figure2::run::<2>,
        },
        Experiment {
            what: "figure 2 in 3D",
            claims: &[&claims::FIGURE_2_3D, &claims::CONCLUSION_3D],
            weight: 120,
            run: figure2::run::<3>,
        },
        Experiment {
            what: "tables 1 to 3",
            claims: &[&claims::TABLE_1, &claims::TABLE_2, &claims::TABLE_3],
            weight: 10,
            run: sizes::tables,
        },
        Experiment {
            what: "dispersion of sizes",
            claims: &[&claims::DISPERSION],
            weight: 5,
            run: sizes::dispersion,
        },
        Experiment {
            what: "cost models and memory",
            claims: &[&claims::COSTS_LINKED, &claims::COSTS_LIST, &claims::MEMORY],
            weight: 10,
            run: costs::all,
        },
    ],
};

/// Function from the number of dimensions, the number of particles and the seed to a box of random
/// particles.
type Boxes = fn(usize, usize, u64) -> ParticleBox;

/// The tests A, B and C of section 3 of the paper: particles of decreasing size at the same number
/// density.
const TESTS: [(&str, Boxes); 3] = [
    ("A", ParticleBox::test_a),
    ("B", ParticleBox::test_b),
    ("C", ParticleBox::test_c),
];

/// Returns the paper's own method: a list sorted by the distance from a corner of the box.
fn list<const D: usize>() -> tangere::Result<Shells<D>> {
    Shells::from_corner(Default::default())
}

/// Finds all pairs anew, without reusing an earlier search; returns the number of pairs.
fn pairs<const D: usize>(
    finder: &mut dyn PairFinder<D>,
    spheres: &Spheres<D>,
    out: &mut Vec<[u32; 2]>,
) -> tangere::Result<usize> {
    // An update without items clears the order of the last search but keeps the memory.
    let none: (&[[f64; D]], &[f64]) = (&[], &[]);
    finder.update(none.into())?;
    finder.update(spheres.into())?;
    finder.pairs(out)?;
    Ok(out.len())
}
