//! muth2006: point containment in bodies of many triangles, by fast multipoles or by ray crossing.
//!
//! The double layer potential is evaluated by [`tangere::inside::Multipole`] with the trees of the
//! paper and expansions of a degree of about log N, where N is the number of triangles. The depth
//! of the trees is chosen in two ways: with and without knowledge of the number of query points.
//! Crossings are counted by [`tangere::inside::Ray`], which tests every triangle, as the paper
//! does. Bodies are the paper's spheres, and foams with about as many triangles as the paper's.
//! Query points are the centres of the equal cells that divide the cube around the body.

mod claims;
mod comparisons;
mod estimates;
mod figures;
mod measure;
mod passes;
mod quadrature;
mod table1;
mod table2;
mod taylor;
mod together;

use self::figures::Subject;
use self::measure::measured;
use self::passes::Passes;
use super::finding::Finding;
use super::timing::{FEWEST_BATCHES, MOST_BATCHES};
use super::{Effort, Experiment, Paper};
use crate::Error;
use tangere::generate;
use tangere::shape::TriMesh;

pub const PAPER: Paper = Paper {
    key: "muth2006",
    title: "Collision detection for complicated polyhedra using the fast multipole method or \
            ray crossing",
    about: "B. Muth, G. Of, P. Eberhard and O. Steinbach decide point containment by the double \
        layer potential, evaluated by fast multipoles, or by counting the crossings of a ray \
        with all triangles. Total time is set-up and evaluation. WC denotes a tree depth well \
        chosen from the numbers of triangles and points, PC one pre-chosen from the triangles \
        alone.",
    experiments: &[
        Experiment {
            what: "Taylor series against spherical harmonics",
            claims: &[&claims::TAYLOR],
            weight: 5,
            run: taylor::all,
        },
        Experiment {
            what: "coefficients, exactly and by quadrature",
            claims: &[&claims::QUADRATURE],
            weight: 3,
            run: quadrature::all,
        },
        Experiment {
            what: "estimate of the kernel",
            claims: &[&claims::ESTIMATE_26],
            weight: 2,
            run: estimates::kernel,
        },
        Experiment {
            what: "estimate of the potential",
            claims: &[&claims::ESTIMATE_27],
            weight: 20,
            run: estimates::potential,
        },
        Experiment {
            what: "operations of the set-up and of near fields",
            claims: &[&claims::TABLE_1_SET_UP, &claims::TABLE_1_NEAR_FIELD],
            weight: 5,
            run: table1::counts,
        },
        Experiment {
            what: "cost against the degree",
            claims: &[&claims::TABLE_1_DEGREE],
            weight: 10,
            run: table1::degrees,
        },
        Experiment {
            what: "triangles and points that grow together",
            claims: &[&claims::TOGETHER],
            weight: 60,
            run: together::all,
        },
        Experiment {
            what: "spheres",
            claims: &[
                &claims::FIGURE_7,
                &claims::FIGURE_8,
                &claims::FIGURE_9,
                &claims::FIGURE_10,
                &claims::FIGURE_10_FINEST,
                &claims::TABLE_2,
                &claims::TABLE_2_DEPTH,
            ],
            weight: 300,
            run: spheres,
        },
        Experiment {
            what: "foams",
            claims: &[
                &claims::FIGURE_12,
                &claims::FIGURE_13,
                &claims::FIGURE_14,
                &claims::FIGURE_15,
            ],
            weight: 500,
            run: foams,
        },
    ],
};

/// Returns for each grid of query points its number of points along an edge.
fn grids(effort: &Effort) -> Vec<usize> {
    match is_quick(effort) {
        true => vec![10, 20, 40],
        false => vec![10, 20, 40, 80],
    }
}

fn is_quick(effort: &Effort) -> bool {
    effort.largest < Effort::FULL.largest
}

/// Measures until all checks of the findings are decided.
fn repeated(
    effort: &Effort,
    bodies: &[TriMesh],
    findings: impl Fn(&Passes) -> Vec<Finding>,
) -> Result<Vec<Finding>, Error> {
    let most = if effort.is_least() { 1 } else { MOST_BATCHES };
    let mut passes = Passes::default();
    loop {
        let is_first = passes.passes.is_empty();
        passes.add(measured(effort, bodies, &grids(effort), is_first)?);
        let count = passes.passes.len();
        if count < most.min(FEWEST_BATCHES) {
            continue;
        }
        let found = findings(&passes);
        if found.iter().all(Finding::is_decided) || count >= most {
            return Ok(found);
        }
    }
}

fn spheres(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let most = if is_quick(effort) { 6 } else { 7 };
    let bodies = (0..=most).map(generate::sphere);
    let bodies = bodies.collect::<Result<Vec<_>, _>>()?;
    repeated(effort, &bodies, |passes| {
        let claims = [&claims::FIGURE_7, &claims::FIGURE_8, &claims::FIGURE_9];
        let mut findings = figures::figures(effort, passes, claims, Subject::Sphere);
        findings.extend(comparisons::figure_10(effort, passes));
        findings.push(table2::linear(effort, passes));
        findings.push(table2::depth(effort, passes));
        findings
    })
}

fn foams(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let counts: &[usize] = match is_quick(effort) {
        // Over a shorter range the error of times hides whether growth is linear.
        true => &[2_000, 14_000, 100_000],
        false => &[28_952, 120_868, 494_124],
    };
    let bodies = counts.iter().map(|&count| generate::foam(count, 1));
    let bodies: Vec<TriMesh> = bodies.collect::<Result<_, _>>()?;
    repeated(effort, &bodies, |passes| {
        let claims = [&claims::FIGURE_12, &claims::FIGURE_13, &claims::FIGURE_14];
        let mut findings = figures::figures(effort, passes, claims, Subject::Foam);
        findings.push(comparisons::figure_15(effort, passes));
        findings
    })
}
