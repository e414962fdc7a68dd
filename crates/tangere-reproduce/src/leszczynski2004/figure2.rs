//! Figure 2 of `leszczynski2004`: times of the sorted list and of linked cells against the number
//! of particles, and the paper's conclusion.

use super::super::Effort;
use super::super::finding::{Cell, Data, Finding, word};
use super::super::fit::exponent;
use super::super::timing::{Batch, Work, least, race, ratio_interval, without_one};
use super::claims::{CONCLUSION_2D, CONCLUSION_3D, FIGURE_2_2D, FIGURE_2_3D};
use super::{Boxes, TESTS, list, pairs};
use crate::Error;
use crate::check::{Check, at_least, at_most};
use serde_json::{Map, Value, json};
use std::rc::Rc;
use tangere::generate::{ParticleBox, particles};
use tangere::pairs::{Auto, LinkedCells, PairFinder};
use tangere::shape::Spheres;
use tangere_front::text::{self, three_digits};
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The names of the methods: the paper's list of particles sorted by distance, its linked cells
/// with 1, 5 and 10 particles per cell, and the library's automatic choice.
const NAMES: [&str; 5] = ["list", "LCM1", "LCM5", "LCM10", "auto"];
const OCCUPANCIES: [f64; 3] = [1.0, 5.0, 10.0];
const LIST: usize = 0;
const LCM1: usize = 1;

/// The measured times: `seconds[test][method][i]` is the time for `counts[i]` particles.
struct Times {
    counts: Vec<usize>,
    seconds: [[Vec<f64>; 5]; 3],
    /// The times of the list and of LCM1 for few and dispersed particles.
    dispersed: [Vec<f64>; 2],
    /// For each number of particles the batches of the race; `batches[i][b][test][method]`. Behind the
    /// tests are the few and dispersed particles, with the list and LCM1.
    batches: Vec<Vec<Batch>>,
}

/// The place of the few and dispersed particles behind the tests.
const DISPERSED: usize = TESTS.len();

/// Returns a box of particles whose concentration is as small as that of test C, with the same mean
/// diameter, and whose diameters differ by a factor of 50, as in table 1.
fn dispersed(dimension: usize, count: usize, seed: u64) -> ParticleBox {
    let settings = ParticleBox::test_c(dimension, count, seed);
    let mean = 0.5 * (settings.diameters[0] + settings.diameters[1]);
    let least = 2.0 * mean / 51.0;
    ParticleBox {
        diameters: [least, 50.0 * least],
        ..settings
    }
}

/// Returns the interval of the quotient of two times in a race, each given as test and method.
fn quotient(batches: &[Batch], [a, b]: [[usize; 2]; 2]) -> [f64; 2] {
    let quotients: Vec<f64> = without_one(batches)
        .iter()
        .map(|batch| batch[a[0]][a[1]] / batch[b[0]][b[1]])
        .collect();
    ratio_interval(&quotients)
}

/// The order of the paper's curves: pairs of times, given as test and method, of which the first is
/// longer.
fn orders() -> impl Iterator<Item = [[usize; 2]; 2]> {
    let linked = (0..3).flat_map(|t| [[[t, 2], [t, 1]], [[t, 3], [t, 2]]]);
    linked.chain([[[0, LIST], [1, LIST]], [[1, LIST], [2, LIST]]])
}

fn measured<const D: usize>(effort: &Effort) -> Result<Times, Error> {
    let mut times = Times {
        counts: effort.counts(),
        seconds: Default::default(),
        dispersed: Default::default(),
        batches: Vec::new(),
    };
    for &count in &times.counts {
        let scenes = TESTS
            .iter()
            .map(|(_, make)| particles::<D>(&make(D, count, 1)))
            .collect::<tangere::Result<Vec<Spheres<D>>>>()?;
        let few = particles::<D>(&dispersed(D, count, 1))?;
        let make = || {
            let tests = scenes.iter().map(contestants);
            let mut groups = tests.collect::<tangere::Result<Vec<_>>>()?;
            let mut two = contestants(&few)?;
            two.truncate(LCM1 + 1);
            groups.push(two);
            Ok(groups)
        };
        let is_decided = |batches: &[Batch]| {
            orders().all(|pair| {
                let [low, high] = quotient(batches, pair);
                low > 1.0 || high < 1.0
            })
        };
        let batches = race(make, effort.batch, is_decided)?;
        let mut fastest = least(&batches);
        for (curve, s) in times.dispersed.iter_mut().zip(&fastest[DISPERSED]) {
            curve.push(*s);
        }
        fastest.truncate(DISPERSED);
        for (t, seconds) in fastest.into_iter().enumerate() {
            for (curve, s) in times.seconds[t].iter_mut().zip(seconds) {
                curve.push(s);
            }
        }
        times.batches.push(batches);
    }
    Ok(times)
}

/// Returns for each method of [`NAMES`] a work item that finds all pairs in a copy of the spheres.
fn contestants<const D: usize>(spheres: &Spheres<D>) -> tangere::Result<Vec<Work<'static>>> {
    let spheres = Rc::new(spheres.clone());
    let mut finders: Vec<Box<dyn PairFinder<D>>> = vec![Box::new(list::<D>()?)];
    for occupancy in OCCUPANCIES {
        let linked = LinkedCells::with_occupancy(Default::default(), occupancy)?;
        finders.push(Box::new(linked));
    }
    finders.push(Box::new(Auto::new(Default::default())?));
    let work = |mut finder: Box<dyn PairFinder<D>>| -> Work<'static> {
        let (spheres, mut out) = (Rc::clone(&spheres), Vec::new());
        Box::new(move || pairs(finder.as_mut(), &spheres, &mut out))
    };
    Ok(finders.into_iter().map(work).collect())
}

/// Measures Figure 2 in `D` dimensions, and draws the conclusions from it.
pub fn run<const D: usize>(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let times = measured::<D>(effort)?;
    Ok(vec![times.figure::<D>(), times.conclusion::<D>()])
}

impl Times {
    /// Returns for every pair of [`orders`] the check that decides: that of the number of particles
    /// where the order is least certain.
    fn order_checks(&self) -> Vec<Check> {
        let name = |[t, c]: [usize; 2]| format!("{} in {}", NAMES[c], TESTS[t].0);
        let check = |pair: [[usize; 2]; 2]| {
            let at = |(&count, batches): (&usize, &Vec<Batch>)| {
                let n = text::count(count as u64);
                let what = format!("{} / {} at {n}", name(pair[0]), name(pair[1]));
                Check::above(what, quotient(batches, pair), 1.0)
            };
            Check::worst(self.counts.iter().zip(&self.batches).map(at))
        };
        orders().filter_map(check).collect()
    }

    /// Returns `seconds` by test and method as JSON.
    fn json(&self) -> Value {
        let test = |(t, (test, _)): (usize, &(&str, _))| {
            let curves = NAMES.iter().zip(&self.seconds[t]);
            let curves: Map<String, Value> =
                curves.map(|(name, s)| ((*name).into(), json!(s))).collect();
            ((*test).into(), Value::Object(curves))
        };
        let tests: Map<String, Value> = TESTS.iter().enumerate().map(test).collect();
        json!({"particles": self.counts, "seconds": tests})
    }

    fn figure<const D: usize>(&self) -> Finding {
        let mut rows = Vec::new();
        for (t, (test, _)) in TESTS.iter().enumerate() {
            for (i, &count) in self.counts.iter().enumerate() {
                let mut row = vec![word(*test), Cell::Count(count)];
                row.extend(self.seconds[t].iter().map(|s| Cell::Seconds(s[i])));
                rows.push(row);
            }
        }
        Finding {
            measured: self.json(),
            checks: self.order_checks(),
            remark: "Each check is that of the number of particles at which the order is least certain. Linked cells \
                hold p particles on average, but are at least as large as the largest particle. Auto is the \
                method that the library chooses."
                .into(),
            data: Data {
                head: vec!["test", "particles", "list", "LCM1", "LCM5", "LCM10", "auto"],
                rows,
            },
            plots: self.plots::<D>(),
            ..Finding::of(if D == 2 { &FIGURE_2_2D } else { &FIGURE_2_3D })
        }
    }

    fn plots<const D: usize>(&self) -> Vec<Plot> {
        let curve = |t: usize, c: usize| Curve {
            name: NAMES[c].into(),
            points: self.points(t, c),
            dashed: NAMES[c] == "auto",
        };
        let plot = |(t, (test, make)): (usize, &(&str, Boxes))| {
            let [lo, hi] = make(D, 1, 0).diameters;
            Plot {
                title: format!("Figure 2 in {D}D, test {test}: diameters from {lo} to {hi}"),
                x: Axis {
                    name: "particles",
                    unit: Unit::Count,
                },
                y: Axis {
                    name: "time for all contacts",
                    unit: Unit::Seconds,
                },
                even: false,
                curves: (0..NAMES.len()).map(|c| curve(t, c)).collect(),
            }
        };
        TESTS.iter().enumerate().map(plot).collect()
    }

    fn points(&self, t: usize, c: usize) -> Vec<[f64; 2]> {
        let counts = self.counts.iter().map(|&n| n as f64);
        counts
            .zip(&self.seconds[t][c])
            .map(|(n, &s)| [n, s])
            .collect()
    }

    /// Returns the finding about section 4: which method is faster for dense and which for sparse
    /// particles.
    fn conclusion<const D: usize>(&self) -> Finding {
        let ratios = |list: &[f64], lcm1: &[f64]| -> Vec<f64> {
            let pairs = list.iter().zip(lcm1);
            pairs.map(|(list, lcm1)| list / lcm1).collect()
        };
        let [a, b, c] = [0, 1, 2].map(|t| ratios(&self.seconds[t][LIST], &self.seconds[t][LCM1]));
        let d = ratios(&self.dispersed[LIST], &self.dispersed[LCM1]);
        let wins = |ratios: &[f64]| -> String {
            let won = self.counts.iter().zip(ratios).filter(|(_, r)| **r < 1.0);
            match won.map(|(n, _)| *n).max() {
                None => "with no number of particles".into(),
                Some(n) => format!("with up to {} particles", text::count(n as u64)),
            }
        };
        let last = |ratios: &[f64]| ratios.last().map_or("-".into(), |r| three_digits(*r));
        let most = self.counts.last().copied().unwrap_or(0);
        let growth = |t: usize| exponent(&self.points(t, LIST)).unwrap_or(f64::NAN);
        let remark = format!(
            "Here the list is faster than LCM1 {} in test A, {} in B, {} in C, {} of few and dispersed particles; with {} it takes {}, \
             {}, {} and {} times as long. Few and dispersed particles have the number and the mean diameter of test C, where diameters \
             differ by a factor of 4, and diameters that differ by a factor of 50. A sphere shares its shell with n^({}/{D}) others, so the time of \
             the list grows from n log n towards n^({}/{D}) (fitted exponents {:.2}, {:.2}, {:.2}), that \
             of linked cells with n: with enough particles the list is slower at any concentration.",
            wins(&a),
            wins(&b),
            wins(&c),
            wins(&d),
            text::count(most as u64),
            last(&a),
            last(&b),
            last(&c),
            last(&d),
            D - 1,
            2 * D - 1,
            growth(0),
            growth(1),
            growth(2),
        );
        let checks = |t: usize, name: &str, accepted: [f64; 2]| {
            let at = |(&count, batches): (&usize, &Vec<Batch>)| {
                let what = format!("list / LCM1 in {name} at {}", text::count(count as u64));
                let interval = quotient(batches, [[t, LIST], [t, LCM1]]);
                Check::interval(what, interval, accepted).strict()
            };
            Check::worst(self.counts.iter().zip(&self.batches).map(at))
        };
        let checks = [
            checks(0, "test A", at_least(1.0)),
            checks(DISPERSED, "few and dispersed particles", at_most(1.0)),
        ];
        let rows = (self.counts.iter().enumerate())
            .map(|(i, &n)| {
                let ratios = [a[i], b[i], c[i], d[i]].map(Cell::Number);
                std::iter::once(Cell::Count(n)).chain(ratios).collect()
            })
            .collect();
        let curves = [
            ("test A", &a),
            ("test B", &b),
            ("test C", &c),
            ("few and dispersed", &d),
        ];
        let curves = curves.map(|(name, ratios)| Curve {
            name: name.into(),
            points: self
                .counts
                .iter()
                .zip(ratios)
                .map(|(&n, &r)| [n as f64, r])
                .collect(),
            dashed: false,
        });
        let plot = Plot {
            title: format!("Sorted list against LCM1 in {D}D: above 1 linked cells are faster"),
            x: Axis {
                name: "particles",
                unit: Unit::Count,
            },
            y: Axis {
                name: "time of the list / time of LCM1",
                unit: Unit::Number,
            },
            even: true,
            curves: curves.into(),
        };
        Finding {
            checks: checks.into_iter().flatten().collect(),
            measured: json!({
                "particles": self.counts,
                "list / LCM1": {"A": a, "B": b, "C": c, "few and dispersed": d},
                "exponents of the list": {"A": growth(0), "B": growth(1), "C": growth(2)},
            }),
            remark,
            data: Data {
                head: vec![
                    "particles",
                    "list / LCM1 in A",
                    "list / LCM1 in B",
                    "list / LCM1 in C",
                    "few and dispersed",
                ],
                rows,
            },
            plots: vec![plot],
            ..Finding::of(if D == 2 {
                &CONCLUSION_2D
            } else {
                &CONCLUSION_3D
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Verdict;

    /// Returns times for scenes of 1000 particles, from the seconds of each of the 3 tests and 5
    /// methods, the same in all batches; few and dispersed particles take those of test C.
    fn times(seconds: [[f64; 5]; 3]) -> Times {
        let mut batch: Batch = seconds.map(Vec::from).into();
        batch.push(seconds[2][..2].to_vec());
        Times {
            counts: vec![1000],
            seconds: seconds.map(|test| test.map(|s| vec![s])),
            dispersed: [LIST, LCM1].map(|c| vec![seconds[2][c]]),
            batches: vec![vec![batch; 3]],
        }
    }

    #[test]
    fn orders_as_published_and_not() {
        let verdicts =
            |times: Times| [times.figure::<2>(), times.conclusion::<3>()].map(|f| f.verdict());
        let good = times([
            [9.0, 1.0, 2.0, 3.0, 1.0],
            [5.0, 1.0, 2.0, 3.0, 1.0],
            [0.5, 1.0, 2.0, 3.0, 1.0],
        ]);
        assert_eq!(verdicts(good), [Verdict::Holds; 2]);
        let bad = times([
            [9.0, 1.0, 2.0, 1.5, 1.0],
            [5.0, 1.0, 2.0, 3.0, 1.0],
            [6.0, 1.0, 2.0, 3.0, 1.0],
        ]);
        let why = bad.figure::<3>().why();
        assert!(why.contains("LCM10 in A / LCM5 in A at 1 000"), "{why}");
        assert!(why.contains("list in B / list in C"), "{why}");
        assert_eq!(verdicts(bad), [Verdict::DoesNotHold; 2]);
        // Within the systematic error nothing is decided.
        let close = times([
            [9.0, 1.0, 2.0, 2.02, 1.0],
            [5.0, 1.0, 2.0, 3.0, 1.0],
            [1.01, 1.0, 2.0, 3.0, 1.0],
        ]);
        assert_eq!(verdicts(close), [Verdict::CannotBeJudged; 2]);
    }
}
