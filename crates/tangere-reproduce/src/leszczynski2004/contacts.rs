//! Sections 2.1 and 3 of `leszczynski2004`: numbers of contacts, and of pairs tested by linked
//! cells.

use super::super::Effort;
use super::super::finding::{Cell, Data, Finding, printed, word};
use super::claims::{RATIOS_2D, RATIOS_3D};
use super::{TESTS, pairs};
use crate::Error;
use crate::check::Check;
use crate::claim::Claim;
use serde_json::{Map, Value, json};
use std::f64::consts::PI;
use tangere::generate::{ParticleBox, particles};
use tangere::pairs::{Auto, LinkedCells};

/// The paper's number of contacts in percent of the number of particles (section 3), for tests A, B
/// and C: first in the plane, then in space.
const RATIOS: [[f64; 3]; 2] = [[87.0, 19.0, 2.0], [90.0, 10.0, 4.0]];

/// Half of the last digit of the published ratios.
const HALF_DIGIT: f64 = 0.005;

/// Measures section 3: contacts per particle.
pub fn ratios(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let plane = ratio_finding::<2>(effort, &RATIOS_2D)?;
    let space = ratio_finding::<3>(effort, &RATIOS_3D)?;
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

fn ratio_finding<const D: usize>(effort: &Effort, claim: &'static Claim) -> Result<Finding, Error> {
    let published = RATIOS[D - 2];
    let mut finder = Auto::<D>::new(Default::default())?;
    let (mut rows, mut out) = (Vec::new(), Vec::new());
    let (mut last, mut checks) = ([0.0; 3], Vec::new());
    // Each size has the same number of particles in all, so that all means are equally accurate:
    // the 2.6% of test C are 13 000 contacts, of which the standard deviation is 1%.
    let total = if effort.is_least() { 5000 } else { 500_000 };
    for (t, (test, make)) in TESTS.iter().enumerate() {
        let mut sizes = vec![100, 1000, 10_000, 100_000];
        sizes.retain(|&n| n <= total);
        let mut interval = [f64::INFINITY, 0f64];
        for count in sizes {
            let scenes = total / count;
            let mut contacts = 0;
            for seed in 0..scenes {
                let spheres = particles::<D>(&make(D, count, seed as u64))?;
                contacts += pairs(&mut finder, &spheres, &mut out)?;
            }
            last[t] = contacts as f64 / (count * scenes) as f64;
            interval = [interval[0].min(last[t]), interval[1].max(last[t])];
            rows.push(vec![
                word(*test),
                Cell::Count(count),
                printed(published[t], "%", 0.01),
                Cell::Share(last[t]),
                Cell::Share(expectation::<D>(&make(D, count, 0))),
            ]);
        }
        let value = published[t] / 100.0;
        let check = Check::interval(
            format!("contacts per particle, test {test}, all box sizes"),
            interval,
            [value - HALF_DIGIT, value + HALF_DIGIT],
        );
        let check = check.percent();
        checks.push(check.printed_number(format!("{}%", published[t]), [value; 2]));
    }
    let mut remark = String::from(
        "Means over many boxes of each size. The expected ratio in unbounded space is density / 2 times the \
         mean volume in which two particles touch; walls reduce it in small boxes. The paper does not give \
         its number of particles: the ratios of tests A and B fit some sizes of the box, that of test C fits \
         none.",
    );
    if D == 3 {
        remark += " The 4% of test C cannot be: density and diameters give 0.48%, so 0.4% is probably \
            meant.";
    }
    let by_test = |values: [f64; 3]| -> Value {
        let pairs = TESTS.iter().zip(values);
        let map: Map<String, Value> = pairs.map(|((t, _), x)| ((*t).into(), json!(x))).collect();
        Value::Object(map)
    };
    let percents = TESTS.iter().zip(published);
    let percents = percents.map(|((t, _), x)| ((*t).into(), json!(format!("{x}%"))));
    Ok(Finding {
        published: Value::Object(percents.collect()),
        measured: by_test(last),
        checks,
        remark,
        data: Data {
            head: vec!["test", "particles", "published", "measured", "expected"],
            rows,
        },
        ..Finding::of(claim)
    })
}

/// The paper's number of pairs that linked cells test, in the plane and in space, divided by the
/// number of particles and by the mean number of particles per cell.
const PREDICTED: [f64; 2] = [4.5, 13.5];

/// A number of particles with which a box has few cells.
const FEW: usize = 1000;

/// Measures section 2.1: pairs tested by linked cells.
pub fn tests(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let mut rows = Vec::new();
    let plane = count_tests::<2>(effort, &mut rows)?;
    let space = count_tests::<3>(effort, &mut rows)?;
    let checks = plane.checks.into_iter().chain(space.checks);
    Ok(vec![Finding {
        published: json!({"2D, times np p_avg": PREDICTED[0], "3D, times np p_avg": PREDICTED[1]}),
        measured: json!({"2D, times np p_avg": plane.values, "3D, times np p_avg": space.values}),
        checks: checks.collect(),
        remark:
            "Tests divided by n p, in boxes of test C. Cells at walls have fewer neighbours: with m \
             cells along an axis the mean number is (3 m - 2) / m instead of 3, which gives the \
             number expected with walls. With few cells the formula fails widely: 3 cells along an axis give 2.7 in 2D and \
             6.4 in 3D, and the paper's own tables 2 and 3 have 3, 2 and 1. The rows with 1000 particles show it and are not \
             judged."
                .into(),
        data: Data {
            head: vec![
                "dimension",
                "method",
                "particles",
                "cells",
                "published",
                "measured",
                "with walls",
            ],
            rows,
        },
        ..Finding::of(&super::claims::TESTS)
    }])
}

struct Counted {
    values: Map<String, Value>,
    checks: Vec<Check>,
}

fn count_tests<const D: usize>(
    effort: &Effort,
    rows: &mut Vec<Vec<Cell>>,
) -> Result<Counted, Error> {
    let mut counted = Counted {
        values: Map::new(),
        checks: Vec::new(),
    };
    // Counting is fast, and few cells along an axis would show the walls alone.
    let largest = match effort.is_least() {
        true => effort.largest,
        false => Effort::FULL.largest,
    };
    let mut counts = vec![FEW, largest];
    counts.dedup();
    let published = PREDICTED[D - 2];
    for (occupancy, count) in [1, 5, 10]
        .into_iter()
        .flat_map(|p| counts.iter().map(move |&n| (p, n)))
    {
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
        let name = format!("LCM{occupancy}");
        rows.push(vec![
            word(format!("{D}D")),
            word(&name),
            Cell::Count(count),
            Cell::Count(finder.cells().iter().product()),
            printed(published, "", 1.0),
            Cell::Number(measured),
            Cell::Number(expected),
        ]);
        if count < largest {
            continue;
        }
        let what = format!("tests / (n p), {D}D, {name}");
        let check = Check::number(what, measured, [0.9 * published, 1.1 * published]);
        let check = check.printed_number(published.to_string(), [published; 2]);
        counted.checks.push(check);
        let what = format!("measured / expected with walls, {D}D, {name}");
        let check = Check::number(what, measured / expected, [0.97, 1.03]);
        counted.checks.push(check);
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
}
