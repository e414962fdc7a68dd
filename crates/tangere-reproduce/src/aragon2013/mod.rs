//! aragon2013: overlap tests of bounding volumes, closest point of a finite element face, bounding
//! volume hierarchies, and times of impact of moving bodies.

mod algorithm1;
mod bodies;
mod body_hierarchies;
mod claims;
mod costs;
mod figure6_projectiles;
mod figure7_wall;
mod hierarchies;
mod iterations;
mod pictures;
mod table1_bounding_volumes;
mod table1_distances;
mod time_shares;
mod time_steps;

use super::{Experiment, Paper};

pub const PAPER: Paper = Paper {
    key: "aragon2013",
    title: "A hierarchical detection framework for computational contact mechanics",
    about: "A. M. Aragón and J.-F. Molinari exclude contact by bounding volumes before they compute \
        distances to finite element faces by sequential quadratic programming. They predict times of \
        impact by a priority queue of pairs of nodes of bounding volume hierarchies. Times of table 1 \
        are per test, for a thousand tests in a row. Bodies are eight random points in a rotated box \
        with edges between 0.4 and 2, at distances at which half of the tests of each kind find an \
        overlap, as in the paper. Assembled bodies replace its motorcycle, with as many faces as that has elements, and its jet, \
        whose number of elements is not printed.",
    experiments: &[
        Experiment {
            what: "overlap tests of bounding volumes",
            claims: &[&claims::TABLE_1_VOLUMES, &claims::OBB],
            weight: 5,
            run: table1_bounding_volumes::exclusion,
        },
        Experiment {
            what: "distances to faces",
            claims: &[
                &claims::TABLE_1_DISTANCE,
                &claims::ITERATIONS,
                &claims::DEVIATIONS,
            ],
            weight: 10,
            run: table1_distances::faces,
        },
        Experiment {
            what: "costs of detection",
            claims: &[&claims::EQUATION_19],
            weight: 20,
            run: costs::equation_19,
        },
        Experiment {
            what: "hierarchies of bounding spheres and boxes",
            claims: &[
                &claims::FIGURE_3,
                &claims::HEIGHTS,
                &claims::UNBALANCED,
                &claims::FIGURE_4,
                &claims::BRANCHING,
            ],
            weight: 60,
            run: hierarchies::all,
        },
        Experiment {
            what: "two projectiles",
            claims: &[&claims::FIGURE_6, &claims::FIGURE_6_PREDICTIONS],
            weight: 20,
            run: figure6_projectiles::figure_6,
        },
        Experiment {
            what: "a motorcycle and a wall",
            claims: &[
                &claims::FIGURE_7,
                &claims::FIGURE_7_MEETINGS,
                &claims::SHARES,
            ],
            weight: 20,
            run: figure7_wall::all,
        },
    ],
};

/// Deterministic random numbers (splitmix64).
struct Random(u64);

impl Random {
    /// Returns a number uniform from 0 to 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a point uniform in a cube of edge 2 about the origin.
    fn point<const D: usize>(&mut self) -> [f64; D] {
        [0.0; D].map(|_| 2.0 * self.unit() - 1.0)
    }

    /// Returns a uniformly distributed rotation.
    fn rotation(&mut self) -> tangere::Result<tangere::geometry::Pose> {
        loop {
            let q = self.point::<4>();
            let squared: f64 = q.iter().map(|x| x * x).sum();
            if (0.01..1.0).contains(&squared) {
                let [w, x, y, z] = q.map(|x| x / squared.sqrt());
                return tangere::geometry::Pose::from_numbers(&[0.0, 0.0, 0.0, w, x, y, z]);
            }
        }
    }
}
