//! Tables 1 to 3 of `leszczynski2004`: times of a sorted list of particles and of linked cells; and
//! the paper's conclusion about the dispersion of particle sizes.

use super::super::Effort;
use super::super::finding::{Cell, Data, Finding, printed, word};
use super::super::timing::{Batch, Work, least, race, ratio_interval, without_one};
use super::claims::{DISPERSION, TABLE_1, TABLE_2, TABLE_3};
use super::{list, pairs};
use crate::Error;
use crate::check::{Check, at_least, at_most};
use crate::claim::Claim;
use serde_json::{Map, Value, json};
use std::rc::Rc;
use tangere::generate::{ParticleBox, particles};
use tangere::pairs::{LinkedCells, PairFinder};
use tangere::shape::Spheres;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// A table of the paper: times of the broad phase by a list of particles sorted by distance, and by
/// linked cells.
struct Published {
    claim: &'static Claim,
    remark: &'static str,
    count: usize,
    diameters: [f64; 2],
    huge: Option<f64>,
    /// The edge lengths of the box with which the table is measured; several if the paper does not
    /// publish the length.
    boxes: &'static [f64],
    list: f64,
    /// The name, the number of cells and the published seconds of each variant of linked cells.
    linked: &'static [(&'static str, usize, f64)],
    /// The number of boxes of random particles over which the measurements are averaged; several if
    /// a box has few particles.
    scenes: u64,
}

const TABLES: [Published; 3] = [
    Published {
        claim: &TABLE_1,
        remark: "Cells of LCM100 are as large as the largest disc, so the box has an edge of 10.",
        count: 10_000,
        diameters: [0.02, 1.0],
        huge: None,
        boxes: &[10.0],
        list: 1.627,
        linked: &[
            ("LCM100", 100, 1.141),
            ("LCM204", 49, 2.296),
            ("LCM625", 16, 8.828),
            ("LCM1111", 9, 12.332),
        ],
        scenes: 1,
    },
    Published {
        claim: &TABLE_2,
        remark: "The box is not published; 3 x 3 cells as large as the largest disc need an edge of \
                 6, and 4 x 4 would fit from 8 on. Repeats are not published, so only ratios can be \
                 compared. The 2 x 2 cells of LCM25 are all neighbours, so that they test as many pairs \
                 as one cell.",
        count: 100,
        diameters: [0.1, 2.0],
        huge: None,
        boxes: &[6.0, 7.5],
        list: 0.37,
        linked: &[("LCM11", 9, 1.01), ("LCM25", 4, 1.4), ("LCM100", 1, 1.59)],
        scenes: 20,
    },
    Published {
        claim: &TABLE_3,
        remark: "The box is not published. An edge of 10, where the large disc covers a quarter, would \
            explain its diameter; the smallest possible edge is 5.64. Repeats are not published, so \
            only ratios can be compared.",
        count: 101,
        diameters: [0.1, 0.3],
        huge: Some(5.64),
        boxes: &[10.0, 5.64],
        list: 0.197,
        linked: &[("LCM101", 1, 1.38)],
        scenes: 20,
    },
];

/// Measurements in boxes of one edge length. Item 0 of `seconds` and of `tests` is the time and the
/// number of pair tests of the paper's sorted list of particles; the other items are those of each
/// variant of linked cells.
struct Measured {
    edge: f64,
    seconds: Vec<f64>,
    /// For each variant of linked cells the interval of the ratio of its time to that of the list.
    ratios: Vec<[f64; 2]>,
    /// For each variant but the first the interval of the ratio of its time to that of the variant
    /// before.
    growths: Vec<[f64; 2]>,
    tests: Vec<usize>,
}

impl Published {
    fn scenes(&self, edge: f64) -> tangere::Result<Vec<Spheres<2>>> {
        let settings = |seed| ParticleBox {
            count: self.count,
            diameters: self.diameters,
            density: self.count as f64 / (edge * edge),
            seed,
            sizes: Default::default(),
            huge: self.huge,
        };
        (0..self.scenes)
            .map(|seed| particles(&settings(seed)))
            .collect()
    }

    fn linked(&self, cells: usize) -> tangere::Result<LinkedCells<2>> {
        LinkedCells::with_occupancy(Default::default(), self.count as f64 / cells as f64)
    }

    /// Returns a method that finds all pairs: the list, or a variant of linked cells.
    fn finder(&self, method: usize) -> tangere::Result<Box<dyn PairFinder<2>>> {
        Ok(match method.checked_sub(1) {
            None => Box::new(list::<2>()?),
            Some(i) => Box::new(self.linked(self.linked[i].1)?),
        })
    }

    /// Returns a group of work items, one for each method, that find all pairs in a copy of all scenes.
    fn group(
        &self,
        methods: impl IntoIterator<Item = usize>,
        scenes: &[Spheres<2>],
    ) -> tangere::Result<Vec<Work<'static>>> {
        let scenes = Rc::new(scenes.to_vec());
        let work = |method: usize| -> tangere::Result<Work<'static>> {
            let (mut finder, mut out) = (self.finder(method)?, Vec::new());
            let scenes = Rc::clone(&scenes);
            Ok(Box::new(move || {
                let mut found = 0;
                for scene in scenes.iter() {
                    found += pairs(finder.as_mut(), scene, &mut out)?;
                }
                Ok(found)
            }))
        };
        methods.into_iter().map(work).collect()
    }

    fn measured(&self, edge: f64, effort: &Effort) -> Result<Measured, Error> {
        let scenes = self.scenes(edge)?;
        let mut out = Vec::new();
        let mut tests = vec![0; 1 + self.linked.len()];
        let mut own = list::<2>()?;
        for scene in &scenes {
            pairs(&mut own, scene, &mut out)?;
            tests[0] += own.tests();
        }
        for (i, &(_, cells, _)) in self.linked.iter().enumerate() {
            let mut linked = self.linked(cells)?;
            for scene in &scenes {
                pairs(&mut linked, scene, &mut out)?;
                tests[i + 1] += linked.tests();
            }
        }
        let make = || Ok(vec![self.group(0..=self.linked.len(), &scenes)?]);
        let batches = race(make, effort.batch, |_| true)?;
        let ratio = |batches: &[Batch], [a, b]: [usize; 2]| {
            let batches = without_one(batches);
            let ratios = batches.iter().map(|batch| batch[0][a] / batch[0][b]);
            ratio_interval(&ratios.collect::<Vec<f64>>())
        };
        // Two methods that are close to each other race again, for longer.
        let decided = |pair: [usize; 2]| -> Result<[f64; 2], Error> {
            let is_decided = |[low, high]: [f64; 2]| low > 1.0 || high < 1.0;
            let interval = ratio(&batches, pair);
            if is_decided(interval) || effort.is_least() {
                return Ok(interval);
            }
            let make = || Ok(vec![self.group(pair, &scenes)?]);
            let batches = race(make, effort.turns, |batches| {
                is_decided(ratio(batches, [0, 1]))
            })?;
            Ok(ratio(&batches, [0, 1]))
        };
        let each = scenes.len();
        Ok(Measured {
            edge,
            ratios: (1..=self.linked.len())
                .map(|i| decided([i, 0]))
                .collect::<Result<_, Error>>()?,
            growths: (2..=self.linked.len())
                .map(|i| decided([i, i - 1]))
                .collect::<Result<_, Error>>()?,
            seconds: least(&batches)
                .concat()
                .into_iter()
                .map(|s| s / each as f64)
                .collect(),
            tests: tests.into_iter().map(|t| t / each).collect(),
        })
    }

    /// Returns the checks: which variants of linked cells are faster than the list, and that more
    /// particles per cell mean a longer time. If the paper does not publish the box, then intervals
    /// are those of all boxes tried.
    fn checks(&self, all: &[Measured]) -> Vec<Check> {
        let over_boxes = |value: &dyn Fn(&Measured) -> [f64; 2]| {
            let ends = all.iter().map(value);
            ends.fold([f64::INFINITY, 0.0], |[low, high], [from, to]| {
                [low.min(from), high.max(to)]
            })
        };
        let mut checks = Vec::new();
        for (i, &(name, _, s)) in self.linked.iter().enumerate() {
            let published = s / self.list;
            let order = match published > 1.0 {
                true => at_least(1.0),
                false => at_most(1.0),
            };
            let what = format!("time of {name} / time of the list");
            let printed = format!("{s} s / {} s", self.list);
            let check = Check::interval(what, over_boxes(&|m| m.ratios[i]), order).strict();
            checks.push(check.printed_number(printed, [published; 2]));
        }
        for (i, pair) in self.linked.windows(2).enumerate() {
            let names = [pair[1].0, pair[0].0];
            let printed = format!("{} s / {} s", pair[1].2, pair[0].2);
            let time = format!("time of {} / time of {}", names[0], names[1]);
            let check = Check::above(time, over_boxes(&|m| m.growths[i]), 1.0);
            checks.push(check.printed_number(printed, [pair[1].2 / pair[0].2; 2]));
        }
        checks
    }

    fn finding(&self, effort: &Effort) -> Result<Finding, Error> {
        let boxes = self.boxes.iter();
        let all = boxes
            .map(|&edge| self.measured(edge, effort))
            .collect::<Result<Vec<Measured>, Error>>()?;
        let mut rows = Vec::new();
        let (mut objects, mut tested) = (Map::new(), Map::new());
        for measured in &all {
            let names = std::iter::once(("list", self.list))
                .chain(self.linked.iter().map(|&(name, _, s)| (name, s)));
            let (mut ratios, mut tests) = (Map::new(), Map::new());
            for (i, (name, published)) in names.enumerate() {
                let ratio = measured.seconds[i] / measured.seconds[0];
                rows.push(vec![
                    Cell::Number(measured.edge),
                    word(name),
                    printed(published, " s", 1.0),
                    Cell::Seconds(measured.seconds[i]),
                    Cell::Count(measured.tests[i]),
                    Cell::Number(published / self.list),
                    Cell::Number(ratio),
                    Cell::Number(measured.tests[i] as f64 / measured.tests[0] as f64),
                ]);
                ratios.insert(name.into(), json!(ratio));
                let of_list = measured.tests[i] as f64 / measured.tests[0] as f64;
                tests.insert(name.into(), json!(of_list));
            }
            let name = format!("box {}", measured.edge);
            objects.insert(name.clone(), Value::Object(ratios));
            tested.insert(name, Value::Object(tests));
        }
        let published = std::iter::once(("list", self.list))
            .chain(self.linked.iter().map(|&(name, _, s)| (name, s)))
            .map(|(name, s)| (name.into(), json!(s)));
        Ok(Finding {
            published: json!({"seconds": Value::Object(published.collect())}),
            measured: json!({
                "time / time of the list": objects,
                "tests / tests of the list, not judged": tested,
            }),
            checks: self.checks(&all),
            remark: format!(
                "{} Ratios are relative to the list; those of tests do not depend on the machine and are not judged. Times include \
                 work that both methods share, such as sorting the contacts, which brings ratios closer to 1.",
                self.remark
            ),
            data: Data {
                head: vec![
                    "box",
                    "method",
                    "published",
                    "measured",
                    "tests",
                    "ratio of published",
                    "measured ratio",
                    "ratio of tests",
                ],
                rows,
            },
            plots: self.plot(&all).into_iter().collect(),
            ..Finding::of(self.claim)
        })
    }

    /// Plots the times and the numbers of pair tests of linked cells, relative to those of the
    /// sorted list of particles, against the number of particles per cell. `None` if there is only
    /// one variant of linked cells.
    fn plot(&self, all: &[Measured]) -> Option<Plot> {
        if self.linked.len() < 2 {
            return None;
        }
        let held = |cells: usize| self.count as f64 / cells as f64;
        let published = Curve {
            name: "published".into(),
            points: self
                .linked
                .iter()
                .map(|&(_, cells, s)| [held(cells), s / self.list])
                .collect(),
            dashed: false,
        };
        let curve = |name: &str, measured: &Measured, values: &[f64], dashed: bool| Curve {
            name: match all.len() {
                1 => name.into(),
                _ => format!("{name}, box {}", measured.edge),
            },
            points: (self.linked.iter().zip(&values[1..]))
                .map(|(&(_, cells, _), x)| [held(cells), x / values[0]])
                .collect(),
            dashed,
        };
        let mut curves = vec![published];
        for measured in all {
            let tests: Vec<f64> = measured.tests.iter().map(|&t| t as f64).collect();
            curves.push(curve("measured", measured, &measured.seconds, false));
            curves.push(curve("tests", measured, &tests, true));
        }
        Some(Plot {
            title: format!(
                "{}: above 1 the sorted list is faster",
                self.claim.name.replace('t', "T")
            ),
            x: Axis {
                name: "particles in a cell",
                unit: Unit::Count,
            },
            y: Axis {
                name: "linked cells / list",
                unit: Unit::Number,
            },
            even: true,
            curves,
        })
    }
}

/// Measures Tables 1, 2 and 3.
pub fn tables(effort: &Effort) -> Result<Vec<Finding>, Error> {
    TABLES.iter().map(|table| table.finding(effort)).collect()
}

/// Measures the statement of section 4 about the dispersion of sizes: particles of equal size
/// against particles of different sizes with the same mean.
pub fn dispersion(effort: &Effort) -> Result<Vec<Finding>, Error> {
    // The sizes of table 1, and all equal to its mean diameter.
    const SIZES: [[f64; 2]; 2] = [[0.51, 0.51], [0.02, 1.0]];
    let scene = |diameters| {
        let settings = ParticleBox::test_a(2, effort.largest.min(10_000), 1);
        particles::<2>(&ParticleBox {
            diameters,
            ..settings
        })
    };
    let scenes = [scene(SIZES[0])?, scene(SIZES[1])?];
    // The number of cells is the largest that the largest particle allows.
    let linked = || LinkedCells::<2>::with_occupancy(Default::default(), 1.0);
    let mut tests = Vec::new();
    for spheres in &scenes {
        let (mut own, mut linked, mut out) = (list::<2>()?, linked()?, Vec::new());
        pairs(&mut own, spheres, &mut out)?;
        pairs(&mut linked, spheres, &mut out)?;
        tests.push([own.tests(), linked.tests()]);
    }
    let make = || {
        let mut groups: Vec<Vec<Work<'_>>> = Vec::new();
        for spheres in &scenes {
            let (mut own, mut linked) = (list::<2>()?, linked()?);
            let (mut a, mut b) = (Vec::new(), Vec::new());
            let spheres = Rc::new(spheres.clone());
            let copy = Rc::clone(&spheres);
            groups.push(vec![
                Box::new(move || pairs(&mut own, &copy, &mut a)),
                Box::new(move || pairs(&mut linked, &spheres, &mut b)),
            ]);
        }
        Ok(groups)
    };
    let ratio = |batches: &[Batch]| {
        let dispersed = |batch: &Batch, m: usize| batch[1][m] / batch[0][m];
        let batches = without_one(batches);
        let ratios = batches.iter().map(|b| dispersed(b, 1) / dispersed(b, 0));
        ratio_interval(&ratios.collect::<Vec<f64>>())
    };
    let is_decided = |batches: &[Batch]| {
        let [low, high] = ratio(batches);
        low > 1.0 || high < 1.0
    };
    let batches = race(make, effort.batch, is_decided)?;
    let seconds = least(&batches);
    let ratios = [0, 1].map(|m| tests[1][m] as f64 / tests[0][m] as f64);
    let times = [0, 1].map(|m| seconds[1][m] / seconds[0][m]);
    let rows = ["list", "linked cells"]
        .iter()
        .enumerate()
        .map(|(m, name)| {
            vec![
                word(*name),
                Cell::Seconds(seconds[0][m]),
                Cell::Seconds(seconds[1][m]),
                Cell::Number(times[m]),
                Cell::Count(tests[0][m]),
                Cell::Count(tests[1][m]),
                Cell::Number(ratios[m]),
            ]
        });
    Ok(vec![Finding {
        checks: vec![
            Check::number(
                "tests of the list, dispersed / alike",
                ratios[0],
                [0.8, 1.25],
            ),
            Check::number(
                "tests of linked cells, dispersed / alike",
                ratios[1],
                at_least(1.5),
            ),
            Check::above(
                "that ratio of times, linked cells over the list",
                ratio(&batches),
                1.0,
            ),
        ],
        measured: json!({
            "ratio of tests": {"list": ratios[0], "linked cells": ratios[1]},
            "ratio of times": {"list": times[0], "linked cells": times[1]},
        }),
        remark:
            "Discs in a box of density 100, all with a diameter of 0.51, then with diameters from \
             0.02 to 1. The list tests a disc against those that begin within its diameter, so its \
             tests depend on the mean diameter alone; cells must be as large as the largest disc. \
             Times include writing the contacts, 15% more of them where sizes differ."
                .into(),
        data: Data {
            head: vec![
                "method",
                "time alike",
                "time dispersed",
                "ratio of times",
                "tests alike",
                "tests dispersed",
                "ratio of tests",
            ],
            rows: rows.collect(),
        },
        ..Finding::of(&DISPERSION)
    }])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Verdict;

    #[test]
    fn cells_are_those_of_the_tables() {
        for table in &TABLES {
            for &edge in table.boxes {
                let scenes = table.scenes(edge).unwrap();
                for &(name, cells, _) in table.linked {
                    let mut linked = table.linked(cells).unwrap();
                    for scene in &scenes {
                        linked.update(scene.into()).unwrap();
                        let made: usize = linked.cells().iter().product();
                        assert_eq!(
                            made, cells,
                            "{}: {name} in a box of {edge}",
                            table.claim.name
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn who_wins_decides() {
        let outcomes = |ratio: [f64; 2], growth: [f64; 2]| {
            let mut ratios = vec![[2.0; 2]; 4];
            ratios[0] = ratio;
            let measured = Measured {
                edge: 10.0,
                seconds: vec![1.0; 5],
                ratios,
                growths: vec![growth; 3],
                tests: vec![1; 5],
            };
            Verdict::of(TABLES[0].checks(&[measured]).iter().map(Check::outcome))
        };
        let more = [1.5, 1.6];
        assert_eq!(outcomes([0.7, 0.8], more), Verdict::Holds);
        // Times that vary about 1 are no order.
        assert_eq!(outcomes([0.9, 1.1], more), Verdict::CannotBeJudged);
        assert_eq!(outcomes([1.1, 1.2], more), Verdict::DoesNotHold);
        assert_eq!(outcomes([0.7, 0.8], [0.9, 1.0]), Verdict::DoesNotHold);
        // Equal numbers are no order.
        assert_eq!(outcomes([0.7, 0.8], [1.0, 1.0]), Verdict::DoesNotHold);
    }
}
