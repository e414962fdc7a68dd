//! Figure 2 of `leszczynski2004`: times of the sorted list and of linked cells against the number
//! of particles, and the paper's conclusion.

use super::super::Effort;
use super::super::finding::{Cell, Data, Finding, word};
use super::super::fit::exponent;
use super::super::timing::{Work, race};
use super::{Boxes, TESTS, list, pairs};
use crate::Error;
use serde_json::{Map, Value, json};
use tangere::generate::particles;
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
}

fn measured<const D: usize>(effort: &Effort) -> Result<Times, Error> {
    let mut times = Times {
        counts: effort.counts(),
        seconds: Default::default(),
    };
    for &count in &times.counts {
        let scenes = TESTS
            .iter()
            .map(|(_, make)| particles::<D>(&make(D, count, 1)))
            .collect::<tangere::Result<Vec<Spheres<D>>>>()?;
        let mut groups = scenes
            .iter()
            .map(contestants)
            .collect::<tangere::Result<Vec<_>>>()?;
        for (t, seconds) in race(effort.turns, &mut groups)?.into_iter().enumerate() {
            for (curve, s) in times.seconds[t].iter_mut().zip(seconds) {
                curve.push(s);
            }
        }
    }
    Ok(times)
}

/// Returns for each method of [`NAMES`] a work item that finds all pairs of spheres.
fn contestants<const D: usize>(spheres: &Spheres<D>) -> tangere::Result<Vec<Work<'_>>> {
    let mut finders: Vec<Box<dyn PairFinder<D>>> = vec![Box::new(list::<D>()?)];
    for occupancy in OCCUPANCIES {
        let linked = LinkedCells::with_occupancy(Default::default(), occupancy)?;
        finders.push(Box::new(linked));
    }
    finders.push(Box::new(Auto::new(Default::default())?));
    let work = |mut finder: Box<dyn PairFinder<D>>| -> Work<'_> {
        let mut out = Vec::new();
        Box::new(move || pairs(finder.as_mut(), spheres, &mut out))
    };
    Ok(finders.into_iter().map(work).collect())
}

/// Measures Figure 2 in `D` dimensions, and draws the conclusions from it.
pub fn run<const D: usize>(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let times = measured::<D>(effort)?;
    Ok(vec![times.figure::<D>(), times.conclusion::<D>()])
}

impl Times {
    /// Lists where the order of the measured curves differs from that of the paper's figure.
    fn exceptions(&self) -> Vec<String> {
        let mut exceptions = Vec::new();
        for (i, &count) in self.counts.iter().enumerate() {
            let at = |t: usize, c: usize| self.seconds[t][c][i];
            let n = text::count(count as u64);
            for (t, (test, _)) in TESTS.iter().enumerate() {
                for c in LCM1..LCM1 + 2 {
                    if at(t, c) >= at(t, c + 1) {
                        let (less, more) = (NAMES[c + 1], NAMES[c]);
                        exceptions.push(format!("{less} is faster than {more} in {test} at {n}"));
                    }
                }
            }
            for t in 0..2 {
                if at(t, LIST) <= at(t + 1, LIST) {
                    let (less, more) = (TESTS[t].0, TESTS[t + 1].0);
                    exceptions.push(format!(
                        "the list takes no longer in {less} than in {more} at {n}"
                    ));
                }
            }
        }
        exceptions
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
        let exceptions = self.exceptions();
        let mut rows = Vec::new();
        for (t, (test, _)) in TESTS.iter().enumerate() {
            for (i, &count) in self.counts.iter().enumerate() {
                let mut row = vec![word(*test), Cell::Count(count)];
                row.extend(self.seconds[t].iter().map(|s| Cell::Seconds(s[i])));
                rows.push(row);
            }
        }
        let mut remark = String::from(
            "The curves are not printed as numbers. Linked cells hold p particles on average, but are at \
             least as large as the largest particle. Auto is the method that the library chooses.",
        );
        if !exceptions.is_empty() {
            remark += &format!(" Exceptions here: {}.", exceptions.join("; "));
        }
        Finding {
            name: if D == 2 {
                "figure 2, 2D"
            } else {
                "figure 2, 3D"
            },
            claim: "Linked cells take longer the more particles a cell holds (LCM1 < LCM5 < LCM10); the \
                sorted list takes less time the smaller the particles are (A > B > C)."
                .into(),
            published: json!({
                "linked cells": ["LCM1", "LCM5", "LCM10"],
                "list": ["C", "B", "A"],
            }),
            measured: self.json(),
            holds: exceptions.is_empty(),
            remark,
            data: Data {
                head: vec!["test", "particles", "list", "LCM1", "LCM5", "LCM10", "auto"],
                rows,
            },
            pictures: Vec::new(),
            plots: self.plots::<D>(),
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
        let ratios = |t: usize| -> Vec<f64> {
            let [list, lcm1] = [LIST, LCM1].map(|c| &self.seconds[t][c]);
            list.iter()
                .zip(lcm1)
                .map(|(list, lcm1)| list / lcm1)
                .collect()
        };
        let [a, b, c] = [ratios(0), ratios(1), ratios(2)];
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
            "Here the list is faster than LCM1 {} in test A, {} in B, {} in C; with {} it takes {}, \
             {} and {} times as long. A sphere shares its shell with n^({}/{D}) others, so the time of \
             the list grows from n log n towards n^({}/{D}) (fitted exponents {:.2}, {:.2}, {:.2}), that \
             of linked cells with n: with enough particles the list is slower at any concentration.",
            wins(&a),
            wins(&b),
            wins(&c),
            text::count(most as u64),
            last(&a),
            last(&b),
            last(&c),
            D - 1,
            2 * D - 1,
            growth(0),
            growth(1),
            growth(2),
        );
        let holds = a.iter().all(|r| *r > 1.0) && c.iter().all(|r| *r < 1.0);
        let rows = (self.counts.iter().enumerate())
            .map(|(i, &n)| {
                let ratios = [a[i], b[i], c[i]].map(Cell::Number);
                std::iter::once(Cell::Count(n)).chain(ratios).collect()
            })
            .collect();
        let curves = [("A", &a), ("B", &b), ("C", &c)].map(|(test, ratios)| Curve {
            name: format!("test {test}"),
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
            name: if D == 2 {
                "conclusion, 2D"
            } else {
                "conclusion, 3D"
            },
            claim: "Linked cells are better where particles are dense (test A), the sorted list \
                    where their concentration is small (test C)."
                .into(),
            published: json!({"list / LCM1": {"A": "> 1", "C": "< 1"}}),
            measured: json!({
                "particles": self.counts,
                "list / LCM1": {"A": a, "B": b, "C": c},
                "exponents of the list": {"A": growth(0), "B": growth(1), "C": growth(2)},
            }),
            holds,
            remark,
            data: Data {
                head: vec![
                    "particles",
                    "list / LCM1 in A",
                    "list / LCM1 in B",
                    "list / LCM1 in C",
                ],
                rows,
            },
            pictures: Vec::new(),
            plots: vec![plot],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns times for scenes of 1000 particles, from the seconds of each of the 3 tests and 5
    /// methods.
    fn times(seconds: [[f64; 5]; 3]) -> Times {
        Times {
            counts: vec![1000],
            seconds: seconds.map(|test| test.map(|s| vec![s])),
        }
    }

    #[test]
    fn orders_as_published_and_not() {
        let good = times([
            [9.0, 1.0, 2.0, 3.0, 1.0],
            [5.0, 1.0, 2.0, 3.0, 1.0],
            [0.5, 1.0, 2.0, 3.0, 1.0],
        ]);
        assert!(good.figure::<2>().holds && good.conclusion::<3>().holds);
        let bad = times([
            [9.0, 1.0, 2.0, 1.5, 1.0],
            [5.0, 1.0, 2.0, 3.0, 1.0],
            [6.0, 1.0, 2.0, 3.0, 1.0],
        ]);
        let figure = bad.figure::<3>();
        assert!(!figure.holds && !bad.conclusion::<2>().holds);
        assert!(
            figure
                .remark
                .contains("LCM10 is faster than LCM5 in A at 1 000")
        );
        assert!(
            figure.remark.contains("no longer in B than in C"),
            "{}",
            figure.remark
        );
    }
}
