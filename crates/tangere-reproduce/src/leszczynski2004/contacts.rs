//! Sections 2.1 and 3 of `leszczynski2004`: numbers of contacts, and of pairs tested by linked
//! cells.

use super::super::Effort;
use super::super::finding::{Cell, Data, Finding, word};
use super::{TESTS, pairs};
use crate::Error;
use serde_json::{Map, Value, json};
use std::f64::consts::PI;
use tangere::generate::{ParticleBox, particles};
use tangere::pairs::{Auto, LinkedCells};

/// The paper's number of contacts per particle (section 3) for tests A, B and C: first in the
/// plane, then in space.
const RATIOS: [[f64; 3]; 2] = [[0.87, 0.19, 0.02], [0.90, 0.10, 0.04]];

/// Whether a published and a measured number of contacts per particle agree. The paper prints whole
/// percent for an unknown number of particles, and walls reduce the contacts in small boxes by some
/// percent.
fn agree(published: f64, measured: f64) -> bool {
    (measured - published).abs() <= 0.01 + 0.05 * published
}

/// Measures section 3: contacts per particle.
pub fn ratios(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let plane = ratio_finding::<2>(
        effort,
        "contact ratios, 2D",
        "Contacts are 87% (test A), 19% (B) and 2% (C) of the number of particles.",
    )?;
    let space = ratio_finding::<3>(
        effort,
        "contact ratios, 3D",
        "Contacts are 90% (test A), 10% (B) and 4% (C) of the number of particles.",
    )?;
    Ok(vec![plane, space])
}

/// Returns the expected contacts per particle in unbounded space: `density / 2` times the mean
/// volume in which two particles touch.
///
/// With diameters uniform in `[lo, hi]` the distance of the centres at which two particles touch,
/// `s = (d1 + d2) / 2`, is symmetric about its mean `m` with variance `v = (hi - lo)^2 / 24`: the
/// mean of `s^2` is `m^2 + v`, that of `s^3` is `m^3 + 3 m v`.
fn expectation<const D: usize>(settings: &ParticleBox) -> f64 {
    let [lo, hi] = settings.diameters;
    let (m, v) = (0.5 * (lo + hi), (hi - lo) * (hi - lo) / 24.0);
    let volume = match D {
        2 => PI * (m * m + v),
        _ => 4.0 / 3.0 * PI * (m * m * m + 3.0 * m * v),
    };
    0.5 * settings.density * volume
}

fn ratio_finding<const D: usize>(
    effort: &Effort,
    name: &'static str,
    claim: &str,
) -> Result<Finding, Error> {
    let published = RATIOS[D - 2];
    let mut finder = Auto::<D>::new(Default::default())?;
    let (mut rows, mut out) = (Vec::new(), Vec::new());
    let mut last = [0.0; 3];
    let counts = [1000, 10_000, effort.largest];
    for (t, (test, make)) in TESTS.iter().enumerate() {
        let mut sizes: Vec<usize> = counts
            .into_iter()
            .filter(|&n| n <= effort.largest)
            .collect();
        sizes.dedup();
        for count in sizes {
            // Each size has the same number of particles in all, so that all means are equally
            // accurate.
            let scenes = 5 * effort.largest / count;
            let mut contacts = 0;
            for seed in 0..scenes {
                let spheres = particles::<D>(&make(D, count, seed as u64))?;
                contacts += pairs(&mut finder, &spheres, &mut out)?;
            }
            last[t] = contacts as f64 / (count * scenes) as f64;
            rows.push(vec![
                word(*test),
                Cell::Count(count),
                Cell::Share(published[t]),
                Cell::Share(last[t]),
                Cell::Share(expectation::<D>(&make(D, count, 0))),
            ]);
        }
    }
    let holds = (0..3).all(|t| agree(published[t], last[t]));
    let mut remark = String::from(
        "Measured over several boxes of each size; the expected ratio is density / 2 times the mean \
         volume in which two particles touch, reduced by walls. The paper does not give its number \
         of particles.",
    );
    if D == 3 {
        remark += " The 4% of test C is impossible: its density and diameters give 0.48%, so 0.4% \
            is probably meant.";
    }
    let by_test = |values: [f64; 3]| -> Value {
        let pairs = TESTS.iter().zip(values);
        let map: Map<String, Value> = pairs.map(|((t, _), x)| ((*t).into(), json!(x))).collect();
        Value::Object(map)
    };
    Ok(Finding {
        name,
        claim: claim.into(),
        published: by_test(published),
        measured: by_test(last),
        holds,
        remark,
        data: Data {
            head: vec!["test", "particles", "published", "measured", "expected"],
            rows,
        },
        pictures: Vec::new(),
        plots: Vec::new(),
    })
}

/// The paper's number of pairs that linked cells test, in the plane and in space, divided by the
/// number of particles and by the mean number of particles per cell.
const PREDICTED: [f64; 2] = [4.5, 13.5];

/// Measures section 2.1: pairs tested by linked cells.
pub fn tests(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let mut rows = Vec::new();
    let plane = count_tests::<2>(effort, &mut rows)?;
    let space = count_tests::<3>(effort, &mut rows)?;
    let holds = plane.holds && space.holds;
    Ok(vec![Finding {
        name: "tests of linked cells",
        claim:
            "Linked cells with p particles each on average test 4.5 n p pairs in 2D and 13.5 n p \
                in 3D."
                .into(),
        published: json!({"2D": PREDICTED[0], "3D": PREDICTED[1]}),
        measured: json!({"2D": plane.values, "3D": space.values}),
        holds,
        remark:
            "Tests divided by n p, in boxes of test C. Cells at walls have fewer neighbours: with m \
             cells along an axis the mean number is (3 m - 2) / m instead of 3, which gives the \
             expected number. Measured and expected agree within 10%."
                .into(),
        data: Data {
            head: vec![
                "dimension",
                "method",
                "particles",
                "cells",
                "published",
                "measured",
                "expected",
            ],
            rows,
        },
        pictures: Vec::new(),
        plots: Vec::new(),
    }])
}

struct Counted {
    values: Map<String, Value>,
    holds: bool,
}

fn count_tests<const D: usize>(
    effort: &Effort,
    rows: &mut Vec<Vec<Cell>>,
) -> Result<Counted, Error> {
    let mut counted = Counted {
        values: Map::new(),
        holds: true,
    };
    let count = effort.largest;
    for occupancy in [1, 5, 10] {
        let mut finder =
            LinkedCells::<D>::with_occupancy(Default::default(), f64::from(occupancy))?;
        let (mut measured, mut expected) = (0.0, 0.0);
        const SCENES: u64 = 5;
        for seed in 0..SCENES {
            let spheres = particles::<D>(&ParticleBox::test_c(D, count, seed))?;
            pairs(&mut finder, &spheres, &mut Vec::new())?;
            let cells: f64 = finder.cells().iter().map(|&m| m as f64).product();
            let neighbors: f64 = finder
                .cells()
                .iter()
                .map(|&m| 3.0 * m as f64 - 2.0)
                .product();
            let unit = count as f64 * (count as f64 / cells);
            measured += finder.tests() as f64 / unit / SCENES as f64;
            expected += 0.5 * neighbors / cells / SCENES as f64;
        }
        counted.holds &= (measured / expected - 1.0).abs() < 0.1;
        let name = format!("LCM{occupancy}");
        rows.push(vec![
            word(format!("{D}D")),
            word(&name),
            Cell::Count(count),
            Cell::Count(finder.cells().iter().product()),
            Cell::Number(PREDICTED[D - 2]),
            Cell::Number(measured),
            Cell::Number(expected),
        ]);
        counted.values.insert(name, json!(measured));
    }
    Ok(counted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_by_hand() {
        let percent = |x: f64| (x * 1e4).round() / 1e2;
        assert_eq!(
            percent(expectation::<2>(&ParticleBox::test_a(2, 1, 0))),
            89.99
        );
        assert_eq!(
            percent(expectation::<3>(&ParticleBox::test_c(3, 1, 0))),
            0.48
        );
    }

    #[test]
    fn agreement_is_that_of_whole_percents() {
        assert!(agree(0.87, 0.8999) && agree(0.02, 0.026));
        assert!(!agree(0.04, 0.0048) && !agree(0.87, 0.7));
    }
}
